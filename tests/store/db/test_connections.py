"""Whether a server has enough connections left for the table hosts that are to be started."""

import re

from tourney.store.control.hosts import describe_lack
from tourney.store.db.database import Database


def test_more_hosts_than_postgresql_has_connections_for_are_told_with_the_limit(postgres_database: Database) -> None:
    assert describe_lack(postgres_database, 1) is None
    found = describe_lack(postgres_database, 5000)
    assert found is not None
    assert re.fullmatch(
        r"5000 table hosts need 10000 connections to PostgreSQL, and \d+ are left of max_connections = \d+: .*", found
    )


def test_an_sqlite_file_has_no_limit(sqlite_database: Database) -> None:
    assert describe_lack(sqlite_database, 5000) is None
