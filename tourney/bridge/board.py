"""One board in play: what lies open of it, whose turn it is, what is legal, and the result."""

from dataclasses import dataclass

from tourney.bridge.auction import Auction, Contract
from tourney.bridge.calls import Call
from tourney.bridge.cards import Card, Hand
from tourney.bridge.deal import Board
from tourney.bridge.play import OpenPlay, Play
from tourney.bridge.score import score_ns
from tourney.bridge.seats import Seat, Vulnerability
from tourney.errors import RuleError


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a board. `contract` is None when it was passed out; then `tricks` is 0.

    `tricks` are those of declarer's side, 0..13; `score` is North-South's.
    """

    contract: Contract | None
    tricks: int
    score: int


class OpenBoard:
    """What everybody at the table sees of a board: the calls, the cards played, and dummy once it lies open.

    Calls and cards are made in turn and never taken back (BC-43). Whoever knows a hand besides is a `PlayerView`.
    Where no cards are played, the board ends with the auction, and declarer makes what the deal's double-dummy table
    says.
    """

    __slots__ = (
        *("actor", "auction", "contract", "dealer", "dummy_hand", "ends_with_auction", "is_lead", "is_over"),
        *("made", "number", "play", "turn", "vulnerability"),
    )

    def __init__(
        self, number: int, dealer: Seat, vulnerability: Vulnerability, *, ends_with_auction: bool = False
    ) -> None:
        self.number = number
        self.dealer = dealer
        self.vulnerability = vulnerability
        self.ends_with_auction = ends_with_auction
        self.auction = Auction(dealer)
        self.contract: Contract | None = None
        self.play: OpenPlay | None = None
        """None until the auction has ended in a contract, and where no cards are played."""
        self.made = 0
        """Declarer's tricks where no cards are played, once the board is over."""
        self.dummy_hand: Hand | None = None
        """The 13 cards that dummy was dealt, once they lie open; None before."""
        # Kept up to date with each call and card, because it is read many times as often.
        self.is_over = False
        self.is_lead = False
        """Whether the card to come leads to a trick."""
        self.turn: Seat | None = dealer
        """The hand that calls or plays next; None when the board is over."""
        self.actor: Seat | None = dealer
        """The player who must act: the hand in turn, but declarer for dummy (Laws 2017, Law 45B)."""

    @property
    def in_auction(self) -> bool:
        return not self.auction.is_over

    @property
    def dummy_is_open(self) -> bool:
        """Whether dummy's hand is on the table: after the opening lead (Laws 2017, Law 41D)."""
        return self.play is not None and bool(self.play.cards)

    def add_call(self, call: Call) -> None:
        """Make a call for the hand in turn.

        Raises:
            RuleError: the call is not legal, or the auction is over.
        """
        self.auction.add(call)
        self.contract = self.auction.contract
        if self.contract is not None and not self.ends_with_auction:
            self.play = self._begin_play(self.contract)
            self.turn = self.actor = self.play.turn
            self.is_lead = True
        elif self.auction.is_over:
            self._end()
        else:
            self.turn = self.actor = self.auction.turn

    def _begin_play(self, contract: Contract) -> OpenPlay:
        return OpenPlay(contract)

    def add_card(self, card: Card) -> None:
        """Play a card from the hand in turn, which only `BoardInPlay` checks.

        Raises:
            RuleError: there is no play.
        """
        if self.play is None:
            raise RuleError(f"card {card} cannot be played: there is no contract")
        self.play.add(card)
        if self.play.is_over:
            self._end()
            return
        self.is_lead = not self.play.current.cards
        turn = self.turn = self.play.turn
        self.actor = self.play.contract.declarer if turn is self.play.dummy else turn

    def _end(self) -> None:
        self.is_over, self.is_lead = True, False
        self.turn = self.actor = None

    @property
    def result(self) -> Result | None:
        """The result once the board is over; None before."""
        if not self.is_over:
            return None
        tricks = self.play.tricks_won if self.play is not None else self.made
        return Result(self.contract, tricks, score_ns(self.contract, tricks, self.vulnerability))


class BoardInPlay(OpenBoard):
    """A board with all four hands, on which only legal calls and cards are made. Knows nothing of wires or clocks."""

    __slots__ = ("board",)

    play: Play | None

    def __init__(self, board: Board) -> None:
        super().__init__(board.number, board.dealer, board.vulnerability, ends_with_auction=board.makes is not None)
        self.board = board

    def _begin_play(self, contract: Contract) -> Play:
        return Play(self.board.deal, contract)

    def add_call(self, call: Call) -> None:
        super().add_call(call)
        self.made = self.board.tricks_made(self.contract)

    def add_card(self, card: Card) -> None:
        """Play a card from the hand in turn.

        Raises:
            RuleError: the card is not legal, or there is no play.
        """
        super().add_card(card)
        if self.dummy_hand is None and self.contract is not None:
            self.dummy_hand = self.hand(self.contract.dummy)

    def hand(self, seat: Seat) -> Hand:
        """The 13 cards a seat was dealt."""
        return self.board.deal[seat]
