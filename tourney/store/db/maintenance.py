"""What an operator does with a database between events: check it, give room back, and put a backup in its place.

A backup is checked before it takes the place of an SQLite database, and nothing of the old one is left beside it.
"""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, false, func, select, text, update

from tourney.errors import StoreError, StoreLocked
from tourney.store.db.backup import stamped_paths
from tourney.store.db.database import Database, file_url, make_folder
from tourney.store.db.files import FileWatch, make_file, sync_path
from tourney.store.db.schema import BACKUPS, HEAD, LOG_SUFFIXES, check, load_revision
from tourney.store.models import Event, Model
from tourney.times import format_second

_DIFFERENCES: Final = {"add": "lacks", "remove": "has, and should not,", "modify": "has differently"}
"""What Alembic would do to make the schema ours, and what that says of it as it is."""


def check_soundness(database: Database) -> dict[str, int]:
    """Look at all of a database: every page and reference of an SQLite file, and the schema of either kind.

    Returns:
        How many rows each table has, by name.

    Raises:
        StoreError: the first thing that is wrong with it.
    """
    check(database)
    with database.write() as connection:
        # It can be written, which reading does not show: an order to change nothing is refused where it cannot.
        connection.execute(update(Event).values(seed=Event.seed).where(false()))
    with database.read() as connection:
        if database.is_sqlite:
            check_pages(database, connection)
        differences = _differences(connection)
        if differences:
            raise StoreError(
                f"database {database} is not as schema {HEAD} has it: it {differences[0]}"
                f"{f', and {len(differences) - 1} more' if len(differences) > 1 else ''}: put a backup in its place"
            )
        return {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in sorted(Model.metadata.tables.values(), key=lambda table: table.name)
        }


def check_file(database: Database) -> None:
    """Check that an SQLite file is whole, and was not overwritten by something else while it is in use.

    Raises:
        StoreError: the first thing that is wrong.
    """
    if database.is_sqlite:
        FileWatch(database).check()
        with database.read() as connection:
            check_pages(database, connection)


def check_pages(database: Database, connection: Connection) -> None:
    """Look at every page and reference of an SQLite file.

    Raises:
        StoreError: the first thing that is wrong.
    """
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    if found != "ok":
        raise StoreError(f"database {database} is damaged: {' '.join(found.split())}: put a backup in its place")
    lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if lost is not None:
        raise StoreError(
            f"database {database} is damaged: a row of table {lost[0]!r} refers to one of {lost[2]!r} that is not "
            "there: put a backup in its place"
        )


def _differences(connection: Connection) -> list[str]:
    from alembic.autogenerate import compare_metadata  # noqa: PLC0415 # a quarter of a second that others need not
    from alembic.migration import MigrationContext  # noqa: PLC0415 # as above

    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return [_difference(found) for found in compare_metadata(context, Model.metadata)]


def _difference(found: Any) -> str:  # Alembic's: (kind, ...), or a list of those for one column
    """`lacks column tables.doing`."""
    kind, *what = found[0] if isinstance(found, list) else found
    verb, _, thing = kind.partition("_")
    names = (each if isinstance(each, str) else getattr(each, "name", None) for each in what[:3])
    return f"{_DIFFERENCES.get(verb, verb)} {thing.replace('_', ' ')} {'.'.join(filter(None, names))}"


_EVENT: Final = "SELECT name, seed, created_at_ms FROM events WHERE name_key = :key"


@dataclass(frozen=True, slots=True)
class Restored:
    """A backup that is in the place of the database."""

    schema: str
    """The number of its schema; an older one is brought up to date by the next run."""
    kept: Path | None
    """What the database was before; None if there was none."""


def restore_database(database: Database, backup: Path, event_key: str, now: datetime) -> Restored:
    """Put a backup in the place of an SQLite database, and keep what is there in `backups/` beside it.

    The backup is copied and checked first. The old database is never without its name until the new one has it,
    unless it is damaged.

    Args:
        database: the database; nobody uses it.
        backup: a file that `tourney db backup` or a run has made; it stays.
        event_key: the name of the event as `name_key` has it.
        now: the time for the name of what is kept, with its zone.

    Raises:
        StoreError: nothing was changed: the backup is damaged or of another event, or somebody uses the database.
    """
    assert database.file is not None
    file = Path(os.path.realpath(database.file))
    if not backup.is_file():
        raise StoreError(f"there is no backup {backup}")
    if file.exists() and backup.samefile(file):
        raise StoreError(f"{backup} is the database itself: name one of its backups")
    make_folder(file.parent)
    with StoreError.of_system(f"backup {backup} cannot be put at {file}"):
        with tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder:
            part = Path(folder, file.name)
            shutil.copyfile(backup, part)
            schema, identity = _check_backup(part, backup, event_key)
            kept = _keep_old(database, file, backup, event_key, identity, now)
            part.chmod(0o640)
            sync_path(part)
            for suffix in LOG_SUFFIXES:
                file.with_name(file.name + suffix).unlink(missing_ok=True)
            part.replace(file)
        sync_path(file.parent)
    return Restored(schema, kept)


def _check_backup(part: Path, backup: Path, event_key: str) -> tuple[str, tuple[str, int]]:
    """Check a copy of a backup; return its schema, and the seed of the event with the time when it was drawn."""
    with contextlib.closing(Database(file_url(part))) as copy:
        try:
            schema = load_revision(copy)
            if schema is None:
                raise StoreError("it holds no event")  # noqa: TRY301 # said of the backup, below
            if schema == HEAD:
                check_soundness(copy)
            with copy.read() as connection:
                check_pages(copy, connection)
                row = connection.execute(text(_EVENT), {"key": event_key}).one_or_none()
                others = connection.execute(text("SELECT name FROM events ORDER BY id")).scalars().all()
        except StoreError as error:
            why = str(error).removeprefix(f"database {copy}: ").replace(f"database {copy}", "it")
            raise StoreError(f"backup {backup} cannot be restored: {why}") from None
    if row is None:
        raise StoreError(f"backup {backup} is not of this event: it holds {', '.join(map(repr, others)) or 'none'}")
    return schema, (row.seed, row.created_at_ms)


def _keep_old(
    database: Database, file: Path, backup: Path, event_key: str, identity: tuple[str, int], now: datetime
) -> Path | None:
    """Keep what is in the place of the database under another name; return it."""
    if not file.exists() or file.stat().st_size == 0:
        file.unlink(missing_ok=True)
        return None
    is_whole = _close_log(database, file)
    if is_whole:
        _check_same_event(database, backup, event_key, identity)
    folder = file.parent / BACKUPS
    make_folder(folder)
    stem = f"{file.stem}-before-restore"
    kept = next(path for path in stamped_paths(folder, stem, file.suffix, now) if not path.exists())
    if is_whole:
        make_file(kept, partial(shutil.copyfile, file))
        return kept
    # It is damaged, and its log may be what somebody mends it with.
    for suffix in LOG_SUFFIXES:
        log = file.with_name(file.name + suffix)
        if log.exists():
            log.replace(kept.with_name(kept.name + suffix))
    file.replace(kept)
    return kept


def _close_log(database: Database, file: Path) -> bool:
    """Write what is in the log of a database into it; return False if it is damaged.

    That is allowed to nobody while others have the database open, which is how it is found out.
    """
    database.close()
    try:
        if load_revision(database) is None:
            return True
    except StoreLocked:
        raise
    except StoreError:
        return False  # damaged, not ours, or with the log of another: it is kept as it is
    finally:
        database.close()
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.OperationalError:
        raise StoreError(f"another program has database {database} open: end it first, then restore") from None
    except sqlite3.DatabaseError:
        return False
    return True


def _check_same_event(database: Database, backup: Path, event_key: str, identity: tuple[str, int]) -> None:
    try:
        with database.read() as connection:
            row = connection.execute(text(_EVENT), {"key": event_key}).one_or_none()
    except StoreError:
        return
    finally:
        database.close()
    if row is not None and (row.seed, row.created_at_ms) != identity:
        drawn = format_second(identity[1], UTC)
        raise StoreError(
            f"backup {backup} is of another event of this name, drawn on {drawn}: to have it "
            "all the same, move the database away first"
        )
