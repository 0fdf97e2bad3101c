"""Tables for programs and for people, made from rows."""

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from typing import Any, Final, TypeAlias

from tourney.formats.spreadsheet import CsvWriter
from tourney.output.content import Content, Folded, Hands, Heading, Title
from tourney.output.rows import NOTHING, Cell, Document, Row, RowField


class TextTable:
    """Rows under headings; a heading that starts with `>` belongs to a right-aligned column of figures."""

    def __init__(
        self,
        *headings: str,
        show_header: bool = True,
        worth: Mapping[str, int] | None = None,
        words: Mapping[str, str] | None = None,
        keys: int = 0,
        caption: str = "",
        tones: Sequence[str] = (),
    ) -> None:
        """Make an empty table.

        Args:
            headings: the headings; the same one may occur twice.
            words: what headings stand for that are too short to say it.
            show_header: whether they are shown.
            worth: what columns are worth by their headings, 0 by default. On a screen that is too narrow for all of
                them those of least worth go first, from the right: below their row, or left out if they are worth
                less than 0.
            keys: how many of the first columns say what a row is. If there are any, the table is cut into parts that
                begin with them, and no column goes below its row.
            caption: what a page says above the table; by default the line above it.
            tones: a class of the style sheet for each column, on pages.
        """
        self.headings = headings
        self.show_header = show_header
        self.worth = [(worth or {}).get(heading.removeprefix(">"), 0) for heading in headings]
        self.words = words or {}
        self.keys = keys
        self.caption = caption
        self.tones = tones or [""] * len(headings)
        self.row_tones: dict[int, str] = {}
        """A class of the style sheet for some rows, by their number."""
        self.rows: list[tuple[Content, ...]] = []
        """Each has a cell for every heading; a line feed begins a new line within a cell."""
        self.sections: set[int] = set()
        """The number of rows above each new section."""

    def add_row(self, *cells: Content, tone: str = "") -> None:
        """Add a row, with content for each column or for the first few; pages give it a tone."""
        if tone:
            self.row_tones[len(self.rows)] = tone
        self.rows.append((*cells, *[""] * (len(self.headings) - len(cells))))

    def add_section(self) -> None:
        """Begin a section, which is set apart from the rows above."""
        self.sections.add(len(self.rows))


Part: TypeAlias = str | Title | Heading | Folded | Hands | TextTable
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
        writer = CsvWriter(text, self.columns, strict=False, line_end="\n")
        writer.writerows(self.rows)
        return text.getvalue()


def csv_table(
    row_type: type[Row],
    rows: Iterable[Row],
    *,
    without: Collection[str] = (),
    headings: Mapping[str, str] | None = None,
) -> CsvTable:
    """Return the table of rows in CSV, without the columns of some fields, and with other headings for some."""
    other = headings or {}
    return CsvTable(
        [other.get(column, column) for column in csv_columns(row_type, without)],
        ({other.get(column, column): value for column, value in csv_row(row).items()} for row in rows),
    )


def csv_columns(row_type: type[Row], without: Collection[str] = ()) -> tuple[str, ...]:
    """Return the headings of a type of rows in CSV, without those of some fields."""
    columns = _csv_columns(row_type).values()
    return tuple(column.heading for column in columns if not column.fields.intersection(without))


def csv_row(row: Row) -> dict[str, Any]:
    """Return a row in CSV, by heading."""
    return csv_values(_csv_columns(type(row)), row)


def csv_values(columns: Collection[str], *rows: Row, **given: Any) -> dict[str, Any]:
    """Return what stands under these headings: what is given, else what the first row says that has such a column."""
    for row in rows:
        found = _csv_columns(type(row))
        given |= {name: found[name].value(row) for name in columns if name in found and name not in given}
    return given


@dataclass(frozen=True)
class _CsvColumn:
    """A column of a type of rows in CSV."""

    heading: str
    value: Callable[[Row], Any]
    fields: frozenset[str]
    """The field that it shows, with those of the rows that contain it."""


def _csv_columns(row_type: type[Row]) -> dict[str, _CsvColumn]:
    """Return the columns of a type of rows, by heading."""
    if row_type not in _CSV_COLUMNS:
        columns = (column for field in row_type.row_fields() if field.is_in_csv for column in _csv_columns_of(field))
        _CSV_COLUMNS[row_type] = {column.heading: column for column in columns}
    return _CSV_COLUMNS[row_type]


_CSV_COLUMNS: Final[dict[type[Row], dict[str, _CsvColumn]]] = {}
"""The columns of each type of rows that has been asked for."""


def _csv_columns_of(field: RowField) -> list[_CsvColumn]:
    name = frozenset([field.name])
    if field.unit.keys:
        return [
            _CsvColumn(f"{key.lower()}_{field.key}", partial(_value_at, field, key), name) for key in field.unit.keys
        ]
    if field.row_type is None:
        return [_CsvColumn(field.key, field.csv, name)]
    prefix = "" if field.is_inline else f"{field.key}_"
    return [
        _CsvColumn(f"{prefix}{below.heading}", partial(_value_below, field.name, below.value), below.fields | name)
        for below in _csv_columns(field.row_type).values()
    ]


def _value_at(field: RowField, key: str, row: Row) -> Any:
    values = field.csv(row)
    return values[key] if values is not None else None


def _value_below(name: str, value: Callable[[Row], Any], row: Row) -> Any:
    below = getattr(row, name)
    return value(below) if isinstance(below, Row) else None


def text_table(
    row_type: type[Row],
    rows: Iterable[Row],
    *,
    columns: Sequence[str] = (),
    headings: Mapping[str, str] | None = None,
    last: Iterable[Row] = (),
    zone: tzinfo | None = None,
    caption: str = "",
) -> TextTable:
    """Return the table of rows for people.

    Args:
        row_type: the type of the rows.
        rows: the rows.
        columns: the fields of the type that are shown, in this order; without any, all that have a cell, in theirs.
        headings: other headings for some fields, by their names; empty to leave a column out.
        last: rows below, in a section of their own.
        zone: the time zone of times; None for that of this machine.
        caption: what a page says above the table; by default the line above it.
    """
    return make_table(list(_cells_of(row_type, headings or {}, zone, columns)), rows, last, caption=caption)


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
    names = [column.heading.removeprefix(">") for column in columns]
    table = TextTable(
        *(column.heading for column in columns),
        show_header=any(names),
        worth={name: column.worth for name, column in zip(names, columns, strict=True)},
        words={name: column.words for name, column in zip(names, columns, strict=True)},
        keys=keys,
        caption=caption,
        tones=[column.tone for column in columns],
    )
    for part in (rows, last):
        begun = part is rows  # a section sets it apart from what is above
        section: Any = None
        for row in part:
            if table.rows and (not begun or section_of(row) != section):
                table.add_section()
            begun, section = True, section_of(row)
            table.add_row(*(column.shown(row) for column in columns), tone=tone_of(row))
    return table


def _cells_of(
    row_type: type[Row], headings: Mapping[str, str], zone: tzinfo | None, columns: Sequence[str] = ()
) -> Iterator[Cell]:
    """Yield the cell of each column, with its content; rows in a row have their own."""
    fields = {field.name: field for field in row_type.row_fields()}
    for field in [fields[name] for name in columns] if columns else fields.values():
        if field.cell is not None:
            heading = headings.get(field.name, field.cell.heading)
            if heading or field.name not in headings:
                yield replace(field.cell, heading=heading, content=partial(field.content, zone=zone))
        elif field.row_type is not None:
            for cell in _cells_of(field.row_type, headings, zone):
                yield replace(cell, content=partial(_content_below, field.name, cell.shown), to=None)


def _content_below(name: str, content: Callable[[Row], Content], row: Row) -> Content:
    below = getattr(row, name)
    return content(below) if below is not None else NOTHING
