"""A duel of two classes without sockets: played by the processes of a pool, and on record as any other.

A table plays a few boards at a time in one of the processes, which returns what it has put on record; this process
writes that, in one transaction, looks how the duel stands, and gives out the next boards of the table. Each time the
table goes on from its record, as if another host took it over: the limit of a match counts all its boards. Nothing
of boards in play is on record: when a run is cut off they are played again, by players that are made anew. Everything
else is as in a run with hosts: the event as drawn, the lock and the lease, the attempts at tables, the orders that
stop them.
"""

import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final, TypeAlias

from tourney.bridge import SEATS, Side
from tourney.config.command import player_in
from tourney.coordinator.director import check_playable
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.engine import make_launcher
from tourney.coordinator.event_run import RunOutcome
from tourney.coordinator.run_lease import RunLease, hold_run_lock
from tourney.errors import UsageError
from tourney.event.file import EventFile
from tourney.lab.duel import DuelTeam, place_of
from tourney.lab.duel_watch import STOPPED, DuelWatch
from tourney.lab.in_process import TABLE_BOARDS
from tourney.lab.player_table import FailureLog
from tourney.lab.players import PlayerMaker
from tourney.lab.table_pool import PlayedTable, TablePool, TableTask
from tourney.log import DEFAULT_LEVEL
from tourney.protocol.session.table import TableSettings
from tourney.results.scorecard import work_out_scorecard
from tourney.runtime import clock
from tourney.runtime.privacy import private_process
from tourney.store.control.orders import load_holds
from tourney.store.control.table_state import assign_table, release_tables, set_table_state
from tourney.store.control.tables import TableJob, load_job
from tourney.store.db.database import Database
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.objects import EventInfo, MatchInfo, TableInfo
from tourney.store.models import TableState
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.event_results import load_unscored
from tourney.store.results.matches import lock_match, save_match_score

HOST: Final = "in process"
"""What the record has in place of the host of a table."""

LINKS_A_BOARD: Final = 100
"""More connections than the players of a board can have, failures included: those of the next boards count on."""

SCORING: Final = "imps"
"""What players are told about the scoring of a duel."""

MakeWatch: TypeAlias = Callable[[Database, EventInfo], DuelWatch]


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
        name = player_in(command)
        if name is None or "second_command" in team.keys:
            raise UsageError(
                f"--in-process plays classes such as my_bot:MyBot, and {team.name} is the command {command!r}"
            )
        players[team.name] = PlayerMaker(name, scoring=SCORING, folder=place_of(team, folder))
    return players


class InProcessRun:
    """A run of a duel that plays its tables itself."""

    def __init__(
        self,
        file: EventFile,
        event: EventInfo,
        lease: RunLease,
        watch: DuelWatch,
        players: Mapping[str, PlayerMaker],
        notify: Callable[[str], None],
    ) -> None:
        self._file = file
        self._event = event
        self._lease = lease
        self._database = lease.database
        self._watch = watch
        self._players = players
        self._recorder = Recorder(self._database, None, file.durability)
        self._failures: list[str] = []
        self._failures_of_players = FailureLog(notify)
        self.is_stopped = False
        """Whether somebody has asked to stop: boards in play are finished, and no others begun."""

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """Stop when the boards in play are over; asked a second time, at once."""
        if self.is_stopped:
            raise KeyboardInterrupt
        self.is_stopped = True

    def play(self, jobs: int) -> RunOutcome:
        """Play until the duel is decided, or nothing is left.

        Raises:
            StoreError: the database cannot be used.
            PlayerError: a player cannot be made.
        """
        now_ms = clock.wall_ms()
        release_tables(self._database, self._event.id, now_ms)
        self._watch.poll()
        tables = [] if self._watch.is_stopped else self._claim(now_ms)
        idle = deque(tables)
        try:
            with TablePool(jobs) as pool:
                while True:
                    while idle and pool.idle and not (self.is_stopped or self._watch.is_stopped):
                        ledger = idle.popleft()
                        job = load_job(self._database, ledger.table_id)
                        if not self._is_held(job.table):
                            pool.submit([self._task_of(job)], partial(self._store, ledger, idle))
                    if pool.idle == jobs:
                        break
                    is_done = pool.wait()
                    self._lease.renew(clock.wall_ms())
                    is_due = time.monotonic() >= self._watch.next_look_s
                    if is_done and is_due and not self._watch.is_stopped:
                        self._watch.poll()
        finally:
            self._failures_of_players.summarize()
            self._leave(tables)
        return RunOutcome(len(self._score()), self.is_stopped, self._failures)

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
            is_first_known=boards[0].number in job.board_attempts,
            rules=self._file.config.table_rules,
        )
        return TableTask(
            settings=settings,
            players={seat: self._players[job.teams[seat.side].name] for seat in SEATS},
            start_ms=clock.wall_ms(),
            links_before=LINKS_A_BOARD * len(job.finished),
        )

    def _store(self, ledger: TableLedger, idle: deque[TableLedger], played: Sequence[PlayedTable]) -> None:
        """Put on record what was played at a table, which then has nothing to do."""
        for records, failures in played:
            self._recorder.write([(ledger, record) for record in records])
            self._failures_of_players.note(failures)
        if ledger.boards_left:
            idle.append(ledger)

    def _is_held(self, table: TableInfo) -> bool:
        """Return whether the director has stopped or paused a table: no more boards are played there."""
        if table.id not in load_holds(self._database, [table.id]):
            return False
        if not self._watch.is_stopped:
            self._failures.append(f"match {table.match} {table.room.value} room: the director has stopped it")
        return True

    def _claim(self, now_ms: int) -> list[TableLedger]:
        """Take the tables that have boards left."""
        jobs = [load_job(self._database, table.id) for match in self._event.matches for table in match.tables]
        return [
            TableLedger.of_job(job, assign_table(self._database, job.table.id, HOST, None, now_ms))
            for job in jobs
            if job.boards
        ]

    def _leave(self, tables: Sequence[TableLedger]) -> None:
        """Have the tables wait for another run that have boards left."""
        why = f"{STOPPED}: no more boards are needed" if self._watch.is_stopped else "the run was stopped"
        with self._database.write() as connection:
            for ledger in tables:
                if ledger.boards_left:
                    set_table_state(
                        connection, ledger.table_id, ledger.attempt, TableState.WAITING, clock.wall_ms(), why
                    )

    def _score(self) -> list[MatchInfo]:
        """Score the matches that have been played out; return those that have no score."""
        left = []
        unscored = load_unscored(self._database, self._event.id)
        for match in self._event.matches:
            if match.number not in unscored:
                continue
            with one_transaction(self._database) as database:
                lock_match(database, match)
                scale = self._file.scales[match.stage]
                score = work_out_scorecard(database, self._event.seen_whole(), match, scale).score
                if score is None:
                    left.append(match)
                else:
                    save_match_score(database, match, score, clock.wall_ms())
        return left


@contextmanager
def _stopped_by_signals(run: InProcessRun, notify: Callable[[str], None]) -> Iterator[None]:
    """Have Ctrl-C and SIGTERM stop a run."""

    def stop(number: int, frame: FrameType | None) -> None:
        run.stop(number, frame)
        notify("stopping: boards in play are finished first")

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_in_process(
    event_file: EventFile,
    players: Mapping[str, PlayerMaker],
    make_watch: MakeWatch,
    notify: Callable[[str], None],
    jobs: int,
) -> RunOutcome:
    """Draw a duel if necessary, and play it in processes of this machine without sockets.

    Args:
        event_file: the duel.
        players: makes the players of each team, by its name.
        make_watch: makes what looks at the record, and stops the duel once it is decided.
        notify: shows a sentence.
        jobs: how many processes play.

    Raises:
        TourneyError: it cannot be played.
    """
    with private_process(), hold_run_lock(event_file.results):
        database = Database(event_file.database_url)
        try:
            event = ensure_drawn(event_file, database, clock.wall_ms(), holds_run_lock=True)
            check_playable(database, event)
            launcher = make_launcher(event_file, database, event.id, DEFAULT_LEVEL)
            lease = RunLease(database, event.id, event_file.config.tables.lease_s, launcher)
            lease.take(clock.wall_ms())
            try:
                run = InProcessRun(event_file, event, lease, make_watch(lease.database, event), players, notify)
                with _stopped_by_signals(run, notify):
                    return run.play(jobs)
            finally:
                lease.release()
        finally:
            database.close()
