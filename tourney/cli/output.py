"""What commands print: tables for people, one JSON document for programs."""

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from tourney.cli.text_table import TextTable, cell_width, clean

if TYPE_CHECKING:
    from rich.console import Console

NO_WIDTH: Final = 100_000
"""Columns of an output that is no terminal: nothing is cut or wrapped there."""

NOTHING: Final = "-"
"""In the place of what is not there yet."""

_WITHOUT_BOLD: Final = ("dumb", "unknown")
"""Values of TERM."""


class Printer:
    """The standard output. Texts are taken as they are: names may have square brackets.

    A terminal shows headings in bold. Rich is loaded only for what is wider than the terminal, or needs other lines.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._columns = shutil.get_terminal_size().columns if self._is_terminal else NO_WIDTH
        self._is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")

    def print(self, what: str | TextTable = "", *, soft_wrap: bool = False) -> None:
        """One text or table, wrapped at words in a terminal that is too narrow.

        Args:
            what: a text, or a table of `make_table`.
            soft_wrap: leave it to the terminal to break long lines.
        """
        lines = what.lines() if isinstance(what, TextTable) else clean(what).split("\n")
        is_wide = not soft_wrap and max(map(cell_width, lines), default=0) > self._columns
        if self._is_terminal and (is_wide or not self._is_unicode):
            make_rich_console().print(what, soft_wrap=soft_wrap)
            return
        if self._is_terminal and isinstance(what, TextTable) and what.show_header and _shows_bold():
            lines[0] = click.style(lines[0], bold=True)
        click.echo("\n".join(lines))


def _shows_bold() -> bool:
    return os.environ.get("TERM") not in _WITHOUT_BOLD


def make_console() -> Printer:
    """What reports are printed with."""
    return Printer()


def make_rich_console() -> "Console":
    """The standard output for what Rich alone can do: narrow terminals, pages that change."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else NO_WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)


def make_table(*columns: str) -> TextTable:
    """An empty table; the heading of a column of figures starts with `>`. In a pipe it is plain aligned text."""
    return TextTable(columns, is_ruled=sys.stdout.isatty())


def print_json(document: Any) -> None:  # what json.dumps takes
    """One document, in ASCII so that no code page can spoil it."""
    click.echo(json.dumps(document, indent=2))


def count(number: int, one: str, many: str) -> str:
    """`1 match`, `2 matches`."""
    return f"{number} {one if number == 1 else many}"
