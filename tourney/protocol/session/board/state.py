"""A board at the table: every call and card so far, and what the seats' wires may read of it."""

from typing import Final

from tourney.bridge import Board, BoardInPlay, Call, Card, Result, Seat, describe_call, describe_card
from tourney.bridge.minibridge import MinibridgeChoice
from tourney.protocol.session.outbox import Outbox
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.table_time import Stop, TableTime
from tourney.protocol.session.turn_clock import TurnClock

LEAD_TIMER: Final = "lead"
"""Timer for the pause before a lead: after a trick (BC-36), or as the leader's wire requires."""

CARDS_TIMER: Final = "cards"
"""Timer after which a wire assumes that its player is ready for its cards."""


class Entry:
    """A call or card made from `hand` by the player `actor` (declarer for dummy)."""

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
        """Whether the table made it in the player's place."""
        self.is_lead = False
        self.alerted = False
        self.text = ""
        """Its explanation by the player or the operator."""
        self.held = False
        """Whether it waits for the operator's answer (BC-25) and has not been relayed yet."""

    def __str__(self) -> str:
        """Format for people: `North bids 1NT`, `East plays QD`."""
        if isinstance(self.made, Card):
            return describe_card(self.hand, self.made)
        return describe_call(self.hand, self.made)


class BoardState:
    """The current board. Wires read it; only the board's session changes it."""

    def __init__(
        self,
        board: Board,
        seats: tuple[SeatState, ...],
        outbox: Outbox,
        time: TableTime,
        now_ms: int,
        *,
        is_minibridge: bool = False,
    ) -> None:
        self.board = board
        self.in_play = BoardInPlay(board)
        self.choice = MinibridgeChoice(board) if is_minibridge else None
        """At Minibridge, what stands in place of the auction."""
        self.history: list[Entry] = []
        """Every call and card so far."""
        self.seats = seats
        """The state of each seat, by seat."""
        self.time = time
        """The time that counts at the table."""
        self.clock = TurnClock(time, now_ms)
        self.dummy: Seat | None = self.choice.dummy if self.choice is not None else None
        """The dummy; None until the auction has ended, which at Minibridge does not decide it."""
        self.is_dealt = False
        """Whether all players present have been sent their cards."""
        self.claimed: Result | None = None
        """The result of the board by an accepted claim."""
        self.leads_from_ms = 0
        """The end of the pause after a trick, before which nobody leads (BC-36)."""
        self._outbox = outbox
        self._lead_timer_ms = 0

    # The record of the board

    def append_call(self, made: CallMade) -> Entry:
        """Append a call to the history."""
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
        """Append a card to the history."""
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
    def paused(self) -> bool:
        """Whether nothing is relayed and nobody is asked; lines from players are still accepted."""
        return self.time.is_stopped_by(Stop.PAUSE)

    @property
    def is_over(self) -> bool:
        """Whether no more calls or cards are to come."""
        return self.in_play.is_over or self.claimed is not None

    @property
    def dummy_is_open(self) -> bool:
        """Whether dummy's hand lies on the table: after the opening lead, at Minibridge from the first."""
        return self.in_play.dummy_is_open or (self.choice is not None and self.dummy is not None)

    @property
    def last_entry(self) -> str:
        """The last call or card, for people; empty before the first."""
        return str(self.history[-1]) if self.history else ""

    # For wires

    def start_clock(self, seat: Seat, now_ms: int) -> int | None:
        """Charge a player from now if it is its turn; return the clock number for the line that lets it act.

        For calls and for all cards except leads.
        """
        in_play = self.in_play
        if in_play.actor is not seat:
            return None
        play = in_play.play
        if play is not None and not play.current.cards:
            return None  # a leader's clock starts with the line that asks for the lead
        return self.clock.start(len(self.history), now_ms)

    def start_lead_clock(self, now_ms: int) -> int:
        """Charge the player that leads from now; return the clock number."""
        return self.clock.start(len(self.history), now_ms)

    def wake_at(self, at_ms: int) -> None:
        """Have the board advance at `at_ms`, when somebody may lead."""
        if self._lead_timer_ms != at_ms:
            self._lead_timer_ms = at_ms
            self._outbox.start_timer(LEAD_TIMER, at_ms)

    def note_awake(self) -> None:
        """Note that the timer of `wake_at` has expired."""
        self._lead_timer_ms = 0

    def arm_cards_timer(self, at_ms: int) -> None:
        """Have `receive_timer` of the wires called at `at_ms`."""
        self._outbox.start_timer(CARDS_TIMER, at_ms)

    def excuse(self, seat: Seat) -> None:
        """Excuse the line that a player may have sent before it learned that the table acted in its place."""
        self.seats[seat].is_excused = True

    def may_lead(self, now_ms: int) -> bool:
        """Return whether the pause after the last trick has ended; if not, have the board advance when it does."""
        if now_ms < self.leads_from_ms:
            self.wake_at(self.leads_from_ms)
            return False
        return True
