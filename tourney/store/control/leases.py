"""Leases on record: who holds one, and the lease of a run on its event.

There is only one run at a time, on any machine: a run writes only while it holds the lease, and each of its
transactions begins with `check_run_lease`. Hosts have a lease each (`hosts`).
"""

from dataclasses import dataclass
from datetime import UTC
from typing import Final, NamedTuple

from sqlalchemy import Connection, and_, select, update

from tourney.errors import RunLeaseLost
from tourney.formats.plain_json import format_plain, parse_plain
from tourney.store.db.database import Database
from tourney.store.db.queries import change_rows, load_row, update_row
from tourney.store.models import Event
from tourney.times import format_moment


class ProcessIdentity(NamedTuple):
    """One process on one machine; `pid_start` distinguishes it from a later process with the same id."""

    machine: str
    pid: int
    pid_start: str

    @property
    def boot(self) -> str:
        """The boot of the machine that the process belongs to; empty where that is not known."""
        boot, slash, _ = self.pid_start.partition("/")
        return boot if slash else ""


@dataclass(frozen=True, slots=True)
class RunHolder:
    """The process of a run, as in `ProcessIdentity`, and since when it has held the event."""

    machine: str
    pid: int
    pid_start: str
    since_ms: int

    @property
    def process(self) -> ProcessIdentity:
        return ProcessIdentity(self.machine, self.pid, self.pid_start)

    def __str__(self) -> str:
        """Format as `process 123 on box since 2026-11-21 12:03 UTC`."""
        return f"process {self.pid} on {self.machine} since {format_moment(self.since_ms, UTC)}"


@dataclass(frozen=True, slots=True)
class RunOnRecord:
    """Who runs an event, and the last heartbeat, both as stored; None if nobody runs it."""

    text: str | None = None
    beat_at_ms: int | None = None

    @property
    def holder(self) -> RunHolder | None:
        """The run's process; None if nobody runs the event or the text cannot be parsed."""
        try:
            return parse_plain(RunHolder, self.text or "")
        except ValueError:
            return None

    def __str__(self) -> str:
        if self.text is None:
            return "nobody"
        return str(self.holder) if self.holder is not None else repr(self.text[:100])


_RUN: Final = select(Event.run_holder, Event.run_beat_at_ms)


def load_run(database: Database, event_id: int) -> RunOnRecord:
    """Load who runs an event."""
    return RunOnRecord(*(load_row(database, _RUN.where(Event.id == event_id)) or ()))


def take_run_lease(database: Database, event_id: int, holder: RunHolder, before: RunOnRecord, now_ms: int) -> bool:
    """Take an event over from the run seen `before`; False if another run was faster or that run is alive again."""
    is_unchanged = and_(
        Event.run_holder.is_not_distinct_from(before.text),
        Event.run_beat_at_ms.is_not_distinct_from(before.beat_at_ms),
    )
    ours = {"run_holder": format_plain(holder), "run_beat_at_ms": now_ms}
    return change_rows(database, update(Event).where(Event.id == event_id, is_unchanged).values(ours)) == 1


def check_run_lease(connection: Connection, event_id: int, holder: RunHolder) -> None:
    """Make sure that a run holds its event, and holds it until the transaction ends.

    Raises:
        RunLeaseLost: another run holds it; the message says only who.
    """
    # PostgreSQL locks the row, so that nobody takes the event over before the end; SQLite has only one writer anyway.
    row = connection.execute(_RUN.where(Event.id == event_id).with_for_update(key_share=True)).first()
    held = RunOnRecord(*(row or ()))
    if held.text != format_plain(holder):
        raise RunLeaseLost(str(held))


def renew_run_lease(database: Database, event_id: int, now_ms: int) -> None:
    """Put a run's heartbeat on record, by its own fenced database."""
    update_row(database, Event, event_id, run_beat_at_ms=now_ms)


def release_run_lease(database: Database, event_id: int, holder: RunHolder) -> None:
    """Release the event; without effect if it belongs to another run by now."""
    is_ours = (Event.id == event_id, Event.run_holder == format_plain(holder))
    change_rows(database, update(Event).where(*is_ours).values(run_holder=None, run_beat_at_ms=None))
