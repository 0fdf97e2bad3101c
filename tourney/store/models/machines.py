"""Tables of the machines that an event is played on: workers of a cluster, and the logs that hosts hand in."""

from sqlalchemy import ColumnClause, ForeignKey, LargeBinary, String, UniqueConstraint, false
from sqlalchemy import Text as LongText

from tourney.store.db.declaring import Model, column
from tourney.store.models.kinds import WorkerState, stored_enum


class WorkerRow(Model):
    """A worker of a cluster, as the run has last heard of it. `address` is where players find tables on it.

    `labels` is a JSON array of words, `tables` how many tables it takes at once. `load_percent` is how busy its
    machine is, null while nobody knows. `heard_at_ms` is by the clock of the run.
    """

    __tablename__ = "workers"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    name: ColumnClause[str] = column(String(100))
    address: ColumnClause[str] = column(String(200))
    labels: ColumnClause[str] = column(LongText)
    tables: ColumnClause[int]
    state: ColumnClause[WorkerState] = column(stored_enum(WorkerState, "worker_state"))
    load_percent: ColumnClause[int | None]
    heard_at_ms: ColumnClause[int]
    is_draining: ColumnClause[bool] = column(server_default=false())


class LogPart(Model):
    """A log file that a host has handed in, or a part of one; its parts are in the order of `at_ms` and `id`.

    `path` is where it belongs below the results folder. `mark` is chosen once for a file that is handed in, so that
    it is stored once. `at_ms` is when it was last written to, `size_bytes` its size; `data` is the file, gzipped.
    """

    __tablename__ = "log_parts"
    __table_args__ = (UniqueConstraint("event_id", "path", "mark"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    path: ColumnClause[str] = column(String(400))
    mark: ColumnClause[str] = column(String(64))
    host: ColumnClause[str] = column(String(100))
    table_id: ColumnClause[int | None] = column(ForeignKey("tables.id"), index=True)
    size_bytes: ColumnClause[int]
    at_ms: ColumnClause[int]
    data: ColumnClause[bytes] = column(LargeBinary)
