"""What a report is: read from the record once, then shown as text, as a JSON document or as a CSV table.

A report is one module here. Its function `load` reads the record, computes, and returns a `Report`, which makes no
further queries. `registry` lists the reports: commands, their `--json` and `--csv`, pages of the web site and JSON
Schemas come from that list.
"""

from abc import ABC, abstractmethod
from typing import get_type_hints

from tourney.errors import UsageError
from tourney.output.rows import Document, Row, document_of
from tourney.output.tables import CsvTable, Parts


class Report(Row, ABC):
    """A report that has been loaded."""

    def content(self) -> Row:
        """Return the row that the JSON document is made from, and whose type its schema: the report itself."""
        return self

    @classmethod
    def document_type(cls) -> type[Row]:
        """Return the type of the row that the JSON document is made from, of which its schema is derived."""
        content: type[Row] = get_type_hints(cls.content)["return"]
        return cls if content is Row else content

    def document(self) -> Document:
        """Return the JSON document."""
        document: Document = document_of(self.content())
        return document

    def csv(self) -> CsvTable:
        """Return the CSV table.

        Raises:
            UsageError: what was asked for cannot be shown as a table.
        """
        raise UsageError("this report has no CSV table")

    note = ""
    """What a page says before the tables."""

    @abstractmethod
    def text(self) -> Parts:
        """Yield lines and tables for people."""
