"""Messages about the play: cards held, dummy, tricks (SS-17 to SS-21)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from tourney.bridge import Card, Seat
from tourney.protocol.stateful import values
from tourney.protocol.stateful.messages.message import StatefulMessage


@dataclass(frozen=True, slots=True)
class HandMessage(StatefulMessage):
    """Lists the cards that the player still holds."""

    NAME: ClassVar[str] = "HAND"
    FORM: ClassVar[str] = "HAND list"
    cards: tuple[Card, ...]

    def arguments(self) -> tuple[str, ...]:
        return (values.format_cards(self.cards),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_cards(arguments[0]))


@dataclass(frozen=True, slots=True)
class DummyMessage(StatefulMessage):
    """Lists the cards that dummy still holds."""

    NAME: ClassVar[str] = "DUMMY"
    FORM: ClassVar[str] = "DUMMY list"
    cards: tuple[Card, ...]

    def arguments(self) -> tuple[str, ...]:
        return (values.format_cards(self.cards),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_cards(arguments[0]))


@dataclass(frozen=True, slots=True)
class TrickMessage(StatefulMessage):
    """Shows the trick. `turn` is the hand that is to play, None while no card is accepted."""

    NAME: ClassVar[str] = "TRICK"
    FORM: ClassVar[str] = "TRICK position list"
    turn: Seat | None
    cards: tuple[Card, ...]

    def arguments(self) -> tuple[str, ...]:
        return values.format_position(self.turn), values.format_cards(self.cards)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2)
        return cls(values.parse_position_or_nobody(arguments[0]), values.parse_cards(arguments[1]))


@dataclass(frozen=True, slots=True)
class PlayMessage(StatefulMessage):
    """Plays a card: the player's own, or dummy's as declarer."""

    NAME: ClassVar[str] = "PLAY"
    FORM: ClassVar[str] = "PLAY card"
    card: Card

    def arguments(self) -> tuple[str, ...]:
        return (values.format_card(self.card),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_card_text(arguments[0]))


@dataclass(frozen=True, slots=True)
class TricksWonMessage(StatefulMessage):
    """Lists who has won the tricks so far, in their order."""

    NAME: ClassVar[str] = "TRICKSWON"
    FORM: ClassVar[str] = "TRICKSWON list"
    winners: tuple[Seat, ...]

    def arguments(self) -> tuple[str, ...]:
        return (values.format_list(seat.letter for seat in self.winners),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_list(arguments[0], values.parse_position))
