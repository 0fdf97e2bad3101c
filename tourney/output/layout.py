"""Tables and lines of text laid out for a screen: columns that fit, words that are never cut.

A table that is wider than the screen is wrapped at words first. What is still too wide loses columns, those of least
worth first: they are left out, or stand below their row, or begin a new part of the table, as the table says.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Final, TypeAlias

from tourney.output.content import text_of
from tourney.output.tables import TextTable
from tourney.terminal import show_controls

GAP: Final = 2
RULED_GAP: Final = 3
"""Blanks between two columns, and in a terminal where there is room."""

CELL_LINES_MAX: Final = 3
"""Into how many lines, about, a cell is wrapped before its column has to go: more is hard to read."""

HEADING_LINES_MAX: Final = 6
"""The same of headings, which are read once."""

INDENT_MAX: Final = 10
"""How far what stands below a row is indented at most."""

_TAB: Final = 8

_WORDS: Final = re.compile(r"\S+")

_Lines: TypeAlias = list[str]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a table with everything that is in it."""

    place: int
    """Its number among the columns of the table, from 0."""
    heading: str
    is_figure: bool
    worth: int
    cells: Sequence[_Lines]

    @property
    def width(self) -> int:
        """The width that it has where there is room."""
        return max(map(cell_width, chain([self.heading], *self.cells)), default=0)

    @property
    def width_min(self) -> int:
        """The least width in which it can be read."""
        lines = chain.from_iterable(self.cells)
        longest = max(map(cell_width, lines), default=0)
        words = (cell_width(word) for line in chain([self.heading], *self.cells) for word in _WORDS.findall(line))
        least = max(-(-longest // CELL_LINES_MAX), -(-cell_width(self.heading) // HEADING_LINES_MAX))
        return max(least, max(words, default=0))


def layout_table(table: TextTable, width: int | None = None, rule: str = "") -> list[str]:
    """Lay out a table: lines that are no longer than the screen is wide, the headings first.

    Args:
        table: the table.
        width: the columns of the screen; None for as many as the table needs.
        rule: what the line below the headings is made of, which also sets sections apart, as in terminals; empty for
            plain aligned text.
    """
    columns = [
        _Column(
            place,
            clean(column.name),
            column.is_figure,
            column.worth,
            [clean(text_of(row[place])).split("\n") for row in table.rows],
        )
        for place, column in enumerate(table.columns)
    ]
    gap = RULED_GAP if rule else GAP
    if width is not None and not _fits(columns, gap, width):
        gap = GAP
        if not _fits(columns, gap, width, wrapped=True):
            return _lay_out_narrow(table, columns, width, rule)
    widths = _widths(columns, gap, width)
    return _lay_out(table, columns, widths, gap, lambda _: [], rule)


def _fits(columns: Sequence[_Column], gap: int, width: int, *, wrapped: bool = False) -> bool:
    widths = (column.width_min if wrapped else column.width for column in columns)
    return sum(widths) + gap * (len(columns) - 1) <= width


def _widths(columns: Sequence[_Column], gap: int, width: int | None) -> list[int]:
    """Share the screen between columns: those that are narrower than their share have what they need."""
    wished = [column.width for column in columns]
    room = sum(wished) if width is None else width - gap * (len(columns) - 1)
    if sum(wished) <= room:
        return wished
    least = [column.width_min for column in columns]
    while sum(least) > max(room, len(least)):  # a screen that is narrower than a few words: these are cut
        least[least.index(max(least))] -= 1
    share = max(wished)
    while share > 1 and sum(map(max, least, (min(wish, share) for wish in wished))) > room:
        share -= 1
    return [max(few, min(wish, share)) for few, wish in zip(least, wished, strict=True)]


def _lay_out(
    table: TextTable,
    columns: Sequence[_Column],
    widths: Sequence[int],
    gap: int,
    below: Callable[[int], _Lines],
    rule: str,
) -> list[str]:
    """Lay out these columns; `below` returns the lines that follow a row, by its number."""
    total = sum(widths) + gap * (len(widths) - 1)
    lines: list[str] = []
    if table.show_header:
        lines += _row(
            [wrap(column.heading, size) for column, size in zip(columns, widths, strict=True)], columns, widths, gap
        )
        lines += [rule * total] if rule else []
    starts = set(accumulate(map(len, table.sections)))
    for number in range(len(columns[0].cells)):
        if rule and number in starts:
            lines.append(" " * total)
        cells = [
            list(chain.from_iterable(wrap(line, size) for line in column.cells[number]))
            for column, size in zip(columns, widths, strict=True)
        ]
        lines += _row(cells, columns, widths, gap)
        lines += below(number)
    return lines


def _row(cells: Sequence[_Lines], columns: Sequence[_Column], widths: Sequence[int], gap: int) -> Iterator[str]:
    for place in range(max(map(len, cells))):
        texts = [cell[place] if place < len(cell) else "" for cell in cells]
        yield (" " * gap).join(
            _fill(text, width, is_figure=column.is_figure)
            for text, width, column in zip(texts, widths, columns, strict=True)
        )


def _lay_out_narrow(table: TextTable, columns: list[_Column], width: int, rule: str) -> list[str]:
    """Lay out a table for a screen that is too narrow for all of its columns."""
    kept = list(columns)
    moved: list[_Column] = []
    for column in sorted(columns, key=lambda column: (column.worth, -column.place)):
        if len(kept) == 1 or _fits(kept, GAP, width, wrapped=True) or (table.keys and column.worth >= 0):
            break
        kept.remove(column)
        if column.worth >= 0:
            moved.append(column)
    if table.keys:
        # In parts, one below the other; each begins with the columns that say what a row is.
        keys, rest, lines = kept[: table.keys], kept[table.keys :], list[str]()
        while rest:
            part = [*keys, rest.pop(0)]
            while rest and _fits([*part, rest[0]], GAP, width, wrapped=True):
                part.append(rest.pop(0))
            lines += [""] if lines else []
            lines += _lay_out(table, part, _widths(part, GAP, width), GAP, lambda _: [], rule)
        return lines
    moved.sort(key=lambda column: column.place)
    widths = _widths(kept, GAP, width)
    indent = min(widths[0] + GAP, INDENT_MAX, width // 2)

    def below(number: int) -> _Lines:
        """Return what stands below a row: `Why: East owed a call`; nothing of a cell without anything in it."""
        texts = [(column.heading, " ".join(" ".join(column.cells[number]).split())) for column in moved]
        parts = [f"{heading}: {text}" if heading else text for heading, text in texts if text]
        return wrap("; ".join(parts), width, indent=indent) if parts else []

    return _lay_out(table, kept, widths, GAP, below, rule)


# Texts


def wrap(text: str, width: int, *, indent: int | None = None) -> list[str]:
    """Break a line at words so that it fits; only a word that is longer than the screen is cut.

    Args:
        text: a line.
        width: the columns of the screen.
        indent: the blanks before every line; by default those of the line, and two more before those that follow.
    """
    if indent is None and cell_width(text) <= width:
        return [text]
    own = min(len(text) - len(text.lstrip(" ")), width // 2) if indent is None else indent
    following = own if indent is not None or own == 0 else min(own + 2, width // 2)
    lines: list[str] = []
    line = " " * own
    is_begun = False
    for word in _words(text, max(1, width - following)):
        if is_begun and cell_width(line) + 1 + cell_width(word) > width:
            lines.append(line)
            line, is_begun = " " * following, False
        line += f" {word}" if is_begun else word
        is_begun = True
    return [*lines, line]


def _words(text: str, width: int) -> Iterator[str]:
    for word in _WORDS.findall(text):
        while cell_width(word) > width:
            end = _cut(word, width)
            yield word[:end]
            word = word[end:]  # noqa: PLW2901 # what is left of it
        yield word


def _cut(word: str, width: int) -> int:
    """Return how many letters of a word fit; at least one."""
    if word.isascii():
        return width
    fitting = (end for end in range(len(word), 0, -1) if cell_width(word[:end]) <= width)
    return next(fitting, 1)


def clean(text: str) -> str:
    """Replace tabs by blanks, and show what a terminal would act on."""
    if "\t" in text:
        text = "\n".join(line.expandtabs(_TAB) for line in text.split("\n"))
    return show_controls(text)


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a line takes; letters of some scripts take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 # Rich takes long to load, and most texts are ASCII

    return cell_len(text)


def _fill(text: str, width: int, *, is_figure: bool) -> str:
    if is_figure:
        text = text.rstrip()
    blanks = " " * (width - cell_width(text))
    return blanks + text if is_figure else text + blanks


def layout_text(text: str, width: int | None) -> list[str]:
    """Lay out a text of one or more lines."""
    lines: Iterable[str] = clean(text).split("\n")
    return list(lines) if width is None else [part for line in lines for part in wrap(line, width)]
