"""Puts a backup of an SQLite database in its place: checked before, with nothing of the old one left beside it."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import text

from tourney.errors import StoreError, StoreLocked
from tourney.store.db.backup import STAMP
from tourney.store.db.database import Database, file_url, make_folder
from tourney.store.db.delays import find_lock_holder
from tourney.store.db.maintenance import check_pages, check_soundness
from tourney.store.db.new_files import make_file, sync_path
from tourney.store.db.schema import BACKUPS, HEAD, LOG_SUFFIXES, load_revision

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
    try:
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
    except OSError as error:
        raise StoreError(f"backup {backup} cannot be put at {file}: {error.strerror}") from None
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
    kept, number = folder / f"{file.stem}-before-restore-{now.astimezone(UTC):{STAMP}}{file.suffix}", 1
    while kept.exists():
        number += 1
        kept = kept.with_name(f"{file.stem}-before-restore-{now.astimezone(UTC):{STAMP}}-{number}{file.suffix}")
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
        holder = find_lock_holder(file, is_writer=False)
        who = str(holder) if holder is not None else "another process"
        raise StoreError(f"{who} has database {database} open: end it first, then restore") from None
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
        drawn = datetime.fromtimestamp(identity[1] / 1000, UTC)
        raise StoreError(
            f"backup {backup} is of another event of this name, drawn on {drawn:%Y-%m-%d %H:%M:%S} UTC: to have it "
            "all the same, move the database away first"
        )
