"""`tourney analyse`: double dummy analysis of finished boards."""

import os
from pathlib import Path

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import json_option, print_report, show_solved
from tourney.plurals import plural


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
    from tourney.results.analysis import load_analysis
    from tourney.results.played import iter_played
    from tourney.views.analysis import AnalysedEvent

    with open_event(event_path, number) as drawn:
        database, event = drawn.database, drawn.event
        matches = event.matches if number is None else (drawn.match(number),)
        played = [match for match in iter_played(database, event, matches, drawn.scales) if match.boards]
        solved = analyse(database, played, os.cpu_count() or 1, show_solved)
        if solved:
            click.echo(f"{solved} {plural(solved, 'board or play', 'boards and plays')} solved just now", err=True)
        boards = [(each.match, tuple(load_analysis(database, each.match, each.records).values())) for each in played]
        print_report(AnalysedEvent(event.name, boards), as_json=as_json, as_csv=False)
