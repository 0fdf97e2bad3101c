"""`tourney schedule`: the draw."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument

if TYPE_CHECKING:
    from tourney.cli.text_table import TextTable
    from tourney.report.schedule import Schedule
    from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo


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
    from tourney.coordinator.draw.drawing import ensure_drawn
    from tourney.event.file import load_event_file
    from tourney.report.documents import schedule_document
    from tourney.report.schedule import load_schedule
    from tourney.store.db.database import Database
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
    from tourney.movement.groups import group_letter

    event = schedule.event
    console = make_console()
    console.print(event.name)
    for stage in event.stages:
        segments = f" in {stage.segments} segments" if stage.segments > 1 else ""
        groups = f", {stage.groups} groups" if stage.groups > 1 else ""
        scale = "" if stage.format.is_knockout else f", {stage.vp_scale}"
        console.print(
            f"{stage.name}: {stage.format.name}{groups}, {count(len(stage.rounds), 'round', 'rounds')}, "
            f"{count(stage.boards_per_match, 'board', 'boards')} a match{segments}{scale}"
        )
    groups_of = {e.team: e.group for e in event.stages[0].entries} if event.stages[0].groups > 1 else {}
    teams = make_table(">No", "Team", *(["Group"] if groups_of else []))
    for team in event.teams:
        group = [group_letter(groups_of[team.name] - 1)] if groups_of else []
        teams.add_row(str(team.number), team.name, *group)
    console.print()
    console.print(teams)
    for round_ in event.all_rounds:
        console.print()
        console.print(_round_heading(event, round_))
        if round_.matches:
            console.print(_round_table(schedule, round_))


def _round_heading(event: "EventInfo", round_: "RoundInfo") -> str:
    from tourney.report.schedule import describe_byes, describe_round
    from tourney.report.times import format_local

    heading = describe_round(event, round_.number)
    if round_.starts_at_ms is not None:
        heading += f", {format_local(round_.starts_at_ms)}"
    if not round_.is_drawn:
        return f"{heading}: drawn when the rounds before it are over"
    return f"{heading}; {describe_byes(round_.byes)}" if round_.byes else heading


def _round_table(schedule: "Schedule", round_: "RoundInfo") -> "TextTable":
    from tourney.cli.output import make_table
    from tourney.movement.seating import Room
    from tourney.report.schedule import format_ranges

    table = make_table(">Match", "Home - away", "Boards", "Room", "N-S", "E-W")
    for match in round_.matches:
        numbers = schedule.boards_of(match)
        name = (str(match.number), f"{match.home} - {match.away}{_notes(match)}")
        for segment in match.segments:
            boards = format_ranges(numbers[segment.first : segment.first + segment.boards])
            for room in Room:
                seats = segment.tables[room]
                table.add_row(*name, boards, room.value, seats.ns_team, seats.ew_team)
                name, boards = ("", ""), ""
    return table


def _notes(match: "MatchInfo") -> str:
    """`, for third place; carried over: 2.5 - 0`."""
    from tourney.movement.carry_over import format_imps_hundredths

    notes = ", for third place" if match.is_third_place else ""
    if match.carry_home or match.carry_away:
        carried = " - ".join(map(format_imps_hundredths, (match.carry_home, match.carry_away)))
        notes += f"; carried over: {carried}"
    return notes
