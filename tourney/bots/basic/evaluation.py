"""Hand evaluation: points, lengths and stoppers, whatever the auction was."""

from dataclasses import dataclass
from typing import Final

from tourney.bridge import Hand, Suit

HIGH_CARD_POINTS: Final = {14: 4, 13: 3, 12: 2, 11: 1}
"""Points of an honour, by its rank; other cards have none."""

_SHORTNESS_LONG_TRUMPS: Final = {0: 5, 1: 3, 2: 1}
_SHORTNESS_SHORT_TRUMPS: Final = {0: 3, 1: 2, 2: 1}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Describes a hand of 13 cards in figures. Tuples are indexed by `Suit`: clubs, diamonds, hearts, spades."""

    ranks: tuple[tuple[int, ...], ...]
    """The ranks held in each suit, highest first."""
    lengths: tuple[int, int, int, int]
    hcp: int
    """High-card points, 0..37."""
    points: int
    """High-card points, plus one for each card of a suit beyond the fourth."""
    aces: int
    kings: int

    @classmethod
    def of(cls, hand: Hand) -> "Evaluation":
        """Evaluate a hand."""
        ranks = tuple(tuple(card.rank for card in hand.suit(suit)) for suit in Suit)
        clubs, diamonds, hearts, spades = (len(held) for held in ranks)
        lengths = (clubs, diamonds, hearts, spades)
        hcp = sum(HIGH_CARD_POINTS.get(card.rank, 0) for card in hand.cards)
        points = hcp + sum(max(0, length - 4) for length in lengths)
        aces, kings = (sum(top in held for held in ranks) for top in (14, 13))
        return cls(ranks, lengths, hcp, points, aces, kings)

    @property
    def is_balanced(self) -> bool:
        """Whether the shape is 4333, 4432 or 5332."""
        return min(self.lengths) >= 2 and sum(length == 2 for length in self.lengths) <= 1

    @property
    def is_semi_balanced(self) -> bool:
        """Whether the hand has no singleton, no void and no seven-card suit."""
        return min(self.lengths) >= 2 and max(self.lengths) <= 6

    def suit_hcp(self, suit: Suit) -> int:
        return sum(HIGH_CARD_POINTS.get(rank, 0) for rank in self.ranks[suit])

    def support_points(self, trumps: Suit) -> int:
        """Count high-card points, and shortness outside trumps, which is worth more with four trumps or more."""
        table = _SHORTNESS_LONG_TRUMPS if self.lengths[trumps] >= 4 else _SHORTNESS_SHORT_TRUMPS
        return self.hcp + sum(table.get(self.lengths[suit], 0) for suit in Suit if suit is not trumps)

    def stops(self, suit: Suit) -> bool:
        """Tell whether the hand stops a suit at notrump: with the ace, Kx, Qxx or Jxxx at least."""
        held = self.ranks[suit]
        if not held:
            return False
        length = len(held)
        return (
            held[0] == 14
            or (held[0] == 13 and length >= 2)
            or (held[0] == 12 and length >= 3)
            or (held[0] == 11 and length >= 4)
        )

    def half_stops(self, suit: Suit) -> bool:
        """Tell whether the hand has a stopper, Qx, or any four cards in a suit."""
        return self.stops(suit) or self.lengths[suit] >= 4 or (self.lengths[suit] == 2 and self.ranks[suit][0] == 12)

    def top_honours(self, suit: Suit, lowest: int = 12) -> int:
        """Count the cards of a suit that rank at least as high as `lowest`, by default the queen."""
        return sum(rank >= lowest for rank in self.ranks[suit])

    def is_good_suit(self, suit: Suit) -> bool:
        """Tell whether the suit has two of the top three honours or three of the top five."""
        return self.top_honours(suit) >= 2 or self.top_honours(suit, 10) >= 3

    @property
    def longest(self) -> Suit:
        """The longest suit, and the highest of equally long ones."""
        return max(reversed(Suit), key=lambda suit: self.lengths[suit])
