"""What may pass is told apart from what lasts; after it the database works again, and nothing was lost."""

import sqlite3
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, func, insert, make_url, select

from tests.support.ordinary_user import ordinary_user
from tests.support.postgres_role import role_with_password
from tests.support.refusals import refusals
from tourney.errors import StoreError, StoreUnavailable
from tourney.store.db.database import Database, file_url
from tourney.store.db.failures import postgres_failure, sqlite_failure
from tourney.store.db.schema import prepare
from tourney.store.models import Event

SECRET = "s3cret-w0rd"


def _row(name: str, plan: str = "") -> dict[str, object]:
    return {"name": name, "name_key": name, "seed": "1", "plan": plan, "settings": "", "created_at_ms": 0}


def _add_event(database: Database, name: str = "Cup", plan: str = "") -> None:
    with database.write() as connection:
        connection.execute(insert(Event).values(_row(name, plan)))


def _count(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(Event)) or 0


def _file(database: Database) -> Path:
    assert database.file is not None
    return database.file


def _backend(database: Database) -> int:
    with database.read() as connection:
        return int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


def _terminate(postgres_url: str, pid: int) -> None:
    """End a server process of somebody else, and wait until it has ended."""
    with closing(Database(postgres_url)) as other, other.outside() as connection:
        assert connection.exec_driver_sql(f"SELECT pg_terminate_backend({pid}, 10000)").scalar()


@pytest.fixture
def server_database(postgres_url: str) -> Iterator[Database]:
    database = Database(postgres_url)
    prepare(database)
    yield database
    database.close()


# SQLite


def test_a_file_that_another_program_holds_too_long_may_pass(sqlite_database: Database) -> None:
    path = _file(sqlite_database)
    with closing(Database(file_url(path), busy_ms=20)) as database:
        with closing(sqlite3.connect(path, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable) as caught:
                _add_event(database)
        assert str(caught.value) == (
            f"database {database}: database is locked: another program holds the file, or waits for a slow disk: "
            "end it, or try again"
        )
        _add_event(database)
        assert _count(database) == 1


def test_a_connection_that_cannot_be_set_up_is_closed(sqlite_database: Database) -> None:
    made: list[sqlite3.Connection] = []
    path = _file(sqlite_database)
    database = Database(file_url(path), busy_ms=20)
    event.listen(database._pool.engine, "connect", lambda connection, _: made.append(connection), insert=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):
            _count(database)
    (connection,) = made
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        connection.execute("SELECT 1")


def test_a_full_disk_may_pass_and_what_is_on_record_stays(sqlite_database: Database) -> None:
    _add_event(sqlite_database, "before")
    sqlite_database.close()
    pages = _file(sqlite_database).stat().st_size // 4096
    limit = [pages + 1]
    event.listen(
        sqlite_database._pool.engine,
        "connect",
        lambda connection, _: connection.execute(f"PRAGMA max_page_count = {limit[0]}"),
    )
    with pytest.raises(StoreUnavailable) as caught:
        _add_event(sqlite_database, "during", "x" * 100_000)
    assert str(caught.value) == (
        f"database {sqlite_database}: database or disk is full: make room and try again; what is on record stays"
    )
    assert _count(sqlite_database) == 1
    _add_event(sqlite_database, "small")  # the connection is of use, with what room there is
    limit[0] = pages + 100
    sqlite_database.close()
    _add_event(sqlite_database, "after", "x" * 100_000)
    with sqlite_database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    assert _count(sqlite_database) == 3


# PostgreSQL


def test_a_connection_that_ends_in_the_middle_may_pass_and_the_next_attempt_has_a_new_one(
    server_database: Database, postgres_url: str
) -> None:
    pid = _backend(server_database)

    def write() -> None:
        with server_database.write() as connection:
            connection.execute(insert(Event).values(_row("a")))
            assert connection.exec_driver_sql("SELECT pg_backend_pid()").scalar() == pid
            _terminate(postgres_url, pid)
            connection.exec_driver_sql("SELECT 1")

    with pytest.raises(StoreUnavailable) as caught:
        write()
    assert str(caught.value) == (
        f"database {server_database}: terminating connection due to administrator command: try again"
    )
    assert _count(server_database) == 0
    _add_event(server_database)
    assert _count(server_database) == 1
    assert _backend(server_database) != pid


def test_a_connection_that_ended_while_nobody_used_it_is_replaced_unseen(
    server_database: Database, postgres_url: str
) -> None:
    pid = _backend(server_database)
    _terminate(postgres_url, pid)
    _add_event(server_database)
    assert _backend(server_database) != pid


@pytest.mark.parametrize("place", ["before the @", "in the query"])
def test_a_wrong_password_lasts_and_is_shown_nowhere(postgres_url: str, place: str) -> None:
    with role_with_password(postgres_url, "the right one") as url:
        right = Database(url)
        assert _backend(right)
        right.close()
        wrong = make_url(url).set(password=SECRET)
        if place == "in the query":
            wrong = make_url(url)._replace(password=None).update_query_dict({"password": SECRET})
        database = Database(wrong.render_as_string(hide_password=False))
        with pytest.raises(StoreError) as caught, database.read():
            pass
    assert not isinstance(caught.value, StoreUnavailable)
    assert "password authentication failed" in str(caught.value)
    everything = "".join(traceback.format_exception(caught.value)) + repr(database._pool.engine)
    assert SECRET not in everything
    assert "the right one" not in everything


def test_a_password_that_the_server_repeats_is_not_told(postgres_url: str) -> None:
    url = make_url(postgres_url).set(password=SECRET).render_as_string(hide_password=False)
    with closing(Database(url)) as database, pytest.raises(StoreError) as caught, database.read() as connection:
        connection.exec_driver_sql(f"SELECT '{SECRET}'::int")
    assert str(caught.value).startswith(f'database {database}: invalid input syntax for type integer: "***"')


def test_a_file_in_a_folder_that_may_not_be_entered_is_refused() -> None:
    with ordinary_user() as home:
        folder = home / "private"
        folder.mkdir(mode=0o000)
        database = Database(file_url(folder / "event.db"))
        assert not database.is_missing
        with pytest.raises(StoreError, match="unable to open database file: its folder must be there"):
            prepare(database)


@pytest.mark.parametrize(("driver", "given", "told"), refusals("database_failures"))
def test_every_failure_of_a_driver_says_whether_it_may_pass_and_what_to_do(
    driver: str, given: str, told: list[str]
) -> None:
    words, error, raised = "what it said", sqlite3.OperationalError("what it\n said"), RuntimeError()
    if driver == "sqlite":
        if given != "unknown":
            error.sqlite_errorcode = getattr(sqlite3, given)
        found = sqlite_failure("database x", error)
    elif driver == "postgresql":
        raised.sqlstate = given  # type: ignore[attr-defined] # as an error of psycopg has it
        found = postgres_failure("database x", words, raised, is_lost=False)
    else:
        words = given
        found = postgres_failure("database x", words, raised, is_lost=True)
    how = "may pass" if isinstance(found, StoreUnavailable) else "lasts"
    assert [how, str(found).removeprefix(f"database x: {words}").removeprefix(": ") or "nothing"] == told
