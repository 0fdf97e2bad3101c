"""Workers of a cluster on record."""

from dataclasses import replace

from tests.support.store_events import NOW_MS, save_event
from tourney.store.control.hosts import WorkerInfo, load_workers, record_workers
from tourney.store.db.database import Database
from tourney.store.models import WorkerState

LAPTOP = WorkerInfo(name="LAPTOP2", address="10.0.0.7", tables=8, heard_at_ms=NOW_MS)


def test_what_a_run_hears_of_workers_replaces_what_it_had_heard_and_those_it_misses_are_gone(
    sqlite_database: Database,
) -> None:
    event = save_event(sqlite_database)
    other = replace(LAPTOP, name="BOX", load_percent=70)
    record_workers(sqlite_database, event.id, [LAPTOP, other])
    assert load_workers(sqlite_database, event.id) == [LAPTOP, other]
    draining = replace(LAPTOP, is_draining=True, load_percent=5, heard_at_ms=NOW_MS + 9)
    record_workers(sqlite_database, event.id, [draining])
    assert load_workers(sqlite_database, event.id) == [
        draining,
        replace(other, state=WorkerState.GONE, load_percent=None),
    ]
    record_workers(sqlite_database, event.id, [other])
    assert [worker.state for worker in load_workers(sqlite_database, event.id)] == [
        WorkerState.GONE,
        WorkerState.WORKING,
    ]
