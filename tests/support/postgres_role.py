"""A role of a PostgreSQL server that must give its password, which the test's own server asks of nobody."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.support.workers import locked
from tourney.store.db.database import Database

TRIES_MAX = 1000
"""Connections until a server has read its rules again; it does at once."""


@contextmanager
def role_with_password(url: str, password: str) -> Iterator[str]:
    """The URL of the same database for a superuser with this password; skips where the rules cannot be changed."""
    owner = Database(url)
    role = f"tourney_{uuid.uuid4().hex[:12]}"
    try:
        with owner.read() as connection:
            rules = Path(connection.exec_driver_sql("SHOW hba_file").scalar_one())
        if not rules.is_file():
            pytest.skip("the PostgreSQL server is on another machine")
        with locked(rules):  # all workers have the same server
            before = rules.read_text(encoding="utf-8")
            with owner.outside() as connection:
                connection.exec_driver_sql(f"CREATE ROLE {role} SUPERUSER LOGIN PASSWORD '{password}'")
            try:
                ours = f"local all {role} scram-sha-256\nhost all {role} all scram-sha-256\n"
                _set_rules(owner, rules, ours + before)
                yield make_url(url).set(username=role, password=password).render_as_string(hide_password=False)
            finally:
                _set_rules(owner, rules, before)
                with owner.outside() as connection:
                    connection.exec_driver_sql(f"DROP OWNED BY {role}")
                    connection.exec_driver_sql(f"DROP ROLE {role}")
    finally:
        owner.close()


def _set_rules(owner: Database, path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    before = _rules_read_at(owner)
    with owner.outside() as connection:
        connection.exec_driver_sql("SELECT pg_reload_conf()")
    for _ in range(TRIES_MAX):
        if _rules_read_at(owner) > before:
            return
    raise AssertionError(f"the server has not read its rules in the time of {TRIES_MAX} connections")


def _rules_read_at(owner: Database) -> datetime:
    """A new connection's word for it: it has the rules as the server's first process knew them."""
    owner.close()
    with owner.read() as connection:
        found = connection.exec_driver_sql("SELECT pg_conf_load_time()").scalar_one()
    assert isinstance(found, datetime)
    return found
