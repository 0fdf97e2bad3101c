"""How many more connections a PostgreSQL server takes: every table host needs some of its own."""

from typing import Final

from sqlalchemy import text

from tourney.store.db.database import Database

CONNECTIONS_OF_HOST: Final = 2
"""One whose transactions wait for the disk, and one whose do not."""

_ROOM: Final = text(
    "SELECT CAST(current_setting('max_connections') AS integer) AS most, "
    "CAST(current_setting('max_connections') AS integer) "
    "- CAST(current_setting('superuser_reserved_connections') AS integer) "
    "- (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS free"
)


def describe_lack(database: Database, hosts: int) -> str | None:
    """Return a sentence if a server has fewer connections left than so many table hosts need; None if it has enough.

    An SQLite file has no such limit.

    Raises:
        StoreError: the database cannot be used.
    """
    if database.is_sqlite:
        return None
    with database.read() as connection:
        row = connection.execute(_ROOM).one()
    needed = CONNECTIONS_OF_HOST * hosts
    if row.free >= needed:
        return None
    return (
        f"{hosts} table hosts need {needed} connections to PostgreSQL, and {max(0, row.free)} are left of "
        f"max_connections = {row.most}: raise that, or start fewer hosts"
    )
