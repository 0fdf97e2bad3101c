"""What programs print: read through a pipe, and kept in a file of bounded size, to which each start appends.

A program never has the file itself: what it is given to print to is a pipe, which a thread of ours reads. So its
output takes no more of the disk than `OUTPUT_BYTES_MAX`, whatever it prints and however fast, and it can neither
truncate nor extend the file. Who reads the pipe is the process with whose end the program ends anyway, a table host
or a worker: a run that is killed has no pipe, and what a host that is killed leaves behind is killed with it.
"""

import contextlib
import errno
import os
import re
import select
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final

OUTPUT_BYTES_MAX: Final = 16 * 1024 * 1024
"""The maximum size: a program that never stops printing must not fill the disk. Past it, the beginning is kept."""

OUTPUT_BYTES_KEPT: Final = 1024 * 1024
"""How much of the beginning is kept; the last lines before the cut and later output follow it."""

LINES_KEPT: Final = 15
"""How many of the last lines are kept too: they may tell why the program ends."""

FLOOD_BYTES_PER_S: Final = 4 * 1024 * 1024
"""How fast the output of a start that has printed more than `OUTPUT_BYTES_MAX` is read: a program that prints faster
waits, instead of taking the processor from the tables."""

LAST_LINE_CHARS_MAX: Final = 200
_TAIL_BYTES: Final = 128 * 1024
"""How much of the end is searched: a trace of a thousand frames."""

_READ_BYTES: Final = 64 * 1024
"""How much is read at once: what a pipe of Linux holds."""

_SETTLE_READS_MAX: Final = 16
"""How much of the output of helpers that have survived their program is waited for: it may have no end."""

_SETTLE_S: Final = 1.0
"""How long the reading thread is waited for at most, in seconds."""


def start_thread(work: Callable[[], None], name: str) -> threading.Thread:
    """Start a thread that does not keep the process from ending.

    Raises:
        OSError: this machine has no more threads.
    """
    thread = threading.Thread(target=work, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
    return thread


class OutputFile:
    """The output file of one program or table host, to which each start appends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._from = 0
        """The position at which the current start begins."""

    def open(self, *, header: bool = False) -> IO[bytes]:
        """Open it for a process that writes to it by itself; `header` adds a line with the time of the start.

        Raises:
            OSError: it cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("ab")
        try:
            if file.tell() > OUTPUT_BYTES_MAX:
                self._cut(file, b"")
            if header:
                moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
                file.write(f"==== started {moment} UTC ====\n".encode())
                file.flush()
        except OSError:
            file.close()
            raise
        self._from = file.seek(0, os.SEEK_END)
        return file

    def append(self, data: bytes) -> None:
        """Append output; if there is no room for it, the beginning and the last lines are kept, and it follows them.

        Raises:
            OSError: it cannot be written.
        """
        with self.path.open("ab") as file:
            if file.tell() + len(data) > OUTPUT_BYTES_MAX:
                self._cut(file, data)
            else:
                file.write(data)

    def _cut(self, file: IO[bytes], data: bytes) -> None:
        """Truncate the file to its beginning and the last lines, those of output that has no room included."""
        kept = [line[:LAST_LINE_CHARS_MAX] for line in self._tail(data)[-LINES_KEPT:]]
        size = min(OUTPUT_BYTES_KEPT, file.seek(0, os.SEEK_END))
        file.truncate(size)
        self._from = min(self._from, size)
        file.write(
            b"\n==== more than %d bytes: what followed here was dropped, but for its last lines ====\n%s\n"
            % (OUTPUT_BYTES_MAX, "\n".join(kept).encode())
        )
        file.flush()

    def last_lines(self, count: int) -> list[str]:
        """Return the last non-blank lines of the current start, each cut to `LAST_LINE_CHARS_MAX` characters."""
        return [line.strip()[:LAST_LINE_CHARS_MAX] for line in self._tail()[-count:]]

    def error_line(self) -> str:
        """Return the line of the current start that says what happened, cut likewise; empty if there is none."""
        return find_error_line(self._tail())[:LAST_LINE_CHARS_MAX]

    def _tail(self, more: bytes = b"") -> list[str]:
        """Return the non-blank lines at the end of the current start and of `more`, with their indentation."""
        try:
            with self.path.open("rb") as file:
                file.seek(max(self._from, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
                data = file.read(_TAIL_BYTES)
        except OSError:
            data = b""
        text = (data + more)[-_TAIL_BYTES:].decode("utf-8", "replace")
        return [line.rstrip() for line in text.split("\n") if line.strip()]


class OutputPipe:
    """Takes what one start of a program prints, in a thread of its own, until nobody has the pipe open any more."""

    def __init__(self, file: OutputFile) -> None:
        """Begin to read what is to go to a file.

        Raises:
            OSError: this machine has no more descriptors or threads.
        """
        self._file = file
        self._reading, self.writing = os.pipe()
        """Its ends: the program inherits `writing`, and `close_writing` is called once it has been started."""
        self._read_bytes = 0
        self._is_over = False
        """Whether all has been read, up to the end of the pipe."""
        self._lock = threading.Lock()
        """Held by who reads, and writes what was read."""
        os.set_blocking(self._reading, False)
        try:
            self._thread = start_thread(self._read_all, "program output")
        except OSError:
            os.close(self._reading)
            self.close_writing()
            raise

    def close_writing(self) -> None:
        """Close our copy of the end that the program has, so that its end is the end of the output."""
        if self.writing >= 0:
            os.close(self.writing)
            self.writing = -1

    def settle(self) -> None:
        """Read what has been printed up to now; called once the program has ended, as its helpers may go on."""
        if self._lock.acquire(timeout=_SETTLE_S):
            try:
                for _ in range(_SETTLE_READS_MAX):
                    if not self._read_part():
                        break
            finally:
                self._lock.release()

    def _read_all(self) -> None:
        """Read to the end, in the thread."""
        poll = select.poll()
        poll.register(self._reading, select.POLLIN)
        while not self._is_over:
            poll.poll()
            before = self._read_bytes
            with self._lock:
                self._read_part()
            if self._read_bytes > OUTPUT_BYTES_MAX:
                time.sleep((self._read_bytes - before) / FLOOD_BYTES_PER_S)
        os.close(self._reading)

    def _read_part(self) -> bool:
        """Read once, and keep what was read; return whether there was anything. The lock is held."""
        if self._is_over:
            return False
        try:
            data = os.read(self._reading, _READ_BYTES)
        except BlockingIOError:
            return False
        self._is_over = not data
        self._read_bytes += len(data)
        if data:
            with contextlib.suppress(OSError):  # a full disk, or the folder is gone: what is printed is dropped
                self._file.append(data)
        return bool(data)


# Which line of a program's output says why it ended. Runtimes surround that line with others: stack frames, hints,
# exit statuses. What is looked for is what those of many languages have in common.

LINES_SEARCHED: Final = 15
"""How far before the end an error may be named, without stack frames and noise: an earlier one was overcome."""

LINE_CHARS_MAX: Final = 1000
"""How much of a line is looked at."""

_NOISE: Final = re.compile(
    r"\s|[\^~|+{}\[\]()=*_.-]*$|at |#\d+ |\S+\([^ ]*\)$"  # frames, and marks below a piece of the source
    r"|goroutine |created by |stack ?(back)?trace|traceback \(|node\.js v\d|node:|note: |begin failed--"
    r"|exit status \d|aborted|([0-9a-f]+:)+(fixme|warn|trace):",
    re.IGNORECASE,
)
"""A line that names no error."""

_NAMED: Final = re.compile(
    r"(?i:(un)?caught |unhandled |panic: |fatal|caused by: |thread '.*panicked|terminate called|can't locate )"
    r"|[\w.:$]*(Error|Exception)\b|.* \(\w*(Error|Exception)\)$|.*\bERROR\b|.*\b[Ee]rror ?:"
    r"|.*(?i:error while loading|segmentation fault|command not found|is not recognized as)"
    r"|.*: (?i:not found|permission denied|exec format error|no such file or directory)$"
)
"""A line that names an error in the way of some runtime."""

_TRACEBACK: Final = "Traceback (most recent call last):"
_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[^\S ]|[^\s\x20-\U0010ffff]")
"""Colours, tabs and control characters."""


def find_error_line(output: Sequence[str]) -> str:
    """Return the line that says what happened, without the blanks around it; empty if there is no output.

    That is the last line near the end that names an error; without such a line the last one that is neither a stack
    frame nor noise. `output` are whole lines, their indentation included.
    """
    lines = [line for line in map(_last_drawn, output) if line.strip()]
    left = [number for number, line in enumerate(lines) if not _NOISE.match(line)]
    named = [number for number in left[-LINES_SEARCHED:] if _NAMED.match(lines[number]) or _is_raised(lines, number)]
    if not named:
        return (lines[left[-1]] if left else lines[-1] if lines else "").strip()
    line, after = lines[named[-1]].strip(), lines[named[-1] + 1 : named[-1] + 2]
    if after and (line.endswith(":") or line.startswith("terminate called")):  # the reason follows
        return f"{line.removesuffix(':')}: {after[0].strip().removeprefix('what():').strip()}"
    return line


def _last_drawn(line: str) -> str:
    """Return a line as a terminal shows it in the end: without colours, and without what was drawn over."""
    drawn = [part for part in line.rstrip().split("\r") if part.strip()]
    return _CONTROL.sub(lambda found: " " * found[0].isspace(), drawn[-1][:LINE_CHARS_MAX]) if drawn else ""


def _is_raised(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is the first after the frames of a Python traceback, whatever the exception is called."""
    before = number - 1
    while before >= 0 and lines[before][0].isspace():
        before -= 1
    return 0 <= before < number - 1 and lines[before].startswith(_TRACEBACK)
