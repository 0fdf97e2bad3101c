"""Messages about a whole board: which it is, all that a player knows of it, its result and score (SS-25 to SS-28)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from tourney.bridge import Call, Card, Contract, Seat, Side, Vulnerability
from tourney.protocol.stateful import values
from tourney.protocol.stateful.messages.message import StatefulMessage


@dataclass(frozen=True, slots=True)
class BoardMessage(StatefulMessage):
    """Describes the board, before the hand."""

    NAME: ClassVar[str] = "X-BOARD"
    FORM: ClassVar[str] = "X-BOARD number dealer vulnerability"
    number: int
    dealer: Seat
    vulnerability: Vulnerability

    def arguments(self) -> tuple[str, ...]:
        return str(self.number), self.dealer.letter, values.format_vulnerability(self.vulnerability)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 3)
        number, dealer, vulnerability = arguments
        return cls(
            values.parse_number(number),
            values.parse_position(dealer),
            values.parse_vulnerability(vulnerability),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMessage(StatefulMessage):
    """Tells the player that is to act all that it knows of the board, so that it need have remembered nothing.

    `position` is the player's own; whose hand plays next follows from the calls and cards, as in an auction's record.
    """

    NAME: ClassVar[str] = "X-TURN"
    FORM: ClassVar[str] = "X-TURN position number dealer vulnerability hand calls dummy cards"
    position: Seat
    number: int
    dealer: Seat
    vulnerability: Vulnerability
    hand: tuple[Card, ...]
    """The 13 cards that the player was dealt."""
    calls: tuple[Call, ...]
    dummy: tuple[Card, ...]
    """The 13 cards that dummy was dealt; none before they lie open."""
    cards: tuple[Card, ...]
    """Every card played so far, in order."""

    def arguments(self) -> tuple[str, ...]:
        return (
            self.position.letter,
            str(self.number),
            self.dealer.letter,
            values.format_vulnerability(self.vulnerability),
            values.format_cards(self.hand),
            values.format_list(map(values.format_bid, self.calls)),
            values.format_cards(self.dummy),
            values.format_cards(self.cards),
        )

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 8)
        return cls(
            position=values.parse_position(arguments[0]),
            number=values.parse_number(arguments[1]),
            dealer=values.parse_position(arguments[2]),
            vulnerability=values.parse_vulnerability(arguments[3]),
            hand=values.parse_cards(arguments[4]),
            calls=values.parse_list(arguments[5], values.parse_bid),
            dummy=values.parse_cards(arguments[6]),
            cards=values.parse_cards(arguments[7]),
        )


@dataclass(frozen=True, slots=True)
class ResultMessage(StatefulMessage):
    """Shows the result of a board; `score` is North-South's."""

    NAME: ClassVar[str] = "X-RESULT"
    FORM: ClassVar[str] = "X-RESULT contract tricks score"
    contract: Contract | None
    tricks: int
    score: int

    def arguments(self) -> tuple[str, ...]:
        return values.format_contract(self.contract), str(self.tricks), str(self.score)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 3)
        contract, tricks, score = arguments
        return cls(values.parse_contract(contract), values.parse_number(tricks), values.parse_number(score))


@dataclass(frozen=True, slots=True)
class TimeMessage(StatefulMessage):
    """Shows a side's thinking time on all boards of the table, and what it has left; None without a limit."""

    NAME: ClassVar[str] = "X-TIME"
    FORM: ClassVar[str] = "X-TIME side used_ms left_ms"
    side: Side
    used_ms: int
    left_ms: int | None

    def arguments(self) -> tuple[str, ...]:
        left = values.EMPTY_LIST if self.left_ms is None else str(self.left_ms)
        return values.format_team(self.side), str(self.used_ms), left

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 3)
        side, used, left = arguments
        left_ms = None if left == values.EMPTY_LIST else values.parse_number(left)
        return cls(values.parse_team(side), values.parse_number(used), left_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreMessage(StatefulMessage):
    """Shows the score of a rubber or Chicago; not sent in tournaments."""

    NAME: ClassVar[str] = "SCORE-M"
    FORM: ClassVar[str] = "SCORE-M above below vulnerable above below vulnerable, of NS and then of EW"
    ns_above: int
    ns_below: int
    ns_vulnerable: bool
    ew_above: int
    ew_below: int
    ew_vulnerable: bool

    def arguments(self) -> tuple[str, ...]:
        ns = (str(self.ns_above), str(self.ns_below), str(int(self.ns_vulnerable)))
        return *ns, str(self.ew_above), str(self.ew_below), str(int(self.ew_vulnerable))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 6)
        return cls(
            ns_above=values.parse_number(arguments[0]),
            ns_below=values.parse_number(arguments[1]),
            ns_vulnerable=values.parse_flag(arguments[2]),
            ew_above=values.parse_number(arguments[3]),
            ew_below=values.parse_number(arguments[4]),
            ew_vulnerable=values.parse_flag(arguments[5]),
        )
