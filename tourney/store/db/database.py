"""The way to the database: one URL, short transactions, errors as one sentence."""

import copy
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeAlias

from sqlalchemy import URL, Connection, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from tourney.errors import StoreError
from tourney.store.db.connections import (
    SECRETS,
    SQLITE_BUSY_MS,
    SYNCED,
    UNSYNCED,
    ConnectionPool,
    ConnectionSettings,
    make_engine,
)
from tourney.store.db.failures import one_line, postgres_failure, sqlite_failure

FOLDER_MODE: Final = 0o750
"""The mode of a new folder of results: for its owner and group alone, like the database in it."""

SLOW_MS: Final = 300
"""A write that waits so long for a lock or for the disk is slow; usual ones take between 0.03 and 30 ms."""

_WRITE: Final = "BEGIN IMMEDIATE"

_DRIVERS: Final = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")

Mark: TypeAlias = tuple[sqlite3.Connection, int, int]
"""What two transactions over one connection have in common if nobody has written in between (`Database.mark`)."""


class Database:
    """One database, SQLite or PostgreSQL. Opens nothing until it is used."""

    def __init__(
        self,
        url: str,
        *,
        busy_ms: int = SQLITE_BUSY_MS,
        is_read_only: bool = False,
        standstill_ms: int | None = None,
    ) -> None:
        """Check the URL.

        Args:
            url: `sqlite:///FILE` or `postgresql://...`.
            busy_ms: how long a write to an SQLite file waits for another process's.
            is_read_only: whether the database itself refuses every write on these connections.
            standstill_ms: after how long a PostgreSQL server ends a transaction of these connections in which the
                process has come to a standstill, so that others do not wait for what it has locked; None for never.

        Raises:
            StoreError: it is no URL, of a kind that is not supported, or its driver is not there.
        """
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        settings = ConnectionSettings(busy_ms, is_read_only, standstill_ms)
        self._pool = ConnectionPool(make_engine(self.url, str(self), settings), is_kept=self.is_sqlite)
        self._fence: Callable[[Connection], None] | None = None
        """Checked at the beginning of each write; None where anybody may write (`fenced`)."""
        self._joined: Connection | None = None
        """That of the transaction which everything here reads and writes in (`joining`); None for one each."""

    def __str__(self) -> str:
        """Return the URL without its password; the path of a file as it is on disk."""
        if self.is_sqlite:
            return f"sqlite:///{self.url.database}"
        hidden = {key: "***" for key in SECRETS if key in self.url.query}
        return self.url.update_query_dict(hidden).render_as_string(hide_password=True)

    @property
    def address(self) -> str:
        """The URL with its password: for another process of ours to open the same database."""
        return self.url.render_as_string(hide_password=False)

    def server_ms(self) -> int | None:
        """Return the time of the server, in ms since 1970-01-01 UTC; None for a file, which is on this machine.

        Raises:
            StoreError: the server cannot be asked.
        """
        if self.is_sqlite:
            return None
        with self.read() as connection:
            return int(connection.scalar(text("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)")))

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    @property
    def is_missing(self) -> bool:
        """Whether the database is an SQLite file that is not there."""
        if self.file is None:
            return False
        try:
            self.file.stat()  # Path.exists says that it is not there where it may not look, from Python 3.14 on
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:  # such as a folder that cannot be looked into, which SQLite will say
            return False
        return False

    @property
    def has_no_bytes(self) -> bool:
        """Whether the database is an SQLite file of no bytes."""
        try:
            return self.file is not None and self.file.is_file() and self.file.stat().st_size == 0
        except OSError:
            return False

    def make_folder(self) -> None:
        """Make the folder of an SQLite file.

        Raises:
            StoreError: it cannot be made.
        """
        if self.file is not None:
            make_folder(self.file.parent)

    @property
    def driver_options(self) -> dict[str, str]:
        """The arguments with which a driver connects, the password included."""
        return {key: str(value) for key, value in self.url.get_dialect()().create_connect_args(self.url)[1].items()}

    def conceal(self, words: str) -> str:
        """Return the words, without a password of the URL in them."""
        for secret in filter(None, (self.url.password, *map(self.url.query.get, SECRETS))):
            words = words.replace(str(secret), "***")
        return words

    def use_wal(self) -> None:
        """Have an SQLite file keep its log ahead of it, so that readers and a writer do not wait for each other.

        The file stays that way. Not done for each connection: it would change files that are not ours.
        """
        if self.is_sqlite:
            with self._transaction() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")

    def read(self) -> AbstractContextManager[Connection]:
        """Begin a transaction that only reads.

        Raises:
            StoreError: the database cannot be used; so the block.
        """
        if self._joined is not None:
            return self._join(self._joined)
        return _SqliteTransaction(self, self._pool, "BEGIN", None) if self.is_sqlite else self._transaction()

    def fenced(self, fence: Callable[[Connection], None]) -> "Database":
        """Return this database for somebody who may write only for as long as a check allows it.

        Args:
            fence: is called first in each transaction that writes; when it raises, nothing is written.
        """
        fenced = copy.copy(self)
        fenced._fence = fence  # noqa: SLF001 # a copy of ours
        return fenced

    @property
    def is_joined(self) -> bool:
        """Whether everything here is part of one transaction."""
        return self._joined is not None

    def joining(self, connection: Connection) -> "Database":
        """Return this database within a transaction: what reads or writes there joins it."""
        joined = copy.copy(self)
        joined._joined = connection  # noqa: SLF001 # as above
        return joined

    @contextmanager
    def _join(self, connection: Connection, *, is_write: bool = False) -> Iterator[Connection]:
        """Go on in a transaction; what a block that writes has written is undone when it raises, and no more."""
        try:
            with connection.begin_nested() if is_write else nullcontext():
                yield connection
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise self.failure(error) from error

    def write(self, *, synced: bool = True) -> AbstractContextManager[Connection]:
        """Begin a transaction that is on record once the block has ended; nothing of it stays when the block raises.

        Args:
            synced: wait until it is on the disk, and everything that was written before. Without, what is written to
                an SQLite file survives the death of every process that uses it, but may be lost in a power cut:
                always together with all that was written after it. A PostgreSQL server waits for its disk anyway.

        Raises:
            StoreError: the database cannot be used, or a fence forbids it; so the block.
        """
        if self._joined is not None:
            return self._join(self._joined, is_write=True)
        transaction: AbstractContextManager[Connection]
        if not self.is_sqlite:
            transaction = self._transaction(is_timed=True)
        else:
            # A writer takes its lock at once: one that upgrades from reading can be refused without waiting.
            transaction = _SqliteTransaction(self, self._pool, _WRITE, SYNCED if synced else UNSYNCED)
        return transaction if self._fence is None else self._behind(self._fence, transaction)

    @contextmanager
    def _behind(
        self, fence: Callable[[Connection], None], transaction: AbstractContextManager[Connection]
    ) -> Iterator[Connection]:
        with transaction as connection:
            fence(connection)
            yield connection

    def mark(self, connection: Connection) -> Mark | None:
        """Return the mark of an SQLite file in a transaction that writes; None of a server, which has none.

        `data_version` changes with what others write over other connections (sqlite.org/pragma.html), and
        `total_changes` counts the rows that anybody has changed over this one. Who changes rows takes the mark again
        before the end.
        """
        if not self.is_sqlite:
            return None
        driver: Any = connection.connection.dbapi_connection  # as `driver_of`, without the extra call
        return driver, driver.execute("PRAGMA data_version").fetchone()[0], driver.total_changes

    @contextmanager
    def alter(self) -> Iterator[Connection]:
        """Begin a transaction that changes the schema.

        SQLite alters a table by making it anew and dropping the old one, which rows that refer to it would forbid;
        that no reference has been lost is checked before the end.

        Raises:
            StoreError: the database cannot be used, or the change would leave rows that refer to nothing.
        """
        if not self.is_sqlite:
            with self.write() as connection:
                yield connection
            return
        try:
            with self._transaction() as connection:
                connection.exec_driver_sql("PRAGMA foreign_keys = OFF")  # has no effect inside a transaction
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
                lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                if lost is not None:
                    raise StoreError(
                        f"database {self}: the change would leave a row of {lost[0]!r} without its owner"
                    )
        finally:
            self.close()  # no connection without foreign keys stays

    def outside(self) -> AbstractContextManager[Connection]:
        """Connect without a transaction, for what must not be in one: each statement is durable by itself.

        Raises:
            StoreError: the database cannot be used; so the block.
        """
        return self._transaction(is_outside=not self.is_sqlite)

    @contextmanager
    def _transaction(self, *, is_timed: bool = False, is_outside: bool = False) -> Iterator[Connection]:
        """Begin a transaction as SQLAlchemy does; SQLite needs to be told to begin one besides."""
        ended_s = 0.0
        try:
            with self._pool.connection() as connection:
                if is_outside:
                    connection.execution_options(isolation_level="AUTOCOMMIT")
                with connection.begin():
                    yield connection
                    ended_s = time.perf_counter()
            if is_timed:
                self._pool.slowest_s = max(self._pool.slowest_s, time.perf_counter() - ended_s)
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise self.failure(error) from error

    def failure(self, error: SQLAlchemyError | sqlite3.Error) -> StoreError:
        """Make an error of the driver's own words, without our statement and its values."""
        name = f"database {self}"
        if isinstance(error, sqlite3.Error):  # of what the driver is told without SQLAlchemy
            return sqlite_failure(name, error)
        if not isinstance(error, DBAPIError):
            return StoreError(f"{name}: {one_line(error)}")
        if isinstance(error.orig, sqlite3.Error):
            if os.path.isdir(self.file or ""):  # noqa: PTH112 # Path.is_dir raises where it may not look
                return StoreError(f"{name}: a folder has this name, and a database is a file")
            return sqlite_failure(name, error.orig)
        assert error.orig is not None
        is_lost = isinstance(error, OperationalError) or error.connection_invalidated
        return postgres_failure(name, self.conceal(one_line(error.orig)), error.orig, is_lost=is_lost)

    def take_slowest_ms(self) -> int:
        """Return how long a write has waited, at most, since the last time that this was asked."""
        slowest_s, self._pool.slowest_s = self._pool.slowest_s, 0.0
        return int(1000 * slowest_s)

    def close(self) -> None:
        """Close all connections that are in no transaction; the next one opens another."""
        if self._joined is None:
            self._pool.close()


class _SqliteTransaction(AbstractContextManager[Connection]):
    """A transaction of an SQLite file that its driver begins and ends.

    A transaction of SQLAlchemy's takes longer than SQLite does with a call or a card. One begins in here with the
    first statement that goes through SQLAlchemy, and is ended with this one.
    """

    __slots__ = ("_begin", "_closings", "_database", "_kept", "_pool", "_syncing", "_waited_s")

    def __init__(self, database: Database, pool: ConnectionPool, begin: str, syncing: str | None) -> None:
        """Prepare; `syncing` says whether its commit waits for the disk, None where nothing is written."""
        self._database = database
        self._pool = pool
        self._begin = begin
        self._syncing = syncing

    def __enter__(self) -> Connection:
        began_s = time.perf_counter()
        self._closings = self._pool.closings
        try:
            kept = self._kept = self._pool.take()
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise self._database.failure(error) from error
        try:
            if self._syncing is not None:
                kept.set_syncing(self._syncing)
            kept.driver.execute(self._begin)
        except (SQLAlchemyError, sqlite3.Error) as error:
            self._roll_back()
            self._pool.slowest_s = max(self._pool.slowest_s, time.perf_counter() - began_s)
            raise self._database.failure(error) from error
        self._waited_s = time.perf_counter() - began_s
        return kept.connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            ended_s, kept = time.perf_counter(), self._kept
            try:
                kept.driver.commit()
                if kept.connection.in_transaction():
                    kept.connection.commit()
            except (SQLAlchemyError, sqlite3.Error) as failure:
                self._roll_back()
                raise self._database.failure(failure) from failure
            self._pool.slowest_s = max(self._pool.slowest_s, self._waited_s + time.perf_counter() - ended_s)
            self._pool.put_back(kept, self._closings)
            return
        self._roll_back()
        if isinstance(error, SQLAlchemyError | sqlite3.Error):
            raise self._database.failure(error) from error

    def _roll_back(self) -> None:
        """Undo everything, and keep the connection no longer: it may be what failed."""
        with suppress(SQLAlchemyError, sqlite3.Error):
            self._kept.connection.close()


def make_folder(folder: Path) -> None:
    """Make a folder that is to hold databases; users outside its group may not look into it.

    Raises:
        StoreError: it cannot be made.
    """
    try:
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    except FileExistsError:
        raise StoreError(f"folder {folder} cannot be made: a file has this name") from None
    except OSError as error:
        raise StoreError(f"folder {folder} cannot be made: {error.strerror}") from None


def parse_url(url: str) -> URL:
    """Return the URL of a database, checked as far as it can be without opening it.

    Raises:
        StoreError: it is no URL, or of a kind that is not supported.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # What comes after the colon may be a password.
        start = url.partition(":")[0]
        raise StoreError(
            "a database is given as sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME, "
            f"got something else that starts with {start[:20]!r}"
        ) from None
    if parsed.drivername not in _DRIVERS:
        raise StoreError(f"a database is sqlite:///FILE or postgresql://..., got {parsed.drivername!r}")
    is_sqlite = parsed.get_backend_name() == "sqlite"
    if is_sqlite and parsed.database in (None, "", ":memory:"):
        raise StoreError("a database in memory cannot be shared with table hosts: give sqlite:///FILE")
    if is_sqlite and "?" in url:
        raise StoreError(f"an SQLite file has no options, and a ? in its name is written %3F, got {url!r}")
    return parsed


def file_url(path: Path) -> str:
    """Return the URL of an SQLite file."""
    return URL.create("sqlite", database=os.fspath(path)).render_as_string()


def database_files(url: str) -> list[Path]:
    """Return the files of an SQLite database, whether they are there or not; none of a server's.

    Raises:
        StoreError: it is no URL of a database.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        return []
    return [Path(f"{parsed.database}{suffix}") for suffix in ("", "-wal", "-shm", "-journal")]


def resolve_url(url: str, folder: Path) -> str:
    """Return the URL with the path of an SQLite file made absolute, relative to `folder`; `~` is a home folder."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        parsed = parsed.set(database=os.fspath(folder / os.path.expanduser(parsed.database)))  # noqa: PTH111
    return parsed.render_as_string(hide_password=False)
