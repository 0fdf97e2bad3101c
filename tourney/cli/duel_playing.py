"""Playing duels from the command line: the run until a duel is decided."""

from collections.abc import Callable
from contextlib import closing

from tourney.cli.duel_display import DuelDisplay
from tourney.cli.run import run_event
from tourney.coordinator.event_run import RunOutcome
from tourney.event.file import EventFile
from tourney.lab.duel_watch import DuelWatch, describe_struck, resume_tables
from tourney.report.duel import DuelReport, load_duel
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.table import clock


def play_duel(
    event_file: EventFile, make_display: Callable[[], DuelDisplay], *, every: int, strikes: int
) -> tuple[DuelReport, RunOutcome | None]:
    """Play what is left of a duel; without an outcome if it is decided already.

    Raises:
        TourneyError: it cannot be played at all.
    """
    stage = event_file.config.stage[0]
    found = load_record(event_file)
    if found is not None and (found.is_over or describe_struck(found, strikes)):
        return found, None

    if found is not None:
        _resume(event_file)
    display = make_display()

    async def watch(database: Database, event: EventInfo) -> None:
        watch = DuelWatch(
            database,
            event,
            stage,
            every=every,
            strikes=strikes,
            show=display.show,
            refresh=display.refresh,
        )
        await watch.watch()

    try:
        outcome = run_event(event_file, display=display, beside=watch)
    finally:
        display.close()
    report = load_record(event_file)
    assert report is not None
    return report, outcome


def load_record(event_file: EventFile) -> DuelReport | None:
    """Load what the record says so far; None before anything is on record."""
    with closing(Database(event_file.database_url)) as database:
        event = None if database.is_missing else load_event(database, event_file.config.event.name)
        return load_duel(database, event, event_file.config.stage[0]) if event is not None else None


def _resume(event_file: EventFile) -> None:
    with closing(Database(event_file.database_url)) as database:
        event = load_event(database, event_file.config.event.name)
        assert event is not None
        resume_tables(database, event, clock.wall_ms())
