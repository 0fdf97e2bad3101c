"""What an alert can say, element by element, and its canonical text (BC-22).

Knows the information of the protocol and its limits; must not know how programs spell it on the wire.
"""

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.bridge import Suit


class Measure(enum.StrEnum):
    """What an `Amount` counts."""

    CARDS = "cards"
    TOTAL_POINTS = "total points"
    SUIT_POINTS = "suit points"
    ACES = "total aces"
    KINGS = "total kings"

    @property
    def limit(self) -> int:
        """The greatest number there can be (BC-24; of aces and kings a deck has four)."""
        return _LIMITS[self]

    @property
    def has_suit(self) -> bool:
        return self in (Measure.CARDS, Measure.SUIT_POINTS)

    @property
    def has_ranges(self) -> bool:
        """Whether `up to`, `at least` and `n1 to n2` may be said; aces and kings are counted only."""
        return self not in (Measure.ACES, Measure.KINGS)


_LIMITS: Final = {
    Measure.CARDS: 13,
    Measure.TOTAL_POINTS: 50,
    Measure.SUIT_POINTS: 15,
    Measure.ACES: 4,
    Measure.KINGS: 4,
}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of something: `low` to `high`, both included; with `either`, one of the two and nothing between.

    0 <= low <= high <= `measure.limit`; `suit` is given when `measure.has_suit`. With `either`, low < high.
    """

    measure: Measure
    low: int
    high: int
    suit: Suit | None = None
    either: bool = False


class Honour(enum.StrEnum):
    """The two ranks of which one card can be told."""

    ACE = "ace"
    KING = "king"


@dataclass(frozen=True, slots=True)
class HeldCard:
    """One card that the hand has: `ace of spades`."""

    honour: Honour
    suit: Suit


@dataclass(frozen=True, slots=True)
class LeadRequest:
    """The suit that partner is asked to lead, or, when not `wanted`, to keep off."""

    suit: Suit
    wanted: bool


class Phrase(enum.StrEnum):
    """What is asked or promised in a set phrase, by its text in lower case."""

    ASKS_ACES = "asking for aces"
    ASKS_KINGS = "asking for kings"
    ASKS_MAJOR = "asking for a major suit"
    ASKS_FOUR_CARD_MAJOR = "asking for a four-card major suit"
    ASKS_FIVE_CARD_MAJOR = "asking for a five-card major suit"
    ASKS_MINOR = "asking for a minor suit"
    ASKS_FOUR_CARD_SUIT = "asking for a four-card suit"
    ASKS_SUPPORT = "asking for support"
    FORCING_ONE_ROUND = "forcing for one round"
    FORCING_TO_GAME = "forcing until game"
    PROMISES_REBID = "promises a rebid"


Element: TypeAlias = Amount | HeldCard | LeadRequest | Phrase


@dataclass(frozen=True, slots=True)
class AlertMeaning:
    """The information of one alert.

    `alternatives` are the whole meanings that the call may have, each with what holds together in it. A meaning of
    which nothing could be read is empty, so that the others do not seem certain. `findings` are sentences for the
    director on what breaks the grammar; what they are about is not in `alternatives`.
    """

    alternatives: tuple[tuple[Element, ...], ...]
    findings: tuple[str, ...] = ()


def format_element(element: Element) -> str:
    """The text as the protocol prints it: `at least 5 cards in hearts`, `Asking for aces`."""
    match element:
        case Amount():
            return _format_amount(element)
        case HeldCard():
            return f"{element.honour} of {element.suit.name.lower()}"
        case LeadRequest():
            return f"Asks for lead {'in' if element.wanted else 'not in'} {element.suit.name.lower()}"
        case Phrase():
            return element.value.capitalize()


def _format_amount(amount: Amount) -> str:
    low, high = amount.low, amount.high
    if amount.either:
        number = f"{low} or {high}"
    elif low == high:
        number = str(low)
    elif low == 0:
        number = f"up to {high}"
    elif high == amount.measure.limit:
        number = f"at least {low}"
    else:
        number = f"{low} to {high}"
    if amount.suit is None:
        return f"{number} {amount.measure}"
    return f"{number} {'cards' if amount.measure is Measure.CARDS else 'points'} in {amount.suit.name.lower()}"
