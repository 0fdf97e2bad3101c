"""An SQLite file with our schema and nothing in it: made once by the migrations, which take their time."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tourney.store.db import schema

make_by_migrations: Final = schema._make_database
"""What the program does where there is no file yet; tests have it copy `blank_database` in its place."""


@cache
def blank_database() -> bytes:
    """What such a file holds."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "blank.db")
        make_by_migrations(path)
        return path.read_bytes()
