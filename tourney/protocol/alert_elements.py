"""The elements of an alert's information and their canonical text (BC-22).

Covers the protocol's information elements and their limits, but not how programs spell them on the wire.
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
        """The maximum number (BC-24; a deck has four aces and four kings)."""
        return _LIMITS[self]

    @property
    def has_suit(self) -> bool:
        return self in (Measure.CARDS, Measure.SUIT_POINTS)

    @property
    def has_ranges(self) -> bool:
        """Whether `up to`, `at least` and `n1 to n2` are allowed; aces and kings take exact numbers only."""
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
    """A number of something: `low` to `high` inclusive; with `either`, one of the two and nothing between.

    0 <= low <= high <= `measure.limit`; `suit` is set if and only if `measure.has_suit`. With `either`, low < high.
    """

    measure: Measure
    low: int
    high: int
    suit: Suit | None = None
    either: bool = False


class Honour(enum.StrEnum):
    """The two ranks of which a single card can be shown."""

    ACE = "ace"
    KING = "king"


@dataclass(frozen=True, slots=True)
class HeldCard:
    """One card that the hand has: `ace of spades`."""

    honour: Honour
    suit: Suit


@dataclass(frozen=True, slots=True)
class LeadRequest:
    """The suit that partner is asked to lead or, when not `wanted`, to avoid."""

    suit: Suit
    wanted: bool


class Phrase(enum.StrEnum):
    """A request or promise in a set phrase; the value is its text in lower case."""

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

    `alternatives` are the possible meanings of the call, each a tuple of elements that hold together. A meaning of
    which nothing could be parsed is empty, so that the others do not appear certain. `findings` are sentences for
    the director about what breaks the grammar; the text they refer to is not in `alternatives`.
    """

    alternatives: tuple[tuple[Element, ...], ...]
    findings: tuple[str, ...] = ()


def format_element(element: Element) -> str:
    """Format an element as the protocol prints it: `at least 5 cards in hearts`, `Asking for aces`."""
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
