"""What one seat knows of the board in play."""

from typing import NamedTuple

from tourney.bridge import Call, Card, PlayerView, Seat


class AuctionCall(NamedTuple):
    """A call of the auction, who made it, and what its side has said it means."""

    seat: Seat
    call: Call
    explanation: str
    """Empty for a call without an alert. A player learns the explanations of its opponents, never of its partner."""


class View(PlayerView):
    """What one seat knows of the board in play, at the moment when it is asked.

    It does not change: each question comes with its own. Nothing is in it that the seat may not know. `seat` is the
    player's own, `hand` the 13 cards that it was dealt, `dummy_hand` those of dummy once they lie open, which dummy
    itself is not shown, and `held` what is left of either. `number`, `dealer` and `vulnerability` are those of the
    board. `contract` is the final one with its declarer, None before and when it was passed out. `tricks` are the
    complete tricks, `current` is the one in progress, `tricks_won` how many declarer's side has won.
    """

    __slots__ = ("scoring", "time_left_ms")

    def __init__(self, known: PlayerView, turn: Seat, scoring: str = "", time_left_ms: int | None = None) -> None:
        # Without the constructors of its bases: whatever they would set is taken over.
        self.seat, self.number, self.dealer = known.seat, known.number, known.dealer
        self.vulnerability, self.hand, self.alerts = known.vulnerability, known.hand, {}
        self.keep(known)
        self.turn: Seat = turn
        """The hand that calls or plays now: the player's own, or dummy's when it is declarer."""
        self.scoring: str = scoring
        """How the event is scored, such as `imps` or `matchpoints`; empty where the program was not told."""
        self.time_left_ms: int | None = time_left_ms
        """How long the player may still think before a limit of the event is exceeded, in milliseconds, by its own
        time alone: what its partner has used is not known. None without limits, and where the program was not
        told."""

    @property
    def is_vulnerable(self) -> bool:
        """Whether the player's own side is vulnerable."""
        return self.vulnerability.includes(self.seat.side)

    @property
    def calls(self) -> tuple[AuctionCall, ...]:
        """The auction so far, from the dealer on."""
        return tuple(
            AuctionCall(self.dealer.plus(number), call, self.alerts.get(number, ""))
            for number, call in enumerate(self.auction.calls)
        )

    @property
    def legal_calls(self) -> list[Call]:
        """Every call that is legal now: pass, double and redouble first, then bids, lowest first."""
        return self.auction.legal_calls()

    @property
    def legal_cards(self) -> list[Card]:
        """Every card that is legal now from the hand in turn, highest first; none during the auction."""
        return self.legal_from(self.turn) if self.contract is not None else []

    @property
    def asks_call(self) -> bool:
        """Whether a call is due from the player, and not a card."""
        return self.contract is None

    def __repr__(self) -> str:
        return f"<View of {self}>"

    def __str__(self) -> str:
        """Return the question in a line, for a program's output: `board 3, South: AK2.T93.KJ84.Q72, 1C Pass ?`."""
        said = [str(call) for call in self.auction.calls]
        if self.current is not None:
            said += [f"| {' '.join(map(str, trick.cards))}" for trick in (*self.tricks, self.current)]
        return f"board {self.number}, {self.seat.title}: {self.hand}, {' '.join(said)} ?"
