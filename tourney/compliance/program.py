"""The program under test: how it is started, or waited for, and where its connections arrive."""

import asyncio
import contextlib
import os
import shlex
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tourney.bridge import Seat
from tourney.compliance.connection import ProgramConnection
from tourney.compliance.findings import Failure, FailureKind
from tourney.compliance.patience import Patience, WaitKind
from tourney.compliance.waiting import WaitNotice
from tourney.config.command import CommandValues, check_command
from tourney.errors import LaunchError, UsageError
from tourney.launch.bots import BotProcess, ProgramSpec, Serve
from tourney.launch.program import why_not_found
from tourney.launch.sandbox import Sandbox
from tourney.store.control.host_settings import SandboxSettings
from tourney.table.clock import HostClock

EXIT_WAIT_S: Final = 1.0
"""How long a program may take to end by itself once its connection is closed."""


class ProgramListener:
    """Listens on the port that the program connects to, for the whole check."""

    def __init__(self, clock: HostClock) -> None:
        self.port = 0
        self._clock = clock
        self._arrived: asyncio.Queue[ProgramConnection] = asyncio.Queue()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> None:
        """Start to listen; port 0 takes any free one.

        Raises:
            LaunchError: the port cannot be used.
        """
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: ProgramConnection(self._clock, self._arrived), host, port)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LaunchError(f"cannot listen on {host} port {port}: {reason}") from None
        listener: socket.socket = self._server.sockets[0]
        self.port = listener.getsockname()[1]

    async def serve(self, listener: socket.socket) -> asyncio.Server:
        """Accept connections on a socket that a program within walls has opened as well."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: ProgramConnection(self._clock, self._arrived), sock=listener)

    async def next_connection(self) -> ProgramConnection:
        """Wait for the next connection, which may have been closed again by now."""
        return await self._arrived.get()

    def drop_pending(self) -> None:
        """Close the connections that nobody waited for."""
        while not self._arrived.empty():
            self._arrived.get_nowait().abort()

    async def close(self) -> None:
        self.drop_pending()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


class Program:
    """The program under test at one seat, started by the check or by a person."""

    def __init__(
        self,
        command: str | None,
        *,
        host: str,
        port: int,
        seat: Seat,
        team: str,
        folder: Path,
        tell: Callable[[str], None],
        walls: SandboxSettings,
        serve: Serve,
    ) -> None:
        """Prepare the program without starting it.

        Args:
            command: as in an event file; None if a person starts the program.
            host: the address it connects to.
            port: the port it connects to.
            seat: the seat it plays.
            team: the team name it logs on with.
            folder: where its output is kept.
            tell: shows a sentence to the person at the keyboard.
            walls: the walls around it.
            serve: serves the port that it opens within them.
        """
        self._spec = ProgramSpec(
            name="the program",
            command=command or "",
            values=CommandValues(host=host, port=port, seat=seat, team=team, login=team),
            started_in=Path.cwd(),
            own=folder / seat.title.lower(),
            output=folder,
            sandbox=Sandbox(walls, team),
            serve=serve,
        )
        self._folder = folder
        self._tell = tell
        self._process: BotProcess | None = None
        self._ended: asyncio.Task[int] | None = None
        self.starts = 0
        """How many times the check has started it."""

    @property
    def is_ours(self) -> bool:
        """Whether the check starts the program."""
        return bool(self._spec.command)

    async def start(self) -> None:
        """Start the program, or ask the person at the keyboard to start it.

        Raises:
            LaunchError: the command cannot be started.
        """
        values = self._spec.seen_values
        if not self.is_ours:
            where = f"host {values.host}, port {values.port}, seat {values.seat.title}, team {values.team}"
            self._tell(f"connect now: {where}")
            return
        await self.end()
        self.starts += 1
        output = self._folder / f"{values.seat.title.lower()}-{self.starts}.log"
        self._process = replace(self._spec, output=output).make()
        await self._process.start()
        self._ended = asyncio.create_task(self._process.wait())

    @property
    def ended(self) -> "asyncio.Task[int] | None":
        """A task that is done once the process has ended; None if the check did not start it."""
        return self._ended

    @property
    def has_ended(self) -> bool:
        """Whether the check started the process and it has ended."""
        return self._ended is not None and self._ended.done()

    async def how_it_ended(self) -> str:
        """Return `the program ended with status 3: <last line>` if it ends by itself soon, and otherwise ""."""
        if self._process is None or self._ended is None:
            return ""
        await asyncio.wait([self._ended], timeout=EXIT_WAIT_S)
        if not self._ended.done():
            return ""
        return f"the program {self._process.how_it_ended(self._ended.result())}"

    def last_lines(self) -> tuple[str, ...]:
        """Return the last lines that the program printed, the oldest first; none if the check did not start it."""
        return tuple(self._process.last_lines()) if self._process is not None else ()

    async def end(self) -> None:
        """End the process if the check has started one."""
        process, self._process = self._process, None
        ended, self._ended = self._ended, None
        if process is not None:
            await process.end()
        if ended is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await ended


class ProgramLauncher:
    """Brings the program to a table: starts it, or has it started, and waits for its connection."""

    def __init__(
        self,
        program: Program,
        listener: ProgramListener,
        *,
        connect_s: float,
        patience: Patience,
        notice: WaitNotice,
        tell: Callable[[str], None],
    ) -> None:
        """Bring a program and a listener together.

        Args:
            program: the program under test.
            listener: where its connections arrive.
            connect_s: how long a person may take to start it.
            patience: how long a program that the check starts may take to connect, and to leave.
            notice: says that a connection is being waited for.
            tell: shows a sentence to the person at the keyboard.
        """
        self.program = program
        self.listener = listener
        self._connect_s = connect_s
        self._patience = patience
        self._notice = notice
        self._tell = tell

    async def connect(self) -> ProgramConnection | Failure:
        """Start the program, or ask for it; return its connection, or why there is none."""
        self.listener.drop_pending()
        await self.program.start()
        is_ours, begun_s = self.program.is_ours, asyncio.get_running_loop().time()
        limit_s = self._patience.limit_s("BC-05", WaitKind.CONNECT) if is_ours else self._connect_s
        connection = await self._wait_for_connection(limit_s)
        if connection is not None:
            self._patience.note_answer(WaitKind.CONNECT, asyncio.get_running_loop().time() - begun_s)
            return connection
        how = await self.program.how_it_ended()
        if not how:
            self._patience.note_silence("BC-05", limit_s)
        return _absent(how or f"nothing within {limit_s:g} s", "Connect as soon as the program is started.")

    async def reconnect(self) -> ProgramConnection | Failure:
        """Wait for a program whose connection was cut: it connects again by itself, or ends and is started again."""
        program = self.program
        if not program.is_ours:
            self._tell("the connection has been cut: the program may connect again, or be started again")
        limit_s = self._patience.limit_s("BC-48", WaitKind.LEAVE) if program.is_ours else self._connect_s
        connection = await self._wait_for_connection(limit_s)
        if connection is None and program.has_ended:
            return await self.connect()
        advice = "Notice that the connection is closed, then end or connect again."
        if connection is None:
            self._patience.note_silence("BC-48", limit_s)
        return connection or _absent(f"no new connection within {limit_s:g} s, and it did not end", advice)

    async def _wait_for_connection(self, limit_s: float) -> ProgramConnection | None:
        """Return the next connection; None if the program ends first, or the time runs out."""
        arriving = asyncio.create_task(self.listener.next_connection())
        waiting: set[asyncio.Task[ProgramConnection] | asyncio.Task[int]] = {arriving}
        if self.program.ended is not None:
            waiting.add(self.program.ended)
        self._notice.begin(lambda: "the program to connect", limit_s)
        try:
            await asyncio.wait(waiting, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            return arriving.result() if arriving.done() else None
        finally:
            arriving.cancel()
            self._notice.end()


def _absent(said: str, advice: str) -> Failure:
    return Failure(clause="BC-05", kind=FailureKind.ABSENT, said=said, expected="a connection", advice=advice)


_INTERPRETERS: Final = {".py": "python3", ".js": "node", ".mjs": "node", ".jar": "java -jar", ".sh": "sh"}
"""What starts a file, by its suffix."""


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
        UsageError: it is none; a file that another program has to start gets a hint.
    """
    program = shlex.split(command)[0]
    if "{" not in program and why_not_found(program, Path.cwd()) is not None:
        raise UsageError(f"there is no program {program!r} that could be started{_how_to_start(program)}")


def _how_to_start(program: str) -> str:
    """Return how a file is started that is no program by itself; empty where there is none."""
    path = Path(program).expanduser()
    if not path.is_file():
        return ""
    interpreter = _INTERPRETERS.get(path.suffix.lower())
    if interpreter is None and os.sep in program:
        return ": the file is not executable"
    start = f"{interpreter} {program}" if interpreter is not None else f"./{program}"
    return f": the file of that name is started with `{start}`, and what it is told behind that"
