"""What is on record of a duel, before more of it is played and after."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tourney.coordinator.run_lease import load_activity
from tourney.errors import LaunchError
from tourney.event.file import EventFile, load_event_file
from tourney.lab.duel_watch import resume_tables
from tourney.plurals import count
from tourney.report.duel import DuelReport, load_duel
from tourney.runtime import clock
from tourney.scoring.strength.sequential import Verdict
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event


@contextmanager
def open_duel(event_file: EventFile) -> Iterator[tuple[Database, EventInfo | None]]:
    """Open the database of a duel, with the duel as drawn; None before anything is on record."""
    with closing(Database(event_file.database_url)) as database:
        yield database, None if database.is_missing else load_event(database, event_file.config.event.name)


def load_record(event_file: EventFile) -> DuelReport | None:
    """Load what the record says so far; None before anything is on record."""
    with open_duel(event_file) as (database, event):
        return load_duel(database, event, event_file.config.stage[0]) if event is not None else None


def count_left_hosts(event_file: EventFile) -> int:
    """Count the table hosts that a run which was cut off has left playing a duel that is on record.

    Raises:
        LaunchError: the duel is being played, by a command that was given elsewhere.
    """
    with open_duel(event_file) as (database, event):
        assert event is not None
        activity = load_activity(event_file, database, event.id, clock.wall_ms())
    if activity.is_run:
        path = event_file.path
        raise LaunchError(f"{path} is being played already: tourney status {path} shows how far")
    return activity.hosts


def resume_duel(event_file: EventFile) -> None:
    """Resume the tables of a duel on record that it has stopped itself."""
    with open_duel(event_file) as (database, event):
        assert event is not None
        resume_tables(database, event, clock.wall_ms())


def check_extensible(path: Path, changed: Sequence[str]) -> None:
    """Check that more boards can be played in the duel of an event file, by programs that are not `changed`.

    Raises:
        LaunchError: a program is another, or the test has decided the duel.
    """
    if changed:
        raise LaunchError(describe_changed(changed))
    found = load_record(load_event_file(path))
    if found is not None and found.is_tested and found.verdict not in (Verdict.CONTINUE, Verdict.UNDECIDED):
        raise LaunchError(
            f"{found.event} is decided after {count(found.result.tally.boards, 'board')}: more boards would not "
            "change the verdict; --no-sprt plays a fixed number under another --name"
        )


def describe_changed(names: Sequence[str], remedy: str = "--again plays it anew") -> str:
    """Return the sentence on programs that are others than those that have played a duel."""
    have = "has" if len(names) == 1 else "have"
    return f"{' and '.join(names)} {have} changed since this duel was played: {remedy}"
