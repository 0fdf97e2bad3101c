"""Whether anything was written at all, as those who look often ask first."""

from tests.support.store_events import save_event
from tourney.store.changes import load_data_version
from tourney.store.db.database import Database


def test_the_version_of_the_data_changes_with_what_others_write_and_not_with_what_is_read(database: Database) -> None:
    def stays() -> bool:
        before = load_data_version(database)
        with database.read() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM teams").scalar_one()
        return load_data_version(database) == before

    event = save_event(database)
    # PostgreSQL has one version for its whole server, to which other tests write.
    assert any(stays() for _ in range(200))
    before = load_data_version(database)
    assert before is not None
    other = Database(database.address)
    with other.write() as connection:
        connection.exec_driver_sql(f"UPDATE teams SET name = 'Other' WHERE event_id = {event.id} AND number = 1")
    other.close()
    assert load_data_version(database) != before
