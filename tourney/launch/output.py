"""The file that receives the output of a program: each start appends to it, its size is bounded."""

import os
import time
from pathlib import Path
from typing import IO, Final

OUTPUT_BYTES_MAX: Final = 16 * 1024 * 1024
"""The maximum size: a program that never stops printing must not fill the disk. Past it, the beginning is kept."""

OUTPUT_BYTES_KEPT: Final = 1024 * 1024
"""How much of the beginning is kept; later output follows it."""

LAST_LINE_CHARS_MAX: Final = 200
_TAIL_BYTES: Final = 16 * 1024
_START: Final = b"==== start "


class OutputFile:
    """The output file of one program. Writers append, so that it can be truncated while they write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._from = 0
        """The position at which the current start begins."""

    def open(self, *, header: bool = False) -> IO[bytes]:
        """Open it for a program about to be started; `header` adds a line with the time of the start.

        Raises:
            OSError: it cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("ab")
        if header:
            number = 1 + self.path.read_bytes().count(_START)
            moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
            file.write(b"%s%d, %s UTC ====\n" % (_START, number, moment.encode()))
            file.flush()
        self._from = file.tell()
        return file

    def bound(self) -> None:
        """Truncate the file if it has exceeded its maximum size."""
        size = self.path.stat().st_size
        if size <= OUTPUT_BYTES_MAX:
            return
        os.truncate(self.path, OUTPUT_BYTES_KEPT)
        self._from = min(self._from, OUTPUT_BYTES_KEPT)
        with self.path.open("ab") as file:
            file.write(b"\n==== more than %d bytes: what followed here was dropped ====\n" % OUTPUT_BYTES_MAX)

    def last_lines(self, count: int) -> list[str]:
        """Return the last non-blank lines of the current start, each cut to `LAST_LINE_CHARS_MAX` characters."""
        try:
            with self.path.open("rb") as file:
                file.seek(max(self._from, self.path.stat().st_size - _TAIL_BYTES))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return []
        lines = [line.strip()[:LAST_LINE_CHARS_MAX] for line in text.split("\n") if line.strip()]
        return lines[-count:]
