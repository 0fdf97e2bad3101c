"""`tourney draw` and `tourney schedule`: the draw of an event, made and shown."""

from contextlib import closing
from pathlib import Path

import click

from tourney.cli._common import event_argument
from tourney.cli._output import form_options, print_csv, print_json, print_report, print_text
from tourney.errors import UsageError
from tourney.plurals import count
from tourney.runtime import clock


@click.command("draw")
@event_argument
def draw_command(event_path: Path) -> None:
    """Draw the event: who meets whom, in which round, and on which boards.

    EVENT is the path of an event file. The draw is stored and does not change afterwards, except that it follows
    changes of the file until a board has been begun. Rounds that depend on results are drawn while the event is
    played. An event that was drawn already stays as it is; `tourney schedule` shows the draw.
    """
    from tourney.coordinator.draw import ensure_drawn
    from tourney.event.file import load_event_to_play
    from tourney.store.db.database import Database

    event_file = load_event_to_play(event_path)
    with closing(Database(event_file.database_url)) as database:
        event = ensure_drawn(event_file, database, clock.wall_ms())
    drawn = sum(round_.is_drawn for round_ in event.all_rounds)
    later = len(event.all_rounds) - drawn
    click.echo(f"{event.name} is drawn: {count(len(event.matches), 'match', 'matches')} in {count(drawn, 'round')}")
    if later:
        click.echo(f"{count(later, 'round')} to be drawn when results are known")
    click.echo(f"the matches: tourney schedule {event_path}")


@click.command("schedule")
@event_argument
@click.option(
    "--balance",
    is_flag=True,
    help="For pairs: how evenly each movement lets the pairs compete, and what to know about it.",
)
@click.option(
    "--pair",
    metavar="NAME",
    help="For pairs: where a pair sits in each round, for the author of its programs: table, direction, opponents, "
    "boards and port.",
)
@form_options
def schedule_command(event_path: Path, balance: bool, pair: str | None, as_json: bool, as_csv: bool) -> None:
    """Show the matches of an event, with rooms and boards; what has not been drawn yet is drawn first.

    EVENT is the path of an event file, which is drawn as by `tourney draw`. Times are in the time zone of the event
    (`timezone` in its file), else of this machine; in JSON and CSV they are UTC. `tourney export --format ics` writes
    them for calendars. The CSV table has a row for each room of each segment of the matches drawn so far. If all
    stages are movements, of pairs or of several teams, it has the movements instead. Movements name pairs or teams
    and sets of boards by number, in the form that the event file takes.

    With --balance, movements of pairs are measured. Two pairs compete on every board that both play: +1 for the same
    direction at different tables, -1 for opposite ones. Where they meet, it is one less than the number of results.
    The smaller the variance, the fairer; 0 is a perfect movement.
    """
    from tourney.coordinator.draw import ensure_drawn
    from tourney.event.file import load_event_to_play
    from tourney.report.movements import load_movement_rows, load_movements
    from tourney.report.pair_schedule import load_pair_schedule
    from tourney.report.schedule import load_schedule
    from tourney.store.db.database import Database

    event_file = load_event_to_play(event_path)
    with closing(Database(event_file.database_url)) as database:
        event = ensure_drawn(event_file, database, clock.wall_ms())
        movements = load_movements(event_file.config) if balance else None
        rows = load_movement_rows(event_file.config) if as_csv else None
        schedule = load_schedule(database, event, event_file.place.names.zone)
        sheet = load_pair_schedule(event_file, database, event, pair) if pair is not None else None
    if balance and sheet is not None:
        raise UsageError("--balance, --pair: the balance is of all pairs; give one of them")
    if sheet is not None:
        print_report(sheet, as_json=as_json, as_csv=as_csv)
    elif balance:
        if movements is None:
            raise UsageError(f"--balance: {event.name!r} has no pairs stage")
        print_report(movements, as_json=as_json, as_csv=as_csv)
    elif rows is not None:
        print_csv(rows)
    elif as_json:
        print_json(schedule.document())
    elif as_csv:
        print_csv(schedule.csv())
    else:
        print_text(schedule.text())
