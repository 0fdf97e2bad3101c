"""A table host that stands still in the middle of a transaction: nobody waits for what it has locked."""

import pytest

from tests.support.store_events import save_event
from tourney.errors import StoreUnavailable
from tourney.store.db.database import Database

RENAME = "UPDATE events SET name = 'Other'"


def test_the_server_ends_a_transaction_in_which_a_host_stands_still_and_others_go_on(
    postgres_database: Database,
) -> None:
    def stand_still() -> None:
        with host.write() as connection:
            connection.exec_driver_sql(RENAME)
            with postgres_database.write() as other:  # it waits for the row until the server has ended ours
                other.exec_driver_sql(RENAME)
            connection.exec_driver_sql(RENAME)

    save_event(postgres_database)
    host = Database(postgres_database.address, standstill_ms=200)
    with pytest.raises(StoreUnavailable, match="idle-in-transaction"):
        stand_still()
    with host.write() as connection:  # it goes on once it is thawed
        connection.exec_driver_sql(RENAME)
    host.close()
