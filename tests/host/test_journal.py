"""The journal of a host: what is recorded before it is sent, where, and what happens while it cannot be."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import pytest

from tourney.bridge import Seat, parse_card
from tourney.errors import LeaseLost, StoreLocked, StoreUnavailable
from tourney.host.journal import TRANSITIONS, Journal, JournalEvent, JournalState
from tourney.protocol.session.effects import Effect, LogRemark
from tourney.protocol.session.orders import Stop, Suspend
from tourney.protocol.session.records import BoardBegan, CardPlayed
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import WorkerThread
from tourney.runtime.retry import Outage
from tourney.store.record.writer import TableLedger

T = TypeVar("T")

CARD: Effect = CardPlayed(
    board=1, seq=1, seat=Seat.NORTH, card=parse_card("AS"), thinking_ms=0, at_ms=0, substituted=False
)
BEGAN: Effect = BoardBegan(1, 0)
SENT: Effect = LogRemark(None, "what is sent")


class Disk(HostClock):
    """A recorder whose transactions take as long as the disk does, and the clock that goes on meanwhile."""

    def __init__(self, sync_ms: int) -> None:
        self.sync_ms = sync_ms
        self.time_ms = 0
        self.was_synced = True
        self.errors: list[Exception] = []
        self.batches: list[list[int]] = []
        """The tables of the records of each batch."""

    def now_ms(self) -> int:
        return self.time_ms

    def has_to_be_synced(self, records: object) -> bool:
        return self.was_synced

    def write(self, batch: list[tuple[TableLedger, object]]) -> None:
        self.time_ms += self.sync_ms
        if self.errors:
            raise self.errors.pop(0)
        self.batches.append([ledger.table_id for ledger, _ in batch])

    @contextmanager
    def probe(self) -> Iterator[None]:
        if self.errors:
            raise self.errors.pop(0)
        yield


class Thread(WorkerThread):
    """A thread that works when it is told to."""

    def __init__(self) -> None:
        super().__init__("record")
        self.work: list[Callable[[], None]] = []

    def do(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def do_work() -> None:
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 # passed on to the one that waits
                future.set_exception(error)

        self.work.append(do_work)
        return future


class Table:
    """Stands in for the manager of a table."""

    def __init__(self, number: int) -> None:
        self.ledger = TableLedger(number, 1)
        self.is_lost = self.is_suspended = False
        self.queued = 0
        self.late_timers: list[str] = []
        self.done: list[Effect] = []
        self.reason: str | None = None
        self.driver = self

    def carry_out(self, effects: list[Effect], now_ms: int) -> None:
        self.done += effects

    def take_order(self, order: Suspend) -> None:
        self.is_suspended = isinstance(order, Suspend)

    def end_suspension(self) -> None:
        self.is_suspended = False

    def revoke(self) -> None:
        self.is_lost = True

    def end_unrecorded(self, order: Stop) -> None:
        self.reason = order.reason


class Lease:
    """A lease that is held until it is said that it is not."""

    def __init__(self) -> None:
        self.lease_ms = 10_000
        self.held_until_ms = 10**12
        self.renewal_is_due = asyncio.Event()


class Room:
    """A journal and its tables."""

    def __init__(self, tables: int, sync_ms: int, start: Callable[[Any], object], *, is_sqlite: bool = True) -> None:
        self.disk, self.thread, self.lease = Disk(sync_ms), Thread(), Lease()
        self.tables = {number: Table(number) for number in range(1, tables + 1)}
        self.stopping = asyncio.Event()
        self.logged: list[str] = []
        database: Any = type("Database", (), {"write": self.disk.probe, "is_sqlite": is_sqlite})()
        self.journal = Journal(
            database,
            self.disk,
            cast(Any, self.tables),
            lambda _level, action, _text, **_: self.logged.append(action),
            stopping=self.stopping,
            writer=self.thread,
            slow_sync_ms=5,
        )
        outage = Outage(self.disk, 60)
        self.journal.open(cast(Any, self.disk), cast(Any, self.lease), outage, renew=self._renew, start=start)

    async def _renew(self) -> None:
        self.lease.held_until_ms = 10**12

    def submit(self, *effects: Effect, table: int = 1) -> None:
        self.journal.submit(cast(Any, self.tables[table]), list(effects), self.disk.now_ms())

    def slow_down(self) -> None:
        """Write until the disk counts as slow."""
        self.disk.sync_ms = 200
        while not self.journal.is_slow:
            self.submit(BEGAN)
            self.journal.flush()
        self.disk.batches.clear()
        for table in self.tables.values():
            table.done.clear()

    def is_in(self, state: JournalState) -> bool:
        return self.journal.state is state

    async def until_usable(self) -> None:
        while not self.journal.is_usable:
            while self.thread.work:  # it tries the database
                self.thread.work.pop()()
            await asyncio.sleep(0)

    async def write(self) -> None:
        """Have the thread do what it is given next."""
        await self.until(lambda: self.thread.work)
        self.thread.work.pop()()

    async def until(self, condition: Callable[[], object]) -> None:
        while not condition():  # noqa: ASYNC110 # of a test
            await asyncio.sleep(0)


@pytest.fixture
async def rooms() -> AsyncIterator[Callable[..., Room]]:
    async with asyncio.TaskGroup() as tasks:
        yield lambda tables, sync_ms, **of: Room(tables, sync_ms, tasks.create_task, **of)


Rooms = Callable[..., Room]


async def test_the_card_of_an_only_table_is_recorded_and_sent_at_once(rooms: Rooms) -> None:
    room = rooms(1, 1)
    room.submit(CARD, SENT)
    assert room.disk.batches == [[1]]
    assert room.tables[1].done == [CARD, SENT]
    assert room.is_in(JournalState.IDLE)


async def test_what_a_turn_brings_at_several_tables_is_one_batch(rooms: Rooms) -> None:
    room = rooms(3, 1)
    for table in (1, 2, 3):
        room.submit(CARD, SENT, table=table)
    room.submit(SENT, table=1)
    assert room.is_in(JournalState.DUE)
    assert room.journal.has_queued
    assert [table.done for table in room.tables.values()] == [[], [], []], "nothing is sent before it is on record"
    await asyncio.sleep(0)
    assert room.disk.batches == [[1, 2, 3]]
    assert room.tables[1].done == [CARD, SENT, SENT]
    assert room.is_in(JournalState.IDLE)
    assert not room.journal.has_queued


async def test_what_records_nothing_is_carried_out_at_once(rooms: Rooms) -> None:
    room = rooms(2, 1)
    room.submit(SENT)
    assert room.tables[1].done == [SENT]
    assert room.disk.batches == []


# The thread


async def test_one_transaction_that_takes_long_makes_no_disk_slow(rooms: Rooms) -> None:
    room = rooms(1, 1)
    for room.disk.sync_ms in (1, 1, 60, 1, 1, 1, 1):
        room.submit(CARD)
    assert len(room.disk.batches) == 7
    assert not room.thread.work


async def test_a_slow_disk_is_waited_for_in_the_thread_while_the_next_batch_gathers(rooms: Rooms) -> None:
    room = rooms(2, 1)
    room.slow_down()
    room.submit(CARD, SENT)
    await room.until(lambda: room.thread.work)
    assert room.is_in(JournalState.WRITING)
    room.submit(CARD, table=2)
    room.journal.flush()
    await asyncio.sleep(0)
    assert len(room.thread.work) == 1, "it is still at it, and gets nothing else to do"
    assert room.tables[1].done == []
    room.thread.work.pop()()
    await room.until(lambda: room.tables[1].done)
    await room.write()
    await room.until(lambda: room.is_in(JournalState.IDLE))
    assert room.disk.batches == [[1], [2]]


async def test_who_has_the_turn_comes_in_between_two_batches(rooms: Rooms) -> None:
    room = rooms(1, 1)
    room.slow_down()
    async with room.journal.turn:
        room.submit(CARD)
        await asyncio.sleep(0)
        assert not room.thread.work
        flushing = asyncio.create_task(room.journal.flush_now())
        await room.write()
        assert await flushing
        assert room.tables[1].done == [CARD]
    await room.until(lambda: room.is_in(JournalState.IDLE))
    assert not room.thread.work


@pytest.mark.parametrize("was_synced", [True, False])
async def test_the_loop_never_waits_for_a_server_however_quick_it_is(rooms: Rooms, was_synced: bool) -> None:
    room = rooms(1, 0, is_sqlite=False)
    room.disk.was_synced = was_synced
    room.submit(CARD)
    await room.until(lambda: room.thread.work)
    room.submit(SENT)
    assert (room.disk.batches, room.tables[1].done) == ([], [])
    room.thread.work.pop()()
    async with room.journal.turn:
        assert await room.journal.flush_now()
    assert (room.disk.batches, room.tables[1].done) == ([[1]], [CARD, SENT])
    await room.until(lambda: room.is_in(JournalState.IDLE))


async def test_what_need_not_be_synced_is_written_in_the_loop_on_any_disk(rooms: Rooms) -> None:
    room = rooms(1, 1)
    room.slow_down()
    room.disk.was_synced = False
    room.submit(CARD)
    assert room.tables[1].done == [CARD]
    assert not room.thread.work


async def test_the_next_batch_waits_a_moment_for_as_many_answers_as_were_let_out(rooms: Rooms) -> None:
    room = rooms(3, 1)
    room.slow_down()
    for table in (1, 2):
        room.submit(CARD, table=table)
    await room.write()
    await room.until(lambda: room.is_in(JournalState.IDLE))
    room.submit(CARD, table=2)
    for _ in range(10):
        await asyncio.sleep(0)
    assert not room.thread.work, "the other has yet to answer"
    room.submit(CARD, table=1)
    await room.write()
    await room.until(lambda: room.is_in(JournalState.IDLE))
    assert room.disk.batches == [[1, 2], [2, 1]]
    room.submit(CARD, table=2)
    await room.write()  # nobody else answers, and a part of a transaction's time is over


# Failures


async def test_in_an_outage_tables_wait_and_what_may_be_on_record_is_the_next_batch(rooms: Rooms) -> None:
    room = rooms(2, 1)
    room.disk.errors = [StoreUnavailable("gone"), StoreUnavailable("still gone")]
    room.submit(CARD, SENT, table=1)
    room.journal.flush()
    room.submit(CARD, table=2)
    assert not room.journal.is_usable
    assert [table.is_suspended for table in room.tables.values()] == [True, True]
    assert not await room.journal.flush_now()
    assert room.tables[1].done == []
    await room.until_usable()
    assert room.disk.batches == [[1], [2]]
    assert room.tables[1].done == [CARD, SENT]
    assert room.logged == ["outage_began", "outage_ended"]
    assert not room.tables[1].is_suspended


async def test_what_the_thread_could_not_write_is_an_outage(rooms: Rooms) -> None:
    room = rooms(1, 1)
    room.slow_down()
    room.disk.errors = [StoreUnavailable("the disk is full")]
    room.submit(CARD)
    await room.write()
    await room.until(lambda: room.is_in(JournalState.OUTAGE))
    await room.until_usable()
    assert room.tables[1].done == [CARD]


@pytest.mark.parametrize(("lease_ms", "tries"), [(3000, 8), (10_000, 25), (600_000, 25)])
async def test_tables_that_wait_for_a_lock_are_told_so_within_5_s_and_half_a_lease(
    rooms: Rooms, lease_ms: int, tries: int
) -> None:
    room = rooms(1, 1)
    room.slow_down()  # every try takes 200 ms
    room.lease.lease_ms = lease_ms
    room.disk.errors = [StoreLocked("database is locked")] * tries
    room.submit(CARD)
    await room.write()
    await room.until(lambda: room.is_in(JournalState.OUTAGE))
    assert room.disk.errors == []
    assert room.logged == ["outage_began"]
    await room.until_usable()
    assert room.tables[1].done == [CARD]


async def test_what_a_lost_table_has_left_is_dropped_though_the_table_has_ended(rooms: Rooms) -> None:
    room = rooms(2, 1)
    room.disk.errors = [LeaseLost("table 1 is another's", {1: 1})]
    room.submit(CARD)
    ended = room.tables.pop(1)
    await asyncio.sleep(0)
    assert ended.is_lost
    assert not room.journal.has_queued


async def test_a_table_that_the_host_has_taken_up_again_is_not_lost_with_its_earlier_attempt(rooms: Rooms) -> None:
    room = rooms(2, 1)
    room.disk.errors = [LeaseLost("table 1 was another's", {1: 1})]
    room.submit(CARD)
    ended = room.tables[1]
    again = room.tables[1] = type(ended)(1)
    again.ledger.attempt = 3
    await asyncio.sleep(0)
    assert ended.is_lost
    assert not again.is_lost


async def test_a_bug_of_ours_while_writing_closes_the_journal_with_a_sentence(rooms: Rooms) -> None:
    room = rooms(1, 1)
    room.disk.errors = [ValueError("a bug")]
    room.submit(CARD)
    assert str(room.journal.error) == "an error of ours while writing the record: ValueError('a bug')"
    assert room.logged == ["record_broken"]


# Transitions


def test_every_state_is_reached_and_left_by_some_event() -> None:
    targets = {target for _, target in TRANSITIONS.values()}
    sources = {source for those, _ in TRANSITIONS.values() for source in those}
    assert targets == sources == set(JournalState)
    assert TRANSITIONS.keys() == set(JournalEvent)


async def test_a_transition_that_there_is_not_is_an_error_that_names_event_and_state(rooms: Rooms) -> None:
    room = rooms(1, 1)
    with pytest.raises(RuntimeError, match=r"^event AVAILABLE \(.*\) in state IDLE of the journal$"):
        room.journal._move(JournalEvent.AVAILABLE)
