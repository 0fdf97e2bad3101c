"""Deals: four hands of thirteen, and their PBN text."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from tourney.bridge.auction import Contract
from tourney.bridge.cards import DECK, RANKS, SUITS_DOWN, Card, Hand
from tourney.bridge.double_dummy import DoubleDummyTable
from tourney.bridge.seats import SEATS, Seat, Vulnerability, board_dealer, board_vulnerability
from tourney.errors import FormatError

_LETTERED_SUIT: Final = re.compile(r"([SHDC])([^SHDC.]*)")


@dataclass(frozen=True)
class Deal:
    """Four hands: `hands[seat]` has 13 cards, and together they are the deck."""

    hands: tuple[Hand, ...]

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
    makes: DoubleDummyTable | None = field(default=None, compare=False)
    """What each declarer makes of the deal, on a board whose cards are not played; None where they are."""

    def tricks_made(self, contract: Contract | None) -> int:
        """Return what declarer makes of a contract without a card; 0 where cards are played, and without contract."""
        if self.makes is None or contract is None:
            return 0
        return self.makes.tricks[contract.declarer, contract.strain]

    @classmethod
    def numbered(cls, number: int, deal: Deal) -> "Board":
        """A board whose dealer and vulnerability follow from its number (Laws 2017, Law 2)."""
        return cls(number, board_dealer(number), board_vulnerability(number), deal)


def format_deal(deal: Deal, first: Seat = Seat.NORTH) -> str:
    """The value of a PBN Deal tag, clockwise from `first`: `N:AK.. ... ... ...` (PBN 2.1 section 3.4.11)."""
    return f"{first.letter}:" + " ".join(deal.hand_texts[first:] + deal.hand_texts[:first])


def parse_deal(text: str, *, completes: bool = False) -> Deal:
    """Parse a whole deal from the value of a PBN Deal tag (PBN 2.1 section 3.4.11).

    The letter may be in either case, and hands are as `parse_hand` takes them. `-` alone stands for a hand that is
    not given.

    Args:
        text: the value.
        completes: whether one hand that is not given has the cards of no other hand.

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
    # The hand that is not given comes last, when all others are known.
    for index in sorted(range(4), key=lambda index: completes and texts[index] == "-"):
        seat = first.plus(index)
        if completes and texts[index] == "-" and len(hands) == 3:
            hand = Hand.of(card for card in DECK if card not in holders)
        else:
            hand = parse_hand(texts[index], seat)
        for card in hand.cards:
            if card in holders:
                raise FormatError(f"card {card} is dealt twice, to {holders[card].title} and to {seat.title}")
            holders[card] = seat
        if len(hand) != 13:
            raise FormatError(f"{seat.title} has {len(hand)} cards, a hand has 13")
        hands[seat] = hand
    return Deal(tuple(hands[seat] for seat in SEATS))


def parse_hand(text: str, seat: Seat) -> Hand:
    """Parse one hand of a PBN Deal tag, of any number of cards; `seat` is for the sentences.

    Ranks are in either case, both `T` and `10` are ten, and `-` in a suit is a void. Suits that have their letters
    in front may be in any order, with or without dots, as in LIN: `SAK2.H43.D.C98765432`, `h43sak2c98765432`.

    Raises:
        FormatError: one sentence on what is wrong.
    """
    if text == "-":
        raise FormatError(f"the hand of {seat.title} is not given")
    plain = text.upper().replace("10", "T").replace("-", "")
    suits = plain.split(".")
    lettered = _LETTERED_SUIT.findall(plain)
    if lettered:
        by_letter = dict(lettered)
        if len(by_letter) < len(lettered) or any(suit[:1] not in ("", *by_letter) for suit in suits):
            raise FormatError(f"the hand of {seat.title} has each suit once, with its letter in front, got {text!r}")
        suits = [by_letter.get(suit.letter, "") for suit in SUITS_DOWN]
    if len(suits) != 4:
        raise FormatError(f"the hand of {seat.title} has 4 suits S.H.D.C, got {len(suits)} in {text!r}")
    cards = []
    for suit, letters in zip(SUITS_DOWN, suits, strict=True):
        for letter in letters:
            rank = RANKS.find(letter)
            if rank < 0:
                raise FormatError(f"the hand of {seat.title} has {letter!r}, a rank is one of AKQJT98765432")
            cards.append(Card(suit, rank + 2))
    return Hand.of(cards)
