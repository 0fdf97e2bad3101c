"""What one seat knows of the board in play."""

from typing import NamedTuple

from tourney.bridge import Call, Card, Contract, Hand, PlayerView, Seat, Trick, Vulnerability


class AuctionCall(NamedTuple):
    """A call of the auction, who made it, and what its side has said it means."""

    seat: Seat
    call: Call
    explanation: str
    """Empty for a call without an alert. A player learns the explanations of its opponents, never of its partner."""


class View:
    """What one seat knows of the board in play, at the moment when it is asked.

    It does not change: each question comes with its own. Nothing is in it that the seat may not know.
    """

    __slots__ = ("_calls", "_known", "scoring", "time_left_ms", "turn")

    def __init__(self, known: PlayerView, turn: Seat, scoring: str = "", time_left_ms: int | None = None) -> None:
        self._known = known
        self._calls: tuple[AuctionCall, ...] | None = None
        self.turn: Seat = turn
        """The hand that calls or plays now: the player's own, or dummy's when it is declarer."""
        self.scoring: str = scoring
        """How the event is scored, such as `imps` or `matchpoints`; empty where the program was not told."""
        self.time_left_ms: int | None = time_left_ms
        """How long the player may still think before a limit of the event is exceeded, in milliseconds, by its own
        time alone: what its partner has used is not known. None without limits, and where the program was not
        told."""

    @property
    def seat(self) -> Seat:
        """The player's own seat."""
        return self._known.seat

    @property
    def board_number(self) -> int:
        """The number of the board, from 1."""
        return self._known.number

    @property
    def dealer(self) -> Seat:
        """Who calls first."""
        return self._known.dealer

    @property
    def vulnerability(self) -> Vulnerability:
        """Which sides are vulnerable."""
        return self._known.vulnerability

    @property
    def is_vulnerable(self) -> bool:
        """Whether the player's own side is vulnerable."""
        return self._known.vulnerability.includes(self._known.seat.side)

    @property
    def hand(self) -> Hand:
        """The 13 cards that the player was dealt."""
        return self._known.hand

    @property
    def dummy(self) -> Hand | None:
        """The 13 cards that dummy was dealt, once they lie open; None before, and for dummy itself."""
        return self._known.dummy_hand

    def cards_left(self, seat: Seat) -> list[Card]:
        """Return what is left of a hand that the player sees, its own or dummy's: highest first, spades first.

        Raises:
            KeyError: the hand is hidden from the player.
        """
        return self._known.held(seat)

    @property
    def calls(self) -> tuple[AuctionCall, ...]:
        """The auction so far, from the dealer on."""
        if self._calls is None:
            auction, alerts = self._known.auction, self._known.alerts
            self._calls = tuple(
                AuctionCall(auction.dealer.plus(number), call, alerts.get(number, ""))
                for number, call in enumerate(auction.calls)
            )
        return self._calls

    @property
    def contract(self) -> Contract | None:
        """The final contract with its declarer; None while the auction goes on, and when it was passed out."""
        return self._known.contract

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The complete tricks."""
        return tuple(self._known.tricks)

    @property
    def trick(self) -> Trick | None:
        """The trick in progress, which has no card when the player is to lead; None during the auction."""
        return self._known.current

    @property
    def declarer_tricks(self) -> int:
        """How many tricks declarer's side has won."""
        return self._known.tricks_won

    @property
    def legal_calls(self) -> list[Call]:
        """Every call that is legal now: pass, double and redouble first, then bids, lowest first."""
        return self._known.auction.legal_calls()

    @property
    def legal_cards(self) -> list[Card]:
        """Every card that is legal now from the hand in turn, highest first; none during the auction."""
        return self._known.legal_cards(self.turn) if self._known.contract is not None else []

    @property
    def asks_call(self) -> bool:
        """Whether a call is due from the player, and not a card."""
        return self._known.contract is None

    @property
    def chooses_contract(self) -> bool:
        """Whether it is Minibridge, and the player, who sees dummy, names the contract with a bid."""
        return self._known.chooses_contract

    def __repr__(self) -> str:
        return f"<View of {self}>"

    def __str__(self) -> str:
        """Return the question in a line, for a program's output: `board 3, South: AK2.T93.KJ84.Q72, 1C Pass ?`."""
        said = [str(call) for call in self._known.auction.calls]
        if self._known.contract is not None:
            said += [
                f"| {' '.join(map(str, trick.cards))}"
                for trick in (*self._known.tricks, self._known.current)
                if trick
            ]
        hand = f"{self.seat.title}: {self.hand}"
        return f"board {self.board_number}, {hand}, {' '.join(said)} ?"
