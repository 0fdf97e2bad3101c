"""Whether the record has changed in what the desk shows, without reading the tables of the event one by one."""

from typing import Any, Final, TypeAlias

from sqlalchemy import BindParameter, Select, bindparam, func, select

from tourney.store.db.database import Database
from tourney.store.models import (
    AlertQuestion,
    DeskLogRow,
    Host,
    Match,
    Order,
    Round,
    RulingRow,
    StageRow,
    TableRow,
)

DeskDigest: TypeAlias = tuple[tuple[Any, ...], ...]
"""Rows of counts, sums and reports; two looks at the record with equal ones would show the same.

Heartbeats are in none. Calls, cards, results and whoever sits down or leaves are in the number of batches that their
host has written.
"""


def load_desk_digest(database: Database, event_id: int) -> DeskDigest:
    """Load the digest of an event.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.read() as connection:
        return tuple(tuple(row) for query in _QUERIES for row in connection.execute(query, {"event": event_id}))


_EVENT: Final[BindParameter[int]] = bindparam("event")

# Built once: they are run several times a second.
_QUERIES: Final[tuple[Select[*tuple[Any, ...]], ...]] = (
    select(
        func.count(), func.sum(TableRow.attempt), func.sum(TableRow.changed_at_ms), func.max(TableRow.changed_at_ms)
    )
    .select_from(TableRow)
    .join(Match)
    .where(Match.event_id == _EVENT),
    select(TableRow.id, TableRow.doing).join(Host, Host.name == TableRow.host).where(Host.event_id == _EVENT),
    select(Host.id, Host.written, Host.ended_at_ms, Host.is_draining).where(Host.event_id == _EVENT),
    select(func.count(), func.count(Round.drawn_at_ms), func.max(Round.drawn_at_ms), func.sum(Round.starts_at_ms))
    .select_from(Round)
    .join(StageRow)
    .where(StageRow.event_id == _EVENT),
    select(func.max(DeskLogRow.id), func.count(DeskLogRow.done_at_ms)).where(DeskLogRow.event_id == _EVENT),
    select(func.count(), func.count(RulingRow.withdrawn_at_ms))
    .select_from(RulingRow)
    .where(RulingRow.event_id == _EVENT),
    select(func.max(Order.id), func.count(Order.acted_at_ms)),
    select(func.count(), func.count(AlertQuestion.answer)).select_from(AlertQuestion),
)
