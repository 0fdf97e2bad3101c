r"""Every line of a table, as data: one JSON object a line, enough to replay the board.

`t_ms` milliseconds since 1970-01-01 UTC, `seat` N, E, S, W or null before a program has sat down, `dir` in (from the
player), out (to it) or note (a remark of the table), `line` the text: bytes outside ASCII as `\xNN`, a pass phrase as
`***`.
"""

import contextlib
from collections.abc import Collection
from json.encoder import encode_basestring_ascii as quote
from pathlib import Path
from typing import IO

from tourney.bridge import Seat
from tourney.errors import LaunchError
from tourney.protocol.pass_phrases import SEPARATOR, hide_phrase


class WireLog:
    """Appends to the log of one table; `flush` is called once a turn of the loop."""

    def __init__(self, path: Path, team_names: Collection[str] = ()) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] | None = path.open("a", encoding="ascii")
        except OSError as error:
            raise LaunchError(f"wire log {path} cannot be written: {error.strerror}") from None
        self.path = path
        self._team_names = team_names

    def write(self, t_ms: int, seat: Seat | None, direction: str, line: str | bytes) -> None:
        if self._file is None:
            return
        text = line if isinstance(line, str) else line.decode("ascii", "backslashreplace")
        if SEPARATOR in text and (seat is None or text.lstrip().lower().startswith("connecting")):
            text = hide_phrase(text, self._team_names)
        letter = f'"{seat.letter}"' if seat is not None else "null"
        # By hand: a table writes hundreds of lines a board, and `json.dumps` takes four times as long.
        self._file.write(f'{{"t_ms": {t_ms}, "seat": {letter}, "dir": "{direction}", "line": {quote(text)}}}\n')

    def flush(self) -> None:
        """Hand what was written to the system. A full disk ends the log, never the table."""
        if self._file is None:
            return
        try:
            self._file.flush()
        except OSError:
            self.close()

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
