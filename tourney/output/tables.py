"""Tables for programs and for people, made from rows."""

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from tourney.formats.spreadsheet import CsvWriter
from tourney.output.content import Content, Folded, Hands, Heading, Title
from tourney.output.rows import NOTHING, Cell, Document, Row


class TextRow(NamedTuple):
    """A row of a table for people."""

    cells: tuple[Content, ...]
    """One for every column; a line feed begins a new line within a cell."""
    tone: str
    """A class of the style sheet; empty for none."""


@dataclass(frozen=True)
class TextTable:
    """Rows under columns, for people. On a screen that is too narrow, columns of least worth go first."""

    columns: Sequence[Cell]
    sections: Sequence[Sequence[TextRow]]
    """Its rows, in the parts that are set apart."""
    caption: str
    """What a page says above the table; by default the line above it."""
    keys: int
    """How many of the first columns say what a row is. If there are any, the table is cut into parts that begin with
    them, and no column goes below its row."""

    @property
    def rows(self) -> list[tuple[Content, ...]]:
        """The cells of all rows."""
        return [row.cells for section in self.sections for row in section]

    @property
    def show_header(self) -> bool:
        """Whether there is a line of headings: if any column has one."""
        return any(column.name for column in self.columns)

    @cached_property
    def name_place(self) -> int:
        """The place of the column that names the row: the first that has words, or the first."""
        return next((place for place, column in enumerate(self.columns) if not column.is_figure), 0)

    @cached_property
    def roomy(self) -> frozenset[int]:
        """The places of the columns that a narrow page leaves out: they are worth less than others."""
        least = int(any(column.worth > 0 for column in self.columns))
        return frozenset(place for place, column in enumerate(self.columns) if column.worth < least)


Part: TypeAlias = str | Title | Heading | Folded | Hands | TextTable
Parts: TypeAlias = Iterator[Part]
"""A part of a report for people: a line, its first line, a heading, lines that fold, hands, or a table."""


@dataclass(frozen=True)
class CsvTable:
    """Headings and rows; None and missing fields are written as empty fields, true and false as 1 and 0."""

    columns: Sequence[str]
    rows: Iterable[Document]
    """Keyed by column as in documents; other keys are ignored."""

    def text(self) -> str:
        """Return the lines of a file, which spreadsheets can open."""
        text = io.StringIO()
        writer = CsvWriter(text, self.columns, line_end="\n")
        writer.writerows(self.rows)
        return text.getvalue()


def parse_columns(text: str) -> tuple[str, ...]:
    """Return the columns of a table of CSV, which a text has in their order."""
    return tuple(text.split())


def csv_table(
    row_type: type[Row],
    rows: Iterable[Row],
    *,
    without: Collection[str] = (),
    headings: Mapping[str, str] | None = None,
) -> CsvTable:
    """Return the table of rows in CSV, without some columns, and with other headings for some."""
    found, other = row_type.csv_columns(), headings or {}
    shown = {column: other.get(column, column) for column in found if column not in without}
    return CsvTable(
        list(shown.values()), ({heading: found[column](row) for column, heading in shown.items()} for row in rows)
    )


def csv_row(row: Row) -> dict[str, Any]:
    """Return a row in CSV, by heading."""
    return csv_values(row.csv_columns(), row)


def csv_values(columns: Collection[str], *rows: Row, **given: Any) -> dict[str, Any]:
    """Return what stands under these headings: what is given, else what the first row says that has such a column."""
    for row in rows:
        found = row.csv_columns()
        given |= {name: found[name](row) for name in columns if name in found and name not in given}
    return given


def text_table(
    row_type: type[Row],
    rows: Iterable[Row],
    *,
    headings: Mapping[str, str] | None = None,
    last: Iterable[Row] = (),
) -> TextTable:
    """Return the table of rows for people.

    Args:
        row_type: the type of the rows, whose fields with a cell are the columns.
        rows: the rows.
        headings: other headings for some fields, by their names; empty to leave a column out.
        last: rows below, in a section of their own.
    """
    return make_table(list(_cells_of(row_type, headings or {})), rows, last)


def make_table(
    columns: Sequence[Cell],
    rows: Iterable[Any],
    last: Iterable[Any] = (),
    *,
    caption: str = "",
    keys: int = 0,
    section_of: Callable[[Any], Any] = lambda _: None,
    tone_of: Callable[[Any], str] = lambda _: "",
) -> TextTable:
    """Return a table whose columns say themselves what they show of a row.

    Args:
        columns: the columns, each with its content; if none of them has a heading, the table has no line of headings.
        rows: the rows.
        last: rows below, in a section of their own.
        caption: what a page says above the table; by default the line above it.
        keys: how many of the first columns say what a row is, as in `TextTable`.
        section_of: returns what the rows of a section have in common; a section begins where it changes.
        tone_of: returns a class of the style sheet for a row.
    """
    rows, last = list(rows), list(last)
    columns = [column for column in columns if not column.if_any or any(map(column.shown, rows))]
    parted = [*(((True, section_of(row)), row) for row in rows), *(((False, section_of(row)), row) for row in last)]
    sections = [
        [TextRow(tuple(column.shown(row) for column in columns), tone_of(row)) for _, row in section]
        for _, section in groupby(parted, key=itemgetter(0))
    ]
    return TextTable(columns, sections, caption, keys)


def _cells_of(row_type: type[Row], headings: Mapping[str, str]) -> Iterator[Cell]:
    """Yield the cell of each column, with its content; rows in a row have their own."""
    for field in row_type.row_fields():
        if field.cell is not None:
            heading = headings.get(field.name, field.cell.heading)
            if heading or field.name not in headings:
                yield replace(field.cell, heading=heading, content=field.content)
        elif field.row_type is not None:
            for cell in _cells_of(field.row_type, headings):
                yield replace(cell, content=partial(_content_below, field.name, cell.shown), to=None)


def _content_below(name: str, content: Callable[[Row], Content], row: Row) -> Content:
    below = getattr(row, name)
    return content(below) if below is not None else NOTHING
