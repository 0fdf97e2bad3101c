"""The state of an event's tables, for whoever conducts it."""

from tourney.coordinator.run_lease import load_activity
from tourney.event.drawn import DrawnEvent
from tourney.report.status import EventStatus, load_status


def load_event_status(drawn: DrawnEvent, now_ms: int) -> EventStatus:
    """Load the state of the tables of an event, with whether a run plays it and how many hosts are left of one.

    Raises:
        StoreError: the database cannot be used.
    """
    now_ms = drawn.database.server_ms() or now_ms  # the clock of whoever plays
    there = load_activity(drawn.file, drawn.database, drawn.event.id, now_ms)
    return load_status(drawn.database, drawn.event, is_run_going=there.is_run, hosts_left=there.hosts, now_ms=now_ms)
