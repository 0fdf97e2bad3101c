"""What a program uses, with all that it has started: memory, processes and threads, processor time, disk space.

Linux says so in /proc, but for disk space; elsewhere only the limits that the system itself keeps for each process
apply.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tourney.launch.processes import list_processes, read_stat
from tourney.store.control.host_settings import ProgramLimits

_PROC: Final = Path("/proc")
_MB: Final = 1024 * 1024
_BLOCK_BYTES: Final = 512  # of st_blocks, stat(2)

_ENTRY_BYTES_MIN: Final = 4096
"""What a file or folder counts at least: empty ones take space too, and looking at any number of them takes time."""

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
        memory_mb=(pages * os.sysconf("SC_PAGE_SIZE") + _bytes_of_memory_files(ours)) // _MB,
        processes=sum(found[pid].threads for pid in ours),
        cpu_s=ticks / os.sysconf("SC_CLK_TCK"),
    )


def disk_excess(folder: Path, limits: ProgramLimits) -> str:
    """Return in which way what is in a program's own folder exceeds its limit, as `Usage.excess` does.

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
                    found = _look_at(entry)
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


def _look_at(entry: "os.DirEntry[str]") -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None


def _bytes_of_memory_files(pids: Iterable[int]) -> int:
    """Return the size of the file systems in memory that only these processes have, such as /tmp within walls.

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
                    ticks=sum(map(int, values[_USER_TICKS:_CHILDREN_TICKS_END])),
                    threads=int(values[_THREADS]),
                    resident_pages=int(values[_RESIDENT]),
                ),
            )
