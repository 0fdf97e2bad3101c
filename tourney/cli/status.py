"""`tourney status`: what needs the director, what is being played, and how far the event has progressed."""

from pathlib import Path

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import director_option, form_options, print_report
from tourney.runtime import clock


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
