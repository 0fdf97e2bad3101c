"""Conducts an event: starts rounds when they are due, gives tables to hosts, scores matches that are over.

Everything it needs to know it reads from the record, so that starting again is the normal path: what is finished
stays finished, the rest is begun.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

from tourney.bridge import SEATS, Seat
from tourney.config import PortPlan
from tourney.coordinator.connections import seat_places, write_connections
from tourney.coordinator.event_file import EventFile
from tourney.coordinator.forfeits import Forfeits
from tourney.coordinator.host_pool import HostPool
from tourney.coordinator.listener import RunListener
from tourney.launch.limits import check_tables_fit
from tourney.launch.processes import sweep_processes
from tourney.movement.seating import Room
from tourney.report.scorecard import load_scorecard
from tourney.store.database import Database
from tourney.store.draws import save_settings
from tourney.store.models import OrderKind, TableState
from tourney.store.objects import EventInfo, MatchInfo, RoundInfo, StoredMatchScore, TableInfo
from tourney.store.orders import load_holds
from tourney.store.results import load_match_scores, save_match_score
from tourney.store.tables import assign_table, give_up_tables, load_progress, release_tables

POLL_S: Final = 0.2
"""How often the record is looked at for what hosts have done."""

_OVER: Final = (TableState.FINISHED, TableState.FAILED, TableState.WAITING)
"""Of a table that was given to a host: one that waits again was let go, for a later run."""


@dataclass(slots=True)
class RunOutcome:
    """How a run ended. `failures` are sentences, one a table or host that could not play."""

    matches_left: int = 0
    stopped: bool = False
    failures: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Active:
    """A match that is being played. `slot` is its place among those side by side, which gives its ports."""

    match: MatchInfo
    slot: int
    tables: dict[int, TableInfo]
    boards: dict[int, int]
    announced: bool = False
    decided: bool = False
    """A ruling has ended it; its tables have been told to stop."""

    @property
    def is_over(self) -> bool:
        return all(table.state in _OVER for table in self.tables.values())

    @property
    def is_open(self) -> bool:
        return all(table.state is not TableState.ASSIGNED for table in self.tables.values())


class Conductor:
    """One run of one event."""

    def __init__(
        self, event_file: EventFile, database: Database, event: EventInfo, listener: RunListener, hosts: int
    ) -> None:
        """Prepare a run.

        Args:
            event_file: what the organiser has set.
            database: where the draw of `event` is, and the record goes.
            event: the draw.
            listener: is told what happens.
            hosts: how many table hosts there may be.
        """
        self._file = event_file
        self._database = database
        self._event = event
        self._listener = listener
        self._teams = {team.name: team for team in event.teams}
        url = database.url.render_as_string(hide_password=False)
        self._pool = HostPool(event.id, url, event_file.results, hosts)
        self._active: list[_Active] = []
        self._due: set[int] = set()
        self._wake = asyncio.Event()
        self._stop_asked = asyncio.Event()
        self._outcome = RunOutcome()
        self._forfeits = Forfeits(database, event, event_file.config.rules.strikes)
        self._decided: frozenset[int] = frozenset()

    def stop(self) -> None:
        """End the run: the boards in hand stay unfinished, everything else is kept."""
        self._stop_asked.set()
        self._wake.set()

    async def run(self) -> RunOutcome:
        """Play all that is left of the event, or as much as there is until `stop`.

        Raises:
            TourneyError: the database, the results folder or the hosts cannot be used.
        """
        tables = self._file.config.tables
        at_once = min(tables.at_once, max((len(round_.matches) for round_ in self._event.rounds), default=1))
        check_tables_fit(at_once, self._pool.size, tables.port_plan.ports_per_table)
        for sentence in sweep_processes(self._file.results):
            self._listener.swept(sentence)
        release_tables(self._database, self._event.id, _now_ms())
        save_settings(self._database, self._event.id, self._file.host_settings)
        scored = load_match_scores(self._database, self._event.id)
        self._look_at_rulings([match for match in self._event.matches if match.number not in scored])
        left = {match.number: match for match in self._unscored()}
        self._listener.run_started(self._event, len(left))
        scheduler = self._schedule_rounds()
        try:
            for round_ in self._event.rounds:
                matches = [match for match in round_.matches if match.number in left]
                if matches and not self._stop_asked.is_set():
                    await self._play_round(round_, matches)
        finally:
            scheduler.shutdown(wait=False)
            await self._pool.stop()
        self._outcome.stopped = self._stop_asked.is_set()
        self._outcome.matches_left = len(self._unscored())
        return self._outcome

    def _unscored(self) -> list[MatchInfo]:
        """The matches without a score; those of which both tables have finished get theirs now."""
        scored = load_match_scores(self._database, self._event.id)
        unscored = [match for match in self._event.matches if match.number not in scored]
        tables = load_progress(self._database, [table.id for match in unscored for table in match.tables.values()])
        left = []
        for match in unscored:
            states = {tables[table.id].table.state for table in match.tables.values()}
            over = states == {TableState.FINISHED} or match.number in self._decided
            if not over or self._score(match) is None:
                left.append(match)
        return left

    # Rounds

    def _schedule_rounds(self) -> AsyncIOScheduler:
        """A job for each round that has a time; a time that has passed is due at once, as after a pause."""
        scheduler = AsyncIOScheduler(timezone=UTC)
        for round_ in self._event.rounds:
            if round_.starts_at_ms is None:
                self._due.add(round_.number)
                continue
            scheduler.add_job(
                self._round_is_due,
                DateTrigger(datetime.fromtimestamp(round_.starts_at_ms / 1000, UTC)),
                args=[round_.number],
                id=f"round-{round_.number}",
                replace_existing=True,
                coalesce=True,
                max_instances=1,
                misfire_grace_time=None,
            )
        scheduler.start()
        return scheduler

    async def _round_is_due(self, number: int) -> None:
        self._due.add(number)
        self._wake.set()

    async def _play_round(self, round_: RoundInfo, matches: list[MatchInfo]) -> None:
        if round_.number not in self._due:
            self._listener.round_waits(round_)
        while round_.number not in self._due and not self._stop_asked.is_set():
            await self._wake.wait()
            self._wake.clear()
        if self._stop_asked.is_set():
            return
        self._listener.round_started(round_, matches)
        queue = deque(matches)
        while (queue or self._active) and not self._stop_asked.is_set():
            self._look_at_rulings([*queue, *(active.match for active in self._active)])
            while queue and len(self._active) < self._file.config.tables.at_once:
                await self._start_or_leave(queue.popleft())
            await self._pause()
            self._look_after_hosts()
            self._look_at_tables()
        self._look_at_rulings([])
        if self._stop_asked.is_set():
            await self._pool.stop()
            self._look_at_tables()
            self._active.clear()

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(POLL_S):
                await self._wake.wait()
        except TimeoutError:
            return
        self._wake.clear()

    def _look_at_rulings(self, unfinished: Iterable[MatchInfo]) -> None:
        """Tell what rulings there are, and stop the matches that are decided by one."""
        decided = self._forfeits.look(_now_ms(), unfinished)
        self._decided = decided.matches
        for ruling in decided.new_rulings:
            self._listener.ruling_given(ruling)
        for active in self._active:
            if active.match.number in self._decided and not active.decided:
                active.decided = True
                self._forfeits.stop_tables(active.match, _now_ms())

    # Matches and tables

    async def _start_or_leave(self, match: MatchInfo) -> None:
        """Start a match, but not one that is decided, or that the director has stopped."""
        if match.number in self._decided:
            self._forfeits.finish_tables(match, _now_ms())
            self._end_match(match)
            return
        holds = load_holds(self._database, [table.id for table in match.tables.values()])
        if OrderKind.STOP in holds.values():
            self._outcome.failures.append(f"match {match.number}: the director has stopped it")
            self._listener.match_held(match)
            return
        await self._start_match(match)

    async def _start_match(self, match: MatchInfo) -> None:
        taken = {active.slot for active in self._active}
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        progress = load_progress(self._database, [table.id for table in match.tables.values()])
        tables = {}
        for index, room in enumerate(Room):
            table = match.tables[room]
            if progress[table.id].table.state is not TableState.FINISHED:
                host = await self._pool.place(table.id)
                assign_table(self._database, table.id, host, self._wished_ports(2 * slot + index), _now_ms())
            tables[table.id] = table
        self._active.append(_Active(match, slot, tables, dict.fromkeys(tables, -1)))
        self._look_at(self._active[-1])

    def _wished_ports(self, place: int) -> dict[Seat, int]:
        """The ports of the table at a place among those side by side: the same in each round and after a restart."""
        tables = self._file.config.tables
        first = tables.ports.first + place * tables.port_plan.ports_per_table
        per_seat = tables.port_plan is PortPlan.PER_SEAT
        return {seat: first + (seat if per_seat else 0) for seat in SEATS}

    def _look_after_hosts(self) -> None:
        for host in self._pool.take_dead():
            reason = host.how_it_ended()
            give_up_tables(self._database, host.name, reason, _now_ms())
            self._outcome.failures.append(reason)
            self._listener.host_failed(reason)

    def _look_at_tables(self) -> None:
        for active in list(self._active):
            self._look_at(active)
            if active.is_over:
                self._active.remove(active)
                if active.decided:
                    self._forfeits.finish_tables(active.match, _now_ms())
                self._end_match(active.match)
        if any(not active.announced for active in self._active) and all(a.is_open for a in self._active):
            self._announce()

    def _look_at(self, active: _Active) -> None:
        """Read how far a match's tables are, and tell what is new."""
        for table_id, progress in load_progress(self._database, active.tables).items():
            before, table = active.tables[table_id], progress.table
            active.tables[table_id] = table
            if progress.boards_finished != active.boards[table_id]:
                active.boards[table_id] = progress.boards_finished
                self._listener.table_progressed(active.match, table, progress.boards_finished)
            if table.state is not before.state and table.state in _OVER:
                self._pool.leave(table_id)
            failed = table.state is TableState.FAILED and before.state is not TableState.FAILED
            if failed and not active.decided and table.match not in self._decided:
                where = f"match {table.match} {table.room.value} room"
                self._outcome.failures.append(f"{where}: {table.reason}")
                self._listener.table_failed(active.match, table, table.reason)

    def _announce(self) -> None:
        """Say who connects where, once every table has its ports."""
        host = self._file.config.tables.host
        new, everybody = [], []
        for active in self._active:
            for table in active.tables.values():
                if table.state in _OVER or not table.ports:
                    continue
                places = seat_places(table, host, self._teams)
                everybody += places
                if not active.announced:
                    new += places
            active.announced = True
        write_connections(self._file.results / "connections.json", everybody)
        self._listener.tables_opened(new)

    def _end_match(self, match: MatchInfo) -> None:
        score = self._score(match)
        if score is not None:
            self._listener.match_finished(match, score)

    def _score(self, match: MatchInfo) -> StoredMatchScore | None:
        """Score a match and store it, when both rooms have finished all its boards."""
        score = load_scorecard(self._database, self._event, match, self._file.scale).score
        if score is not None:
            save_match_score(self._database, match, score, _now_ms())
        return score


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
