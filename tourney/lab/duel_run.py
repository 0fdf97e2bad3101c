"""Playing a duel: what is on record of it, and its run until it is decided."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from tourney.coordinator.event_run import RunOutcome
from tourney.coordinator.run_lease import load_activity
from tourney.coordinator.run_process import Run, RunDisplay, run_event
from tourney.errors import LaunchError
from tourney.event.file import EventFile, load_event_file
from tourney.lab.duel_in_process import InProcessRun
from tourney.lab.duel_watch import DuelWatch, describe_struck, resume_tables
from tourney.lab.players import PlayerMaker
from tourney.plurals import count, plural
from tourney.runtime import clock
from tourney.scoring.strength.sequential import Verdict
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.views.duel import DuelReport, load_duel


class DuelProgress(RunDisplay, Protocol):
    """Shows a duel while it is played."""

    def show(self, report: DuelReport) -> None:
        """Show how the duel stands now."""


@contextmanager
def open_duel(event_file: EventFile) -> Iterator[tuple[Database, EventInfo | None]]:
    """Open the database of a duel, with the duel as drawn; None before anything is on record."""
    with closing(Database(event_file.database_url)) as database:
        yield database, None if database.is_missing else load_event(database, event_file.config.event.name)


def load_record(event_file: EventFile) -> DuelReport | None:
    """Load what the record says so far; None before anything is on record."""
    with open_duel(event_file) as (database, event):
        stage = event_file.config.stage[0]
        return load_duel(database, event, stage) if event is not None else None


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
            "change the verdict; --sprt none plays a fixed number under another --name"
        )


def describe_changed(names: Sequence[str], remedy: str = "--again plays it anew") -> str:
    """Return the sentence on programs that are others than those that have played a duel."""
    have = "has" if len(names) == 1 else "have"
    return f"{' and '.join(names)} {have} changed since this duel was played: {remedy}"


def play_duel(
    event_file: EventFile,
    display: DuelProgress,
    *,
    changed: Sequence[str] = (),
    players: Mapping[str, PlayerMaker] | None = None,
    jobs: int = 1,
) -> tuple[DuelReport, RunOutcome | None]:
    """Play what is left of a duel; without an outcome if it is decided already.

    Args:
        event_file: the duel.
        display: shows it.
        changed: the names of programs that are others than those that have played: nothing is played with them.
        players: makes the players of each team by its name, for a duel without sockets; None for one with programs.
        jobs: how many processes play without sockets.

    Raises:
        TourneyError: it cannot be played at all.
    """
    stage, path, hosts = event_file.config.stage[0], event_file.path, 0
    with open_duel(event_file) as (database, event):
        found = load_duel(database, event, stage) if event is not None else None
        is_over = found is not None and (found.is_over or describe_struck(found) is not None)
        if event is not None:
            activity = load_activity(event_file, database, event.id, clock.wall_ms())
            if activity.is_run:
                raise LaunchError(f"{path} is being played already: tourney status {path} shows how far")
            hosts = activity.hosts
            if is_over and not hosts:
                assert found is not None
                return found, None
            if changed and not is_over:
                raise LaunchError(describe_changed(changed))
            if not is_over:
                resume_tables(database, event, clock.wall_ms())
    if hosts:
        still = "it is decided, and they are ended" if is_over else "they are found again"
        display.notify(
            f"{count(hosts, 'table host')} of a run that was cut off {plural(hosts, 'plays', 'play')} on: {still}"
        )

    async def watch(database: Database, event: EventInfo) -> None:
        await DuelWatch(database, event, stage, show=display.show).watch()

    def run_here(database: Database, event: EventInfo) -> Run:
        assert players is not None
        return InProcessRun(event_file, database, event, players, display.notify, jobs)

    outcome = run_event(event_file, display, beside=watch, make_run=run_here if players is not None else None)
    report = load_record(event_file)
    assert report is not None
    return report, outcome
