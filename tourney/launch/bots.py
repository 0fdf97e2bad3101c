"""Programs that tourney starts beside their table: what is started, within which sandbox, and what it may use.

What a program uses, with all that it has started, Linux says in /proc, but for disk space; elsewhere only the limits
apply that the system itself keeps for each process.
"""

import asyncio
import os
import re
import socket
import stat
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeAlias

from tourney.config import SandboxKind
from tourney.config.command import TERMS_VARIABLE, CommandValues, wrap_command
from tourney.launch import inside
from tourney.launch.program import ProgramProcess, Start, describe_end, fill_in_command
from tourney.launch.sandbox import Sandbox, SandboxView
from tourney.protocol.seat_handover import TableTerms
from tourney.runtime.processes import KILL, list_processes, read_stat, signal_group
from tourney.store.control.host_settings import ProgramLimits

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


class BotProcess(ProgramProcess):
    """A program beside its table, which is ended if it takes more than it may."""

    def __init__(self, spec: ProgramSpec) -> None:
        """Prepare a program without starting it."""
        sandbox, values = spec.sandbox, spec.seen_values
        words, own = fill_in_command(spec.command, values, spec.own)
        if sandbox.kind is SandboxKind.COMMAND:
            words = wrap_command(sandbox.settings.command, words, values.by_placeholder(), os.path.expanduser)
        super().__init__(spec.name, words, spec.started_in, spec.output, own)
        self._sandbox = sandbox
        self._port = values.port
        """The port that it is told."""
        self._serve = spec.serve
        self._find_terms = spec.find_terms
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
        if self._limits != ProgramLimits():
            self._watching = asyncio.create_task(self._watch_usage())

    def _plan(self, words: list[str], variables: dict[str, str]) -> Start:
        channel = self._channel.fileno() if self._channel is not None else 0
        if self._find_terms is not None:
            variables = {**variables, TERMS_VARIABLE: self._find_terms().format()}
        self._own.make()
        start, self._view = self._sandbox.start(words, self._folder, self._own.path, variables, self._port, channel)
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

    @property
    def _limits(self) -> ProgramLimits:
        return self._sandbox.settings.limits

    async def _watch_usage(self) -> None:
        """End the program if it uses more than it may."""
        limits, started, ended = self._limits, self._started, self._ended
        assert started is not None
        assert ended is not None
        while not ended.done():
            await asyncio.wait([ended], timeout=USAGE_POLL_S)
            excess = await self._disk_excess(limits)
            if not excess and limits.memory_mb is not None:
                excess = await asyncio.to_thread(memory_excess, started.pid, limits.memory_mb)
            if excess and not ended.done():
                self._excess = excess
                signal_group(started.pid, KILL)

    async def _disk_excess(self, limits: ProgramLimits) -> str:
        clock = asyncio.get_running_loop().time
        began_s = clock()
        if limits.disk_mb is None or began_s < self._disk_due_s:
            return ""
        excess = await asyncio.to_thread(disk_excess, self._own.path, limits)
        self._disk_due_s = clock() + min(_DISK_REST * (clock() - began_s), _DISK_REST_S_MAX)
        return excess

    def how_it_ended(self, status: int) -> str:
        if self._excess:
            return f"{EXCEEDED} {self._excess}"
        if self._is_wrapped and status > _SIGNAL_BASE:
            status = _SIGNAL_BASE - status
        unseen = self.unseen()[:1] if status > 0 else []
        if unseen and status == inside.NOT_STARTED:
            return describe_end(status, unseen[0])
        return "; ".join([super().how_it_ended(status), *unseen])

    def unseen(self) -> list[str]:
        """Return which files named in its last lines are there, and not within its sandbox, a sentence each."""
        return [] if self._view is None else self._view.unseen_in(self.last_lines())

    async def end(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        await super().end()
        if self._watching is not None:
            await self._watching

    async def release(self) -> None:
        """End it with its table."""
        await self.end()


# What a program uses


_PROC: Final = Path("/proc")
_MB: Final = 1024 * 1024
_BLOCK_BYTES: Final = 512  # of st_blocks, stat(2)

_ENTRY_BYTES_MIN: Final = 4096
"""What a file or folder counts at least: empty ones take space too, and looking at any number of them takes time."""

# The places in what follows the name of the program in /proc/PID/stat, from proc_pid_stat(5), minus the first three.
_PARENT, _SESSION, _RESIDENT = 1, 3, 21


class _Process(NamedTuple):
    parent: int
    session: int
    resident_pages: int


def memory_excess(leader: int, allowed_mb: int) -> str:
    """Return how the leader of a session exceeds its memory, with all that it has started; empty where it does not.

    `took 99 MB of memory, memory_mb = 64 are allowed`. What has left the session and been orphaned is not found,
    except within a sandbox with processes of its own, where it stays below the leader.
    """
    if not (_PROC / "self" / "stat").exists():
        return ""
    found = dict(_processes())
    ours = {pid for pid in found if _is_below(pid, leader, found)}
    pages = sum(found[pid].resident_pages for pid in ours)
    memory_mb = (pages * os.sysconf("SC_PAGE_SIZE") + _bytes_of_memory_files(ours)) // _MB
    return f"took {memory_mb} MB of memory, memory_mb = {allowed_mb} are allowed" if memory_mb > allowed_mb else ""


def disk_excess(folder: Path, limits: ProgramLimits) -> str:
    """Return in which way what is in a program's own folder exceeds its limit, as `memory_excess` does.

    Files that have been removed while they are open are not found. A folder that cannot be looked into is refused: it
    would hide what is in it.
    """
    if limits.disk_mb is None:
        return ""
    allowed = f"disk_mb = {limits.disk_mb} are allowed"
    left = limits.disk_mb * _MB
    linked: set[tuple[int, int]] = set()
    waiting = [str(folder)]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    found = _stat_entry(entry)
                    if found is None or (found.st_dev, found.st_ino) in linked:
                        continue
                    if stat.S_ISDIR(found.st_mode):
                        waiting.append(entry.path)
                    elif found.st_nlink > 1:
                        linked.add((found.st_dev, found.st_ino))
                    left -= max(found.st_blocks * _BLOCK_BYTES, _ENTRY_BYTES_MIN)
                    if left < 0:
                        return f"took more than {limits.disk_mb} MB in its own folder, {allowed}"
        except (FileNotFoundError, NotADirectoryError):
            continue  # it has been removed meanwhile
        except OSError as error:
            return f"has a folder in its own whose size cannot be seen ({error.strerror}), {allowed}"
    return ""


def _stat_entry(entry: "os.DirEntry[str]") -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None


def _bytes_of_memory_files(pids: Iterable[int]) -> int:
    """Return the size of the file systems in memory that only these processes have, such as /tmp in a sandbox.

    What they hold belongs to no process.
    """
    try:
        seen = {(_PROC / "self" / "ns" / "mnt").readlink()}
        ours = {device for device, _ in _memory_file_systems("self")}
    except OSError:
        return 0
    sizes: dict[int, int] = {}
    for pid in pids:
        try:
            namespace = (_PROC / str(pid) / "ns" / "mnt").readlink()
            if namespace in seen:
                continue
            seen.add(namespace)
            for device, place in _memory_file_systems(str(pid)):
                if device not in ours:
                    # What is mounted over it may be all that can be seen there.
                    path = _PROC / str(pid) / "root" / place.lstrip("/")
                    if path.stat().st_dev == device:
                        found = os.statvfs(path)
                        sizes[device] = (found.f_blocks - found.f_bfree) * found.f_frsize
        except OSError:
            continue  # it has ended
    return sum(sizes.values())


def _memory_file_systems(process: str) -> list[tuple[int, str]]:
    """Return device and place of each, from proc_pid_mountinfo(5)."""
    found = []
    for line in os.fsdecode((_PROC / process / "mountinfo").read_bytes()).splitlines():
        before, _, after = line.partition(" - ")
        if after.startswith("tmpfs "):
            _, _, device, _, place, *_ = before.split(" ")
            major, _, minor = device.partition(":")
            unescaped = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), place)
            found.append((os.makedev(int(major), int(minor)), unescaped))
    return found


def _is_below(pid: int, leader: int, found: dict[int, _Process]) -> bool:
    seen = found.get(pid)
    while seen is not None:
        if leader in (pid, seen.session):
            return True
        pid = seen.parent
        seen = found.get(pid)
    return False


def _processes() -> Iterator[tuple[int, _Process]]:
    for pid in list_processes():
        if values := read_stat(pid):
            yield (
                pid,
                _Process(
                    parent=int(values[_PARENT]),
                    session=int(values[_SESSION]),
                    resident_pages=int(values[_RESIDENT]),
                ),
            )
