"""Why a database cannot be used, or is slow: one sentence with what to do, and whether it may pass.

A write to an SQLite file waits for the lock that another process has, or for the disk; both are measured here.
"""

import os
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from tourney.errors import StoreError, StoreLocked, StoreUnavailable

# Locks

SLOW_MS: Final = 300
"""A write that waits so long for a lock or for the disk is slow; usual ones take between 0.03 and 30 ms."""

_LOCKS: Final = Path("/proc/locks")
_OURS: Final = b"tourney"


@dataclass(frozen=True, slots=True)
class LockHolder:
    """The process that has the write lock of an SQLite file."""

    pid: int
    name: str
    """The name of its program, as the system shortens it; empty where it cannot be read."""
    is_ours: bool
    """Whether it is a process of tourney, such as a table host."""

    def __str__(self) -> str:
        what = f"process {self.pid}"
        if self.is_ours:
            return f"{what} of tourney"
        return f"{what} ({self.name})" if self.name else what


def find_lock_holder(file: Path | None, *, is_writer: bool = True) -> LockHolder | None:
    """Find the process that has the write lock of an SQLite file; None if nobody has it, or the system does not say.

    Without `is_writer` it is the first other process that has any lock on it, as everybody has who has it open.

    Nothing is opened: to close the file that the locks are on would release those of this process.
    """
    if file is None:
        return None
    # With a write-ahead log the locks are on the file of its index, otherwise on the database itself.
    inodes = {}
    for path in (file.with_name(f"{file.name}-shm"), file):
        try:
            inodes[path.stat().st_ino] = path
        except OSError:
            continue
    try:
        lines = _LOCKS.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return None
    for line in lines:
        # 1: POSIX  ADVISORY  WRITE 7064 fe:01:1234 120 120
        words = line.split()
        if len(words) < 8 or words[1] != "POSIX" or not words[5].rpartition(":")[2].isdecimal():
            continue
        locked = inodes.get(int(words[5].rpartition(":")[2]))
        if locked is None or (not is_writer and int(words[4]) == os.getpid()):
            continue
        if is_writer and (words[3] != "WRITE" or (locked != file and not _is_write_lock(words[6], words[7]))):
            continue
        return _describe_process(int(words[4]))
    return None


def _is_write_lock(first: str, last: str) -> bool:
    """Return whether a lock on the index of a log is the one writer's (sqlite.org/walformat.html, section 2.3.1)."""
    write = 120
    return first.isdecimal() and int(first) <= write and (not last.isdecimal() or int(last) >= write)


def _describe_process(pid: int) -> LockHolder:
    process = Path("/proc") / str(pid)
    try:
        name = process.joinpath("comm").read_text("utf-8", "replace").strip()
        words = process.joinpath("cmdline").read_bytes()
    except OSError:
        name, words = "", b""
    is_ours = pid == os.getpid() or any(
        _OURS in Path(os.fsdecode(word)).name.encode() for word in words.split(b"\0")[:4]
    )
    return LockHolder(pid, "".join(each if each.isprintable() else "?" for each in name), is_ours)


# Failures

_PRIMARY: Final = 0xFF
"""An extended result code of SQLite holds the primary one in its lowest byte (sqlite.org/rescode.html)."""

_SQLITE_LASTING: Final = {
    sqlite3.SQLITE_NOTADB: "name another file, or put a backup in its place",
    sqlite3.SQLITE_CORRUPT: "put a backup in its place; keep the damaged file until the event is over",
    sqlite3.SQLITE_READONLY: "its file and its folder must be writable for you",
    sqlite3.SQLITE_CANTOPEN: "its folder must be there, and be writable for you",
}
_SQLITE_PASSING: Final = {
    sqlite3.SQLITE_FULL: "make room and try again; what is on record stays",
    # Quotas and drives of the network end here.
    sqlite3.SQLITE_IOERR: "look at the disk and try again; what is on record stays",
}

_SQLITE_LOCKED: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_SERVER_FULL: Final = "53100"
_SERVER_PASSING: Final = ("08", "53", "57P", "40001", "40P01", "55P03", "57014", "25P03", "58030")
"""How SQLSTATEs begin that may pass (PostgreSQL 16, appendix A).

The connection, resources (memory, connections, disk), an operator's shutdown or a server that starts, two that
waited for each other, limits of time, and the server's own input and output.
"""

_REFUSALS: Final = re.compile(
    r"authentication failed|no password supplied|no pg_hba\.conf entry|does not exist|permission denied|: invalid "
)
"""A server that is asked for a connection gives its SQLSTATE to libpq, which keeps only the words."""

_HINT: Final = re.compile(r" Is the server running[^?]*\?")
"""libpq asks what we then advise."""

_TRY_AGAIN: Final = "see that the server runs and can be reached, and try again"
_OTHER_URL: Final = "mend the URL of the database, or make what it names"


def is_locked(error: sqlite3.Error) -> bool:
    """Return whether somebody else has had the lock of an SQLite file for too long."""
    return _primary_code(error) in _SQLITE_LOCKED


def _primary_code(error: sqlite3.Error) -> int:
    # sqlite3's own errors, such as a closed connection, have none.
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY


def sqlite_failure(name: str, error: sqlite3.Error, holder: LockHolder | None = None) -> StoreError:
    """Return the error of an SQLite file.

    Args:
        name: which file, such as "database sqlite:///event.db".
        error: the driver's.
        holder: who has the lock of a file that is locked, if that is known.
    """
    words = one_line(error)
    code = _primary_code(error)
    if code in _SQLITE_LOCKED:
        return StoreLocked(f"{name}: {words}: {_describe_lock(holder)}")
    if code in _SQLITE_PASSING:
        return StoreUnavailable(f"{name}: {words}: {_SQLITE_PASSING[code]}")
    if code in _SQLITE_LASTING:
        return StoreError(f"{name}: {words}: {_SQLITE_LASTING[code]}")
    return StoreError(f"{name}: {words}")


def _describe_lock(holder: LockHolder | None) -> str:
    if holder is None:
        return "another process holds it, or waits for a slow disk: end that program, or try again"
    if holder.is_ours:
        return f"{holder} holds it, which waits for the disk or does much at once: look at the disk, and try again"
    return f"{holder} holds it: end that program, or try again"


def postgres_failure(name: str, words: str, error: BaseException, *, is_lost: bool) -> StoreError:
    """Return the error of a PostgreSQL server.

    Args:
        name: which database, without its password.
        words: what the driver said, on one line, without a password.
        error: the driver's.
        is_lost: without an SQLSTATE, the connection is what failed.
    """
    words = _HINT.sub("", words)
    state = getattr(error, "sqlstate", None)
    if state == _SERVER_FULL:
        return StoreUnavailable(f"{name}: {words}: make room on the server's disk; what is on record stays")
    if state is not None and state.startswith(_SERVER_PASSING):
        return StoreUnavailable(f"{name}: {words}: try again")
    if state is not None or not is_lost:
        return StoreError(f"{name}: {words}")
    if _REFUSALS.search(words):
        return StoreError(f"{name}: {words}: {_OTHER_URL}")
    return StoreUnavailable(f"{name}: {words}: {_TRY_AGAIN}")


def one_line(error: Any) -> str:  # whatever a driver raised
    """Return the error's own words on one line; its kind when it has none."""
    return " ".join(str(error).split()) or type(error).__name__


# Delays


@dataclass(frozen=True, slots=True)
class Delay:
    """The longest waits of some time, in milliseconds."""

    lock_ms: int
    disk_ms: int
    holder: LockHolder | None
    """Who had the lock, if that was seen."""


class Delays:
    """Notes slow writes of one process; quick ones cost it nothing but a look at the clock."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._lock_ms = 0
        self._disk_ms = 0
        self._holder: LockHolder | None = None
        self._guard = Lock()

    def check(self) -> None:
        """Look who has the lock that a write waits for."""
        holder = find_lock_holder(self._file)
        with self._guard:
            self._holder = holder or self._holder

    def note(self, lock_s: float, disk_s: float = 0.0) -> None:
        """Note how long a write has waited for its lock, and for the disk."""
        lock_ms, disk_ms = int(1000 * lock_s), int(1000 * disk_s)
        if lock_ms >= SLOW_MS or disk_ms >= SLOW_MS:
            with self._guard:
                self._lock_ms = max(self._lock_ms, lock_ms)
                self._disk_ms = max(self._disk_ms, disk_ms)

    def take(self) -> Delay | None:
        """Return what was slow since the last time; None if nothing was."""
        if not self._lock_ms and not self._disk_ms:
            return None
        with self._guard:
            delay = Delay(
                self._lock_ms if self._lock_ms >= SLOW_MS else 0,
                self._disk_ms if self._disk_ms >= SLOW_MS else 0,
                self._holder,
            )
            self._lock_ms = self._disk_ms = 0
            self._holder = None
        return delay


def format_delay(name: str, folder: Path | None, delay: Delay) -> str:
    """Say what is slow, and where: the disk of a folder, another program, or a server."""
    where = f"the disk of {folder}" if folder is not None else f"the server of {name}"
    if delay.holder is not None and not delay.holder.is_ours:
        return f"{delay.holder} held {name} for {delay.lock_ms / 1000:.1f} s: the tables wait for it"
    if delay.disk_ms >= delay.lock_ms or (delay.holder is not None and delay.holder.is_ours):
        slow_ms = max(delay.disk_ms, delay.lock_ms)
        return f"{where} is slow: it took {slow_ms / 1000:.1f} s to put a write on it, and the tables wait for it"
    return (
        f"{name} was locked for {delay.lock_ms / 1000:.1f} s, by another program or because {where} is slow: "
        "the tables wait for it"
    )
