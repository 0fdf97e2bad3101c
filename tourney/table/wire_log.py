r"""Every line of a table as data: one JSON object per line, enough to replay the board.

`t_ms` is milliseconds since 1970-01-01 UTC, `seat` N, E, S, W or null before a program has sat down, `dir` in (from
the player), out (to it) or note (a remark of the table), `line` the text: bytes outside ASCII that came in as `\xNN`,
a pass phrase as `***`.
"""

import contextlib
from collections.abc import Collection
from functools import lru_cache
from io import FileIO
from json.encoder import encode_basestring_ascii as quote
from pathlib import Path
from typing import Final, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.errors import LaunchError
from tourney.protocol.lines import USUAL_CHARS_MAX, USUAL_LINES
from tourney.protocol.pass_phrases import SEPARATOR, hide_phrase

_LOG_ON_WORDS: Final = ("connecting", "hello")
"""The words with which a log-on begins: what follows may have a pass phrase."""


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
            # Unbuffered: the entries of a turn are collected here and written in one piece.
            self._file: FileIO | None = path.open("ab", buffering=0)
        except OSError as error:
            raise LaunchError(f"wire log {path} cannot be written: {error.strerror}") from None
        self.path = path
        self.entries: list[LogEntry] = []
        """What the next `flush` writes, the oldest first. Who has hundreds for each board appends them by itself."""
        self._team_names = team_names

    def write(self, t_ms: int, seat: Seat | None, direction: str, line: str | bytes) -> None:
        """Add an entry; `direction` is `in`, `out` or `note`."""
        self.entries.append((t_ms, seat, direction, line))

    def flush(self) -> None:
        """Write the entries to the file. A full disk ends the log, never the table."""
        file, entries = self._file, self.entries
        if not entries:
            return
        texts = []
        for t_ms, seat, direction, line in entries:
            rest = _usual_rest(seat, direction, line) if len(line) <= USUAL_CHARS_MAX else None
            texts.append(f'{{"t_ms": {t_ms}{rest or self._rest(seat, direction, line)}')
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
