"""Carries out directors' orders at the tables of one host, and writes each table's status for displays."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from tourney.errors import RuleError
from tourney.store.control.orders import OrderInfo, mark_acted, pending_orders, void_board
from tourney.store.control.table_state import check_attempts
from tourney.store.control.table_status import TableActivity, format_activity, save_activities
from tourney.store.db.database import Database
from tourney.store.models import OrderKind
from tourney.table.clock import HostClock
from tourney.table.manager import TableManager

TELL_MS: Final = 1000
"""Minimum time between two writes of a table's status."""

TELL_SLICES: Final = 8
"""Number of parts in which the status of many tables is written, a tenth of a second apart."""

TELL_AT_ONCE: Final = 16
"""Tables whose status is written in one go; it takes about a millisecond, in which no player is served."""


class TableOrders:
    """Reads orders and writes the status of tables."""

    def __init__(
        self,
        database: Database,
        host: str,
        clock: HostClock,
        managers: Mapping[int, TableManager],
        flush: Callable[[], bool],
    ) -> None:
        """Prepare to read orders.

        Args:
            database: holds the orders.
            host: the name of the host.
            clock: the clock of the host.
            managers: the current tables of the host, by id.
            flush: records and relays what has been done; returns False when that must wait.
        """
        self._database = database
        self._host = host
        self._clock = clock
        self._managers = managers
        self._flush = flush
        self._told: dict[int, TableActivity] = {}
        """The status last written for each table, with `at_ms` set to 0 for comparison."""
        self._told_at_ms = 0
        self._to_tell: list[int] = []
        """Tables whose status is still to be written in this round."""
        self._outcomes: dict[int, str] = {}
        """Outcomes of orders that are not on record yet, by order id."""

    def act_on_orders(self) -> None:
        """Carry out the director's orders to our tables, then record their outcomes.

        Raises:
            StoreError: the database cannot be used; orders that have been acted on are not acted on again.
        """
        for order in pending_orders(self._database, self._host) if self._managers else []:
            if order.id not in self._outcomes:
                self._outcomes[order.id] = self._act_on(order)
            if not self._flush():
                return
            mark_acted(self._database, order.id, self._outcomes[order.id], self._clock.now_ms())
            del self._outcomes[order.id]

    def _act_on(self, order: OrderInfo) -> str:
        manager = self._managers.get(order.table_id)
        if manager is None:
            return "the table is over"
        if order.kind is OrderKind.REPLAY and order.board is not None and not manager.plays(order.board):
            return self._replay(manager, order, order.board)
        return manager.act_on(order)

    def _replay(self, manager: TableManager, order: OrderInfo, board: int) -> str:
        """Have a board that the table has finished played again."""
        try:
            with self._database.write() as connection:
                check_attempts(connection, {order.table_id: manager.ledger.attempt})
                came_to = void_board(
                    connection, order.table_id, board, order.text, self._clock.now_ms(), author=order.author
                )
        except RuleError as error:
            return str(error)
        manager.add_board(board)
        return f"board {board} is void, it had come to {came_to}; it is played again after the others"

    async def tell_doing(self) -> None:
        """Write the status of each table, at most once a second and only when it has changed.

        With many tables, each call writes a part of them and yields to the loop after every few; the next calls write
        the rest.

        Raises:
            StoreError: the database cannot be used.
        """
        now_ms = self._clock.now_ms()
        if not self._to_tell:
            if now_ms - self._told_at_ms < TELL_MS:
                return
            self._told_at_ms = now_ms
            self._to_tell = list(self._managers)
        for _ in range(-(-len(self._managers) // (TELL_SLICES * TELL_AT_ONCE))):
            table_ids, self._to_tell = self._to_tell[:TELL_AT_ONCE], self._to_tell[TELL_AT_ONCE:]
            self._tell(table_ids, now_ms)
            await asyncio.sleep(0)

    def _tell(self, table_ids: Iterable[int], now_ms: int) -> None:
        news = {}
        for table_id in table_ids:
            manager = self._managers.get(table_id)
            if manager is None:
                continue
            doing = manager.doing(now_ms)
            timeless = replace(doing, at_ms=0)
            if self._told.get(table_id) != timeless:
                self._told[table_id] = timeless
                news[table_id, manager.ledger.attempt] = format_activity(doing)
        if news:
            save_activities(self._database, news)

    def forget(self, table_id: int) -> None:
        """Drop what is kept about a table that has ended."""
        self._told.pop(table_id, None)
