"""The way to the database: one URL, short transactions, errors as one sentence."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from tourney.errors import StoreError

SQLITE_BUSY_MS: Final = 10_000
"""How long a write waits for another process's; ours take about a millisecond, a backup may take seconds."""

_WRITES: Final = "tourney_writes"


class Database:
    """One database, SQLite or PostgreSQL. Opens nothing until it is used."""

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        try:
            self._engine = create_engine(self.url)
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise StoreError(f"database {self}: there is no driver for it here ({error})") from None
        if self.is_sqlite:
            event.listen(self._engine, "connect", _set_up_sqlite)
            event.listen(self._engine, "begin", _begin_sqlite)

    def __str__(self) -> str:
        """The URL without its password."""
        return self.url.render_as_string(hide_password=True)

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        name = self.url.database
        return Path(name) if self.is_sqlite and name and name != ":memory:" else None

    @property
    def is_missing(self) -> bool:
        """Whether the database is an SQLite file that is not there."""
        return self.file is not None and not self.file.exists()

    def make_folder(self) -> None:
        """Make the folder of an SQLite file.

        Raises:
            StoreError: it cannot be made.
        """
        if self.file is None:
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"folder {self.file.parent} cannot be made: {error.strerror}") from None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads.

        Raises:
            StoreError: the database cannot be used.
        """
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is durable once the block has ended; nothing of it stays when the block raises.

        Raises:
            StoreError: the database cannot be used.
        """
        with self._transaction(writes=True) as connection:
            yield connection

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        try:
            with self._engine.connect().execution_options(**{_WRITES: writes}) as connection, connection.begin():
                yield connection
        except DBAPIError as error:
            raise StoreError(f"database {self}: {_reason(error)}") from error
        except SQLAlchemyError as error:
            raise StoreError(f"database {self}: {error}") from error

    def close(self) -> None:
        self._engine.dispose()


def parse_url(url: str) -> URL:
    """The URL of a database, checked as far as it can be without opening it.

    Raises:
        StoreError: it is no URL, or of a kind that is not supported.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(f"a database is given as sqlite:///FILE or postgresql://..., got {url!r}") from None
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"a database is sqlite:///FILE or postgresql://..., got {parsed.drivername!r}")
    return parsed


def resolve_url(url: str, folder: Path) -> str:
    """The URL with the path of an SQLite file made absolute, relative to `folder`."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        parsed = parsed.set(database=os.fspath(folder / parsed.database))
    return parsed.render_as_string(hide_password=False)


def _reason(error: DBAPIError) -> str:
    """The driver's own words, on one line, without our statement and its values."""
    return " ".join(str(error.orig).split()) or type(error.orig).__name__


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:  # the second is SQLAlchemy's own
    # SQLAlchemy begins transactions (below); sqlite3's own guessing of when to begin is off.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {SQLITE_BUSY_MS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    # FULL: a commit is on the disk, not only with the kernel, before a call is relayed.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: one that upgrades from reading can be refused without waiting.
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
