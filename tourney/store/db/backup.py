"""Backups of a database: whole, consistent while an event runs, and tried before they count."""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from tourney.errors import StoreError
from tourney.store.db.database import Database, make_folder
from tourney.store.db.failures import sqlite_failure
from tourney.store.db.files import make_file

STAMP: Final = "%Y%m%dT%H%M%SZ"
_STAMPED: Final = r"-(\d{8}T\d{6}Z)(?:-(\d+))?"
"""The time of a backup, and its number when that second has several."""


def backup_database(database: Database, folder: Path, stem: str, keep: int | None, now: datetime) -> Path:
    """Make a backup `<stem>-<UTC time>.db`, of a PostgreSQL database `.dump`, while others write.

    It takes as long as reading the database does: on an event loop, call it in a thread.

    Args:
        database: what is copied.
        folder: where to; made when it is not there.
        stem: the beginning of the name; backups of one stem belong together.
        keep: how many backups of this stem stay in the folder, the new one included, at least 1; None for all.
        now: the time for the name, with its zone.

    Raises:
        StoreError: there is no backup; those that were there stay.
    """
    assert keep is None or keep >= 1
    make_folder(folder)
    suffix = ".db" if database.is_sqlite else ".dump"
    path = next(path for path in stamped_paths(folder, stem, suffix, now) if _is_made(database, path))
    if keep is not None:
        _drop_older(path, stem, keep)
    return path


def stamped_paths(folder: Path, stem: str, suffix: str, now: datetime) -> Iterator[Path]:
    """Yield the paths that a backup made now may have: a second has several if the first are taken."""
    path = folder / f"{stem}-{now.astimezone(UTC):{STAMP}}{suffix}"
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")


def backup_to_file(database: Database, path: Path) -> None:
    """Make a backup of this name, while others write.

    Raises:
        StoreError: there is a file with this name, which stays, or the backup cannot be made.
    """
    make_folder(path.parent)
    if not _is_made(database, path):
        raise StoreError(f"file {path} exists already, and a backup overwrites nothing: give another name")


def _is_made(database: Database, path: Path) -> bool:
    """Make the backup, unless there is a file with this name."""
    try:
        make_file(path, partial(_copy_sqlite if database.is_sqlite else dump_postgres, database))
    except FileExistsError:
        return False
    return True


def _copy_sqlite(database: Database, path: Path) -> None:
    """Copy an SQLite database as it is at one moment, and check the copy.

    Raises:
        StoreError: the database cannot be read, the copy not be written, or the copy is damaged.
    """
    if database.is_missing:
        raise StoreError(f"there is no database {database}")
    with database.read() as connection:
        # From here on the connection sees one state; copying would wait without end for a lock it does not get.
        connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        try:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as copy:
                source.backup(copy)
                # One file, that can be read where nothing can be written beside it.
                copy.execute("PRAGMA journal_mode = DELETE")
                copy.execute("PRAGMA application_id = 0")  # it is another file (`file_identity`)
                found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            raise sqlite_failure(f"backup of database {database} into {path.parent.parent}", error) from error
    if found != "ok":
        raise StoreError(f"database {database} is damaged, no backup was made: {' '.join(found.split())}")


def _drop_older(newest: Path, stem: str, keep: int) -> None:
    pattern = re.compile(re.escape(stem) + _STAMPED + re.escape(newest.suffix))
    ages = {
        path: (match[1], int(match[2] or 1))
        for path in newest.parent.iterdir()
        if path != newest and (match := pattern.fullmatch(path.name))
    }
    others = sorted(ages, key=lambda path: ages[path], reverse=True)
    for path in others[keep - 1 :]:
        with StoreError.of_system(f"backup {newest} was made, but {path} cannot be removed"):
            path.unlink(missing_ok=True)


# PostgreSQL, by its own pg_dump and pg_restore


DUMP_S: Final = 1800
"""How long a dump may take; one of a million boards takes minutes."""

_PASSPHRASE: Final = "sslpassword"
_PASSWORD_VARIABLE: Final = "PGPASSWORD"
_WITH_PASSWORDS: Final = (_PASSWORD_VARIABLE, "TOURNEY_DATABASE")
"""Environment variables that may have the password of a database."""


def dump_postgres(database: Database, path: Path) -> None:
    """Write a dump in pg_dump's custom format, and read it through once.

    The password goes by a file that its owner alone may read: everybody on the machine sees a command line, and the
    environment of pg_dump can be read by every process of the same user.

    Raises:
        StoreError: the server cannot be had, the password cannot be handed over, pg_dump or pg_restore is not there,
            fails or takes too long.
    """
    # The driver is optional: whoever uses SQLite need not have it.
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415

    options = database.driver_options
    if _PASSPHRASE in options:
        raise StoreError(
            f"database {database}: pg_dump cannot be given {_PASSPHRASE!r} unseen: "
            "use a key without a passphrase, or make the backup with the server's own means"
        )
    with database.read():
        pass  # a server that cannot be had now may be had later, which pg_dump does not tell apart
    password = options.pop("password", None) or os.environ.get(_PASSWORD_VARIABLE)
    with _password_file(database, password) as file:
        if file is not None:
            options["passfile"] = str(file)
        words = ("--no-password", "--format=custom", f"--file={path}", f"--dbname={make_conninfo(**options)}")
        _run(database, "pg_dump", words)
    _run(database, "pg_restore", (f"--file={os.devnull}", str(path)))


@contextmanager
def _password_file(database: Database, password: str | None) -> Iterator[Path | None]:
    """Make a password file as libpq reads it, mode 0600, that is gone afterwards; None without a password.

    Raises:
        StoreError: it cannot be written, or the password cannot be in such a file.
    """
    if password is None:
        yield None
        return
    if "\n" in password or "\r" in password:
        raise StoreError(
            f"database {database}: pg_dump cannot be given a password with a line break unseen: choose another"
        )
    escaped = password.replace("\\", "\\\\").replace(":", "\\:")
    with tempfile.TemporaryDirectory(prefix="tourney-") as folder:  # mode 0700
        file = Path(folder) / "pgpass"
        with StoreError.of_system(f"database {database}: {file} cannot be written"):
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
                opened.write(f"*:*:*:*:{escaped}\n")
        yield file


def _run(database: Database, name: str, words: tuple[str, ...]) -> None:
    program = shutil.which(name)
    if program is None:
        raise StoreError(
            f"database {database}: a backup is made by {name}, which is not on the PATH of this machine: "
            "install the client programs of PostgreSQL"
        )
    try:
        # The program is the server's, its words are ours.
        done = subprocess.run(  # noqa: S603
            [program, *words],
            env={key: value for key, value in os.environ.items() if key not in _WITH_PASSWORDS},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=DUMP_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise StoreError(f"database {database}: {name} has not ended after {DUMP_S} s") from None
    except OSError as error:
        raise StoreError(f"database {database}: {program} cannot be started: {error.strerror}") from None
    if done.returncode:
        said = " ".join(done.stderr.replace(f"{name}: ", "").split()).removeprefix("error: ")
        why = database.conceal(said) or f"{name} ended with status {done.returncode}"
        raise StoreError(f"database {database}: no backup was made: {why}")
