"""`tourney analyse`: double dummy analysis of finished boards."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, json_option, print_json, show_solved
from tourney.output.tables import TextTable
from tourney.plurals import plural

if TYPE_CHECKING:
    from tourney.results.analysis import AnalysedBoard, AnalysedPlay
    from tourney.results.played import PlayedMatch


@click.command("analyse")
@event_argument
@click.option("--match", "number", type=int, metavar="N", help="This match only.")
@json_option
def analyse_command(event_path: Path, number: int | None, as_json: bool) -> None:
    """Solve finished boards double dummy: makeable tricks, par, and the cards that cost tricks.

    EVENT is the path of an event file. Boards are solved once both rooms have finished them. This needs the extra
    `dd` and about half a second per board and core. Results are kept in the database and not computed again;
    from then on `tourney match` and `tourney export` show them, with or without the extra. Do not run it on a machine
    that is playing tables.
    """
    from tourney.lab.analysing import analyse
    from tourney.report.analysis import AnalysedEventDocument, analysed_match
    from tourney.results.analysis import load_analysis
    from tourney.results.played import iter_played

    with open_event(event_path, number) as drawn:
        database, event = drawn.database, drawn.event
        matches = event.matches if number is None else (drawn.match(number),)
        played = [match for match in iter_played(database, event, matches, drawn.scales) if match.boards]
        solved = analyse(database, played, os.cpu_count() or 1, show_solved)
        if solved:
            click.echo(f"{solved} {plural(solved, 'board or play', 'boards and plays')} solved just now", err=True)
        if as_json:
            matches_solved = [
                analysed_match(each.match.number, load_analysis(database, each.match, each.records).values())
                for each in played
            ]
            print_json(AnalysedEventDocument(event.name, matches_solved))
            return
        console = Printer()
        for each in played:
            _print_match(console, each, list(load_analysis(database, each.match, each.records).values()))
        if not played:
            console.print("no board is finished in both rooms yet")


def _print_match(console: Printer, played: "PlayedMatch", boards: "list[AnalysedBoard]") -> None:
    from tourney.movement.seating import Room

    match = played.match
    table = TextTable(">Board", "Makes (NT S H D C)", ">Par", "Par contracts", "Open", "Closed")
    for board in boards:
        plays = {play.room: _play_cell(play) for play in board.plays}
        table.add_row(
            str(board.number),
            _makes_cell(board),
            str(board.worth.par_ns),
            ", ".join(board.worth.par_contracts),
            *(plays.get(room, "") for room in Room),
        )
    console.print(f"match {match.number}: {match.home} - {match.away}")
    console.print(table)
    console.print()


def _makes_cell(board: "AnalysedBoard") -> str:
    """Format makeable tricks: `N 8 9 5 8 7, S ..., E ..., W ...`; partners with equal tricks are listed once."""
    from tourney.bridge import Side
    from tourney.scoring.double_dummy import DECLARERS, STRAINS

    cells = []
    for side in Side:
        rows = {
            seat.letter: " ".join(str(board.worth.table.tricks[seat, strain]) for strain in STRAINS)
            for seat in DECLARERS
            if seat.side is side
        }
        if len(set(rows.values())) == 1:
            cells.append(f"{''.join(rows)} {next(iter(rows.values()))}")
        else:
            cells += [f"{letter} {row}" for letter, row in rows.items()]
    return ", ".join(cells)


def _play_cell(play: "AnalysedPlay") -> str:
    """Format a play: `9 of 10: lead S2 -1, W HA -1` is tricks made and possible, and the cards that cost tricks."""
    costs = [f"{'lead' if cost.number == 1 else cost.seat.letter} {cost.card} -{cost.tricks}" for cost in play.costs]
    return f"{play.made} of {play.possible}{': ' if costs else ''}{', '.join(costs)}"
