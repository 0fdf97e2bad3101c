"""The play: tricks, whose turn, which cards are legal, who won."""

from dataclasses import dataclass

from tourney.bridge.auction import Contract
from tourney.bridge.cards import Card, Hand, Suit
from tourney.bridge.deal import Deal
from tourney.bridge.seats import Seat
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


class OpenPlay:
    """The play of one contract as everybody at the table sees it: the cards played, and no hand.

    Dummy's cards are played in dummy's turn; who names them is not known here.
    """

    __slots__ = (
        "_trumps",
        "cards",
        "contract",
        "current",
        "dummy",
        "is_over",
        "played",
        "tricks",
        "tricks_won",
        "turn",
    )

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.dummy = contract.dummy
        self.cards: list[tuple[Seat, Card]] = []
        """Every card in the order of play, with the hand it came from."""
        self.played: set[Card] = set()
        """The same cards without their order."""
        self.tricks: list[Trick] = []
        """The complete tricks."""
        self.current = Trick(contract.leader, ())
        """The trick in progress; empty between tricks."""
        self.turn = contract.leader
        """The hand that plays next."""
        self.is_over = False
        self.tricks_won = 0
        """Tricks won by declarer's side so far."""
        self._trumps = contract.strain.trumps

    @property
    def tricks_lost(self) -> int:
        """Tricks won by the defence so far."""
        return len(self.tricks) - self.tricks_won

    def left_of(self, hand: Hand) -> list[Card]:
        """What is left of a hand that was dealt, highest first."""
        return [card for card in hand.cards if card not in self.played]

    def legal_from(self, hand: Hand) -> list[Card]:
        """What a hand that was dealt may play to the trick in progress, highest first."""
        left, led = self.left_of(hand), self.current.suit_led
        return [card for card in left if card.suit is led] or left

    def why_illegal_from(self, hand: Hand, seat: Seat, card: Card) -> str | None:
        """Why a seat that was dealt this hand may not play a card now, in a sentence; None when it may (Law 44C)."""
        if self.is_over:
            return "the play is over"
        if seat is not self.turn:
            return f"it is {self.turn.title}'s turn"
        if card not in hand.cards or card in self.played:
            return f"{seat.title} does not hold {card}"
        cards = self.current.cards
        if cards and card.suit is not cards[0].suit:
            led = cards[0].suit
            for held in hand.cards:
                if held.suit is led and held not in self.played:
                    return f"{seat.title} must follow suit in {led.letter}"
        return None

    def add(self, card: Card) -> None:
        """Play a card from the hand in turn, whatever it holds."""
        seat = self.turn
        self.cards.append((seat, card))
        self.played.add(card)
        trick = Trick(self.current.leader, (*self.current.cards, card))
        if len(trick.cards) < 4:
            self.current, self.turn = trick, seat.next
            return
        winner = trick.winner(self._trumps)
        self.tricks_won += winner.side is self.contract.declarer.side
        self.tricks.append(trick)
        self.is_over = len(self.tricks) == 13
        self.current, self.turn = Trick(winner, ()), winner

    def snapshot(self) -> "OpenPlay":
        """The same play, which does not go on."""
        kept = OpenPlay(self.contract)
        kept.cards, kept.played, kept.tricks = list(self.cards), set(self.played), list(self.tricks)
        kept.current, kept.turn, kept.is_over, kept.tricks_won = (
            self.current,
            self.turn,
            self.is_over,
            self.tricks_won,
        )
        return kept


class Play(OpenPlay):
    """The play of one contract with all four hands, in which only legal cards are played."""

    __slots__ = ("_allowed", "_deal")

    def __init__(self, deal: Deal, contract: Contract) -> None:
        super().__init__(contract)
        self._deal = deal
        self._allowed: Card | None = None
        """The card that was found to be legal last, in the position as it is."""

    def held(self, seat: Seat) -> list[Card]:
        """What a seat still holds, highest first."""
        return self.left_of(self._deal[seat])

    def why_illegal(self, seat: Seat, card: Card) -> str | None:
        """Why this seat may not play this card now, in one sentence; None when it may."""
        why = self.why_illegal_from(self._deal[seat], seat, card)
        if why is None:
            self._allowed = card
        return why

    def legal_cards(self) -> list[Card]:
        """What the hand in turn may play, highest first; none when the play is over."""
        return self.legal_from(self._deal[self.turn])

    def add(self, card: Card) -> None:
        """Play a card from the hand in turn.

        Raises:
            RuleError: the card is not legal.
        """
        why = self.why_illegal(self.turn, card) if card is not self._allowed else None
        self._allowed = None
        if why is not None:
            raise RuleError(f"{self.turn.title} may not play {card}: {why}")
        super().add(card)


def describe_card(hand: Seat, card: Card) -> str:
    """`East plays QD`."""
    return f"{hand.title} plays {card}"
