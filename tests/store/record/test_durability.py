"""What waits for the disk, and what becomes of what did not when the server of the database has crashed."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, NullPool, create_engine, delete, select, update

from tests.support.audited import AuditedMatch, begin_match, forfeited, passed_out, played
from tests.support.store_events import NOW_MS, ports_from, save_event
from tests.support.transaction_pooler import transaction_pooler
from tourney.config import Durability
from tourney.errors import LeaseLost, StoreError
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan, CallMade, CardPlayed, TableRecord
from tourney.store.control.hosts import HostInfo, add_host
from tourney.store.control.table_state import assign_table
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, CallRow, CardRow, Event, Host, ResultRow
from tourney.store.record import writer
from tourney.store.record.writer import Recorder


class WatchedDatabase(Database):
    """Notes which transactions were to be synced; one that may lose some in a crash, as a server may."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.synced: list[bool] = []

    @contextmanager
    def write(self, *, synced: bool = True) -> Iterator[Connection]:
        self.synced.append(synced)
        with super().write(synced=synced) as connection:
            yield connection

    def mark(self, connection: Connection) -> None:
        """A server has none."""


class Written:
    """A match that one host plays, a transaction for each record."""

    def __init__(self, database: Database, durability: Durability = Durability.PROCESS) -> None:
        self.database = WatchedDatabase(database.address)
        self.match: AuditedMatch = begin_match(database)
        self.host: HostInfo = add_host(database, self.match.event.id, "the host", NOW_MS)
        self.recorder = Recorder(self.database, self.host, durability)

    def write(self, records: Iterable[TableRecord], room: Room = Room.OPEN) -> list[int]:
        """Write each record in a transaction of its own; returns how many were written again before it."""
        return [self.recorder.write([(self.match.ledgers[room], record)]) for record in records]

    def lose(self, batches: int, records: list[TableRecord]) -> None:
        """Have the newest batches, of these records, be gone, as after a crash of the database's server."""
        with self.database.write() as connection:
            connection.execute(update(Host).values(written=Host.written - batches))
            for record in reversed(records[len(records) - batches :]):
                assert isinstance(record, BoardBegan | CallMade | CardPlayed)
                model = {CallMade: CallRow, CardPlayed: CardRow, BoardBegan: BoardAttempt}[type(record)]
                key = {"board": record.board, "table_id": self.match.ledgers[Room.OPEN].table_id}
                seq = {} if isinstance(record, BoardBegan) else {"seq": record.seq}
                columns: Any = model.__table__.c  # of any of the three
                where = [columns[name] == value for name, value in (key | seq).items()]
                assert connection.execute(delete(model).where(*where)).rowcount == 1

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
    # The tests' own server has synchronous_commit = off, which does not do for what is to be synced.
    assert found == ([2, 1, 2, 1] if database.is_sqlite else ["on", "off", "on", "off"])


@pytest.fixture
def pooled_database(postgres_schema: Database) -> Iterator[Database]:
    """A database behind a pooler, which waits for its disk in a way of its own."""
    way = f"ALTER DATABASE {postgres_schema.url.database}"
    with postgres_schema.outside() as connection:
        connection.exec_driver_sql(f"{way} SET synchronous_commit = remote_write")
    with transaction_pooler(postgres_schema.url) as url:
        database = Database(url.render_as_string(hide_password=False))
        yield database
        database.close()
    with postgres_schema.outside() as connection:
        connection.exec_driver_sql(f"{way} RESET synchronous_commit")


def test_behind_a_pooler_each_transaction_says_whether_it_waits_and_no_other_client_is_told(
    pooled_database: Database,
) -> None:
    other = create_engine(pooled_database.url.set(drivername="postgresql+psycopg"), poolclass=NullPool)
    for _ in range(8):  # on either connection of the pooler, more often than until a statement is prepared
        found = [settings_of(pooled_database, synced=synced) for synced in (True, False, False, True)]
        assert found == ["remote_write", "off", "off", "remote_write"]
        with other.connect() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "remote_write"


def test_behind_a_pooler_one_client_may_read_only_and_others_write(pooled_database: Database) -> None:
    reader = Database(pooled_database.address, is_read_only=True)
    for _ in range(4):
        with pytest.raises(StoreError, match="read-only transaction"), reader.write() as connection:
            connection.exec_driver_sql("CREATE TABLE never (number INTEGER)")
        with reader.read() as connection:
            assert connection.exec_driver_sql("SHOW transaction_read_only").scalar_one() == "on"
        with pooled_database.write() as connection:
            connection.exec_driver_sql("CREATE TABLE made (number INTEGER)")
            connection.exec_driver_sql("DROP TABLE made")
    reader.close()


def test_what_is_not_synced_is_seen_by_everybody_at_once(database: Database) -> None:
    other = Database(database.address)
    save_event(database)
    with database.write(synced=False) as connection:
        connection.execute(update(Event).values(seed="77"))
    with other.read() as connection:
        assert connection.scalar(select(Event.seed)) == "77"
    other.close()


def test_with_process_calls_and_cards_do_not_wait_and_the_end_of_a_board_does(written: Written) -> None:
    records = played(written.match.boards[0])
    written.write(records)
    assert written.database.synced == [*[False] * (len(records) - 1), True]


def test_with_process_a_forfeit_waits_for_the_disk(written: Written) -> None:
    records = forfeited(written.match.boards[0])
    written.write(records)
    settled = [type(record).__name__ in ("Ruled", "BoardEnded") for record in records]
    assert written.database.synced == settled


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


def test_with_process_everything_waits_for_the_disk_on_postgresql(postgres_database: Database) -> None:
    written = Written(postgres_database)
    records = played(written.match.boards[0])
    written.write(records)
    assert written.database.synced == [True] * len(records)
    written.close()


def test_the_disk_is_waited_for_after_so_many_transactions(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "UNSYNCED_MAX", 3)
    written.write(played(written.match.boards[0])[:10])
    assert written.database.synced == [False, False, False, True] * 2 + [False, False]


@pytest.mark.parametrize("lost", [1, 2, 20, 30])
def test_what_a_crash_of_the_server_took_is_written_again_as_it_was(written: Written, lost: int) -> None:
    records = played(written.match.boards[0])
    written.write(records[:30])
    written.lose(lost, records[:30])
    assert written.write(records[30:]) == [lost, *[0] * (len(records) - 31)]
    found = written.match.verify()
    assert (found.findings, found.records) == ([], 1 + 5 + 52 + 1)


def test_what_was_lost_is_written_again_with_the_board_that_ends_then(written: Written) -> None:
    records = played(written.match.boards[0])
    written.write(records[:-1])
    written.lose(5, records[:-1])
    assert written.write(records[-1:]) == [5]
    assert written.match.findings() == []
    assert written.database.synced[-1]


def test_a_second_crash_takes_what_was_written_again_since_nothing_was_synced(written: Written) -> None:
    records = played(written.match.boards[0])
    written.write(records[:20])
    written.lose(10, records[:20])
    written.write(records[20:21])
    written.lose(15, records[:21])
    assert written.write(records[21:])[0] == 15
    assert written.match.findings() == []


def test_what_was_lost_at_a_table_that_another_host_has_by_now_stays_lost(written: Written) -> None:
    match, records = written.match, played(written.match.boards[0])
    written.write(records[:8])
    written.write(records[:4], Room.CLOSED)
    closed = match.ledgers[Room.CLOSED]
    with written.database.write() as connection:
        connection.execute(update(Host).values(written=Host.written - 6))
        connection.execute(delete(CardRow).where(CardRow.table_id != closed.table_id))
        connection.execute(delete(CallRow).where(CallRow.table_id == closed.table_id))
        connection.execute(delete(BoardAttempt).where(BoardAttempt.table_id == closed.table_id))
    assign_table(written.database, closed.table_id, "another", ports_from(3000), NOW_MS)
    with pytest.raises(LeaseLost) as met:
        written.write(records[8:9])
    assert met.value.attempts == {closed.table_id: closed.attempt}
    written.write(records[8:])
    found = match.verify()
    assert (found.findings, found.records) == ([], 1 + 5 + 52 + 1)


def test_a_database_set_back_to_before_what_was_synced_is_written_to_no_more(written: Written) -> None:
    one, two = written.match.boards[:2]
    written.write(passed_out(one))
    with written.database.write() as connection:
        connection.execute(delete(CallRow))
        connection.execute(delete(ResultRow))
        connection.execute(delete(BoardAttempt))
        connection.execute(update(Host).values(written=0))
    with pytest.raises(
        StoreError, match="transactions of this table host, though only 0 were not on its disk"
    ) as met:
        written.write(passed_out(two))
    assert not isinstance(met.value, LeaseLost)
