"""The journal of a host: what its tables put on record goes through here, and only then is any of it sent.

**The rule.** A table hands over the effects of what has happened to it, in order. Records among them are on record,
and with `durability = "full"` on the disk, before anything that comes after them is carried out. So a process that is
killed loses nothing that anybody was shown. What a table hands over while earlier effects of it wait, waits too.

**One transaction for a turn.** All that one turn of the loop produces, at all tables, is one batch, written in one
transaction at the end of the turn (`Recorder`). A call or card at a host's only table is written at once: nobody
else's can come in this turn. A batch is written wholly or not at all. One whose end was not heard of may be on
record; it stays the batch to write next, less the tables that are lost, and the recorder finds out by its number.

**Where it is written.** What goes to a server is written in a thread. In a file, a transaction that need not wait for
the disk takes some hundredths of a millisecond, and is written in the loop. So is one that does, as long as they take
less than `SLOW_SYNC_MS` on average, unless another process holds the lock of an SQLite file: to hand a batch to a
thread and to hear of its end takes some tenths of a millisecond. On a slower disk the thread writes, while the loop
reads lines, answers requests and collects the next batch. 16 tables on a disk of 5 ms played 27 boards a second with
the thread and 16 without, on a disk of 2 ms 36 and 40 (`results/bench/PROFILE.md`). An SQLite file has one writer,
and SQLite's lock knows no queue: who uses it beside the thread takes the `turn`, so that each comes in between two
batches.

**States**, and what leads from one to the next (`TRANSITIONS`; anything else is an error that names both):

- `IDLE`: nothing waits.
- `DUE`: what waits is written at the end of this turn of the loop, or once the lease is renewed.
- `WRITING`: the thread has a batch, or is about to get one. What comes meanwhile is the next batch.
- `OUTAGE`: the database cannot be used. Tables are suspended, so that no time limit applies; effects wait in order.
  It is tried again and again, and the host ends once that has lasted too long.
- `CLOSED`: nothing goes on record any more, and so nothing is sent: the tables were released.

**Whose tables they are.** Nothing is carried out, not even what records nothing, when the lease has run out: after a
long sleep the table may be another host's. Of a table that another host has, what waits is dropped without a word.
"""

import asyncio
import enum
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from tourney.errors import LeaseLost, StoreError, StoreLocked, StoreUnavailable
from tourney.host.lease import HostLease
from tourney.host.manager import TableManager
from tourney.protocol.session.effects import Effect
from tourney.protocol.session.orders import Stop, Suspend
from tourney.protocol.session.records import Recorded, RecordedAction
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import WorkerThread
from tourney.runtime.retry import Outage, retry
from tourney.store.db.database import SLOW_MS, Database
from tourney.store.record.writer import Recorder, Records

SLOW_SYNC_MS: Final = 5
"""A disk on which a transaction takes so long on average is slow.

On a quicker one, a host of many tables plays no more boards with a thread than without.
"""

_GATHER_SHARE: Final = 0.2
"""The part of a transaction's time for which the next one waits for answers to what the last has let out.

Otherwise tables that answer at once fall into two halves that write by turns, and each call or card waits for the
transactions of both.
"""

_NEWEST_SHARE: Final = 1 / 16
"""What the newest transaction counts in the average: one that happens to take long makes no disk slow."""

LOCK_WAIT_MS: Final = 5000
"""How long the thread waits for the lock of an SQLite file that others hold, try after try, before the tables wait.

Nobody waits for it but the tables that the batch is of, and the host's lease, which is not renewed meanwhile: it is
never more than half of that.
"""

_TURN_S: Final = 0.12
"""The pause after a transaction that took long: others look for the lock of a file every tenth of a second."""

_Result = TypeVar("_Result")


class JournalState(enum.StrEnum):
    """What the journal is about; what each means is said above."""

    IDLE = "idle"
    DUE = "due"
    WRITING = "writing"
    OUTAGE = "outage"
    CLOSED = "closed"


class JournalEvent(enum.StrEnum):
    """What changes its state."""

    QUEUED = "effects wait"
    HANDED_OVER = "the thread is to write"
    WRITTEN = "nothing waits any more"
    UNAVAILABLE = "the database cannot be used"
    AVAILABLE = "the database can be used again"
    FAILED = "nothing can go on record any more"


_IDLE, _DUE, _WRITING, _OUTAGE, _CLOSED = JournalState
_IN_LOOP: Final = (_IDLE, _DUE)
"""The states in which nothing is with the thread, and the loop may write."""

TRANSITIONS: Final[Mapping[JournalEvent, tuple[tuple[JournalState, ...], JournalState]]] = {
    JournalEvent.QUEUED: ((_IDLE,), _DUE),
    JournalEvent.HANDED_OVER: (_IN_LOOP, _WRITING),
    JournalEvent.WRITTEN: ((_DUE, _WRITING), _IDLE),
    JournalEvent.UNAVAILABLE: ((*_IN_LOOP, _WRITING), _OUTAGE),
    JournalEvent.AVAILABLE: ((_OUTAGE,), _IDLE),
    JournalEvent.FAILED: (tuple(JournalState), _CLOSED),
}
"""From which states an event leads to which."""


class Journal:
    """Puts the effects of all tables of one host on record, and has them carried out; all is called in the loop."""

    def __init__(
        self,
        database: Database,
        clock: HostClock,
        tables: Mapping[int, TableManager],
        log: Callable[..., None],
        *,
        stopping: asyncio.Event,
        writer: WorkerThread,
        slow_sync_ms: float = SLOW_SYNC_MS,
    ) -> None:
        """Prepare a journal; `open` comes before the first table.

        Args:
            database: holds the record.
            clock: the host's.
            tables: its tables, by id.
            log: logs what concerns the host: level, action, sentence, fields.
            stopping: set where the host is to end; the journal sets it when nothing can go on record any more.
            writer: writes where the disk is slow, and tries an unavailable database.
            slow_sync_ms: how long a transaction that is synced takes, on average, on a disk that is slow.
        """
        self.state = _IDLE
        self.error: StoreError | None = None
        """Why it is closed."""
        self.turn = asyncio.Lock()
        """Held by whoever uses the database beside the thread, or is the thread."""
        self._database = database
        self._clock = clock
        self._tables = tables
        self._log = log
        self._stopping = stopping
        self._writer = writer
        self._queue: list[tuple[TableManager, list[Effect]]] = []
        self._batch: list[tuple[TableManager, list[Effect]]] = []
        """What is being written, and may or may not be on record; the queue comes after it."""
        self._is_usable = asyncio.Event()
        """Set but in an outage, for those who wait for its end."""
        self._is_usable.set()
        self._slow_sync_ms = slow_sync_ms
        self._last_ms = 0
        """How long the last transaction took that was synced."""
        self._sync_ms = 0.0
        """The average of those."""
        self._answers_wanted = 0
        """On a slow disk, for how many tables' answers the next batch waits a moment."""
        self._answers_until_s = 0.0
        self._are_answered = asyncio.Event()

    def open(
        self,
        recorder: Recorder,
        lease: HostLease,
        outage: Outage,
        *,
        renew: Callable[[], Awaitable[None]],
        start: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        """Begin with nothing to write.

        Args:
            recorder: writes a batch, in whichever thread.
            lease: that of the host, which has to be held.
            outage: how long the database has been away.
            renew: renews the lease, or raises StoreError.
            start: starts a task of the host's.
        """
        self.recorder = recorder
        self._lease = lease
        self._outage = outage
        self._renew = renew
        self._start = start

    @property
    def is_slow(self) -> bool:
        """Whether what has to be synced goes to the thread."""
        return not self._database.is_sqlite or self._sync_ms >= self._slow_sync_ms

    @property
    def has_queued(self) -> bool:
        """Whether calls, cards or other effects of tables wait for the record."""
        return bool(self._queue or self._batch)

    @property
    def is_usable(self) -> bool:
        """Whether there is no outage."""
        return self.state is not _OUTAGE

    def _move(self, event: JournalEvent) -> None:
        """Change the state.

        Raises:
            RuntimeError: there is no such transition.
        """
        sources, target = TRANSITIONS[event]
        if self.state not in sources:
            raise RuntimeError(f"event {event.name} ({event}) in state {self.state.name} of the journal")
        self.state = target
        (self._is_usable.clear if target is _OUTAGE else self._is_usable.set)()

    # Effects of tables

    def submit(self, table: TableManager, effects: list[Effect], now_ms: int) -> None:
        """Carry out the effects of a table: at once, or when what is to be recorded is on record."""
        if not effects or table.is_lost or self.error is not None:
            return
        is_action = False
        for effect in effects:
            if isinstance(effect, Recorded):
                is_action = isinstance(effect, RecordedAction)
                break
        else:
            if not table.queued and self.state is not _OUTAGE and now_ms < self._lease.held_until_ms:
                table.driver.carry_out(effects, now_ms)
                return
        table.queued += 1
        self._queue.append((table, effects))
        if self.state is _IDLE:
            if is_action and len(self._tables) == 1:
                self.flush(now_ms)
            else:
                self._move(JournalEvent.QUEUED)
                asyncio.get_running_loop().call_soon(self.flush)
        elif self.state is _WRITING and len(self._queue) >= self._answers_wanted:
            self._are_answered.set()

    def flush(self, now_ms: int | None = None) -> None:
        """Record and carry out what waits; if the thread is at work, it goes on with it by itself."""
        if self.state not in _IN_LOOP or not (self._queue or self._batch):
            return
        if now_ms is None:
            now_ms = self._clock.now_ms()
        if now_ms >= self._lease.held_until_ms:
            if self.state is _IDLE:
                self._move(JournalEvent.QUEUED)
            self._lease.renewal_is_due.set()  # it is gone on with once the lease is renewed
        elif self._is_for_thread():
            self._move(JournalEvent.HANDED_OVER)
            self._start(self._write_in_thread())
        else:
            self._write_in_loop(now_ms)

    def _is_for_thread(self) -> bool:
        """Return whether what waits is written in the thread: the loop waits neither for a server nor a slow disk."""
        if not self._database.is_sqlite:
            return True
        return self._sync_ms >= self._slow_sync_ms and self.recorder.has_to_be_synced(self._records())

    async def flush_now(self) -> bool:
        """Record and carry out all that waits before anything else is done, for whoever has the turn.

        Returns:
            Whether that is done. Otherwise it has to wait: for the end of an outage, or for the lease.
        """
        if self.is_usable and self.error is None and self.has_queued:
            now_ms = self._clock.now_ms()
            if now_ms >= self._lease.held_until_ms:
                self._lease.renewal_is_due.set()
            elif self._is_for_thread():
                await self._write_in_turn()
            else:
                self._write_in_loop(now_ms)
        return self.is_usable and self.error is None and not self.has_queued

    def _write_in_loop(self, now_ms: int) -> None:
        """Write all that waits, or have the thread wait where others hold the lock of an SQLite file."""
        try:
            self._write_all(now_ms)
        except StoreLocked:
            if self.state in _IN_LOOP:
                self._move(JournalEvent.HANDED_OVER)
                self._start(self._write_in_thread())
        except StoreError as error:
            self.handle(error)

    def _write_all(self, now_ms: int) -> None:
        """Write batch after batch in the loop, from this moment on.

        Raises:
            StoreError: the batch that is left could not be written.
        """
        while self._batch or self._queue:
            if not self._batch:
                self._batch, self._queue = self._queue, []
            while records := self._records():
                try:
                    now_ms = self._write(records, now_ms)
                except LeaseLost as error:
                    self.lose(error)
                else:
                    break
            self._carry_out(now_ms)
        if self.state is _DUE:
            self._move(JournalEvent.WRITTEN)

    def _records(self) -> Records:
        """Return the records of the batch to be written next, less those of tables that are lost."""
        records: Records = []
        for table, effects in self._batch or self._queue:
            if not table.is_lost:
                for effect in effects:
                    if isinstance(effect, Recorded):
                        records.append((table.ledger, effect))  # in the loop's own frame
        return records

    def _carry_out(self, now_ms: int) -> None:
        """Carry out the batch: it is on record, and has been since a moment ago."""
        done, self._batch = self._batch, []
        for number, (table, effects) in enumerate(done):
            table.queued -= 1
            if not table.is_lost:
                table.driver.carry_out(effects, self._clock.now_ms() if number else now_ms)
                if table.late_timers:
                    table.run_late_timers()

    def _write(self, records: Records, began_ms: int) -> int:
        """Write a batch, in whichever thread; return when it was written.

        Raises:
            StoreError: as `Recorder.write`.
        """
        try:
            self.recorder.write(records)
        except StoreError:
            raise
        except Exception as error:  # a bug of ours: players must not be left waiting
            self._log(logging.ERROR, "record_broken", "the record could not be written", error=error)
            raise StoreError(f"an error of ours while writing the record: {error!r}") from error
        now_ms = self._clock.now_ms()
        if self.recorder.was_synced:
            self._last_ms = now_ms - began_ms
            self._sync_ms += (self._last_ms - self._sync_ms) * _NEWEST_SHARE
        return now_ms

    # The thread

    async def _write_in_thread(self) -> None:
        """Write batch after batch in the thread, with turns of others in between."""
        try:
            while self.state is _WRITING and self.has_queued:
                await self._gather()
                async with self.turn:
                    if self._clock.now_ms() < self._lease.held_until_ms:
                        if self.state is _WRITING:
                            await self._write_batch_in_thread()
                        continue
                self._lease.renewal_is_due.set()
                await asyncio.sleep(_TURN_S)
        except StoreError as error:
            self.handle(error)
        if self.state is _WRITING:
            self._move(JournalEvent.WRITTEN)

    async def _write_in_turn(self) -> None:
        """Write batch after batch in the thread, for whoever has the turn."""
        is_ours = self.state in _IN_LOOP
        if is_ours:
            self._move(JournalEvent.HANDED_OVER)
        try:
            while self.has_queued:
                await self._write_batch_in_thread()
        except StoreError as error:
            self.handle(error)
        if is_ours and self.state is _WRITING:
            self._move(JournalEvent.WRITTEN)

    async def _write_batch_in_thread(self) -> None:
        """Write a batch, and carry it out.

        Raises:
            StoreError: it could not be written.
        """
        if not self._batch:
            self._batch, self._queue = self._queue, []
        while records := self._records():
            try:
                await self._writer.do(partial(self._write_patiently, records))
            except LeaseLost as error:
                self.lose(error)
            else:
                break
        self._answers_wanted = len(self._batch)
        self._are_answered.clear()
        gather_s = _GATHER_SHARE * self._sync_ms / 1000 if self.recorder.was_synced else 0.0
        self._answers_until_s = asyncio.get_running_loop().time() + gather_s
        self._carry_out(self._clock.now_ms())

    async def _gather(self) -> None:
        """Wait a moment for answers to what has been relayed last, each from another table."""
        if self.is_slow and len(self._queue) < self._answers_wanted and not self._batch:
            timer = asyncio.get_running_loop().call_at(self._answers_until_s, self._are_answered.set)
            await self._are_answered.wait()
            timer.cancel()

    def _write_patiently(self, records: Records) -> None:
        self._wait_for_lock(lambda: self._write(records, self._clock.now_ms()))
        if self._last_ms >= SLOW_MS:
            time.sleep(_TURN_S)

    def _wait_for_lock(self, work: Callable[[], _Result]) -> _Result:
        """Do something, in a thread, once nobody else has the lock of an SQLite file."""
        until_ms = self._clock.now_ms() + min(LOCK_WAIT_MS, self._lease.lease_ms // 2)
        while True:
            try:
                return work()
            except StoreLocked:
                if self._clock.now_ms() >= until_ms:
                    raise

    # Errors of the record, and the ends of tables

    def handle(self, error: StoreError) -> None:
        """Do what an error of the record leads to: tables are lost, or wait, or all are released."""
        if isinstance(error, LeaseLost):
            self.lose(error)
        elif isinstance(error, StoreUnavailable):
            self.begin_outage(error)
        else:
            self.fail(error)

    def lose(self, error: LeaseLost) -> None:
        """Release tables at which our attempt has ended; a host that was declared dead releases all, and ends."""
        # A table that has ended may still have something in the batch.
        for table in [*self._tables.values(), *(table for table, _ in self._batch)]:
            table_id = table.ledger.table_id
            if not table.is_lost and error.ends(table_id, table.ledger.attempt):
                text = f"table {table_id} has been given to another host and is released"
                self._log(logging.WARNING, "table_lost", text, table=table_id)
                table.revoke()
        if error.is_of_host:
            self.fail(error)

    def fail(self, error: StoreError) -> None:
        """Release every table: without a record nothing may be sent."""
        if self.error is None:
            self.error = error
            self._queue.clear()
            self._batch.clear()
            for table in list(self._tables.values()):
                if not table.is_lost:
                    table.end_unrecorded(Stop(str(error)))
        self._stopping.set()
        self._move(JournalEvent.FAILED)  # whoever waits for the database finds the error

    # Outages of the database

    def begin_outage(self, error: StoreUnavailable) -> None:
        """Suspend the tables until the database can be used again; queued effects keep their order."""
        if self.state is _OUTAGE or self.error is not None:
            return
        if self._stopping.is_set():
            self.fail(error)
            return
        self._outage.begin()
        self._move(JournalEvent.UNAVAILABLE)
        for table in self._tables.values():
            table.take_order(Suspend())
        self._log(logging.WARNING, "outage_began", f"{error}; the tables wait")
        self._start(self._outlast(error))

    async def _outlast(self, error: StoreUnavailable) -> None:
        try:
            await self._outage.wait(error)
            await retry(self._try_again, self._outage.wait)
        except StoreError as lasting:
            self.fail(lasting)
            return
        away_ms = self._outage.end()
        if self.error is None and away_ms is not None:
            self._move(JournalEvent.AVAILABLE)
            text = f"the database can be used again after {away_ms / 1000:.1f} s; the tables go on"
            self._log(logging.WARNING, "outage_ended", text, away_ms=away_ms)
            for table in self._tables.values():
                table.end_suspension()

    async def _try_again(self) -> None:
        """Write what waits once a thread, so as not to block the loop, has found that the database answers."""
        await self._writer.do(partial(self._wait_for_lock, self._probe_database))
        # At once: where others hold the lock most of the time, the next moment without one may be long in coming.
        await self._renew()
        async with self.turn:
            if self._database.is_sqlite:
                self._write_all(self._clock.now_ms())
            while self.has_queued:
                await self._write_batch_in_thread()

    def _probe_database(self) -> None:
        with self._database.write():
            pass

    async def when_usable(self, work: Callable[[], _Result]) -> _Result:
        """Run a function on the database, in the thread, as soon as it can be used.

        Raises:
            StoreError: the database cannot be used, for good.
        """

        async def work_when_usable() -> _Result:
            await self.wait_until_usable()
            async with self.turn:
                if self.error is not None:
                    raise self.error
                return await self._writer.do(partial(self._wait_for_lock, work))

        async def begin_outage(error: StoreUnavailable) -> None:
            if self.error is not None:
                raise self.error  # it may itself be a StoreUnavailable, but is no reason to retry
            self.begin_outage(error)

        return await retry(work_when_usable, begin_outage)

    async def wait_until_usable(self) -> None:
        """Wait for the end of an outage, whatever it is."""
        await self._is_usable.wait()

    def close(self) -> None:
        """Wait for the thread; the outcome of its batch is nobody's any more."""
        self._writer.close(waits=True)
