"""The run of an event in a process of its own: its lock, its log, what is shown of it, the signals that end it."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from tourney.coordinator.director import check_open
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.coordinator.run_context import RunEvent
from tourney.coordinator.run_lease import hold_run_lock, share_logs
from tourney.event.file import EventFile
from tourney.event.seal import seal_problem
from tourney.log import DEFAULT_LEVEL, configure_logging
from tourney.runtime import clock
from tourney.runtime.privacy import private_process
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.results.event_results import is_played
from tourney.store.results.secrecy import load_hidden_boards


class Run(Protocol):
    """A run of an event."""

    async def run(self) -> RunOutcome:
        """Play everything that is left of the event, or until `stop`."""

    def stop(self) -> None:
        """End the run."""


class RunDisplay(Protocol):
    """Shows a run to people."""

    def notify(self, text: str) -> None:
        """Show a sentence."""

    def report(self, event: RunEvent) -> None:
        """Show what has happened in the run."""


def run_event(
    event_file: EventFile,
    display: RunDisplay,
    hosts: int | None = None,
    *,
    log_level: str = DEFAULT_LEVEL,
    log_file: Path | None = None,
    share: bool = False,
    beside: Callable[[Database, EventInfo], Coroutine[Any, Any, None]] | None = None,
    make_run: Callable[[Database, EventInfo], Run] | None = None,
) -> RunOutcome:
    """Draw the event if necessary, and play everything that is left of it.

    Args:
        event_file: the event.
        display: shows the run.
        hosts: the number of table hosts; None for one per core.
        log_level: the lowest level of messages that the run and its hosts log.
        log_file: where the run logs to.
        share: whether every user of the machine may read the files that it writes.
        beside: what is done in the same process while the event is played; it is cancelled at the end.
        make_run: makes what plays it; by default a run with table hosts.

    Raises:
        TourneyError: the event cannot be played at all.
    """
    with private_process(share=share), hold_run_lock(event_file.results, share=share):
        configure_logging(level=log_level, file=log_file, to_stderr=False)
        database = Database(event_file.database_url)
        try:
            event = ensure_drawn(event_file, database, clock.wall_ms(), holds_run_lock=True, notify=display.notify)
            if not is_played(database, event.id):
                check_open(database, event)  # with matches left it was abandoned if its results are final
            notices = (event_file.access_notice, event_file.address_notice, event_file.login_notice)
            for notice in (*notices, seal_problem(event_file.results, database, event)):
                if notice is not None:
                    display.notify(notice)
            processes = hosts or os.cpu_count() or 1
            run: Run = (
                make_run(database, event)
                if make_run is not None
                else EventRun(event_file, database, event, display.report, processes, log_level=log_level)
            )

            received = set[int]()

            async def conduct() -> RunOutcome:
                _stop_on_signals(run.stop, display, received)
                if beside is None:
                    return await run.run()
                watching = asyncio.create_task(beside(database, event))
                watching.add_done_callback(lambda done: _stop_if_failed(done, run.stop))
                try:
                    return await run.run()
                finally:
                    watching.cancel()
                    with suppress(asyncio.CancelledError):
                        await watching

            outcome = asyncio.run(conduct())
            outcome.is_terminated = signal.SIGTERM in received
            if share:
                _share_logs(event_file, database, outcome, display)
            return outcome
        finally:
            database.close()


def _share_logs(event_file: EventFile, database: Database, outcome: RunOutcome, display: RunDisplay) -> None:
    """Share what was written at the tables if nobody has a board of the event to play any more."""
    event = load_event(database, event_file.config.event.name)
    is_over = not (outcome.stopped or outcome.matches_left or outcome.rounds_left)
    if is_over and event is not None and not load_hidden_boards(database, event).by_set:
        share_logs(event_file.results)
    else:
        display.notify("wire logs and the output of programs and hosts are shared when every board is public")


def _stop_if_failed(task: asyncio.Task[None], stop: Callable[[], None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        stop()


def _stop_on_signals(stop: Callable[[], None], display: RunDisplay, received: set[int]) -> None:
    """End the run on Ctrl-C and SIGTERM: players are told, programs ended, current boards left unfinished."""

    def asked(number: int) -> None:
        received.add(number)
        display.notify("stopping: this takes a few seconds; what is left is played when the event is run again")
        stop()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked, number)
