"""The program under test: how it is started, or waited for, its connections, and how it takes a refusal.

A connection reads lines and notes their form, and writes lines with pacing.
"""

import asyncio
import contextlib
import shlex
import socket
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol, cast

from tourney.compliance.context import SeatContext
from tourney.compliance.findings import Failure, FailureKind, StepKind
from tourney.config.command import CommandValues, check_command, reachable, reaches_service
from tourney.errors import LaunchError, UsageError
from tourney.launch.bots import BotProcess, ProgramSpec
from tourney.launch.program import why_not_found
from tourney.launch.sandbox import Sandbox
from tourney.launch.supervisor import before_end
from tourney.protocol.lines import LineBuffer, Overlong, Pacer
from tourney.runtime.clock import HostClock

EXIT_WAIT_S: Final = 1.0
"""How long a program may take to end by itself once its connection is closed."""


class LineReceiver(Protocol):
    """Receives what happens on a connection; a session of the check."""

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None: ...

    def receive_close(self, fault: Exception | None = None) -> None: ...

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None: ...


class ProgramConnection(asyncio.Protocol):
    """One connection of the program. Nothing is read from it before it has a receiver."""

    def __init__(self, clock: HostClock, arrived: "asyncio.Queue[ProgramConnection]") -> None:
        self.in_packets = False
        """Write the lines of one turn in one piece, without a gap, as a network may do with any two lines."""
        self.ends_in_lf = False
        """Whether the program has sent a line that ended in LF alone."""
        self._clock = clock
        self._arrived = arrived
        self._receiver: LineReceiver | None = None
        self._lines = LineBuffer()
        self.pacer: Pacer[tuple[str, int | None]] = Pacer(0)
        """The lines to it, between which there is a gap while the program says nothing (BC-50)."""
        self._transport: asyncio.Transport | None = None
        self._wake: asyncio.TimerHandle | None = None
        self._finishing = False

    def attach(self, receiver: LineReceiver) -> None:
        """Give the connection its receiver, who is told about all that has arrived so far, and an end of it too."""
        self._receiver = receiver
        if self._transport is not None:
            self._transport.resume_reading()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # what a stream server hands over
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._transport.pause_reading()
        self._arrived.put_nowait(self)

    def data_received(self, data: bytes) -> None:
        now_ms = self._clock.now_ms()
        self.pacer.note_received()
        *complete, _ = (self.unfinished + data).split(b"\n")
        self.ends_in_lf = self.ends_in_lf or not all(line.endswith(b"\r") for line in complete)
        for line in self._lines.feed(data):
            assert self._receiver is not None
            self._receiver.receive_line(line, now_ms)
        self._pump()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._wake is not None:
            self._wake.cancel()
        if self._receiver is not None:
            # An exception that is not a network error is a bug of ours, on which asyncio closes the connection.
            self._receiver.receive_close(None if isinstance(exc, OSError) else exc)

    @property
    def unfinished(self) -> bytes:
        """The start of a line that has no end yet."""
        return self._lines.pending or b""

    # Lines out

    def send(self, line: str, clock: int | None) -> None:
        """Write a line as soon as the pacing allows."""
        if self._finishing:
            return
        self.pacer.put((line, clock))
        if not self.in_packets:
            self._pump()
        else:
            self._pump_in(0)

    def finish(self) -> None:
        """Close the connection for writing; the program closes its own end."""
        self._finishing = True
        self._pump()

    def abort(self) -> None:
        """Cut the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _pump(self) -> None:
        """Write all that may be written now, in one piece: with a gap that is one line."""
        transport = self._transport
        if transport is None or transport.is_closing() or (self.in_packets and self._wake is not None):
            return
        now_ms = self._clock.now_ms()
        due = []
        while (item := self.pacer.take(now_ms)) is not None:
            due.append(item)
        if due:
            transport.write(b"".join(line.encode() + b"\r\n" for line, _ in due))
        for line, clock in due:
            if self._receiver is not None:
                self._receiver.note_written(line, clock, now_ms)
        due_at_ms = self.pacer.due_at_ms
        if due_at_ms is not None:
            self._pump_in(max(0, due_at_ms - now_ms) / 1000)
        elif self._finishing and transport.can_write_eof():
            transport.write_eof()

    def _pump_in(self, delay_s: float) -> None:
        if self._wake is None:
            self._wake = asyncio.get_running_loop().call_later(delay_s, self._woken)

    def _woken(self) -> None:
        self._wake = None
        self._pump()


@dataclass(eq=False)
class ProgramListener:
    """Listens on the port that the program connects to, for the whole check."""

    _clock: HostClock
    port: int = 0
    arrived: asyncio.Queue[ProgramConnection] = field(default_factory=asyncio.Queue)
    """The connections that nobody has waited for; some may have been closed again by now."""
    _server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> None:
        """Start to listen; port 0 takes any free one.

        Raises:
            LaunchError: the port cannot be used.
        """
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: ProgramConnection(self._clock, self.arrived), host, port)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LaunchError(f"cannot listen on {host} port {port}: {reason}") from None
        listener: socket.socket = self._server.sockets[0]
        self.port = listener.getsockname()[1]

    async def serve(self, listener: socket.socket) -> asyncio.Server:
        """Accept connections on a socket that a program in a sandbox has opened as well."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: ProgramConnection(self._clock, self.arrived), sock=listener)

    def drop_pending(self) -> None:
        """Close the connections that nobody waited for."""
        while not self.arrived.empty():
            self.arrived.get_nowait().abort()

    async def close(self) -> None:
        self.drop_pending()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


class Program:
    """The program under test at one seat, started by the check or by a person, until its connection has arrived."""

    def __init__(self, context: SeatContext, listener: ProgramListener, folder: Path) -> None:
        """Prepare the program without starting it.

        Args:
            context: its seat, and how it is started.
            listener: where its connections arrive.
            folder: where its output is kept.
        """
        self.listener = listener
        self.starts = 0
        """How many times the check has started it."""
        self._context = context
        self._folder = folder
        settings, team = context.settings, context.settings.team
        self._spec = ProgramSpec(
            name="the program",
            command=settings.command or "",
            values=CommandValues(
                host=reachable(settings.host), port=listener.port, seat=context.seat, team=team, login=team
            ),
            started_in=Path.cwd(),
            own=folder / context.seat.title.lower(),
            output=folder,
            sandbox=Sandbox(settings.sandbox_settings, team, shares_network=reaches_service(settings.command)),
            serve=listener.serve,
        )
        self._process: BotProcess | None = None

    async def connect(self) -> ProgramConnection | Failure:
        """Start the program, or ask for it; return its connection, or why there is none.

        Raises:
            LaunchError: the command cannot be started.
        """
        context = self._context
        self.listener.drop_pending()
        await self._start()
        limit_s = context.settings.connect_limit_s
        connection = await self._wait_for_connection(limit_s)
        if connection is not None:
            return connection
        said = await self.how_it_ended() or f"nothing within {limit_s:g} s"
        return self._absence(StepKind.CONNECT, said, "Connect as soon as the program is started.")

    async def reconnect(self) -> ProgramConnection | Failure:
        """Wait for a program whose connection was cut: it connects again by itself, or ends and is started again.

        Raises:
            LaunchError: the command cannot be started.
        """
        context, settings = self._context, self._context.settings
        if settings.command is None:
            context.show("the connection has been cut: the program may connect again, or be started again")
        limit_s = settings.leave_s if settings.command is not None else settings.connect_limit_s
        connection = await self._wait_for_connection(limit_s)
        if connection is not None:
            return connection
        if self._process is not None and self._process.is_over:
            return await self.connect()
        said = f"no new connection within {limit_s:g} s, and it did not end"
        return self._absence(
            StepKind.CUT, said, "Notice that the connection is closed, then end, or connect and log on again."
        )

    async def how_it_ended(self) -> str:
        """Return `the program ended with status 3: <last line>` if it ends by itself soon, and otherwise ""."""
        process = self._process
        if process is None:
            return ""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), EXIT_WAIT_S)
        return f"the program {process.how_it_ended()}" if process.is_over else ""

    async def complete(self, failure: Failure) -> Failure:
        """Add to a failure how the process ended, and what it printed last, if the check started it."""
        if self._process is None:
            return failure
        how = await self.how_it_ended() if failure.kind is FailureKind.CLOSED else ""
        said = f"{failure.said}; {how}" if how else failure.said
        return replace(failure, said=said, output=tuple(self._process.last_lines()))

    async def end(self) -> None:
        """End the process if the check has started one."""
        process, self._process = self._process, None
        if process is not None:
            await process.end()

    async def _start(self) -> None:
        """Start the program, or ask the person at the keyboard to start it."""
        values = self._spec.seen_values
        if self._context.settings.command is None:
            where = f"host {values.host}, port {values.port}, seat {values.seat.title}, team {values.team}"
            self._context.announce(f"connect now: {where}")
            return
        await self.end()
        self.starts += 1
        output = self._folder / f"{values.seat.title.lower()}-{self.starts}.log"
        self._process = BotProcess(replace(self._spec, output=output))
        await self._process.start()

    def _absence(self, step: StepKind, said: str, advice: str) -> Failure:
        return Failure(
            clause=self._context.vocabulary.clause(step),
            kind=FailureKind.ABSENT,
            said=said,
            expected="a connection",
            after="",
            advice=advice,
            output=(),
        )

    async def _wait_for_connection(self, limit_s: float) -> ProgramConnection | None:
        """Return the next connection; None if the program ends first, or the time runs out."""
        arriving = self.listener.arrived.get()
        if self._process is not None:
            return await before_end(self._process, arriving, limit_s)
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(arriving, limit_s)
        return None


class RefusedProgram:
    """A program that is refused its seat, as one that is taken (BC-08), whatever it logs on with: does it notice?"""

    _connection: ProgramConnection

    def __init__(self, context: SeatContext) -> None:
        self._context = context
        self._said = ""
        """What it was told; empty before its log-on."""
        self._left = asyncio.Event()

    async def run(self, connection: ProgramConnection) -> Failure | None:
        """Return what is wrong, if anything."""
        context, waits_s = self._context, self._context.settings.leave_s
        self._connection = connection
        connection.attach(self)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._left.wait(), waits_s)
        connection.abort()
        if self._left.is_set():
            return None
        vocabulary = context.vocabulary
        if not self._said:
            return vocabulary.new_dialogue(context.seat, context.settings.team, list).silence(waits_s, b"")
        advice = "Read the error line, or notice that the table has closed the connection; then end or try again."
        return Failure(
            clause=vocabulary.clause(StepKind.TAKEN),
            kind=FailureKind.STAYED,
            said=f"it stayed connected for {waits_s:g} s",
            expected="it ends, or tries again",
            after=self._said,
            advice=advice,
            output=(),
        )

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None:  # noqa: ARG002 # see LineReceiver
        self._context.log("in", line if isinstance(line, bytes) else f"(a line of more than {line.limit} bytes)")
        if not self._said:
            self._said = f"Error: {self._context.seat.title} is taken by {self._context.settings.team!r}"
            self._connection.send(self._said, None)
            self._connection.finish()

    def receive_close(self, fault: Exception | None = None) -> None:  # noqa: ARG002 # see LineReceiver
        self._left.set()

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None:  # noqa: ARG002 # see LineReceiver
        self._context.log("out", line)


def parse_command(words: tuple[str, ...]) -> str | None:
    """Parse the words after `--` into a command; a single word is a whole command line, as in an event file.

    Raises:
        UsageError: the command has an unknown placeholder, or cannot be split into words.
    """
    if not words:
        return None
    try:
        return check_command(words[0] if len(words) == 1 else shlex.join(words))
    except ValueError as error:
        raise UsageError(str(error)) from None


def check_startable(command: str) -> None:
    """Check that the first word of a command is a program.

    Raises:
        UsageError: it is none.
    """
    program = shlex.split(command)[0]
    if "{" in program or why_not_found(program, Path.cwd()) is None:
        return
    is_file = Path(program).expanduser().is_file()
    why = ": the file of that name is not executable, or what runs it stands before it, as in `python3 bot.py`"
    raise UsageError(f"there is no program {program!r} that could be started{why if is_file else ''}")
