"""A table host: one process, one event loop, many Table Managers, one writer.

Everything that one turn of the loop produces goes on record in one transaction; then, and only then, it is sent.
"""

import asyncio
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tourney.errors import LaunchError, RuleError, StoreError
from tourney.protocol.effects import Effect, Record
from tourney.store.database import Database
from tourney.store.doing import format_doing
from tourney.store.models import OrderKind, TableState
from tourney.store.objects import HostSettings, OrderInfo
from tourney.store.orders import load_holds, mark_acted, pending_orders, void_board
from tourney.store.recorder import Recorder, TableLedger
from tourney.store.tables import assigned_tables, load_job, save_doing, set_table_ports, set_table_state, take_table
from tourney.table.clock import HostClock
from tourney.table.manager import TableManager

POLL_S: Final = 0.1
"""How often a host looks for tables given to it; a read of a few rows."""

TELL_MS: Final = 1000
"""How often at most those who watch are told what goes on."""

STOPPED: Final = "the run was stopped"


class TableHost:
    """Plays every table that the database gives to `name`, until it is told to stop."""

    def __init__(self, database: Database, name: str, load_settings: Callable[[], HostSettings]) -> None:
        self.name = name
        self._database = database
        self._load_settings = load_settings
        self._recorder = Recorder(database)
        self._clock = HostClock()
        self._managers: dict[int, TableManager] = {}
        self._pending: list[tuple[TableManager, list[Effect]]] = []
        self._flush_is_due = False
        self._told: dict[int, str] = {}
        self._told_at_ms = 0
        self._stopping = asyncio.Event()
        self._error: StoreError | None = None

    async def run(self) -> None:
        """Work until `stop` is called.

        Raises:
            StoreError: the database cannot be used; every table has been let go, its board in hand unfinished.
        """
        async with asyncio.TaskGroup() as tables:
            while not self._stopping.is_set():
                try:
                    for table_id in assigned_tables(self._database, self.name):
                        tables.create_task(self._play_table(table_id))
                        await asyncio.sleep(0)  # the task takes the table before it is looked for again
                    self._act_on_orders()
                    self._tell_doing()
                except StoreError as error:
                    self._fail(error)
                try:
                    async with asyncio.timeout(POLL_S):
                        await self._stopping.wait()
                except TimeoutError:
                    continue
        self._flush()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """End every table's session; `run` returns when all players have been told and let go."""
        self._stopping.set()
        for manager in list(self._managers.values()):
            manager.stop(STOPPED)

    def submit(self, manager: TableManager, effects: list[Effect]) -> None:
        """Take effects of a table; they are carried out at the end of this turn of the loop."""
        if not effects:
            return
        self._pending.append((manager, effects))
        if not self._flush_is_due:
            self._flush_is_due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        """Record first, then relay."""
        self._flush_is_due = False
        pending, self._pending = self._pending, []
        batch = [
            (manager.ledger, effect.record)
            for manager, effects in pending
            for effect in effects
            if isinstance(effect, Record)
        ]
        if self._error is not None:
            return
        if batch:
            try:
                self._recorder.write(batch)
            except StoreError as error:
                self._fail(error)
                return
            except Exception as error:  # noqa: BLE001 # a bug of ours: players must not be left waiting for ever
                traceback.print_exception(error, file=sys.stderr)
                self._fail(StoreError(f"an error of ours while writing the record: {error!r}"))
                return
        for manager, effects in pending:
            try:
                manager.carry_out(effects)
            except Exception as error:  # noqa: BLE001 # a bug of ours in one table must not end its neighbours
                self._crash(manager, error)
        for manager in {id(manager): manager for manager, _ in pending}.values():
            manager.flush_log()

    @staticmethod
    def _crash(manager: TableManager, error: Exception) -> None:
        traceback.print_exception(error, file=sys.stderr)
        manager.reason = f"an error of ours: {error!r}"
        manager.abandon()

    def _fail(self, error: StoreError) -> None:
        """Without a record nothing may be relayed: let everything go."""
        if self._error is None:
            self._error = error
        self.stop()

    # Orders, and what those who watch are told

    def _act_on_orders(self) -> None:
        """Do what the director has asked of our tables; what came of it goes on record after it."""
        for order in pending_orders(self._database, self.name) if self._managers else []:
            manager = self._managers.get(order.table_id)
            if manager is None:
                outcome = "the table is over"
            elif order.kind is OrderKind.REPLAY and order.board is not None and not manager.plays(order.board):
                outcome = self._replay(manager, order, order.board)
            else:
                outcome = manager.act_on(order)
            self._flush()
            mark_acted(self._database, order.id, outcome, self._clock.now_ms())

    def _replay(self, manager: TableManager, order: OrderInfo, board: int) -> str:
        """Have a board played again that the table has finished."""
        try:
            with self._database.write() as connection:
                came_to = void_board(
                    connection, order.table_id, board, order.text, self._clock.now_ms(), author=order.author
                )
        except RuleError as error:
            return str(error)
        manager.add_board(board)
        return f"board {board} is void, it had come to {came_to}; it is played again after the others"

    def _tell_doing(self) -> None:
        """Write what goes on at each table, once a second at most and only when it has changed."""
        now_ms = self._clock.now_ms()
        if now_ms - self._told_at_ms < TELL_MS:
            return
        self._told_at_ms = now_ms
        news = {}
        for table_id, manager in self._managers.items():
            doing = manager.doing(now_ms)
            unchanged = format_doing(replace(doing, at_ms=0))
            if self._told.get(table_id) != unchanged:
                self._told[table_id] = unchanged
                news[table_id, manager.ledger.attempt] = format_doing(doing)
        if news:
            save_doing(self._database, news)

    async def _play_table(self, table_id: int) -> None:
        now_ms = self._clock.now_ms()
        ledger: TableLedger | None = None
        try:
            attempt = take_table(self._database, table_id, self.name, now_ms)
            if attempt is None:
                return
            job = load_job(self._database, table_id)
            ledger = TableLedger(
                table_id,
                attempt,
                dict(job.board_attempts),
                boards_left=len(job.boards),
                event_id=job.event_id,
                match_id=job.match_id,
                team_ids={side: team.id for side, team in job.teams.items()},
            )
            if not job.boards:
                self._say(ledger, TableState.FINISHED, "")
                return
            try:
                manager = TableManager(job, ledger, self._load_settings(), self._clock, self.submit)
            except LaunchError as error:
                self._say(ledger, TableState.FAILED, str(error))
                return
            self._managers[table_id] = manager
            if load_holds(self._database, [table_id]).get(table_id) is OrderKind.PAUSE:
                manager.pause()
            try:
                await self._conduct(manager)
            finally:
                del self._managers[table_id]
                self._told.pop(table_id, None)
            self._flush()
            if manager.reason is not None:
                over = self._stopping.is_set()
                self._say(ledger, TableState.WAITING if over else TableState.FAILED, manager.reason)
        except StoreError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 # as in _flush: the neighbours play on
            traceback.print_exception(error, file=sys.stderr)
            if ledger is not None:
                self._say(ledger, TableState.FAILED, f"an error of ours: {error!r}")

    async def _conduct(self, manager: TableManager) -> None:
        try:
            ports = await manager.open()
        except LaunchError as error:
            manager.reason = str(error)
            await manager.close()
            return
        set_table_ports(self._database, manager.ledger.table_id, manager.ledger.attempt, ports, self._clock.now_ms())
        if self._stopping.is_set():
            manager.stop(STOPPED)
        await manager.play(ports)

    def _say(self, ledger: TableLedger, state: TableState, reason: str) -> None:
        if self._error is not None:
            return
        with self._database.write() as connection:
            set_table_state(connection, ledger.table_id, ledger.attempt, state, self._clock.now_ms(), reason)
