"""Connections to a database: how many a server has left, and that none outlives its database."""

import re
import sqlite3

import pytest

from tourney.store.control.hosts import describe_lack
from tourney.store.db.connections import driver_of
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


@pytest.mark.parametrize("transaction", ["read", "write"])
def test_a_connection_in_use_when_the_database_is_closed_is_closed_at_its_end(
    sqlite_database: Database, transaction: str
) -> None:
    with getattr(sqlite_database, transaction)() as connection:
        driver = driver_of(connection)
        sqlite_database.close()
        assert driver.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        driver.execute("SELECT 1")
