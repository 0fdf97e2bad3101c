"""What waits for the disk, and what does not."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, delete, update

from tests.support.audited import AuditedMatch, begin_match, passed_out, played
from tests.support.store_events import NOW_MS
from tourney.config import Durability
from tourney.errors import LeaseLost
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan, TableRecord
from tourney.store.control.hosts import HostInfo, add_host
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, CallRow, Host, ResultRow
from tourney.store.record import writer
from tourney.store.record.writer import Recorder


class WatchedDatabase(Database):
    """Notes which transactions were to be synced; it has no mark, as a server has none."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.synced: list[bool] = []

    @contextmanager
    def write(self, *, synced: bool = True) -> Iterator[Connection]:
        self.synced.append(synced)
        with super().write(synced=synced) as connection:
            yield connection

    def mark(self, connection: Connection) -> None:
        """Have every batch counted."""


class Written:
    """A match that one host plays, a transaction for each record."""

    def __init__(self, database: Database, durability: Durability = Durability.PROCESS) -> None:
        self.database = WatchedDatabase(database.address)
        self.match: AuditedMatch = begin_match(database)
        self.host: HostInfo = add_host(database, self.match.event.id, "the host", NOW_MS)
        self.recorder = Recorder(self.database, self.host, durability)

    def write(self, records: Iterable[TableRecord]) -> None:
        """Write each record in a transaction of its own."""
        for record in records:
            self.recorder.write([(self.match.ledgers[Room.OPEN], record)])

    def close(self) -> None:
        self.database.close()


@pytest.fixture
def written(sqlite_database: Database) -> Iterator[Written]:
    made = Written(sqlite_database)
    yield made
    made.close()


def settings_of(database: Database, *, synced: bool) -> Any:
    """What the database has been told about waiting for the disk, in a transaction."""
    asked = "PRAGMA synchronous" if database.is_sqlite else "SHOW synchronous_commit"
    with database.write(synced=synced) as connection:
        return connection.exec_driver_sql(asked).scalar_one()


def test_the_database_is_told_which_transactions_wait_for_the_disk(database: Database) -> None:
    found = [settings_of(database, synced=synced) for synced in (True, False, True, False)]
    # The tests' own server has synchronous_commit = off, which does not do.
    assert found == ([2, 1, 2, 1] if database.is_sqlite else ["on"] * 4)


def test_with_process_calls_and_cards_do_not_wait_and_the_end_of_a_board_does(written: Written) -> None:
    records = played(written.match.boards[0])
    written.write(records)
    assert written.database.synced == [*[False] * (len(records) - 1), True]


def test_with_process_a_batch_that_ends_a_board_is_synced_with_all_that_is_in_it(written: Written) -> None:
    one, two = written.match.boards[:2]
    ending = [(written.match.ledgers[Room.OPEN], record) for record in passed_out(one)]
    written.recorder.write([*ending, (written.match.ledgers[Room.CLOSED], BoardBegan(two.number, NOW_MS))])
    assert written.database.synced == [True]


def test_with_full_everything_waits_for_the_disk(database: Database) -> None:
    written = Written(database, Durability.FULL)
    records = played(written.match.boards[0])
    written.write(records)
    assert written.database.synced == [True] * len(records)
    written.close()


def test_the_disk_is_waited_for_after_so_many_transactions(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "UNSYNCED_MAX", 3)
    written.write(played(written.match.boards[0])[:10])
    assert written.database.synced == [False, False, False, True] * 2 + [False, False]


def test_a_database_that_was_set_back_is_written_to_no_more(written: Written) -> None:
    one, two = written.match.boards[:2]
    written.write(passed_out(one))
    with written.database.write() as connection:
        connection.execute(delete(CallRow))
        connection.execute(delete(ResultRow))
        connection.execute(delete(BoardAttempt))
        connection.execute(update(Host).values(written=0))
    with pytest.raises(LeaseLost, match="or the database was set back to a backup"):
        written.write(passed_out(two))
