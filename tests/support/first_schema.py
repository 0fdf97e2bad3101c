"""An event that was played, stopped and played on under the first schema (`tests/golden/first_schema.*`)."""

import json
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alembic import command
from sqlalchemy import MetaData, insert, select

from tests.support.golden_figures import GOLDEN
from tourney.store.db.database import Database, file_url
from tourney.store.db.schema import alembic_config

FIRST = "0001"

EVENT_TEXT = """
[event]
name = "Club Evening"

[[team]]
name = "Alpha"

[[team]]
name = "Beta"

[[team]]
name = "Gamma"

[[stage]]
boards_per_match = 3
bye_vp = 0

[deals]
seed = 40017
"""

PBN = (GOLDEN / "first_schema.pbn").read_bytes()
"""What `tourney export --format pbn` gave of it."""

Rows = dict[str, list[tuple[Any, ...]]]
"""The rows of each table, sorted, with the columns of the first schema in their order."""


def golden_documents() -> dict[str, Any]:
    """What `standings --json` and, by number from 1, `match --json` gave."""
    found: dict[str, Any] = json.loads((GOLDEN / "first_schema.json").read_text(encoding="utf-8"))
    return found


def make_first_file(path: Path) -> None:
    """The SQLite file as that program left it."""
    path.write_bytes(_first_file())


@cache
def _first_file() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "first.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((GOLDEN / "first_schema.sql").read_text(encoding="utf-8"))
            connection.execute("PRAGMA journal_mode = WAL")
        return path.read_bytes()


@cache
def first_tables() -> MetaData:
    """The tables of the first schema as the file has them."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "first.db")
        make_first_file(path)
        with closing(Database(file_url(path))) as database:
            return tables_of(database)


def tables_of(database: Database) -> MetaData:
    """The tables as a database has them now, whatever its schema."""
    tables = MetaData()
    with database.read() as connection:
        tables.reflect(connection)
    tables.remove(tables.tables["alembic_version"])
    return tables


def load_rows(database: Database, tables: MetaData) -> Rows:
    with database.read() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in tables.sorted_tables
        }


def migrate(database: Database, revision: str, *, down: bool = False) -> None:
    """Go to a revision, up unless told otherwise."""
    config = alembic_config()
    with database.alter() as connection:
        config.attributes["connection"] = connection
        step = command.downgrade if down else command.upgrade
        step(config, revision)


def make_first_database(database: Database, folder: Path) -> MetaData:
    """Fill an empty database with that event under the first schema; its tables, as they were then."""
    path = database.file or folder / "first.db"
    make_first_file(path)
    tables = first_tables()
    if not database.is_sqlite:
        source = Database(file_url(path))
        migrate(database, FIRST)
        with source.read() as old, database.write() as new:
            copies = MetaData()
            copies.reflect(new)
            for table in tables.sorted_tables:
                new.execute(
                    insert(copies.tables[table.name]), [dict(row) for row in old.execute(select(table)).mappings()]
                )
        source.close()
    return tables
