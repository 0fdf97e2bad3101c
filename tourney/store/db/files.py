"""Files of databases: made as a whole, and noticed when something else is written into them while they are in use.

A connection does not notice: it goes on with what it has in memory and in the log. So an SQLite file has a number,
which is read from the file itself. Backups have none: one that is copied over a database in use is noticed as well.
"""

import os
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from tourney.errors import StoreError, StoreUnavailable

if TYPE_CHECKING:  # who makes a file without a database need not load what reads one
    from sqlalchemy import Connection

    from tourney.store.db.database import Database

# Files that come into being whole: built in a folder of their own, on the disk before they get their name


def make_file(path: Path, build: Callable[[Path], None]) -> None:
    """Make a file that is not there yet, or leave no trace.

    Nobody but its owner and its group may read it: it holds boards that are still to be played.

    Args:
        path: what it will be called; its folder is there.
        build: writes it at the path it is given, in a folder that holds nothing else.

    Raises:
        FileExistsError: there is one of this name by now; it stays as it is.
        StoreError: it cannot be written, or what `build` raises.
    """
    if path.exists():
        raise FileExistsError(path)
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
            part = Path(folder, path.name)
            build(part)
            part.chmod(part.stat().st_mode & ~0o007)
            sync_path(part)
            _name(part, path)
        sync_path(path.parent)
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreError(f"file {path} cannot be written: {error.strerror}") from None


def _name(part: Path, path: Path) -> None:
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as that of a memory stick
        if path.exists():
            raise FileExistsError(path) from None
        part.rename(path)


def sync_path(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# The number of an SQLite file, by which it is noticed that something else was written into it while it was in use

HEADER_BYTES: Final = 100
"""The size of the header (sqlite.org/fileformat.html, section 1.3)."""

_kept: dict[tuple[int, int], int] = {}
"""Descriptors that stay open, by device and inode."""

_guard: Final = Lock()


def read_header(file: Path) -> bytes:
    """Read the header of a file; it is shorter where the file is.

    When a process closes any descriptor of a file, it loses all its locks on that file (fcntl(2)), those of its
    SQLite connections too. Another program that then closes the database takes itself for the last one, and removes
    the log in which these connections go on writing: nobody sees what they write (sqlite.org/howtocorrupt.html,
    section 2.2). So a descriptor is kept for as long as its file has a name.

    Raises:
        OSError: the file cannot be read.
    """
    with _guard:
        for key, descriptor in list(_kept.items()):
            if os.fstat(descriptor).st_nlink == 0:
                os.close(_kept.pop(key))
        found = file.stat()
        descriptor = _kept.get((found.st_dev, found.st_ino), -1)
        if descriptor < 0:
            descriptor = os.open(file, os.O_RDONLY)
            opened = os.fstat(descriptor)
            _kept.setdefault((opened.st_dev, opened.st_ino), descriptor)
        return os.pread(descriptor, HEADER_BYTES, 0)


_MAGIC: Final = b"SQLite format 3\0"
_NUMBER: Final = slice(68, 72)
"""Where the header has the application id (sqlite.org/fileformat.html, section 1.3), big-endian."""


def give_identity(database: "Database") -> None:
    """Give an SQLite file a number, if it has none."""
    if database.file is None or load_identity(database):
        return
    with database.write() as connection:
        if _read_identity(connection):
            return
        connection.exec_driver_sql(f"PRAGMA application_id = {1 + secrets.randbelow(2**31 - 1)}")
    with suppress(StoreUnavailable), database.outside() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")  # from the log into the file


def load_identity(database: "Database") -> int:
    """Load the number of an SQLite file as its connections see it; 0 if it has none, or is no file."""
    if database.file is None:
        return 0
    with database.read() as connection:
        return _read_identity(connection)


def _read_identity(connection: "Connection") -> int:
    return int(connection.exec_driver_sql("PRAGMA application_id").scalar_one())


class FileWatch:
    """Looks whether the file of a database in use is still that file; of a server's database nothing is known."""

    def __init__(self, database: "Database") -> None:
        """Note which file it is."""
        self._database = database
        self._identity = load_identity(database)
        self._is_seen = False
        """Whether the number has been in the file; before, it may still be in the log."""

    def check(self) -> None:
        """Check that the file has not been overwritten.

        Raises:
            StoreError: it has been.
        """
        file = self._database.file
        if file is None or not self._identity:
            return
        try:
            header = read_header(file)
        except OSError:
            return  # that it is gone is found elsewhere
        found = int.from_bytes(header[_NUMBER]) if header.startswith(_MAGIC) else None
        if found == self._identity:
            self._is_seen = True
        elif found != 0 or self._is_seen:
            raise StoreError(
                f"database {self._database} was overwritten while it was in use, and nothing in it can be relied on: "
                "end what uses it, and put a backup in its place with `tourney db restore EVENT BACKUP`"
            )
