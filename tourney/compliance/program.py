"""The program under test: started for every visit, or brought by a person who is told where it is to connect."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tourney.bridge import Seat
from tourney.compliance.link import ProgramLink
from tourney.config.command import check_command, expand_command
from tourney.errors import LaunchError, UsageError
from tourney.launch.bots import BotProcess
from tourney.table.clock import HostClock

EXIT_WAIT_S: Final = 1.0
"""How long after its connection a program may take to end by itself."""

_EXAMPLE_VALUES: Final = {"match": "1", "room": "open"}
"""For the places of a command that name a table of an event."""


class Door:
    """The port that the program connects to; it stays open for the whole check."""

    def __init__(self, clock: HostClock) -> None:
        self.port = 0
        self._clock = clock
        self._arrived: asyncio.Queue[ProgramLink] = asyncio.Queue()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> None:
        """Listen; port 0 takes a free one.

        Raises:
            LaunchError: the port is not to be had.
        """
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: ProgramLink(self._clock, self._arrived), host, port)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LaunchError(f"cannot listen on {host} port {port}: {reason}") from None
        listener: socket.socket = self._server.sockets[0]
        self.port = listener.getsockname()[1]

    async def next_link(self) -> ProgramLink:
        """The next connection, which may be closed again by now."""
        return await self._arrived.get()

    def dismiss(self) -> None:
        """Close connections that nobody waited for."""
        while not self._arrived.empty():
            self._arrived.get_nowait().abort()

    async def close(self) -> None:
        self.dismiss()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


class Program:
    """How the program under test is brought to the table at one seat."""

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
    ) -> None:
        """Prepare it.

        Args:
            command: as in an event file; None when a person starts it.
            host: the address it connects to.
            port: the port it connects to.
            seat: where it sits.
            team: the team name it logs on with.
            folder: takes what it prints.
            tell: says a sentence to the person at the keyboard.
        """
        self._command = command
        place = {"host": host, "port": str(port), "seat": seat.title, "team": team, "login": team}
        self._values = place | _EXAMPLE_VALUES
        self._folder = folder
        self._tell = tell
        self._process: BotProcess | None = None
        self._ended: asyncio.Task[int] | None = None
        self.starts = 0
        """How often it has been started."""

    @property
    def is_ours(self) -> bool:
        """Whether we start it."""
        return self._command is not None

    async def start(self) -> None:
        """Start it, or ask for it.

        Raises:
            LaunchError: the command cannot be started.
        """
        values = self._values
        if self._command is None:
            where = ", ".join(f"{name} {values[name]}" for name in ("host", "port", "seat", "team"))
            self._tell(f"connect now: {where}")
            return
        await self.end()
        self.starts += 1
        output = self._folder / f"{values['seat'].lower()}-{self.starts}.log"
        words = expand_command(self._command, values)
        self._process = BotProcess("the program", words, Path.cwd(), output)
        await self._process.start()
        self._ended = asyncio.create_task(self._process.wait())

    def ended(self) -> "asyncio.Task[int] | None":
        """Done when the process has ended; None when it is not ours."""
        return self._ended

    @property
    def has_ended(self) -> bool:
        """It is ours, and its process has ended."""
        return self._ended is not None and self._ended.done()

    async def how_it_ended(self) -> str:
        """`the program ended with status 3: <last line>`, if it ends by itself soon; else an empty text."""
        if self._process is None or self._ended is None:
            return ""
        await asyncio.wait([self._ended], timeout=EXIT_WAIT_S)
        if not self._ended.done():
            return ""
        return f"the program {self._process.how_it_ended(self._ended.result())}"

    def last_lines(self) -> tuple[str, ...]:
        """The last lines that it printed, the oldest first; none when it is not ours."""
        return tuple(self._process.last_lines()) if self._process is not None else ()

    async def end(self) -> None:
        """End what we have started."""
        process, self._process = self._process, None
        ended, self._ended = self._ended, None
        if process is not None:
            await process.end()
        if ended is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await ended


def checked_command(words: tuple[str, ...]) -> str | None:
    """A command line from the words after `--`; one word alone is a whole line, as in an event file.

    Raises:
        UsageError: it names an unknown place, or cannot be split into words.
    """
    import shlex  # noqa: PLC0415 # only a check with a command needs it

    if not words:
        return None
    try:
        return check_command(words[0] if len(words) == 1 else shlex.join(words))
    except ValueError as error:
        raise UsageError(str(error)) from None
