"""The commands of the reports, made from the registry: `tourney standings`, `tourney match` and so on."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import director_option, form_options, print_report
from tourney.cli._ranges import IntRange
from tourney.plurals import count
from tourney.runtime import clock
from tourney.views.registry import REPORTS, Parameter

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent

_Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]


def report_command(name: str) -> click.Command:
    """Make the command of a report: EVENT, its arguments, `--json`, `--csv`, and its options."""
    entry = REPORTS[name]

    def show(event_path: Path, as_json: bool, as_csv: bool, is_director: bool, **given: Any) -> None:  # as they say
        with open_event(event_path, given.get("match_number"), is_director=is_director) as drawn:
            report = entry.load_report(drawn, **given)
            is_partial = entry.tells_progress or given.get("match_number") is not None
            has_progress = not (as_json or as_csv or name == "rulings")
            progress = _describe_progress(drawn, is_partial=is_partial) if has_progress else None
            left_out = entry.describe_left_out(drawn, **given) if has_progress else None
        print_report(report, as_json=as_json, as_csv=as_csv)
        for more in filter(None, (left_out, progress)):
            click.echo(more)

    arguments = [_argument(parameter) for parameter in entry.parameters if not parameter.option]
    options = [_option(parameter) for parameter in entry.parameters if parameter.option]
    decorators: list[_Decorator] = [
        event_argument,
        *arguments,
        form_options,
        *options,
        director_option("everything on record"),
    ]
    function: Callable[..., None] = show
    for decorate in reversed(decorators):
        function = decorate(function)
    return click.command(name, help=inspect.cleandoc(entry.help))(function)


_RUN_SILENT_MS = 60_000
"""A run that has not been heard of for so long is taken for ended; it is heard of every few seconds."""


def _describe_progress(drawn: "DrawnEvent", *, is_partial: bool) -> str | None:
    """Say that nothing has been played yet, or of how many matches a report is; None for all.

    Of a report that is of one match, or says this itself (`is_partial`), only the former.
    """
    from tourney.store.control.leases import load_run
    from tourney.store.draw.reader import count_matches, is_begun
    from tourney.store.results.event_results import load_unscored

    database, event = drawn.database, drawn.event
    matches = count_matches(database, event.id)
    over = matches - len(load_unscored(database, event.id))
    if not over and not is_begun(database, event.id):
        beat_at_ms = load_run(database, event.id).beat_at_ms
        now_ms = database.server_ms() or clock.wall_ms()
        is_run = beat_at_ms is not None and abs(now_ms - beat_at_ms) < _RUN_SILENT_MS
        return (
            "not begun: no board is being played yet"
            if is_run
            else f"not begun: `{event.stages[0].format.starts_by.format(path=drawn.path)}`"
        )
    to_draw = sum(not round_.is_drawn for round_ in event.all_rounds)
    if is_partial or (over == matches and not to_draw):
        return None
    later = f", {count(to_draw, 'round')} to be drawn" if to_draw else ""
    return f"so far: {over} of {count(matches, 'match', 'matches')} finished{later}"


def _argument(parameter: Parameter) -> _Decorator:
    return click.argument(
        parameter.name, type=parameter.kind, required=parameter.is_required, metavar=parameter.metavar
    )


def _option(parameter: Parameter) -> _Decorator:
    if parameter.kind is bool:
        return click.option(
            parameter.option,
            parameter.name,
            is_flag=True,
            help=parameter.help,
        )
    type_: click.Choice[str] | IntRange | type[int] | type[str] = parameter.kind
    if parameter.choices:
        type_ = click.Choice(parameter.choices)
    elif parameter.minimum is not None:
        type_ = IntRange(parameter.minimum, parameter.maximum)
    return click.option(
        parameter.option,
        parameter.name,
        type=type_,
        metavar=parameter.metavar if not parameter.choices else None,
        default=parameter.default,
        help=parameter.help,
    )
