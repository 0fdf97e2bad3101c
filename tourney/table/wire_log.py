r"""Every line of a table as data: one JSON object per line, enough to replay the board.

`t_ms` is milliseconds since 1970-01-01 UTC, `seat` N, E, S, W or null before a program has sat down, `dir` in (from
the player), out (to it) or note (a remark of the table), `line` the text: bytes outside ASCII that came in as `\xNN`,
a pass phrase as `***`.

Once its table is over, a log is packed: `match-001-open.jsonl` becomes `match-001-open.jsonl.gz`. A table that is
opened again, because the director has a board replayed, begins another `.jsonl`, which goes to the end of the same
`.gz`. Whoever writes or packs a log holds a lock on the file, which the system releases when the process is killed:
no log is packed while a table has it, and what a killed process has left is packed later by any other, once.
"""

import contextlib
import fcntl
import gzip
import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from io import FileIO
from json.encoder import encode_basestring_ascii as quote
from pathlib import Path
from typing import IO, Final, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.errors import LaunchError
from tourney.protocol.lines import USUAL_CHARS_MAX, USUAL_LINES
from tourney.protocol.pass_phrases import SEPARATOR, hide_phrase

_LOG_ON_WORDS: Final = ("connecting", "hello")
"""The words with which a log-on begins: what follows may have a pass phrase."""

_OPEN_TRIES: Final = 100
_OPEN_PAUSE_S: Final = 0.001
"""How often, and after which pause, a log is opened anew that somebody is putting aside, which takes microseconds."""

_GZIP_LEVEL: Final = 3
"""A log of 3.4 MB becomes 260 kB in 14 ms; with level 6, 210 kB in 38 ms."""

_CHUNK_BYTES: Final = 1 << 20


def _heads() -> dict[tuple[Seat | None, str], str]:
    seats = {None: "null"} | {seat: f'"{seat.letter}"' for seat in SEATS}
    return {
        (seat, direction): f', "seat": {letter}, "dir": "{direction}", "line": '
        for seat, letter in seats.items()
        for direction in ("in", "out", "note")
    }


_HEADS: Final = _heads()
"""The part of an entry between its time and its text."""


LogEntry: TypeAlias = tuple[int, Seat | None, str, str | bytes]
"""An entry: its time, the seat, the direction (`in`, `out` or `note`), and a line or a remark."""


@lru_cache(maxsize=4 * USUAL_LINES)
def _usual_rest(seat: Seat | None, direction: str, line: str | bytes) -> str | None:
    """Return an entry after its time, for lines that occur in every board; None if a phrase may have to be hidden."""
    text = line if isinstance(line, str) else line.decode("ascii", "backslashreplace")
    return _rest(seat, direction, text) if SEPARATOR not in text else None


def _rest(seat: Seat | None, direction: str, text: str) -> str:
    # By hand: a table writes hundreds of lines per board, and `json.dumps` takes four times as long.
    return f"{_HEADS[seat, direction]}{quote(text)}}}\n"


class WireLog:
    """The log of one table; `flush` is called once its lines of a moment have been written."""

    def __init__(self, path: Path, team_names: Collection[str] = ()) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: FileIO | None = _open_locked(path)
        except OSError as error:
            raise LaunchError(f"wire log {path} cannot be written: {error.strerror}") from None
        self.path = path
        self.entries: list[LogEntry] = []
        """What the next `flush` writes, the oldest first. Who has hundreds for each board appends them by itself."""
        self._team_names = team_names
        self._last_ms = 0

    def write(self, t_ms: int, seat: Seat | None, direction: str, line: str | bytes) -> None:
        """Add an entry; `direction` is `in`, `out` or `note`."""
        self.entries.append((t_ms, seat, direction, line))

    def flush(self) -> None:
        """Write the entries to the file. A full disk ends the log, never the table."""
        file, entries = self._file, self.entries
        if not entries:
            return
        texts = []
        last_ms = self._last_ms
        for t_ms, seat, direction, line in entries:
            # Times never go back: of two lines that come together, the second is read when the first is answered.
            if t_ms > last_ms:  # noqa: PLR1730 # no call for every line
                last_ms = t_ms
            rest = _usual_rest(seat, direction, line) if len(line) <= USUAL_CHARS_MAX else None
            texts.append(f'{{"t_ms": {last_ms}{rest or self._rest(seat, direction, line)}')
        self._last_ms = last_ms
        entries.clear()
        if file is None:
            return
        left = memoryview("".join(texts).encode("ascii"))
        try:
            while left:
                left = left[file.write(left) :]
        except OSError:
            self.close()

    def _rest(self, seat: Seat | None, direction: str, line: str | bytes) -> str:
        """Return an entry after its time, with no pass phrase in it."""
        text = line if isinstance(line, str) else line.decode("ascii", "backslashreplace")
        if SEPARATOR in text and (seat is None or text.lstrip().lower().startswith(_LOG_ON_WORDS)):
            text = hide_phrase(text, self._team_names)
        return _rest(seat, direction, text)

    def close(self) -> None:
        """Flush and close the log."""
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


def _aside_path(path: Path) -> Path:
    """Return where a log is while it is packed."""
    return path.with_name(f"{path.name}.1")


def list_logs(folder: Path) -> list[Path]:
    """List the logs in a folder that are not packed, by the names under which they are written."""
    names = {file.name.removesuffix(".1") for pattern in ("*.jsonl", "*.jsonl.1") for file in folder.glob(pattern)}
    return [folder / name for name in sorted(names)]


def iter_entries(path: Path) -> Iterator[str]:
    """Yield the entries of a log, one line of JSON each: first those that have been packed.

    Args:
        path: the log as it is named while it is written.

    Raises:
        OSError: it cannot be read; FileNotFoundError where there is no such log, packed or not.
    """
    packed, aside = packed_path(path), _aside_path(path)
    is_packed, is_aside = packed.exists(), aside.exists()
    if is_packed:
        with gzip.open(packed, "rt", encoding="ascii") as file:
            yield from file
    if is_aside:
        with aside.open("rb") as log:
            is_aside = not (is_packed and _ends_with(packed, log))
    for left in ([aside] if is_aside else []) + ([path] if path.exists() or not is_packed else []):
        with left.open(encoding="ascii") as file:
            yield from file


def pack_logs(paths: Iterable[Path]) -> None:
    """Pack logs, but for those that are not there or that a table has open; what cannot be packed stays as it is."""
    for path in paths:
        aside = _aside_path(path)
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
