"""What a report is: read from the record once, then shown as text, as a JSON document or as a CSV table.

A report is one module here. Its function `load` reads the record, computes, and returns a `Report`, which makes no
further queries. `registry` lists the reports: commands, their `--json` and `--csv`, pages of the web site and JSON
Schemas come from that list.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeAlias, TypeVar

Document: TypeAlias = Mapping[str, Any]
"""A JSON object."""

NOTHING: Final = "-"
"""Shown in place of a value that is not available yet."""

Row = TypeVar("Row")


class TextTable:
    """Rows of text under headings; a heading that starts with `>` belongs to a right-aligned column of figures."""

    def __init__(
        self, *headings: str, show_header: bool = True, worth: Mapping[str, int] | None = None, keys: int = 0
    ) -> None:
        """Make an empty table.

        Args:
            headings: the headings; the same one may occur twice.
            show_header: whether they are shown.
            worth: what columns are worth by their headings, 0 by default. On a screen that is too narrow for all of
                them those of least worth go first, from the right: below their row, or left out if they are worth
                less than 0.
            keys: how many of the first columns say what a row is. If there are any, the table is cut into parts that
                begin with them, and no column goes below its row.
        """
        self.headings = headings
        self.show_header = show_header
        self.worth = [(worth or {}).get(heading.removeprefix(">"), 0) for heading in headings]
        self.keys = keys
        self.rows: list[tuple[str, ...]] = []
        """Each has a cell for every heading; a line feed begins a new line within a cell."""
        self.sections: set[int] = set()
        """The number of rows above each new section."""

    def add_row(self, *cells: str) -> None:
        """Add a row, with a text for each column or for the first few."""
        self.rows.append((*cells, *[""] * (len(self.headings) - len(cells))))

    def add_section(self) -> None:
        """Begin a section, which is set apart from the rows above."""
        self.sections.add(len(self.rows))


@dataclass(frozen=True)
class CsvTable:
    """Headings and rows; None and missing fields are written as empty fields, true and false as 1 and 0."""

    columns: Sequence[str]
    rows: Iterable[Document]
    """Keyed by column as in documents; other keys are ignored."""


@dataclass(frozen=True)  # typing sets an attribute of a generic object, for which slots have no room
class Column(Generic[Row]):
    """A column of a report whose CSV table and text show the same rows."""

    name: str
    """The heading in CSV; empty for a column that only the text has."""
    heading: str
    """The heading in the text, with `>` before it if the column has figures; empty for a column that only CSV has."""
    value: Callable[[Row], Any]
    """Returns the value in CSV: a number, a text, a truth value, or None for an empty field."""
    text: Callable[[Row], str] | None = None
    """Returns the cell of the text; None to format the value as it is."""
    worth: int = 0
    """What the column is worth on a narrow screen, as in `TextTable`."""

    def format(self, row: Row) -> str:
        """Format the cell of the text."""
        if self.text is not None:
            return self.text(row)
        value = self.value(row)
        return NOTHING if value is None else str(value)


def for_entrant(columns: Sequence[Column[Row]], entrant: str) -> list[Column[Row]]:
    """Return the columns with the heading `Team` as it is in an event of such entrants: `Pair`."""
    return [replace(column, heading=entrant.title()) if column.heading == "Team" else column for column in columns]


def csv_table(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> CsvTable:
    """Return the rows under the columns that CSV has."""
    named = [column for column in columns if column.name]
    return CsvTable(
        [column.name for column in named],
        ({column.name: column.value(row) for column in named} for row in rows),
    )


def text_table(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> TextTable:
    """Return the rows under the columns that the text has."""
    shown = [column for column in columns if column.heading]
    worth = {column.heading.removeprefix(">"): column.worth for column in shown}
    table = TextTable(*(column.heading for column in shown), worth=worth)
    for row in rows:
        table.add_row(*(column.format(row) for column in shown))
    return table


class Report(ABC):
    """A report that has been loaded."""

    __slots__ = ()

    @abstractmethod
    def document(self) -> Document:
        """Return the JSON document; its schema is derived from the return type that the report declares."""

    @abstractmethod
    def csv(self) -> CsvTable:
        """Return the CSV table.

        Raises:
            UsageError: what was asked for cannot be shown as a table.
        """

    @abstractmethod
    def text(self) -> Iterator[str | TextTable]:
        """Yield lines and tables for people."""


def flatten(document: Document) -> dict[str, Any]:
    """Flatten a document to a row: `{"open": {"score": 420}}` becomes `{"open_score": 420}`."""
    row: dict[str, Any] = {}
    for key, value in document.items():
        if isinstance(value, Mapping):
            row |= {f"{key}_{below}": found for below, found in flatten(value).items()}
        else:
            row[key] = value
    return row
