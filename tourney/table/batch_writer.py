"""Puts batches on record, one after the other: in the loop or, where the disk is slow, in a thread beside it.

While a slow disk syncs, the loop reads lines, answers requests, and collects the next batch. For a quick one it may
as well wait: to hand a batch to a thread and to hear of its end takes some tenths of a millisecond.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Final

from tourney.errors import StoreLocked
from tourney.protocol.session.records import TableRecord
from tourney.store.db.delays import SLOW_MS
from tourney.store.record.writer import Recorder, TableLedger
from tourney.table.clock import HostClock

SLOW_SYNC_MS: Final = 5
"""A disk on which a transaction takes so long on average is slow.

On a quicker one, a host of many tables plays no more boards with a thread than without.
"""

_GATHER_SHARE: Final = 0.2
"""The part of a transaction's time for which the next one waits for answers to what the last has let out."""

_NEWEST_SHARE: Final = 1 / 16
"""What the newest transaction counts in the average: one that happens to take long makes no disk slow."""

LOCK_WAIT_MS: Final = 5000
"""How long the thread waits for the lock of an SQLite file that others hold, try after try.

Nobody waits for it but the tables that the batch is of. It is half of the usual `lease_s`, within which the host has
to renew its lease.
"""

_TURN_S: Final = 0.12
"""The pause after a transaction that took long: others look for the lock of a file every tenth of a second."""

Batch = list[tuple[TableLedger, TableRecord]]


class BatchWriter:
    """Writes the batches of one host. All methods are called in the loop."""

    def __init__(
        self,
        recorder: Recorder,
        clock: HostClock,
        executor: Executor,
        slow_sync_ms: float,
        on_written: Callable[[], object],
    ) -> None:
        """Prepare to write.

        Args:
            recorder: writes a batch, in whichever thread.
            clock: measures how long that takes.
            executor: has one thread.
            slow_sync_ms: how long a transaction that is synced takes, on average, where batches go to the thread.
            on_written: called in the loop when the thread has ended, and `write` has the outcome; likewise when the
                next batch need not wait for more answers.
        """
        self.recorder = recorder
        self._clock = clock
        self._executor = executor
        self._slow_sync_ms = slow_sync_ms
        self._on_written = on_written
        self._sync_ms = 0.0
        """The average time of transactions that were synced."""
        self.is_slow = self._sync_ms >= slow_sync_ms
        """Whether the disk is one for which batches go to the thread."""
        self._in_thread: Future[int] | None = None
        self._gathering: asyncio.TimerHandle | None = None
        """Ends the wait for answers."""
        self._answers_wanted = 0

    @property
    def is_busy(self) -> bool:
        """Whether a thread has been given a batch whose outcome `write` has not returned yet."""
        return self._in_thread is not None

    def write(self, batch: Batch, *, blocking: bool) -> int | None:
        """Write a batch, or return what came of the one that the thread was given before, which `batch` is then.

        Args:
            batch: the records.
            blocking: wait for the outcome.

        Returns:
            What `Recorder.write` returns; None while the thread is at work.

        Raises:
            StoreError: as `Recorder.write`.
        """
        if self._in_thread is not None:
            if not blocking and not self._in_thread.done():
                return None
            written, self._in_thread = self._in_thread, None
            return written.result()
        if blocking or not self.is_slow or not self.recorder.has_to_be_synced(batch):
            return self._write(batch)
        loop = asyncio.get_running_loop()
        self._in_thread = self._executor.submit(self._write_patiently, batch)
        self._in_thread.add_done_callback(lambda _: loop.call_soon_threadsafe(self._on_written))
        return None

    def gather(self, answers: int) -> None:
        """On a slow disk, have the next batch wait a moment for answers to what has been relayed.

        Otherwise tables that answer at once fall into two halves that write by turns, and each call or card waits for
        the transactions of both.

        Args:
            answers: how many are enough, each from another table.
        """
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        if self.is_slow and self.recorder.was_synced:
            self._answers_wanted = answers
            delay_s = _GATHER_SHARE * self._sync_ms / 1000
            self._gathering = asyncio.get_running_loop().call_later(delay_s, self._end_gathering)

    def is_gathering(self, answers: int) -> bool:
        """Return whether the next batch, of so many answers, had better wait; `on_written` is called at the end."""
        return self._gathering is not None and answers < self._answers_wanted

    def _end_gathering(self) -> None:
        self._gathering = None
        self._on_written()

    def _write_patiently(self, batch: Batch) -> int:
        began_ms = self._clock.now_ms()
        while True:
            tried_ms = self._clock.now_ms()
            try:
                written_again = self._write(batch)
            except StoreLocked:
                if self._clock.now_ms() - began_ms >= LOCK_WAIT_MS:
                    raise
                continue
            if self._clock.now_ms() - tried_ms >= SLOW_MS:
                time.sleep(_TURN_S)
            return written_again

    def _write(self, batch: Batch) -> int:
        began_ms = self._clock.now_ms()
        written_again = self.recorder.write(batch)
        if self.recorder.was_synced:
            taken_ms = self._clock.now_ms() - began_ms
            self._sync_ms += (taken_ms - self._sync_ms) * _NEWEST_SHARE
            self.is_slow = self._sync_ms >= self._slow_sync_ms
        return written_again

    def close(self) -> None:
        """Wait for the thread; the outcome of its batch is nobody's any more."""
        if self._gathering is not None:
            self._gathering.cancel()
        self._executor.shutdown()
