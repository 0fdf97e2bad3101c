"""A table at which the program's seat is taken: whether it notices that it is refused (BC-08)."""

import asyncio
from typing import Any, Final

from tourney.bridge import Seat
from tourney.compliance.findings import Failure, Trouble
from tourney.compliance.link import ProgramLink
from tourney.compliance.phases import VisitSettings
from tourney.compliance.program import Door
from tourney.compliance.situations import make_situation
from tourney.compliance.steps import StepKind
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.bluechip.wire.server_format import format_connecting
from tourney.protocol.lines import Overlong
from tourney.protocol.session.effects import Close, Effect, Send
from tourney.protocol.session.table import TableCore, TableSettings
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

_PROGRAM: Final = 1
_HOLDER: Final = 2


class Refusing:
    """One visit of a program that comes second."""

    def __init__(self, settings: VisitSettings, clock: HostClock, transcript: WireLog | None) -> None:
        self._settings = settings
        self._clock = clock
        self._transcript = transcript
        self._link: ProgramLink | None = None
        self._refused = ""
        self._left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        board = make_situation(StepKind.PASSED_OUT, settings.seat, 0).board
        teams = settings.team_of(Seat.NORTH), settings.team_of(Seat.EAST)
        self._core = TableCore(TableSettings(*teams, boards=(board,)), BlueChipWire)
        for connection in (_PROGRAM, _HOLDER):
            self._core.open_connection(connection)
        log_on = format_connecting(settings.team, settings.seat, 18)
        self._core.receive_line(_HOLDER, log_on.encode(), clock.now_ms())

    async def run(self, link: ProgramLink, door: Door) -> tuple[Failure | None, bool]:
        """What is wrong, if anything; and whether the program has connected once more."""
        self._link = link
        link.attach(self, 0)
        again = asyncio.create_task(door.next_link())
        try:
            either: set[asyncio.Future[Any]] = {self._left, again}
            await asyncio.wait(either, timeout=self._settings.timeout_s, return_when=asyncio.FIRST_COMPLETED)
            tries_again = again.done()
            if tries_again:
                again.result().abort()
            if self._left.done():
                self._left.result()
            return (None if tries_again or self._left.done() else self._failure()), tries_again
        finally:
            again.cancel()

    def close(self) -> None:
        """Let go of the connection."""
        if self._link is not None:
            self._link.abort()

    def _failure(self) -> Failure:
        waited = f"for {self._settings.timeout_s:g} s"
        if not self._refused:
            line = format_connecting(self._settings.team, self._settings.seat, 18)
            return Failure("BC-05", Trouble.SILENT, f"nothing {waited}", line, "Log on as soon as you are connected.")
        advice = "Read the error line, or notice that the table has closed the connection; then end or try again."
        wanted = "it ends, or tries again"
        return Failure("BC-08", Trouble.STAYED, f"it stayed connected {waited}", wanted, advice, after=self._refused)

    # LinkOwner

    def program_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if isinstance(line, bytes):
            self._log("in", line)
        self._carry_out(self._core.receive_line(_PROGRAM, line, now_ms))

    def program_left(self, fault: Exception | None = None) -> None:
        if fault is not None and not self._left.done():
            self._left.set_exception(fault)
        elif not self._left.done():
            self._left.set_result(None)

    def line_written(self, line: str, clock: int | None, now_ms: int) -> None:  # noqa: ARG002 # the link's interface
        self._log("out", line)

    def _carry_out(self, effects: list[Effect]) -> None:
        assert self._link is not None
        for effect in effects:
            match effect:
                case Send(connection=connection, line=line) if connection == _PROGRAM:
                    self._refused = line
                    self._link.send(line, None)
                case Close(connection=connection) if connection == _PROGRAM:
                    self._link.finish()
                case _:
                    pass

    def _log(self, direction: str, line: str | bytes) -> None:
        if self._transcript is not None:
            self._transcript.write(self._clock.now_ms(), self._settings.seat, direction, line)
