"""Connections to a database: how they are made and set up, and which are kept from one transaction to the next."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import NoSuchModuleError

from tourney.errors import StoreError
from tourney.extras import install_command

# The driver finds out by an error, for each value, that it knows nothing better for a truth than the number it is.
sqlite3.register_adapter(bool, int)

SQLITE_BUSY_MS: Final = 10_000
"""How long a write waits for another process's; ours take about a millisecond, a backup may take seconds."""

_READ_ONLY_CACHE_KIB: Final = 300
"""Pages of the file that who only looks on keeps in memory: what another process writes makes all of them stale."""

CONNECT_S: Final = 10
"""How long a PostgreSQL server may take to answer, unless the URL says otherwise (`?connect_timeout=`)."""

LOST_S: Final = 30
"""After how long without an answer on the network a connection to PostgreSQL counts as lost.

Whoever waits for it holds up a table host; the system's own patience is a quarter of an hour and more.
"""

SYNCED: Final = "PRAGMA synchronous = FULL"
"""A commit to an SQLite file is on the disk, not only with the kernel."""

UNSYNCED: Final = "PRAGMA synchronous = NORMAL"
"""A commit is with the kernel, in the order of commits; the next one that is synced takes it to the disk."""

_PATIENCE: Final = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": LOST_S // 3,
    "keepalives_interval": LOST_S // 6,
    "keepalives_count": 4,
    "tcp_user_timeout": LOST_S * 1000,
}
"""Parameters of libpq; the URL may set others."""

_NO_ENCODING: Final = "SQL_ASCII"
"""What PostgreSQL calls a database that does not know how its texts are encoded."""

SECRETS: Final = ("password", "sslpassword")
"""Where else than before the @ a URL of PostgreSQL may hold one."""


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """What is said to each connection to a database."""

    busy_ms: int
    """How long a write to an SQLite file waits for another process's."""
    is_read_only: bool
    """Whether the database itself refuses every write."""
    standstill_ms: int | None
    """After how long a PostgreSQL server ends a transaction at a standstill; None for never."""


def make_engine(url: URL, name: str, settings: ConnectionSettings) -> Engine:
    """Make what opens connections to a database, and sets each up.

    Args:
        url: of the database.
        name: the same without its password.
        settings: for each connection.

    Raises:
        StoreError: the driver of the database is not there.
    """
    is_sqlite = url.get_backend_name() == "sqlite"
    arguments: dict[str, object] = {}
    if is_sqlite and settings.is_read_only:
        assert url.database is not None
        file = f"file:{quote(os.path.abspath(url.database))}"  # noqa: PTH100 # Path would follow links
        plain = URL.create("sqlite", database=file, query={"mode": "ro", "uri": "true"})
    else:
        plain = url.difference_update_query(SECRETS)
    if not is_sqlite:
        arguments = {key: value for key, value in _PATIENCE.items() if key not in url.query}
        # SQLAlchemy hides the password before the @ where it shows a URL, and no other.
        arguments |= {key: url.query[key] for key in SECRETS if key in url.query}
    try:
        # A connection that was lost while nobody used it is found out before it is used, and replaced.
        engine = create_engine(plain, connect_args=arguments, pool_pre_ping=not is_sqlite)
    except (NoSuchModuleError, ModuleNotFoundError):
        raise StoreError(f"database {name}: there is no driver for it here: {install_command('postgres')}") from None
    if is_sqlite:
        set_up = partial(set_up_sqlite, settings=settings)
    else:
        # First of all: SQLAlchemy itself asks the server for texts.
        event.listen(engine, "connect", partial(_check_encoding, name=name), insert=True)
        set_up = partial(_set_up_postgres, settings=settings)
    event.listen(engine, "connect", set_up)
    return engine


@dataclass(slots=True)
class SqliteConnection:
    """A connection to an SQLite file."""

    connection: Connection
    driver: sqlite3.Connection
    """The one of the driver below it."""
    _syncing: str = SYNCED
    """What it was told last about the disk, which SQLite takes longer to read than to write a card."""

    def set_syncing(self, syncing: str) -> None:
        """Have the commits of transactions to come wait for the disk or not."""
        if syncing != self._syncing:
            self.driver.execute(syncing)
            self._syncing = syncing


class ConnectionPool:
    """The connections to a database; those to an SQLite file are kept from one transaction to the next."""

    def __init__(self, engine: Engine, *, is_kept: bool) -> None:
        """`is_kept`: connections are kept from one transaction to the next.

        To take one to an SQLite file from the engine and give it back costs as much as a small transaction.
        """
        self.closings = 0
        """How often it was closed."""
        self.idle: list[SqliteConnection] = []
        """Connections that are kept and in no transaction."""
        self.engine = engine
        self.slowest_s = 0.0
        """How long a write has waited for its lock and for the disk, at most, since this was looked at."""
        self._is_kept = is_kept

    def take(self) -> SqliteConnection:
        """Return a connection to an SQLite file that is kept, or a new one."""
        try:
            return self.idle.pop()
        except IndexError:
            connection = self.engine.connect()
            return SqliteConnection(connection, driver_of(connection))

    def put_back(self, kept: SqliteConnection, closings: int) -> None:
        """Keep a connection for the next transaction, if the pool was closed no more often than so by now."""
        if closings == self.closings:
            self.idle.append(kept)
        else:  # no pool may get it back
            kept.connection.close()
            kept.driver.close()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        if not self._is_kept:
            with self.engine.connect() as connection:
                yield connection
            return
        closings, kept = self.closings, self.take()
        try:
            kept.set_syncing(SYNCED)
            yield kept.connection
        except BaseException:
            kept.connection.close()
            raise
        self.put_back(kept, closings)

    def close(self) -> None:
        self.closings += 1
        while self.idle:
            self.idle.pop().connection.close()
        self.engine.dispose()


def driver_of(connection: Connection) -> sqlite3.Connection:
    """Return the driver's own connection to an SQLite file, in the transaction that ours has begun."""
    driver: Any = connection.connection.dbapi_connection  # typed for every driver that there is
    assert isinstance(driver, sqlite3.Connection)
    return driver


def set_up_sqlite(
    connection: sqlite3.Connection, _record: Any, *, settings: ConnectionSettings
) -> None:  # the record is SQLAlchemy's own
    # Each transaction is begun in its own words; sqlite3's own guessing of when to begin is off.
    connection.isolation_level = None
    try:
        connection.execute(f"PRAGMA busy_timeout = {settings.busy_ms}")
        connection.execute(SYNCED)
        connection.execute("PRAGMA foreign_keys = ON")
        if settings.is_read_only:
            connection.execute(f"PRAGMA cache_size = -{_READ_ONLY_CACHE_KIB}")
    except UnicodeDecodeError as error:  # SQLite quotes the text of a schema in which bits have changed
        connection.close()
        damaged = sqlite3.DatabaseError(error.object.decode("utf-8", "backslashreplace"))
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damaged from None
    except sqlite3.Error:
        connection.close()  # SQLAlchemy forgets a connection that cannot be set up, and leaves it open
        raise


def _check_encoding(connection: Any, _record: Any, *, name: str) -> None:  # psycopg's and SQLAlchemy's
    if connection.info.parameter_status("server_encoding") == _NO_ENCODING:
        connection.close()
        raise StoreError(
            f"database {name} has encoding {_NO_ENCODING}, in which texts are bytes that nobody can read: make one "
            "with `createdb --encoding=UTF8 --template=template0 NAME`"
        )


def _set_up_postgres(
    connection: Any,  # psycopg's, which is not there without PostgreSQL
    _record: Any,  # SQLAlchemy's own
    *,
    settings: ConnectionSettings,
) -> None:
    try:
        if settings.is_read_only:
            connection.execute("SET default_transaction_read_only = on")
        # A server may be told not to wait for the disk, and whoever counts on a finished board needs it to.
        is_off = "current_setting('synchronous_commit') = 'off'"
        connection.execute(f"SELECT set_config('synchronous_commit', 'on', false) WHERE {is_off}")
        if settings.standstill_ms is not None:
            connection.execute(f"SET idle_in_transaction_session_timeout = {settings.standstill_ms:d}")
        connection.commit()
    except Exception:
        connection.close()  # as above
        raise
