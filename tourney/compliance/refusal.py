"""A session in which the program's seat is taken: does the program notice that it is refused (BC-08)?

All four seats are: a program that asks for any seat (BC-52) would get its partner's, and wait there for the others.
"""

import asyncio
from typing import Any, Final

from tourney.bridge import SEATS, Seat
from tourney.compliance.connection import ProgramConnection
from tourney.compliance.findings import Failure, FailureKind
from tourney.compliance.patience import Patience, WaitKind
from tourney.compliance.program import ProgramListener
from tourney.compliance.scenarios import make_scenario
from tourney.compliance.session import SeatCheckSettings
from tourney.compliance.steps import StepKind
from tourney.compliance.waiting import WaitNotice
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.bluechip.wire.server_format import format_connecting
from tourney.protocol.lines import Overlong
from tourney.protocol.session.effects import Close, Effect, Send
from tourney.protocol.session.table import TableCore, TableSettings
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

_PROGRAM: Final = 1
"""The program's connection number; those of the players that sit follow."""


class RefusalSession:
    """Runs one session of a program whose seat is taken already."""

    def __init__(
        self,
        settings: SeatCheckSettings,
        clock: HostClock,
        notice: WaitNotice,
        patience: Patience,
        transcript: WireLog | None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._notice = notice
        self._patience = patience
        self._waits_s = patience.limit_s("BC-08", WaitKind.LEAVE)
        self._transcript = transcript
        self._connection: ProgramConnection | None = None
        self._refusal = ""
        self._left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        board = make_scenario(StepKind.PASSED_OUT, settings.seat, 0).board
        teams = settings.team_of(Seat.NORTH), settings.team_of(Seat.EAST)
        self._core = TableCore(TableSettings(*teams, boards=(board,)), BlueChipWire)
        self._core.open_connection(_PROGRAM)
        for connection, seat in enumerate(SEATS, _PROGRAM + 1):
            self._core.open_connection(connection)
            log_on = format_connecting(settings.team_of(seat), seat, 18)
            self._core.receive_line(connection, log_on.encode(), clock.now_ms())

    async def run(self, connection: ProgramConnection, listener: ProgramListener) -> tuple[Failure | None, bool]:
        """Return what is wrong, if anything, and whether the program has connected a second time."""
        self._connection = connection
        connection.attach(self, 0)
        again = asyncio.create_task(listener.next_connection())
        self._notice.begin(lambda: "it to leave, as its seat is taken", self._waits_s)
        try:
            either: set[asyncio.Future[Any]] = {self._left, again}
            await asyncio.wait(either, timeout=self._waits_s, return_when=asyncio.FIRST_COMPLETED)
            tries_again = again.done()
            if tries_again:
                again.result().abort()
            if self._left.done():
                self._left.result()
            if tries_again or self._left.done():
                return None, tries_again
            self._patience.note_silence("BC-08", self._waits_s)
            return self._failure(), False
        finally:
            again.cancel()
            self._notice.end()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.abort()

    def _failure(self) -> Failure:
        waited = f"for {self._waits_s:g} s"
        if not self._refusal:
            return Failure(
                clause="BC-05",
                kind=FailureKind.SILENT,
                said=f"nothing {waited}",
                expected=format_connecting(self._settings.team, self._settings.seat, 18),
                advice="Log on as soon as you are connected.",
            )
        return Failure(
            clause="BC-08",
            kind=FailureKind.STAYED,
            said=f"it stayed connected {waited}",
            expected="it ends, or tries again",
            advice="Read the error line, or notice that the table has closed the connection; then end or try again.",
            after=self._refusal,
        )

    # LineReceiver

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if isinstance(line, bytes):
            self._log("in", line)
        self._carry_out(self._core.receive_line(_PROGRAM, line, now_ms))

    def receive_close(self, fault: Exception | None = None) -> None:
        if fault is not None and not self._left.done():
            self._left.set_exception(fault)
        elif not self._left.done():
            self._left.set_result(None)

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None:  # noqa: ARG002 # see LineReceiver
        self._log("out", line)

    def _carry_out(self, effects: list[Effect]) -> None:
        assert self._connection is not None
        for effect in effects:
            match effect:
                case Send(connection=connection, line=line) if connection == _PROGRAM:
                    self._refusal = line
                    self._connection.send(line, None)
                case Close(connection=connection) if connection == _PROGRAM:
                    self._connection.finish()
                case _:
                    pass

    def _log(self, direction: str, line: str | bytes) -> None:
        if self._transcript is not None:
            self._transcript.write(self._clock.now_ms(), self._settings.seat, direction, line)
