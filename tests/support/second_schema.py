"""A made-up migration after the newest one, and the rows of a database before and after it."""

from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select

from tourney.store.db import schema
from tourney.store.db.database import Database
from tourney.store.models import Model

SECOND: Final = "99.0.0"

_MIGRATION: Final = f'''
import sqlalchemy as sa
from alembic import op

revision = "{SECOND}"
down_revision = "{schema.HEAD}"


def upgrade() -> None:
    with op.batch_alter_table("teams") as batch:
        batch.add_column(sa.Column("country", sa.Text(), server_default="", nullable=False))
        batch.alter_column("name", type_=sa.String(200))
    op.execute("UPDATE teams SET country = 'of ' || name")
'''

Rows = dict[str, list[tuple[Any, ...]]]


def add_second_schema(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the program know one more migration, which changes a table that others refer to."""
    versions = folder / "versions"
    versions.mkdir()
    (versions / "second.py").write_text(_MIGRATION, encoding="utf-8")
    config = schema.alembic_config()
    ours = Path(str(config.get_main_option("script_location"))) / "versions"
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", f"{ours}:{versions}")
    monkeypatch.setattr(schema, "alembic_config", lambda: config)
    monkeypatch.setattr(schema, "HEAD", SECOND)


def load_rows(database: Database) -> Rows:
    """The rows of every table, sorted, in the columns that the models have."""
    with database.read() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in Model.metadata.sorted_tables
        }
