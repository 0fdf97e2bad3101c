"""`tourney run`: play an event."""

from functools import partial
from pathlib import Path

import click

from tourney.cli._common import EXISTING_FILE, EXIT_INTERRUPTED, FILE, default_option, flag_option, print_note
from tourney.cli._ranges import IntRange
from tourney.extras import has_extra
from tourney.plurals import count

# As in `tourney.log`, which need not be imported to show a help text.
LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_LEVEL_DEFAULT = "info"


@click.command("run")
@click.argument("event", type=EXISTING_FILE)
@click.option(
    "--hosts",
    type=IntRange(1, 64),
    help="Number of table host processes; by default one per core.",
)
@default_option(
    "--log-level",
    type=click.Choice(LOG_LEVELS),
    default=LOG_LEVEL_DEFAULT,
    help="Lowest level of messages that the run and its table hosts log.",
)
@click.option(
    "--log-file",
    type=FILE,
    help="Log the run to this file, one JSON object per line; table hosts log to hosts/ of the results folder.",
)
@flag_option(
    "--share",
    help="Let every user of this machine read what the run writes: connections.json at once, wire logs and output of "
    "programs and hosts when every board is public. By default only its user and group may. The database "
    "stays closed.",
)
def run_command(event: Path, hosts: int | None, log_level: str, log_file: Path | None, share: bool) -> None:
    """Play an event: start its rounds when they are due, until every match has a result.

    Prints who connects where, and writes it to connections.json in the results folder. Ctrl-C stops the run; run it
    again and every table goes on where it was, in the middle of a board.

    Exit status: 0 when every match has finished, 1 when some could not, 130 after Ctrl-C.
    """
    from tourney.cli.displays import RunPrinter
    from tourney.coordinator.run_process import run_event
    from tourney.event.file import load_event_to_play

    event_file = load_event_to_play(event)
    solve = None
    if event_file.config.analysis.automatic and has_extra("dd"):
        from tourney.lab.analysing import analyse_beside

        solve = partial(analyse_beside, event)
    outcome = run_event(
        event_file, RunPrinter(), hosts, log_level=log_level, log_file=log_file, share=share, beside=solve
    )
    if outcome.stopped:
        click.echo(f"stopped with {count(outcome.matches_left, 'match', 'matches')} left; run again to go on")
        raise SystemExit(EXIT_INTERRUPTED)
    if outcome.matches_left:
        later = f", and {outcome.rounds_left} rounds that depend on them" if outcome.rounds_left else ""
        print_note(f"{count(outcome.matches_left, 'match', 'matches')} left{later}; run again to go on")
        raise SystemExit(1)
    click.echo(f"every match is finished: tourney standings {event}")
