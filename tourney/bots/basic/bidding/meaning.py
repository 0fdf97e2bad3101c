"""What a call means: ranges of points and lengths, and conditions. One list of meanings serves to choose and to read.

A list is in order of preference: a player makes the first call whose meaning its hand fits, and an observer takes a
call to show whatever the meanings of that call have in common.
"""

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import Call, Suit

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

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high


ANY_POINTS: Final = Range(0, 37)
ANY_LENGTH: Final = Range(0, 13)
Lengths = tuple[Range, Range, Range, Range]
_ANY_LENGTHS: Final[Lengths] = (ANY_LENGTH, ANY_LENGTH, ANY_LENGTH, ANY_LENGTH)


class PointCount(enum.Enum):
    """Which count of a hand is compared with the range of points."""

    HCP = "hcp"
    POINTS = "points"
    SUPPORT = "support"


class Force(enum.IntEnum):
    """How far partner has to keep the auction open."""

    NONE = 0
    ROUND = 1
    GAME = 2


class CallKind(enum.StrEnum):
    """Says what kind of call one is; answers and later calls depend on it."""

    NATURAL = "natural"
    PASS = "pass"
    OPENING = "opening"
    NOTRUMP = "notrump"
    STRONG = "strong"
    WAITING = "waiting"
    WEAK_TWO = "weak two"
    PREEMPT = "preempt"
    RESPONSE = "response"
    RAISE = "raise"
    LIMIT_RAISE = "limit raise"
    CUE_BID = "cue bid"
    STAYMAN = "asking for a major"
    STAYMAN_ANSWER = "answer on majors"
    TRANSFER = "transfer"
    TRANSFER_DONE = "transfer completed"
    QUANTITATIVE = "quantitative"
    ASK_ACES = "asking for aces"
    ACES = "aces"
    SIGN_OFF = "sign-off"
    OVERCALL = "overcall"
    NOTRUMP_OVERCALL = "notrump overcall"
    TAKEOUT = "takeout double"
    NEGATIVE = "negative double"
    PENALTY = "penalty double"
    ADVANCE = "advance"
    STRENGTH = "redouble of strength"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a seat's calls have shown so far."""

    points: Range = ANY_POINTS
    lengths: Lengths = _ANY_LENGTHS
    balanced: bool = False

    def narrowed(self, points: Range, lengths: Iterable[Range], *, balanced: bool = False) -> "Shown":
        """Return this together with what a later call has shown."""
        clubs, diamonds, hearts, spades = (old.narrowed(new) for old, new in zip(self.lengths, lengths, strict=True))
        return Shown(self.points.narrowed(points), (clubs, diamonds, hearts, spades), self.balanced or balanced)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """One thing that a call can mean."""

    call: Call
    points: Range
    lengths: Lengths
    count: PointCount
    trumps: Suit | None
    """The suit supported, if `count` is SUPPORT."""
    balanced: bool
    condition: Condition | None
    force: Force
    kind: CallKind
    phrase: str
    """For an artificial call: a phrase of the grammar for its alert (BC-22)."""
    alerted: bool
    exceptional: bool
    """A meaning of last resort, which partner does not count on."""

    def fits(self, hand: Evaluation) -> bool:
        """Tell whether a hand may make the call in this meaning."""
        if self.count is PointCount.HCP:
            worth = hand.hcp
        elif self.count is PointCount.SUPPORT and self.trumps is not None:
            worth = hand.support_points(self.trumps)
        else:
            worth = hand.points
        return (
            self.points.low <= worth <= self.points.high
            and all(r.low <= n <= r.high for n, r in zip(hand.lengths, self.lengths, strict=True))
            and (not self.balanced or hand.is_balanced)
            and (self.condition is None or self.condition(hand))
        )


def meaning(
    call: Call,
    points: tuple[int, int] = ANY_POINTS,
    *,
    suits: dict[Suit, tuple[int, int]] | None = None,
    count: PointCount = PointCount.POINTS,
    trumps: Suit | None = None,
    balanced: bool = False,
    condition: Condition | None = None,
    force: Force = Force.NONE,
    kind: CallKind = CallKind.NATURAL,
    phrase: str = "",
    alerted: bool = False,
    exceptional: bool = False,
) -> Meaning:
    """Make a `Meaning` from the lengths that matter; suits left out may be of any length."""
    given = suits or {}
    clubs, diamonds, hearts, spades = (Range(*given.get(suit, ANY_LENGTH)) for suit in Suit)
    if balanced:
        count = PointCount.HCP
    return Meaning(
        call=call,
        points=Range(*points),
        lengths=(clubs, diamonds, hearts, spades),
        count=PointCount.SUPPORT if trumps is not None else count,
        trumps=trumps,
        balanced=balanced,
        condition=condition,
        force=force,
        kind=kind,
        phrase=phrase,
        alerted=alerted or bool(phrase),
        exceptional=exceptional,
    )


def spanned(meanings: Iterable[Meaning]) -> Meaning | None:
    """Combine meanings of one call into one; the exceptional ones count only if there is no other."""
    listed = list(meanings)
    counted = [each for each in listed if not each.exceptional] or listed
    if not counted:
        return None
    first, *others = counted
    points, lengths, balanced, force = first.points, list(first.lengths), first.balanced, first.force
    for each in others:
        points = points.spanned(each.points)
        lengths = [a.spanned(b) for a, b in zip(lengths, each.lengths, strict=True)]
        balanced = balanced and each.balanced
        force = min(force, each.force)
    clubs, diamonds, hearts, spades = lengths
    return replace(first, points=points, lengths=(clubs, diamonds, hearts, spades), balanced=balanced, force=force)


# Conditions that several parts of the system share


def is_shapely(hand: Evaluation) -> bool:
    """Tell whether a hand has a singleton or a void."""
    return min(hand.lengths) <= 1


def longest_is(suit: Suit) -> Condition:
    return lambda hand: hand.longest is suit


def longer_than(suit: Suit, other: Suit) -> Condition:
    return lambda hand: hand.lengths[suit] > hand.lengths[other]


def at_least_as_long(suit: Suit, other: Suit) -> Condition:
    return lambda hand: hand.lengths[suit] >= hand.lengths[other]


def longest_or(suit: Suit, length: int) -> Condition:
    """Require the suit to be the longest or to have at least so many cards."""
    return lambda hand: hand.longest is suit or hand.lengths[suit] >= length


def good_suit(suit: Suit) -> Condition:
    """Require a good suit, see `Evaluation.is_good_suit`."""
    return lambda hand: hand.is_good_suit(suit)


def good_or_long(suit: Suit, length: int) -> Condition:
    return lambda hand: hand.is_good_suit(suit) or hand.lengths[suit] >= length


def good_with_honours(suit: Suit, honours: int) -> Condition:
    """Require a good suit with at least so many of its four top honours."""
    return lambda hand: hand.is_good_suit(suit) and hand.top_honours(suit, 11) >= honours


def both(first: Condition, second: Condition) -> Condition:
    return lambda hand: first(hand) and second(hand)


def holds_aces(count: int) -> Condition:
    return lambda hand: hand.aces == count


def best_unbid(suit: Suit, their_suits: list[Suit]) -> Condition:
    """Require the best suit the opponents have not bid.

    That is the longest, or the higher of equals, but a four-card major comes before a longer minor.
    """
    others = [other for other in Suit if other not in their_suits and other is not suit]

    def holds(hand: Evaluation) -> bool:
        own = hand.lengths[suit]
        if all((own, suit) > (hand.lengths[other], other) for other in others):
            return True
        if suit < Suit.HEARTS or own < 4:
            return False
        return all((own, suit) > (hand.lengths[other], other) for other in others if other >= Suit.HEARTS) and all(
            hand.lengths[other] <= own for other in others
        )

    return holds
