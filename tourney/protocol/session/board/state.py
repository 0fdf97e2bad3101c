"""A board at the table: all that has been called and played, and what the seats' wires may read of it."""

from typing import Final

from tourney.bridge import Board, BoardInPlay, Call, Card, Result, Seat, describe_call, describe_card
from tourney.protocol.session.outbox import Outbox
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.turn_clock import TurnClock

LEAD_TIMER: Final = "lead"
"""The pause before a lead: at the end of a trick (BC-36), or what the leader's wire asks for."""

CARDS_TIMER: Final = "cards"
"""What a wire waits for before it takes its player for ready."""


class Entry:
    """A call or card made. `hand` is where it belongs, `actor` the player who made it (declarer for dummy)."""

    __slots__ = ("actor", "alerted", "at_ms", "hand", "held", "is_lead", "made", "substituted", "text", "trick")

    def __init__(
        self, made: Call | Card, *, hand: Seat, actor: Seat, trick: int, at_ms: int, substituted: bool
    ) -> None:
        self.made = made
        self.hand = hand
        self.actor = actor
        self.trick = trick
        """0 for a call, else 1..13."""
        self.at_ms = at_ms
        self.substituted = substituted
        """The table made it, in the player's place."""
        self.is_lead = False
        self.alerted = False
        self.text = ""
        """What the player, or the operator, said of it."""
        self.held = False
        """It waits for the operator's word (BC-25) and is told to nobody yet."""

    def __str__(self) -> str:
        """`North bids 1NT`, `East plays QD`, for people."""
        if isinstance(self.made, Card):
            return describe_card(self.hand, self.made)
        return describe_call(self.hand, self.made)


class BoardState:
    """One board in hand. Wires read it; only the board's session changes it."""

    def __init__(self, board: Board, seats: tuple[SeatState, ...], outbox: Outbox, now_ms: int) -> None:
        self.board = board
        self.in_play = BoardInPlay(board)
        self.history: list[Entry] = []
        """Every call and card so far."""
        self.seats = seats
        """The state of each seat, by seat."""
        self.clock = TurnClock(moved_ms=now_ms)
        self.dummy: Seat | None = None
        """Known from the end of the auction."""
        self.is_dealt = False
        """The players have been given their cards, all that were there."""
        self.paused = False
        """Nothing is relayed and nobody is asked; what players say is still taken."""
        self.claimed: Result | None = None
        """What the board has come to by a claim that was accepted."""
        self.leads_from_ms = 0
        """The end of the pause after a trick: nobody leads before (BC-36)."""
        self._outbox = outbox
        self._lead_timer_ms = 0

    # The record of the board

    def append_call(self, made: CallMade) -> Entry:
        """Make a call."""
        self.in_play.add_call(made.call)
        if self.in_play.contract is not None:
            self.dummy = self.in_play.contract.dummy
        entry = Entry(
            made.call, hand=made.seat, actor=made.seat, trick=0, at_ms=made.at_ms, substituted=made.substituted
        )
        entry.alerted, entry.text = made.alerted, made.alert
        self.history.append(entry)
        return entry

    def append_card(self, made: CardPlayed, actor: Seat) -> Entry:
        """Play a card."""
        self.in_play.add_card(made.card)
        entry = Entry(
            made.card,
            hand=made.seat,
            actor=actor,
            trick=made.seq // 4 + 1,
            at_ms=made.at_ms,
            substituted=made.substituted,
        )
        entry.is_lead = made.seq % 4 == 0
        self.history.append(entry)
        return entry

    @property
    def is_over(self) -> bool:
        """Whether no more calls or cards are to come."""
        return self.in_play.is_over or self.claimed is not None

    @property
    def last_entry(self) -> str:
        """The last call or card, for people; empty before the first."""
        return str(self.history[-1]) if self.history else ""

    # For wires

    def start_clock(self, seat: Seat, now_ms: int) -> int | None:
        """Charge a player from now, if it is its turn: the number to send with the line that lets it act.

        For calls, and for all cards but leads.
        """
        in_play = self.in_play
        if in_play.actor is not seat:
            return None
        play = in_play.play
        if play is not None and not play.current.cards:
            return None  # a leader's clock starts with the line that asks for the lead
        return self.clock.start(len(self.history), now_ms)

    def start_lead_clock(self, now_ms: int) -> int:
        """Charge the player that leads from now."""
        return self.clock.start(len(self.history), now_ms)

    def wake_at(self, at_ms: int) -> None:
        """Have the board advance then: somebody may lead."""
        if self._lead_timer_ms != at_ms:
            self._lead_timer_ms = at_ms
            self._outbox.start_timer(LEAD_TIMER, at_ms)

    def note_awake(self) -> None:
        """The timer of `wake_at` has run out."""
        self._lead_timer_ms = 0

    def arm_cards_timer(self, at_ms: int) -> None:
        """Have `receive_timer` of the wires called then."""
        self._outbox.start_timer(CARDS_TIMER, at_ms)

    def excuse(self, seat: Seat) -> None:
        """The table has acted in a player's place, whose own line may be on its way: that is no irregularity."""
        self.seats[seat].is_excused = True

    def may_lead(self, now_ms: int) -> bool:
        """Whether the pause after the last trick is over; if it is not, the board will advance when it is."""
        if now_ms < self.leads_from_ms:
            self.wake_at(self.leads_from_ms)
            return False
        return True
