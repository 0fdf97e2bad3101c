"""What an operator does with a database between events: look whether it is sound, and give room back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, false, func, select, text, update

from tourney.errors import StoreError
from tourney.store.db.database import Database
from tourney.store.db.file_identity import FileWatch
from tourney.store.db.schema import HEAD, check
from tourney.store.models import Event, Model

_DIFFERENCES: Final = {"add": "lacks", "remove": "has, and should not,", "modify": "has differently"}
"""What Alembic would do to make the schema ours, and what that says of it as it is."""


@dataclass(frozen=True, slots=True)
class Soundness:
    """A database in which nothing is wrong: its migration, and how many rows each table has, by name."""

    schema: str
    rows: dict[str, int]


def check_soundness(database: Database) -> Soundness:
    """Look at all of a database: every page and reference of an SQLite file, and the schema of either kind.

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
        rows = {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in sorted(Model.metadata.tables.values(), key=lambda table: table.name)
        }
    return Soundness(HEAD, rows)


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
    return f"{_DIFFERENCES.get(verb, verb)} {thing.replace('_', ' ')} {'.'.join(_names(what))}"


def _names(what: Sequence[Any]) -> list[str]:
    texts = [each if isinstance(each, str) else getattr(each, "name", None) for each in what[:3]]
    return [each for each in texts if each]


def vacuum(database: Database) -> tuple[int, int]:
    """Give the room of rows that are gone back to the disk; bytes before and after.

    An SQLite file is written anew, which needs as much room again, and nobody else can write meanwhile.

    Raises:
        StoreError: the database cannot be used, or is not ours; it stays as it was.
    """
    check(database)
    before = _size(database)
    with database.outside() as connection:
        connection.exec_driver_sql("VACUUM" if database.is_sqlite else "VACUUM ANALYZE")
        if database.is_sqlite:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return before, _size(database)


def _size(database: Database) -> int:
    query = "page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    if not database.is_sqlite:
        query = "pg_database_size(current_database())"
    with database.read() as connection:
        return int(connection.execute(text(f"SELECT {query}")).scalar_one())
