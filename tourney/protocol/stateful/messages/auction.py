"""Messages about the auction: calls, what they mean, the contract (SS-14 to SS-16)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from tourney.bridge import Call, Contract, Seat, Side, Strain
from tourney.errors import FormatError
from tourney.protocol.stateful import values
from tourney.protocol.stateful.messages.message import StatefulMessage


@dataclass(frozen=True, slots=True)
class AucopenMessage(StatefulMessage):
    """Shows the auction. `turn` is the player that is to call, None while no call is accepted."""

    NAME: ClassVar[str] = "AUCOPEN"
    FORM: ClassVar[str] = "AUCOPEN position list"
    turn: Seat | None
    calls: tuple[Call, ...]

    def arguments(self) -> tuple[str, ...]:
        return values.format_position(self.turn), values.format_list(map(values.format_bid, self.calls))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2)
        calls = values.parse_list(arguments[1], values.parse_bid)
        return cls(values.parse_position_or_nobody(arguments[0]), calls)


@dataclass(frozen=True, slots=True)
class BidMessage(StatefulMessage):
    """Makes a call."""

    NAME: ClassVar[str] = "BID"
    FORM: ClassVar[str] = "BID bid"
    call: Call

    def arguments(self) -> tuple[str, ...]:
        return (values.format_bid(self.call),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_bid(arguments[0]))


@dataclass(frozen=True, slots=True)
class AlertMessage(StatefulMessage):
    """Explains a call: from a player its next one, from the server call `number` of the auction, counted from 1."""

    NAME: ClassVar[str] = "X-ALERT"
    FORM: ClassVar[str] = 'X-ALERT position "text" [number]'
    position: Seat
    text: str
    number: int | None = None

    def arguments(self) -> tuple[str, ...]:
        said = (self.position.letter, values.format_string(self.text))
        return said if self.number is None else (*said, str(self.number))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2, 3)
        number = values.parse_number(arguments[2]) if len(arguments) == 3 else None
        return cls(values.parse_position(arguments[0]), arguments[1], number)


@dataclass(frozen=True, slots=True)
class AuccloseMessage(StatefulMessage):
    """Shows the contract and whose it is; all four are None or 0 for a board that was passed out."""

    NAME: ClassVar[str] = "AUCCLOSE"
    FORM: ClassVar[str] = "AUCCLOSE suit value doubled team"
    strain: Strain | None
    level: int
    doubled: int
    side: Side | None

    def arguments(self) -> tuple[str, ...]:
        suit = values.NOBODY if self.strain is None else values.format_suit(self.strain)
        return suit, str(self.level), values.format_doubled(self.doubled), values.format_team(self.side)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 4)
        suit, level, doubled, team = arguments
        if suit == values.NOBODY:
            return cls(None, 0, 0, None)
        value = values.parse_number(level)
        if not 1 <= value <= 7:
            raise FormatError(f"a contract value is 1 to 7, got {value}")
        return cls(values.parse_suit(suit), value, values.parse_doubled(doubled), values.parse_team(team))

    @classmethod
    def of_contract(cls, contract: Contract | None) -> Self:
        """Make the message about a contract; None for a board that was passed out."""
        if contract is None:
            return cls(None, 0, 0, None)
        return cls(contract.strain, contract.level, contract.doubled, contract.declarer.side)


@dataclass(frozen=True, slots=True)
class DeclarerMessage(StatefulMessage):
    """Says who is declarer, after `AUCCLOSE`."""

    NAME: ClassVar[str] = "X-DECLARER"
    FORM: ClassVar[str] = "X-DECLARER position"
    declarer: Seat

    def arguments(self) -> tuple[str, ...]:
        return (self.declarer.letter,)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_position(arguments[0]))


@dataclass(frozen=True, slots=True)
class PointsMessage(StatefulMessage):
    """Tells the high-card points that a player announces at Minibridge."""

    NAME: ClassVar[str] = "X-POINTS"
    FORM: ClassVar[str] = "X-POINTS position points"
    position: Seat
    points: int

    def arguments(self) -> tuple[str, ...]:
        return self.position.letter, str(self.points)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2)
        return cls(values.parse_position(arguments[0]), values.parse_number(arguments[1]))
