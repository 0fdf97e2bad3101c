"""The header of an SQLite file is read without harm to the connections of this process."""

import subprocess
import sys
from pathlib import Path

from sqlalchemy import text

from tourney.store.db import files
from tourney.store.db.database import Database, file_url
from tourney.store.db.files import read_header
from tourney.store.db.schema import load_revision, prepare

_OTHER = """
import contextlib, sqlite3, sys
with contextlib.closing(sqlite3.connect(sys.argv[1])) as other:
    print(other.execute("SELECT count(*) FROM sqlite_master WHERE name = 'notes'").fetchone()[0])
"""


def seen_by_another(path: Path) -> int:
    """Another program opens the database, looks for our table, and closes it again."""
    done = subprocess.run([sys.executable, "-c", _OTHER, str(path)], check=True, capture_output=True, text=True)
    return int(done.stdout)


def test_a_look_at_the_schema_leaves_the_log_to_those_who_write_in_it(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    database = Database(file_url(path))
    prepare(database)
    with database.write() as connection:
        connection.execute(text("CREATE TABLE drafts (number INTEGER)"))  # so that there is a log
    load_revision(database)
    assert seen_by_another(path) == 0
    assert path.with_name("event.db-wal").exists(), "the other one was not the last"
    with database.write() as connection:
        connection.execute(text("CREATE TABLE notes (number INTEGER)"))
    assert seen_by_another(path) == 1
    database.close()


def test_no_descriptor_is_kept_of_a_file_that_is_gone_and_only_one_of_each_other(tmp_path: Path) -> None:
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    for path in (one, two):
        path.write_bytes(path.name.encode())
    before = set(files._kept)
    assert [read_header(path) for path in (one, two, one)] == [b"one.db", b"two.db", b"one.db"]
    assert len(set(files._kept) - before) == 2
    inode = (one.stat().st_dev, one.stat().st_ino)
    one.unlink()
    two.replace(one)
    assert read_header(one) == b"two.db"
    assert inode not in files._kept
