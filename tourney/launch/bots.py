"""Programs that tourney starts: what is started, within which sandbox, and its process.

A program is started in a group of its own, and ended with all that it has started, or if it takes more than it may
(`tourney.launch.usage`).
"""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from tourney.config import SandboxKind
from tourney.config.command import (
    LOGIN_VARIABLE,
    TERMS_VARIABLE,
    CommandValues,
    expand_command,
    wrap_command,
)
from tourney.errors import LaunchError
from tourney.launch import inside
from tourney.launch.output import OutputFile, OutputPipe
from tourney.launch.program import Start, describe_end, launch_error, make_own_folder, search_path
from tourney.launch.sandbox import Sandbox, SandboxView
from tourney.launch.usage import disk_excess, memory_excess
from tourney.protocol.seat_handover import TableTerms
from tourney.runtime.processes import (
    ASK,
    KILL,
    MARK,
    RECORD_NAME,
    StartedProcess,
    end_helpers,
    end_marked,
    record_process,
    signal_group,
    signal_members,
    started_process,
    until_ended,
)
from tourney.store.control.host_settings import ProgramLimits

END_GRACE_S: Final = 2.0
"""How long a program may take to end after it has been asked to, in seconds."""

USAGE_POLL_S: Final = 1.0
"""How often it is checked what a program uses, in seconds."""

_DISK_REST: Final = 20
"""How many times as long as it took to look at its folder the next look waits: there may be very many files."""

_DISK_REST_S_MAX: Final = 5.0
"""How long the next look waits at most, in seconds: very many empty files are made in that time already."""

CHANNEL_S: Final = 10.0
"""How long a program in a sandbox may take to open its port, in seconds."""

EXCEEDED: Final = "was ended because it"
"""How the end of a program is told that has taken more than it may."""

_SIGNAL_BASE: Final = 128
"""What shells and bubblewrap add to the number of the signal that has ended a program."""


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
    find_terms: Callable[[], TableTerms] | None = None
    """Finds, at each start, what its environment says of the table; None where that is not known."""

    @property
    def seen_values(self) -> CommandValues:
        """What is filled in: within a sandbox, addresses and folders have other names."""
        host = inside.ADDRESS if self.sandbox.has_own_network else self.values.host
        # Within bubblewrap its own folder is in the place of the one that it is started in.
        folder = self.started_in if self.sandbox.kind is SandboxKind.BUBBLEWRAP else self.own
        return replace(self.values, folder=str(folder), host=host)


class BotProcess:
    """A program at one seat, beside its table, which is ended if it takes more than it may.

    It dies with this process if the system has a signal for that. On every system it is recorded in `processes.jsonl`
    beside its output, from which whoever watches its host ends what is left of it, or the next run does.
    """

    def __init__(self, spec: ProgramSpec) -> None:
        """Prepare a program without starting it."""
        sandbox, values, command = spec.sandbox, spec.seen_values, spec.command
        words = expand_command(command, values.by_placeholder(), os.path.expanduser)
        if sandbox.kind is SandboxKind.COMMAND:
            words = wrap_command(sandbox.settings.command, words, values.by_placeholder(), os.path.expanduser)
        self.name = spec.name
        self._words = words
        self._folder = spec.started_in
        self._output = OutputFile(spec.output)
        self._record = spec.output.parent / RECORD_NAME
        self._own, self._login = spec.own, values.login
        self._sandbox = sandbox
        self._limits = sandbox.settings.limits
        self._port = values.port
        """The port that it is told."""
        self._serve = spec.serve
        self._find_terms = spec.find_terms
        self._started: StartedProcess | None = None
        self._is_wrapped = False
        self._pipe: OutputPipe | None = None
        """Reads what the current start prints."""
        self._ended: asyncio.Task[int] | None = None
        """Waits for the end of the current start; None before the first one."""
        self._server: ProgramServer | None = None
        self._excess = ""
        """Which limit it has exceeded, and was ended for, since its start."""
        self._view: SandboxView | None = None
        """What it sees of the machine's files since its start, if not all."""
        self._disk_due_s = 0.0
        """When its folder is looked at again, by the event loop's clock."""
        self._watching: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing runs: it was not started, or has ended."""
        return self._ended is None or self._ended.done()

    async def start(self) -> None:
        """Start the program; it can be started again after it has ended.

        Raises:
            ResourcesShort: this machine lacks something at the moment.
            LaunchError: it cannot be started.
        """
        self._excess = ""
        if self._serve is None or not self._sandbox.has_own_network:
            await self._launch()
            return
        outside, within = socket.socketpair()
        with outside:
            with within:  # closed before we wait, so that the end of a program that opens no port is noticed
                await self._launch(within.fileno())
            await self._accept_from(outside, self._serve)

    async def _launch(self, channel: int = 0) -> None:
        """Start it; `channel` is what it sends its listening socket through, 0 for nothing."""
        assert self.is_over
        await self.end()
        path = search_path()
        words = self._resolve(path)
        mark = uuid.uuid4().hex
        try:
            start = self._plan(words, {"PATH": path, MARK: mark, LOGIN_VARIABLE: self._login}, channel)
        except OSError as error:
            what = f"{self.name} cannot be started: its folder {self._own} cannot be written"
            raise launch_error(error, what) from None
        self._is_wrapped = start.is_wrapped
        with contextlib.ExitStack() as opened:
            pipe = self._pipe = self._open_output()
            opened.callback(pipe.close_writing)  # so that the end of the program is the end of its output
            try:
                process = subprocess.Popen(  # noqa: S603, ASYNC220 # the organiser's command; starting is not waiting
                    start.words,
                    stdin=start.stdin,
                    stdout=pipe.writing,
                    stderr=subprocess.STDOUT,
                    cwd=self._folder,
                    env=start.environment,
                    start_new_session=True,  # a group that can be ended with its helpers, and without us
                    preexec_fn=start.before,  # noqa: PLW1509 # it asks the system for a few things
                    pass_fds=() if start.channel is None else (start.channel,),
                )
            except OSError as error:
                raise launch_error(error, f"{self.name} cannot be started: {self._words[0]!r}") from None
            except subprocess.SubprocessError as error:  # of what the child does before its program
                raise LaunchError(f"{self.name} cannot be started: {self._words[0]!r}: {error}") from None
        self._ended = asyncio.create_task(until_ended(process))
        self._started = started_process(self.name, process.pid, mark, END_GRACE_S)
        try:
            record_process(self._record, self._started)
        except OSError as error:
            # Unrecorded, it could outlive us.
            await self.end()
            raise launch_error(error, f"{self.name} cannot be put on record in {self._record}") from None
        if self._limits != ProgramLimits():
            self._watching = asyncio.create_task(self._watch_usage())

    def _resolve(self, path: str) -> list[str]:
        program, *more = self._words
        if os.path.dirname(program):  # noqa: PTH120 # of a word, in which every system has separators of its own
            return [program if os.name == "posix" else str(self._folder / program), *more]
        found = shutil.which(program, path=path)
        if found is None:
            raise LaunchError(f"{self.name} cannot be started: there is no program {program!r}")
        return [found, *more]

    def _plan(self, words: list[str], variables: dict[str, str], channel: int) -> Start:
        """Make what the program needs, and work out how it is started.

        Raises:
            OSError: its own folder cannot be written.
        """
        if self._find_terms is not None:
            variables = {**variables, TERMS_VARIABLE: self._find_terms().format()}
        make_own_folder(self._own)
        start, self._view = self._sandbox.start(words, self._folder, self._own, variables, self._port, channel)
        return start

    async def _accept_from(self, outside: socket.socket, serve: Serve) -> None:
        """Accept connections on the socket that the program's side of the sandbox has opened."""
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

    async def _watch_usage(self) -> None:
        """End the program if it uses more than it may."""
        limits, started, ended = self._limits, self._started, self._ended
        assert started is not None
        assert ended is not None
        while not ended.done():
            await asyncio.wait([ended], timeout=USAGE_POLL_S)
            excess = await self._disk_excess()
            if not excess and limits.memory_mb is not None:
                excess = await asyncio.to_thread(memory_excess, started.pid, limits.memory_mb)
            if excess and not ended.done():
                self._excess = excess
                signal_group(started.pid, KILL)

    async def _disk_excess(self) -> str:
        clock, allowed_mb = asyncio.get_running_loop().time, self._limits.disk_mb
        began_s = clock()
        if allowed_mb is None or began_s < self._disk_due_s:
            return ""
        excess = await asyncio.to_thread(disk_excess, self._own, allowed_mb)
        self._disk_due_s = clock() + min(_DISK_REST * (clock() - began_s), _DISK_REST_S_MAX)
        return excess

    def _open_output(self) -> OutputPipe:
        try:
            self._output.open(header=True).close()
            return OutputPipe(self._output)
        except OSError as error:
            raise launch_error(error, f"output of {self.name} cannot be written to {self._output.path}") from None

    async def wait(self) -> int:
        """Wait for the program to end; return its exit status, or minus the number of the signal that ended it."""
        assert self._ended is not None
        status = await asyncio.shield(self._ended)
        self._settle_output()
        return status

    def _settle_output(self) -> None:
        if self._pipe is not None:
            self._pipe.settle()

    def last_lines(self, count: int = 5) -> list[str]:
        """Return the last lines printed since the start, oldest first, without blank ones."""
        return self._output.last_lines(count)

    def how_it_ended(self) -> str:
        """Describe how the program has ended: `ended with status 3: <the line that says what happened>`."""
        assert self._ended is not None
        status = self._ended.result()
        self._settle_output()
        if self._excess:
            return f"{EXCEEDED} {self._excess}"
        if self._is_wrapped and status > _SIGNAL_BASE:
            status = _SIGNAL_BASE - status
        unseen = self.unseen()[:1] if status > 0 else []
        if unseen and status == inside.NOT_STARTED:
            return describe_end(status, unseen[0])
        return "; ".join([describe_end(status, self._output.error_line()), *unseen])

    def unseen(self) -> list[str]:
        """Return which files named in its last lines are there, and not within its sandbox, a sentence each."""
        return [] if self._view is None else self._view.unseen_in(self.last_lines())

    async def end(self) -> None:
        """End the program and everything that it has started: asked first, then killed."""
        if self._server is not None:
            self._server.close()
            self._server = None
        started, ended = self._started, self._ended
        if started is None or ended is None:
            return
        if ended.done():
            # It ended by itself, maybe long ago: its process id may belong to another group by now.
            end_helpers(started)
        else:
            try:
                if self._is_wrapped:
                    signal_members(started, ASK)  # it would take the program with it at once
                else:
                    signal_group(started.pid, ASK)
                await asyncio.wait([ended], timeout=END_GRACE_S)
            finally:  # it ignored the signal, or left helpers behind; a worker that ends cancels what waits
                signal_group(started.pid, KILL)
            await asyncio.shield(ended)
        if not self._is_wrapped:
            await asyncio.to_thread(end_marked, started.mark)  # what has left the group of the program
        self._settle_output()
        if self._watching is not None:
            await self._watching

    async def release(self) -> None:
        """End it with its table."""
        await self.end()
