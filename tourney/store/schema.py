"""The version of the schema: made and brought up to date by the migrations alone."""

from typing import Final

from sqlalchemy import Connection, inspect, text

from tourney.errors import StoreError
from tourney.resources import migrations_folder
from tourney.store.database import Database

HEAD: Final = "0002"
"""The newest migration; kept here so that commands that only read need not load Alembic."""

_VERSION_TABLE: Final = "alembic_version"
_LANDMARK: Final = "board_attempts"
"""A table that every schema of ours has, and hardly another program's."""
MIGRATION_LOCK: Final = 0x746F75726E6579
"""Whoever migrates a PostgreSQL database holds this advisory lock: the letters of `tourney`."""


def prepare(database: Database) -> None:
    """Make the schema, or bring an older one up to date.

    Raises:
        StoreError: the database cannot be used, is of a newer schema, or holds something else.
    """
    database.make_folder()
    revision = _revision(database)
    database.use_wal()
    if revision == HEAD:
        return
    from alembic import command  # noqa: PLC0415 # a quarter of a second that most commands need not spend
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    with database.alter() as connection:
        if not database.is_sqlite:
            # Two programs may come at once: the second waits, and finds the work done. SQLite has one writer anyway.
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def check(database: Database) -> None:
    """Make sure that the schema is the one this program knows, and change nothing.

    Raises:
        StoreError: it is not, or there is no database.
    """
    if database.is_missing:
        raise StoreError(f"there is no database {database}: `tourney schedule EVENT` makes it")
    revision = _revision(database)
    if revision is None:
        raise StoreError(f"database {database} holds no event: `tourney schedule EVENT` draws one")
    if revision != HEAD:
        raise StoreError(f"database {database} has schema {revision}, this program reads {HEAD}")


def _revision(database: Database) -> str | None:
    """The migration a database is at; None when it is empty.

    Raises:
        StoreError: it is at one that this program does not know, or holds tables that are not ours.
    """
    with database.read() as connection:
        names = set(inspect(connection).get_table_names())
        revision = _read_revision(connection) if _VERSION_TABLE in names else None
    if revision is not None and revision.isdecimal() and int(revision) > int(HEAD):
        raise StoreError(
            f"database {database} is of a newer schema, {revision}, than the {HEAD} this program knows: "
            "install the newer tourney"
        )
    is_empty = revision is None and names <= {_VERSION_TABLE}
    is_ours = revision is not None and revision.isdecimal() and _LANDMARK in names
    if not is_empty and not is_ours:
        raise StoreError(
            f"database {database} holds tables of another program, such as {min(names)!r}: "
            "give tourney a database of its own"
        )
    return revision


def _read_revision(connection: Connection) -> str | None:
    return connection.execute(text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar()  # noqa: S608 # our constant
