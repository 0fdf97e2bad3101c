"""The program's place at a table: a table core with players of ours, its timers, and the program's connection.

The table is a `TableCore`, as in an event, and its effects are carried out by the driver that a host has. The other
players are in memory; only the program has a socket. What the lines of the program, and those that it is sent, mean
for the check is decided by a subclass.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tourney.bridge import Board, Seat
from tourney.compliance.context import SeatContext
from tourney.compliance.program import ProgramConnection
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.player import PlayerEffect, SendLine
from tourney.protocol.session.driver import Link, Shell, TableDriver
from tourney.protocol.session.effects import Effect, LogRemark
from tourney.protocol.session.rules import Rejoin, TableRules, TimeRules
from tourney.protocol.session.table import TableCore, TableSettings
from tourney.protocol.wires import DEFAULT, WireProfile

PROGRAM: Final = 10
"""The number of the program's first connection; those of the other players are lower."""

_NEVER: Final = 10**9
"""The table imposes no limits of its own: the check has a limit for a line, and judges for itself."""


class OtherPlayer(Link):
    """One of the other players, and its connection to the table."""

    def __init__(self, session: "TableSession", number: int, seat: Seat) -> None:
        self.number = number
        self.seat = seat
        self.core = session.context.vocabulary.new_player(seat, session.context.team_of(seat))
        self._session = session

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # see Link
        self._session.take_effects(self, self.core.receive_line(line.encode()))
        return True


class TableSession(Link, Shell):
    """One table: the shell of its core, and the program's link to it."""

    def __init__(self, context: SeatContext) -> None:
        self.context = context
        self.connection: ProgramConnection | None = None
        self.number = PROGRAM
        self._others = 0
        """How many players of ours have taken a seat."""
        self._done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._inbox: deque[tuple[OtherPlayer, str]] = deque()
        self._pumping = False

    def _open_table(
        self,
        boards: Iterable[Board],
        profile: WireProfile,
        trick_pause_ms: int,
        seats: Iterable[Seat],
        rejoin: Rejoin = Rejoin.RESTART,
    ) -> None:
        """Open a table to which the program, and players of ours at these seats, are connected."""
        context = self.context
        vocabulary, team_of = context.vocabulary, context.team_of
        self._core = TableCore(
            TableSettings(
                team_of(Seat.NORTH),
                team_of(Seat.EAST),
                tuple(boards),
                trick_pause_ms=trick_pause_ms,
                bad_lines_max=_NEVER,
                profiles={
                    context.seat.side: replace(profile, board_restart=True),
                    context.seat.side.other: replace(DEFAULT, board_restart=True),
                },
                rules=TableRules(
                    time=TimeRules(stall_ms=_NEVER, ready_ms=_NEVER, rejoin_ms=_NEVER),
                    irregularities_max=_NEVER,
                    rejoin=rejoin,
                ),
            ),
            vocabulary.new_wire,
        )
        self._driver: TableDriver[OtherPlayer | TableSession] = TableDriver(self._core, self)
        self._connect(self, context.seat)
        for seat in seats:
            self._seat_other(seat)

    def _seat_other(self, seat: Seat) -> None:
        """Have a player of ours take a seat."""
        self._others += 1
        other = OtherPlayer(self, self._others, seat)
        self._connect(other, seat)
        self.take_effects(other, other.core.start())

    def _connect(self, link: "OtherPlayer | TableSession", seat: Seat) -> None:
        port_seat = seat if self.context.vocabulary.seats_by_port else None
        self._carry_out(self._driver.open(link, peer="", port_seat=port_seat, is_ours=False, wire=None))

    def release(self) -> None:
        """Cancel all timers and close the connection."""
        for timer in self._timers.values():
            timer.cancel()
        if self.connection is not None:
            self.connection.abort()
        self.context.flush()

    def _carry_out(self, effects: list[Effect]) -> None:
        self._driver.carry_out(effects, self.context.clock.now_ms())

    # The other players

    def take_effects(self, other: OtherPlayer, effects: list[PlayerEffect]) -> None:
        """Do what one of the other players wants; its lines wait until the table has dealt with the one before."""
        for effect in effects:
            if isinstance(effect, SendLine):
                self._inbox.append((other, effect.line))

    def _pump(self) -> None:
        """Pass the other players' lines to the table, and so on until all of them wait for the program."""
        if self._pumping:
            return
        self._pumping = True
        try:
            while self._inbox:
                other, line = self._inbox.popleft()
                self._pass_on(other, line)
        finally:
            self._pumping = False

    def _pass_on(self, link: "OtherPlayer | TableSession", line: str) -> None:
        """Pass a line to the table."""
        now_ms = self.context.clock.now_ms()
        self._carry_out(self._core.receive_line(link.number, line.encode(), now_ms, link.line_began_ms))

    # LineReceiver: what the program's connection reports

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if not self._done.done():
            said = line if isinstance(line, bytes) else f"(a line of more than {line.limit} bytes)"
            self.context.log("in", said)
            self._take_line(line, now_ms)

    def _take_line(self, line: bytes | Overlong, now_ms: int) -> None:
        """Pass a line of the program to the table."""
        self.line_began_ms = now_ms
        self._carry_out(self._core.receive_line(self.number, line, now_ms, self.line_began_ms))
        self._pump()

    def receive_close(self, fault: Exception | None = None) -> None:
        """Note that the connection is gone; a fault is a bug of ours, which is not blamed on the program."""
        self.context.log("note", "the connection is gone")
        if not self._done.done():
            if fault is not None:
                self._done.set_exception(fault)
            else:
                self._lose_program()

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None:
        self.context.log("out", line)
        self._driver.note_written(self, line, clock, now_ms)

    def _lose_program(self) -> None:
        """Act on the end of the connection, before the session has ended."""
        self._done.set_result(None)

    # Link: what the driver asks of the program's connection

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # see Link
        assert self.connection is not None
        self.connection.send(line, clock)
        return False

    def admit(self, gap_ms: int, charset: Charset) -> None:  # noqa: ARG002 # lines are sent in UTF-8
        if self.connection is not None:
            self.connection.set_gap(gap_ms)

    def close(self) -> None:
        if self.connection is not None:
            self.connection.finish()

    # Shell: what the driver asks of the table's surroundings

    def start_timer(self, name: str, at_ms: int, now_ms: int) -> None:
        self._start_timer(name, max(0, at_ms - now_ms) / 1000, partial(self._run_table_timer, name))

    def _run_table_timer(self, name: str) -> None:
        self._carry_out(self._core.receive_timer(name, self.context.clock.now_ms()))

    def _start_timer(self, name: str, delay_s: float, action: Callable[[], None]) -> None:
        """Start a timer in place of the one of that name."""
        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()

        def due() -> None:
            self._timers.pop(name, None)
            if self._done.done():
                return
            try:
                action()
                self._pump()
            except Exception as fault:  # noqa: BLE001 # a bug of ours ends the check and is not blamed on the program
                self._done.set_exception(fault)

        self._timers[name] = asyncio.get_running_loop().call_later(delay_s, due)

    def log_remark(self, remark: LogRemark) -> None:
        self.context.log("note", remark.text)
