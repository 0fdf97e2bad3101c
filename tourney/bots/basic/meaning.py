"""Hands in figures, and what a call promises of them: points, lengths, what else, and what it asks of partner."""

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import Bid, Call, Hand, Suit
from tourney.bridge.minibridge import count_hcp

_SHORTNESS_LONG_TRUMPS: Final = {0: 5, 1: 3, 2: 1}
_SHORTNESS_SHORT_TRUMPS: Final = {0: 3, 1: 2, 2: 1}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Describes a hand of 13 cards in figures. Tuples are indexed by `Suit`: clubs, diamonds, hearts, spades."""

    ranks: tuple[tuple[int, ...], ...]
    """The ranks held in each suit, highest first."""
    lengths: tuple[int, ...]
    hcp: int
    """High-card points, 0..37."""
    points: int
    """High-card points, plus one for each card of a suit beyond the fourth."""
    aces: int

    @classmethod
    def of(cls, hand: Hand) -> "Evaluation":
        """Evaluate a hand."""
        ranks = tuple(tuple(card.rank for card in hand.suit(suit)) for suit in Suit)
        lengths, hcp = tuple(map(len, ranks)), count_hcp(hand)
        points = hcp + sum(max(0, length - 4) for length in lengths)
        return cls(ranks, lengths, hcp, points, aces=sum(14 in held for held in ranks))

    @property
    def is_balanced(self) -> bool:
        """Whether the shape is 4333, 4432 or 5332."""
        return min(self.lengths) >= 2 and sum(length == 2 for length in self.lengths) <= 1

    @property
    def is_semi_balanced(self) -> bool:
        """Whether the hand has no singleton, no void and no seven-card suit."""
        return min(self.lengths) >= 2 and max(self.lengths) <= 6

    @property
    def is_shapely(self) -> bool:
        """Whether the hand has a singleton or a void."""
        return min(self.lengths) <= 1

    def length(self, suit: int) -> int:
        return self.lengths[suit]

    def best_of(self, suits: Iterable[Suit]) -> Suit:
        """Return the longest of some suits, and the highest of equally long ones."""
        return max(suits, key=lambda suit: (self.lengths[suit], suit))

    @property
    def longest(self) -> Suit:
        """The longest suit, and the highest of equally long ones."""
        return self.best_of(Suit)

    def longest_of(self, suits: Iterable[int]) -> int:
        """Return the length of the longest of some suits; 0 if there are none."""
        return max((self.lengths[suit] for suit in suits), default=0)

    def shortest_of(self, suits: Iterable[int]) -> int:
        return min(self.lengths[suit] for suit in suits)

    def side_major(self, suit: int) -> int:
        """Return the length of the longest major suit other than this one."""
        return self.longest_of(major for major in (Suit.HEARTS, Suit.SPADES) if major != suit)

    def suit_hcp(self, suit: int) -> int:
        return sum(max(0, rank - 10) for rank in self.ranks[suit])

    def support_points(self, trumps: int) -> int:
        """Count high-card points, and shortness outside trumps, which is worth more with four trumps or more."""
        table = _SHORTNESS_LONG_TRUMPS if self.lengths[trumps] >= 4 else _SHORTNESS_SHORT_TRUMPS
        return self.hcp + sum(table.get(self.lengths[suit], 0) for suit in Suit if suit != trumps)

    def stops(self, suit: int) -> bool:
        """Tell whether the hand stops a suit at notrump: with the ace, Kx, Qxx or Jxxx at least."""
        top = max(self.ranks[suit], default=0)
        return top >= 11 and self.lengths[suit] >= 15 - top

    def stops_all(self, suits: Iterable[int]) -> bool:
        return all(map(self.stops, suits))

    def half_stops(self, suit: int) -> bool:
        """Tell whether the hand has a stopper, Qx, or any four cards in a suit."""
        return self.stops(suit) or self.lengths[suit] >= 4 or (self.lengths[suit] == 2 and self.ranks[suit][0] == 12)

    def top_honours(self, suit: int, lowest: int = 12) -> int:
        """Count the cards of a suit that rank at least as high as `lowest`, by default the queen."""
        return sum(rank >= lowest for rank in self.ranks[suit])

    def is_good_suit(self, suit: int) -> bool:
        """Tell whether the suit has two of the top three honours or three of the top five."""
        return self.top_honours(suit) >= 2 or self.top_honours(suit, 10) >= 3

    def is_worth_opening(self, position: int) -> bool:
        """Tell whether a hand of less than an opening bid's points, or of no shape, opens all the same."""
        if self.hcp >= 13:
            return True
        first, second = sorted(self.lengths, reverse=True)[:2]
        if position == 4:  # the side with the spades can outbid the other
            return self.hcp >= 10 and self.hcp + self.lengths[Suit.SPADES] >= 15
        if self.hcp == 12:
            return not (self.is_balanced and (first, second) == (4, 3))
        if self.hcp < 10:
            return False
        # A good suit in third seat, or the rule of twenty
        light = position == 3 and first >= 5 and self.is_good_suit(self.longest)
        return self.hcp + first + second >= (18 if light else 20)


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
