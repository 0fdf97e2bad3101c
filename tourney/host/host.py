"""A table host: one process, one event loop, many Table Managers, one journal.

A host has two tasks of its own: one looks at the record for tables and orders, one renews the lease. Each table is a
task beside them, and what the tables do goes on record by the journal (`tourney.host.journal`).
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tourney.errors import LaunchError, LeaseLost, StoreError, StoreLocked, StoreUnavailable
from tourney.host.journal import SLOW_SYNC_MS, Journal
from tourney.host.lease import POLL_S, HostLease
from tourney.host.log_archive import LogArchive
from tourney.host.manager import TableManager
from tourney.host.orders import TableOrders
from tourney.host.ports import HostAdmission, Listen, listen
from tourney.host.programs import SharedPrograms
from tourney.host.seat_links import HostSeats
from tourney.host.wire_log import list_logs, pack_logs
from tourney.launch.hosts import this_process
from tourney.movement.seating import TableState
from tourney.protocol.access import TeamAccess
from tourney.protocol.session.orders import Interrupt, Pause
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import GarbageCollector, WorkerThread, wait_up_to
from tourney.runtime.retry import Outage, retry
from tourney.store.changes import ChangeWatch
from tourney.store.control.host_settings import HostSettings
from tourney.store.control.hosts import TOLD_TO_STOP
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.orders import OrderInfo, load_holds, pending_orders
from tourney.store.control.table_state import set_table_ports, set_table_state, take_table
from tourney.store.control.tables import assigned_tables, load_job, load_tables
from tourney.store.db.database import Database
from tourney.store.draw.tables import load_team_names
from tourney.store.models import OrderKind
from tourney.store.record.writer import Recorder, TableLedger

if TYPE_CHECKING:
    from tourney.host.front_door import Gateway

_LOGGER: Final = logging.getLogger(__name__)

STOPPED: Final = "the run was stopped"

LOOK_MS: Final = 5000
"""After how long a host looks for tables and orders although it has heard of nothing."""

ENTRANTS_S: Final = 1.0
"""How often the teams that may say `HELLO` at the event's port are read again: some may come later."""


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
        make_thread: Callable[[str], WorkerThread] = WorkerThread,
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
            make_thread: makes, by its name, a thread in which work waits for the disk beside the loop: one writes
                batches where the disk is slow, one renews the lease, one reads orders and reports what tables do.
            slow_sync_ms: how long a transaction takes on a disk that is slow.
            seats: where its tables offer their empty seats, if not at the event's port.
            address: where players find its tables, if not where the event file says.
        """
        self.name = name
        self._database = database
        self._load_settings = load_settings
        self._clock = clock or HostClock()
        self._listen = listen
        self._address = address
        self._process = process or this_process()
        self._heartbeats = make_thread("heartbeat")
        self._reader = make_thread("reader")
        self._changes = ChangeWatch(database)
        self._poll_at_ms = 0
        """When it looks for tables and orders although nothing has changed."""
        self._managers: dict[int, TableManager] = {}
        self._stopping = asyncio.Event()
        self._journal = Journal(
            database,
            self._clock,
            self._managers,
            self._log,
            stopping=self._stopping,
            writer=make_thread("record"),
            slow_sync_ms=slow_sync_ms,
        )
        self._taking: set[int] = set()
        self._seats = seats or HostSeats()
        self._orders = TableOrders(
            database, self._clock, self._managers, self._taking, self._journal.flush_now, self._reader
        )
        self._collector = GarbageCollector()
        self._budget = HostAdmission(self._clock)
        self._shared = SharedPrograms()

    async def run(self) -> None:
        """Work until `stop` is called, or until no run has been heard from for too long and no board is in progress.

        Raises:
            StoreError: the database cannot be used, or the host was declared dead; every table has been released
                with its current board unfinished.
        """
        settings = self._load_settings()
        outage = Outage(self._clock, settings.outage_s)
        self._lease = await self._join(settings, outage)
        async with asyncio.TaskGroup() as services:
            recorder = Recorder(self._database, self._lease.host, self._lease.durability)
            self._journal.open(recorder, self._lease, outage, renew=self._renew_lease, start=services.create_task)
            self._log(logging.INFO, "host_started", f"table host {self.name} is at work")
            renewing = services.create_task(self._keep_lease())
            archive = None  # logs stay in files
            if settings.logs_in_record:
                folder = Path(settings.results_folder)
                archive = LogArchive(self._database, self._lease.host, folder, self._process, self._clock)
            self._archive = archive
            pack_left = self._pack_left_logs(settings) if archive is None else asyncio.to_thread(archive.hand_in_left)
            services.create_task(pack_left)
            gateway = self._open_gateway(settings, services)
            self._clock.watch_standstills()
            async with asyncio.TaskGroup() as self._tasks:
                polling = self._tasks.create_task(self._keep_polling())
                while not self._stopping.is_set():
                    self._clock.now_ms()  # often enough to notice when this process stands still
                    for manager in self._managers.values():
                        manager.flush_log()
                    await wait_up_to(self._stopping, POLL_S)
                polling.cancel()
            # All players have left their tables by now.
            await self._shared.close()
            if gateway is not None:
                gateway.stop(is_over=await self._reader.do(self._is_event_over))
            renewing.cancel()
        await self._flush()
        self._heartbeats.close()
        self._journal.close()
        error = self._journal.error
        reason = str(error or self._lease.why_ending or TOLD_TO_STOP)
        await self._reader.do(partial(self._lease.leave, reason))
        await self._reader.do(self._changes.close)
        self._reader.close()
        self._log(logging.INFO, "host_ended", reason)
        if error is not None:
            raise error
        if archive is not None:
            await asyncio.to_thread(archive.hand_in_left)

    async def _join(self, settings: HostSettings, outage: Outage) -> HostLease:
        """Put on record that this process is the host, as soon as the database can be used."""

        async def join() -> HostLease:
            make_lease = partial(HostLease, self._database, self.name, self._process, settings, self._clock)
            return await self._reader.do(partial(make_lease, self._address))

        async def wait(error: StoreUnavailable) -> None:
            if self._stopping.is_set():
                raise error
            if outage.begin():
                self._log(logging.WARNING, "outage_began", f"{error}; the host waits before it begins")
            await outage.wait(error)

        lease = await retry(join, wait)
        outage.end()
        return lease

    def _open_gateway(self, settings: HostSettings, services: asyncio.TaskGroup) -> "Gateway | None":
        """Connect this host with the event's port for the stateful-server protocol, if it has one."""
        if settings.stateful.port is None:
            return None
        from tourney.host.front_door import EventPort, Gateway  # noqa: PLC0415 # the messages take a twentieth of a host's start

        entrants: dict[str, TeamAccess] = {}

        def load_entrants() -> dict[str, TeamAccess]:
            entrances = self._load_settings().entrances
            names = load_team_names(self._database, self._lease.host.event_id)
            return {name: entrances.get(name, TeamAccess()) for name in names}

        async def keep_entrants() -> None:
            while not await wait_up_to(self._stopping, ENTRANTS_S):
                with suppress(StoreError):  # they stay as they were: the tables wait for the database too
                    entrants.update(await self._reader.do(load_entrants))

        async def serve() -> None:
            with suppress(StoreError):
                entrants.update(await self._journal.when_usable(load_entrants))
            services.create_task(keep_entrants())
            await gateway.run()

        make_port = partial(EventPort, settings, self._seats, entrants, self._budget)
        gateway = Gateway(settings, self._seats, make_port, self._listen)
        services.create_task(serve())
        return gateway

    def _is_event_over(self) -> bool:
        """Return whether nothing of the event is left to play; clients wait for what is."""
        from tourney.store.results.event_results import is_played  # noqa: PLC0415 # as above

        try:
            return is_played(self._database, self._lease.host.event_id)
        except StoreError:
            return False

    async def _keep_polling(self) -> None:
        """Look at the record again and again, until cancelled."""
        while True:
            await self._poll()
            await asyncio.sleep(POLL_S)

    async def _poll(self) -> None:
        """Look for new tables and orders, and report the status of tables."""
        try:
            if self._journal.is_usable:
                await self._poll_record()
        except StoreLocked:
            pass  # others write; it is looked again soon
        except StoreError as error:
            self._journal.handle(error)
        self._journal.flush()

    async def _poll_record(self) -> None:
        assigned, orders = await self._reader.do(partial(self._load_due, has_tables=bool(self._managers)))
        if self._lease.why_ending is None:
            for table_id in assigned:
                if table_id not in self._taking:
                    self._tasks.create_task(self._play_table(table_id))
                    await asyncio.sleep(0)  # let the task take the table before the next look
        elif not self._taking:
            self._stopping.set()
        async with self._journal.turn:
            if self._journal.is_usable:
                await self._orders.act_on_orders(orders)
                await self._orders.report_doing()

    def _load_due(self, *, has_tables: bool) -> tuple[list[int], list[OrderInfo]]:
        """Load what is for this host: tables that wait to be opened, and orders to those that it has."""
        now_ms = self._clock.now_ms()
        if not self._changes.has_changed() and now_ms < self._poll_at_ms:
            return [], []
        self._poll_at_ms = now_ms  # again at once, unless nothing is left
        assigned = assigned_tables(self._database, self.name)
        orders = pending_orders(self._database, self.name) if has_tables else []
        if has_tables and not assigned and not orders:
            self._poll_at_ms += LOOK_MS
        return assigned, orders

    def stop(self) -> None:
        """Leave every table to another host, which goes on with the board in play; `run` returns when all is done."""
        self._stopping.set()
        is_usable = self._journal.is_usable
        for manager in list(self._managers.values()):
            if is_usable:
                manager.interrupt(STOPPED)
            else:
                manager.end_unrecorded(Interrupt(STOPPED))
        if not is_usable:
            self._journal.fail(StoreUnavailable(f"{STOPPED} while the database could not be used"))

    @property
    def tables(self) -> dict[int, TableManager]:
        """The tables that it plays, by id."""
        return dict(self._managers)

    async def _flush(self) -> None:
        """Have everything that waits on record and carried out, unless the database cannot be used."""
        if self._journal.has_queued and self._clock.now_ms() >= self._lease.held_until_ms:
            with suppress(StoreError):
                await self._renew_lease()
        async with self._journal.turn:
            await self._journal.flush_now()

    # The lease

    def _attempts(self) -> dict[int, int]:
        """Return the attempt number of each table, by table id."""
        return {table_id: manager.ledger.attempt for table_id, manager in self._managers.items()}

    async def _keep_lease(self) -> None:
        """Renew the lease again and again, until cancelled."""
        journal = self._journal
        while journal.error is None:
            await self._lease.wait_until_due()
            await journal.wait_until_usable()
            try:
                if journal.is_slow:
                    async with journal.turn:
                        await self._renew_lease()
                else:
                    await self._renew_lease()
            except StoreLocked as error:
                # Others write, or our own thread waits for the disk. While the lease lasts, no table waits for it.
                if self._clock.now_ms() >= self._lease.held_until_ms:
                    journal.begin_outage(error)
                await asyncio.sleep(POLL_S)
            except StoreError as error:
                journal.handle(error)
            journal.flush()

    async def _renew_lease(self) -> None:
        """Renew the lease, and act on what that shows.

        Raises:
            StoreError: the database cannot be used.
        """
        before = self._lease.why_ending
        try:
            await self._lease.renew(self._attempts, self._heartbeats)
        except LeaseLost as error:
            self._journal.lose(error)
        self._journal.recorder.durability = self._lease.durability
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
                manager.cancel_finish()

    # Tables

    async def _play_table(self, table_id: int) -> None:
        ledger: TableLedger | None = None
        self._taking.add(table_id)
        try:
            attempt = await self._take(table_id)
            if attempt is None:
                return
            job = await self._journal.when_usable(partial(load_job, self._database, table_id))
            ledger = TableLedger.of_job(job, attempt)
            if not job.boards:
                await self._record_state(ledger, TableState.FINISHED, "")
                return
            try:
                settings = await self._journal.when_usable(self._load_settings)
                ports, has_clients = settings.port_plan.ports_per_table, settings.stateful.port is not None
                too_few = self._budget.note_tables(len(self._taking), ports, has_clients=has_clients)
                if too_few is not None:
                    self._log(logging.WARNING, "files_too_few", too_few, tables=len(self._taking))
                manager = TableManager(
                    job,
                    ledger,
                    settings,
                    self._clock,
                    self._journal.submit,
                    self._listen,
                    self._seats,
                    self._budget,
                    self._shared,
                    self.name,
                )
            except LaunchError as error:
                await self._record_state(ledger, TableState.FAILED, str(error))
                return
            await self._conduct(manager)
            if manager.reason is not None and not manager.is_lost:
                over = self._stopping.is_set() or manager.state.closing is not None
                await self._record_state(ledger, TableState.WAITING if over else TableState.FAILED, manager.reason)
            elif ledger.boards_left > 0 and not manager.is_lost:
                # The session had ended when word came that a board is to be played again.
                await self._record_state(ledger, TableState.WAITING, "")
            await self._keep_logs(manager)
        except StoreError as error:
            self._journal.fail(error)
        except Exception as error:  # noqa: BLE001 # as in the journal: the other tables play on
            self._log(logging.ERROR, "table_broken", f"table {table_id} has ended", table=table_id, error=error)
            if ledger is not None:
                await self._record_state(ledger, TableState.FAILED, f"an error of ours: {error!r}")
        finally:
            self._taking.discard(table_id)
            self._collector.note_closed(len(self._taking))

    async def _take(self, table_id: int) -> int | None:
        tries = 0

        def take() -> int | None:
            nonlocal tries
            tries += 1
            return take_table(self._database, table_id, self.name, self._clock.now_ms(), again=tries > 1)

        return await self._journal.when_usable(take)

    async def _conduct(self, manager: TableManager) -> None:
        table_id, attempt = manager.ledger.table_id, manager.ledger.attempt
        self._managers[table_id] = manager
        try:
            holds = await self._journal.when_usable(partial(load_holds, self._database, [table_id]))
            if holds.get(table_id) is OrderKind.PAUSE:
                manager.take_order(Pause())
            try:
                ports = await manager.open()
            except LaunchError as error:
                manager.reason = str(error)
                await manager.close()
                return
            numbers = sorted(set(ports.values()))
            self._log(logging.INFO, "table_opened", f"listens on {numbers}", ports=numbers, **manager.where)
            reported_at_ms = self._clock.now_ms()
            await self._journal.when_usable(
                partial(set_table_ports, self._database, table_id, attempt, ports, reported_at_ms)
            )
            if self._stopping.is_set():
                manager.interrupt(STOPPED)
            elif self._lease.why_ending is not None:
                manager.finish_board(self._lease.why_ending)
            await manager.play(ports)
        finally:
            del self._managers[table_id]
            self._log(logging.INFO, "table_closed", manager.reason or "no board is left", **manager.where)
        await self._flush()

    async def _keep_logs(self, manager: TableManager) -> None:
        """Hand in the logs of a table, or pack its wire log once it is over.

        None is then to be played there unless the director orders it.
        """
        if manager.is_lost:
            return
        if self._archive is not None:
            await asyncio.to_thread(self._archive.hand_in_table, manager.job.table)
        elif manager.ledger.boards_left == 0 and manager.wire_log_path.exists():
            await asyncio.to_thread(pack_logs, [manager.wire_log_path])

    async def _pack_left_logs(self, settings: HostSettings) -> None:
        """Pack the logs of finished tables that hosts have left which were killed."""
        left = set(list_logs(settings.wire_folder))
        if not left:
            return
        try:
            load = partial(load_tables, self._database, self._lease.host.event_id)
            tables = (await self._reader.do(load)).values()
        except StoreError:
            return  # they are packed when the next host starts
        finished = {settings.wire_log_path(table) for table in tables if table.state is TableState.FINISHED}
        await asyncio.to_thread(pack_logs, sorted(left & finished))

    async def _record_state(self, ledger: TableLedger, state: TableState, reason: str) -> None:
        def record_end() -> None:
            with self._database.write() as connection:
                set_table_state(connection, ledger.table_id, ledger.attempt, state, self._clock.now_ms(), reason)

        if self._journal.error is None:
            await self._journal.when_usable(record_end)

    def _log(
        self, level: int, action: str, message: str, *, error: BaseException | None = None, **fields: object
    ) -> None:
        _LOGGER.log(level, message, exc_info=error, extra={"action": action, "host": self.name, **fields})
