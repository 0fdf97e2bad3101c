"""The header of an SQLite file, read while connections of this process may be open."""

import os
from pathlib import Path
from threading import Lock
from typing import Final

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
