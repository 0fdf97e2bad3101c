"""What commands print: lines and tables for people, one JSON document, or one CSV table.

A table that fits is laid out here, and by Rich if the terminal is too narrow for it; the two look the same. Rich
takes as long to load and to draw a cross-table of many teams as the rest of the command.
"""

import csv
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tourney.errors import UsageError
from tourney.report.report import CsvTable, Report, TextTable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

NO_WIDTH: Final = 100_000
"""The width of an output that is not a terminal: nothing is cut or wrapped there."""

_WITHOUT_BOLD: Final = ("dumb", "unknown")
"""Values of TERM for terminals without bold text."""

_UNPRINTED: Final = str.maketrans(dict.fromkeys(map(ord, "\a\b\v\f\r"), None))
"""Characters that would move the text after them; Rich leaves them out too."""

_TAB: Final = 8

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OTHER_FORM: Final = {"as_json": "as_csv", "as_csv": "as_json"}


# Reports


def _check_form(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value and ctx.params.get(_OTHER_FORM[str(parameter.name)]):
        raise UsageError("a report has one form: give --json or --csv, got both")
    return value


def form_options(function: _Function) -> _Function:
    """Add `--json` and `--csv`, of which at most one may be given: parameters `as_json` and `as_csv`."""
    for name, flag, text in (
        ("as_csv", "--csv", "Print one CSV table."),
        ("as_json", "--json", "Print one JSON document."),
    ):
        function = click.option(flag, name, is_flag=True, callback=_check_form, help=text)(function)
    return function


def print_report(report: Report, *, as_json: bool, as_csv: bool) -> None:
    """Print a report in the requested form; only that form is computed."""
    if as_json:
        print_json(report.document())
    elif as_csv:
        print_csv(report.csv())
    else:
        print_text(report.text())


def print_json(document: Any) -> None:  # what json.dumps takes
    """Print one document, in ASCII so that no code page can garble it."""
    click.echo(json.dumps(document, indent=2))


def print_csv(table: CsvTable) -> None:
    """Print one table, with the line ends of the platform."""
    text = io.StringIO()
    writer = csv.DictWriter(text, table.columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in table.rows:
        writer.writerow({key: int(value) if isinstance(value, bool) else value for key, value in row.items()})
    click.echo(text.getvalue(), nl=False)


def print_text(parts: Iterator[str | TextTable]) -> None:
    """Print lines and tables as they arrive."""
    printer = Printer()
    for part in parts:
        printer.print(part)


# Text


class Printer:
    """The standard output. Texts are printed as they are, without markup: names may have square brackets.

    A terminal shows headings in bold. Rich is loaded only for text that is wider than the terminal or has to be
    wrapped.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._columns = shutil.get_terminal_size().columns if self._is_terminal else NO_WIDTH
        self._is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")

    def print(self, what: str | TextTable = "", *, soft_wrap: bool = False) -> None:
        """Print a text or a table, wrapped at words if the terminal is too narrow.

        Args:
            what: what to print.
            soft_wrap: let the terminal break long lines.
        """
        if isinstance(what, TextTable):
            lines = layout_table(what, is_ruled=self._is_terminal)
        else:
            lines = clean(what).split("\n")
        is_wide = not soft_wrap and max(map(cell_width, lines), default=0) > self._columns
        if self._is_terminal and (is_wide or not self._is_unicode):
            make_rich_console().print(rich_part(what), soft_wrap=soft_wrap)
            return
        if self._is_terminal and isinstance(what, TextTable) and what.show_header and _shows_bold():
            lines[0] = click.style(lines[0], bold=True)
        click.echo("\n".join(lines))


def _shows_bold() -> bool:
    return os.environ.get("TERM") not in _WITHOUT_BOLD


def make_rich_console() -> "Console":
    """Return the standard output for what only Rich can do: narrow terminals and live displays."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else NO_WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)


def rich_part(part: str | TextTable) -> "RenderableType":
    """Convert a text or table to what Rich draws in a terminal."""
    return draw_table(part, is_ruled=True) if isinstance(part, TextTable) else part


# Tables


def layout_table(table: TextTable, *, is_ruled: bool) -> list[str]:
    """Lay out a table without cutting or wrapping: lines of equal width, the headings first.

    `is_ruled` draws a line below the headings and an empty line between sections, as in terminals; otherwise the
    table is plain aligned text.
    """
    rows = [[cell.split("\n") for cell in map(clean, cells)] for cells in _rows(table)]
    widths = [max(map(cell_width, chain.from_iterable(cells)), default=0) for cells in zip(*rows, strict=True)]
    figures = [heading.startswith(">") for heading in table.headings]
    gap = " " * (3 if is_ruled else 2)
    lines = []
    first = 1 if table.show_header else 0
    for number, cells in enumerate(rows):
        if is_ruled and number - first in table.sections and number > first:
            lines.append(" " * (sum(widths) + len(gap) * (len(widths) - 1)))
        for place in range(max(map(len, cells))):
            texts = [cell[place] if place < len(cell) else "" for cell in cells]
            lines.append(gap.join(map(_fill, texts, widths, figures)))
        if is_ruled and table.show_header and number == 0:
            lines.append("─" * (sum(widths) + len(gap) * (len(widths) - 1)))
    return lines


def _rows(table: TextTable) -> Iterator[tuple[str, ...]]:
    if table.show_header:
        yield tuple(heading.removeprefix(">") for heading in table.headings)
    yield from table.rows


def draw_table(table: TextTable, *, is_ruled: bool) -> "Table":
    """Convert a table to one of Rich, which cuts and wraps it."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    drawn = Table(
        box=SIMPLE_HEAD if is_ruled else None, pad_edge=False, show_edge=False, show_header=table.show_header
    )
    for heading in table.headings:
        drawn.add_column(heading.removeprefix(">"), justify="right" if heading.startswith(">") else "left")
    for number, cells in enumerate(table.rows):
        if number in table.sections:
            drawn.add_section()
        drawn.add_row(*cells)
    return drawn


def clean(text: str) -> str:
    """Replace tabs by blanks and remove characters that move the cursor."""
    text = text.translate(_UNPRINTED)
    return text if "\t" not in text else "\n".join(line.expandtabs(_TAB) for line in text.split("\n"))


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a line takes; letters of some scripts take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fill(text: str, width: int, is_figure: bool) -> str:
    if is_figure:
        text = text.rstrip()
    blanks = " " * (width - cell_width(text))
    return blanks + text if is_figure else text + blanks
