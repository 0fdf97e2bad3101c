"""What one player knows of a board: its own hand, and all that lies open."""

from collections.abc import Mapping

from tourney.bridge.board import OpenBoard
from tourney.bridge.calls import Call
from tourney.bridge.cards import Card, Hand
from tourney.bridge.play import Trick
from tourney.bridge.seats import Seat, Vulnerability


class PlayerView(OpenBoard):
    """One seat's knowledge of the board in hand; grows with `add_call`, `show_dummy` and `add_card`.

    Dummy itself knows its cards as `hand`, and is shown no `dummy_hand`.
    """

    __slots__ = ("alerts", "hand", "seat")

    def __init__(self, seat: Seat, number: int, dealer: Seat, vulnerability: Vulnerability, hand: Hand) -> None:
        super().__init__(number, dealer, vulnerability)
        self.seat = seat
        self.hand = hand
        """The 13 cards this seat was dealt."""
        self.alerts: dict[int, str] = {}
        """Alert text by index of the call in `auction.calls`; a player only learns those of the opponents."""

    def follow(self, board: OpenBoard, alerts: Mapping[int, str]) -> None:
        """Take over what lies open of a board, which is the same for all, and the alerts that the seat has learnt."""
        self.alerts.update(alerts)
        self.auction, self.contract, self.play = board.auction, board.contract, board.play
        self.ends_with_auction, self.made = board.ends_with_auction, board.made
        self.is_over, self.is_lead, self.turn, self.actor = board.is_over, board.is_lead, board.turn, board.actor
        self.dummy_hand = board.dummy_hand if board.dummy_hand != self.hand else None

    def keep(self, known: "PlayerView") -> None:
        """Take over what another view has of the same board by now, and what will not grow with that."""
        self.follow(known, known.alerts)
        self.auction = known.auction.snapshot()
        self.play = known.play.snapshot() if known.play is not None else None

    def snapshot(self) -> "PlayerView":
        """Return the same knowledge, which does not grow."""
        kept = PlayerView(self.seat, self.number, self.dealer, self.vulnerability, self.hand)
        kept.keep(self)
        return kept

    def before_call(self, number: int) -> "PlayerView":
        """Return what the player knew before a call of the auction, by its number from 1."""
        before = PlayerView(self.seat, self.number, self.dealer, self.vulnerability, self.hand)
        for call in self.auction.calls[: number - 1]:
            before.add_call(call)
        return before

    @property
    def is_declarer(self) -> bool:
        return self.contract is not None and self.seat is self.contract.declarer

    @property
    def is_dummy(self) -> bool:
        return self.contract is not None and self.seat is self.contract.dummy

    @property
    def chooses_contract(self) -> bool:
        """Whether it is Minibridge and the player, who is declarer and sees dummy, is to choose the contract."""
        return self.dummy_hand is not None and self.in_auction

    @property
    def tricks(self) -> list[Trick]:
        """The complete tricks."""
        return self.play.tricks if self.play is not None else []

    @property
    def current(self) -> Trick | None:
        """The trick in progress; None during the auction."""
        return self.play.current if self.play is not None else None

    @property
    def cards(self) -> list[tuple[Seat, Card]]:
        """Every card played, in order, with the hand it came from."""
        return self.play.cards if self.play is not None else []

    @property
    def tricks_won(self) -> int:
        """Tricks won by declarer's side so far."""
        return self.play.tricks_won if self.play is not None else 0

    def held(self, seat: Seat) -> list[Card]:
        """What is left of a hand this seat can see (its own, or dummy), highest first.

        Raises:
            KeyError: the hand is hidden from this seat.
        """
        hand = self.seen(seat)
        return self.play.left_of(hand) if self.play is not None else list(hand.cards)

    def seen(self, seat: Seat) -> Hand:
        """Return the 13 cards of a hand this seat can see (its own, or dummy).

        Raises:
            KeyError: the hand is hidden from this seat.
        """
        if seat is self.seat:
            return self.hand
        if self.contract is None or seat is not self.contract.dummy or self.dummy_hand is None:
            raise KeyError(seat)
        return self.dummy_hand

    def legal_from(self, seat: Seat) -> list[Card]:
        """What a visible hand may play to the trick in progress, highest first."""
        return self.play.legal_from(self.seen(seat)) if self.play is not None else self.held(seat)

    def add_call(self, call: Call, alert: str = "") -> None:
        """Add the next call, the player's own included.

        Raises:
            RuleError: the call is not legal.
        """
        super().add_call(call)
        if alert:
            self.alerts[len(self.auction.calls) - 1] = alert

    def show_dummy(self, hand: Hand) -> None:
        self.dummy_hand = hand
