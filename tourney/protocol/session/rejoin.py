"""Seats whose players leave and come back: which the board waits for, how long, and with what outcome (BC-48).

A connection lost in the middle of a board is judged a moment later, when it is known whether the other side lost one
too and how the program ended. If the rules allow the player to come back, the board waits for it.
"""

from typing import Final

from tourney.bridge import Seat
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.rules import Rejoin
from tourney.protocol.session.seat import Loss, SeatState
from tourney.protocol.session.state import LOST_TIMER, SessionState

REJOIN_TIMER: Final = "rejoin"
ABSENCE_TIMER: Final = "absence"
REJOIN_TIMERS: Final = (LOST_TIMER, REJOIN_TIMER, ABSENCE_TIMER)

LATE_TIMER_MS: Final = 1000
"""A timer that is later than this shows that our machine stalled; nobody is judged by it."""


class RejoinControl:
    """Handles the absent players of one table."""

    def __init__(self, table: SessionState, adjudicator: Adjudicator) -> None:
        self._rules = table.settings.rules
        self._table = table
        self._adjudicator = adjudicator
        self._away_since_ms: dict[Seat, int] = {}
        """Since when each seat has been without a program that is ready, between boards. Who comes and goes, or comes
        and says nothing, has no more time than who stays away."""

    def begin_board(self) -> None:
        """Note that a board begins with everybody present."""
        self._away_since_ms.clear()
        for timer in REJOIN_TIMERS:
            self._table.outbox.disarm(timer)

    def give_up(self, seat: Seat, reason: str) -> None:
        """Stop waiting for a seat: no program will come back to it."""
        if not self._table.is_over:
            self._adjudicator.judge_missing([each for each in self._awaited() if each[0].seat is seat], reason)

    def _awaited(self) -> list[tuple[SeatState, Loss]]:
        """Return the seats for whose players the board waits, and how each was lost."""
        return [(seat, seat.loss) for seat in self._table.seats if seat.is_awaited and seat.loss is not None]

    def reconnect(self, connection: PlayerConnection, seat: Seat) -> bool:
        """Seat a connection as the program that has left; return whether the board was waiting for it.

        One program in use reconnects like this, without logging on and with its state intact.
        """
        state, board = self._table.seats[seat], self._table.board
        if not state.is_away or board is None or state.connection is not None:
            return False
        assert state.player is not None
        connection.continue_from(state.player)
        self._table.take_seat(connection, seat)
        state.join()
        board.reconnect(state)
        return True

    def join(self, seat: SeatState) -> None:
        """Let a program that is ready take part: in the current board, if that waits for it, else in the next."""
        seat.join()
        board = self._table.board
        if seat.active is None or board is None:
            return
        if self._rules.rejoin is Rejoin.RESTART and board.state.ended is None:
            self._adjudicator.restart(seat, f"{seat.seat.title} has come back")
        else:
            board.rejoin(seat)

    # Timers

    def watch_seats(self) -> None:
        """Start the timer for empty seats; call this when no board is in progress."""
        outbox = self._table.outbox
        if not self._table.has_begun:
            return
        for seat in self._table.empty_seats:
            self._away_since_ms.setdefault(seat, self._table.now_ms)
        due_ms = [self._due_ms(seat) for seat in self._away_since_ms if not self._table.seats[seat].is_ready]
        if not due_ms:
            outbox.disarm(ABSENCE_TIMER)
        elif outbox.armed.get(ABSENCE_TIMER) != (at_ms := max(self._table.now_ms, min(due_ms))):
            outbox.arm(ABSENCE_TIMER, at_ms)

    def _due_ms(self, seat: Seat) -> int:
        """Return when the others need wait no more for a seat: one who is there has time to say that it is ready."""
        time, is_empty = self._rules.time, self._table.seats[seat].connection is None
        return self._away_since_ms[seat] + time.absence_ms + (0 if is_empty else time.ready_ms)

    def reset_deadlines(self) -> None:
        """Ignore all absence before now: the table could not continue."""
        self._away_since_ms = dict.fromkeys(self._away_since_ms, self._table.now_ms)
        self._table.outbox.disarm(ABSENCE_TIMER)  # until seats are watched again, at the end of this event
        self._wait_longer()

    def _wait_longer(self) -> None:
        for seat in self._table.seats:
            if seat.is_awaited:
                seat.wait(self._table.now_ms + self._rules.time.rejoin_ms)

    def receive_timer(self, name: str, armed_ms: int) -> None:
        """Handle the expiry of one of `REJOIN_TIMERS`."""
        if name == LOST_TIMER:
            self._receive_lost()
        elif name == REJOIN_TIMER:
            self._receive_rejoin(armed_ms)
        else:
            self._receive_absence()

    def _receive_lost(self) -> None:
        losses = self._table.unjudged_losses()
        self._adjudicator.judge_lost(losses)
        for seat, _ in losses:
            # Players for whom the table acts, and those already back, are not awaited.
            if seat.is_away:
                seat.wait(self._table.now_ms + self._rules.time.rejoin_ms)
            else:
                seat.loss = None
        self._arm_rejoin()

    def _receive_rejoin(self, armed_ms: int) -> None:
        if self._table.time.is_paused or self._table.now_ms - armed_ms > LATE_TIMER_MS:
            self._wait_longer()
        missing = [each for each in self._awaited() if each[1].until_ms <= self._table.now_ms]
        how_long = f"not back within {self._rules.time.rejoin_ms / 1000:g} s"
        self._adjudicator.judge_missing(missing, how_long)
        self._arm_rejoin()

    def _arm_rejoin(self) -> None:
        """Arm the timer for the first awaited player whose time to come back runs out."""
        until_ms = [loss.until_ms for _, loss in self._awaited()]
        if until_ms and REJOIN_TIMER not in self._table.outbox.armed:
            self._table.outbox.arm(REJOIN_TIMER, min(until_ms))

    def _receive_absence(self) -> None:
        table, now_ms = self._table, self._table.now_ms
        if table.time.is_paused:
            self._away_since_ms = dict.fromkeys(self._away_since_ms, now_ms)
        missing = [
            seat
            for seat in sorted(self._away_since_ms)
            if not self._table.seats[seat].is_ready
            and (table.seats[seat].connection is None or self._due_ms(seat) <= now_ms)
        ]
        is_due = any(self._due_ms(seat) <= now_ms for seat in missing)
        if table.is_playing or not is_due or table.time.is_paused:
            return
        if not self._adjudicator.judge_absence(missing):
            seats = ", ".join(seat.title for seat in missing)
            table.end_session(f"the seats {seats} stayed empty, on both sides: nobody is judged for it")
