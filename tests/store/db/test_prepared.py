"""Statements of the record path, on SQLite and on PostgreSQL."""

import pytest
from sqlalchemy import bindparam, func, insert, select, update

from tests.support.store_events import save_event
from tourney.errors import StoreError
from tourney.store.db.database import Database
from tourney.store.db.queries import Prepared
from tourney.store.draw.objects import EventInfo
from tourney.store.models import DealRow

ADD = Prepared(insert(DealRow), ("id", "event_id", "hands"))
RENAME = Prepared(
    update(DealRow).where(DealRow.id == bindparam("which")).values(hands=bindparam("new")), ("new", "which")
)
FIND = Prepared(select(DealRow.id, DealRow.hands).where(DealRow.id >= bindparam("first")), ("first",))


@pytest.fixture
def event(database: Database) -> EventInfo:
    return save_event(database)


def test_values_go_in_by_place_and_rows_come_out(database: Database, event: EventInfo) -> None:
    with database.write() as connection:
        ADD.run_many(connection, [(9001, event.id, "N:one"), (9002, event.id, "it's ? %s :two")])
        assert RENAME.run(connection, ("N:new", 9001)).rowcount == 1
        assert RENAME.run(connection, ("N:new", 9003)).rowcount == 0
    with database.read() as connection:
        rows = {row[0]: row[1] for row in FIND.run(connection, (9000,))}
    assert rows == {9001: "N:new", 9002: "it's ? %s :two"}


def test_what_the_database_refuses_is_said_in_a_sentence_and_undone(database: Database, event: EventInfo) -> None:
    def add_twice() -> None:
        with database.write() as connection:
            ADD.run_many(connection, [(9001, event.id, "N:one")])
            ADD.run_many(connection, [(9001, event.id, "N:two")])

    with pytest.raises(StoreError, match=r"^database .*(UNIQUE|unique)") as caught:
        add_twice()
    assert "\n" not in str(caught.value)
    with database.read() as connection:
        assert connection.scalar(select(func.count()).where(DealRow.id == 9001)) == 0
