r"""Every line of a table as data: one JSON object per line, enough to replay the board.

`t_ms` is milliseconds since 1970-01-01 UTC, `seat` N, E, S, W or null before a program has sat down, `dir` in (from
the player), out (to it) or note (a remark of the table), `line` the text: bytes outside ASCII that came in as `\xNN`,
a passphrase as `***`.

Once its table is over, a log is packed: `match-001-open.jsonl` becomes `match-001-open.jsonl.gz`. A table that is
opened again, because the director has a board replayed, begins another `.jsonl`, which goes to the end of the same
`.gz`. Whoever writes or packs a log holds a lock on the file, which the system releases when the process is killed:
no log is packed while a table has it, and what a killed process has left is packed later by any other, once.
"""

import contextlib
import errno
import fcntl
import gzip
import logging
import os
import shutil
import time
from collections.abc import Collection, Iterable
from datetime import UTC
from functools import lru_cache
from io import FileIO
from json.encoder import encode_basestring_ascii as quote
from pathlib import Path
from typing import IO, Final

from tourney.bridge import SEATS, Seat
from tourney.errors import LaunchError
from tourney.protocol.access import SEPARATOR, hide_phrase
from tourney.protocol.admission import TokenBucket
from tourney.protocol.lines import USUAL_CHARS_MAX, USUAL_LINES
from tourney.protocol.session.driver import LogEntry
from tourney.times import format_second

_LOGGER: Final = logging.getLogger(__name__)

TRY_AGAIN_S: Final = 1.0
"""After how long a log that could not be written is tried again, with the lines of that moment."""

UNAUTHENTICATED_LINES_PER_S: Final = 20
UNAUTHENTICATED_LINES_AT_ONCE: Final = 500
"""Lines from and to connections without a seat that go into the wire log; those of programs that we start always
do."""

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)

_LOG_ON_WORDS: Final = ("connecting", "hello")
"""The words with which a log-on begins: what follows may have a passphrase."""

_OPEN_TRIES: Final = 100
_OPEN_PAUSE_S: Final = 0.001
"""How often, and after which pause, a log is opened anew that somebody is putting aside, which takes microseconds."""

_GZIP_LEVEL: Final = 3
"""A log of 3.4 MB becomes 260 kB in 14 ms; with level 6, 210 kB in 38 ms."""

_CHUNK_BYTES: Final = 1 << 20


_HEADS: Final = {
    (seat, direction): f', "seat": {letter}, "dir": "{direction}", "line": '
    for seat, letter in ((None, "null"), *((seat, quote(seat.letter)) for seat in SEATS))
    for direction in ("in", "out", "note")
}
"""The part of an entry between its time and its text."""

_TIME: Final = '{"t_ms": %d'
"""The part before that: formatted without a call, as there are hundreds for each board."""


@lru_cache(maxsize=4 * USUAL_LINES)
def _usual_rest(seat: Seat | None, direction: str, line: str | bytes) -> str | None:
    """Return an entry after its time, for lines that occur in every board; None if a phrase may have to be hidden."""
    text = _text_of(line)
    return _rest(seat, direction, text) if SEPARATOR not in text else None


def _text_of(line: str | bytes) -> str:
    return line if isinstance(line, str) else line.decode("ascii", "backslashreplace")


def _rest(seat: Seat | None, direction: str, text: str) -> str:
    # By hand: a table writes hundreds of lines per board, and `json.dumps` takes four times as long.
    return f"{_HEADS[seat, direction]}{quote(text)}}}\n"


class WireLog:
    """The log of one table. Entries wait until there are many of them, a tenth of a second at most.

    Of a host that is killed it may lack the last of them; calls and cards among them are on record.

    While it cannot be written, such as on a full disk, its lines are counted, and `problem` says so; when it can be
    written again, a note in it says how many are missing, from when and till when. The table plays on meanwhile.
    """

    def __init__(self, path: Path, team_names: Collection[str] = ()) -> None:
        """Open the log, or begin it.

        Raises:
            LaunchError: it cannot be opened, for another reason than that there is no room.
        """
        self.path = path
        self.entries: list[LogEntry] = []
        """What the next `flush` writes, the oldest first. Who has hundreds for each board appends them by itself."""
        self.problem: str | None = None
        """A sentence while the log cannot be written."""
        self._team_names = team_names
        self._last_ms = 0
        self._file: FileIO | None = None
        self._size = 0
        """How long the file is, as far as this log has written it."""
        self._missing = 0
        """How many entries could not be written since the last one that could."""
        self._missing_from_ms = 0
        self._reason = ""
        self._is_cut_off = False
        """Whether the file may end in the middle of an entry."""
        self._try_again_s = 0.0
        self._unauthenticated_lines = TokenBucket(UNAUTHENTICATED_LINES_PER_S, UNAUTHENTICATED_LINES_AT_ONCE)
        self._left_out = 0
        """Lines of connections without a seat that are left out, and have not been counted in the log yet."""
        try:
            self._open()
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise LaunchError(f"wire log {path} cannot be written: {error.strerror}") from None
            self._record_problem(error)

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _open_locked(self.path)
        self._size = os.fstat(self._file.fileno()).st_size

    def write(self, t_ms: int, seat: Seat | None, direction: str, line: str | bytes) -> None:
        """Add an entry that is kept whoever it is of; `direction` is `in`, `out` or `note`."""
        self.entries.append((t_ms, seat, True, direction, line))

    def _take_texts(self) -> list[str]:
        """Return the entries as they are written, less those that are left out."""
        texts = []
        last_ms = self._last_ms
        began = _TIME % last_ms
        for t_ms, seat, is_ours, direction, line in self.entries:
            if seat is None and not is_ours:  # outsiders must not fill the disk
                if not self._unauthenticated_lines.take_one(t_ms):
                    self._left_out += 1
                    continue
                if self._left_out:
                    note = _rest(None, "note", self._take_left_out())
                    texts.append(_TIME % max(last_ms, t_ms) + note)
            # Times never go back: of two lines that come together, the second is read when the first is answered.
            if t_ms > last_ms:
                last_ms, began = t_ms, _TIME % t_ms
            rest = _usual_rest(seat, direction, line) if len(line) <= USUAL_CHARS_MAX else None
            texts.append(began + (rest or self._rest(seat, direction, line)))
        self._last_ms = last_ms
        self.entries.clear()
        return texts

    def flush(self) -> None:
        """Write the entries to the file."""
        if not self.entries:
            return
        first_ms = max(self._last_ms, self.entries[0][0])
        texts = self._take_texts()
        if not texts:
            return
        if self.problem is not None:
            if time.monotonic() < self._try_again_s:
                self._count_missing(first_ms, len(texts))
                return
            since = format_second(self._missing_from_ms, UTC)
            note = f"{self._missing} lines are missing here, since {since}: {self._reason}"
            # The newline makes a line of its own of what is left of an entry that was cut off.
            cut = "\n" if self._is_cut_off else ""
            texts.insert(0, cut + _TIME % first_ms + _rest(None, "note", note))
        data = "".join(texts).encode("ascii")
        left = memoryview(data)
        had_problem = self.problem is not None
        try:
            if self._file is None:
                self._open()
            assert self._file is not None
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            self._reconnect(len(data) - len(left))
            self._count_missing(first_ms, len(texts) - had_problem)
            self._record_problem(error)
        else:
            self._size += len(data)
            if had_problem:
                _LOGGER.warning(
                    "the wire log is written again, %d lines are missing", self._missing, extra=self._extra("resumed")
                )
            self.problem, self._missing, self._is_cut_off = None, 0, False

    def _reconnect(self, written: int) -> None:
        """Take back what was written of entries that did not fit, unless somebody else has written since."""
        if not written or self._file is None:
            return
        try:
            if os.fstat(self._file.fileno()).st_size == self._size + written:
                self._file.truncate(self._size)
                return
        except OSError:
            pass
        self._size += written
        self._is_cut_off = True

    def _count_missing(self, first_ms: int, count: int) -> None:
        if not self._missing:
            self._missing_from_ms = first_ms
        self._missing += count

    def _record_problem(self, error: OSError) -> None:
        self._try_again_s = time.monotonic() + TRY_AGAIN_S
        self._reason = error.strerror or str(error)
        if self.problem is None:
            self.problem = f"wire log {self.path} cannot be written, lines are missing from it: {self._reason}"
            _LOGGER.warning(self.problem, extra=self._extra("broken"))

    def _extra(self, what: str) -> dict[str, str]:
        return {"action": f"wire_log_{what}", "path": str(self.path)}

    def _rest(self, seat: Seat | None, direction: str, line: str | bytes) -> str:
        """Return an entry after its time, with no passphrase in it."""
        text = _text_of(line)
        if SEPARATOR in text and (seat is None or text.lstrip().lower().startswith(_LOG_ON_WORDS)):
            text = hide_phrase(text, self._team_names)
        return _rest(seat, direction, text)

    def _take_left_out(self) -> str:
        """Return a remark on how many lines have been left out since the last one."""
        left_out, self._left_out = self._left_out, 0
        return f"{left_out} lines of connections without a seat, or to them, are left out here"

    def close(self) -> None:
        """Flush and close the log."""
        self._try_again_s = 0.0
        self.flush()
        if self._left_out:
            self.write(self._last_ms, None, "note", self._take_left_out())
        if self.problem is not None:  # so that the gap is marked, if there is room by now
            self._try_again_s = 0.0
            self.write(self._last_ms, None, "note", "the log ends")
        self.flush()
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()


def _open_locked(path: Path) -> FileIO:
    """Open a log to append to it, as one that must not be packed."""
    for _ in range(_OPEN_TRIES):
        # Unbuffered: the entries of a turn are collected and written in one piece.
        file = path.open("ab", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if _is_at(path, file.fileno()):
                return file
        except BlockingIOError:
            pass  # somebody who packs it is about to take it away
        except OSError:
            return file  # a file system without locks, where nothing is packed
        file.close()
        time.sleep(_OPEN_PAUSE_S)
    return path.open("ab", buffering=0)


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether an open file is the one that is at a path."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


# Packed logs


def packed_path(path: Path) -> Path:
    """Return where a log is once it is packed: `match-001-open.jsonl.gz`."""
    return path.with_name(f"{path.name}.gz")


def list_logs(folder: Path) -> list[Path]:
    """List the logs in a folder that are not packed, by the names under which they are written."""
    names = {file.name.removesuffix(".1") for pattern in ("*.jsonl", "*.jsonl.1") for file in folder.glob(pattern)}
    return [folder / name for name in sorted(names)]


def pack_logs(paths: Iterable[Path]) -> None:
    """Pack logs, but for those that are not there or that a table has open; what cannot be packed stays as it is."""
    for path in paths:
        aside = path.with_name(f"{path.name}.1")
        with contextlib.suppress(OSError):
            if aside.exists():  # somebody who packed it was killed
                _pack(aside, aside, packed_path(path))
            _pack(path, aside, packed_path(path))


def _pack(path: Path, aside: Path, packed: Path) -> None:
    """Move what is in a log to the end of its packed file.

    The log is put aside first, so that a table that begins another need not wait. The new packed file is complete and
    on the disk before it takes the place of the old one, and only then is the log removed. Of somebody killed in
    between, both are there; the log is then found at the end of the packed file, and not added again.

    Args:
        path: the log.
        aside: where it is put, or already is.
        packed: the packed file.

    Raises:
        OSError: it is not there, or somebody has it open; or the folder cannot be written.
    """
    part = packed.with_name(f"{packed.name}.part")
    with path.open("rb") as log:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not _is_at(path, log.fileno()):
            return
        if path != aside:
            os.link(path, aside)
            path.unlink()
        try:
            if not (packed.exists() and _ends_with(packed, log)):
                with part.open("wb") as file:
                    if packed.exists():
                        with packed.open("rb") as before:
                            shutil.copyfileobj(before, file)
                    with gzip.GzipFile("", "wb", _GZIP_LEVEL, file) as member:
                        log.seek(0)
                        shutil.copyfileobj(log, member, _CHUNK_BYTES)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(packed)
            aside.unlink()
        finally:
            part.unlink(missing_ok=True)


def _ends_with(packed: Path, log: IO[bytes]) -> bool:
    """Return whether the contents of a packed file end with those of a log."""
    length = os.fstat(log.fileno()).st_size
    with gzip.open(packed) as file:
        size = 0
        while chunk := file.read(_CHUNK_BYTES):
            size += len(chunk)
        if size < length:
            return False
        file.seek(size - length)
        log.seek(0)
        while chunk := log.read(_CHUNK_BYTES):
            if file.read(len(chunk)) != chunk:
                return False
    return True
