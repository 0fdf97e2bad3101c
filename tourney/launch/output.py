"""The file that receives the output of a program: each start appends to it, its size is bounded."""

import os
import time
from pathlib import Path
from typing import IO, Final

from tourney.launch.error_lines import find_error_line

OUTPUT_BYTES_MAX: Final = 16 * 1024 * 1024
"""The maximum size: a program that never stops printing must not fill the disk. Past it, the beginning is kept."""

OUTPUT_BYTES_KEPT: Final = 1024 * 1024
"""How much of the beginning is kept; the last lines before the cut and later output follow it."""

LINES_KEPT: Final = 15
"""How many of the last lines are kept too: they may tell why the program ends."""

LAST_LINE_CHARS_MAX: Final = 200
_TAIL_BYTES: Final = 128 * 1024
"""How much of the end is searched: a trace of a thousand frames."""

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
        kept = [line[:LAST_LINE_CHARS_MAX] for line in self._tail()[-LINES_KEPT:]]
        os.truncate(self.path, OUTPUT_BYTES_KEPT)
        self._from = min(self._from, OUTPUT_BYTES_KEPT)
        with self.path.open("ab") as file:
            file.write(
                b"\n==== more than %d bytes: what followed here was dropped, but for its last lines ====\n%s\n"
                % (OUTPUT_BYTES_MAX, "\n".join(kept).encode())
            )

    def last_lines(self, count: int) -> list[str]:
        """Return the last non-blank lines of the current start, each cut to `LAST_LINE_CHARS_MAX` characters."""
        return [line.strip()[:LAST_LINE_CHARS_MAX] for line in self._tail()][-count:]

    def error_line(self) -> str:
        """Return the line of the current start that says what happened, cut likewise; empty if there is none."""
        return find_error_line(self._tail())[:LAST_LINE_CHARS_MAX]

    def _tail(self) -> list[str]:
        """Return the non-blank lines at the end of the current start, with their indentation."""
        try:
            with self.path.open("rb") as file:
                file.seek(max(self._from, self.path.stat().st_size - _TAIL_BYTES))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return []
        return [line.rstrip() for line in text.split("\n") if line.strip()]
