"""Whether there is anything new, as those who wait for it often ask."""

from tests.support.events import until
from tests.support.store_events import save_event
from tourney.store.changes import DRAW, ChangeWatch, announce
from tourney.store.db.database import Database


def write(database: Database, statement: str, *, and_announce: bool = False) -> None:
    """Write over connections of one's own."""
    other = Database(database.address)
    with other.write() as connection:
        connection.exec_driver_sql(statement)
        if and_announce:
            announce(connection)
    other.close()


def test_a_change_is_what_others_write_of_what_is_watched(database: Database) -> None:
    event = save_event(database)
    watch = ChangeWatch(database, DRAW, event.id)
    assert [watch.has_changed() for _ in range(3)] == [True, False, False]
    write(database, "UPDATE teams SET name = 'Other' WHERE number = 1")
    assert not watch.has_changed(), "it is another name of as many teams"
    late = f"{event.id}, 99, 'Late', 'late', '', ''"
    write(database, f"INSERT INTO teams (event_id, number, name, name_key, profile, wire) VALUES ({late})")
    assert [watch.has_changed() for _ in range(2)] == [True, False]


def test_a_host_hears_of_what_is_for_it_also_after_its_connection_was_lost(database: Database) -> None:
    save_event(database)
    watch = ChangeWatch(database)
    assert [watch.has_changed() for _ in range(3)] == [True, False, False]
    write(database, "UPDATE teams SET name = 'Other' WHERE number = 1", and_announce=True)
    until(watch.has_changed, "it is announced")
    assert not watch.has_changed()
    if not database.is_sqlite:
        ours = "query = 'LISTEN tourney' AND datname = current_database()"
        write(database, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")
        until(watch.has_changed, "who no longer hears has to look")
        write(database, "SELECT 1", and_announce=True)
        until(watch.has_changed, "it is announced again")
    watch.close()
