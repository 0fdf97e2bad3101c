"""Orders wait for their tables; watchers are told about many tables in parts, and only about what has changed."""

from pathlib import Path
from typing import Any

from sqlalchemy import func, select, update

from tests.support.played_event import draw_event, event_text
from tourney.host.orders import REPORT_MS, REPORTS_AT_ONCE, TableOrders
from tourney.runtime.event_loop import WorkerThread
from tourney.store.control.orders import give_orders, load_outcomes, pending_orders
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import TableActivity
from tourney.store.models import OrderKind, TableRow


class Clock:
    def __init__(self) -> None:
        self.ms = REPORT_MS

    def now_ms(self) -> int:
        return self.ms


class Manager:
    """Stands in for a table manager: its table does nothing but wait."""

    class ledger:  # noqa: N801 # the attribute of a manager
        attempt = 0

    reported: TableActivity | None = None

    def doing(self, now_ms: int) -> TableActivity:
        return TableActivity(now_ms, False, (), "", None)


async def flush() -> bool:
    return True


async def test_an_order_to_a_table_that_is_being_opened_waits_until_it_is_open(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Home", "Away", boards=1))
    table_id = played.event.matches[0].tables[0].id
    assign_table(played.database, table_id, "host", None, 1)
    (order_id,) = give_orders(played.database, [table_id], OrderKind.STOP, author="Dee", now_ms=2)
    clock: Any = Clock()
    taking = {table_id}
    orders = TableOrders(played.database, clock, {}, taking, flush, WorkerThread("reader"))
    for outcomes in ({}, {order_id: "the table is over"}):
        await orders.act_on_orders(pending_orders(played.database, "host"))
        assert load_outcomes(played.database, [order_id]) == outcomes
        taking.clear()


async def test_many_tables_are_told_of_in_parts_each_once_a_second(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*(f"Team {n}" for n in range(1, 11)), boards=1))
    table_ids = [table.id for match in played.event.matches for table in match.tables]
    clock: Any = Clock()
    managers: Any = {table_id: Manager() for table_id in table_ids}
    orders = TableOrders(played.database, clock, managers, managers, flush, WorkerThread("reader"))

    def told() -> int:
        with played.database.read() as connection:
            return connection.scalar(select(func.count()).where(TableRow.doing.is_not(None))) or 0

    after = []
    for _ in range(8):
        await orders.report_doing()
        after.append(told())
    parts = -(-len(table_ids) // REPORTS_AT_ONCE)
    assert len(table_ids) == 90
    assert after[:parts] == [*range(REPORTS_AT_ONCE, 90, REPORTS_AT_ONCE), 90]

    with played.database.write() as connection:
        connection.execute(update(TableRow).values(doing=None))
    clock.ms += REPORT_MS
    for _ in range(parts):
        await orders.report_doing()
    assert told() == 0, "nothing has changed since"
