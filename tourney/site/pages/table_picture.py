"""A table as its picture shows it: the hands in their places, the trick, the last calls, and whose turn it is.

A picture is made from what its viewer may see and from nothing else: a hand that may not be seen is absent, not left
undrawn. Boards in play, replays and seats have the same picture, so this module knows the game and no record of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tourney.bridge import (
    BIDS,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    SUITS_DOWN,
    Bid,
    Board,
    Call,
    Card,
    Contract,
    Hand,
    OpenBoard,
    Seat,
    Suit,
    Vulnerability,
)
from tourney.bridge.play import Trick

HAND_CARDS: Final = 13


_RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}


class TablePlace(StrEnum):
    """Where a hand lies in the picture, in the order in which the places are read."""

    TOP = "top"
    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"


_CLOCKWISE: Final = (TablePlace.BOTTOM, TablePlace.LEFT, TablePlace.TOP, TablePlace.RIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRoom:
    """Who sits at a table, and what they play."""

    name: str
    """Tells rooms apart: `open`; empty where there is one."""
    players: Mapping[Seat, str]
    contract: Contract | None
    """None while the auction goes on, and where there is none."""

    def role(self, seat: Seat) -> str:
        """Return `declarer` or `dummy`; an empty text for the others."""
        if self.contract is None:
            return ""
        return {self.contract.declarer: "declarer", self.contract.dummy: "dummy"}.get(seat, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureHand:
    """A hand in the picture, and the seat that holds it."""

    seat: Seat
    place: TablePlace
    cards: tuple[Card, ...] | None
    """From spades down, those that were played included unless they are gone; None if the hand may not be seen."""
    played: frozenset[Card]
    """Which of them have been played."""
    cards_left: int
    """How many cards it holds."""
    is_turn: bool
    """Whether the next call or card is to come from here."""

    @property
    def suits(self) -> tuple[tuple[Suit, tuple[Card, ...]], ...]:
        """The cards by suit, from spades down."""
        assert self.cards is not None
        return tuple((suit, tuple(card for card in self.cards if card.suit is suit)) for suit in SUITS_DOWN)

    @property
    def in_words(self) -> str:
        """The cards it still holds, for screen readers: `spades ace, 10; hearts none; diamonds 2; clubs king`."""
        return "; ".join(
            f"{suit.name.lower()} {', '.join(rank_word(card) for card in cards if card not in self.played) or 'none'}"
            for suit, cards in self.suits
        )


@dataclass(frozen=True, slots=True)
class PlacedCall:
    """The latest call of a seat, in its place."""

    place: TablePlace
    call: Call


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card of the trick, in the place of the hand that it came from."""

    seat: Seat
    place: TablePlace
    card: Card
    has_won: bool
    """Whether it has won the trick; of a trick that is not complete none has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePicture:
    """A table at one moment, or a board as it was dealt, whose cards a script plays."""

    number: int
    """The number of the board."""
    dealer: Seat
    vulnerability: Vulnerability
    room: PictureRoom
    hands: tuple[PictureHand, ...]
    """All four, in the order in which they are read."""
    calls: tuple[PlacedCall, ...]
    """The latest call of each seat; none once cards are played."""
    trick: tuple[PlacedCard, ...]
    """The trick in progress; a complete one until the next begins."""
    tricks: tuple[int, int] | None
    """The tricks of declarer's side and of the defence; None before the play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatControls:
    """What a seat may do from its picture: buttons of one form."""

    action: str
    """Where the form is sent."""
    fields: Mapping[str, str]
    """Hidden fields of the form, such as the position that is clicked on and a token."""
    prompt: str
    """What is asked of the player, in a sentence; empty if nothing is."""
    hands: frozenset[Seat]
    """The hands whose cards are buttons: its own, and as declarer dummy's."""
    cards: frozenset[Card]
    """The cards that may be played now."""
    calls: tuple[Call, ...] = ()
    """The calls that may be made now; none outside the auction."""
    method: str = "post"
    """How it is sent."""
    refusal: str = ""
    """Why the button that was pressed last has done nothing; empty if it has done something."""

    @property
    def bids_by_level(self) -> tuple[tuple[int, tuple[Bid, ...]], ...]:
        """All bids, level by level."""
        return tuple((level, tuple(bid for bid in BIDS if bid.level == level)) for level in range(1, 8))

    @property
    def other_calls(self) -> tuple[Call, ...]:
        """The calls that are no bids."""
        return (PASS, DOUBLE, REDOUBLE)

    @property
    def lowest_level(self) -> int:
        """The lowest level at which a bid may be made; 8 if none may."""
        return min((call.level for call in self.calls if isinstance(call, Bid)), default=8)


def rank_word(card: Card) -> str:
    """Return the rank of a card in words: `king`, `10`."""
    return _RANKS.get(card.rank_letter, card.rank_letter)


def card_words(card: Card) -> str:
    """Return a card in words: `king of spades`, `10 of hearts`."""
    return f"{rank_word(card)} of {card.suit.name.lower()}"


def picture_play(
    board: Board | OpenBoard,
    hands: Mapping[Seat, Hand],
    room: PictureRoom,
    calls: Sequence[Call],
    cards: Sequence[tuple[Seat, Card]],
    *,
    turn: Seat | None = None,
    tricks: tuple[int, int] | None = None,
    bottom: Seat = Seat.SOUTH,
) -> TablePicture:
    """Return the picture of a board; in a replay a script plays the cards.

    Args:
        board: the board.
        hands: the hands that may be seen, as they were dealt or what is left of them; others are absent.
        room: who sits at the table, and the contract once the auction has ended.
        calls: all calls, from the dealer on.
        cards: all cards played, in order, each with the hand that it came from.
        turn: the hand that calls or plays next; None once the board has ended.
        tricks: those of declarer's side and of the defence; None before the play.
        bottom: the seat nearest to the viewer.
    """
    placed = []
    for place in TablePlace:
        seat = bottom.plus(_CLOCKWISE.index(place))
        played = frozenset(card for by, card in cards if by is seat)
        placed.append(
            PictureHand(
                seat=seat,
                place=place,
                cards=hands[seat].cards if seat in hands else None,
                played=played,
                cards_left=HAND_CARDS - len(played),
                is_turn=seat is turn,
            )
        )
    latest = {}
    if room.contract is None and not cards:
        latest = {board.dealer.plus(index): call for index, call in enumerate(calls)}
    lying = [
        PlacedCard(seat, place_of(seat, bottom), card, seat is winner_of(trick, room.contract))
        for trick in tricks_of(cards)[-1:]
        for index, card in enumerate(trick.cards)
        for seat in [trick.leader.plus(index)]
    ]
    return TablePicture(
        number=board.number,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        room=room,
        hands=tuple(placed),
        calls=tuple(PlacedCall(place_of(seat, bottom), call) for seat, call in latest.items()),
        trick=tuple(lying),
        tricks=tricks,
    )


def tricks_of(cards: Sequence[tuple[Seat, Card]]) -> list[Trick]:
    """Return cards, in the order of play, as tricks; the last one may have fewer than four."""
    size = len(SEATS)
    rounds = (cards[first : first + size] for first in range(0, len(cards), size))
    return [Trick(played[0][0], tuple(card for _, card in played)) for played in rounds]


def winner_of(trick: Trick, contract: Contract | None) -> Seat | None:
    """Return who has won a trick; None until it is complete."""
    if contract is None or not trick.is_complete:
        return None
    return trick.winner(contract.strain.trumps)


def place_of(seat: Seat, bottom: Seat) -> TablePlace:
    """Return where a hand lies for a viewer whose nearest hand is `bottom`."""
    return _CLOCKWISE[(seat - bottom) % len(SEATS)]
