"""Statements of the record path, which run some hundred times a second.

SQLAlchemy looks up, copies and converts for each statement and each value of it; where SQLite takes the values as
they are that is ten times SQLite's own work. There the text is made once, and the driver is given it with the values;
what it raises is sqlite3's, which `Database` says in a sentence as it does SQLAlchemy's. PostgreSQL's driver wants to
be told the types of values, and is asked the usual way.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

from sqlalchemy import Connection, Insert, Select, Update

from tourney.store.db.database import driver_of


class Done(Protocol):
    """What came of a statement: rows, or how many it has changed."""

    @property
    def rowcount(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...


def is_sqlite(connection: Connection) -> bool:
    """Whether a transaction is one of an SQLite database."""
    return connection.dialect.name == "sqlite"


class Prepared:
    """A statement with values that each database takes as Python has them: numbers, texts, truths, None."""

    def __init__(self, statement: Insert | Select[*tuple[Any, ...]] | Update, names: Iterable[str]) -> None:
        """Prepare a statement.

        Args:
            statement: with parameters, or an insert.
            names: of the parameters, or of the columns to insert, in the order in which they stand in the statement.
        """
        self._statement: Final = statement
        self._names: Final = tuple(names)
        self._text: str | None = None

    def run(self, connection: Connection, values: Sequence[Any]) -> Done:  # of the types above
        """Run it once."""
        if connection.dialect.name == "sqlite":
            return driver_of(connection).execute(self._text or self._compile(connection), values)
        return connection.execute(self._statement, self._named(values))

    def run_many(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:  # as above
        """Run it for each row of values."""
        if connection.dialect.name == "sqlite":
            driver_of(connection).executemany(self._text or self._compile(connection), rows)
        else:
            connection.execute(self._statement, [self._named(row) for row in rows])

    def _named(self, values: Sequence[Any]) -> dict[str, Any]:  # as above
        return dict(zip(self._names, values, strict=True))

    def _compile(self, connection: Connection) -> str:
        keys = list(self._names) if isinstance(self._statement, Insert) else None
        compiled = self._statement.compile(dialect=connection.dialect, column_keys=keys)
        assert tuple(compiled.positiontup or ()) == self._names
        self._text = str(compiled)
        return self._text
