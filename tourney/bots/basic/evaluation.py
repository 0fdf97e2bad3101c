"""Hand evaluation: points, lengths and stoppers, whatever the auction was."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tourney.bridge import Hand, Suit
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
