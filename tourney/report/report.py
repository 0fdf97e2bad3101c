"""What a report is: read from the record once, then shown as text, as a JSON document or as a CSV table.

A report is one module here. Its function `load` reads what it needs and computes; what it returns is a `Report`,
which queries nothing any more. `registry` lists the reports: commands, their `--json` and `--csv`, pages of the web
site and JSON Schemas come from that list.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

Document: TypeAlias = Mapping[str, Any]
"""A JSON object."""

NOTHING: Final = "-"
"""Stands for what is not there yet."""

Row = TypeVar("Row")


class TextTable:
    """Rows of texts under headings; a heading that starts with `>` is that of a column of figures."""

    def __init__(self, *headings: str, show_header: bool = True) -> None:
        """An empty table."""
        self.headings = headings
        self.show_header = show_header
        self.rows: list[tuple[str, ...]] = []
        """Each as long as the headings; a line feed begins a new line of a cell."""
        self.sections: set[int] = set()
        """How many rows are above each new section."""

    def add_row(self, *cells: str) -> None:
        """Add a row: a text for each column, or for the first ones."""
        self.rows.append((*cells, *[""] * (len(self.headings) - len(cells))))

    def add_section(self) -> None:
        """Set what comes next apart from what is above."""
        self.sections.add(len(self.rows))


@dataclass(frozen=True)
class CsvTable:
    """A line of headings and rows; what is None, or not in a row, is an empty field, true and false are 1 and 0."""

    columns: Sequence[str]
    rows: Iterable[Document]
    """As documents have them; fields that are no columns are left out."""


@dataclass(frozen=True)  # typing sets an attribute of a generic object, for which slots have no room
class Column(Generic[Row]):
    """One column of a report whose CSV table and text show the same rows."""

    name: str
    """In CSV; empty for a column of the text alone."""
    heading: str
    """In the text, `>` before that of figures; empty for a column of CSV alone."""
    value: Callable[[Row], Any]
    """What CSV has: a number, a text, a truth value, or None for an empty field."""
    text: Callable[[Row], str] | None = None
    """What the text has, where it is not simply the value."""

    def format(self, row: Row) -> str:
        """The cell of the text."""
        if self.text is not None:
            return self.text(row)
        value = self.value(row)
        return NOTHING if value is None else str(value)


def csv_table(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> CsvTable:
    """The rows under the columns that CSV has."""
    named = [column for column in columns if column.name]
    return CsvTable(
        [column.name for column in named],
        ({column.name: column.value(row) for column in named} for row in rows),
    )


def text_table(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> TextTable:
    """The rows under the columns that the text has."""
    shown = [column for column in columns if column.heading]
    table = TextTable(*(column.heading for column in shown))
    for row in rows:
        table.add_row(*(column.format(row) for column in shown))
    return table


class Report(ABC):
    """A report that has been loaded."""

    __slots__ = ()

    @abstractmethod
    def document(self) -> Document:
        """The JSON document; its schema is derived from the type that the method of the report says it returns."""

    @abstractmethod
    def csv(self) -> CsvTable:
        """The CSV table.

        Raises:
            UsageError: what was asked for has no rows and columns.
        """

    @abstractmethod
    def text(self) -> Iterator[str | TextTable]:
        """Lines and tables for people."""


def flatten(document: Document) -> dict[str, Any]:
    """A document as a row: `{"open": {"score": 420}}` becomes `{"open_score": 420}`."""
    row: dict[str, Any] = {}
    for key, value in document.items():
        if isinstance(value, Mapping):
            row |= {f"{key}_{below}": found for below, found in flatten(value).items()}
        else:
            row[key] = value
    return row
