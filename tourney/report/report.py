"""What a report is: read from the record once, then shown as text, as a JSON document or as a CSV table.

A report is one module here. Its function `load` reads the record, computes, and returns a `Report`, which makes no
further queries. `registry` lists the reports: commands, their `--json` and `--csv`, pages of the web site and JSON
Schemas come from that list.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from tourney.output.rows import NOTHING, Document, Row, document_of
from tourney.output.tables import CsvTable, TextTable

Each = TypeVar("Each")


@dataclass(frozen=True)  # typing sets an attribute of a generic object, for which slots have no room
class Column(Generic[Each]):
    """A column of a report whose CSV table and text show the same rows."""

    name: str
    """The heading in CSV; empty for a column that only the text has."""
    heading: str
    """The heading in the text, with `>` before it if the column has figures; empty for a column that only CSV has."""
    value: Callable[[Each], Any]
    """Returns the value in CSV: a number, a text, a truth value, or None for an empty field."""
    text: Callable[[Each], str] | None = None
    """Returns the cell of the text; None to format the value as it is."""
    worth: int = 0
    """What the column is worth on a narrow screen, as in `TextTable`."""

    def format(self, row: Each) -> str:
        """Format the cell of the text."""
        if self.text is not None:
            return self.text(row)
        value = self.value(row)
        return NOTHING if value is None else str(value)


def for_entrant(columns: Sequence[Column[Each]], entrant: str) -> list[Column[Each]]:
    """Return the columns with the heading `Team` as it is in an event of such entrants: `Pair`."""
    return [replace(column, heading=entrant.title()) if column.heading == "Team" else column for column in columns]


def csv_table(columns: Sequence[Column[Each]], rows: Iterable[Each]) -> CsvTable:
    """Return the rows under the columns that CSV has."""
    named = [column for column in columns if column.name]
    return CsvTable(
        [column.name for column in named],
        ({column.name: column.value(row) for column in named} for row in rows),
    )


def text_table(columns: Sequence[Column[Each]], rows: Iterable[Each]) -> TextTable:
    """Return the rows under the columns that the text has."""
    shown = [column for column in columns if column.heading]
    worth = {column.heading.removeprefix(">"): column.worth for column in shown}
    table = TextTable(*(column.heading for column in shown), worth=worth)
    for row in rows:
        table.add_row(*(column.format(row) for column in shown))
    return table


class Report(Row, ABC):
    """A report that has been loaded."""

    def content(self) -> Row:
        """Return the row that the JSON document is made from, and whose type its schema: the report itself."""
        return self

    def document(self) -> Document:
        """Return the JSON document."""
        document: Document = document_of(self.content())
        return document

    @abstractmethod
    def csv(self) -> CsvTable:
        """Return the CSV table.

        Raises:
            UsageError: what was asked for cannot be shown as a table.
        """

    @abstractmethod
    def text(self) -> Iterator[str | TextTable]:
        """Yield lines and tables for people."""
