"""`tourney db`: the database of an event, its schema, integrity and backups."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import PATH, event_argument
from tourney.cli._output import json_option, print_json, print_text
from tourney.cli._ranges import IntRange
from tourney.errors import UsageError
from tourney.output.rows import Cell, Row
from tourney.output.tables import make_table

if TYPE_CHECKING:
    from tourney.event.file import EventFile
    from tourney.store.db.database import Database


class SoundnessDocument(Row):
    """A database that was checked and found sound."""

    database: str
    """The URL of the database, without its password."""
    schema: str
    """The version of its schema, such as 1.0.0."""
    rows: dict[str, int]
    """The number of rows of each table of the database."""


class BackupDocument(Row):
    """A backup that was made and checked."""

    database: str
    """The URL of the database, without its password."""
    backup: str
    """The path of the backup."""
    bytes: int
    """The size of the backup in bytes."""


class RestoreDocument(Row):
    """A backup that was put in the place of the database."""

    database: str
    """The URL of the database, without its password."""
    backup: str
    """The path of the backup, which stays."""
    schema: str
    """The version of its schema, such as 1.0.0; an older one is brought up to date by the next run."""
    kept: str | None
    """The path of what the database was before; null if there was none."""


@contextmanager
def _database(event_path: Path) -> "Iterator[tuple[EventFile, Database]]":

    from tourney.event.file import load_event_file
    from tourney.store.db.database import Database

    event_file = load_event_file(event_path)
    with closing(Database(event_file.database_url)) as database:
        yield event_file, database


def print_soundness(event_path: Path, *, as_json: bool) -> None:
    """Check that the database of an event is sound, and print how many rows it has; the event may be running.

    Raises:
        StoreError: something is wrong with it.
    """
    from tourney.store.db.maintenance import check_soundness
    from tourney.store.db.schema import HEAD

    with _database(event_path) as (_, database):
        found = check_soundness(database)
        if as_json:
            print_json(SoundnessDocument(str(database), HEAD, found))
            return
        columns = [Cell("Table", lambda item: item[0]), Cell(">Rows", lambda item: str(item[1]))]
        print_text([f"database {database} is sound: schema {HEAD}", make_table(columns, found.items())])


@click.command("backup")
@event_argument
@click.option("--out", type=PATH, metavar="FILE", help="File to write; it must not exist yet.")
@click.option(
    "--keep",
    type=IntRange(1),
    metavar="N",
    help="Keep only the newest N backups of this event; by default all are kept.",
)
@json_option
def backup_command(event_path: Path, out: Path | None, keep: int | None, as_json: bool) -> None:
    """Make a backup of the database, which may be in use by a running event.

    EVENT is the path of an event file. The backup is EVENT-TIME.db in backups/ of the results folder, with the time
    in UTC, unless --out says otherwise; for a PostgreSQL database it is EVENT-TIME.dump, made by pg_dump. It is
    checked before it gets its name. `tourney db restore` replaces an SQLite database with a backup; a backup of
    PostgreSQL is restored with pg_restore.
    """
    from datetime import UTC, datetime

    from tourney.config import slug
    from tourney.store.db.backup import backup_database, backup_to_file
    from tourney.store.db.schema import BACKUPS

    if out is not None and keep is not None:
        raise UsageError("--keep counts the backups in the results folder, so it does not go with --out")
    with _database(event_path) as (event_file, database):
        if out is not None:
            path = out.absolute()
            backup_to_file(database, path)
        else:
            stem = slug(event_file.config.event.name)
            path = backup_database(database, event_file.results / BACKUPS, stem, keep, datetime.now(UTC))
        size = path.stat().st_size
        if as_json:
            print_json(BackupDocument(str(database), str(path), size))
        else:
            click.echo(f"{path}: {size} bytes, checked")


@click.command("restore")
@event_argument
@click.argument("backup", type=PATH)
@json_option
def restore_command(event_path: Path, backup: Path, as_json: bool) -> None:
    """Replace the database with a backup.

    EVENT is the path of an event file, whose event must not be running, BACKUP a backup of its SQLite database. It is
    checked before anything changes: whether it is sound, and of this event. The old database is kept in backups/
    beside it, together with its log, which SQLite must not read into the backup. A backup of PostgreSQL is restored
    into a separate database with pg_restore.
    """
    from datetime import UTC, datetime

    from tourney.coordinator.run_lease import hold_run_lock, load_activity
    from tourney.errors import LaunchError, StoreError, StoreLocked
    from tourney.event.place import forget_record
    from tourney.plurals import count
    from tourney.runtime.clock import wall_ms
    from tourney.store.db.maintenance import restore_database
    from tourney.store.draw.reader import load_event
    from tourney.store.draw.tables import name_key

    with _database(event_path) as (event_file, database):
        name = event_file.config.event.name
        if not database.is_sqlite:
            raise StoreError(
                f"database {database} is a server's, where one database cannot take the place of another in use: "
                f"createdb NEW, pg_restore --no-owner --dbname=NEW {backup}, and name NEW in the event file"
            )
        with hold_run_lock(event_file.results):
            try:
                event = load_event(database, name) if not database.is_missing else None
                hosts = load_activity(event_file, database, event.id, wall_ms()).hosts if event is not None else 0
            except StoreLocked:
                raise
            except StoreError:
                hosts = 0  # it cannot be read, which is why it is to be restored
            if hosts:
                raise LaunchError(
                    f"{count(hosts, 'table host')} of this event {'plays' if hosts == 1 else 'play'} on: "
                    "stop the event before you restore a backup, with `tourney run` and Ctrl-C"
                )
            done = restore_database(database, backup.absolute(), name_key(name), datetime.now(UTC))
            forget_record(event_file.results)
        if as_json:
            kept = str(done.kept) if done.kept is not None else None
            print_json(RestoreDocument(str(database), str(backup.absolute()), done.schema, kept))
            return
        click.echo(f"database {database} is what {backup} has, checked: schema {done.schema}")
        if done.kept is not None:
            click.echo(f"what it was before is in {done.kept}")
