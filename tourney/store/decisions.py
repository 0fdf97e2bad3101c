"""Decisions of directors: one at a time in an event, each one transaction with the check that it is possible.

A decision with a key is on record under it, with what came of it. Whoever asks for it again with the same key, as
after a lost connection, is given what came of it, and nothing is done twice.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from sqlalchemy import insert, select, text

from tourney.store.db.database import Database
from tourney.store.db.queries import change_rows, load_value
from tourney.store.db.transactions import one_transaction, transact
from tourney.store.models import DecisionRow

_DECISION_LOCK: Final = 0x72756C65
"""Who decides holds this advisory lock of PostgreSQL with the id of the event: the letters of `rule`.

A row lock on the event would hold up its run, which renews its lease there.
"""


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """What came of a decision: sentences, and the ids of the orders to tables that it led to."""

    lines: tuple[str, ...]
    orders: tuple[int, ...] = ()


@contextmanager
def deciding(database: Database, event_id: int) -> Iterator[Database]:
    """Begin the transaction of a decision; yield the database that is in it.

    Nobody else decides anything in the event until its end: what is found possible stays possible.

    Raises:
        StoreError: the database cannot be used; so the block.
    """
    with one_transaction(database) as joined:
        if not joined.is_sqlite:  # SQLite has one writer anyway
            with joined.read() as connection:
                connection.execute(
                    text("SELECT pg_advisory_xact_lock(:kind, CAST(:event AS integer))"),
                    {"kind": _DECISION_LOCK, "event": event_id},
                )
        yield joined


def decide(
    database: Database, event_id: int, key: str, now_ms: int, work: Callable[[Database], DecisionOutcome]
) -> DecisionOutcome:
    """Do what a director has decided, in one transaction; without effect if the decision of this key is on record.

    Args:
        database: the record.
        event_id: the event.
        key: tells this decision from all others; empty for one that nobody asks for again.
        now_ms: when it was made.
        work: is given the database that is in the transaction; what it raises undoes everything.

    Raises:
        StoreError: the database cannot be used; so `work`.
    """

    def decide_once(joined: Database) -> DecisionOutcome:
        with deciding(joined, event_id) as within:
            known = load_decision(within, event_id, key) if key else None
            if known is not None:
                return known
            outcome = work(within)
            if key:
                stored = json.dumps({"lines": outcome.lines, "orders": outcome.orders})
                row = {"event_id": event_id, "request_id": key, "at_ms": now_ms, "outcome": stored}
                change_rows(within, insert(DecisionRow).values(row))
            return outcome

    return transact(database, decide_once) if key else decide_once(database)


def load_decision(database: Database, event_id: int, key: str) -> DecisionOutcome | None:
    """Load what came of a decision; None if it is not on record.

    Raises:
        StoreError: the database cannot be used.
    """
    query = select(DecisionRow.outcome).where(DecisionRow.event_id == event_id, DecisionRow.request_id == key)
    stored = load_value(database, query)
    if stored is None:
        return None
    found = json.loads(stored)
    return DecisionOutcome(tuple(found["lines"]), tuple(found["orders"]))
