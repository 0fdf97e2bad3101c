"""An SQLite file with our schema and nothing in it: made once by the migrations, which take their time."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Final

from tourney.store.db import schema

make_by_migrations: Final = schema._make_database
"""What the program does where there is no file yet; tests have it copy `blank_database` in its place."""


_making: Final = Lock()
"""Held by the thread that makes the file: migrations have one context in a process."""


def blank_database() -> bytes:
    """What such a file holds."""
    with _making:
        return _make()


@cache
def _make() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "blank.db")
        make_by_migrations(path)
        return path.read_bytes()
