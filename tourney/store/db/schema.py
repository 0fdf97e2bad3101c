"""The version of the schema: made and brought up to date by the migrations alone.

A schema is named after the version of tourney that brought it, so that whoever cannot read one knows what can.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import inspect, text

from tourney import __version__
from tourney.errors import StoreError
from tourney.resources import migrations_folder
from tourney.store.db.backup import backup_database
from tourney.store.db.database import Database, file_url
from tourney.store.db.files import give_identity, make_file, read_header
from tourney.store.db.transactions import lock

if TYPE_CHECKING:
    from alembic.config import Config

HEAD: Final = "1.0.0"
"""The newest migration; kept here so that commands that only read need not load Alembic."""

_VERSION_TABLE: Final = "alembic_version"
_NUMBERS: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){2}")

_LANDMARK: Final = "board_attempts"
"""A table that every schema of ours has, and hardly another program's."""
MIGRATION_LOCK: Final = 0x746F75726E6579
"""Whoever migrates a PostgreSQL database holds this advisory lock: the letters of `tourney`."""


LOG_SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""What SQLite has beside a file: the log, its index, and the log of a file that keeps it behind."""

_ROLLBACK: Final = b"\x01\x01"
"""How the 19th and 20th byte of an SQLite file say that it has no log ahead of it (sqlite.org/fileformat.html)."""

BACKUPS: Final = "backups"
"""Folder beside an SQLite file that holds what it was before each migration."""


@dataclass(frozen=True, slots=True)
class SchemaUpgrade:
    """What `prepare` found and did. `before` is None where there was no schema; `backup` was made of an older one."""

    before: str | None
    backup: Path | None


def prepare(database: Database) -> SchemaUpgrade:
    """Make the schema, or bring an older one up to date; an SQLite file is backed up before.

    Raises:
        StoreError: the database cannot be used, is of a newer schema, is a file of no bytes, or holds something else.
    """
    if database.file is not None and database.is_missing:
        _check_no_log_left(database, database.file)
        database.make_folder()
        try:
            make_file(database.file, _make_database)
        except FileExistsError:
            pass  # another program was faster, and has made the same
        else:
            give_identity(database)
            return SchemaUpgrade(None, None)
    revision = load_revision(database)
    backup = None
    if database.file is not None and revision not in (None, HEAD):
        stem = f"{database.file.stem}-schema-{revision}"
        backup = backup_database(database, database.file.parent / BACKUPS, stem, None, datetime.now(UTC))
    database.use_wal()
    if revision != HEAD:
        _upgrade(database)
    give_identity(database)
    return SchemaUpgrade(revision, backup)


def _check_no_log_left(database: Database, file: Path) -> None:
    """SQLite would read a log into whatever file has the name it belongs to."""
    for suffix in ("-wal", "-journal"):
        log = file.with_name(file.name + suffix)
        if log.exists() and database.is_missing:  # another program may have made both just now
            raise StoreError(
                f"database {database} is gone, but {log.name} beside it may hold boards of it: "
                "put the database back, or remove that file to start again"
            )


def _check_log_is_its_own(database: Database) -> None:
    """Refuse a backup that was put in the place of a database whose log is still there: SQLite would mix the two.

    Backups of ours are single files that say they have no log; a database of ours in use says that it has one.
    """
    if database.file is None:
        return
    log = database.file.with_name(f"{database.file.name}-wal")
    try:
        if log.stat().st_size == 0:
            return
        header = read_header(database.file)
    except OSError:
        return
    if header[18:20] == _ROLLBACK:
        raise StoreError(
            f"database {database} was put in the place of another, whose log {log.name} is still beside it and would "
            f"be read into it: remove {log.name} and {database.file.name}-shm, or use "
            "`tourney db restore EVENT BACKUP`"
        )


def _make_database(path: Path) -> None:
    """Make the file as a whole: nobody ever meets a half-made one, and one of no bytes is never ours."""
    database = Database(file_url(path))
    try:
        database.use_wal()
        _upgrade(database)
    finally:
        database.close()


def _upgrade(database: Database) -> None:
    from alembic import command  # noqa: PLC0415 # a quarter of a second that most commands need not spend

    config = alembic_config()
    with database.alter() as connection:
        # Two programs may come at once: the second waits, and finds the work done.
        lock(database, connection, MIGRATION_LOCK)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def alembic_config() -> "Config":
    """Tell Alembic where our migrations are; it is handed its connection in `attributes`."""
    from alembic.config import Config  # noqa: PLC0415 # as above

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    return config


def check(database: Database) -> None:
    """Make sure that the schema is the one this program knows, and change nothing.

    Raises:
        StoreError: it is not, or there is no database.
    """
    if database.is_missing:
        raise StoreError(f"there is no database {database}: `tourney schedule EVENT` makes it")
    revision = load_revision(database)
    if revision is None:
        raise StoreError(f"database {database} holds no event: `tourney schedule EVENT` draws one")
    if revision != HEAD:
        raise StoreError(
            f"database {database} has schema {revision}, this program reads {HEAD}: "
            "`tourney schedule EVENT` brings it up to date"
        )


def is_empty(database: Database) -> bool:
    """Return whether there is no database yet, or nothing in it.

    Raises:
        StoreError: it cannot be used, or holds something else.
    """
    return database.is_missing or load_revision(database) is None


def load_revision(database: Database) -> str | None:
    """Load the migration that a database is at; None when it is empty.

    Raises:
        StoreError: it is at one that this program cannot read, holds tables that are not ours, or is a file of no
            bytes.
    """
    try:
        return _known_revision(database)
    except StoreError:
        database.close()  # what is refused is released: nothing of SQLite's stays beside a file that is not ours
        raise


def _known_revision(database: Database) -> str | None:
    if database.has_no_bytes:
        raise StoreError(
            f"database {database} is an empty file, of 0 bytes: put a backup in its place, or remove it to start "
            "again"
        )
    _check_log_is_its_own(database)
    with database.read() as connection:
        names = set(inspect(connection).get_table_names())
        stored = text(f"SELECT version_num FROM {_VERSION_TABLE}")  # noqa: S608 # our constant
        revision = connection.scalar(stored) if _VERSION_TABLE in names else None
    if revision is not None and _order(revision) > _order(HEAD):
        raise StoreError(
            f"database {database} has schema {revision}, which tourney {revision} and later versions can read: "
            f"install one of them, this is {__version__}"
        )
    is_empty = revision is None and names <= {_VERSION_TABLE}
    is_ours = revision is not None and _LANDMARK in names and _order(revision) > ()
    if not is_empty and not is_ours:
        raise StoreError(
            f"database {database} holds tables of another program, such as {min(names)!r}: "
            "give tourney a separate database"
        )
    return revision


def _order(revision: str) -> tuple[int, ...]:
    """Return the numbers of a version, to compare it with others; none for another program's revision."""
    return tuple(map(int, revision.split("."))) if _NUMBERS.fullmatch(revision) else ()
