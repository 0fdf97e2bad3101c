"""A duel of two classes without sockets: played by the processes of a pool, and on record as any other.

A table plays a few boards at a time in one of the processes, which returns what it has put on record; this process
writes that, in one transaction, and gives out the next boards of the table. Each time the
table goes on as if another host took it over: the limit of a match counts all its boards. A process whose players
answer together plays many tables at once. Nothing of boards in play is on record: when a run is cut off they are
played again, by players that are made anew. Everything else is as in a run with hosts: the event as drawn, the lock
and the lease, the attempts at tables, the orders that stop them.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from tourney.bots import STYLES
from tourney.bridge import SEATS, Side
from tourney.config.command import player_in, style_in
from tourney.contest.draw import MatchInfo
from tourney.coordinator.engine import make_launcher
from tourney.coordinator.event_run import RunOutcome
from tourney.coordinator.run_lease import RunLease
from tourney.errors import UsageError
from tourney.event.file import EventFile
from tourney.lab.duel import AUTHOR, STOPPED, DuelTeam, place_of
from tourney.lab.in_process import TABLE_BOARDS
from tourney.lab.player_table import FailureLog
from tourney.lab.players import PlayedTable, PlayerMaker, TablePool, TableTask
from tourney.log import DEFAULT_LEVEL
from tourney.movement.seating import IN_PROCESS, TableInfo, TableState
from tourney.player.loading import import_players
from tourney.protocol.session.records import Incident
from tourney.protocol.session.table import TableSettings
from tourney.results.scorecard import Scales, work_out_scorecard
from tourney.runtime import clock
from tourney.runtime.parallel import side_by_side
from tourney.store.control.orders import load_holds
from tourney.store.control.table_state import assign_table, release_tables, set_table_state
from tourney.store.control.tables import TableJob, load_job
from tourney.store.db.database import Database
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.objects import EventInfo
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.event_results import load_unscored
from tourney.store.results.matches import lock_match, save_match_score

LINKS_A_BOARD: Final = 100
"""More connections than the players of a board can have, failures included: those of the next boards count on."""

SCORING: Final = "imps"
"""What players are told about the scoring of a duel."""


def players_of(teams: Sequence[DuelTeam], folder: Path) -> dict[str, PlayerMaker]:
    """Return what makes the players of teams, by the name of the team.

    Args:
        teams: both sides of a duel, whose commands seat classes.
        folder: where their modules are.

    Raises:
        UsageError: the command of a team is another.
    """
    players = {}
    for team in teams:
        command = team.keys["command"]
        name, seed = style_in(command) or (player_in(command), 1)
        if name is None:
            raise UsageError(
                f"--in-process plays classes such as my_bot:MyBot, basic and random, and {team.name} is the command "
                f"{command!r}"
            )
        players[team.name] = PlayerMaker(name, seed, scoring=SCORING, folder=place_of(team, folder))
    return players


def check_players(players: Iterable[PlayerMaker]) -> None:
    """Check that the classes of players are there, in a process that ends at once: a network may take all memory.

    Raises:
        LaunchError: that process has died.
        PlayerError: a class is not there, or its module cannot be imported.
    """
    own = [
        (each.source, each.folder.resolve())
        for each in players
        if isinstance(each.source, str) and each.source not in STYLES
    ]
    if own:
        deque(side_by_side(import_players, own, 1), maxlen=0)


@dataclass(slots=True, eq=False)
class TableInProcess:
    """A table that has boards left, and what it is to play by now."""

    ledger: TableLedger
    job: TableJob


class InProcessRun:
    """A run of a duel that plays its tables itself; what watches the duel stops them by orders, as with hosts."""

    def __init__(
        self,
        file: EventFile,
        database: Database,
        event: EventInfo,
        players: Mapping[str, PlayerMaker],
        notify: Callable[[str], None],
        jobs: int,
    ) -> None:
        """Prepare to play.

        Args:
            file: the duel.
            database: has its record.
            event: the duel as drawn.
            players: makes the players of each team, by its name.
            notify: shows a sentence.
            jobs: how many processes play.
        """
        launcher = make_launcher(file, database, event.id, DEFAULT_LEVEL)
        self._lease = RunLease(database, event.id, file.config.tables.lease_s, launcher)
        self._database = self._lease.database
        self._file = file
        self._event = event
        self._players = players
        self._jobs = jobs
        self._recorder = Recorder(self._database, None, file.durability)
        self._failures: list[str] = []
        self._failures_of_players = FailureLog(notify)
        self._is_stopped = False
        self._at_once = 1
        """How many tables a process plays at once."""

    def stop(self) -> None:
        """Stop at once: the boards in play, of which nothing is on record, are played again."""
        self._is_stopped = True

    async def run(self) -> RunOutcome:
        """Play until nothing is left, or all tables have been stopped.

        Raises:
            StoreError: the database cannot be used.
            PlayerError: a player cannot be made.
        """
        self._lease.take(clock.wall_ms())
        try:
            release_tables(self._database, self._event.id, clock.wall_ms())
            await asyncio.sleep(0)  # what watches has its first look
            tables = self._claim(clock.wall_ms())
            try:
                await self._play(deque(tables))
            finally:
                self._failures_of_players.summarize()
                self._leave(tables)
            left = score_matches(self._database, self._event, self._file.scales)
            return RunOutcome(len(left), self._is_stopped, self._failures)
        finally:
            self._lease.release()

    async def _play(self, idle: deque[TableInProcess]) -> None:
        with TablePool(self._jobs) as pool:
            while not self._is_stopped:
                while idle and pool.idle:
                    share = min(self._at_once, -(-len(idle) // pool.idle))
                    due = [idle.popleft() for _ in range(share)]
                    if tables := [table for table in due if not self._is_held(table.job.table)]:
                        tasks = [self._task_of(table.job) for table in tables]
                        pool.submit(tasks, partial(self._store, tables, idle))
                if pool.idle == self._jobs:
                    return
                pool.wait()
                self._lease.renew(clock.wall_ms())
                await asyncio.sleep(0)  # for what watches, and for signals

    def _task_of(self, job: TableJob) -> TableTask:
        """Return the next boards of a table, which goes on from what is on record."""
        boards = job.boards[:TABLE_BOARDS]
        settings = TableSettings(
            ns_team=job.teams[Side.NS].name,
            ew_team=job.teams[Side.EW].name,
            boards=boards,
            trick_pause_ms=0,
            spent_ms=job.spent_ms,
            under_way=job.under_way,
            history=job.history,
            extensions=job.extensions,
            rules=self._file.config.table_rules,
        )
        return TableTask(
            settings=settings,
            players={seat: self._players[job.teams[seat.side].name] for seat in SEATS},
            start_ms=clock.wall_ms(),
            links_before=LINKS_A_BOARD * (len(job.all_boards) - len(job.boards)),
        )

    def _store(
        self, tables: Sequence[TableInProcess], idle: deque[TableInProcess], played: Sequence[PlayedTable]
    ) -> None:
        """Put on record what was played at tables, which then have nothing to do."""
        self._recorder.write(
            [(table.ledger, record) for table, found in zip(tables, played, strict=True) for record in found.records]
        )
        for table, found in zip(tables, played, strict=True):
            self._failures_of_players.note(found.failures)
            self._at_once = found.at_once
            ledger, job = table.ledger, table.job
            left = job.boards[TABLE_BOARDS:]
            if ledger.boards_left == len(left):
                # Of boards that are over, only the limits of the match count on.
                settled = [each for each in (*job.history, *found.records) if isinstance(each, Incident)]
                history = tuple([each for each in settled if each.is_of_match])
                table.job = replace(job, boards=left, spent_ms=found.spent_ms, history=history, under_way=None)
            else:
                table.job = load_job(self._database, ledger.table_id)
            if ledger.boards_left:
                idle.append(table)

    def _is_held(self, table: TableInfo) -> bool:
        """Return whether a table has been stopped or paused: no more boards are played there."""
        if not load_holds(self._database, [table.id]):
            return False
        if not load_holds(self._database, [table.id], AUTHOR):
            self._failures.append(f"match {table.match} {table.room.value} room: the director has stopped it")
        return True

    def _claim(self, now_ms: int) -> list[TableInProcess]:
        """Take the tables that have boards left."""
        jobs = [load_job(self._database, table.id) for table in self._event.tables]
        return [
            TableInProcess(
                TableLedger.of_job(job, assign_table(self._database, job.table.id, IN_PROCESS, None, now_ms)), job
            )
            for job in jobs
            if job.boards
        ]

    def _leave(self, tables: Sequence[TableInProcess]) -> None:
        """Have the tables wait for another run that have boards left."""
        left = [table.ledger for table in tables if table.ledger.boards_left]
        decided = load_holds(self._database, [ledger.table_id for ledger in left], AUTHOR)
        with self._database.write() as connection:
            for ledger in left:
                why = f"{STOPPED}: no more boards are needed" if ledger.table_id in decided else "the run was stopped"
                set_table_state(connection, ledger.table_id, ledger.attempt, TableState.WAITING, clock.wall_ms(), why)


def score_matches(database: Database, event: EventInfo, scales: Scales) -> list[MatchInfo]:
    """Score the matches that have been played out; return those that have no score."""
    left = []
    unscored = load_unscored(database, event.id)
    for match in event.matches:
        if match.number not in unscored:
            continue
        with one_transaction(database) as joined:
            lock_match(joined, match)
            score = work_out_scorecard(joined, match, scales[match.stage]).score
            if score is None:
                left.append(match)
            else:
                save_match_score(joined, match, score)
    return left
