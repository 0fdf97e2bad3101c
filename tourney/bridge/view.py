"""What one player knows of a board: its own hand, the calls, dummy once it lies open, the cards played.

The counterpart of `BoardInPlay` for those who may not see all hands: programs that play, and watchers.
"""

from dataclasses import dataclass, field

from tourney.bridge.auction import Auction, Contract
from tourney.bridge.calls import Call
from tourney.bridge.cards import Card, Hand
from tourney.bridge.play import Trick
from tourney.bridge.seats import Seat, Vulnerability


@dataclass(slots=True)
class PlayerView:
    """One seat's knowledge of the board in hand; grows with `add_call`, `show_dummy` and `add_card`."""

    seat: Seat
    number: int
    dealer: Seat
    vulnerability: Vulnerability
    hand: Hand
    """The 13 cards this seat was dealt."""
    auction: Auction = field(init=False)
    alerts: dict[int, str] = field(default_factory=dict)
    """Alert text by index of the call in `auction.calls`; a player only learns those of the opponents."""
    dummy_hand: Hand | None = None
    """Dummy's 13 cards, once they lie open; dummy itself knows them as `hand`."""
    tricks: list[Trick] = field(default_factory=list)
    """The complete tricks."""
    current: Trick | None = None
    """The trick in progress; None during the auction."""
    contract: Contract | None = None
    tricks_won: int = 0
    """Tricks won by declarer's side so far."""

    def __post_init__(self) -> None:
        self.auction = Auction(self.dealer)

    @property
    def is_declarer(self) -> bool:
        return self.contract is not None and self.seat is self.contract.declarer

    @property
    def is_dummy(self) -> bool:
        return self.contract is not None and self.seat is self.contract.dummy

    @property
    def chooses_contract(self) -> bool:
        """Whether it is Minibridge and the player, who is declarer and sees dummy, is to choose the contract."""
        return self.dummy_hand is not None and not self.auction.is_over

    @property
    def turn(self) -> Seat | None:
        """The hand that calls or plays next; None when the board is over."""
        current = self.current
        if current is None:
            return None if self.auction.is_over else self.auction.turn
        return current.turn if len(self.tricks) < 13 else None

    @property
    def cards(self) -> list[tuple[Seat, Card]]:
        """Every card played, in order, with the hand it came from."""
        tricks = [*self.tricks, self.current] if self.current is not None else self.tricks
        return [(trick.leader.plus(i), card) for trick in tricks for i, card in enumerate(trick.cards)]

    @property
    def cards_played(self) -> int:
        """How many cards were played, 0..52."""
        return 4 * len(self.tricks) + (len(self.current.cards) if self.current is not None else 0)

    def held(self, seat: Seat) -> list[Card]:
        """What is left of a hand this seat can see (its own, or dummy), highest first.

        Raises:
            KeyError: the hand is hidden from this seat.
        """
        if seat is self.seat:
            hand = self.hand
        elif self.contract is not None and seat is self.contract.dummy and self.dummy_hand is not None:
            hand = self.dummy_hand
        else:
            raise KeyError(seat)
        tricks = [*self.tricks, self.current] if self.current is not None else self.tricks
        played = {card for trick in tricks for card in trick.cards}
        return [card for card in hand.cards if card not in played]

    def legal_cards(self, seat: Seat) -> list[Card]:
        """What a visible hand may play to the trick in progress, highest first."""
        held = self.held(seat)
        led = self.current.suit_led if self.current is not None else None
        return [card for card in held if card.suit is led] or held

    def before_call(self, number: int) -> "PlayerView":
        """Return what the player knew before a call of the auction, by its number from 1."""
        before = PlayerView(self.seat, self.number, self.dealer, self.vulnerability, self.hand)
        for call in self.auction.calls[: number - 1]:
            before.add_call(call)
        return before

    def snapshot(self) -> "PlayerView":
        """Return the same knowledge, which does not grow."""
        kept = PlayerView(
            self.seat,
            self.number,
            self.dealer,
            self.vulnerability,
            self.hand,
            alerts=dict(self.alerts),
            dummy_hand=self.dummy_hand,
            tricks=list(self.tricks),
            current=self.current,
            contract=self.contract,
            tricks_won=self.tricks_won,
        )
        kept.auction = self.auction.snapshot()
        return kept

    def add_call(self, call: Call, alert: str = "") -> None:
        """Add the next call, the player's own included.

        Raises:
            RuleError: the call is not legal.
        """
        self.auction.add(call)
        if alert:
            self.alerts[len(self.auction.calls) - 1] = alert
        self.contract = self.auction.contract
        if self.contract is not None:
            self.current = Trick(self.contract.leader, ())

    def show_dummy(self, hand: Hand) -> None:
        self.dummy_hand = hand

    def add_card(self, card: Card) -> None:
        """Add the next card, from whichever hand. The table has checked that it is legal."""
        assert self.current is not None
        assert self.contract is not None
        trick = self.current.plus(card)
        if not trick.is_complete:
            self.current = trick
            return
        winner = trick.winner(self.contract.strain.trumps)
        self.tricks_won += winner.side is self.contract.declarer.side
        self.tricks.append(trick)
        self.current = Trick(winner, ())
