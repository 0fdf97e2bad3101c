"""What a host may still write is looked up whenever anybody else has written, and only then."""

from collections.abc import Callable, Mapping

import pytest
from sqlalchemy import select

from tests.support.audited import AuditedMatch, begin_match, played
from tests.support.store_events import NOW_MS, ports_from
from tourney.config import Durability
from tourney.errors import LeaseLost
from tourney.movement.seating import Room
from tourney.protocol.session.records import TableRecord
from tourney.store.control.hosts import HostInfo, add_host, end_host
from tourney.store.control.table_state import assign_table, check_attempts
from tourney.store.db.database import Database
from tourney.store.db.queries import Runner
from tourney.store.models import Host
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
