"""One board at one table as read from a file of any format, unchecked, and the findings on it.

Texts are spelt as in PBN, and so are the names of tags; each text has its line. The rules of the game are not known
here: `tourney.scorefile` checks what was read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tourney.formats.ascii import printable

TEXT_LENGTH_MAX: Final = 40
"""Characters of a file's text that a message quotes, and the longest word that can be a call or a card."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A value, a call or a card as written in the file, and its line, counted from 1."""

    text: str
    line: int

    @property
    def quoted(self) -> str:
        """The text for a message: in quotes, with control characters escaped, and shortened if it is long."""
        return repr(self.text[:TEXT_LENGTH_MAX])


@dataclass(frozen=True, slots=True)
class SourceFinding:
    """Something in a file that does not add up. `board` and `room` are as there, None if it does not give them."""

    file: str
    """What messages call the file."""
    line: int
    board: str | None
    room: str | None
    text: str


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A table of scores: its columns in lower case, and the words of each row with its line."""

    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class UncheckedGame:
    """One board at one table. `line` is where its record starts, `file` what messages call its file."""

    file: str
    line: int
    tags: Mapping[str, SourceText]
    """Values by the names of PBN tags in lower case, without unknown ones (`""`, `?`)."""
    calls: tuple[SourceText, ...] | None
    """Every word of the auction; None if the file has no auction."""
    tricks: tuple[tuple[SourceText, ...], ...]
    """The words of each trick."""
    cards_in_order: bool
    """Whether cards are in the order of play; otherwise in columns that start from the opening leader (PBN 2.1
    section 3.6)."""
    tables: Mapping[str, "ScoreTable"] = field(default_factory=dict)
    """The tables of scores that PBN has for a board or a session, by the names of their tags in lower case."""

    def text(self, name: str) -> str:
        """Returns the value of a tag without control characters; empty if it is not known."""
        tag = self.tags.get(name)
        if tag is None:
            return ""
        return (tag.text if tag.text.isprintable() else printable(tag.text)).strip()

    @property
    def board(self) -> str | None:
        """The number of the board, or whatever the file calls it; None if it does not give one."""
        text = self.text("board")
        return (text.lstrip("0") or text)[:TEXT_LENGTH_MAX] or None

    @property
    def room(self) -> str | None:
        """`open` or `closed`; None if the file does not give the room."""
        return _ROOMS.get(self.text("room").casefold())

    def finding(self, text: str, line: int | None = None) -> SourceFinding:
        """Returns a finding on this board, by default on the line where its record starts."""
        return SourceFinding(self.file, self.line if line is None else line, self.board, self.room, text)


_ROOMS: Final = {
    **dict.fromkeys(("open", "o", "open room", "offen", "ouverte", "aperta"), "open"),
    **dict.fromkeys(("closed", "c", "close", "closed room", "geschlossen", "fermee", "fermée", "chiusa"), "closed"),
}
"""The words for the rooms: `Open` and `Closed` in PBN 2.1 chapter 4, others in archives."""
