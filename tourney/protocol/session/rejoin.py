"""Seats that are left and taken again: who is waited for, how long, and what follows (BC-48).

A connection that is lost in the middle of a board is judged a moment later, when it is known whether the other side
lost its own too and how the program ended. Where the rules let it come back, the board waits for it.
"""

from dataclasses import replace
from typing import Final, Protocol

from tourney.bridge import SEATS, Seat
from tourney.protocol.session.adjudication import Judge, Lost
from tourney.protocol.session.board.state import BoardSession
from tourney.protocol.session.effects import Vacate
from tourney.protocol.session.outbox import Desk, Guest
from tourney.protocol.session.records import SeatLeft, SeatTaken
from tourney.protocol.session.rules import Rejoin, TableRules
from tourney.protocol.session.timers import Timers

LOST_TIMER: Final = "lost"
LOST_WAIT_MS: Final = 1000
"""How long after a lost connection it is judged: time for the other side's to be lost too, and for a program's exit
status to arrive."""

REJOIN_TIMER: Final = "rejoin"
ABSENCE_TIMER: Final = "absence"
PRESENCE_TIMERS: Final = (LOST_TIMER, REJOIN_TIMER, ABSENCE_TIMER)

LATE_TIMER_MS: Final = 1000
"""A limit's timer that comes later than this tells that our machine stood still, and judges nobody."""


class Table(Protocol):
    """What is asked of the table."""

    @property
    def board(self) -> BoardSession | None: ...

    @property
    def is_playing(self) -> bool:
        """A board is in hand."""

    @property
    def is_over(self) -> bool:
        """The session has ended."""

    @property
    def has_begun(self) -> bool:
        """A board has begun in this session."""

    @property
    def paused(self) -> bool: ...

    def end_session(self, reason: str | None, now_ms: int) -> None: ...


class Presence:
    """Keeps account of the players of one table that are gone."""

    def __init__(self, rules: TableRules, desk: Desk, judge: Judge, timers: Timers, table: Table) -> None:
        self._rules = rules
        self._desk = desk
        self._judge = judge
        self._timers = timers
        self._table = table
        self._lost: dict[Seat, Lost] = {}
        """Lost in this board, and not judged yet."""
        self._awaited: dict[Seat, Lost] = {}
        """Judged, and waited for."""
        self._gone: dict[Seat, Guest] = {}
        """Who sat there before, for a program that comes back without logging on."""

    def begin_board(self) -> None:
        """Everybody is there."""
        self._lost.clear()
        self._awaited.clear()
        self._gone.clear()
        self._timers.disarm(REJOIN_TIMER)
        self._timers.disarm(ABSENCE_TIMER)

    def leave(self, guest: Guest, seat: Seat, reason: str, now_ms: int) -> None:
        """The program of a seat is no more part of the table."""
        guest.seat = None
        del self._desk.seated[seat]
        self._desk.record(SeatLeft(guest.connection, seat, reason, now_ms))
        if self._table.is_over:
            return
        self._desk.effects.append(Vacate(seat, reason))
        board = self._table.board
        if not self._table.is_playing or board is None or seat in board.absent:
            return
        if guest.joined:
            self._gone[seat] = guest
            board.leave(seat, now_ms)
        # One that came back and is gone before it has joined is still waited for.
        if seat in self._awaited:
            return
        self._lost[seat] = Lost(reason)
        if len(self._lost.keys() | self._awaited.keys() | board.absent) == len(SEATS):
            self._timers.arm(LOST_TIMER, now_ms)  # nobody is left to wait for
        elif self._timers.at_ms(LOST_TIMER) is None:
            self._timers.arm(LOST_TIMER, now_ms + LOST_WAIT_MS)

    def note_exit(self, seat: Seat, how: str) -> None:
        """The program of a seat has ended by itself; a connection just lost is then a crash."""
        lost = self._lost.get(seat)
        if lost is not None:
            self._lost[seat] = replace(lost, crash=how)

    def give_up(self, seat: Seat, reason: str, now_ms: int) -> None:
        """No program will come back to a seat: what waits for it waits no longer."""
        if seat in self._awaited:
            self._judge.judge_missing({seat: self._awaited.pop(seat)}, reason, now_ms)

    def take_back(self, guest: Guest, seat: Seat, now_ms: int) -> None:
        """Seat a connection that speaks for the program that has left, as that program, if it is waited for.

        A program in use reconnects so, without `Connecting` and with all that it knew.
        """
        before, board = self._gone.get(seat), self._table.board
        if before is None or board is None or seat in self._desk.seated or seat not in board.away:
            return
        guest.seat, guest.team, guest.profile, guest.wants_infos = (
            seat,
            before.team,
            before.profile,
            before.wants_infos,
        )
        guest.asked_teams = guest.told_teams = guest.joined = True
        self._desk.seated[seat] = guest
        self._desk.record(SeatTaken(guest.connection, seat, guest.team, 18, "", guest.peer, now_ms))
        self._awaited.pop(seat, None)
        board.come_back(seat, now_ms)

    def join(self, seat: Seat, now_ms: int) -> None:
        """A program has joined in the middle of a board, in the place of one that was lost there."""
        board = self._table.board
        if not self._table.is_playing or board is None or seat not in board.away:
            return
        self._awaited.pop(seat, None)
        if self._rules.rejoin is Rejoin.RESTART:
            board.rejoin(seat, now_ms)
            self._judge.restart(seat, f"{seat.title} has come back", now_ms)
        else:
            board.rejoin(seat, now_ms)

    # Timers

    def watch(self, now_ms: int) -> None:
        """See to it that somebody looks when a seat stays empty between boards. For when no board is in hand."""
        empty = self._table.has_begun and len(self._desk.seated) < len(SEATS)
        if empty and self._timers.at_ms(ABSENCE_TIMER) is None:
            self._timers.arm(ABSENCE_TIMER, now_ms + self._rules.time.absence_ms)
        elif not empty:
            self._timers.disarm(ABSENCE_TIMER)

    def forgive(self, now_ms: int) -> None:
        """Nobody was away for what lies before: the table could not go on."""
        if self._timers.at_ms(ABSENCE_TIMER) is not None:
            self._timers.arm(ABSENCE_TIMER, now_ms + self._rules.time.absence_ms)
        self._wait_longer(now_ms)

    def _wait_longer(self, now_ms: int) -> None:
        until_ms = now_ms + self._rules.time.rejoin_ms
        self._awaited = {seat: replace(how, until_ms=until_ms) for seat, how in self._awaited.items()}

    def receive_timer(self, name: str, armed_ms: int, now_ms: int) -> None:
        """One of `PRESENCE_TIMERS` has run out."""
        if name == LOST_TIMER:
            lost, self._lost = self._lost, {}
            self._judge.judge_lost(lost, now_ms)
            board = self._table.board
            until_ms = now_ms + self._rules.time.rejoin_ms
            # Those for whom the table acts now, and those that are back already, are not waited for.
            self._awaited |= {
                seat: replace(how, until_ms=until_ms)
                for seat, how in lost.items()
                if board is not None and seat in board.away
            }
            self._wait_on()
        elif name == REJOIN_TIMER:
            self._receive_rejoin(armed_ms, now_ms)
        else:
            self._receive_absence(now_ms)

    def _receive_rejoin(self, armed_ms: int, now_ms: int) -> None:
        if self._table.paused or now_ms - armed_ms > LATE_TIMER_MS:
            self._wait_longer(now_ms)
        missing = {seat: how for seat, how in self._awaited.items() if how.until_ms <= now_ms}
        for seat in missing:
            del self._awaited[seat]
        self._judge.judge_missing(missing, f"not back within {self._rules.time.rejoin_ms / 1000:g} s", now_ms)
        self._wait_on()

    def _wait_on(self) -> None:
        if self._awaited and self._timers.at_ms(REJOIN_TIMER) is None:
            self._timers.arm(REJOIN_TIMER, min(how.until_ms for how in self._awaited.values()))

    def _receive_absence(self, now_ms: int) -> None:
        missing = [seat for seat in SEATS if seat not in self._desk.seated]
        if self._table.is_playing or not missing or self._table.paused:
            return
        if not self._judge.judge_absence(missing, now_ms):
            seats = ", ".join(seat.title for seat in missing)
            self._table.end_session(f"the seats {seats} stayed empty, on both sides: nobody is judged for it", now_ms)
