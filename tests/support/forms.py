"""The tables of an event in every form that shows them, each as columns and rows of text.

Forms are the terminal, CSV, JSON, the files of an export, pages and the written site.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final, TypeAlias

from tests.support.html_pages import AS_TYPED, NARROW
from tourney.formats.spreadsheet import CsvWriter
from tourney.output.content import text_of
from tourney.output.tables import CsvTable, TextTable
from tourney.views.report import Report

Record: TypeAlias = Mapping[str, Any]
"""What a JSON document has of one thing: values by key."""

_HEADINGS: Final = re.compile(r"h[1-6]")
_WITHOUT_END: Final = {"meta", "link", "br", "input", "img"}


@dataclass(frozen=True)
class Table:
    """A table as people see it."""

    under: str
    """The headings or the line above it."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The cells of each row; one that is several columns wide is in each of them."""


def tables_in_text(report: Report) -> Iterator[Table]:
    """Yield the tables that a command prints."""
    under = ""
    for part in report.text():
        if isinstance(part, TextTable):
            columns = tuple(column.name for column in part.columns)
            yield Table(under, columns, tuple(tuple(map(text_of, row)) for row in part.rows))
        else:
            under = str(part) or under


def records_in_csv(table: CsvTable) -> list[dict[str, str]]:
    """Return the rows of a table as a reader of the written file has them."""
    file = io.StringIO(newline="")
    writer = CsvWriter(file, table.columns)
    for row in table.rows:
        writer.writerow({key: int(value) if isinstance(value, bool) else value for key, value in row.items()})
    file.seek(0)
    return list(csv.DictReader(file))


def records_in_json(document: Any, path: str = "", above: Record | None = None) -> Iterator[tuple[str, Record]]:
    """Yield every object of a document with the path of its list: `fields.standings`.

    An object in an object is a part of it: `open.score` is `open_score`. An object in a list has also what the
    objects around it have, unless it has a value of its own under that key.
    """
    own: dict[str, Any] = dict(above or {}) | dict(_flatten(document, ""))
    yield path, own
    for key, below in _lists(document, ""):
        for each in below:
            yield from records_in_json(each, f"{path}.{key}" if path else key, own)


def _flatten(document: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in document.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}_")
        elif not isinstance(value, list):
            yield f"{prefix}{key}", value


def _lists(document: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    for key, value in document.items():
        if isinstance(value, Mapping):
            yield from _lists(value, f"{prefix}{key}.")
        elif isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
            yield f"{prefix}{key}", value


# Pages


@dataclass
class _Cells:
    """A table of a page that is being read."""

    under: str
    heads: list[list[tuple[str, int, int]]] = field(default_factory=list)
    """The rows of headings: each cell with how many columns and rows it takes."""
    rows: list[list[tuple[str, int, int]]] = field(default_factory=list)

    def table(self) -> Table:
        """Return it with the headings of each column above each other as one."""
        heads, rows = _fill(self.heads), _fill(self.rows)
        columns = zip(*heads, strict=True) if heads else ()
        return Table(self.under, tuple(" ".join(dict.fromkeys(column)) for column in columns), tuple(rows))


def _fill(rows: Sequence[Sequence[tuple[str, int, int]]]) -> list[tuple[str, ...]]:
    """Return rows with every cell in all places that it takes."""
    filled: dict[tuple[int, int], str] = {}
    for line, row in enumerate(rows):
        place = 0
        for text, wide, high in row:
            while (line, place) in filled:
                place += 1
            filled |= {(line + down, place + right): text for down in range(high) for right in range(wide)}
    widths = [1 + max((place for at, place in filled if at == line), default=-1) for line in range(len(rows))]
    return [tuple(filled.get((line, place), "") for place in range(width)) for line, width in enumerate(widths)]


class PageTables(HTMLParser):
    """Reads the tables of a page as a wide screen shows them, and the lines of its lists."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.lines: list[str] = []
        """The texts of list items, of headings and of paragraphs."""
        self._open: list[tuple[str, str]] = []
        """The elements that are open, with their classes."""
        self._headings: dict[int, str] = {}
        self._texts: list[str] = []
        """Those of the innermost cell, line or heading that is open."""
        self._cells: _Cells | None = None
        self._span = 1, 1
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        found = dict(attrs)
        if tag in _WITHOUT_END:
            return
        self._open.append((tag, found.get("class") or ""))
        if tag == "table":
            self._cells = _Cells(" / ".join(self._headings.values()))
        elif tag == "tr" and self._cells is not None:
            self._rows.append([])
        elif tag in ("td", "th"):
            self._span = int(found.get("colspan") or 1), int(found.get("rowspan") or 1)
        if tag in ("td", "th", "li", "p", "caption") or _HEADINGS.fullmatch(tag):
            self._texts = []

    @property
    def _rows(self) -> list[list[tuple[str, int, int]]]:
        assert self._cells is not None
        return self._cells.heads if "thead" in [tag for tag, _ in self._open] else self._cells.rows

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        is_narrow = any(NARROW in classes.split() for _, classes in self._open)
        while self._open.pop()[0] != tag:
            pass
        text = " ".join("".join(self._texts).translate(AS_TYPED).replace("\N{VARIATION SELECTOR-15}", "").split())
        if tag in ("td", "th"):
            if not is_narrow:
                self._rows[-1].append((text, *self._span))
        elif tag == "table":
            assert self._cells is not None
            self.tables.append(self._cells.table())
            self._cells = None
        elif _HEADINGS.fullmatch(tag):
            level = int(tag[1])
            self._headings = {above: words for above, words in self._headings.items() if above < level} | {
                level: text
            }
            self.lines.append(text)
        elif tag in ("li", "p"):
            self.lines.append(text)

    def handle_data(self, data: str) -> None:
        """Read text."""
        if not any(NARROW in classes.split() or tag in ("style", "script", "svg") for tag, classes in self._open):
            self._texts.append(data)
