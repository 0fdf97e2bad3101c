"""What a call means: ranges of points and lengths. One list of meanings serves to choose a call and to read one.

A list is in the order of preference: a player makes the first call whose meaning its hand fits, and an observer
takes a call to show what the meanings of that call span.
"""

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from tourney.bots.evaluation import Evaluation
from tourney.bridge import Call, Suit


class Range(NamedTuple):
    """Both ends belong to it."""

    low: int
    high: int

    def narrowed(self, other: "Range") -> "Range":
        """What both allow; `other` when they contradict each other, for the later news is the better."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(low, high) if low <= high else other

    def spanned(self, other: "Range") -> "Range":
        return Range(min(self.low, other.low), max(self.high, other.high))

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high


ANY_POINTS: Final = Range(0, 37)
ANY_LENGTH: Final = Range(0, 13)
Lengths = tuple[Range, Range, Range, Range]
_ANY_LENGTHS: Final[Lengths] = (ANY_LENGTH, ANY_LENGTH, ANY_LENGTH, ANY_LENGTH)


class Measure(enum.Enum):
    """Which count the range of points is held against."""

    HCP = "hcp"
    POINTS = "points"
    SUPPORT = "support"


class Force(enum.IntEnum):
    """What partner of the caller owes."""

    NONE = 0
    ROUND = 1
    GAME = 2


class Tag(enum.StrEnum):
    """What a call was, for the answers that depend on it."""

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
    """What a seat has told everybody so far."""

    points: Range = ANY_POINTS
    lengths: Lengths = _ANY_LENGTHS
    balanced: bool = False

    def with_news(self, points: Range, lengths: Iterable[Range], *, balanced: bool = False) -> "Shown":
        """This and later news together."""
        clubs, diamonds, hearts, spades = (old.narrowed(new) for old, new in zip(self.lengths, lengths, strict=True))
        return Shown(self.points.narrowed(points), (clubs, diamonds, hearts, spades), self.balanced or balanced)


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing a call can mean."""

    call: Call
    points: Range = ANY_POINTS
    lengths: Lengths = _ANY_LENGTHS
    measure: Measure = Measure.POINTS
    trumps: Suit | None = None
    """The suit supported, when `measure` is SUPPORT."""
    balanced: bool = False
    needs: Callable[[Evaluation], bool] | None = None
    """What the ranges cannot say, such as a stopper."""
    force: Force = Force.NONE
    tag: Tag = Tag.NATURAL
    phrase: str = ""
    """For an artificial call: a phrase of the grammar that is to stand in its alert (BC-22)."""
    alerted: bool = False
    aside: bool = False
    """A second meaning that partner does not count on."""

    def fits(self, hand: Evaluation) -> bool:
        """Whether a hand may make the call in this meaning."""
        if self.measure is Measure.HCP:
            worth = hand.hcp
        elif self.measure is Measure.SUPPORT and self.trumps is not None:
            worth = hand.support_points(self.trumps)
        else:
            worth = hand.points
        return (
            self.points.low <= worth <= self.points.high
            and all(r.low <= n <= r.high for n, r in zip(hand.lengths, self.lengths, strict=True))
            and (not self.balanced or hand.is_balanced)
            and (self.needs is None or self.needs(hand))
        )


def meaning(
    call: Call,
    points: tuple[int, int] = ANY_POINTS,
    *,
    suits: dict[Suit, tuple[int, int]] | None = None,
    measure: Measure = Measure.POINTS,
    trumps: Suit | None = None,
    balanced: bool = False,
    needs: Callable[[Evaluation], bool] | None = None,
    force: Force = Force.NONE,
    tag: Tag = Tag.NATURAL,
    phrase: str = "",
    alerted: bool = False,
    aside: bool = False,
) -> Meaning:
    """A `Meaning` from the lengths that matter; suits left out may be of any length."""
    given = suits or {}
    clubs, diamonds, hearts, spades = (Range(*given.get(suit, ANY_LENGTH)) for suit in Suit)
    if balanced:
        measure = Measure.HCP
    return Meaning(
        call,
        Range(*points),
        (clubs, diamonds, hearts, spades),
        Measure.SUPPORT if trumps is not None else measure,
        trumps,
        balanced,
        needs,
        force,
        tag,
        phrase,
        alerted or bool(phrase),
        aside,
    )


def spanned(meanings: Iterable[Meaning]) -> Meaning | None:
    """One meaning that spans those given, all of one call; asides count only when there is nothing else."""
    listed = list(meanings)
    counted = [each for each in listed if not each.aside] or listed
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
