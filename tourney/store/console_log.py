"""The log of the director's console, to which rows are only added: who did or looked at what, when, what came of it.

The row of an action is committed before the action is begun, under the number of the form that asked for it. So a
form that is sent twice is done once, and nothing is done that is not in the log.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from sqlalchemy import Connection, select

from tourney.errors import StoreError
from tourney.store.control.orders import load_outcomes
from tourney.store.db.database import Database
from tourney.store.db.queries import AnySelect, insert_row, load_rows, make_object, make_values, update_row
from tourney.store.models import ConsoleLogRow

LOGIN: Final = "log in"
LOGIN_REFUSED: Final = "log-in refused"
LOGOUT: Final = "log out"
LOGOUT_ALL: Final = "log out everywhere"
VIEW_HANDS: Final = "look at hands"
PREVIEW: Final = "preview"

SUBJECT_CHARS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What a row of the log says from the beginning."""

    user: str
    """The name of the user; empty for a log-in under a name that nobody has."""
    address: str
    action: str
    subject: str = ""
    """What it was done to: `3-open`, `match 7`; may be empty."""
    reason: str = ""
    request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleEntry(NewEntry):
    """A row of the log."""

    id: int
    at_ms: int
    outcome: str | None
    """None if it was begun and its end is not on record."""
    orders: tuple[int, ...] = ()
    """The orders that it gave to tables."""
    order_outcomes: tuple[tuple[str, int], ...] = ()
    """The outcomes of those that have been acted on, each once with its number of orders, in their sequence."""
    orders_pending: int = 0
    """How many have not been acted on."""

    @property
    def is_pending(self) -> bool:
        """Whether more may be known later."""
        return self.outcome is None or self.orders_pending > 0


def log_done(database: Database, event_id: int, entry: NewEntry, outcome: str, now_ms: int) -> int:
    """Put what was done on record, with its outcome; returns the id of the row."""
    with database.write() as connection:
        return _insert(connection, event_id, entry, now_ms, outcome=outcome, done_at_ms=now_ms)


def begin_entry(database: Database, event_id: int, entry: NewEntry, now_ms: int) -> int | None:
    """Put on record what is about to be done; returns the id of the row, or None if its request was sent before."""
    assert entry.request_id is not None
    try:
        with database.write() as connection:
            known = select(ConsoleLogRow.id).where(ConsoleLogRow.request_id == entry.request_id)
            if connection.scalar(known) is not None:
                return None
            return _insert(connection, event_id, entry, now_ms)
    except StoreError:
        if load_entry(database, event_id, entry.request_id) is None:
            raise
        return None  # another server of the same console was faster


def end_entry(database: Database, entry_id: int, outcome: str, orders: Sequence[int], now_ms: int) -> None:
    """Put the outcome of what was begun on record, and the orders that were given."""
    order_ids = json.dumps(list(orders)) if orders else None
    update_row(database, ConsoleLogRow, entry_id, outcome=outcome, done_at_ms=now_ms, order_ids=order_ids)


def load_entries(
    database: Database, event_id: int, *, limit: int, before: int | None = None, user: str | None = None
) -> list[ConsoleEntry]:
    """Load rows of the log, the newest first.

    Args:
        database: the record.
        event_id: the event.
        limit: how many at most.
        before: only rows with a smaller id.
        user: only rows of this user.
    """
    query = select(ConsoleLogRow).where(ConsoleLogRow.event_id == event_id)
    if before is not None:
        query = query.where(ConsoleLogRow.id < before)
    if user is not None:
        query = query.where(ConsoleLogRow.user_name == user)
    return _load(database, query.order_by(ConsoleLogRow.id.desc()).limit(limit))


def load_entry(database: Database, event_id: int, request_id: str) -> ConsoleEntry | None:
    """Load the row of a request; None if there is none."""
    query = select(ConsoleLogRow).where(ConsoleLogRow.event_id == event_id, ConsoleLogRow.request_id == request_id)
    found = _load(database, query)
    return found[0] if found else None


def _insert(connection: Connection, event_id: int, entry: NewEntry, now_ms: int, **more: Any) -> int:
    cut = {"address": entry.address[:100], "subject": entry.subject[:SUBJECT_CHARS_MAX]}
    values = make_values(ConsoleLogRow, entry, event_id=event_id, at_ms=now_ms, user_name=entry.user, **cut | more)
    return insert_row(connection, ConsoleLogRow, values)


def _load(database: Database, query: AnySelect) -> list[ConsoleEntry]:
    rows = load_rows(database, query)
    given = [tuple(json.loads(row.order_ids or "[]")) for row in rows]
    outcomes = load_outcomes(database, chain.from_iterable(given)) if any(given) else {}
    return [
        make_object(
            ConsoleEntry,
            row,
            user=row.user_name,
            orders=orders,
            order_outcomes=tuple(Counter(outcomes[order] for order in orders if order in outcomes).items()),
            orders_pending=sum(order not in outcomes for order in orders),
        )
        for row, orders in zip(rows, given, strict=True)
    ]
