"""The journal of a host: what is recorded before it is sent, where, and what happens while it cannot be."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import pytest

from tests.support.conversation import steps_of
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
EFFECTS = {"CARD": CARD, "SENT": LogRemark(None, "what is sent")}
ERRORS: dict[str, Exception] = {
    "Unavailable": StoreUnavailable("gone"),
    "Locked": StoreLocked("database is locked"),
    "Lost": LeaseLost("table 1 is another's", {1: 1}),
    "Bug": ValueError("a bug"),
}


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

    async def converse(self, script: str) -> None:
        """Check what becomes of records; the steps, where a number is that of a table:

        1 2 submit CARD SENT        that is to be done there, and on record before
        the disk takes 60 ms, the disk is slow; what comes need not be synced
        the disk fails 2 times: Unavailable
        turns 10                    the loop goes on
        flush, flush now -> True    flush now meanwhile; someone has the turn, the turn is given back
        the thread works            what it is given next
        work -> 1                   how much it has been given
        comes to IDLE; state -> IDLE; it is usable again
        batches -> 1 2 -> 1         the tables of the records of each
        done 1 -> CARD SENT
        queued -> False
        suspended -> 1 2; logged -> outage_began
        """
        for step in steps_of(script):
            step.check([str(told) for told in await self._take(*step.what.split()) or []])

    async def _take(self, *words: str) -> Iterable[object] | None:  # noqa: PLR0912 # a case for each step
        match words:
            case [*_, "submit" | "submits", _] | [*_, "submit" | "submits", _, _]:
                at = next(at for at, word in enumerate(words) if word.startswith("submit"))
                for number in words[:at]:
                    effects = [EFFECTS[name] for name in words[at + 1 :]]
                    self.journal.submit(cast(Any, self.tables[int(number)]), effects, self.disk.now_ms())
            case ["the", "disk", "takes", ms, "ms"]:
                self.disk.sync_ms = int(ms)
            case ["the", "disk", "is", "slow"]:
                self.slow_down()
            case ["what", "comes", "need", "not", "be", "synced"]:
                self.disk.was_synced = False
            case ["the", "disk", "fails", times, "times:", error]:
                self.disk.errors = [ERRORS[error] for _ in range(int(times))]
            case ["turns", number]:
                for _ in range(int(number)):
                    await asyncio.sleep(0)
            case ["flush"]:
                self.journal.flush()
            case ["flush", "now"]:
                return [await self.journal.flush_now()]
            case ["flush", "now", "meanwhile"]:
                self.flushing = asyncio.create_task(self.journal.flush_now())
            case ["it", "is", "flushed"]:
                return [await self.flushing]
            case ["someone", "has", "the", "turn"]:
                await self.journal.turn.acquire()
            case ["the", "turn", "is", "given", "back"]:
                self.journal.turn.release()
            case ["the", "thread", "works"]:
                await self._until(lambda: self.thread.work)
                self.thread.work.pop()()
            case ["work"]:
                return [len(self.thread.work)]
            case ["work", "comes"]:
                await self._until(lambda: self.thread.work)
            case ["comes", "to", state]:
                await self._until(lambda: self.journal.state.name == state)
            case ["state"]:
                return [self.journal.state.name]
            case ["it", "is", "usable", "again"]:
                while not self.journal.is_usable:
                    while self.thread.work:  # it tries the database
                        self.thread.work.pop()()
                    await asyncio.sleep(0)
            case ["batches"]:
                return [" ".join(map(str, batch)) for batch in self.disk.batches]
            case ["done", table]:
                names = {id(effect): name for name, effect in EFFECTS.items()}
                done = self.tables[int(table)].done
                return [" ".join(names[id(effect)] for effect in done)] if done else []
            case ["queued"]:
                return [self.journal.has_queued]
            case ["suspended"]:
                return [number for number, table in self.tables.items() if table.is_suspended]
            case ["logged"]:
                return self.logged
            case _:
                raise AssertionError(words)
        return None

    def slow_down(self) -> None:
        """Write until the disk counts as slow."""
        self.disk.sync_ms = 200
        while not self.journal.is_slow:
            self.journal.submit(cast(Any, self.tables[1]), [BEGAN], self.disk.now_ms())
            self.journal.flush()
        self.disk.batches.clear()
        for table in self.tables.values():
            table.done.clear()

    async def _until(self, condition: Callable[[], object]) -> None:
        while not condition():  # noqa: ASYNC110 # of a test
            await asyncio.sleep(0)


@pytest.fixture
async def rooms() -> AsyncIterator[Callable[..., Room]]:
    async with asyncio.TaskGroup() as tasks:
        yield lambda tables, sync_ms, **of: Room(tables, sync_ms, tasks.create_task, **of)


Rooms = Callable[..., Room]


async def test_the_card_of_an_only_table_is_recorded_and_sent_at_once(rooms: Rooms) -> None:
    await rooms(1, 1).converse("""
        1 submits CARD SENT
        batches -> 1
        done 1 -> CARD SENT
        state -> IDLE
    """)


async def test_what_a_turn_brings_at_several_tables_is_one_batch(rooms: Rooms) -> None:
    await rooms(3, 1).converse("""
        1 2 3 submit CARD SENT
        1 submits SENT
        state -> DUE
        queued -> True
        # Nothing is sent before it is on record.
        done 1 -> nothing
        done 3 -> nothing
        turns 1
        batches -> 1 2 3
        done 1 -> CARD SENT SENT
        state -> IDLE
        queued -> False
    """)


async def test_what_records_nothing_is_carried_out_at_once(rooms: Rooms) -> None:
    await rooms(2, 1).converse("1 submits SENT\ndone 1 -> SENT\nbatches -> nothing")


# The thread


async def test_one_transaction_that_takes_long_makes_no_disk_slow(rooms: Rooms) -> None:
    card = "1 submits CARD\n"
    await rooms(1, 1).converse(f"""
        {2 * card}
        the disk takes 60 ms
        {card}
        the disk takes 1 ms
        {4 * card}
        batches -> 1 -> 1 -> 1 -> 1 -> 1 -> 1 -> 1
        work -> 0
    """)


async def test_a_slow_disk_is_waited_for_in_the_thread_while_the_next_batch_gathers(rooms: Rooms) -> None:
    await rooms(2, 1).converse("""
        the disk is slow
        1 submits CARD SENT
        work comes
        state -> WRITING
        2 submits CARD
        flush
        turns 1
        # It is still at it, and gets nothing else to do.
        work -> 1
        done 1 -> nothing
        the thread works
        work comes
        done 1 -> CARD SENT
        the thread works
        comes to IDLE
        batches -> 1 -> 2
    """)


async def test_who_has_the_turn_comes_in_between_two_batches(rooms: Rooms) -> None:
    await rooms(1, 1).converse("""
        the disk is slow
        someone has the turn
        1 submits CARD
        turns 1
        work -> 0
        flush now meanwhile
        the thread works
        it is flushed -> True
        done 1 -> CARD
        the turn is given back
        comes to IDLE
        work -> 0
    """)


@pytest.mark.parametrize("synced", ["", "what comes need not be synced"])
async def test_the_loop_never_waits_for_a_server_however_quick_it_is(rooms: Rooms, synced: str) -> None:
    await rooms(1, 0, is_sqlite=False).converse(f"""
        {synced}
        1 submits CARD
        work comes
        1 submits SENT
        batches -> nothing
        done 1 -> nothing
        the thread works
        someone has the turn
        flush now -> True
        the turn is given back
        batches -> 1
        done 1 -> CARD SENT
        comes to IDLE
    """)


async def test_what_need_not_be_synced_is_written_in_the_loop_on_any_disk(rooms: Rooms) -> None:
    await rooms(1, 1).converse("""
        the disk is slow
        what comes need not be synced
        1 submits CARD
        done 1 -> CARD
        work -> 0
    """)


async def test_the_next_batch_waits_a_moment_for_as_many_answers_as_were_let_out(rooms: Rooms) -> None:
    await rooms(3, 1).converse("""
        the disk is slow
        1 2 submit CARD
        the thread works
        comes to IDLE
        2 submits CARD
        turns 10
        # The other has yet to answer.
        work -> 0
        1 submits CARD
        the thread works
        comes to IDLE
        batches -> 1 2 -> 2 1
        2 submits CARD
        # Nobody else answers, and a part of a transaction's time is over.
        the thread works
    """)


# Failures


async def test_in_an_outage_tables_wait_and_what_may_be_on_record_is_the_next_batch(rooms: Rooms) -> None:
    await rooms(2, 1).converse("""
        the disk fails 2 times: Unavailable
        1 submits CARD SENT
        flush
        2 submits CARD
        state -> OUTAGE
        suspended -> 1 -> 2
        flush now -> False
        done 1 -> nothing
        it is usable again
        batches -> 1 -> 2
        done 1 -> CARD SENT
        logged -> outage_began -> outage_ended
        suspended -> nothing
    """)


async def test_what_the_thread_could_not_write_is_an_outage(rooms: Rooms) -> None:
    await rooms(1, 1).converse("""
        the disk is slow
        the disk fails 1 times: Unavailable
        1 submits CARD
        the thread works
        comes to OUTAGE
        it is usable again
        done 1 -> CARD
    """)


@pytest.mark.parametrize(("lease_ms", "tries"), [(3000, 8), (10_000, 25), (600_000, 25)])
async def test_tables_that_wait_for_a_lock_are_told_so_within_5_s_and_half_a_lease(
    rooms: Rooms, lease_ms: int, tries: int
) -> None:
    room = rooms(1, 1)
    room.lease.lease_ms = lease_ms
    await room.converse(f"""
        # Every try takes 200 ms.
        the disk is slow
        the disk fails {tries} times: Locked
        1 submits CARD
        the thread works
        comes to OUTAGE
        logged -> outage_began
    """)
    assert room.disk.errors == []
    await room.converse("it is usable again\ndone 1 -> CARD")


async def test_what_a_lost_table_has_left_is_dropped_though_the_table_has_ended(rooms: Rooms) -> None:
    room = rooms(2, 1)
    await room.converse("the disk fails 1 times: Lost\n1 submits CARD")
    ended = room.tables.pop(1)
    await room.converse("turns 1\nqueued -> False")
    assert ended.is_lost


async def test_a_table_that_the_host_has_taken_up_again_is_not_lost_with_its_earlier_attempt(rooms: Rooms) -> None:
    room = rooms(2, 1)
    await room.converse("the disk fails 1 times: Lost\n1 submits CARD")
    ended = room.tables[1]
    again = room.tables[1] = type(ended)(1)
    again.ledger.attempt = 3
    await room.converse("turns 1")
    assert ended.is_lost
    assert not again.is_lost


async def test_a_bug_of_ours_while_writing_closes_the_journal_with_a_sentence(rooms: Rooms) -> None:
    room = rooms(1, 1)
    await room.converse("the disk fails 1 times: Bug\n1 submits CARD\nlogged -> record_broken")
    assert str(room.journal.error) == "an error of ours while writing the record: ValueError('a bug')"


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
