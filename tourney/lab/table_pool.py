"""Tables that are played to their ends: in this process, or by others that a player may end or hold up without harm.

A process that has ended while a player was asked is replaced by another, which plays the same tables again and does
not ask the player that: there it has crashed, or has taken so long.
"""

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.errors import PlayerError
from tourney.lab.player_table import Asked, PlayerFailure, PlayerFault, PlayerTable
from tourney.lab.players import PlayerMaker, answer_questions, end_boards
from tourney.launch.program import describe_end
from tourney.protocol.session.memory_table import START_MS
from tourney.protocol.session.records import TableRecord
from tourney.protocol.session.table import TableSettings
from tourney.runtime.parallel import set_up_process

OVERDUE_S: Final = 5.0
"""How long after the last limit a player is killed with its process, because it could not be interrupted."""

FAULTS_MAX: Final = 1000
"""How many processes may end over the same tables."""

POLL_S: Final = 1.0
"""How often it is looked whether a process hangs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTask:
    """A table to be played in this process or another."""

    settings: TableSettings
    players: Mapping[Seat, PlayerMaker]
    start_ms: int = START_MS
    links_before: int = 0
    """How many connections the table has had in earlier sessions, at most."""


class PlayedTable(NamedTuple):
    """What has become of a table."""

    records: Sequence[TableRecord]
    failures: Sequence[PlayerFailure]


def play_tables(tasks: Iterable[TableTask], concurrent: int = 1, asked: Asked | None = None) -> Iterator[PlayedTable]:
    """Play tables to their ends in this process; yield them in their order.

    Args:
        tasks: the tables.
        concurrent: how many are played at once: the players of a class that are due there are asked together.
        asked: counts what players are asked.

    Raises:
        PlayerError: a player cannot be made.
    """
    waiting = enumerate(tasks)
    opened: deque[PlayerTable] = deque()
    """In their order; those too that have ended while an earlier one goes on."""
    playing: list[PlayerTable] = []
    while True:
        playing = [table for table in playing if table.question is not None]
        while len(playing) < concurrent and (due := next(waiting, None)) is not None:
            number, task = due
            table = PlayerTable(task.settings, task.players, task.start_ms, task.links_before, asked, number)
            opened.append(table)
            playing.append(table)
        if not opened:
            return
        while all(table.question is not None for table in playing):
            answer_questions(playing)
        while opened and opened[0].question is None:
            table = opened.popleft()
            end_boards(table)
            yield PlayedTable(table.records, table.failures)


def _work(connection: Connection, note: MutableSequence[float]) -> None:
    """Play what comes, in a process of the pool."""
    set_up_process()
    while True:
        tasks, faults = connection.recv()
        try:
            outcome: list[PlayedTable] | Exception = list(play_tables(tasks, len(tasks), Asked(note, faults)))
        except Exception as error:  # noqa: BLE001 # it is raised in the process of the pool
            outcome = error
        connection.send(outcome)


Done: TypeAlias = Callable[[list[PlayedTable]], None]


@dataclass(slots=True)
class _Job:
    """Tables that a process plays."""

    tasks: Sequence[TableTask]
    done: Done
    faults: list[PlayerFault] = field(default_factory=list)


class _Worker:
    """A process that plays tables, and is replaced when it has ended."""

    def __init__(self) -> None:
        self.job: _Job | None = None
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # see `tourney.runtime.parallel`
        self._note = RawArray("d", 5)
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._note))
        self._process.start()
        theirs.close()

    def close(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join()
        self.connection.close()

    def give(self, job: _Job) -> None:
        """Have it play tables."""
        self.job = job
        self._note[0] = 0
        self.connection.send((job.tasks, job.faults))

    def receive(self) -> list[PlayedTable] | Exception | None:
        """Return what it has sent, if anything; if it has ended or hangs, another goes on in its place."""
        job = self.job
        assert job is not None
        try:
            if self.connection.poll():
                found: list[PlayedTable] | Exception = self.connection.recv()
                return found
        except (EOFError, OSError):
            self._process.join()
        number, table, board, seat = (int(each) for each in self._note[:4])
        stall_s = max(task.settings.rules.time.stall_ms for task in job.tasks) / 1000
        hangs = number > 0 and time.monotonic() - self._note[4] > stall_s + OVERDUE_S
        if self._process.is_alive() and not hangs:
            return None
        self.close()
        how = "was killed, as it hung" if hangs else describe_end(self._process.exitcode or 0, "")
        players = job.tasks[table].players
        if number == 0 or len(job.faults) >= FAULTS_MAX:
            names = " and ".join(dict.fromkeys(maker.name for maker in players.values()))
            return PlayerError(f"the process that plays {names} {how}")
        what = f"{players[SEATS[seat]].name}'s process {how}"
        job.faults.append(PlayerFault(number, (table, board, seat), what, stall_s if hangs else 0.0))
        self._start()
        self.give(job)
        return None


class TablePool:
    """Processes that play tables."""

    def __init__(self, jobs: int) -> None:
        """Start as many as there are jobs."""
        self._workers = [_Worker() for _ in range(jobs)]

    def __enter__(self) -> "TablePool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.close()

    @property
    def idle(self) -> int:
        """How many have nothing to play."""
        return sum(worker.job is None for worker in self._workers)

    def submit(self, tasks: Sequence[TableTask], done: Done) -> None:
        """Have an idle process play tables at once; `done` is called with them by `wait`."""
        next(worker for worker in self._workers if worker.job is None).give(_Job(tasks, done))

    def wait(self) -> bool:
        """Wait for a moment; return whether tables are done.

        Raises:
            PlayerError: a player cannot be made.
        """
        busy = [worker for worker in self._workers if worker.job is not None]
        wait([worker.connection for worker in busy], POLL_S)
        is_done = False
        for worker in busy:
            found, job = worker.receive(), worker.job
            if isinstance(found, Exception):
                raise found
            if found is not None and job is not None:
                worker.job, is_done = None, True
                job.done(found)
        return is_done
