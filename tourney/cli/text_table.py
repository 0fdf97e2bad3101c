"""Tables of text: laid out here where they fit as they are, and by Rich where a terminal is too narrow for them.

Both come out the same. Rich takes as long to load and to draw a cross-table of many teams as the rest of the command.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table

_NO_PLACE: Final = str.maketrans(dict.fromkeys(map(ord, "\a\b\v\f\r"), None))
"""Characters that would move what comes after them; Rich leaves them out too."""

_TAB: Final = 8


@dataclass(slots=True)
class TextTable:
    """Rows of texts under headings; a heading that starts with `>` is that of a column of figures."""

    headings: tuple[str, ...]
    is_ruled: bool = False
    """Whether there is a line below the headings, and an empty one between sections, as terminals show it."""
    show_header: bool = True
    _rows: list[tuple[str, ...]] = field(init=False, default_factory=list)
    _sections: set[int] = field(init=False, default_factory=set)
    """How many rows there are above each new section."""

    def add_row(self, *cells: str) -> None:
        """A row: a text for each column, or for the first ones; a line feed begins a new line of a cell."""
        self._rows.append((*cells, *[""] * (len(self.headings) - len(cells))))

    def add_section(self) -> None:
        """What comes next stands apart from what is above."""
        self._sections.add(len(self._rows))

    def lines(self) -> list[str]:
        """The table as it is when nothing is cut or wrapped, all lines of one width; the headings come first."""
        rows = [[cell.split("\n") for cell in map(clean, cells)] for cells in self._all_rows()]
        widths = [max(map(cell_width, chain.from_iterable(cells)), default=0) for cells in zip(*rows, strict=True)]
        figures = [heading.startswith(">") for heading in self.headings]
        gap = " " * (3 if self.is_ruled else 2)
        lines = []
        first = 1 if self.show_header else 0
        for number, cells in enumerate(rows):
            if self.is_ruled and number - first in self._sections and number > first:
                lines.append(" " * (sum(widths) + len(gap) * (len(widths) - 1)))
            for place in range(max(map(len, cells))):
                texts = [cell[place] if place < len(cell) else "" for cell in cells]
                lines.append(gap.join(map(_fill, texts, widths, figures)))
            if self.is_ruled and self.show_header and number == 0:
                lines.append("─" * (sum(widths) + len(gap) * (len(widths) - 1)))
        return lines

    def _all_rows(self) -> Iterator[tuple[str, ...]]:
        if self.show_header:
            yield tuple(heading.removeprefix(">") for heading in self.headings)
        yield from self._rows

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "Iterator[Table]":
        """Let Rich draw it, in a terminal that is too narrow or on a page that changes."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(
            box=SIMPLE_HEAD if self.is_ruled else None, pad_edge=False, show_edge=False, show_header=self.show_header
        )
        for heading in self.headings:
            table.add_column(heading.removeprefix(">"), justify="right" if heading.startswith(">") else "left")
        for number, cells in enumerate(self._rows):
            if number in self._sections:
                table.add_section()
            table.add_row(*cells)
        yield table


def clean(text: str) -> str:
    """The text as it is printed: tabs are blanks, and nothing moves backwards."""
    text = text.translate(_NO_PLACE)
    return text if "\t" not in text else "\n".join(line.expandtabs(_TAB) for line in text.split("\n"))


def cell_width(text: str) -> int:
    """How many columns of a terminal a line takes; letters of some scripts take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fill(text: str, width: int, is_figure: bool) -> str:
    if is_figure:
        text = text.rstrip()
    blanks = " " * (width - cell_width(text))
    return blanks + text if is_figure else text + blanks
