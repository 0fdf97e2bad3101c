"""What a program uses of the machine's memory and disk, and how it exceeds its limits.

What a program uses, with all that it has started, Linux says in /proc, but for disk space; elsewhere only the limits
apply that the system itself keeps for each process.
"""

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tourney.runtime.processes import list_processes, read_stat

_PROC: Final = Path("/proc")
_MB: Final = 1024 * 1024
_BLOCK_BYTES: Final = 512  # of st_blocks, stat(2)

_ENTRY_BYTES_MIN: Final = 4096
"""What a file or folder counts at least: empty ones take space too, and looking at any number of them takes time."""

# The places in what follows the name of the program in /proc/PID/stat, from proc_pid_stat(5), minus the first three.
_PARENT, _SESSION, _RESIDENT = 1, 3, 21


def memory_excess(leader: int, allowed_mb: int) -> str:
    """Return how the leader of a session exceeds its memory, with all that it has started; empty where it does not.

    `took 99 MB of memory, memory_mb = 64 are allowed`. What has left the session and been orphaned is not found,
    except within a sandbox with processes of its own, where it stays below the leader.
    """
    if not (_PROC / "self" / "stat").exists():
        return ""
    found = {
        pid: (int(values[_PARENT]), int(values[_SESSION]), int(values[_RESIDENT]))
        for pid in list_processes()
        if (values := read_stat(pid))
    }
    ours = {pid for pid in found if _is_below(pid, leader, found)}
    pages = sum(found[pid][2] for pid in ours)
    memory_mb = (pages * os.sysconf("SC_PAGE_SIZE") + _bytes_of_memory_files(ours)) // _MB
    return f"took {memory_mb} MB of memory, memory_mb = {allowed_mb} are allowed" if memory_mb > allowed_mb else ""


def disk_excess(folder: Path, allowed_mb: int) -> str:
    """Return in which way what is in a program's own folder exceeds its limit, as `memory_excess` does.

    Files that have been removed while they are open are not found. A folder that cannot be looked into is refused: it
    would hide what is in it.
    """
    allowed = f"disk_mb = {allowed_mb} are allowed"
    left = allowed_mb * _MB
    linked: set[tuple[int, int]] = set()
    waiting = [str(folder)]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    try:
                        found = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    if (found.st_dev, found.st_ino) in linked:
                        continue
                    if stat.S_ISDIR(found.st_mode):
                        waiting.append(entry.path)
                    elif found.st_nlink > 1:
                        linked.add((found.st_dev, found.st_ino))
                    left -= max(found.st_blocks * _BLOCK_BYTES, _ENTRY_BYTES_MIN)
                    if left < 0:
                        return f"took more than {allowed_mb} MB in its own folder, {allowed}"
        except (FileNotFoundError, NotADirectoryError):
            continue  # it has been removed meanwhile
        except OSError as error:
            return f"has a folder in its own whose size cannot be seen ({error.strerror}), {allowed}"
    return ""


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


def _is_below(pid: int, leader: int, found: dict[int, tuple[int, int, int]]) -> bool:
    while pid in found:
        parent, session, _ = found[pid]
        if leader in (pid, session):
            return True
        pid = parent
    return False
