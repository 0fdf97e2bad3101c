"""What a file states of one board at one table, unchecked, whatever its format; and what does not add up in it.

Texts are spelt as in PBN, its names of tags among them; each knows its line. Knows nothing of the rules of the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

TEXT_LENGTH_MAX: Final = 40
"""Characters of a file's own text that a sentence quotes, and the longest word that can be a call or a card."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A value, a call or a card as the file has it, and the line, counted from 1."""

    text: str
    line: int

    @property
    def quoted(self) -> str:
        """For sentences: in quotes, with nothing in it that a terminal would obey, cut when it is long."""
        return repr(self.text[:TEXT_LENGTH_MAX])


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing in a file that does not add up. `board` and `room` as the file has them, None where not known."""

    line: int
    board: str | None
    room: str | None
    text: str


@dataclass(frozen=True, slots=True)
class StatedGame:
    """One board at one table. `line` is where its record starts."""

    line: int
    tags: Mapping[str, Stated]
    """By the name of the PBN tag in lower case; those that say nothing (`""`, `?`) are left out."""
    calls: tuple[Stated, ...] | None
    """Every word of the auction; None where the file has no auction."""
    tricks: tuple[tuple[Stated, ...], ...]
    """The words of each trick."""
    cards_in_order: bool
    """Whether cards stand in the order of play; else in columns that start from the opening leader (PBN 2.1 section
    3.6)."""

    def text(self, name: str) -> str:
        """The value of a tag with nothing in it that a terminal would obey; empty where it is not known."""
        tag = self.tags.get(name)
        return "".join(c if c.isprintable() else " " for c in tag.text).strip() if tag is not None else ""

    @property
    def board(self) -> str | None:
        """The number of the board, or what else the file calls it."""
        text = self.text("board")
        return (text.lstrip("0") or text)[:TEXT_LENGTH_MAX] or None

    @property
    def room(self) -> str | None:
        """`open` or `closed`; None where the file does not say."""
        return _ROOMS.get(self.text("room").casefold())

    def finding(self, text: str, line: int | None = None) -> Finding:
        """A finding on this board; on the line where its record starts unless told otherwise."""
        return Finding(self.line if line is None else line, self.board, self.room, text)


_ROOMS: Final = {
    **dict.fromkeys(("open", "o", "open room", "offen", "ouverte", "aperta"), "open"),
    **dict.fromkeys(("closed", "c", "close", "closed room", "geschlossen", "fermee", "fermée", "chiusa"), "closed"),
}
"""PBN 2.1 chapter 4 has `Open` and `Closed`; archives have more."""
