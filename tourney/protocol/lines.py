"""Bytes to lines and back: CR LF or LF ends a line (BC-01); one over the limit is dropped, reported once (BC-03).

Version 18 knows ASCII only. What players say in their own words, an alert or the name of a team, may have other
letters: they are read as UTF-8, or else as Latin-1, and sent as the receiver's profile says.

Two lines to a player are kept apart unless it has sent one in between (BC-50, `Pacer`): some programs take one line
per TCP read and lose the second. The gap counts from the last line written; a line received from the player shows
that it has read ours, and ends the wait.
"""

import enum
import unicodedata
from collections import deque
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from tourney.errors import FormatError
from tourney.formats.ascii import to_ascii

LINE_BYTES_MAX: Final = 8192
"""Maximum length of a line. Real programs send alerts of 1,500 characters; this bounds a client without line ends."""

USUAL_CHARS_MAX: Final = 40
"""Maximum length of the lines that recur on every board: requests, calls and cards without a remark. The longest is
`South ready for dummy's card to trick 13`."""

USUAL_LINES: Final = 1024
"""Number of such lines whose parsed form is cached. In one style the four seats have about 700."""

_APOSTROPHES: Final = str.maketrans(
    dict.fromkeys("\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}", "'")
)
"""Curly apostrophes: the protocol is printed with them, and programs send them."""

_START_BYTES: Final = 64
"""How much is kept of a line that is dropped."""

_BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""What some libraries send in front of the first line of a connection in UTF-8."""

_CUT: Final = " ..."


class Charset(enum.StrEnum):
    """How letters outside ASCII are sent to a program."""

    UTF_8 = "utf-8"
    LATIN_1 = "latin-1"
    """One byte a letter; what has none is written in ASCII, as near as possible."""
    ASCII = "ascii"
    """Only ASCII, as version 18 says: letters lose their marks, others become `?`."""


@dataclass(frozen=True, slots=True)
class Overlong:
    """A dropped line of more than `limit` bytes."""

    limit: int
    start: bytes = field(default=b"", compare=False)
    """Its first bytes, where they are known."""


class LineBuffer:
    """Splits received bytes into complete lines without their ends. Never holds more than the limit."""

    __slots__ = ("_limit", "pending")

    def __init__(self, limit: int = LINE_BYTES_MAX) -> None:
        self._limit = limit
        self.pending: bytes | None = b""
        """Bytes received so far without a line end; None within a line that is dropped."""

    def feed(self, data: bytes) -> list[bytes | Overlong]:
        """Return the lines that `data` completes, in order."""
        *complete, rest = ((self.pending or b"") + data).split(b"\n")
        lines: list[bytes | Overlong] = []
        is_dropping = self.pending is None
        for line in complete:
            if is_dropping:
                is_dropping = False  # the end of a line already reported as too long
            elif len(line) > self._limit:
                lines.append(Overlong(self._limit, line[:_START_BYTES]))
            else:
                lines.append(line.removesuffix(b"\r"))
        if not is_dropping and len(rest) > self._limit:
            lines.append(Overlong(self._limit, rest[:_START_BYTES]))
            is_dropping = True
        self.pending = None if is_dropping else rest
        return lines


def decode_line(line: bytes) -> str:
    """Decode a line: as UTF-8, or else as Windows-1252, which is Latin-1 with letters in place of controls.

    A tab and other spaces become blanks, what has no shape of its own (such as marks of writing direction) becomes
    the replacement character. The result is printable.

    Raises:
        FormatError: a control character.
    """
    text = line.decode("ascii") if line.isascii() else _decode_letters(line)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _replacement(char, at) for at, char in enumerate(text, 1))


def straighten(text: str) -> str:
    """Return the text with straight apostrophes; no other character moves."""
    return text if text.isascii() else text.translate(_APOSTROPHES)


def spell_line(line: str, charset: Charset) -> str:
    """Return a line as its receiver can take it: in the letters of its character set, within our limit of bytes."""
    if line.isascii() and len(line) <= LINE_BYTES_MAX:
        return line
    if charset is Charset.ASCII:
        line = to_ascii(line)
    elif charset is Charset.LATIN_1:
        composed = unicodedata.normalize("NFC", line)
        line = "".join(char if char <= "\xff" else to_ascii(char) for char in composed)
    data = encode_line(line, charset)
    if len(data) <= LINE_BYTES_MAX:
        return line
    # A letter may take more bytes than it came in.
    return data[: LINE_BYTES_MAX - len(_CUT)].decode(charset.value, "ignore") + _CUT


def encode_line(line: str, charset: Charset) -> bytes:
    """Encode a line from `spell_line`, without its end; what the character set lacks becomes `?`."""
    return line.encode() if charset is Charset.UTF_8 else line.encode(charset.value, "replace")


def can_carry(text: str, charset: Charset) -> bool:
    """Return whether a character set has every letter of a text."""
    return charset is Charset.UTF_8 or all(char <= ("\xff" if charset is Charset.LATIN_1 else "~") for char in text)


def _decode_letters(line: bytes) -> str:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        # A text cut in the middle of its last letter, by a program that counts bytes.
        is_cut = error.reason == "unexpected end of data" and not line[: error.start].isascii()
        text = line.decode("utf-8" if is_cut else "cp1252", "replace")
    return text.removeprefix(_BYTE_ORDER_MARK)


def _replacement(char: str, column: int) -> str:
    """Return what stands for a character that is not printable.

    Raises:
        FormatError: it is a control character.
    """
    category = unicodedata.category(char)
    if char == "\t" or category.startswith("Z"):
        return " "
    if category == "Cc":
        raise FormatError(f"byte {ord(char)} at column {column} is a control character")
    return "\N{REPLACEMENT CHARACTER}"


Item = TypeVar("Item")


class Pacer(Generic[Item]):
    """Queue of the lines to be written on one connection, oldest first."""

    __slots__ = ("free_at_ms", "gap_ms", "waiting")

    def __init__(self, gap_ms: int) -> None:
        self.gap_ms = gap_ms
        self.free_at_ms = 0
        """Until when the next line has to wait; 0, in the past, before the first and once the player has sent one."""
        self.waiting: deque[Item] = deque()

    def put(self, item: Item) -> None:
        self.waiting.append(item)

    def note_received(self) -> None:
        """Note that the player has sent a line, which ends the gap."""
        self.free_at_ms = 0

    def take(self, now_ms: int) -> Item | None:
        """Return the next line to write now, or None if there is none or it must wait."""
        if not self.waiting or now_ms < self.free_at_ms:
            return None
        self.free_at_ms = now_ms + self.gap_ms
        return self.waiting.popleft()

    @property
    def due_at_ms(self) -> int | None:
        """Time when the next queued line may be written, in the past or 0 for at once; None if the queue is empty."""
        return self.free_at_ms if self.waiting else None

    @property
    def is_empty(self) -> bool:
        return not self.waiting
