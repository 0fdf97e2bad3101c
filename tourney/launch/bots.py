"""Programs that tourney starts beside their table: what is started, within which sandbox, and what it may use."""

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from tourney.config import SandboxKind
from tourney.config.command import CommandValues, wrap_command
from tourney.launch import inside
from tourney.launch.processes import ASK, KILL, StartedProcess, signal_group, signal_members
from tourney.launch.program import ProgramFolder, ProgramProcess, Start, describe_end, fill_in_command
from tourney.launch.sandbox import Sandbox, SandboxView
from tourney.launch.usage import disk_excess, measure
from tourney.store.control.host_settings import ProgramLimits, SandboxSettings

USAGE_LOOK_S: Final = 1.0
"""How often it is checked what a program uses, in seconds."""

_DISK_REST: Final = 20
"""How many times as long as it took to look at its folder the next look waits: there may be very many files."""

_DISK_REST_S_MAX: Final = 5.0
"""How long the next look waits at most, in seconds: very many empty files are made in that time already."""

CHANNEL_S: Final = 10.0
"""How long a program within walls may take to open its port, in seconds."""

EXCEEDED: Final = "was ended because it"
"""How the end of a program is told that has taken more than it may."""

_SIGNAL_BASE: Final = 128
"""What shells and bubblewrap add to the number of the signal that has ended a program."""

_NO_SANDBOX: Final = Sandbox(SandboxSettings(), "")


class ProgramServer(Protocol):
    """What accepts the connections of a listening socket."""

    def close(self) -> None: ...


Serve: TypeAlias = Callable[[socket.socket], Awaitable[ProgramServer]]
"""Accepts connections on a listening socket until the server is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramSpec:
    """What is started on this machine for a seat of a table, of a check, or of a trial before the event."""

    name: str
    """What messages call it: `Alpha's program for North`."""
    command: str
    """The event file's, with its placeholders."""
    values: CommandValues
    """What is filled in, as it would be without a sandbox; the folder is found here."""
    started_in: Path
    own: Path
    """Its own folder."""
    output: Path
    sandbox: Sandbox
    serve: Serve | None = None
    """Serves the port that it opens in a network of its own."""

    @property
    def seen_values(self) -> CommandValues:
        """What is filled in: within a sandbox, addresses and folders have other names."""
        folder = self.sandbox.seen_folder(self.started_in, self.own)
        return replace(self.values, folder=str(folder), host=self.sandbox.host or self.values.host)

    def make(self) -> "BotProcess":
        """Make the process, which is not started yet."""
        values, sandbox = self.seen_values, self.sandbox
        words, own = fill_in_command(self.command, values, self.own)
        if sandbox.kind is SandboxKind.COMMAND:
            words = wrap_command(sandbox.settings.command, words, values.by_placeholder(), os.path.expanduser)
        return BotProcess(
            self.name, words, self.started_in, self.output, own, sandbox=sandbox, port=values.port, serve=self.serve
        )


class BotProcess(ProgramProcess):
    """A program beside its table, which is ended if it takes more than it may."""

    def __init__(
        self,
        name: str,
        words: list[str],
        folder: Path,
        output: Path,
        own: ProgramFolder | None = None,
        *,
        sandbox: Sandbox = _NO_SANDBOX,
        port: int = 0,
        serve: Serve | None = None,
    ) -> None:
        """Prepare a program without starting it.

        Args:
            name: what messages call it.
            words: the command line, without a shell.
            folder: its working directory.
            output: the file that receives its output.
            own: its own folder with its log-on, if it has one.
            sandbox: what is around it, if it has a folder of its own.
            port: the port that it is told.
            serve: serves the port that it opens in a network of its own; None if there is no need.
        """
        super().__init__(name, words, folder, output, own)
        self._sandbox = sandbox
        self._port = port
        self._serve = serve
        self._channel: socket.socket | None = None
        """What it is to send its listening socket through, while it is being started."""
        self._server: ProgramServer | None = None
        self._excess = ""
        """Which limit it has exceeded, and was ended for, since its start."""
        self._view: SandboxView | None = None
        """What it sees of the machine's files since its start, if not all."""
        self._disk_due_s = 0.0
        """When its folder is looked at again, by the event loop's clock."""
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._excess = ""
        if self._serve is None or not self._sandbox.has_own_network:
            await self._start_watched()
            return
        outside, within = socket.socketpair()
        with outside:
            with within:  # closed before we wait, so that the end of a program that opens no port is noticed
                self._channel = within
                await self._start_watched()
            await self._accept_from(outside, self._serve)

    async def _start_watched(self) -> None:
        await super().start()
        if self._limits != ProgramLimits(open_files=self._limits.open_files):
            self._watching = asyncio.create_task(self._watch_usage())

    def _plan(self, words: list[str], variables: dict[str, str]) -> Start:
        own = self._own
        if own is None:
            return super()._plan(words, variables)
        channel = self._channel.fileno() if self._channel is not None else 0
        try:
            self._sandbox.make_folder(own)
            start, self._view = self._sandbox.start(words, self._folder, own, variables, self._port, channel)
        except OSError as error:
            raise self._folder_error(error, own) from None
        return start

    async def _accept_from(self, outside: socket.socket, serve: Serve) -> None:
        """Accept connections on the socket that the program's side of the walls has opened."""
        loop = asyncio.get_running_loop()
        outside.settimeout(CHANNEL_S)
        try:
            _, handed, _, _ = await loop.run_in_executor(None, socket.recv_fds, outside, 1, 1)
        except OSError:
            return  # nothing within that time, which is as good as a program that never connects
        for descriptor in handed:  # none if it has ended before, which is noticed
            listener = socket.socket(fileno=descriptor)
            listener.setblocking(False)  # noqa: FBT003 # the standard library's signature
            self._server = await serve(listener)

    @property
    def _limits(self) -> ProgramLimits:
        return self._sandbox.settings.limits

    async def _watch_usage(self) -> None:
        """End the program if it uses more than it may."""
        limits, started, ended = self._limits, self._started, self._ended
        assert started is not None
        assert ended is not None
        while not ended.done():
            await asyncio.wait([ended], timeout=USAGE_LOOK_S)
            excess = await self._disk_excess(limits)
            if not excess and limits != ProgramLimits(open_files=limits.open_files, disk_mb=limits.disk_mb):
                usage = await asyncio.to_thread(measure, started.process.pid)
                excess = usage.excess(limits) if usage is not None else ""
            if excess and not ended.done():
                self._excess = excess
                signal_group(started.process.pid, KILL)

    async def _disk_excess(self, limits: ProgramLimits) -> str:
        clock = asyncio.get_running_loop().time
        began_s = clock()
        if self._own is None or limits.disk_mb is None or began_s < self._disk_due_s:
            return ""
        excess = await asyncio.to_thread(disk_excess, self._own.path, limits)
        self._disk_due_s = clock() + min(_DISK_REST * (clock() - began_s), _DISK_REST_S_MAX)
        return excess

    def how_it_ended(self, status: int) -> str:
        excess = self._excess or self._excess_of_signal(status)
        if excess:
            return f"{EXCEEDED} {excess}"
        if self._is_walled and status > _SIGNAL_BASE:
            status = _SIGNAL_BASE - status
        if status == inside.NOT_STARTED and self._view is not None and self._view.led_to:
            return describe_end(status, self._view.unseen[0])
        return super().how_it_ended(status)

    def unseen(self) -> list[str]:
        """Return which files it cannot see although they are there, a sentence each: that it leads to, or names."""
        if self._view is None:
            return []
        return list(dict.fromkeys([*self._view.unseen, *self._view.unseen_in(self.last_lines())]))

    async def end(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        await super().end()
        if self._watching is not None:
            await self._watching

    def _excess_of_signal(self, status: int) -> str:
        """Return which limit of the system has ended the program; empty if none has."""
        limit = self._limits.cpu_s
        if limit is None or status not in (-signal.SIGXCPU, _SIGNAL_BASE + signal.SIGXCPU):
            return ""
        return f"took {limit} s of processor time, cpu_s = {limit} are allowed"

    @property
    def _is_walled(self) -> bool:
        """Whether the leader of the group is bubblewrap, which ends with the program."""
        return self._sandbox.kind is SandboxKind.BUBBLEWRAP

    def _ask_to_end(self, started: StartedProcess) -> None:
        if self._is_walled:
            signal_members(started, ASK)  # bubblewrap itself would take the program with it at once
        else:
            super()._ask_to_end(started)

    async def _end_marked(self, started: StartedProcess) -> None:
        if not self._is_walled:  # those within bubblewrap the system ends
            await super()._end_marked(started)
