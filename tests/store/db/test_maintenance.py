"""Whether a database is sound, and the room it takes."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from tests.support.played_event import draw_event
from tourney.errors import StoreError
from tourney.store.db.database import Database
from tourney.store.db.maintenance import check_soundness
from tourney.store.db.schema import HEAD, prepare


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DROP TABLE alert_questions", "lacks table alert_questions"),
        ("ALTER TABLE tables DROP COLUMN doing", "lacks column tables.doing"),
        ("ALTER TABLE calls ADD COLUMN colour TEXT", "has, and should not, column calls.colour"),
        ("DROP INDEX ix_incidents_table_id", "lacks index ix_incidents_table_id"),
    ],
)
def test_a_schema_that_is_not_what_it_says_is_told(empty_database: Database, statement: str, what: str) -> None:
    prepare(empty_database)
    with empty_database.write() as connection:
        connection.execute(text(statement))
    with pytest.raises(StoreError) as caught:
        check_soundness(empty_database)
    message = str(caught.value)
    assert message.startswith(f"database {empty_database} is not as schema {HEAD} has it: it {what}")
    assert message.endswith(": put a backup in its place")
    assert "\n" not in message


def test_a_row_without_its_owner_is_told(sqlite_database: Database) -> None:
    with closing(sqlite3.connect(str(sqlite_database.file))) as connection, connection:
        connection.execute("INSERT INTO board_sets (id, event_id, name) VALUES (1, 99, '1.1')")
    with pytest.raises(StoreError) as caught:
        check_soundness(sqlite_database)
    assert str(caught.value) == (
        f"database {sqlite_database} is damaged: a row of table 'board_sets' refers to one of 'events' that is not "
        "there: put a backup in its place"
    )


def test_a_damaged_page_is_told_though_the_schema_can_be_read(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.play_all()
    database = played.database
    assert database.file is not None
    path = database.file
    database.close()
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'cards'").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)
    with pytest.raises(StoreError, match=f"^database {database} is damaged: [^\n]*: put a backup in its place$"):
        check_soundness(database)
    database.close()
    assert path.read_bytes() == data


def test_a_server_that_takes_no_writes_is_told(postgres_url: str) -> None:
    """As a standby does after a failover."""
    with closing(Database(postgres_url)) as database:
        prepare(database)
    url = make_url(postgres_url).update_query_dict({"options": "-c default_transaction_read_only=on"})
    standby = Database(url.render_as_string(hide_password=False))
    with closing(standby), pytest.raises(StoreError, match="cannot execute UPDATE in a read-only transaction"):
        check_soundness(standby)
