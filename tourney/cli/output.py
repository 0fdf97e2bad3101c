"""What commands print: tables for people, one JSON document for programs."""

import json
import sys
from typing import Any, Final

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

NO_WIDTH: Final = 100_000
"""Columns of an output that is no terminal: nothing is cut or wrapped there."""

NOTHING: Final = "-"
"""In the place of what is not there yet."""


def make_console() -> Console:
    """The standard output. Texts are taken as they are: names may have square brackets."""
    width = None if sys.stdout.isatty() else NO_WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)


def make_table(*columns: str) -> Table:
    """An empty table; the heading of a column of figures starts with `>`. In a pipe it is plain aligned text."""
    table = Table(box=SIMPLE_HEAD if sys.stdout.isatty() else None, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column.removeprefix(">"), justify="right" if column.startswith(">") else "left")
    return table


def print_json(document: Any) -> None:  # what json.dumps takes
    """One document, in ASCII so that no code page can spoil it."""
    click.echo(json.dumps(document, indent=2))


def count(number: int, one: str, many: str) -> str:
    """`1 match`, `2 matches`."""
    return f"{number} {one if number == 1 else many}"
