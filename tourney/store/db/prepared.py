"""Statements of the record path, which run some hundred times a second.

SQLAlchemy looks up, copies and converts for each statement and each value of it; where SQLite takes the values as
they are that is ten times SQLite's own work. There the text is made once, and the driver is given it with the values;
what it raises is sqlite3's, which `Database` says in a sentence as it does SQLAlchemy's. PostgreSQL's driver wants to
be told the types of values, and is asked the usual way.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeAlias

from sqlalchemy import Connection, Insert, Select, Update
from sqlalchemy.dialects import sqlite

from tourney.store.db.database import driver_of

Runner: TypeAlias = Connection | sqlite3.Connection
"""What runs prepared statements: a connection, or that of the driver below it where it is SQLite's (`runner_of`)."""


class Done(Protocol):
    """What came of a statement: rows, or how many it has changed."""

    @property
    def rowcount(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...


def runner_of(connection: Connection) -> Runner:
    """Return what runs statements in a transaction with the fewest steps, for those who run several."""
    return driver_of(connection) if connection.dialect.name == "sqlite" else connection


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

    def run(self, runner: Runner, values: Sequence[Any]) -> Done:  # of the types above
        """Run it once."""
        if not isinstance(runner, sqlite3.Connection):
            if runner.dialect.name != "sqlite":
                return runner.execute(self._statement, self._named(values))
            runner = driver_of(runner)
        return runner.execute(self._text or self._compile(), values)

    def run_many(self, runner: Runner, rows: Sequence[tuple[Any, ...]]) -> None:  # as above
        """Run it for each row of values."""
        if not isinstance(runner, sqlite3.Connection):
            if runner.dialect.name != "sqlite":
                runner.execute(self._statement, [self._named(row) for row in rows])
                return
            runner = driver_of(runner)
        runner.executemany(self._text or self._compile(), rows)

    def _named(self, values: Sequence[Any]) -> dict[str, Any]:  # as above
        return dict(zip(self._names, values, strict=True))

    def _compile(self) -> str:
        """Return the statement as SQLite takes it, with its values by place."""
        keys = list(self._names) if isinstance(self._statement, Insert) else None
        compiled = self._statement.compile(dialect=sqlite.dialect(paramstyle="qmark"), column_keys=keys)
        assert tuple(compiled.positiontup or ()) == self._names
        self._text = str(compiled)
        return self._text
