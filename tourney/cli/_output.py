"""What commands print: lines and tables for people, one JSON document, or one CSV table."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tourney.cli._common import Function, flag_option, print_note
from tourney.errors import UsageError
from tourney.output.layout import layout_table, layout_text
from tourney.output.rows import document_of
from tourney.output.tables import CsvTable, Part, TextTable
from tourney.terminal import unfiltered
from tourney.views.report import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.site.pages.axes import Chart

_WITHOUT_BOLD: Final = ("dumb", "unknown")
"""Values of TERM for terminals without bold text."""


DIRECTOR_NOTE: Final = "this shows boards that other tables may still have to play"

_OTHER_FORM: Final = {"as_json": "as_csv", "as_csv": "as_json"}


# Reports


def _check_form(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value and ctx.params.get(_OTHER_FORM[str(parameter.name)]):
        raise UsageError("a report has one form: give --json or --csv, got both")
    return value


def form_options(function: Function) -> Function:
    """Add `--json` and `--csv`, of which at most one may be given (`as_json`, `as_csv`)."""
    for name, flag, text in (
        ("as_csv", "--csv", "Print one CSV table."),
        ("as_json", "--json", "Print one JSON document."),
    ):
        function = flag_option(flag, name, callback=_check_form, help=text)(function)
    return function


def json_option(function: Function) -> Function:
    """Add `--json` (`as_json`) to a command whose only other form is text."""
    return flag_option("--json", "as_json", help="Print one JSON document.")(function)


def director_option(what: str) -> Callable[[Function], Function]:
    """Add `--director` (`is_director`), which is said on the standard errors; `what` is shown with it."""

    def note(_: click.Context, __: click.Parameter, value: bool) -> bool:
        if value:
            print_note(f"for the director only: {DIRECTOR_NOTE}")
        return value

    text = f"Show {what}, even on boards that somebody still has to play."
    return flag_option("--director", "is_director", callback=note, help=text)


def print_report(report: Report, *, as_json: bool, as_csv: bool = False) -> None:
    """Print a report in the requested form; only that form is computed."""
    if as_json:
        print_json(report.document())
    elif as_csv:
        print_csv(report.csv())
    else:
        print_text(report.text())


def print_json(document: Any) -> None:  # a row, or what json.dumps takes
    """Print one document, in ASCII so that no code page can garble it."""
    click.echo(json.dumps(document_of(document), indent=2))


def print_csv(table: CsvTable) -> None:
    """Print one table, with the line ends of the platform."""
    click.echo(table.text(), nl=False)


def print_text(parts: Iterable[Part]) -> None:
    """Print lines and tables as they arrive."""
    printer = Printer()
    for part in parts:
        printer.print(part)


def write_page(report: Report, title: str, charts: "Sequence[Chart]", path: Path) -> None:
    """Write a page of a report by itself."""
    from tourney.export.files import PROGRAM, write_file
    from tourney.runtime import clock
    from tourney.site.rendering import render_alone

    write_file(path, render_alone(report, title, charts, PROGRAM, clock.wall_ms()).decode())


# Text


class Printer:
    """The standard output. Texts are printed as they are, without markup: names may have square brackets.

    A terminal shows headings in bold, and has tables and texts laid out for its width. An output that is not a
    terminal has them as wide as they are, a row in a line, for programs that look for something in them.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._columns = shutil.get_terminal_size().columns if self._is_terminal else None
        self._is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")

    def print(self, what: Part = "", *, soft_wrap: bool = False) -> None:
        """Print a text or a table, wrapped at words if the terminal is too narrow.

        Args:
            what: what to print.
            soft_wrap: let the terminal break long lines.
        """
        columns = None if soft_wrap else self._columns
        if isinstance(what, TextTable):
            line = "\N{BOX DRAWINGS LIGHT HORIZONTAL}" if self._is_unicode else "-"
            rule = line if self._is_terminal else ""
            lines = layout_table(what, columns, rule)
            if rule and what.show_header and os.environ.get("TERM") not in _WITHOUT_BOLD:
                bold = next(place for place, line in enumerate(lines) if line.startswith(rule))
                lines[:bold] = [click.style(line, bold=True) for line in lines[:bold]]
        else:
            lines = layout_text(str(what), columns)
        if soft_wrap:
            lines = [line.rstrip() for line in lines]  # the terminal would break blanks too
        click.echo("\n".join(lines), file=unfiltered(sys.stdout))  # the lines have been cleaned; bold is ours


def show_solved(done: int, total: int) -> None:
    """Show in place on a terminal how many boards are solved, and nothing in a pipe."""
    if sys.stderr.isatty():
        click.echo(f"\rsolved {done} of {total}", file=unfiltered(sys.stderr), nl=done == total)
