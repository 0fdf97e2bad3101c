"""Programs of teams: each is started beside its table in a process group of its own, and ended with the table."""

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import socket
import subprocess
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from tourney.config import SandboxKind
from tourney.errors import LaunchError, ResourcesShort
from tourney.launch import inside
from tourney.launch.lookup import search_path
from tourney.launch.output import OutputFile, OutputPipe
from tourney.launch.privacy import without_secrets
from tourney.launch.processes import (
    MARK,
    RECORD_NAME,
    StartedProcess,
    end_helpers,
    end_marked,
    parent_death_hook,
    record_process,
    signal_members,
    started_process,
)
from tourney.launch.sandbox import ProgramFolder, Sandbox, SandboxView, Start
from tourney.launch.usage import disk_excess, measure
from tourney.store.control.host_settings import ProgramLimits, SandboxSettings

END_GRACE_S: Final = 2.0
"""How long a program may take to end after it has been asked to, in seconds."""

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


class ProgramServer(Protocol):
    """What accepts the connections of a listening socket."""

    def close(self) -> None: ...


Serve: TypeAlias = Callable[[socket.socket], Awaitable[ProgramServer]]
"""Accepts connections on a listening socket until the server is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPlace:
    """Where a program runs: its own folder, the walls around it, and how it comes to its table through them."""

    own: ProgramFolder
    sandbox: Sandbox = field(default_factory=lambda: Sandbox(SandboxSettings(), ""))
    port: int = 0
    """The port that it is told."""
    serve: Serve | None = None
    """Serves the listening socket within walls that let nothing else out; None if there is no need."""


_SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOBUFS, errno.ENOSPC, errno.EDQUOT}
)
"""What the system says when this machine lacks something, which is no fault of the program."""


def launch_error(error: OSError, what: str) -> LaunchError:
    """Return the error for something that could not be started: whether the program is to blame, or this machine."""
    kind = ResourcesShort if error.errno in _SHORTAGES else LaunchError
    return kind(f"{what}: {error.strerror}")


class BotProcess:
    """A program at one seat. Its output goes to a file, whose end explains a failure.

    It dies with this process if the system has a signal for that. On every system it is recorded in `processes.jsonl`
    beside its output, from which `OrphanReaper` and `sweep_processes` end what is left of it.
    """

    def __init__(
        self, name: str, words: list[str], folder: Path, output: Path, place: ProgramPlace | None = None
    ) -> None:
        """Prepare a program without starting it.

        Args:
            name: what messages call it, such as `Alpha's program for North`.
            words: the command line, without a shell.
            folder: its working directory.
            output: the file that receives its output; each start appends to it.
            place: its own folder with its log-on and the walls around it, if it has any.
        """
        self.name = name
        self._words = words
        self._folder = folder
        self._output = OutputFile(output)
        self._record = output.parent / RECORD_NAME
        self._place = place
        self._server: ProgramServer | None = None
        self._excess = ""
        """Which limit it has exceeded, and was ended for, since its start."""
        self._view: SandboxView | None = None
        """What it sees of the machine's files since its start, if not all."""
        self._disk_due_s = 0.0
        """When its folder is looked at again, by the event loop's clock."""
        self._process: asyncio.subprocess.Process | None = None
        self._started: StartedProcess | None = None
        self._pipe: OutputPipe | None = None
        """Reads what the current start prints."""
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the program; it can be started again after it has ended.

        Raises:
            ResourcesShort: this machine lacks something at the moment.
            LaunchError: it cannot be started.
        """
        assert self._process is None or self._process.returncode is not None
        await self.end()
        self._excess = ""
        path = search_path()
        words = self._resolve(path)
        mark = uuid.uuid4().hex
        variables = {"PATH": path, MARK: mark}
        with contextlib.ExitStack() as opened:
            channels = self._open_channel()
            within = opened.enter_context(channels[1]) if channels is not None else None
            outside = opened.enter_context(channels[0]) if channels is not None else None
            start = self._plan(words, variables, within.fileno() if within is not None else 0)
            self._view = start.view
            pipe = self._pipe = self._open_output()
            opened.callback(pipe.close_writing)
            try:
                process = await asyncio.create_subprocess_exec(
                    *start.words,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=pipe.writing,
                    stderr=asyncio.subprocess.STDOUT,
                    cwd=self._folder,
                    env=start.environment,
                    start_new_session=True,
                    pass_fds=() if start.channel is None else (start.channel,),
                    preexec_fn=start.before,
                )
            except OSError as error:
                raise launch_error(error, f"{self.name} cannot be started: {self._words[0]!r}") from None
            except subprocess.SubprocessError as error:  # of what the child does before its program
                raise LaunchError(f"{self.name} cannot be started: {self._words[0]!r}: {error}") from None
            pipe.close_writing()  # so that the end of the program is the end of its output
            self._process = process
            if self._limits != ProgramLimits(open_files=self._limits.open_files):
                self._watching = asyncio.create_task(self._watch_usage(process))
            await self._go_on_record(process.pid, mark)
            if within is not None and outside is not None:
                within.close()  # so that the end of a program that has not opened its port is noticed
                await self._accept_from(outside)

    def _resolve(self, path: str) -> list[str]:
        program = self._words[0]
        if os.sep not in program:
            found = shutil.which(program, path=path)
            if found is None:
                raise LaunchError(f"{self.name} cannot be started: there is no program {program!r}")
            program = found
        return [program, *self._words[1:]]

    def _open_channel(self) -> tuple[socket.socket, socket.socket] | None:
        """Open what a program within walls sends its listening socket through: our end and its own."""
        place = self._place
        if place is None or place.serve is None or not place.sandbox.has_own_network:
            return None
        return socket.socketpair()

    def _plan(self, words: list[str], variables: dict[str, str], channel: int) -> Start:
        place = self._place
        if place is None:
            return Start(words=words, environment=without_secrets(os.environ) | variables, before=parent_death_hook())
        try:
            place.sandbox.make_folder(place.own)
            return place.sandbox.start(words, self._folder, place.own, variables, place.port, channel)
        except OSError as error:
            what = f"{self.name} cannot be started: its folder {place.own.path} cannot be written"
            raise launch_error(error, what) from None

    async def _accept_from(self, outside: socket.socket) -> None:
        """Accept connections on the socket that the program's side of the walls has opened."""
        assert self._place is not None
        assert self._place.serve is not None
        loop = asyncio.get_running_loop()
        outside.settimeout(CHANNEL_S)
        try:
            _, handed, _, _ = await loop.run_in_executor(None, socket.recv_fds, outside, 1, 1)
        except OSError:
            return  # nothing within that time, which is as good as a program that never connects
        for descriptor in handed:  # none if it has ended before, which is noticed
            listener = socket.socket(fileno=descriptor)
            listener.setblocking(False)  # noqa: FBT003 # the standard library's signature
            self._server = await self._place.serve(listener)

    def _open_output(self) -> OutputPipe:
        try:
            self._output.open(header=True).close()
            for sentence in self._view.unseen if self._view is not None else ():
                self._output.append(f"==== {sentence} ====\n".encode())
            return OutputPipe(self._output)
        except OSError as error:
            raise launch_error(error, f"output of {self.name} cannot be written to {self._output.path}") from None

    async def _go_on_record(self, pid: int, mark: str) -> None:
        self._started = started_process(self.name, pid, mark, END_GRACE_S)
        try:
            record_process(self._record, self._started)
        except OSError as error:
            # Unrecorded, it could outlive us.
            await self.end()
            raise launch_error(error, f"{self.name} cannot be put on record in {self._record}") from None

    @property
    def _limits(self) -> ProgramLimits:
        return self._place.sandbox.settings.limits if self._place is not None else ProgramLimits()

    async def _watch_usage(self, process: asyncio.subprocess.Process) -> None:
        """End the program if it uses more than it may."""
        limits = self._limits
        while process.returncode is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(USAGE_LOOK_S):
                    await process.wait()
            excess = await self._disk_excess(limits)
            if not excess and limits != ProgramLimits(open_files=limits.open_files, disk_mb=limits.disk_mb):
                usage = await asyncio.to_thread(measure, process.pid)
                excess = usage.excess(limits) if usage is not None else ""
            if excess and process.returncode is None:
                self._excess = excess
                self._signal_group(process.pid, signal.SIGKILL)

    async def _disk_excess(self, limits: ProgramLimits) -> str:
        clock = asyncio.get_running_loop().time
        began_s = clock()
        if self._place is None or limits.disk_mb is None or began_s < self._disk_due_s:
            return ""
        excess = await asyncio.to_thread(disk_excess, self._place.own.path, limits)
        self._disk_due_s = clock() + min(_DISK_REST * (clock() - began_s), _DISK_REST_S_MAX)
        return excess

    async def wait(self) -> int:
        """Wait for the program to end; return its exit status, or minus the number of the signal that ended it."""
        assert self._process is not None
        status = await self._process.wait()
        self._settle_output()
        return status

    def _settle_output(self) -> None:
        if self._pipe is not None:
            self._pipe.settle()

    def last_lines(self, count: int = 5) -> list[str]:
        """Return the last lines printed since the start, oldest first, without blank ones."""
        return self._output.last_lines(count)

    def how_it_ended(self, status: int) -> str:
        """Describe how the program ended: `ended with status 3: <the line that says what happened>`."""
        excess = self._excess or self._excess_of_signal(status)
        if excess:
            return f"{EXCEEDED} {excess}"
        if self._is_walled and status > _SIGNAL_BASE:
            status = _SIGNAL_BASE - status
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        line = self._output.error_line()
        if status == inside.NOT_STARTED and self._view is not None and self._view.led_to:
            line = self._view.unseen[0]
        return f"{how}: {line}" if line else how

    def unseen(self) -> list[str]:
        """Return which files it cannot see although they are there, a sentence each: that it leads to, or names."""
        if self._view is None:
            return []
        return list(dict.fromkeys([*self._view.unseen, *self._view.unseen_in(self.last_lines())]))

    async def end(self) -> None:
        """End the program and everything that it has started: with SIGTERM first, then with SIGKILL."""
        self._forget_login()
        if self._server is not None:
            self._server.close()
            self._server = None
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            self._ask_to_end(process.pid)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_GRACE_S):
                    await process.wait()
            self._signal_group(process.pid, signal.SIGKILL)  # it ignored the signal, or left helpers behind
        elif self._started is not None:
            # It ended by itself, maybe long ago: its process id may belong to another group by now.
            end_helpers(self._started)
        await process.wait()
        if self._started is not None and not self._is_walled:  # those within bubblewrap the system ends
            await asyncio.to_thread(end_marked, self._started.mark)
        self._settle_output()
        if self._watching is not None:
            await self._watching

    def _forget_login(self) -> None:
        if self._place is not None:
            with contextlib.suppress(OSError):  # the program may have made something else of it
                self._place.own.forget_login()

    def _excess_of_signal(self, status: int) -> str:
        """Return which limit of the system has ended the program; empty if none has."""
        limit = self._limits.cpu_s
        if limit is None or status not in (-signal.SIGXCPU, _SIGNAL_BASE + signal.SIGXCPU):
            return ""
        return f"took {limit} s of processor time, cpu_s = {limit} are allowed"

    @property
    def _is_walled(self) -> bool:
        """Whether the leader of the group is bubblewrap, which ends with the program."""
        return self._place is not None and self._place.sandbox.kind is SandboxKind.BUBBLEWRAP

    def _ask_to_end(self, pid: int) -> None:
        if self._is_walled and self._started is not None:
            signal_members(self._started, signal.SIGTERM)  # bubblewrap itself would take the program with it at once
        else:
            self._signal_group(pid, signal.SIGTERM)

    @staticmethod
    def _signal_group(pid: int, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)
