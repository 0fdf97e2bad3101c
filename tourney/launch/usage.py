"""What a program uses, with all that it has started: memory, processes and threads, processor time.

Linux says so in /proc; elsewhere only the limits that the system itself keeps for each process apply.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tourney.store.control.host_settings import ProgramLimits

_PROC: Final = Path("/proc")
_MB: Final = 1024 * 1024

# The places in what follows the name of the program in /proc/PID/stat, from proc_pid_stat(5), minus the first three.
_PARENT, _SESSION, _USER_TICKS, _CHILDREN_TICKS_END, _THREADS, _RESIDENT = 1, 3, 11, 15, 17, 21


class _Process(NamedTuple):
    parent: int
    session: int
    ticks: int
    """Processor time, with that of children that have ended and been waited for."""
    threads: int
    resident_pages: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program uses at a moment; `cpu_s` since its start."""

    memory_mb: int
    processes: int
    cpu_s: float

    def excess(self, limits: ProgramLimits) -> str:
        """Return which limit is exceeded, `took 99 MB of memory, memory_mb = 64 are allowed`; empty if none is."""
        if limits.memory_mb is not None and self.memory_mb > limits.memory_mb:
            return f"took {self.memory_mb} MB of memory, memory_mb = {limits.memory_mb} are allowed"
        if limits.processes is not None and self.processes > limits.processes:
            return f"was {self.processes} processes and threads, processes = {limits.processes} are allowed"
        if limits.cpu_s is not None and self.cpu_s > limits.cpu_s:
            return f"took {self.cpu_s:.0f} s of processor time, cpu_s = {limits.cpu_s} are allowed"
        return ""


def measure(leader: int) -> Usage | None:
    """Measure what the leader of a session and all that it has started use; None where the system does not say.

    What has left the session and been orphaned is not found, except within a sandbox with processes of its own, where
    it stays below the leader.
    """
    if not (_PROC / "self" / "stat").exists():
        return None
    found = dict(_processes())
    ours = {pid for pid in found if _is_below(pid, leader, found)}
    pages = sum(found[pid].resident_pages for pid in ours)
    ticks = sum(found[pid].ticks for pid in ours)
    return Usage(
        memory_mb=pages * os.sysconf("SC_PAGE_SIZE") // _MB,
        processes=sum(found[pid].threads for pid in ours),
        cpu_s=ticks / os.sysconf("SC_CLK_TCK"),
    )


def _is_below(pid: int, leader: int, found: dict[int, _Process]) -> bool:
    seen = found.get(pid)
    while seen is not None:
        if leader in (pid, seen.session):
            return True
        pid = seen.parent
        seen = found.get(pid)
    return False


def _processes() -> Iterator[tuple[int, _Process]]:
    for entry in _PROC.iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            text = (entry / "stat").read_bytes().rpartition(b")")[2]
        except OSError:
            continue  # it has ended
        values = text.split()
        yield (
            int(entry.name),
            _Process(
                parent=int(values[_PARENT]),
                session=int(values[_SESSION]),
                ticks=sum(map(int, values[_USER_TICKS:_CHILDREN_TICKS_END])),
                threads=int(values[_THREADS]),
                resident_pages=int(values[_RESIDENT]),
            ),
        )
