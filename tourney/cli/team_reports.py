"""`tourney rounds`, `tourney head-to-head` and `tourney times`: matches, meetings, and the time teams took."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.comparisons import round_option
from tourney.cli.tables_out import CsvTable, form_options, print_report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tourney.cli.text_table import TextTable
    from tourney.event.drawn import DrawnEvent
    from tourney.report.head_to_head import HeadToHead
    from tourney.report.rounds import MatchLine, RoundResults
    from tourney.report.rulings import Document
    from tourney.report.times_used import SideTimes, TeamTimes, TimesUsed
    from tourney.store.draw.objects import EventInfo

TEAMS_NAMED: Final = 16
"""Teams that a sentence names one by one: with more it would be a page."""

MATCH_COLUMNS: Final = (
    *("round", "match", "home", "away", "state", "boards", "boards_over"),
    *("imps_home", "imps_away", "vp_home", "vp_away", "carry_home", "carry_away"),
)
SIDE_COLUMNS: Final = (
    *("match", "room", "side", "team", "boards", "total_ms", "average_ms", "longest_board", "longest_ms"),
)
BOARD_TIME_COLUMNS: Final = ("match", "room", "side", "team", "board", "ms")


@click.command("rounds")
@event_argument
@form_options
@round_option
def rounds_command(event_path: Path, as_json: bool, as_csv: bool, round_number: int | None) -> None:
    """Show the results round by round: matches, byes, and what is still being played.

    EVENT is the path of an event file. A match that is not over has its IMPs so far, of the boards that both rooms
    have finished. A star marks a score of which a ruling took something; the rulings are below.
    """
    from tourney.report.comparison_documents import rounds_document
    from tourney.report.rounds import load_rounds

    with open_event(event_path) as drawn:
        drawn.check_round(round_number)
        results = load_rounds(drawn.database, drawn.event, drawn.scales, round_number)
    print_report(
        as_json,
        as_csv,
        document=lambda: rounds_document(results),
        table=lambda: CsvTable(MATCH_COLUMNS, _round_rows(results)),
        people=lambda: _print_rounds(drawn.event, results, event_path),
    )


def _round_rows(results: "RoundResults") -> "Iterable[Document]":
    """A row a match, and one a bye: its team alone, as the home team."""
    from tourney.report.comparison_documents import match_line_document

    for round_ in results.rounds:
        yield from map(match_line_document, round_.matches)
        for team in round_.byes:
            yield {"round": round_.number, "home": team, "state": "bye"}


def _print_rounds(event: "EventInfo", results: "RoundResults", event_path: Path) -> None:
    from tourney.cli.output import count, make_console
    from tourney.cli.reports import print_starred
    from tourney.report.schedule import describe_round
    from tourney.report.times import format_local

    console = make_console()
    matches = [line for round_ in results.rounds for line in round_.matches]
    over = sum(round_.matches_over for round_ in results.rounds)
    console.print(f"{results.event}: {over} of {count(len(matches), 'match', 'matches')} over")
    for round_ in results.rounds:
        starts = f", starts {format_local(round_.starts_at_ms)}" if round_.starts_at_ms is not None else ""
        bye = f", bye: {', '.join(round_.byes)}" if round_.byes else ""
        console.print()
        console.print(f"{describe_round(event, round_.number)}{starts}{bye}")
        if round_.matches:
            console.print(_match_table(event, round_.matches))
    print_starred(console, [ruling for line in matches for ruling in line.rulings], event_path)


def _match_table(event: "EventInfo", lines: "Iterable[MatchLine]") -> "TextTable":
    from tourney.cli.output import NOTHING, make_table
    from tourney.movement.carry_over import format_imps_hundredths
    from tourney.scoring.victory_points import format_vp

    table = make_table(">Match", "Home", "Away", ">IMPs", ">VP", "State")
    for line in lines:
        imps = points = NOTHING
        if line.imps_home is not None:
            carried = (line.match.carry_home, line.match.carry_away)
            totals = (carried[0] + 100 * line.imps_home, carried[1] + 100 * (line.imps_away or 0))
            imps = "-".join(map(format_imps_hundredths, totals))
        star = "*" if line.rulings else ""
        if line.vp_home is not None and line.vp_away is not None:
            points = f"{format_vp(line.vp_home)}-{format_vp(line.vp_away)}{star}"
        if event.stage_of(line.match).format.is_knockout:
            imps, points = f"{imps}{star if points != NOTHING else ''}", ""
        table.add_row(str(line.match.number), line.match.home, line.match.away, imps, points, _describe_state(line))
    return table


def _describe_state(line: "MatchLine") -> str:
    """`playing, 3 of 16 boards`."""
    from tourney.cli.output import count
    from tourney.report.rounds import MatchState

    if line.state in (MatchState.OVER, MatchState.TO_COME):
        return line.state.value.replace("-", " ")
    return f"{line.state.value}, {line.boards_over} of {count(line.boards, 'board', 'boards')}"


@click.command("head-to-head")
@event_argument
@click.argument("first", metavar="TEAM")
@click.argument("second", metavar="TEAM")
@form_options
def head_to_head_command(event_path: Path, first: str, second: str, as_json: bool, as_csv: bool) -> None:
    """Show what two teams made of all their matches against each other.

    EVENT is the path of an event file, each TEAM the name of one of its teams, in any case. Matches are won and lost
    as in the standings; those to come are listed.
    """
    from tourney.errors import UsageError
    from tourney.report.comparison_documents import head_to_head_document, match_line_document
    from tourney.report.head_to_head import load_head_to_head

    with open_event(event_path) as drawn:
        one, other = _team(drawn, first), _team(drawn, second)
        if one == other:
            raise UsageError(f"two teams are asked for, got {one!r} twice")
        meeting = load_head_to_head(drawn.database, drawn.event, drawn.scales, one, other)
    print_report(
        as_json,
        as_csv,
        document=lambda: head_to_head_document(meeting),
        table=lambda: CsvTable(MATCH_COLUMNS, map(match_line_document, meeting.matches)),
        people=lambda: _print_head_to_head(drawn.event, meeting, event_path),
    )


def _team(drawn: "DrawnEvent", name: str) -> str:
    """The team of that name, as the draw has it.

    Raises:
        UsageError: there is none.
    """
    from tourney.errors import UsageError

    names = {team.name.casefold(): team.name for team in drawn.event.teams}
    found = names.get(" ".join(name.split()).casefold())
    if found is None:
        shown = ", ".join(list(names.values())[:TEAMS_NAMED]) + (", ..." if len(names) > TEAMS_NAMED else "")
        raise UsageError(f"teams of {drawn.event.name!r} are {shown}, got {name!r}")
    return found


def _print_head_to_head(event: "EventInfo", meeting: "HeadToHead", event_path: Path) -> None:
    from tourney.cli.output import count, make_console, make_table
    from tourney.cli.reports import print_starred
    from tourney.scoring.victory_points import format_vp

    console = make_console()
    names = " - ".join(row.team for row in meeting.records)
    over = f"{meeting.matches_over} of {count(len(meeting.matches), 'match', 'matches')} over"
    console.print(f"{meeting.event}, {names}: {over}")
    console.print(_match_table(event, meeting.matches))
    table = make_table("Team", ">Won", ">Drawn", ">Lost", ">IMPs for", ">IMPs against", ">VP")
    for row in meeting.records:
        figures = (row.won, row.drawn, row.lost, row.imps_for, row.imps_against)
        table.add_row(row.team, *map(str, figures), format_vp(row.vp))
    console.print()
    console.print(table)
    print_starred(console, [ruling for line in meeting.matches for ruling in line.rulings], event_path)


@click.command("times")
@event_argument
@form_options
@click.option("--match", "match_number", type=int, metavar="N", help="Of this match, board by board.")
@click.option(
    "--longest", is_flag=True, help="Look for the longest thoughts too: every call and card of the event is read."
)
def times_command(event_path: Path, as_json: bool, as_csv: bool, match_number: int | None, longest: bool) -> None:
    """Show how much time each team has used.

    EVENT is the path of an event file. Times are minutes and seconds of thinking, of both players of a side together,
    over the boards that both rooms have finished; a team's boards are counted at each table. With --match there are
    the times of every board, and what each team thought about longest.
    """
    from tourney.report.comparison_documents import board_time_rows, side_document, times_document
    from tourney.report.times_used import load_times

    with open_event(event_path, match_number) as drawn:
        match = drawn.match(match_number) if match_number is not None else None
        times = load_times(drawn.database, drawn.event, match, with_thoughts=longest or match is not None)

    def table() -> CsvTable:
        from tourney.cli.tables_out import flat

        if match is not None:
            return CsvTable(BOARD_TIME_COLUMNS, board_time_rows(times))
        return CsvTable(SIDE_COLUMNS, (flat(side_document(side)) for side in times.sides))

    print_report(
        as_json,
        as_csv,
        document=lambda: times_document(times),
        table=table,
        people=lambda: _print_times(times) if match is None else _print_match_times(times),
    )


def _print_times(times: "TimesUsed") -> None:
    from tourney.cli.output import make_console, make_table

    table = make_table("Team", ">Boards", ">Total", ">Average", ">Slowest board", "Where", ">Slowest match", "Where")
    for team in times.teams:
        board, match = team.slowest_board, team.slowest_match
        cells = [team.team, str(team.boards), _time(team.total_ms), _average(team.total_ms, team.boards)]
        slowest = board.slowest if board is not None else None
        cells += [_time(slowest.time_ms if slowest is not None else None)]
        cells += [f"{_room(board)}, board {slowest.board}" if board is not None and slowest is not None else ""]
        cells += [_time(match.total_ms if match is not None else None), _room(match) if match is not None else ""]
        table.add_row(*cells)
    console = make_console()
    console.print(times.event)
    console.print(table)
    _print_longest(times.teams)


def _print_match_times(times: "TimesUsed") -> None:
    from tourney.cli.output import make_console, make_table

    assert times.match is not None
    match, sides = times.match, times.sides
    console = make_console()
    console.print(f"{times.event}, round {match.round}, match {match.number}: {match.home} - {match.away}")
    headings = (f">{side.room.value.title()} {side.side.value}: {side.team}" for side in sides)
    table = make_table(">Board", *headings)
    by_side = [{board.board: board.time_ms for board in side.boards} for side in sides]
    for number in dict.fromkeys(board.board for side in sides for board in side.boards):
        table.add_row(str(number), *(_time(found.get(number)) for found in by_side))
    table.add_section()
    table.add_row("Total", *(_time(side.total_ms) for side in sides))
    table.add_row("Average", *(_average(side.total_ms, len(side.boards)) for side in sides))
    longest = (side.longest.time_ms if side.longest is not None else None for side in sides)
    table.add_row("Longest thought", *map(_time, longest))
    console.print(table)
    _print_longest(times.teams)


def _print_longest(teams: "Iterable[TeamTimes]") -> None:
    """`Alpha thought longest, 0:07.4, about card 12 (SA, from East): match 3, open room, board 7`."""
    from tourney.cli.output import make_console

    console = make_console()
    lines = [(team.team, *team.longest) for team in teams if team.longest is not None]
    if lines:
        console.print()
    for team, side, thought in lines:
        what = (
            f"{'card' if thought.is_card else 'call'} {thought.number} ({thought.action}, from {thought.seat.title})"
        )
        place = f"{_room(side)}, board {thought.board}"
        console.print(f"{team} thought longest, {_time(thought.thinking_ms)}, about {what}: {place}")


def _room(side: "SideTimes") -> str:
    return f"match {side.match.number}, {side.room.value} room"


def _time(time_ms: int | None) -> str:
    from tourney.cli.output import NOTHING
    from tourney.report.times import format_duration

    return format_duration(time_ms) if time_ms is not None else NOTHING


def _average(total_ms: int, boards: int) -> str:
    from tourney.report.times_used import average_ms

    return _time(average_ms(total_ms, boards))
