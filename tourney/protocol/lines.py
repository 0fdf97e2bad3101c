"""Bytes to lines: CR LF or LF ends a line (BC-01); a line over the limit is dropped and reported once (BC-03)."""

from dataclasses import dataclass
from typing import Final

from tourney.errors import FormatError

LINE_BYTES_MAX: Final = 8192
"""Maximum length of a line. Real programs send alerts of 1,500 characters; this bounds a client without line ends."""

USUAL_CHARS_MAX: Final = 40
"""Maximum length of the lines that recur on every board: requests, calls and cards without a remark. The longest is
`South ready for dummy's card to trick 13`."""

USUAL_LINES: Final = 1024
"""Number of such lines whose parsed form is cached. In one style the four seats have about 700."""

_APOSTROPHES: Final = (b"\xe2\x80\x99", b"\xe2\x80\x98", b"\x92")
"""Curly apostrophes: the protocol is printed with them, and programs send them as UTF-8 or Windows-1252."""


@dataclass(frozen=True, slots=True)
class Overlong:
    """A dropped line of more than `limit` bytes."""

    limit: int


class LineBuffer:
    """Splits received bytes into complete lines without their ends. Never holds more than the limit."""

    __slots__ = ("_dropping", "_limit", "_pending")

    def __init__(self, limit: int = LINE_BYTES_MAX) -> None:
        self._limit = limit
        self._pending = b""
        self._dropping = False

    @property
    def pending(self) -> bytes:
        """Bytes received so far without a line end."""
        return self._pending

    def take_whole(self, data: bytes) -> bytes | None:
        """Return the line if `data` is exactly one line, as it usually is; else None.

        In that case pass `data` to `feed`.
        """
        last = len(data) - 1
        if self._pending or self._dropping or data.find(b"\n") != last or not 0 <= last <= self._limit:
            return None
        return data[: last - 1] if data.endswith(b"\r\n") else data[:last]

    def feed(self, data: bytes) -> list[bytes | Overlong]:
        """Return the lines that `data` completes, in order."""
        whole = self.take_whole(data)
        if whole is not None:
            return [whole]
        *complete, rest = (self._pending + data).split(b"\n")
        lines: list[bytes | Overlong] = []
        for line in complete:
            if self._dropping:
                self._dropping = False  # the end of a line already reported as too long
            elif len(line) > self._limit:
                lines.append(Overlong(self._limit))
            else:
                lines.append(line.removesuffix(b"\r"))
        if self._dropping:
            rest = b""
        elif len(rest) > self._limit:
            lines.append(Overlong(self._limit))
            self._dropping = True
            rest = b""
        self._pending = rest
        return lines


def decode_line(line: bytes) -> str:
    """Decode a line.

    Raises:
        FormatError: a byte outside 32..126 (a tab counts as a blank, curly apostrophes as straight ones).
    """
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError:
        for apostrophe in _APOSTROPHES:
            line = line.replace(apostrophe, b"'")
        try:
            text = line.decode("ascii")
        except UnicodeDecodeError as error:
            raise FormatError(
                f"byte {line[error.start]} at column {error.start + 1} is outside the characters 32..126"
            ) from None
    if text.isprintable():
        return text
    text = text.replace("\t", " ")
    for column, char in enumerate(text, 1):
        if not char.isprintable():
            raise FormatError(f"byte {ord(char)} at column {column} is outside the characters 32..126")
    return text
