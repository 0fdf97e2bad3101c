"""`tourney run`: play an event."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cli._common import EXISTING_FILE, EXIT_INTERRUPTED, FILE
from tourney.cli._ranges import IntRange
from tourney.plurals import count
from tourney.runtime import clock

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from tourney.cli.displays import PlainDisplay
    from tourney.coordinator.event_run import RunOutcome
    from tourney.event.file import EventFile
    from tourney.store.db.database import Database
    from tourney.store.draw.objects import EventInfo


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
@click.option(
    "--log-level",
    type=click.Choice(LOG_LEVELS),
    default=LOG_LEVEL_DEFAULT,
    show_default=True,
    help="Lowest level of messages that the run and its table hosts log.",
)
@click.option(
    "--log-file",
    type=FILE,
    help="Log the run to this file, one JSON object per line; table hosts log to hosts/ of the results folder.",
)
@click.option(
    "--share",
    is_flag=True,
    help="Let every user of this machine read what the run writes: connections.json at once, and, when every board "
    "is public, wire logs and the output of programs and hosts. By default only its user and group may. The database "
    "stays closed.",
)
def run_command(event: Path, hosts: int | None, log_level: str, log_file: Path | None, share: bool) -> None:
    """Play an event: start its rounds when they are due, until every match has a result.

    Prints who connects where, and writes it to connections.json in the results folder. Ctrl-C stops the run; run it
    again and every table goes on where it was, in the middle of a board.

    Exit status: 0 when every match has finished, 1 when some could not, 130 after Ctrl-C.
    """
    from tourney.event.file import load_event_to_play

    outcome = run_event(load_event_to_play(event), hosts, log_level=log_level, log_file=log_file, share=share)
    if outcome.stopped:
        click.echo(f"stopped with {count(outcome.matches_left, 'match', 'matches')} left; run again to go on")
        raise SystemExit(EXIT_INTERRUPTED)
    if outcome.matches_left:
        later = f", and {outcome.rounds_left} rounds that depend on them" if outcome.rounds_left else ""
        click.echo(f"{count(outcome.matches_left, 'match', 'matches')} left{later}; run again to go on", err=True)
        raise SystemExit(1)
    click.echo(f"every match is finished: tourney standings {event}")


def run_event(
    event_file: "EventFile",
    hosts: int | None = None,
    *,
    log_level: str = LOG_LEVEL_DEFAULT,
    log_file: Path | None = None,
    share: bool = False,
    display: "PlainDisplay | None" = None,
    beside: "Callable[[Database, EventInfo], Coroutine[Any, Any, None]] | None" = None,
) -> "RunOutcome":
    """Draw the event if necessary, and play everything that is left of it.

    Args:
        event_file: the event.
        hosts: the number of table hosts; None for one per core.
        log_level: the lowest level of messages that the run and its hosts log.
        log_file: where the run logs to.
        share: whether every user of the machine may read the files that it writes.
        display: shows the run; by default lines, or bars in a terminal.
        beside: what is done in the same process while the event is played; it is cancelled at the end.

    Raises:
        TourneyError: the event cannot be played at all.
    """
    import asyncio

    from tourney.cli.displays import run_display
    from tourney.coordinator.director import check_playable
    from tourney.coordinator.draw import ensure_drawn
    from tourney.coordinator.run_lease import hold_run_lock
    from tourney.event.seal import seal_problem
    from tourney.log import configure_logging
    from tourney.runtime.privacy import private_process
    from tourney.store.db.database import Database

    with private_process(share=share), hold_run_lock(event_file.results, share=share):
        configure_logging(level=log_level, file=log_file, to_stderr=False)
        database = Database(event_file.database_url, names_holders=True)
        display = display if display is not None else run_display()
        try:
            event = ensure_drawn(event_file, database, clock.wall_ms(), holds_run_lock=True)
            check_playable(database, event)
            if event_file.access_notice is not None:
                display.notify(event_file.access_notice)
            if event_file.address_notice is not None:
                display.notify(event_file.address_notice)
            if event_file.login_notice is not None:
                display.notify(event_file.login_notice)
            trouble = seal_problem(event_file.results, database, event)
            if trouble is not None:
                display.notify(trouble)
            from tourney.coordinator.event_run import EventRun

            run = EventRun(
                event_file, database, event, display.report, hosts or os.cpu_count() or 1, log_level=log_level
            )

            async def conduct() -> "RunOutcome":
                _stop_on_signals(run.stop, display)
                if beside is None:
                    return await run.run()
                watching = asyncio.create_task(beside(database, event))
                watching.add_done_callback(lambda done: _stop_if_failed(done, run.stop))
                try:
                    return await run.run()
                finally:
                    if not watching.done():
                        watching.cancel()
                    with suppress(asyncio.CancelledError):
                        await watching

            outcome = asyncio.run(conduct())
            if share:
                _share_logs(event_file, database, outcome, display)
            return outcome
        finally:
            display.close()
            database.close()


def _share_logs(
    event_file: "EventFile", database: "Database", outcome: "RunOutcome", display: "PlainDisplay"
) -> None:
    """Share what was written at the tables if nobody has a board of the event to play any more."""
    from tourney.coordinator.run_lease import share_logs
    from tourney.store.draw.reader import load_event
    from tourney.store.results.secrecy import load_hidden_boards

    event = load_event(database, event_file.config.event.name)
    is_over = not (outcome.stopped or outcome.matches_left or outcome.rounds_left)
    if is_over and event is not None and not load_hidden_boards(database, event).by_set:
        share_logs(event_file.results)
    else:
        display.notify("wire logs and the output of programs and hosts are shared when every board is public")


def _stop_if_failed(task: "asyncio.Task[None]", stop: "Callable[[], None]") -> None:
    if not task.cancelled() and task.exception() is not None:
        stop()


def _stop_on_signals(stop: "Callable[[], None]", display: "PlainDisplay") -> None:
    """End the run on Ctrl-C and SIGTERM: players are told, programs ended, current boards left unfinished."""
    import asyncio

    def asked() -> None:
        display.notify("stopping: this takes a few seconds; boards in play go on when the event is run again")
        stop()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked)
