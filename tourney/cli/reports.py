"""The commands of the reports: those of the registry, the state of a run, the draw, and what is solved."""

import inspect
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from tourney.cli._common import event_argument, flag_option, match_option, open_event, print_note
from tourney.cli._output import director_option, form_options, json_option, print_report, show_solved
from tourney.cli._ranges import IntRange
from tourney.plurals import count, plural
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
    to_draw = len(event.undrawn)
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
        return flag_option(
            parameter.option,
            parameter.name,
            help=parameter.help,
        )
    type_: IntRange | type[int] | type[str] = parameter.kind
    if parameter.minimum is not None:
        type_ = IntRange(parameter.minimum, parameter.maximum)
    return click.option(
        parameter.option,
        parameter.name,
        type=type_,
        metavar=parameter.metavar,
        default=parameter.default,
        help=parameter.help,
    )


# Commands that do more than show what is on record


@click.command("status")
@event_argument
@form_options
@director_option("what tables wait for, and the latest call or card")
def status_command(event_path: Path, as_json: bool, as_csv: bool, is_director: bool) -> None:
    """Show the state of a running event: what needs the director first, then the tables in play.

    EVENT is the path of an event file. The CSV table has a row per table, including finished tables and those to
    come. Turns, waits, questions to the operator and the latest call or card are for the director alone: another
    table may have the board still to play. `watch -n 1 tourney status EVENT` shows it again every second.
    """
    from tourney.coordinator.run_lease import load_event_status
    from tourney.views.status import for_watchers
    from tourney.views.status_tables import StatusReport

    with open_event(event_path) as drawn:
        status = load_event_status(drawn, clock.wall_ms())
        if not is_director:
            status = for_watchers(status)
        print_report(StatusReport(status), as_json=as_json, as_csv=as_csv)


@click.command("schedule")
@event_argument
@form_options
def schedule_command(event_path: Path, as_json: bool, as_csv: bool) -> None:
    """Show the matches of an event, with rooms and boards; what has not been drawn yet is drawn first.

    EVENT is the path of an event file. The draw says who meets whom in which round and on which
    boards. It is stored, and follows changes of the file until a board has been begun. Rounds that
    depend on results are drawn while the event is played.

    Times are in the time zone of the event (`timezone` in its file), else of this machine; in JSON and CSV they are
    UTC. `tourney export --format ics` writes them for calendars. The CSV table has a row for each room of each
    segment of the matches drawn so far.
    """
    from tourney.coordinator.draw import ensure_drawn
    from tourney.event.file import load_event_to_play
    from tourney.store.db.database import Database
    from tourney.views.schedule import load_schedule

    event_file = load_event_to_play(event_path)
    with closing(Database(event_file.database_url)) as database:
        event = ensure_drawn(event_file, database, clock.wall_ms())
        schedule = load_schedule(database, event, event_file.place.names.zone)
    print_report(schedule, as_json=as_json, as_csv=as_csv)


@click.command("analyse")
@event_argument
@match_option("This match only.")
@json_option
def analyse_command(event_path: Path, number: int | None, as_json: bool) -> None:
    """Solve finished boards double dummy: makeable tricks, par, and the cards that cost tricks.

    EVENT is the path of an event file. Boards are solved once both rooms have finished them. This needs the extra
    `dd` and about half a second per board and core. Results are kept in the database and not computed again;
    from then on `tourney match` and `tourney export` show them, with or without the extra. `tourney run` solves
    boards by itself, unless `[analysis]` says otherwise; do not run this on a machine that is playing tables.
    """
    from tourney.lab.analysing import analyse
    from tourney.results.played import iter_played, load_analysis
    from tourney.views.analysis import AnalysedEvent

    with open_event(event_path, number) as drawn:
        database, event = drawn.database, drawn.event
        matches = event.matches if number is None else (drawn.match(number),)
        played = [match for match in iter_played(database, event, matches, drawn.scales) if match.boards]
        solved = analyse(database, played, os.cpu_count() or 1, show_solved)
        if solved:
            print_note(f"{solved} {plural(solved, 'board or play', 'boards and plays')} solved just now")
        boards = [(each.match, tuple(load_analysis(database, each.match, each.records).values())) for each in played]
        print_report(AnalysedEvent(event.name, boards), as_json=as_json)
