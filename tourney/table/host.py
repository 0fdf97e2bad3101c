"""A table host: one process, one event loop, many Table Managers, one writer.

Everything that one turn of the loop produces goes on record in one transaction; then, and only then, is it sent.
While the database cannot be used, it all waits in order. A table that has been given to another host is released.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from tourney.config import LogPlace
from tourney.errors import LaunchError, LeaseLost, StoreError, StoreLocked, StoreUnavailable
from tourney.launch.launcher import this_process
from tourney.protocol.access import TeamAccess
from tourney.protocol.session.effects import Effect, Record
from tourney.protocol.session.records import CallMade, CardPlayed, TableRecord
from tourney.store.control.host_settings import HostSettings
from tourney.store.control.hosts import HostRenewal
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.orders import load_holds
from tourney.store.control.table_state import set_table_ports, set_table_state, take_table
from tourney.store.control.tables import TableJob, assigned_tables, load_finished_tables, load_job
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_team_names
from tourney.store.models import OrderKind, TableState
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.event_results import is_played
from tourney.table.batch_writer import LOCK_WAIT_MS, SLOW_SYNC_MS, BatchWriter
from tourney.table.clock import HostClock
from tourney.table.doors import HostDoors
from tourney.table.gateway import Gateway
from tourney.table.lease import HostLease
from tourney.table.log_archive import LogArchive
from tourney.table.manager import TableManager
from tourney.table.orders import TableOrders
from tourney.table.ports import Listen, listen
from tourney.table.retry import Outage, retry
from tourney.table.runtime import GarbageCollector
from tourney.table.seat_links import HostSeats
from tourney.table.wire_log import list_logs, pack_logs

_LOGGER: Final = logging.getLogger(__name__)

POLL_S: Final = 0.1
"""Interval at which a host looks for tables assigned to it; each look reads a few rows."""

STOPPED: Final = "the run was stopped"

InThread: TypeAlias = Callable[[Callable[[], None]], Awaitable[None]]
"""Runs a slow function off the event loop: `asyncio.to_thread`, or a substitute in simulations."""

T = TypeVar("T")

ENTRANTS_MS: Final = 1000
"""How long the teams that may say `HELLO` at the event's port count as loaded: a thousand clients may come at once,
and one may say it as often as it likes."""


class TableHost:
    """Plays every table that the database assigns to `name`, until it is told to stop or nobody needs it."""

    def __init__(
        self,
        database: Database,
        name: str,
        load_settings: Callable[[], HostSettings],
        *,
        clock: HostClock | None = None,
        listen: Listen = listen,
        process: ProcessIdentity | None = None,
        in_thread: InThread = asyncio.to_thread,
        executor: Executor | None = None,
        heartbeat_executor: Executor | None = None,
        slow_sync_ms: float = SLOW_SYNC_MS,
        seats: HostSeats | None = None,
        address: str | None = None,
    ) -> None:
        """Prepare a host.

        Args:
            database: holds its tables and their record; the host was added to it under this name.
            name: the name of the host.
            load_settings: loads the settings from the event file, again for each table.
            clock: the machine's clock by default.
            listen: opens the ports.
            process: the process that goes on record; this one by default.
            in_thread: retries an unavailable database without blocking the loop.
            executor: writes batches beside the loop where the disk is slow; a thread by default.
            heartbeat_executor: renews the lease beside the loop; a thread by default.
            slow_sync_ms: how long a transaction takes on a disk that is slow.
            seats: where its tables offer their empty seats, if not at the event's port.
            address: where players find its tables, if not where the event file says.
        """
        self.name = name
        self._database = database
        self._load_settings = load_settings
        self._clock = clock if clock is not None else HostClock()
        self._listen = listen
        self._address = address
        self._process = process if process is not None else this_process()
        self._in_thread = in_thread
        self._executor = executor if executor is not None else ThreadPoolExecutor(1, "record")
        self._heartbeats = (
            heartbeat_executor if heartbeat_executor is not None else ThreadPoolExecutor(1, "heartbeat")
        )
        self._is_renewing = False
        """Whether a thread is renewing the lease."""
        self._renewal_is_due = asyncio.Event()
        """Whether the lease has run out, and something waits for it."""
        self._slow_sync_ms = slow_sync_ms
        self._managers: dict[int, TableManager] = {}
        self._taking: set[int] = set()
        self._pending: list[tuple[TableManager, list[Effect]]] = []
        self._writing: list[tuple[TableManager, list[Effect]]] = []
        """A batch that may or may not be on record; pending effects come after it."""
        self._flush_is_due = False
        self._look_is_due = False
        """Whether a look at the record waits for the thread that writes."""
        self._is_looking = False
        self._seats = seats
        """The empty seats for clients of the event's port; None without one."""
        self._orders = TableOrders(database, name, self._clock, self._managers, self._flush_now)
        self._collector = GarbageCollector()
        self._doors = HostDoors(self._clock)
        self._stopping = asyncio.Event()
        self._usable = asyncio.Event()
        """Whether the database can be used."""
        self._usable.set()
        self._error: StoreError | None = None

    async def run(self) -> None:
        """Work until `stop` is called, or until no run has been heard from for too long and no board is in progress.

        Raises:
            StoreError: the database cannot be used, or the host was declared dead; every table has been released
                with its current board unfinished.
        """
        settings = self._load_settings()
        self._outage = Outage(self._clock, settings.outage_s)
        self._lease = await self._join(settings)
        recorder = Recorder(self._database, self._lease.host, self._lease.durability)
        self._writer = BatchWriter(recorder, self._clock, self._executor, self._slow_sync_ms, self._flush)
        self._log(logging.INFO, "host_started", f"table host {self.name} is at work")
        async with asyncio.TaskGroup() as services:
            renewing = services.create_task(self._keep_lease())
            self._archive = self._open_archive(settings)
            if self._archive is not None:
                services.create_task(self._hand_in_left(self._archive))
            elif settings.compress_wire_log:
                services.create_task(self._pack_left_logs(settings))
            gateway = self._open_gateway(settings, services)
            self._clock.watch_standstills()
            async with asyncio.TaskGroup() as self._tasks:
                while not self._stopping.is_set():
                    self._clock.now_ms()  # often enough to notice when this process stands still
                    if self._writer.is_busy:
                        # The thread has the lock of an SQLite file, or waits for it, and the loop should not: what is
                        # looked for is looked for between two batches.
                        self._look_is_due = True
                    else:
                        await self._look()
                    try:
                        async with asyncio.timeout(POLL_S):
                            await self._stopping.wait()
                    except TimeoutError:
                        continue
            # All players have left their tables by now.
            if gateway is not None:
                gateway.stop(is_over=self._is_event_over())
            renewing.cancel()
        self._heartbeats.shutdown(wait=False)
        self._flush_now()
        self._writer.close()
        reason = str(self._error or self._lease.why_ending or "it was told to stop")
        self._lease.leave(reason, self._clock.now_ms())
        self._log(logging.INFO, "host_ended", reason)
        if self._archive is not None and self._error is None:
            await self._hand_in_left(self._archive)
        if self._error is not None:
            raise self._error

    async def _join(self, settings: HostSettings) -> HostLease:
        """Put on record that this process is the host, as soon as the database can be used."""

        async def join() -> HostLease:
            return HostLease(self._database, self.name, self._process, settings, self._clock.now_ms(), self._address)

        async def wait(error: StoreUnavailable) -> None:
            if self._stopping.is_set():
                raise error
            if self._outage.begin():
                self._log(logging.WARNING, "outage_began", f"{error}; the host waits before it begins")
            await self._outage.wait(error)

        lease = await retry(join, wait)
        self._outage.end()
        return lease

    def _open_gateway(self, settings: HostSettings, services: asyncio.TaskGroup) -> Gateway | None:
        """Connect this host with the event's port for the stateful-server protocol, if it has one."""
        if settings.stateful.port is None:
            return None
        self._seats = HostSeats()

        entrants: dict[str, TeamAccess] = {}
        loaded_ms = -ENTRANTS_MS

        def load_entrants() -> dict[str, TeamAccess]:
            nonlocal loaded_ms
            now_ms = self._clock.now_ms()
            if now_ms - loaded_ms < ENTRANTS_MS:
                return entrants
            loaded_ms = now_ms
            try:
                entrances = self._load_settings().entrances
                names = load_team_names(self._database, self._lease.host.event_id)
            except StoreError:
                return entrants  # as they were: the tables wait for the database too
            entrants.update({name: entrances.get(name, TeamAccess()) for name in names})
            return entrants

        gateway = Gateway(settings, self._seats, self._clock, load_entrants, self._doors)
        services.create_task(gateway.run())
        return gateway

    def _is_event_over(self) -> bool:
        """Return whether nothing of the event is left to play; clients wait for what is."""
        try:
            return is_played(self._database, self._lease.host.event_id)
        except StoreError:
            return False

    async def _look(self) -> None:
        """Look for new tables and orders, and report the status of tables."""
        self._is_looking = True
        try:
            if self._usable.is_set():
                await self._look_at_record()
        except LeaseLost as error:
            self._lose(error)
        except StoreUnavailable as error:
            self._begin_outage(error)
        except StoreError as error:
            self._fail(error)
        finally:
            self._is_looking = False
        self._flush()

    async def _look_at_record(self) -> None:
        if self._lease.why_ending is None:
            for table_id in assigned_tables(self._database, self.name):
                if table_id not in self._taking:
                    self._tasks.create_task(self._play_table(table_id))
                    await asyncio.sleep(0)  # let the task take the table before the next look
        elif not self._taking:
            self._stopping.set()
        self._orders.act_on_orders()
        await self._orders.tell_doing()

    def stop(self) -> None:
        """Leave every table to another host, which goes on with the board in play; `run` returns when all is done."""
        self._stopping.set()
        is_usable = self._usable.is_set()
        for manager in list(self._managers.values()):
            manager.interrupt(STOPPED, can_record=is_usable)
        if not is_usable:
            self._fail(StoreUnavailable(f"{STOPPED} while the database could not be used"))

    @property
    def tables(self) -> dict[int, TableManager]:
        """The tables that it plays, by id."""
        return dict(self._managers)

    @property
    def is_recording(self) -> bool:
        """Whether calls, cards or other effects of tables wait for the record."""
        return bool(self._pending or self._writing)

    def submit(self, manager: TableManager, effects: list[Effect]) -> None:
        """Carry out the effects of a table: at once, or when what is to be recorded is on record.

        Records of several tables share a transaction at the end of this turn of the loop. Where there is only one
        table, nobody else's call or card can come in this turn, and none waits for its end.
        """
        if not effects or manager.is_lost or self._error is not None:
            return
        is_action = False
        for effect in effects:
            if isinstance(effect, Record):
                is_action = isinstance(effect.record, CallMade | CardPlayed)
                break
        else:
            now_ms = self._clock.now_ms()
            if self._lease.is_held(now_ms) and not manager.queued and not manager.is_suspended:
                self._relay(manager, effects, now_ms)
                return
        manager.queued += 1
        self._pending.append((manager, effects))
        if is_action and len(self._managers) == 1:
            self._flush()
        elif not self._flush_is_due:
            self._flush_is_due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush_now(self) -> bool:
        """Record first, then relay, before anything else is done; return False when the database cannot be used."""
        return self._flush(blocking=True)

    def _flush(self, *, blocking: bool = False) -> bool:
        """Record first, then relay; return False when that must wait."""
        self._flush_is_due = False
        if self._error is not None or not self._usable.is_set():
            return False
        try:
            self._flush_all(blocking=blocking)
        except StoreUnavailable as error:
            self._begin_outage(error)
            return False
        except StoreError as error:
            self._fail(error)
        return self._error is None

    def _flush_all(self, *, blocking: bool) -> None:
        """Record and relay everything that is queued, unless a thread is at work: it is gone on with at its end."""
        if self._error is not None:
            return
        # After a long sleep not even unrecorded lines may be sent: the table may belong to another host by now.
        if not self._lease.is_held(self._clock.now_ms()):
            if not blocking:
                self._renewal_is_due.set()  # it is gone on with once the lease is renewed
                return
            now_ms, attempts = self._clock.now_ms(), self._attempts
            self._take_renewal(self._lease.send_heartbeat(attempts, now_ms), attempts, now_ms)
        while self._writing or self._pending:
            if not self._writing:
                if self._writer.is_slow and self._writer.is_gathering(len(self._pending)) and not blocking:
                    return
                if (self._is_looking or self._is_renewing) and self._writer.is_slow and not blocking:
                    return  # a file has one writer: with one batch after the other, nobody else would have its turn
                if self._look_is_due and not blocking:
                    self._look_is_due, self._is_looking = False, True
                    self._tasks.create_task(self._look())
                    return
                self._writing, self._pending = self._pending, []
            if not self._is_written(blocking=blocking):
                return
            done, self._writing = self._writing, []
            self._carry_out(done)
            if self._writer.is_slow:
                self._writer.gather(len(done))

    def _is_written(self, *, blocking: bool) -> bool:
        """Write the records of what is being written; return False if a thread is still at it."""
        while True:
            batch: list[tuple[TableLedger, TableRecord]] = []
            for manager, effects in self._writing:
                if not manager.is_lost:
                    for effect in effects:
                        if isinstance(effect, Record):
                            batch.append((manager.ledger, effect.record))  # noqa: PERF401 # in the loop's own frame
            if not batch and not self._writer.is_busy:
                return True
            try:
                again = self._writer.write(batch, blocking=blocking)
            except LeaseLost as error:
                self._lose(error)
                if self._error is not None:
                    return True
            except StoreError:
                raise
            except Exception as error:  # a bug of ours: players must not be left waiting
                self._log(logging.ERROR, "record_broken", "the record could not be written", error=error)
                raise StoreError(f"an error of ours while writing the record: {error!r}") from error
            else:
                if again:
                    text = f"the database has crashed: {again} transactions that it had lost are on record again"
                    self._log(logging.WARNING, "written_again", text, transactions=again)
                return again is not None

    def _carry_out(self, done: list[tuple[TableManager, list[Effect]]]) -> None:
        for manager, effects in done:
            manager.queued -= 1
            if not manager.is_lost:
                self._relay(manager, effects, self._clock.now_ms())

    def _relay(self, manager: TableManager, effects: list[Effect], now_ms: int) -> None:
        try:
            manager.carry_out(effects, now_ms)
        except Exception as error:  # noqa: BLE001 # a bug of ours in one table must not end its neighbours
            manager.break_off(error)

    def _fail(self, error: StoreError) -> None:
        """Release every table: without a record nothing may be relayed."""
        if self._error is None:
            self._error = error
            self._pending.clear()
            for manager in list(self._managers.values()):
                if not manager.is_lost:
                    manager.dismiss(str(error))
        self._stopping.set()
        self._usable.set()  # wake the waiters, which find the error

    # The lease

    @property
    def _attempts(self) -> dict[int, int]:
        """The attempt number of each table, by table id."""
        return {table_id: manager.ledger.attempt for table_id, manager in self._managers.items()}

    async def _keep_lease(self) -> None:
        """Renew the lease again and again, until cancelled, in a thread beside everything else."""
        while self._error is None:
            if not self._renewal_is_due.is_set() and not self._lease.is_due(self._clock.now_ms()):
                with suppress(
                    TimeoutError
                ):  # no longer: the clock goes on while the machine sleeps, and timers do not
                    async with asyncio.timeout(POLL_S):
                        await self._renewal_is_due.wait()
                continue
            self._renewal_is_due.clear()
            await self._usable.wait()
            try:
                await self._renew_lease()
            except StoreLocked as error:
                # Others write, or our own thread waits for the disk. While the lease lasts, no table waits for it.
                if not self._lease.is_held(self._clock.now_ms()):
                    self._begin_outage(error)
                await asyncio.sleep(POLL_S)
            except StoreUnavailable as error:
                self._begin_outage(error)
            except StoreError as error:
                self._fail(error)
            self._flush()

    async def _renew_lease(self) -> None:
        """Renew the lease in the thread for that, and act on what the renewal shows.

        Raises:
            StoreError: the database cannot be used.
        """
        now_ms, attempts = self._clock.now_ms(), self._attempts
        self._is_renewing = True
        try:
            beat = self._heartbeats.submit(self._lease.send_heartbeat, attempts, now_ms)
            renewal = await asyncio.wrap_future(beat)
        finally:
            self._is_renewing = False
        self._take_renewal(renewal, attempts, now_ms)

    def _take_renewal(self, renewal: HostRenewal, attempts: Mapping[int, int], now_ms: int) -> None:
        """Act on what a renewal shows that was begun at `now_ms` with these attempts at tables."""
        before = self._lease.why_ending
        now = self._attempts  # a table that has been lost and given to this host again since is not lost
        lost = frozenset(table_id for table_id in renewal.lost if now.get(table_id) == attempts[table_id])
        try:
            self._lease.take_renewal(renewal._replace(lost=lost), now_ms)
        except LeaseLost as error:
            self._lose(error)
        self._writer.recorder.durability = self._lease.durability
        why = self._lease.why_ending
        if why == before:
            return
        if why is not None:
            self._log(logging.WARNING, "host_ending", why)
        else:
            self._log(logging.WARNING, "host_adopted", "the event is being run again")
        for manager in list(self._managers.values()):
            if why is not None:
                manager.finish_board(why)
            else:
                manager.play_on()

    def _lose(self, error: LeaseLost) -> None:
        """Release the tables that other hosts have; if the error names none, release all of them and end."""
        for table_id in error.table_ids or list(self._managers):
            manager = self._managers.get(table_id)
            if manager is not None and not manager.is_lost:
                text = f"table {table_id} has been given to another host and is let go"
                self._log(logging.WARNING, "table_lost", text, table=table_id)
                manager.let_go()
        if not error.table_ids:
            self._fail(error)

    # Outages of the database

    def _begin_outage(self, error: StoreUnavailable) -> None:
        """Suspend the tables until the database can be used again; queued effects keep their order."""
        if not self._usable.is_set() or self._error is not None:
            return
        if self._stopping.is_set():
            self._fail(error)
            return
        self._outage.begin()
        self._usable.clear()
        for manager in self._managers.values():
            manager.suspend()
        self._log(logging.WARNING, "outage_began", f"{error}; the tables wait")
        self._tasks.create_task(self._outlast(error))

    async def _outlast(self, error: StoreUnavailable) -> None:
        try:
            await self._outage.wait(error)
            await retry(self._try_again, self._outage.wait)
        except StoreError as lasting:
            self._fail(lasting)
            return
        away_ms = self._outage.end()
        if self._error is None and away_ms is not None:
            self._usable.set()
            text = f"the database can be used again after {away_ms / 1000:.1f} s; the tables go on"
            self._log(logging.WARNING, "outage_ended", text, away_ms=away_ms)
            for manager in self._managers.values():
                manager.go_on()

    async def _try_again(self) -> None:
        """Write the queued batch once a thread, so as not to block the loop, has found that the database answers."""
        await self._in_thread(self._probe_database)
        # At once: where others hold the lock most of the time, the next moment without one may be long in coming.
        await self._renew_lease()
        self._flush_all(blocking=True)

    def _probe_database(self) -> None:
        began_ms = self._clock.now_ms()
        while True:
            try:
                with self._database.write():
                    return
            except StoreLocked:
                if self._clock.now_ms() - began_ms >= LOCK_WAIT_MS:
                    raise

    async def _persist(self, work: Callable[[], T]) -> T:
        """Run a function on the database as soon as it can be used.

        Raises:
            StoreError: the database cannot be used, for good.
        """

        async def work_when_usable() -> T:
            await self._usable.wait()
            if self._error is not None:
                raise self._error
            return work()

        async def begin_outage(error: StoreUnavailable) -> None:
            if self._error is not None:
                raise self._error  # it may itself be a StoreUnavailable, but is no reason to retry
            self._begin_outage(error)

        return await retry(work_when_usable, begin_outage)

    # Tables

    async def _play_table(self, table_id: int) -> None:
        ledger: TableLedger | None = None
        self._taking.add(table_id)
        try:
            attempt = await self._take(table_id)
            if attempt is None:
                return
            job = await self._persist(partial(load_job, self._database, table_id))
            ledger = _ledger_of(job, attempt)
            if not job.boards:
                await self._say(ledger, TableState.FINISHED, "")
                return
            try:
                settings = await self._persist(self._load_settings)
                self._note_tables(settings)
                manager = TableManager(
                    job, ledger, settings, self._clock, self.submit, self._listen, self._seats, self._doors
                )
            except LaunchError as error:
                await self._say(ledger, TableState.FAILED, str(error))
                return
            await self._conduct(manager)
            if manager.reason is not None and not manager.is_lost:
                over = self._stopping.is_set() or manager.closing is not None
                await self._say(ledger, TableState.WAITING if over else TableState.FAILED, manager.reason)
            await self._keep_logs(manager)
        except StoreError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 # as in _flush: the other tables play on
            self._log(logging.ERROR, "table_broken", f"table {table_id} has ended", table=table_id, error=error)
            if ledger is not None:
                await self._say(ledger, TableState.FAILED, f"an error of ours: {error!r}")
        finally:
            self._taking.discard(table_id)
            self._collector.note_closed(len(self._taking))

    def _note_tables(self, settings: HostSettings) -> None:
        """Have as many open files as the tables of this host need, or say that there are too few."""
        ports = settings.port_plan.ports_per_table
        too_few = self._doors.note_tables(len(self._taking), ports, has_clients=settings.stateful.port is not None)
        if too_few is not None:
            self._log(logging.WARNING, "files_too_few", too_few, tables=len(self._taking))

    async def _take(self, table_id: int) -> int | None:
        tries = 0

        def take() -> int | None:
            nonlocal tries
            tries += 1
            return take_table(self._database, table_id, self.name, self._clock.now_ms(), again=tries > 1)

        return await self._persist(take)

    async def _conduct(self, manager: TableManager) -> None:
        table_id, attempt = manager.ledger.table_id, manager.ledger.attempt
        table = manager.job.table
        place: dict[str, Any] = {"match": table.match, "room": table.room.value, "table": table_id}
        self._managers[table_id] = manager
        try:
            holds = await self._persist(partial(load_holds, self._database, [table_id]))
            if holds.get(table_id) is OrderKind.PAUSE:
                manager.pause()
            try:
                ports = await manager.open()
            except LaunchError as error:
                manager.reason = str(error)
                await manager.close()
                return
            numbers = sorted(set(ports.values()))
            self._log(logging.INFO, "table_opened", f"listens on {numbers}", ports=numbers, **place)
            told_at_ms = self._clock.now_ms()
            await self._persist(partial(set_table_ports, self._database, table_id, attempt, ports, told_at_ms))
            if self._stopping.is_set():
                manager.interrupt(STOPPED)
            elif self._lease.why_ending is not None:
                manager.finish_board(self._lease.why_ending)
            await manager.play(ports)
        finally:
            del self._managers[table_id]
            self._orders.forget(table_id)
            self._log(logging.INFO, "table_closed", manager.reason or "no board is left", **place)
        self._flush_now()

    def _open_archive(self, settings: HostSettings) -> LogArchive | None:
        """Return where logs are handed in; None where they stay in files."""
        if settings.logs is not LogPlace.RECORD:
            return None
        return LogArchive(self._database, self._lease.host, Path(settings.results_folder), self._process, self._clock)

    async def _hand_in_left(self, archive: LogArchive) -> None:
        await self._in_thread(archive.hand_in_left)

    async def _keep_logs(self, manager: TableManager) -> None:
        """Hand in the logs of a table, or pack its wire log once it is over.

        None is then to be played there unless the director orders it.
        """
        if self._archive is not None:
            if not manager.is_lost:
                await self._in_thread(partial(self._archive.hand_in_table, manager.job.table))
        elif manager.packs_log and manager.ledger.boards_left == 0 and not manager.is_lost:
            await self._in_thread(partial(pack_logs, [manager.wire_log_path]))

    async def _pack_left_logs(self, settings: HostSettings) -> None:
        """Pack the logs of finished tables that hosts have left which were killed."""
        left = set(list_logs(settings.wire_folder))
        if not left:
            return
        try:
            tables = load_finished_tables(self._database, self._lease.host.event_id)
        except StoreError:
            return  # they are packed when the next host starts
        await self._in_thread(partial(pack_logs, sorted(left & set(map(settings.wire_log_path, tables)))))

    async def _say(self, ledger: TableLedger, state: TableState, reason: str) -> None:
        def say() -> None:
            with self._database.write() as connection:
                set_table_state(connection, ledger.table_id, ledger.attempt, state, self._clock.now_ms(), reason)

        if self._error is None:
            await self._persist(say)

    def _log(
        self, level: int, action: str, message: str, *, error: BaseException | None = None, **fields: object
    ) -> None:
        _LOGGER.log(level, message, exc_info=error, extra={"action": action, "host": self.name, **fields})


def _ledger_of(job: TableJob, attempt: int) -> TableLedger:
    return TableLedger(
        job.table.id,
        attempt,
        dict(job.board_attempts),
        boards_left=len(job.boards),
        event_id=job.event_id,
        match_id=job.match_id,
        team_ids={side: team.id for side, team in job.teams.items()},
        depends_on_results=job.game is not None,
    )
