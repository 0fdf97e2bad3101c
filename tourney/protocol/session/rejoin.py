"""Seats that are left and taken again: who is waited for, how long, and what follows (BC-48).

A connection that is lost in the middle of a board is judged a moment later, when it is known whether the other side
lost its own too and how the program ended. Where the rules let it come back, the board waits for it.
"""

from dataclasses import replace
from typing import Final

from tourney.bridge import Seat
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.records import SeatTaken
from tourney.protocol.session.rules import Rejoin
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.state import LOST_TIMER, SessionState

REJOIN_TIMER: Final = "rejoin"
ABSENCE_TIMER: Final = "absence"
REJOIN_TIMERS: Final = (LOST_TIMER, REJOIN_TIMER, ABSENCE_TIMER)

LATE_TIMER_MS: Final = 1000
"""A limit's timer that comes later than this tells that our machine stood still, and judges nobody."""


class RejoinControl:
    """Decides about the players of one table that are gone."""

    def __init__(self, table: SessionState, adjudicator: Adjudicator) -> None:
        self._rules = table.settings.rules
        self._table = table
        self._adjudicator = adjudicator

    def begin_board(self) -> None:
        """Everybody is there."""
        self._table.outbox.disarm(REJOIN_TIMER)
        self._table.outbox.disarm(ABSENCE_TIMER)

    def note_exit(self, seat: Seat, how: str) -> None:
        """The program of a seat has ended by itself; a connection just lost is then a crash."""
        state = self._table.seats[seat]
        if state.loss is not None and not state.is_awaited:
            state.loss = replace(state.loss, crash=how)

    def give_up(self, seat: Seat, reason: str, now_ms: int) -> None:
        """No program will come back to a seat: what waits for it waits no longer."""
        state = self._table.seats[seat]
        if state.is_awaited and state.loss is not None:
            self._adjudicator.judge_missing([(state, state.loss)], reason, now_ms)

    def take_back(self, connection: PlayerConnection, seat: Seat, now_ms: int) -> bool:
        """Seat a connection that speaks for the program that has left, as that program; whether it is waited for.

        A program in use reconnects so, without logging on and with all that it knew.
        """
        state, board = self._table.seats[seat], self._table.board
        if not state.is_away or board is None or state.connection is not None:
            return False
        state.take_back(connection)
        self._table.outbox.record(
            SeatTaken(
                connection=connection.number,
                seat=seat,
                team=connection.team,
                version=18,
                system="",
                peer=connection.peer,
                at_ms=now_ms,
            )
        )
        board.come_back(state, now_ms)
        return True

    def join(self, seat: SeatState, now_ms: int) -> None:
        """The program of a seat is ready to play: in the board in hand, if that waits for it, else in the next."""
        seat.join()
        board = self._table.board
        if not seat.takes_part or board is None:
            return
        board.rejoin(seat, now_ms)
        if self._rules.rejoin is Rejoin.RESTART:
            self._adjudicator.restart(seat, f"{seat.seat.title} has come back", now_ms)

    # Timers

    def watch_seats(self, now_ms: int) -> None:
        """See to it that a seat which stays empty between boards is noticed. For when no board is in hand."""
        outbox = self._table.outbox
        if not self._table.has_begun or not self._table.empty_seats:
            outbox.disarm(ABSENCE_TIMER)
        elif ABSENCE_TIMER not in outbox.armed:
            outbox.arm(ABSENCE_TIMER, now_ms + self._rules.time.absence_ms)

    def reset_deadlines(self, now_ms: int) -> None:
        """Nobody was away for what lies before: the table could not go on."""
        if ABSENCE_TIMER in self._table.outbox.armed:
            self._table.outbox.arm(ABSENCE_TIMER, now_ms + self._rules.time.absence_ms)
        self._wait_longer(now_ms)

    def _wait_longer(self, now_ms: int) -> None:
        for seat in self._table.seats:
            if seat.is_awaited:
                seat.wait(now_ms + self._rules.time.rejoin_ms)

    def receive_timer(self, name: str, armed_ms: int, now_ms: int) -> None:
        """One of `REJOIN_TIMERS` has run out."""
        if name == LOST_TIMER:
            self._receive_lost(now_ms)
        elif name == REJOIN_TIMER:
            self._receive_rejoin(armed_ms, now_ms)
        else:
            self._receive_absence(now_ms)

    def _receive_lost(self, now_ms: int) -> None:
        lost = [seat for seat in self._table.seats if seat.loss is not None and not seat.is_awaited]
        self._adjudicator.judge_lost(lost, now_ms)
        for seat in lost:
            # Those for whom the table acts now, and those that are back already, are not waited for.
            if seat.is_away:
                seat.wait(now_ms + self._rules.time.rejoin_ms)
            else:
                seat.loss = None
        self._arm_rejoin()

    def _receive_rejoin(self, armed_ms: int, now_ms: int) -> None:
        if self._table.paused or now_ms - armed_ms > LATE_TIMER_MS:
            self._wait_longer(now_ms)
        missing = [
            (seat, seat.loss)
            for seat in self._table.seats
            if seat.is_awaited and seat.loss is not None and seat.loss.until_ms <= now_ms
        ]
        how_long = f"not back within {self._rules.time.rejoin_ms / 1000:g} s"
        self._adjudicator.judge_missing(missing, how_long, now_ms)
        self._arm_rejoin()

    def _arm_rejoin(self) -> None:
        """Look again when the first of those that are waited for has been away for too long."""
        until_ms = [seat.loss.until_ms for seat in self._table.seats if seat.is_awaited and seat.loss is not None]
        if until_ms and REJOIN_TIMER not in self._table.outbox.armed:
            self._table.outbox.arm(REJOIN_TIMER, min(until_ms))

    def _receive_absence(self, now_ms: int) -> None:
        table, missing = self._table, self._table.empty_seats
        if table.is_playing or not missing or table.paused:
            return
        if not self._adjudicator.judge_absence(missing, now_ms):
            seats = ", ".join(seat.title for seat in missing)
            table.end_session(f"the seats {seats} stayed empty, on both sides: nobody is judged for it", now_ms)
