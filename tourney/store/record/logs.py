"""Logs in the record: what hosts on other machines hand in, so that nothing stays only on their disks.

A part is the whole of a file that a host had written when it handed it in. A file of the same name may be handed in
several times, by hosts on several machines: its parts, in the order in which they were written, are the file.
"""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select

from tourney.store.db.database import Database
from tourney.store.db.queries import insert_once, load_column, load_rows, load_value, make_object
from tourney.store.models import LogPart

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
