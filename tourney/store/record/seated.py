"""Who sat at tables last, by the record of connections."""

from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import select

from tourney.bridge import Seat
from tourney.store.db.database import Database
from tourney.store.models import ConnectionRow


def load_seated(database: Database, table_ids: Iterable[int]) -> dict[int, dict[Seat, str]]:
    """Load the names under which the seats of tables were taken last, by id of the table.

    Raises:
        StoreError: the database cannot be used.
    """
    query = (
        select(ConnectionRow.table_id, ConnectionRow.seat, ConnectionRow.team)
        .where(ConnectionRow.table_id.in_(list(table_ids)))
        .order_by(ConnectionRow.table_attempt, ConnectionRow.connection)
    )
    seated: defaultdict[int, dict[Seat, str]] = defaultdict(dict)
    with database.read() as connection:
        for row in connection.execute(query):
            seated[row.table_id][Seat.from_letter(row.seat)] = row.team
    return dict(seated)
