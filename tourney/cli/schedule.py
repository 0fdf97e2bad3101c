"""`tourney schedule`: the draw."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli.opening import event_argument

if TYPE_CHECKING:
    from rich.table import Table

    from tourney.report.schedule import Schedule
    from tourney.store.objects import RoundInfo


@click.command("schedule")
@event_argument
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def schedule_command(event_path: Path, as_json: bool) -> None:
    """Draw the event and show who meets whom, in which room, on which boards.

    EVENT is the path of an event file. The draw is stored, and is the same ever after; while no board has been begun
    it follows changes of the file. Times are those of this machine's time zone; in JSON they are UTC.
    """
    from contextlib import closing

    from tourney.cli.output import print_json
    from tourney.coordinator.drawing import ensure_drawn
    from tourney.coordinator.event_file import load_event_file
    from tourney.report.documents import schedule_document
    from tourney.report.schedule import load_schedule
    from tourney.store.database import Database
    from tourney.table.clock import wall_ms

    event_file = load_event_file(event_path)
    with closing(Database(event_file.database_url)) as database:
        event = ensure_drawn(event_file, database, wall_ms())
        schedule = load_schedule(database, event)
    if as_json:
        print_json(schedule_document(schedule))
    else:
        _print_schedule(schedule)


def _print_schedule(schedule: "Schedule") -> None:
    from tourney.cli.output import count, make_console, make_table

    event = schedule.event
    console = make_console()
    console.print(event.name)
    console.print(
        f"{event.stage_name}: {event.stage_format.value}, {count(len(event.rounds), 'round', 'rounds')}, "
        f"{count(event.boards_per_match, 'board', 'boards')} a match, {event.vp_scale}"
    )
    teams = make_table(">No", "Team")
    for team in event.teams:
        teams.add_row(str(team.number), team.name)
    console.print()
    console.print(teams)
    for round_ in event.rounds:
        console.print()
        console.print(_round_heading(round_))
        console.print(_round_table(schedule, round_))


def _round_heading(round_: "RoundInfo") -> str:
    from tourney.report.times import format_local

    heading = f"Round {round_.number}"
    if round_.starts_at_ms is not None:
        heading += f", {format_local(round_.starts_at_ms)}"
    return heading if round_.bye is None else f"{heading}; {round_.bye} sits out"


def _round_table(schedule: "Schedule", round_: "RoundInfo") -> "Table":
    from tourney.cli.output import make_table
    from tourney.movement.seating import Room
    from tourney.report.schedule import format_ranges

    table = make_table(">Match", "Home - away", "Boards", "Room", "N-S", "E-W")
    for match in round_.matches:
        first = (str(match.number), f"{match.home} - {match.away}", format_ranges(schedule.boards_of(match)))
        for room in Room:
            seats = match.tables[room]
            table.add_row(*first, room.value, seats.ns_team, seats.ew_team)
            first = ("", "", "")
    return table
