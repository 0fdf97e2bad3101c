"""Suits, strains, cards and hands."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from tourney.errors import FormatError


class Suit(enum.IntEnum):
    """The four suits by rank, clubs lowest."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        return "CDHS"[self]

    @classmethod
    def from_letter(cls, letter: str) -> "Suit":
        """The suit of `C`, `D`, `H` or `S`; raises KeyError for any other text."""
        return _SUIT_BY_LETTER[letter]


class Strain(enum.IntEnum):
    """The five denominations of a bid by rank; the first four equal their `Suit`."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4

    @property
    def letters(self) -> str:
        """`C`, `D`, `H`, `S` or `NT`."""
        return _STRAIN_LETTERS[self]

    @property
    def trumps(self) -> Suit | None:
        """The trump suit, or None at notrump."""
        return None if self is Strain.NOTRUMP else Suit(self.value)


_STRAIN_LETTERS: Final = ("C", "D", "H", "S", "NT")
_SUIT_BY_LETTER: Final = {suit.letter: suit for suit in Suit}

STRAINS_BY_TEXT: Final = {**{strain.letters: strain for strain in Strain}, "N": Strain.NOTRUMP}
"""The strains by their letters; notrump by its first alone, too."""

SUITS_DOWN: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
"""The order in which hands are written."""

RANKS: Final = "23456789TJQKA"
"""Letters of the ranks, lowest first; `RANKS[rank - 2]`."""

# Cards are written by the million when an event is checked or exported.
_WIRE_TEXTS: Final = tuple(tuple(rank + suit.letter for rank in RANKS) for suit in Suit)
_PBN_TEXTS: Final = tuple(tuple(suit.letter + rank for rank in RANKS) for suit in Suit)


class Card(NamedTuple):
    """One of 52 cards. `rank` is 2..14, ace high. Cards are ordered by suit, then rank."""

    suit: Suit
    rank: int

    def __str__(self) -> str:
        """Rank then suit, as on the wire: `QD` (BC-30)."""
        return _WIRE_TEXTS[self.suit][self.rank - 2]

    @property
    def rank_letter(self) -> str:
        return RANKS[self.rank - 2]

    @property
    def pbn(self) -> str:
        """Suit then rank, as in PBN 2.1: `DQ`."""
        return _PBN_TEXTS[self.suit][self.rank - 2]


DECK: Final = tuple(Card(suit, rank) for suit in SUITS_DOWN for rank in range(14, 1, -1))
"""All 52 cards: spades first, each suit from the ace down."""

_CARD_BY_TEXT: Final = {str(card): card for card in DECK}

CARD_SPELLINGS: Final = {
    text.replace("T", ten): card for card in DECK for text in (str(card), card.pbn) for ten in ("T", "10")
}
"""Cards by the texts that people and programs have, in capitals: rank or suit first, the ten as `T` or `10`."""


def parse_card(text: str) -> Card:
    """Parse a card from rank then suit in capitals, `QD`.

    Raises:
        FormatError: the text is not a card.
    """
    card = _CARD_BY_TEXT.get(text)
    if card is None:
        raise FormatError(f"a card is a rank (A K Q J T 9..2) and a suit (S H D C), such as QD, got {text!r}")
    return card


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """Parse many cards, each as `parse_card` does.

    Raises:
        FormatError: one of the texts is not a card.
    """
    texts = tuple(texts)
    try:
        return tuple(map(_CARD_BY_TEXT.__getitem__, texts))
    except KeyError:
        return tuple(map(parse_card, texts))  # it says which is none


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards of one player. `cards` run spades, hearts, diamonds, clubs, each from the highest down."""

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "Hand":
        return cls(tuple(sorted(cards, reverse=True)))

    def suit(self, suit: Suit) -> tuple[Card, ...]:
        """The cards of a suit, highest first."""
        return tuple(card for card in self.cards if card.suit is suit)

    def suit_letters(self, suit: Suit) -> str:
        """The ranks held in a suit, highest first: `AKT4`; empty when void."""
        return "".join([RANKS[card.rank - 2] for card in self.cards if card.suit is suit])

    def __contains__(self, card: object) -> bool:
        return card in self.cards

    def __len__(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        """As in a PBN Deal tag (PBN 2.1 section 3.4.11): suits S.H.D.C, a void empty: `AKT4.QJ..9876542`."""
        suits = ["", "", "", ""]
        for suit, rank in self.cards:
            suits[suit] += RANKS[rank - 2]
        clubs, diamonds, hearts, spades = suits
        return f"{spades}.{hearts}.{diamonds}.{clubs}"
