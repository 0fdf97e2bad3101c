"""`tourney schedule`: the draw of an event, made and shown."""

from contextlib import closing
from pathlib import Path

import click

from tourney.cli._common import event_argument
from tourney.cli._output import form_options, print_csv, print_json, print_text
from tourney.runtime import clock


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
    segment of the matches drawn so far. If all stages are movements, of pairs or of several teams, it has the
    movements instead. Movements name pairs or teams and sets of boards by number, in the form that the event file
    takes.
    """
    from tourney.coordinator.draw import ensure_drawn
    from tourney.event.file import load_event_to_play
    from tourney.store.db.database import Database
    from tourney.views.movements import load_movement_rows
    from tourney.views.schedule import load_schedule

    event_file = load_event_to_play(event_path)
    with closing(Database(event_file.database_url)) as database:
        event = ensure_drawn(event_file, database, clock.wall_ms())
        rows = load_movement_rows(event_file.config) if as_csv else None
        schedule = load_schedule(database, event, event_file.place.names.zone)
    if rows is not None:
        print_csv(rows)
    elif as_json:
        print_json(schedule.document())
    elif as_csv:
        print_csv(schedule.csv())
    else:
        print_text(schedule.text())
