"""Who sat at tables when, by the record of connections."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import select

from tourney.bridge import Seat
from tourney.store.db.database import Database
from tourney.store.models import ConnectionRow


class SeatRecord(NamedTuple):
    """A seat that was taken, under a name."""

    seat: Seat
    name: str
    at_ms: int


def load_seated(database: Database, table_ids: Iterable[int]) -> dict[int, list[SeatRecord]]:
    """Load who took the seats of tables, in the order of time, by id of the table.

    Raises:
        StoreError: the database cannot be used.
    """
    query = (
        select(ConnectionRow.table_id, ConnectionRow.seat, ConnectionRow.team, ConnectionRow.seated_at_ms)
        .where(ConnectionRow.table_id.in_(list(table_ids)))
        .order_by(ConnectionRow.table_attempt, ConnectionRow.connection)
    )
    seated: defaultdict[int, list[SeatRecord]] = defaultdict(list)
    with database.read() as connection:
        for row in connection.execute(query):
            record = SeatRecord(Seat.from_letter(row.seat), row.team, row.seated_at_ms)
            seated[row.table_id].append(record)
    return dict(seated)
