"""Statements of the record path, which run some hundred times a second.

SQLAlchemy looks up, copies and converts for each statement and each value of it; where SQLite takes the values as
they are that is more work than SQLite's own. There the text is made once and the driver is given the values.
PostgreSQL's driver wants to be told of types, and is asked the usual way.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, CursorResult, Insert, Select, Update


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

    def run(self, connection: Connection, values: Sequence[Any]) -> CursorResult[Any]:  # of the types above
        """Run it once."""
        if is_sqlite(connection):
            return connection.exec_driver_sql(self._text_for(connection), tuple(values))
        return connection.execute(self._statement, self._named(values))

    def run_many(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:  # as above
        """Run it for each row of values."""
        if is_sqlite(connection):
            connection.exec_driver_sql(self._text_for(connection), list(rows))
        else:
            connection.execute(self._statement, [self._named(row) for row in rows])

    def _named(self, values: Sequence[Any]) -> dict[str, Any]:  # as above
        return dict(zip(self._names, values, strict=True))

    def _text_for(self, connection: Connection) -> str:
        if self._text is None:
            keys = list(self._names) if isinstance(self._statement, Insert) else None
            compiled = self._statement.compile(dialect=connection.dialect, column_keys=keys)
            assert tuple(compiled.positiontup or ()) == self._names
            self._text = str(compiled)
        return self._text
