"""What a host may still write is looked up whenever anybody else has written, and only then."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, delete, select, update

from tests.support.audited import AuditedMatch, begin_match, passed_out, played
from tests.support.store_events import NOW_MS, ports_from
from tourney.config import Durability
from tourney.errors import LeaseLost
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan, TableRecord
from tourney.store.control.hosts import HostInfo, add_host, end_host
from tourney.store.control.table_state import assign_table, check_attempts
from tourney.store.db.database import Database
from tourney.store.db.queries import Runner
from tourney.store.models import BoardAttempt, CallRow, Host, ResultRow
from tourney.store.record import writer
from tourney.store.record.writer import Recorder


class Fenced:
    """A table of a match whose host has begun a board, and how often it has looked whether the table is still its."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database = database
        self.match: AuditedMatch = begin_match(database)
        self.host: HostInfo = add_host(database, self.match.event.id, "the host", NOW_MS)
        self.ledger = self.match.ledgers[Room.OPEN]
        self.looks = 0
        self.recorder = Recorder(database, self.host, Durability.FULL)

        def count(runner: Runner, attempts: Mapping[int, int]) -> None:
            self.looks += 1
            check_attempts(runner, attempts)

        monkeypatch.setattr(writer, "check_attempts", count)
        self.records = played(self.match.boards[0])
        self.write(*self.records[:3])

    def write(self, *records: TableRecord, of: Room = Room.OPEN) -> int:
        """Write each record in a batch of its own; returns for how many of them it was looked."""
        before = self.looks
        for record in records:
            self.recorder.write([(self.match.ledgers[of], record)])
        return self.looks - before

    def counted(self) -> int:
        with self.database.read() as connection:
            return connection.execute(select(Host.written).where(Host.id == self.host.id)).scalar_one()


@pytest.fixture
def alone(database: Database, monkeypatch: pytest.MonkeyPatch) -> Fenced:
    return Fenced(database, monkeypatch)


def others(database: Database) -> list[Database]:
    """The ways in which somebody else may write: over our connections, as a lobby does, and over others."""
    return [database, Database(database.address)]


def test_nobody_looks_twice_at_a_file_in_which_nobody_else_has_written(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = Fenced(sqlite_database, monkeypatch)
    assert alone.write(*alone.records[3:20]) == 0
    assert alone.counted() == 1, "of the calls and cards since the board began none is counted"


def test_a_server_is_asked_each_time(postgres_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Fenced(postgres_database, monkeypatch)  # unlike a file, it does not tell whether anybody has written
    assert alone.write(*alone.records[3:20]) == 17
    assert alone.counted() == 20


def test_a_table_that_was_not_looked_up_yet_is_looked_up_with_its_first_batch(alone: Fenced) -> None:
    assert alone.write(alone.records[0], of=Room.CLOSED) == 1
    assert alone.write(alone.records[3]) == (not alone.database.is_sqlite)


@pytest.mark.parametrize("who", [0, 1], ids=["over our connection", "over another"])
@pytest.mark.parametrize("harm", ["another host has the table", "the host is declared dead"])
def test_what_anybody_else_has_written_is_seen_by_the_next_batch(alone: Fenced, who: int, harm: str) -> None:
    other = others(alone.database)[who]
    acts: dict[str, Callable[[], object]] = {
        "another host has the table": lambda: assign_table(
            other, alone.ledger.table_id, "another", ports_from(3000), NOW_MS
        ),
        "the host is declared dead": lambda: end_host(other, alone.host, "silent", NOW_MS),
    }
    before = alone.write(alone.records[3])
    acts[harm]()
    for _ in range(2):
        with pytest.raises(LeaseLost):
            alone.write(alone.records[4])
    assert before == (not alone.database.is_sqlite)
    other.close()


def test_after_others_have_written_the_next_batch_is_counted_and_no_more(alone: Fenced) -> None:
    alone.write(alone.records[3])
    add_host(alone.database, alone.match.event.id, "another", NOW_MS)
    assert alone.write(*alone.records[4:6]) == (1 if alone.database.is_sqlite else 2)
    assert alone.counted() == (5 if alone.database.is_sqlite else 6)


# What waits for the disk, and what does not


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
