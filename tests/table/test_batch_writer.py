"""Where batches are written: in the loop, or in a thread where the disk is slow."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar, cast

import pytest

from tourney.errors import StoreUnavailable
from tourney.protocol.session.records import BoardBegan
from tourney.store.record.writer import Recorder, TableLedger
from tourney.table.batch_writer import Batch, BatchWriter
from tourney.table.clock import HostClock

T = TypeVar("T")

BATCH: Batch = [(TableLedger(1, 1), BoardBegan(1, 0))]


class Disk(Recorder, HostClock):
    """A recorder whose transactions take as long as the disk does, and the clock that goes on meanwhile."""

    def __init__(self, sync_ms: int) -> None:
        self.sync_ms = sync_ms
        self.time_ms = 0
        self.was_synced = True
        self.error: Exception | None = None

    def now_ms(self) -> int:
        return self.time_ms

    def has_to_be_synced(self, records: object) -> bool:
        return True

    def write(self, batch: object) -> int:
        self.time_ms += self.sync_ms
        if self.error is not None:
            raise self.error
        return 0


class Thread(Executor):
    """A thread that works when it is told to."""

    def __init__(self) -> None:
        self.work: list[Callable[[], None]] = []

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()

        def work() -> None:
            try:
                future.set_result(fn(*args, **kwargs))
            except Exception as error:  # noqa: BLE001 # whoever waits gets it
                future.set_exception(error)

        self.work.append(work)
        return future


def writer_for(disk: Disk, thread: Thread, on_written: Callable[[], object] = lambda: None) -> BatchWriter:
    return BatchWriter(cast(Recorder, disk), disk, thread, 5, on_written)


async def test_a_quick_disk_is_waited_for_in_the_loop() -> None:
    thread = Thread()
    writer = writer_for(Disk(1), thread)
    assert [writer.write(BATCH, blocking=False) for _ in range(100)] == [0] * 100
    assert not thread.work


async def test_a_slow_disk_is_waited_for_in_the_thread_and_its_end_is_told_in_the_loop() -> None:
    thread, told = Thread(), asyncio.Event()
    writer = writer_for(Disk(9), thread, told.set)
    while writer.write(BATCH, blocking=False) is not None:
        assert not thread.work
    assert writer.is_busy
    assert writer.write(BATCH, blocking=False) is None, "it is still at it, and gets nothing else to do"
    assert len(thread.work) == 1
    thread.work.pop()()
    await told.wait()
    assert writer.write(BATCH, blocking=False) == 0
    assert not writer.is_busy


async def test_one_transaction_that_takes_long_makes_no_disk_slow() -> None:
    thread, disk = Thread(), Disk(1)
    writer = writer_for(disk, thread)
    for disk.sync_ms in (1, 1, 60, 1, 1, 1, 1):
        assert writer.write(BATCH, blocking=False) == 0
    assert not thread.work


async def test_what_the_thread_could_not_write_is_raised_in_the_loop() -> None:
    thread, disk = Thread(), Disk(9)
    writer = writer_for(disk, thread)
    while writer.write(BATCH, blocking=False) is not None:
        pass
    disk.error = StoreUnavailable("the disk is full")
    thread.work.pop()()
    with pytest.raises(StoreUnavailable, match="the disk is full"):
        writer.write(BATCH, blocking=False)
    assert not writer.is_busy


async def test_on_a_slow_disk_the_next_batch_waits_for_as_many_answers_or_a_part_of_a_transaction() -> None:
    ended = asyncio.Event()
    writer = writer_for(Disk(200), Thread(), ended.set)
    while writer.write(BATCH, blocking=False) is not None:
        writer.gather(2)
    assert writer.is_gathering(0)
    assert writer.is_gathering(1)
    assert not writer.is_gathering(2), "as many as were relayed to"
    async with asyncio.timeout(5):
        await ended.wait()
    assert not writer.is_gathering(0), "others take their time"


async def test_a_quick_disk_waits_for_no_answers() -> None:
    writer = writer_for(Disk(1), Thread())
    assert writer.write(BATCH, blocking=False) == 0
    writer.gather(2)
    assert not writer.is_gathering(0)


async def test_what_need_not_be_synced_makes_the_next_batch_wait_for_no_answers() -> None:
    disk = Disk(200)
    writer = writer_for(disk, Thread())
    while writer.write(BATCH, blocking=False) is not None:
        pass
    disk.was_synced = False
    writer.gather(2)
    assert not writer.is_gathering(0)
