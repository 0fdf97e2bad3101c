"""URLs, transactions and their promises."""

import socket
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import event, func, insert, select

from tests.support.refusals import refused_texts
from tourney.errors import StoreError
from tourney.store.db.connections import CONNECT_S, driver_of
from tourney.store.db.database import Database, file_url, parse_url, resolve_url
from tourney.store.models import Event

SECRET = "s3cret-w0rd"


def _row(name: str) -> dict[str, object]:
    return {"name": name, "name_key": name, "seed": "1", "plan": "", "settings": "", "created_at_ms": 0}


def _count(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(Event)) or 0


# URLs


@pytest.mark.parametrize(("url", "message"), refused_texts("database_urls"))
def test_a_url_that_is_no_database_of_ours_is_refused(url: str, message: str) -> None:
    with pytest.raises(StoreError) as caught:
        parse_url(url)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql//admin:{SECRET}@localhost/cup",
        f"postgresql://admin:{SECRET}@localhost:port/cup",
        f"mysql://admin:{SECRET}@localhost/cup",
        f"postgresql:admin:{SECRET}@localhost",
        f"postgresql+psycopg2://admin:{SECRET}@localhost/cup",
    ],
)
def test_a_password_in_a_wrong_url_is_not_told(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        Database(url)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["event.db", "50% off.db", "%20.db", "who?.db", "a#b.db", "Übung & Spiel.db", "a@b:c.db", "a+b=c.db"]
)
def test_any_name_of_a_file_survives_its_url(name: str, tmp_path: Path) -> None:
    url = file_url(tmp_path / name)
    assert Database(url).file == tmp_path / name
    assert Database(resolve_url(url, Path("/elsewhere"))).file == tmp_path / name
    assert Database(resolve_url(file_url(Path("sub") / name), tmp_path)).file == tmp_path / "sub" / name
    assert str(Database(url)) == f"sqlite:///{tmp_path / name}"


def test_a_path_in_a_url_is_relative_to_the_folder_given() -> None:
    assert resolve_url("sqlite:///data/event.db", Path("/cups/spring")) == "sqlite:////cups/spring/data/event.db"
    assert resolve_url("sqlite:////data/event.db", Path("/cups/spring")) == "sqlite:////data/event.db"
    server = f"postgresql://admin:{SECRET}@localhost/cup"
    assert resolve_url(server, Path("/cups/spring")) == server


@pytest.mark.parametrize(("query", "connect_s"), [("", CONNECT_S), ("?connect_timeout=3", "3")])
def test_postgresql_means_psycopg_3_and_waits_only_so_long(query: str, connect_s: object) -> None:
    class SeenError(Exception):
        pass

    asked: dict[str, object] = {}
    database = Database(f"postgresql://localhost/cup{query}")

    @event.listens_for(database._pool.engine, "do_connect")
    def check(dialect: object, record: object, args: object, parameters: dict[str, object]) -> None:
        asked.update(parameters)
        raise SeenError

    with pytest.raises(SeenError), database.read():
        pass
    assert asked["connect_timeout"] == connect_s
    assert database._pool.engine.driver == "psycopg"
    assert (database.file, database.is_missing, database.is_sqlite) == (None, False, False)


def test_a_server_that_never_answers_is_given_up() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        # libpq takes no less than two seconds.
        database = Database(f"postgresql://admin:{SECRET}@127.0.0.1:{port}/cup?connect_timeout=2")
        with pytest.raises(StoreError, match="connection timeout expired"), database.read():
            pass


# Promises of a transaction


def test_what_sqlite_promises_is_set_on_every_connection(sqlite_database: Database) -> None:
    with sqlite_database.read() as first, sqlite_database.read() as second:
        for connection in (first, second):
            found = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
            assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_nothing_stays_of_a_transaction_that_raises(database: Database) -> None:
    class TroubleError(Exception):
        pass

    def insert_and_fail() -> None:
        with database.write() as connection:
            connection.execute(insert(Event).values(_row("Cup")))
            raise TroubleError

    with pytest.raises(TroubleError):
        insert_and_fail()
    assert _count(database) == 0


@pytest.mark.parametrize("transaction", ["read", "write"])
def test_a_connection_in_use_when_the_database_is_closed_is_closed_at_its_end(
    sqlite_database: Database, transaction: str
) -> None:
    with getattr(sqlite_database, transaction)() as connection:
        driver = driver_of(connection)
        sqlite_database.close()
        assert driver.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        driver.execute("SELECT 1")
