"""The processes that we have started, recorded so that those left behind by a killed run or host can be ended.

A record is a file of JSON lines beside the output of the processes. A process is identified by its id and the time of
its start, so that another process that has been given the same id is never touched. A process is left behind when its
owner, the process that started it, is gone.
"""

import asyncio
import contextlib
import ctypes
import functools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

RECORD_NAME: Final = "processes.jsonl"

MARK: Final = "TOURNEY_PROCESS"
"""The environment variable that a started process and its helpers carry; its value is in the record."""

ASK: Final = signal.SIGTERM
"""What asks a program to end."""

KILL: Final = signal.SIGKILL
"""What ends a program at once."""

_KILL_S: Final = 2.0
"""How long a killed process may take to vanish, in seconds; longer only if it is stuck in a system call."""

_POLL_S: Final = 0.02
_POLL_CHILD_S: Final = 0.1
_ROUNDS_MAX: Final = 3
"""Rounds of a sweep: the hosts that end in the first leave programs for a second, and a third finds nothing."""


class ProcessId(NamedTuple):
    """Identifies a process of this machine for all time: ids are reused, but not together with the time of the start.

    The time is counted from the boot of the machine, so that setting the clock does not change it; that of libraries
    such as psutil moves with the clock.
    """

    pid: int
    start: str
    """On Linux the boot id and the start in clock ticks since boot; elsewhere the second, as `ps` prints it."""


@dataclass(frozen=True, slots=True)
class StartedProcess:
    """A line of the record: the leader of a process group that we have started."""

    name: str
    pid: int
    start: str
    owner_pid: int
    """The process that has started it."""
    owner_start: str
    mark: str
    """The value of `MARK` in its environment."""
    grace_s: float
    """How long it may take to end after it has been asked to, in seconds."""

    @property
    def process(self) -> ProcessId:
        return ProcessId(self.pid, self.start)

    @property
    def owner(self) -> ProcessId:
        return ProcessId(self.owner_pid, self.owner_start)


class _Seen(NamedTuple):
    pid: int
    group: int
    start: str
    is_over: bool
    """Whether it has ended and only waits for its parent to read its exit status."""
    is_suspended: bool = False
    """Whether a signal has stopped it."""


# A child that dies with us, however we die

_PR_SET_PDEATHSIG: Final = 1  # prctl(2)
_ORPHANED_STATUS: Final = 70
"""The exit status of a child whose parent has died before it could become its program."""


def parent_death_hook() -> Callable[[], None] | None:
    """Return a function that a child runs before its program, so that it dies with this thread; None except on Linux.

    Linux ties the signal to the thread that starts the child, so children are started by the thread that lives
    longest, that of the event loop. The signal reaches only the child, not what the child starts.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # looked up here, to do as little as possible between fork and exec
    parent = os.getpid()

    def ask_for_signal() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the signal was asked for
            os._exit(_ORPHANED_STATUS)

    return ask_for_signal


# The record


def started_process(name: str, pid: int, mark: str, grace_s: float) -> StartedProcess:
    """Make the line for a child of this process; if it has already ended, its helpers are known by the mark."""
    seen, owner = _read_process(pid), own_process_id()
    start = seen.start if seen is not None else ""
    return StartedProcess(name, pid, start, owner.pid, owner.start, mark, grace_s)


def own_process_id() -> ProcessId:
    """Return the id of this process."""
    return _process_id_of(os.getpid())


@functools.cache  # by the pid, which differs after a fork
def _process_id_of(pid: int) -> ProcessId:
    seen = _read_process(pid)
    assert seen is not None
    return ProcessId(pid, seen.start)


def record_process(path: Path, started: StartedProcess) -> None:
    """Append a line to a record.

    Raises:
        OSError: the record cannot be written.
    """
    with path.open("ab", buffering=0) as file:  # one write, so that lines of several hosts do not mix
        file.write(json.dumps(asdict(started)).encode() + b"\n")


def load_processes(path: Path) -> list[StartedProcess]:
    """Load the lines of a record; lines that a kill has cut short are ignored, and a missing file is empty."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return []
    return [started for line in lines if (started := _parse_line(line)) is not None]


def _parse_line(line: bytes) -> StartedProcess | None:
    try:
        started = StartedProcess(**json.loads(line))
        is_one_group = started.pid > 1  # 0 would be our own group, and 1 every process
    except (ValueError, TypeError):
        return None
    return started if is_one_group else None


# What is running


def is_running(process: ProcessId) -> bool:
    seen = _read_process(process.pid)
    return seen is not None and seen.start == process.start and not seen.is_over


async def until_ended(child: "subprocess.Popen[bytes]") -> int:
    """Wait for a child of this process; return its exit status, or minus the number of the signal that ended it.

    Linux says when it has ended, without a thread; elsewhere we look now and then, in any event loop. The child is
    killed if the event loop ends before it.
    """
    loop, has_ended = asyncio.get_running_loop(), asyncio.Event()
    with contextlib.ExitStack() as opened:
        try:
            with contextlib.suppress(AttributeError, OSError):  # another system, an old one, or no descriptor is left
                descriptor = os.pidfd_open(child.pid)
                opened.callback(os.close, descriptor)
                loop.add_reader(descriptor, has_ended.set)
                opened.callback(loop.remove_reader, descriptor)
                await has_ended.wait()
            while (status := child.poll()) is None:  # noqa: ASYNC110 # nothing else tells us
                await asyncio.sleep(_POLL_CHILD_S)
        except asyncio.CancelledError:
            child.kill()
            child.wait()
            raise
    return status


def is_suspended(process: ProcessId) -> bool:
    """Whether a signal has stopped a process, which keeps its files and locks meanwhile."""
    seen = _read_process(process.pid)
    return seen is not None and seen.start == process.start and seen.is_suspended


def signal_group(leader: int, number: signal.Signals) -> None:
    """Signal a process that we have started, and its group, which we know to be there."""
    with contextlib.suppress(OSError):
        os.killpg(leader, number)


def signal_members(started: StartedProcess, number: signal.Signals) -> None:
    """Signal the processes of a group but for its leader, which ends with them and says how."""
    for _, pids in _running([started]):
        for pid in pids:
            if pid != started.pid:
                _send(pid, number)


def end_helpers(started: StartedProcess) -> None:
    """Kill what is left of the group of a process that has ended."""
    try:
        os.killpg(started.pid, 0)  # usually nothing is left: found without listing all processes
    except (ProcessLookupError, PermissionError):
        return
    _signal([started], KILL)


def end_marked(mark: str) -> None:
    """Kill what carries the mark of a process that has ended: helpers that have left its group."""
    for _ in range(_ROUNDS_MAX):  # what is killed may have started more
        found = _find_marks({mark}, _read_processes()).get(mark, [])
        if not found:
            return
        for pid in found:
            _send(pid, KILL)


def _running(on_record: Iterable[StartedProcess]) -> list[tuple[StartedProcess, list[int]]]:
    """Find the recorded processes with anything still running, with the ids of the running processes of each.

    A group is ours while its leader is the recorded process. Once the leader is gone, its number may have been
    reused: then only processes that carry our mark count, as in other groups, which can be seen only on Linux.
    """
    on_record = list(on_record)
    groups: dict[int, list[_Seen]] = {}
    for seen in _read_processes():
        groups.setdefault(seen.group, []).append(seen)
    ours: dict[int, list[int]] = {}
    for number, started in enumerate(on_record):
        group = groups.get(started.pid, [])
        if any((seen.pid, seen.start) == started.process for seen in group):
            ours[number] = [seen.pid for seen in groups.pop(started.pid) if not seen.is_over]
    others = [seen for group in groups.values() for seen in group]
    marked = _find_marks({started.mark for started in on_record}, others)
    found = [
        (started, [*ours.get(number, []), *marked.get(started.mark, [])]) for number, started in enumerate(on_record)
    ]
    return [(started, pids) for started, pids in found if pids]


def _signal(on_record: Iterable[StartedProcess], number: signal.Signals) -> None:
    for _, pids in _running(on_record):
        for pid in pids:
            _send(pid, number)


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


# The sweep


def sweep_processes(folder: Path, spare: Collection[ProcessId] = ()) -> list[str]:
    """End the processes recorded below `folder` that earlier runs have left behind; return a sentence for each.

    A process is left behind when its owner is gone. It is asked to end, with its whole group, and killed if it does
    not. Records without a running process are removed.

    Args:
        folder: where the records are.
        spare: processes to leave alone although their owner is gone, along with the processes they own.
    """
    sentences = end_left_behind(folder, spare)
    for path in _records(folder):
        on_record = load_processes(path)
        if not _running(on_record) and not any(is_running(owner) for owner in {line.owner for line in on_record}):
            path.unlink(missing_ok=True)
    return sentences


def end_left_behind(folder: Path, spare: Collection[ProcessId] = ()) -> list[str]:
    """Do the same as `sweep_processes`, but keep the records, which others are writing."""
    sentences = []
    for _ in range(_ROUNDS_MAX):
        on_record = [started for path in _records(folder) for started in load_processes(path)]
        running = _running(started for started in on_record if started.process not in spare)
        left = [started for started, _ in running if not is_running(started.owner)]
        if not left:
            break
        _signal(left, ASK)
        _wait_for(left, max(started.grace_s for started in left))
        _signal(left, KILL)
        stuck = _wait_for(left, _KILL_S)
        for started in left:
            how = "cannot be ended" if started in stuck else "has been ended"
            sentences.append(f"{started.name}, process {started.pid}, was left by an earlier run and {how}")
        if stuck:
            break
    return sentences


def _records(folder: Path) -> list[Path]:
    return sorted(folder.rglob(RECORD_NAME))


def _wait_for(left: Iterable[StartedProcess], seconds: float) -> list[StartedProcess]:
    """Wait until the processes have ended; return those that have not in time."""
    deadline = time.monotonic() + seconds
    while (running := _running(left)) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    return [started for started, _ in running]


# What the system says about its processes: /proc of Linux, `ps` elsewhere, which tells no marks

_PROC: Final = Path("/proc")
_HAS_PROC: Final = (_PROC / "self" / "stat").exists()


def _read_process(pid: int) -> _Seen | None:
    if _HAS_PROC:
        return _read_proc(pid)
    found = _read_ps(["-p", str(pid)])
    return next((seen for seen in found if seen.pid == pid), None)


def _read_processes() -> list[_Seen]:
    if _HAS_PROC:
        return [seen for pid in list_processes() if (seen := _read_proc(pid)) is not None]
    return _read_ps(["-ax"])


def list_processes() -> Iterator[int]:
    """Yield the processes that /proc has."""
    return (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal())


def read_stat(pid: int) -> list[str]:
    """Return what /proc/PID/stat says from the state on; nothing of a process that has ended."""
    try:
        text = (_PROC / str(pid) / "stat").read_bytes().decode("latin-1")
    except OSError:
        return []
    # The name of the program is in parentheses and may contain blanks and more parentheses (proc_pid_stat(5)).
    return text.rpartition(")")[2].split()


def _read_proc(pid: int) -> _Seen | None:
    values = read_stat(pid)
    if not values:
        return None
    state, _parent, group, *rest = values
    return _Seen(pid, int(group), f"{_boot()}/{rest[16]}", is_over=state in "ZX", is_suspended=state in "Tt")


@functools.cache
def _boot() -> str:
    """Return the id of the current boot of the machine; empty where a sandbox hides it."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _find_marks(marks: Collection[str], among: Iterable[_Seen]) -> dict[str, list[int]]:
    """Find the processes that carry one of these marks, by the mark."""
    found: dict[str, list[int]] = {}
    for seen in among if marks else ():
        if not seen.is_over and (mark := _mark_of(seen.pid)) and mark in marks:
            found.setdefault(mark, []).append(seen.pid)
    return found


def _mark_of(pid: int) -> str:
    """Return the mark of a process; empty without one, and where that is not to be seen."""
    beginning = f"{MARK}=".encode()
    try:
        variables = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:  # it has ended, or is another user's
        return ""
    if beginning not in variables:
        return ""
    mark = next((each for each in variables.split(b"\0") if each.startswith(beginning)), b"")
    return mark.removeprefix(beginning).decode("ascii", "replace")


def _read_ps(which: list[str]) -> list[_Seen]:
    done = subprocess.run(  # noqa: S603 # fixed words
        ["/bin/ps", *which, "-o", "pid=,pgid=,stat=,lstart="],
        capture_output=True,
        check=False,
        text=True,
        env={"LC_ALL": "C"},
    )
    seen = []
    for line in done.stdout.splitlines():
        pid, group, state, start = line.split(None, 3)
        is_over, is_suspended = state.startswith("Z"), state.startswith("T")
        seen.append(_Seen(int(pid), int(group), " ".join(start.split()), is_over, is_suspended))
    return seen
