"""Playing a duel: what is on record of it, and its run until it is decided."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from tourney.config.stages import StageConfig
from tourney.coordinator.event_run import RunOutcome
from tourney.coordinator.run_lease import load_activity
from tourney.coordinator.run_process import Run, RunDisplay, run_event
from tourney.errors import LaunchError, StoreUnavailable
from tourney.event.file import EventFile, load_event_file
from tourney.lab.duel import AUTHOR
from tourney.lab.duel_in_process import InProcessRun
from tourney.lab.players import PlayerMaker
from tourney.lab.shards import WHOLE, Shard
from tourney.movement.seating import TableState
from tourney.plurals import count, plural
from tourney.runtime import clock
from tourney.scoring.strength.sequential import Verdict
from tourney.store.control.orders import give_orders, load_holds
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import OrderKind
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


def load_record(event_file: EventFile, shard: Shard = WHOLE) -> DuelReport | None:
    """Load what the record of a share says so far; None before anything is on record."""
    with open_duel(event_file) as (database, event):
        stage = shard.of_stage(event_file.config.stage[0])
        return load_duel(database, shard.of_event(event), stage) if event is not None else None


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
    players: Mapping[str, PlayerMaker] | None,
    jobs: int,
    shard: Shard = WHOLE,
) -> tuple[DuelReport, RunOutcome | None]:
    """Play what is left of a duel; without an outcome if it is decided already.

    Args:
        event_file: the duel.
        display: shows it.
        changed: the names of programs that are others than those that have played: nothing is played with them.
        players: makes the players of each team by its name, for a duel without sockets; None for one with programs.
        jobs: how many processes play without sockets.
        shard: which share of it is played, without sockets unless it is all.

    Raises:
        TourneyError: it cannot be played at all.
    """
    path, hosts, found = event_file.path, 0, load_record(event_file, shard)
    is_over = found is not None and (found.is_over or describe_struck(found) is not None)
    with open_duel(event_file) as (database, event):
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
        await watch_duel(database, shard.of_event(event), shard.of_stage(event_file.config.stage[0]), display.show)

    def run_here(database: Database, event: EventInfo) -> Run:
        assert players is not None
        shard.note_origin(event_file, database, event)
        return InProcessRun(event_file, database, shard.of_event(event), players, display.notify, jobs)

    outcome = run_event(event_file, display, beside=watch, make_run=run_here if players is not None else None)
    report = load_record(event_file, shard)
    assert report is not None
    return report, outcome


POLL_S: Final = 1.0
"""The least time between two looks at the record, in seconds."""
LOOK_SHARE: Final = 0.02
"""The most of the time of a processor that looking may take, unless looks came too late then."""
LOOK_MAX_S: Final = 5.0
"""The most time between two looks, or `LOOK_SHARE` of the time since the first if that is more: what is played after
the decision is played for nothing."""
UNTESTED_LOOK_MAX_S: Final = 60.0
"""The same of a duel without a test, which plays all its boards unless a team loses too many by faults."""
STRIKES: Final = 20
STRUCK_SHARE: Final = 0.1
"""A duel stops once a team has lost so many boards by faults of its programs, and so many of all that count."""


def describe_struck(standing: DuelReport) -> str | None:
    """Return the sentence on a team that has lost so many boards by faults of its programs that a duel stops."""
    for program in standing.programs:
        lost = program.forfeited
        if lost >= max(STRIKES, STRUCK_SHARE * standing.result.tally.boards):
            return f"{program.team} has lost {count(lost, 'board')} by faults of its programs: the duel stops"
    return None


def resume_tables(database: Database, event: EventInfo, now_ms: int) -> None:
    """Resume the tables that the duel itself has stopped, for it goes on, as after a ruling.

    Tables that a person has stopped stay so.

    Raises:
        StoreError: the database cannot be used.
    """
    stopped = load_holds(database, [table.id for table in event.tables], AUTHOR)
    if stopped:
        give_orders(database, stopped, OrderKind.RESUME, author=AUTHOR, now_ms=now_ms, text="it goes on")


async def watch_duel(
    database: Database, event: EventInfo, stage: StageConfig, show: Callable[[DuelReport], None]
) -> None:
    """Look at the record of a duel while it is played, until its tables have been told to stop.

    Args:
        database: has the record.
        event: the duel, as drawn.
        stage: its stage in the event file.
        show: shows how the duel stands, at each look.
    """
    began_s, is_stopped = time.monotonic(), False
    look_max_s = LOOK_MAX_S if stage.sprt is not None else UNTESTED_LOOK_MAX_S
    while not is_stopped:
        # Not the time on the clock: on a machine that is busy with the programs a look takes many times as long.
        before_s = time.thread_time()
        with suppress(StoreUnavailable):  # the run says so, and waits
            is_stopped = poll_duel(database, event, stage, show)
        pause_s = max(POLL_S, (time.thread_time() - before_s) / LOOK_SHARE)
        await asyncio.sleep(min(pause_s, max(look_max_s, LOOK_SHARE * (time.monotonic() - began_s))))


def poll_duel(database: Database, event: EventInfo, stage: StageConfig, show: Callable[[DuelReport], None]) -> bool:
    """Show how a duel stands; stop its tables if that decides it, and return whether it does.

    Raises:
        StoreError: the database cannot be used.
    """
    standing = load_duel(database, event, stage)
    show(standing)
    struck = describe_struck(standing) and "too many boards were lost by faults of programs"
    reason = "it is decided" if standing.is_over else struck
    if not reason:
        return False
    progress = load_progress(database, [table.id for table in event.tables]).values()
    tables = [each.table.id for each in progress if each.table.state is not TableState.FINISHED]
    if tables:
        give_orders(
            database,
            tables,
            OrderKind.STOP,
            author=AUTHOR,
            now_ms=clock.wall_ms(),
            after_board=True,
            text=reason,
        )
    return True
