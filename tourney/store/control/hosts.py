"""Table hosts on record, the workers of a cluster that they are started on, and the logs that they hand in.

The run that starts hosts adds them; they join, renew their leases and end.

A host's row is its lease. While its heartbeats arrive, its tables are its own; the single transaction that declares
it dead also takes them away, so that nothing the host still writes has an effect.
"""

import gzip
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Update,
    and_,
    bindparam,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from tourney.errors import LeaseLost, StoreError
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.table_state import take_tables_from
from tourney.store.db.database import Database
from tourney.store.db.queries import (
    Prepared,
    Runner,
    change_rows,
    insert_once,
    load_column,
    load_objects,
    load_rows,
    load_value,
    make_object,
    make_values,
)
from tourney.store.models import Event, Host, LogPart, TableRow, WorkerRow, WorkerState

TOLD_TO_STOP: Final = "it was told to stop"
RUN_STOPPED: Final = "the run was stopped"
MEANT_ENDS: Final = (TOLD_TO_STOP, RUN_STOPPED, "it was gone when a run began", "it was gone when the lobby opened")
"""Why hosts end that nobody has lost: those that were gone before a run began ended with a run."""

NOBODY_RUNS: Final = "nobody has run the event for"
DRAINED: Final = "is drained: it finishes its boards and ends"
MEANT_WORDS: Final = (NOBODY_RUNS, DRAINED)
"""What the reasons of others have that end because nobody needs them."""

# Built once, as every batch uses it.
_COUNT: Final = Prepared(
    update(Host)
    .where(Host.id == bindparam("host_id"), Host.written == bindparam("before"), Host.ended_at_ms.is_(None))
    .values(written=bindparam("number")),
    ("number", "host_id", "before"),
)
_WRITTEN: Final = Prepared(select(Host.written).where(Host.id == bindparam("host_id")), ("host_id",))


@dataclass(frozen=True, slots=True)
class HostInfo:
    """A host that has not ended, as far as the record knows."""

    id: int
    event_id: int
    name: str
    process: ProcessIdentity | None
    """None before the process has joined."""
    beat_at_ms: int
    """When it was last heard from, by the clock of its machine."""
    written: int
    """How many batches of records it has written."""
    address: str | None = None
    """Where players find its tables; None for the address in the event file."""
    worker: str | None = None
    """The worker of a cluster that it was started on."""
    is_draining: bool = False
    """Whether it finishes the boards in play, releases its tables, and ends."""


@dataclass(frozen=True, slots=True)
class LostHost:
    """A host that has ended though nobody meant it to."""

    id: int
    name: str
    ended_at_ms: int


class HostRenewal(NamedTuple):
    """What a host learns when it renews its lease."""

    lost: frozenset[int]
    """Those of its tables that belong to another host now."""
    is_ended: bool
    """Whether it has been declared dead."""
    run: tuple[str | None, int | None]
    """Who runs the event, and the run's last heartbeat; as long as this changes, the run is alive."""
    settings: str
    """What the newest run has stored for hosts (`tourney.store.control.host_settings`)."""
    is_draining: bool = False
    """Whether it is to finish the boards in play and end."""


def add_host(database: Database, event_id: int, name: str, now_ms: int, worker: str | None = None) -> HostInfo:
    """Put a host on record before it is started, with the worker of a cluster; a name can be used only once."""
    with database.write() as connection:
        of_process = {"machine": "", "pid": 0, "pid_start": "", "written": 0, "reason": "", "worker": worker}
        times = {"started_at_ms": now_ms, "beat_at_ms": now_ms}
        connection.execute(insert(Host).values(event_id=event_id, name=name, **of_process, **times))
        return _load_hosts(connection, Host.event_id == event_id, Host.name == name)[0]


def join_host(
    database: Database, name: str, process: ProcessIdentity, now_ms: int, address: str | None = None
) -> HostInfo:
    """Put the process of a host on record.

    Args:
        database: the record.
        name: the name under which the host was added.
        process: the process.
        now_ms: the time by its clock.
        address: where players find its tables; None for the address in the event file.

    Raises:
        StoreError: there is no such host, or it was declared dead before it began.
    """
    with database.write() as connection:
        joined = connection.execute(
            update(Host)
            .where(Host.name == name, Host.ended_at_ms.is_(None))
            # One process is the host: if a worker was killed while it started it, there may be two, and one ends.
            .where(or_(Host.pid == 0, and_(Host.pid == process.pid, Host.pid_start == process.pid_start)))
            .values(process._asdict() | {"beat_at_ms": now_ms, "address": address})
        )
        if joined.rowcount == 0:
            raise StoreError(f"database {database} has no table host {name!r} that is to work")
        return _load_hosts(connection, Host.name == name)[0]


def load_hosts(database: Database, event_id: int) -> list[HostInfo]:
    """Load the hosts of an event that have not ended, in the order in which they were added."""
    with database.read() as connection:
        return _load_hosts(connection, Host.event_id == event_id)


def _load_hosts(connection: Connection, *where: ColumnElement[bool]) -> list[HostInfo]:
    query = select(Host).where(*where, Host.ended_at_ms.is_(None)).order_by(Host.id)
    return [
        make_object(HostInfo, row, process=ProcessIdentity(row.machine, row.pid, row.pid_start) if row.pid else None)
        for row in connection.execute(query)
    ]


def load_lost_hosts(database: Database, event_id: int) -> list[LostHost]:
    """Load the hosts of an event that have ended though nobody meant them to, in the order in which they began."""
    is_meant = or_(Host.reason.in_(MEANT_ENDS), *(Host.reason.contains(each) for each in MEANT_WORDS))
    query = (
        select(Host.id, Host.name, Host.ended_at_ms)
        .where(Host.event_id == event_id, Host.ended_at_ms.is_not(None), not_(is_meant))
        .order_by(Host.id)
    )
    return load_objects(database, LostHost, query)


def drain_host(database: Database, host: HostInfo) -> None:
    """Tell a host to finish the boards in play, release its tables, and end: it hears it with its next heartbeat."""
    change_rows(database, _living(host.id).values(is_draining=True))


def load_addresses(database: Database, event_id: int) -> dict[str, str]:
    """Load the addresses of hosts that have one of their own, by name; hosts that have ended are included."""
    query = select(Host.name, Host.address).where(Host.event_id == event_id, Host.address.is_not(None))
    return {row.name: row.address for row in load_rows(database, query)}


def count_hosts(database: Database, event_id: int) -> int:
    """Count the hosts that an event has had, ended ones included."""
    return load_value(database, select(func.count()).where(Host.event_id == event_id)) or 0


def renew_host_lease(database: Database, host: HostInfo, attempts: Mapping[int, int], now_ms: int) -> HostRenewal:
    """Put a host's heartbeat on record, and load which tables it has lost and who runs the event.

    Args:
        database: the record.
        host: the holder of the lease.
        attempts: the attempt number of each of its tables, by table id.
        now_ms: the time of its machine.
    """
    # A heartbeat need not survive a power cut, and a slow disk should not delay it.
    with database.write(synced=False) as connection:
        renewed = connection.execute(_living(host.id).values(beat_at_ms=now_ms))
        newest: dict[int, int] = {}
        if attempts:
            rows = connection.execute(select(TableRow.id, TableRow.attempt).where(TableRow.id.in_(attempts)))
            newest = dict(iter(rows))
        run = connection.execute(
            select(Event.run_holder, Event.run_beat_at_ms, Event.settings, Host.is_draining)
            .join_from(Event, Host, Host.event_id == Event.id)
            .where(Host.id == host.id)
        ).one_or_none()
    lost = frozenset(table_id for table_id, attempt in attempts.items() if newest.get(table_id) != attempt)
    is_ended = renewed.rowcount == 0
    holder, run_beat_at_ms, settings, is_draining = run or (None, None, "", False)
    return HostRenewal(lost, is_ended, (holder, run_beat_at_ms), settings, is_draining)


def count_batch(runner: Runner, host_id: int, number: int, before: int) -> bool:
    """Count a batch of a host's records in the transaction that writes them; return False if it is on record already.

    If a connection of the host was lost in a transaction, wait until the database has ended that transaction.

    Args:
        runner: the transaction.
        host_id: the host that writes the batch.
        number: the number of the batch, from 1.
        before: that of the last one that was counted.

    Raises:
        LeaseLost: the host has been declared dead, or the database has lost a batch that was counted.
    """
    if _COUNT.run(runner, (number, host_id, before)).rowcount:
        return True
    if (number,) in _WRITTEN.run(runner, (host_id,)):
        return False
    raise LeaseLost(
        f"table host {host_id} writes no more: it was declared dead, or the database was set back to a backup", {}
    )


def end_host(database: Database, host: HostInfo, reason: str, now_ms: int) -> list[int]:
    """Declare a host dead and take its tables, which now wait for another host; return their ids."""
    with database.write() as connection:
        connection.execute(_living(host.id).values(ended_at_ms=now_ms, reason=reason))
        return take_tables_from(connection, host.name, reason, now_ms)


def leave_host(database: Database, host: HostInfo, reason: str, now_ms: int) -> None:
    """Put on record that a host has ended by itself, after it has reported the state of its tables."""
    change_rows(database, _living(host.id).values(ended_at_ms=now_ms, reason=reason))


def _living(host_id: int) -> Update:
    """Return an update of a host that has no effect once it has ended."""
    return update(Host).where(Host.id == host_id, Host.ended_at_ms.is_(None))


# Workers of a cluster, for those who watch: the run writes what it hears of them, nothing depends on it
#
# Placement goes by what the scheduler says at the moment. `tourney status` and the console read this, on any machine.


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerInfo:
    """A worker of a cluster, as the run has last heard of it."""

    name: str
    address: str
    """Where players find the tables on it."""
    tables: int
    """How many tables it takes at once."""
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
            values = make_values(WorkerRow, worker, event_id=event_id)
            here = (WorkerRow.event_id == event_id, WorkerRow.name == worker.name)
            statement = update(WorkerRow).where(*here) if worker.name in known else insert(WorkerRow)
            connection.execute(statement.values(values))
        gone = known - {worker.name for worker in workers}
        if gone:
            connection.execute(
                update(WorkerRow)
                .where(WorkerRow.event_id == event_id, WorkerRow.name.in_(gone))
                .values(state=WorkerState.GONE, load_percent=None)
            )


def load_workers(database: Database, event_id: int) -> list[WorkerInfo]:
    """Load the workers that an event has had, in the order in which they came; those that have left included."""
    query = select(WorkerRow).where(WorkerRow.event_id == event_id).order_by(WorkerRow.id)
    return load_objects(database, WorkerInfo, query)


# Logs that hosts on other machines hand in, so that nothing stays only on their disks
#
# A part is the whole of a file that a host had written when it handed it in. A file of the same name may be handed in
# several times, by hosts on several machines: its parts, in the order in which they were written, are the file.


GZIP_LEVEL: Final = 6
"""Small rather than quick: a log is handed in once, when nobody waits for it, and kept for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    """A log file in the record."""

    path: str
    """Where it belongs below the results folder, such as `wire/match-001-open.jsonl`."""
    parts: int
    size_bytes: int
    """Its size as a file."""


def record_log(
    database: Database,
    event_id: int,
    *,
    path: str,
    mark: str,
    data: bytes,
    host: str,
    at_ms: int,
    table_id: int | None = None,
) -> bool:
    """Put a part of a log on record; return False if it is there already.

    Args:
        database: the record.
        event_id: the event.
        path: where the file belongs below the results folder.
        mark: chosen once for what is handed in, so that it is stored once, however often that is tried.
        data: what is in the file.
        host: the host that hands it in.
        at_ms: when it was last written to.
        table_id: the table that it is the log of; None for that of a host.
    """
    packed = gzip.compress(data, GZIP_LEVEL, mtime=0)
    values = {"host": host, "table_id": table_id, "size_bytes": len(data), "at_ms": at_ms, "data": packed}
    return insert_once(database, LogPart, {"event_id": event_id, "path": path, "mark": mark}, values)


def load_log_files(database: Database, event_id: int, table_ids: frozenset[int] | None = None) -> list[LogFile]:
    """Load which log files are in the record, by path: all of an event, or those of some of its tables."""
    query = (
        select(LogPart.path, func.count().label("parts"), func.sum(LogPart.size_bytes).label("size_bytes"))
        .where(LogPart.event_id == event_id)
        .group_by(LogPart.path)
        .order_by(LogPart.path)
    )
    if table_ids is not None:
        query = query.where(LogPart.table_id.in_(table_ids))
    return [make_object(LogFile, row, size_bytes=int(row.size_bytes)) for row in load_rows(database, query)]


def iter_log(database: Database, event_id: int, path: str) -> Iterator[bytes]:
    """Yield what is in a log file, part by part; each is loaded when it is asked for."""
    ids = select(LogPart.id).where(LogPart.event_id == event_id, LogPart.path == path)
    ids = ids.order_by(LogPart.at_ms, LogPart.id)
    for part in load_column(database, ids):
        data = load_value(database, select(LogPart.data).where(LogPart.id == part))
        if data is not None:
            yield gzip.decompress(data)
