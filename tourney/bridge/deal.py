"""Deals: four hands of thirteen, and their PBN text."""

from dataclasses import dataclass
from functools import cached_property

from tourney.bridge.cards import RANKS, SUITS_DOWN, Card, Hand
from tourney.bridge.seats import Seat, Vulnerability, board_dealer, board_vulnerability
from tourney.errors import FormatError


@dataclass(frozen=True)
class Deal:
    """Four hands: `hands[seat]` has 13 cards, and together they are the deck."""

    hands: tuple[Hand, Hand, Hand, Hand]

    @cached_property
    def hand_texts(self) -> tuple[str, ...]:
        """The hands as in a PBN Deal tag; a deal is written for every table that plays it."""
        return tuple(map(str, self.hands))

    def __getitem__(self, seat: Seat) -> Hand:
        return self.hands[seat]


@dataclass(frozen=True, slots=True)
class Board:
    """One duplicate board: its deal, dealer and vulnerability."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    deal: Deal

    @classmethod
    def numbered(cls, number: int, deal: Deal) -> "Board":
        """A board whose dealer and vulnerability follow from its number (Laws 2017, Law 2)."""
        return cls(number, board_dealer(number), board_vulnerability(number), deal)


def format_deal(deal: Deal, first: Seat = Seat.NORTH) -> str:
    """The value of a PBN Deal tag, clockwise from `first`: `N:AK.. ... ... ...` (PBN 2.1 section 3.4.11)."""
    return f"{first.letter}:" + " ".join(deal.hand_texts[first:] + deal.hand_texts[:first])


def parse_deal(text: str) -> Deal:
    """Parse a whole deal from the value of a PBN Deal tag (PBN 2.1 section 3.4.11).

    The letter may be in either case, and both `T` and `10` are ten. `-` alone stands for a hand that is not given.

    Raises:
        FormatError: one sentence on the first thing that is wrong. A deal that cannot be played is wrong too: one in
            which a hand is not given or does not have 13 cards, or a card is dealt twice.
    """
    head, colon, rest = text.strip().partition(":")
    letter = head.strip()
    if not colon or len(letter) != 1 or letter not in "NESWnesw":
        raise FormatError(f"a deal starts with N:, E:, S: or W:, got {text[:20]!r}")
    first = Seat.from_letter(letter.upper())
    texts = rest.split()
    if len(texts) != 4:
        raise FormatError(f"a deal has 4 hands, got {len(texts)}")
    holders: dict[Card, Seat] = {}
    hands: dict[Seat, Hand] = {}
    for index, hand_text in enumerate(texts):
        seat = first.plus(index)
        hand = parse_hand(hand_text, seat)
        for card in hand.cards:
            if card in holders:
                raise FormatError(f"card {card} is dealt twice, to {holders[card].title} and to {seat.title}")
            holders[card] = seat
        if len(hand) != 13:
            raise FormatError(f"{seat.title} has {len(hand)} cards, a hand has 13")
        hands[seat] = hand
    return Deal((hands[Seat.NORTH], hands[Seat.EAST], hands[Seat.SOUTH], hands[Seat.WEST]))


def parse_hand(text: str, seat: Seat) -> Hand:
    """Parse one hand of a PBN Deal tag, of any number of cards; `seat` is for the sentences.

    Raises:
        FormatError: one sentence on what is wrong.
    """
    if text == "-":
        raise FormatError(f"the hand of {seat.title} is not given")
    suits = text.split(".")
    if len(suits) != 4:
        raise FormatError(f"the hand of {seat.title} has 4 suits S.H.D.C, got {len(suits)} in {text!r}")
    cards = []
    for suit, letters in zip(SUITS_DOWN, suits, strict=True):
        for letter in letters.upper().replace("10", "T").replace("-", ""):
            rank = RANKS.find(letter)
            if rank < 0:
                raise FormatError(f"the hand of {seat.title} has {letter!r}, a rank is one of AKQJT98765432")
            cards.append(Card(suit, rank + 2))
    return Hand.of(cards)
