"""What a call means: what it promises of a hand, what else the hand must have, and what it asks of partner."""

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import Bid, Call, Suit

Worth: TypeAlias = Callable[[Evaluation], int]
"""A count of points."""
Condition: TypeAlias = Callable[[Evaluation], bool]
"""A test of a hand that ranges of points and lengths cannot express, such as a stopper."""


class Range(NamedTuple):
    """A range that includes both ends."""

    low: int
    high: int

    def narrowed(self, other: "Range") -> "Range":
        """Return what both allow; `other` if they contradict each other, as later information is better."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(low, high) if low <= high else other

    def spanned(self, other: "Range") -> "Range":
        """Return the smallest range that contains both."""
        return Range(min(self.low, other.low), max(self.high, other.high))


ANY_POINTS: Final = Range(0, 37)
ANY_LENGTH: Final = Range(0, 13)
Lengths: TypeAlias = tuple[Range, ...]
"""Indexed by `Suit`."""


def lengths_of(promised: Mapping[int, Range]) -> Lengths:
    """Return the lengths of all suits; those left out may be of any length."""
    return tuple(promised.get(suit, ANY_LENGTH) for suit in Suit)


ANY_LENGTHS: Final = lengths_of({})


class Force(enum.IntEnum):
    """How far partner has to keep the auction open."""

    NONE = 0
    ROUND = 1
    GAME = 2


class CallKind(enum.StrEnum):
    """Says what kind of call one is, in the words of the system; answers and later calls depend on it."""

    NATURAL = "natural"
    PASS = "pass"
    OPENING = "opening"
    NOTRUMP = "notrump"
    STRONG = "strong"
    WAITING = "waiting"
    WEAK_TWO = "weak_two"
    PREEMPT = "preempt"
    RESPONSE = "response"
    RAISE = "raise"
    LIMIT_RAISE = "limit_raise"
    CUE_BID = "cue_bid"
    STAYMAN = "stayman"
    STAYMAN_ANSWER = "stayman_answer"
    TRANSFER = "transfer"
    TRANSFER_DONE = "transfer_done"
    QUANTITATIVE = "quantitative"
    ASK_ACES = "ask_aces"
    ACES = "aces_answer"
    SIGN_OFF = "sign_off"
    OVERCALL = "overcall"
    NOTRUMP_OVERCALL = "notrump_overcall"
    TAKEOUT = "takeout"
    NEGATIVE = "negative"
    PENALTY = "penalty"
    ADVANCE = "advance"
    STRENGTH = "strength"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a seat's calls have shown so far."""

    points: Range = ANY_POINTS
    lengths: Lengths = ANY_LENGTHS
    balanced: bool = False

    def narrowed(self, later: "Meaning") -> "Shown":
        """Return this together with what a later call has shown."""
        lengths = tuple(map(Range.narrowed, self.lengths, later.lengths))
        return Shown(self.points.narrowed(later.points), lengths, self.balanced or later.balanced)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """One thing that a call can mean."""

    call: Call
    points: Range = ANY_POINTS
    worth: Worth = attrgetter("points")
    """The count that is compared with the range of points."""
    lengths: Lengths = ANY_LENGTHS
    balanced: bool = False
    condition: Condition | None = None
    force: Force = Force.NONE
    kind: CallKind = CallKind.NATURAL
    phrase: str = ""
    """For an artificial call: a phrase of the grammar for its alert (BC-22)."""
    alerted: bool = False
    last_resort: bool = False
    """Partner does not count on this meaning."""

    @property
    def bid(self) -> Bid | None:
        return self.call if isinstance(self.call, Bid) else None

    @property
    def suit(self) -> Suit | None:
        """The suit bid; None for notrump and for calls that are not bids."""
        return self.call.strain.trumps if isinstance(self.call, Bid) else None

    @property
    def is_artificial(self) -> bool:
        """Whether the call offers no contract; a completed transfer does, as partner has its suit."""
        return self.alerted and self.kind is not CallKind.TRANSFER_DONE

    def fits(self, hand: Evaluation) -> bool:
        """Tell whether a hand may make the call in this meaning."""
        return (
            self.points.low <= self.worth(hand) <= self.points.high
            and all(r.low <= n <= r.high for n, r in zip(hand.lengths, self.lengths, strict=True))
            and (not self.balanced or hand.is_balanced)
            and (self.condition is None or self.condition(hand))
        )


def spanned(meanings: Iterable[Meaning]) -> Meaning | None:
    """Combine meanings of one call into one; those of last resort count only if there is no other."""
    listed = list(meanings)
    counted = [each for each in listed if not each.last_resort] or listed
    if not counted:
        return None
    return replace(
        counted[0],
        points=reduce(Range.spanned, (each.points for each in counted)),
        lengths=tuple(
            reduce(Range.spanned, spans) for spans in zip(*(each.lengths for each in counted), strict=True)
        ),
        balanced=all(each.balanced for each in counted),
        force=min(each.force for each in counted),
    )
