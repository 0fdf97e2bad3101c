"""Table hosts without players, for events of many tables: what the coordinator sees of a host, and nothing else.

Such a host joins, renews its lease, takes its tables, opens them, and puts a board on record at each of them now and
then, by the functions of the store that a real one uses. Which tables kill their hosts, a test says.
"""

import asyncio
import signal
from collections.abc import Collection
from contextvars import Context
from random import Random
from typing import Final

from tests.sim.loop import Process, SimulatedLoop
from tests.sim.machines import Machine, SimulatedClock
from tourney.bridge import SEATS, Result
from tourney.launch.hosts import HostHandle, HostSlots, Launcher
from tourney.protocol.session.records import BoardBegan, BoardEnd, BoardEnded, TableRecord
from tourney.store.control.hosts import HostInfo, join_host, renew_host_lease
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.table_state import set_table_ports, take_table
from tourney.store.control.tables import TableJob, assigned_tables, load_job
from tourney.store.db.database import Database
from tourney.store.record.writer import Recorder, TableLedger

POLL_S: Final = 0.25
BEAT_S: Final = 2.5


class RecordingHost(HostHandle):
    """One of these hosts, as a run sees it."""

    def __init__(self, name: str, process: Process, identity: ProcessIdentity, floor: "Floor") -> None:
        super().__init__(name)
        self.process = process
        self._identity = identity
        self._floor = floor
        self._clock = SimulatedClock(process.loop)
        self._jobs: dict[int, tuple[TableJob, TableLedger]] = {}
        self._due: dict[int, int] = {}
        """When each table ends its board, in ms."""

    @property
    def is_over(self) -> bool:
        return self.process.dead

    @property
    def is_suspended(self) -> bool:
        return False

    def how_it_ended(self) -> str:
        return f"table host {self.name} has ended"

    def send_signal(self, number: signal.Signals) -> None:
        self.process.loop.call_soon(self.process.kill, context=Context())

    def begin(self) -> None:
        """Start to work."""
        self._task = self.process.start(self._work())

    async def _work(self) -> None:
        """Work until it is killed, by its run or by one of its tables."""
        floor, database = self._floor, self._floor.database
        if floor.never_begins:
            self.process.kill()
            return
        me = join_host(database, self.name, self._identity, self._clock.now_ms())
        beaten_ms = 0
        while not self.process.dead:
            now_ms = self._clock.now_ms()
            if now_ms - beaten_ms >= 1000 * BEAT_S:
                self._beat(me, now_ms)
                beaten_ms = now_ms
            self._open_tables(now_ms)
            if floor.is_deadly(self._jobs):
                self.process.kill()
            else:
                self._play(now_ms)
                await asyncio.sleep(POLL_S)

    def _beat(self, me: HostInfo, now_ms: int) -> None:
        attempts = {table_id: ledger.attempt for table_id, (_, ledger) in self._jobs.items()}
        for table_id in renew_host_lease(self._floor.database, me, attempts, now_ms).lost:
            del self._jobs[table_id]

    def _open_tables(self, now_ms: int) -> None:
        database = self._floor.database
        for table_id in assigned_tables(database, self.name):
            attempt = take_table(database, table_id, self.name, now_ms)
            if attempt is None:
                continue
            job = load_job(database, table_id)
            set_table_ports(database, table_id, attempt, job.table.ports or dict.fromkeys(SEATS, 2000), now_ms)
            ledger = TableLedger.of_job(job, attempt)
            self._jobs[table_id] = job, ledger
            self._due[table_id] = now_ms + self._floor.first_board_ms()

    def _play(self, now_ms: int) -> None:
        """Put on record what is over at its tables."""
        batch: list[tuple[TableLedger, TableRecord]] = []
        for table_id, (job, ledger) in self._jobs.items():
            if self._due[table_id] > now_ms:
                continue
            self._due[table_id] = now_ms + self._floor.board_ms()
            board = job.boards[len(job.boards) - ledger.boards_left].number
            batch.append((ledger, BoardBegan(board, now_ms - 1000)))
            ended = BoardEnded(
                board=board,
                end=BoardEnd.PASSED_OUT,
                reason="",
                result=Result(None, 0, 0),
                ns_ms=0,
                ew_ms=0,
                at_ms=now_ms,
            )
            batch.append((ledger, ended))
        if batch:
            Recorder(self._floor.database).write(batch)
            self._floor.boards += len(batch) // 2
            self._jobs = {table_id: job for table_id, job in self._jobs.items() if job[1].boards_left}


class Floor:
    """What the hosts of one event have in common."""

    def __init__(self, database: Database, *, board_s: float, deadly: Collection[int] = ()) -> None:
        """Prepare hosts that take `board_s` for a board, more or less; the tables `deadly`, by id, kill theirs."""
        self.database = database
        self.boards = 0
        """How many boards they have put on record."""
        self.deadly = set(deadly)
        self.never_begins = False
        """Whether no host comes to work."""
        self._board_s = board_s
        self._chance = Random("boards")

    def first_board_ms(self) -> int:
        """Return when the first board of a table is over: tables are not to end theirs all at once."""
        return round(1000 * self._board_s * self._chance.random())

    def board_ms(self) -> int:
        """Return how long the next board takes."""
        return round(1000 * self._board_s * self._chance.uniform(0.5, 1.5))

    def is_deadly(self, tables: Collection[int]) -> bool:
        """Whether one of these tables kills the host that has it."""
        return not self.deadly.isdisjoint(tables)


class RecordingLauncher(Launcher):
    """Starts these hosts on one machine."""

    def __init__(self, machine: Machine, loop: SimulatedLoop, run: Process, floor: Floor) -> None:
        super().__init__(machine.add(run))
        self.hosts: list[RecordingHost] = []
        self._machine = machine
        self._loop = loop
        self._floor = floor

    def is_running(self, process: ProcessIdentity) -> bool:
        return not self._machine.process(process).dead

    def new_name(self, number: int, place: HostSlots) -> str:
        return f"host-{number}"

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        process = Process(self._loop, name)
        host = RecordingHost(name, process, self._machine.add(process), self._floor)
        self.hosts.append(host)
        host.begin()
        return host

    def find_host(self, name: str, process: ProcessIdentity, place: str) -> HostHandle | None:
        if not self.is_local(process):
            return None
        return next(host for host in self.hosts if host.process is self._machine.process(process))
