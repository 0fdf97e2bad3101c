"""The three forms of a report: tables for people, one JSON document, or one CSV table."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OTHER = {"as_json": "as_csv", "as_csv": "as_json"}


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A line of headings and rows; what is None, or not in a row, is an empty field, true and false are 1 and 0."""

    columns: Sequence[str]
    rows: Iterable[Mapping[str, Any]]
    """As documents have them; fields that are no columns are left out."""


def _one_form(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:
    from tourney.errors import UsageError

    if value and ctx.params.get(_OTHER[str(parameter.name)]):
        raise UsageError("a report has one form: give --json or --csv, got both")
    return value


def form_options(function: _Function) -> _Function:
    """`--json` and `--csv`, of which one may be given: parameters `as_json` and `as_csv`."""
    for name, flag, text in (
        ("as_csv", "--csv", "Print one CSV table."),
        ("as_json", "--json", "Print one JSON document."),
    ):
        function = click.option(flag, name, is_flag=True, callback=_one_form, help=text)(function)
    return function


def print_report(
    as_json: bool,
    as_csv: bool,
    *,
    document: Callable[[], Any],
    table: Callable[[], CsvTable],
    people: Callable[[], None],
) -> None:
    """Print a report in the form asked for; only that form is made.

    Args:
        as_json: whether as JSON.
        as_csv: whether as CSV.
        document: makes what json.dumps takes.
        table: makes the CSV table.
        people: prints it for people.
    """
    from tourney.cli.output import print_json

    if as_json:
        print_json(document())
    elif as_csv:
        print_csv(table())
    else:
        people()


def print_csv(table: CsvTable) -> None:
    """One table, lines ending as those of the platform."""
    text = io.StringIO()
    writer = csv.DictWriter(text, table.columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in table.rows:
        writer.writerow({key: int(value) if isinstance(value, bool) else value for key, value in row.items()})
    click.echo(text.getvalue(), nl=False)


def flat(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document as a row: `{"open": {"score": 420}}` becomes `{"open_score": 420}`."""
    row: dict[str, Any] = {}
    for key, value in document.items():
        if isinstance(value, Mapping):
            row |= {f"{key}_{below}": found for below, found in flat(value).items()}
        else:
            row[key] = value
    return row
