"""Workers of a cluster on record, for those who watch: the run writes what it hears of them, nothing depends on it.

Placement goes by what the scheduler says at the moment. `tourney status` and the desk read this, on whatever machine.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import insert, select, update

from tourney.store.db.database import Database
from tourney.store.db.queries import load_rows, make_object, make_values
from tourney.store.models import WorkerRow, WorkerState


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerInfo:
    """A worker of a cluster, as the run has last heard of it."""

    name: str
    address: str
    """Where players find the tables on it."""
    tables: int
    """How many tables it takes at once."""
    labels: tuple[str, ...] = ()
    state: WorkerState = WorkerState.WORKING
    load_percent: int | None = None
    """How busy its machine is; None while nobody knows."""
    heard_at_ms: int
    """When the run last heard from it, by the run's clock."""
    is_draining: bool = False
    """Whether it takes no more tables, and leaves when those it has are done."""


def record_workers(database: Database, event_id: int, workers: Collection[WorkerInfo]) -> None:
    """Put on record what a run knows of the workers now; those on record that are not among them are gone.

    Call it every few seconds at most: it is one transaction, with a statement for each worker.
    """
    with database.write(synced=False) as connection:
        known = set(connection.scalars(select(WorkerRow.name).where(WorkerRow.event_id == event_id)))
        for worker in workers:
            values = make_values(WorkerRow, worker, event_id=event_id, labels=json.dumps(worker.labels))
            if worker.name in known:
                here = (WorkerRow.event_id == event_id, WorkerRow.name == worker.name)
                connection.execute(update(WorkerRow).where(*here).values(values))
            else:
                connection.execute(insert(WorkerRow).values(values))
        gone = known - {worker.name for worker in workers}
        if gone:
            connection.execute(
                update(WorkerRow)
                .where(WorkerRow.event_id == event_id, WorkerRow.name.in_(gone))
                .values(state=WorkerState.GONE, load_percent=None)
            )


def load_workers(database: Database, event_id: int) -> list[WorkerInfo]:
    """Load the workers that an event has had, in the order in which they came; those that have left included."""
    query = select(*WorkerRow.__table__.c).where(WorkerRow.event_id == event_id).order_by(WorkerRow.id)
    return [make_object(WorkerInfo, row, labels=tuple(json.loads(row.labels))) for row in load_rows(database, query)]
