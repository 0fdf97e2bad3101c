"""The play: tricks, whose turn, which cards are legal, who won."""

from dataclasses import dataclass

from tourney.bridge.auction import Contract
from tourney.bridge.cards import Card, Suit
from tourney.bridge.deal import Deal
from tourney.bridge.seats import SEATS, Seat
from tourney.errors import RuleError


@dataclass(frozen=True, slots=True)
class Trick:
    """Up to four cards. `cards[i]` was played by seat `leader + i`."""

    leader: Seat
    cards: tuple[Card, ...]

    @property
    def suit_led(self) -> Suit | None:
        return self.cards[0].suit if self.cards else None

    @property
    def turn(self) -> Seat:
        return self.leader.plus(len(self.cards))

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == 4

    def plus(self, card: Card) -> "Trick":
        """The trick with one more card."""
        return Trick(self.leader, (*self.cards, card))

    def winner(self, trumps: Suit | None) -> Seat:
        """The seat that is winning the trick: highest trump, else highest of the suit led (Laws 2017, Law 44E, 44F).

        Needs at least one card.
        """
        best = 0
        for i, card in enumerate(self.cards):
            top = self.cards[best]
            if card.suit is top.suit:
                if card.rank > top.rank:
                    best = i
            elif card.suit is trumps:
                best = i
        return self.leader.plus(best)


class Play:
    """The play of one contract. Dummy's cards are played in dummy's turn; who names them is not known here."""

    __slots__ = (
        "_allowed",
        "_trumps",
        "_won",
        "cards",
        "contract",
        "current",
        "dummy",
        "is_over",
        "remaining",
        "tricks",
        "turn",
    )

    def __init__(self, deal: Deal, contract: Contract) -> None:
        self.contract = contract
        self.dummy = contract.dummy
        self.remaining: tuple[set[Card], ...] = tuple(set(deal[seat].cards) for seat in SEATS)
        """`remaining[seat]` is what that seat still holds."""
        self.cards: list[tuple[Seat, Card]] = []
        """Every card in the order of play, with the hand it came from."""
        self.tricks: list[Trick] = []
        """The complete tricks."""
        self.current = Trick(contract.leader, ())
        """The trick in progress; empty between tricks."""
        self.turn = contract.leader
        """The hand that plays next."""
        self.is_over = False
        self._allowed: Card | None = None
        """The card that was found to be legal last, in the position as it is."""
        self._won = 0
        self._trumps = contract.strain.trumps

    @property
    def tricks_won(self) -> int:
        """Tricks won by declarer's side so far."""
        return self._won

    def why_illegal(self, seat: Seat, card: Card) -> str | None:
        """Why this hand may not play this card now, in one sentence; None when it may (Laws 2017, Law 44C)."""
        if self.is_over:
            return "the play is over"
        if seat is not self.turn:
            return f"it is {self.turn.title}'s turn"
        hand = self.remaining[seat]
        if card not in hand:
            return f"{seat.title} does not hold {card}"
        cards = self.current.cards
        if cards and card.suit is not cards[0].suit:
            led = cards[0].suit
            for held in hand:
                if held.suit is led:
                    return f"{seat.title} must follow suit in {led.letter}"
        self._allowed = card
        return None

    def legal_cards(self) -> list[Card]:
        """What the hand in turn may play, highest first; none when the play is over."""
        if self.is_over:
            return []
        hand = sorted(self.remaining[self.turn], reverse=True)
        led = self.current.suit_led
        following = [card for card in hand if card.suit is led]
        return following or hand

    def add(self, card: Card) -> None:
        """Play a card from the hand in turn.

        Raises:
            RuleError: the card is not legal.
        """
        seat = self.turn
        why = self.why_illegal(seat, card) if card is not self._allowed else None
        self._allowed = None
        if why is not None:
            raise RuleError(f"{seat.title} may not play {card}: {why}")
        self.remaining[seat].remove(card)
        self.cards.append((seat, card))
        trick = Trick(self.current.leader, (*self.current.cards, card))
        if len(trick.cards) < 4:
            self.current, self.turn = trick, seat.next
            return
        winner = trick.winner(self._trumps)
        self._won += winner.side is self.contract.declarer.side
        self.tricks.append(trick)
        self.is_over = len(self.tricks) == 13
        self.current, self.turn = Trick(winner, ()), winner


def describe_card(hand: Seat, card: Card) -> str:
    """`East plays QD`."""
    return f"{hand.title} plays {card}"
