"""The real store on an SQLite database in memory, which fails when the seed says so."""

import enum
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.pool import StaticPool

from tests.sim.loop import Process
from tests.support.blank_database import blank_database
from tourney.bridge import Board
from tourney.errors import StoreUnavailable
from tourney.store.db.connections import SQLITE_BUSY_MS, ConnectionPool, ConnectionSettings, set_up_sqlite
from tourney.store.db.database import Database, Mark
from tourney.store.draw.tables import load_boards


class Failure(enum.StrEnum):
    """How a transaction fails."""

    REFUSED = "refused"
    """It cannot begin."""
    ROLLED_BACK = "rolled back"
    """Its end cannot be written."""
    UNHEARD = "unheard"
    """It is durable, and the word that it is gets lost."""


@dataclass(frozen=True, slots=True)
class Outage:
    """All transactions from the `first` that a process begins, counted from 1, fail until so long after it did."""

    first: int
    lasts_us: int
    failure: Failure


class MemoryStore:
    """One database in memory, made empty for each seed. `now_us` is the time of the simulation."""

    def __init__(self) -> None:
        self._raw = sqlite3.connect(":memory:", check_same_thread=False)
        self.engine: Engine = create_engine("sqlite://", creator=lambda: self._raw, poolclass=StaticPool)
        settings = ConnectionSettings(SQLITE_BUSY_MS, is_read_only=False, standstill_ms=None)
        event.listen(self.engine, "connect", partial(set_up_sqlite, settings=settings))
        self.is_server = False
        """Whether it does what a file on the machine does not: lose the word of a commit."""
        self._outages: list[Outage] = []
        self._begun = 0
        self._down_until_us = 0
        self.now_us: Callable[[], int] = lambda: 0
        self.on_commit: Callable[[Process | None], None] = lambda _: None
        self.on_failure: Callable[[Failure], None] = lambda _: None
        self.on_power_cut: Callable[[], None] = lambda: None
        self._images: list[bytes] = []
        """What the disk may have if the power fails now: the database as it was last synced, and after each
        transaction since. Empty where no power cut is to come."""
        self._before_cut = 0
        """Transactions until the power may fail."""

    def reset(self, outages: list[Outage], now_us: Callable[[], int], *, before_cut: int | None = None) -> None:
        """Empty it, for another event.

        Args:
            outages: when it fails, and how.
            now_us: the time of the simulation.
            before_cut: after how many transactions the power fails, if it does.
        """
        self.is_server = any(outage.failure is Failure.UNHEARD for outage in outages)
        _template().backup(self._raw)
        self._images = [self._raw.serialize()] if before_cut is not None else []
        self._before_cut = before_cut or 0
        self._outages = sorted(outages, key=lambda outage: outage.first)
        self._begun = self._down_until_us = 0
        self.now_us = now_us

    def query(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """What is committed, read past SQLAlchemy; never inside a transaction."""
        assert not self._raw.in_transaction
        return self._raw.execute(sql, values).fetchall()

    def board_at(self, table: int, number: int) -> Board:
        """Return a board as it begins: at games, dealer and vulnerability are on record only from then on."""
        ((set_,),) = self.query(
            "SELECT board_set_id FROM matches WHERE id = (SELECT match_id FROM tables WHERE id = ?)", table
        )
        assert isinstance(set_, int)
        with self.engine.connect() as connection:
            return next(board for board in load_boards(connection, set_) if board.number == number)

    def dump(self) -> str:
        """All rows of all tables; migrations write the constraints of a table in no fixed order."""
        return "\n".join(line for line in self._raw.iterdump() if line.startswith("INSERT "))

    def note_commit(self, *, synced: bool) -> None:
        """Keep what the disk may have after a transaction: a synced one takes all before it to the disk."""
        if not self._images:
            return
        self._images = [*([] if synced else self._images), self._raw.serialize()]
        self._before_cut -= 1
        if self._before_cut <= 0:
            self.on_power_cut()

    @property
    def unsynced(self) -> int:
        """How many transactions a power cut may take."""
        return len(self._images) - 1

    def cut_power(self, chance: Random) -> None:
        """Lose what is not on the disk, or a part of it; the power fails once."""
        with closing(sqlite3.connect(":memory:")) as image:
            image.deserialize(chance.choice((self._images[0], chance.choice(self._images))))
            image.backup(self._raw)
        self._images = []

    def recover(self) -> None:
        """Be there again."""
        self._down_until_us = 0

    def next_failure(self) -> Failure | None:
        """What becomes of a transaction that a process is about to begin."""
        self._begun += 1
        if self._outages and self._begun >= self._outages[0].first:
            outage = self._outages.pop(0)
            self._down_until_us = self.now_us() + outage.lasts_us
            self.on_failure(outage.failure)
            return outage.failure
        return Failure.REFUSED if self.is_down else None

    @property
    def is_down(self) -> bool:
        return self.now_us() < self._down_until_us


class SimulatedDatabase(Database):
    """The database as one process sees it; `process` None is somebody whom nothing kills."""

    def __init__(self, store: MemoryStore, process: Process | None) -> None:
        self.url = make_url("sqlite://")
        self.is_sqlite = True
        self._pool = ConnectionPool(store.engine, is_kept=True)
        self._fence = self._joined = None
        self._store = store
        self._process = process

    def take_slowest_ms(self) -> int:
        return 0  # how long this machine takes is no part of a simulation

    @contextmanager
    def read(self) -> Iterator[Connection]:
        if not self.is_joined and self._begin() is not None:
            raise StoreUnavailable("the database is down")
        with super().read() as connection:
            yield connection

    @contextmanager
    def write(self, *, synced: bool = True) -> Iterator[Connection]:
        if self.is_joined:
            with super().write() as connection:
                yield connection
            return
        failure = self._begin()
        if failure is Failure.REFUSED:
            raise StoreUnavailable("the database is down")
        with super().write(synced=synced) as connection:
            yield connection
            if failure is Failure.ROLLED_BACK:
                raise StoreUnavailable("the disk is full")
        self._store.note_commit(synced=synced)
        self._store.on_commit(self._process)
        if failure is Failure.UNHEARD:
            raise StoreUnavailable("the connection to the database broke")
        if self._process is not None:
            self._process.note_effect("after a transaction")

    def mark(self, connection: Connection) -> Mark | None:
        return None if self._store.is_server else super().mark(connection)

    def _begin(self) -> Failure | None:
        if self._process is not None:
            self._process.note_effect("before a transaction")
            return self._store.next_failure()
        return Failure.REFUSED if self._store.is_down else None


@cache
def memory_store() -> MemoryStore:
    """The one of this process: SQLAlchemy keeps the statements that it has compiled with it."""
    return MemoryStore()


@cache
def _template() -> sqlite3.Connection:
    """An empty database with our schema, made by the migrations."""
    template = sqlite3.connect(":memory:")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "template.db")
        path.write_bytes(blank_database())
        made = sqlite3.connect(path)
        made.execute("PRAGMA journal_mode = DELETE")  # a database in memory has no log ahead of it
        made.backup(template)
        made.close()
    return template
