"""`tourney schedule`: the draw."""

from contextlib import closing
from pathlib import Path

import click

from tourney.cli._common import event_argument
from tourney.cli._output import form_options, print_csv, print_json, print_text
from tourney.table import clock


@click.command("schedule")
@event_argument
@form_options
def schedule_command(event_path: Path, as_json: bool, as_csv: bool) -> None:
    """Draw the event and show its matches, with rooms and boards.

    EVENT is the path of an event file. The draw is stored and does not change afterwards, except that it follows
    changes of the file until a board has been begun. Times are in the local time zone; in JSON and CSV they are UTC.
    The CSV table has a row for each room of each segment of the matches drawn so far.
    """
    from tourney.coordinator.draw.drawing import ensure_drawn
    from tourney.event.file import load_event_file
    from tourney.report.schedule import load_schedule
    from tourney.store.db.database import Database

    event_file = load_event_file(event_path)
    with closing(Database(event_file.database_url)) as database:
        event = ensure_drawn(event_file, database, clock.wall_ms())
        schedule = load_schedule(database, event)
    if as_json:
        print_json(schedule.document())
    elif as_csv:
        print_csv(schedule.csv())
    else:
        print_text(schedule.text())
