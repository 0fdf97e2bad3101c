"""The commands of the reports, made from the registry: `tourney standings`, `tourney match` and so on."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import form_options, print_report
from tourney.report.registry import REPORTS, Parameter

_Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]


def report_command(name: str) -> click.Command:
    """Make the command of a report: EVENT, its arguments, `--json`, `--csv`, and its options."""
    entry = REPORTS[name]

    def show(event_path: Path, as_json: bool, as_csv: bool, **given: Any) -> None:  # as the parameters say
        with open_event(event_path, given.get("match_number")) as drawn:
            report = entry.load(drawn, **given)
        print_report(report, as_json=as_json, as_csv=as_csv)

    arguments = [_argument(parameter) for parameter in entry.parameters if not parameter.option]
    options = [_option(parameter) for parameter in entry.parameters if parameter.option]
    decorators: list[_Decorator] = [event_argument, *arguments, form_options, *options]
    function: Callable[..., None] = show
    for decorate in reversed(decorators):
        function = decorate(function)
    return click.command(name, help=inspect.cleandoc(entry.help))(function)


def _argument(parameter: Parameter) -> _Decorator:
    return click.argument(
        parameter.name, type=parameter.kind, required=parameter.is_required, metavar=parameter.metavar
    )


def _option(parameter: Parameter) -> _Decorator:
    if parameter.kind is bool:
        return click.option(parameter.option, parameter.name, is_flag=True, help=parameter.help)
    type_: click.Choice[str] | click.IntRange | type[int] | type[str] = parameter.kind
    if parameter.choices:
        type_ = click.Choice(parameter.choices)
    elif parameter.minimum is not None:
        type_ = click.IntRange(parameter.minimum, parameter.maximum)
    return click.option(
        parameter.option,
        parameter.name,
        type=type_,
        metavar=parameter.metavar if not parameter.choices else None,
        default=parameter.default,
        help=parameter.help,
    )
