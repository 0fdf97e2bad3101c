"""An SQLite file with our schema and nothing in it: made once by the migrations, which take their time."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tourney.store.database import Database, file_url
from tourney.store.schema import prepare


@cache
def blank_database() -> bytes:
    """What such a file holds."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "blank.db")
        database = Database(file_url(path))
        prepare(database)
        database.close()
        return path.read_bytes()
