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

CONNECT_S: Final = 10
"""How long a PostgreSQL server may take to answer, unless the URL says otherwise (`?connect_timeout=`)."""

_DRIVERS: Final = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
_SECRETS: Final = ("password", "sslpassword")
"""Where else than before the @ a URL of PostgreSQL may hold one."""

_BEGIN: Final = "tourney_begin"
"""Execution option: how SQLite begins the transaction."""


class Database:
    """One database, SQLite or PostgreSQL. Opens nothing until it is used."""

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        patience = {} if self.is_sqlite or "connect_timeout" in self.url.query else {"connect_timeout": CONNECT_S}
        try:
            self._engine = create_engine(self.url, connect_args=patience)
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise StoreError(f"database {self}: there is no driver for it here ({error})") from None
        if self.is_sqlite:
            event.listen(self._engine, "connect", _set_up_sqlite)
            event.listen(self._engine, "begin", _begin_sqlite)

    def __str__(self) -> str:
        """The URL without its password; the path of a file as it is on disk."""
        if self.is_sqlite:
            return f"sqlite:///{self.url.database}"
        hidden = {key: "***" for key in _SECRETS if key in self.url.query}
        return self.url.update_query_dict(hidden).render_as_string(hide_password=True)

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

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
        except FileExistsError:
            raise StoreError(f"folder {self.file.parent} cannot be made: a file has this name") from None
        except OSError as error:
            raise StoreError(f"folder {self.file.parent} cannot be made: {error.strerror}") from None

    def use_wal(self) -> None:
        """Have an SQLite file keep its log ahead of it, so that readers and a writer do not wait for each other.

        The file stays that way. Not done for each connection: it would change files that are not ours.

        Raises:
            StoreError: the database cannot be used.
        """
        if self.is_sqlite:
            with self._transaction("") as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads.

        Raises:
            StoreError: the database cannot be used.
        """
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is durable once the block has ended; nothing of it stays when the block raises.

        Raises:
            StoreError: the database cannot be used.
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def alter(self) -> Iterator[Connection]:
        """A transaction that changes the schema.

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
            with self._transaction("") as connection:
                connection.exec_driver_sql("PRAGMA foreign_keys = OFF")  # has no effect inside a transaction
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
                lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                if lost is not None:
                    raise StoreError(
                        f"database {self}: the change would leave a row of {lost[0]!r} without its owner"
                    )
        finally:
            self._engine.dispose()  # no connection without foreign keys stays

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Connection]:
        try:
            with self._engine.connect().execution_options(**{_BEGIN: begin}) as connection, connection.begin():
                yield connection
        except DBAPIError as error:
            raise StoreError(f"database {self}: {self._reason(error)}") from error
        except SQLAlchemyError as error:
            raise StoreError(f"database {self}: {' '.join(str(error).split())}") from error

    def _reason(self, error: DBAPIError) -> str:
        """The driver's own words, on one line, without our statement and its values."""
        if self.file is not None and self.file.is_dir():
            return "a folder has this name"
        return " ".join(str(error.orig).split()) or type(error.orig).__name__

    def close(self) -> None:
        self._engine.dispose()


def parse_url(url: str) -> URL:
    """The URL of a database, checked as far as it can be without opening it.

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
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreError("a database in memory cannot be shared with table hosts: give sqlite:///FILE")
    if parsed.get_backend_name() == "sqlite" and "?" in url:
        raise StoreError(f"an SQLite file has no options, and a ? in its name is written %3F, got {url!r}")
    return parsed


def file_url(path: Path) -> str:
    """The URL of an SQLite file."""
    return URL.create("sqlite", database=os.fspath(path)).render_as_string()


def resolve_url(url: str, folder: Path) -> str:
    """The URL with the path of an SQLite file made absolute, relative to `folder`."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        parsed = parsed.set(database=os.fspath(folder / parsed.database))
    return parsed.render_as_string(hide_password=False)


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:  # the second is SQLAlchemy's own
    # SQLAlchemy begins transactions (below); sqlite3's own guessing of when to begin is off.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {SQLITE_BUSY_MS}")
    # FULL: a commit is on the disk, not only with the kernel, before a call is relayed.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: one that upgrades from reading can be refused without waiting.
    begin = connection.get_execution_options()[_BEGIN]
    if begin:
        connection.exec_driver_sql(begin)
