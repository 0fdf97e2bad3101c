"""The real store on an SQLite database in memory, which fails when the seed says so."""

import enum
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.pool import StaticPool

from tests.sim.loop import Process
from tests.support.blank_database import blank_database
from tourney.errors import StoreUnavailable
from tourney.store.db.database import Database, _set_up_sqlite


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
        event.listen(self.engine, "connect", _set_up_sqlite)
        self._outages: list[Outage] = []
        self._begun = 0
        self._down_until_us = 0
        self.now_us: Callable[[], int] = lambda: 0
        self.on_commit: Callable[[Process | None], None] = lambda _: None
        self.on_failure: Callable[[Failure], None] = lambda _: None

    def reset(self, outages: list[Outage], now_us: Callable[[], int]) -> None:
        """Empty it, for another event."""
        _template().backup(self._raw)
        self._outages = sorted(outages, key=lambda outage: outage.first)
        self._begun = self._down_until_us = 0
        self.now_us = now_us

    def query(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """What is committed, read past SQLAlchemy; never inside a transaction."""
        assert not self._raw.in_transaction
        return self._raw.execute(sql, values).fetchall()

    def dump(self) -> str:
        """All rows of all tables; migrations write the constraints of a table in no fixed order."""
        return "\n".join(line for line in self._raw.iterdump() if line.startswith("INSERT "))

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
        self._idle = []
        self._engine = store.engine
        self._store = store
        self._process = process

    @contextmanager
    def read(self) -> Iterator[Connection]:
        if self._begin() is not None:
            raise StoreUnavailable("the database is down")
        with super().read() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        failure = self._begin()
        if failure is Failure.REFUSED:
            raise StoreUnavailable("the database is down")
        with super().write() as connection:
            yield connection
            if failure is Failure.ROLLED_BACK:
                raise StoreUnavailable("the disk is full")
        self._store.on_commit(self._process)
        if failure is Failure.UNHEARD:
            raise StoreUnavailable("the connection to the database broke")
        if self._process is not None:
            self._process.note_effect("after a transaction")

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
