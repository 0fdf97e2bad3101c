"""Carries out directors' orders at the tables of one host, and writes each table's status for displays."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.host.manager import TableManager
from tourney.protocol.session.orders import ExtendTime, KickPlayer, Order, Pause, RelayAnswer, Resume, Stop, VoidBoard
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import WorkerThread
from tourney.store.control.orders import OrderInfo, mark_acted
from tourney.store.control.tables import save_activities
from tourney.store.db.database import Database
from tourney.store.models import OrderKind

REPORT_MS: Final = 1000
"""Minimum time between two writes of a table's status."""

REPORT_SLICES: Final = 8
"""Number of parts in which the status of many tables is written, a tenth of a second apart."""

REPORTS_AT_ONCE: Final = 16
"""Tables whose status is written in one go; it takes about a millisecond."""


@dataclass(eq=False, slots=True)
class TableOrders:
    """Reads orders and writes the status of tables."""

    database: Database
    """Holds the orders."""
    clock: HostClock
    """The clock of the host."""
    managers: Mapping[int, TableManager]
    """The current tables of the host, by id."""
    taking: Collection[int]
    """The ids of these and of those that it is opening or leaving."""
    flush: Callable[[], Awaitable[bool]]
    """Records and relays what has been done; returns False when that must wait."""
    thread: WorkerThread
    """Does what nobody waits for but us."""
    _reported_at_ms: int = 0
    _unreported: list[int] = field(default_factory=list)
    """Tables whose status is still to be written in this round."""
    _acted: set[int] = field(default_factory=set)
    """Orders, by id, that have been carried out at their tables and may not be on record yet."""

    async def act_on_orders(self, orders: Sequence[OrderInfo]) -> None:
        """Carry out the director's orders to our tables, those of the record without an outcome.

        What comes of an order is on record together with its outcome: whoever reads an order without one, as after a
        crash of this host, may carry it out.

        Args:
            orders: those that have no outcome, oldest first.

        Raises:
            StoreError: the database cannot be used; orders that have been acted on are not acted on again.
        """
        self._acted &= {order.id for order in orders}
        for order in orders:
            if not await self.flush():  # what a table has on record decides what can be done there
                return
            if order.id not in self._acted:
                await self._act_on(order)
        await self.flush()

    async def _act_on(self, order: OrderInfo) -> None:
        manager = self.managers.get(order.table_id)
        is_over = manager is not None and (manager.state.is_over or not manager.ledger.boards_left)
        if is_over and order.kind is OrderKind.REPLAY:
            # Its session has ended, or is about to: the order waits until the table is finished on record, when
            # `settle_replays` carries it out.
            return
        if manager is None and order.table_id in self.taking:
            return  # it is being opened, or left: then it is seen what there is to do
        if manager is None or not manager.take_order(_table_order(order, manager), order.id):
            now_ms = self.clock.now_ms()
            await self.thread.do(lambda: mark_acted(self.database, order.id, "the table is over", now_ms))
        else:
            self._acted.add(order.id)

    async def report_doing(self) -> None:
        """Write the status of each table, at most once a second and only when it has changed.

        With many tables, each call writes a part of them and yields to the loop after every few; the next calls write
        the rest.

        Raises:
            StoreError: the database cannot be used.
        """
        now_ms = self.clock.now_ms()
        if not self._unreported:
            if now_ms - self._reported_at_ms < REPORT_MS:
                return
            self._reported_at_ms = now_ms
            self._unreported = list(self.managers)
        for _ in range(-(-len(self.managers) // (REPORT_SLICES * REPORTS_AT_ONCE))):
            table_ids, self._unreported = self._unreported[:REPORTS_AT_ONCE], self._unreported[REPORTS_AT_ONCE:]
            await self._report(table_ids, now_ms)

    async def _report(self, table_ids: Iterable[int], now_ms: int) -> None:
        news = {}
        for table_id in table_ids:
            manager = self.managers.get(table_id)
            if manager is None:
                continue
            doing = manager.doing(now_ms)
            timeless = replace(doing, at_ms=0)
            if manager.reported != timeless:
                manager.reported = timeless
                news[table_id, manager.ledger.attempt] = doing
        if news:
            await self.thread.do(lambda: save_activities(self.database, news))


def _table_order(order: OrderInfo, manager: TableManager) -> Order:
    """Return an order as its table takes it."""
    match order.kind:
        case OrderKind.PAUSE:
            return Pause()
        case OrderKind.RESUME:
            return Resume()
        case OrderKind.EXTEND:
            return ExtendTime(order.extension)
        case OrderKind.STOP:
            reason = f"stopped by {order.author}: {order.text}" if order.text else f"stopped by {order.author}"
            return Stop(reason, waits_for_board=order.after_board)
        case OrderKind.KICK:
            assert order.seat is not None
            reason = order.text or f"by order of {order.author}"
            return KickPlayer(order.seat, reason, order.author, forfeits=not order.no_forfeit, board=order.board)
        case OrderKind.ALERT:
            assert order.board is not None
            assert order.call is not None
            return RelayAnswer(order.board, order.call, order.text, order.author)
        case OrderKind.REPLAY:
            board = next(board for board in manager.job.all_boards if board.number == order.board)
            return VoidBoard(board, order.text, order.author)
