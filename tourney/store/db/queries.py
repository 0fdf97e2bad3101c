"""Statements: those that stand alone, each in a transaction of its own, and those that run very often."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar, TypeVarTuple

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    CursorResult,
    Delete,
    Insert,
    Row,
    Select,
    Table,
    Update,
    delete,
    insert,
    literal,
    select,
    tuple_,
    types,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from tourney.store.db.connections import driver_of
from tourney.store.db.database import Database
from tourney.store.db.declaring import Model, Numbered
from tourney.store.db.transactions import writing

AnyRow: TypeAlias = Row[*tuple[Any, ...]]
AnySelect: TypeAlias = Select[*tuple[Any, ...]]
Values: TypeAlias = Mapping[str, Any]

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


def load_rows(database: Database, query: Select[*_Ts], values: Values | None = None) -> Sequence[Row[*_Ts]]:
    """Load all rows of a query."""
    with database.read() as connection:
        return connection.execute(query, values).all()


def load_row(database: Database, query: Select[*_Ts], values: Values | None = None) -> Row[*_Ts] | None:
    """Load the first row of a query; None if it has none."""
    with database.read() as connection:
        return connection.execute(query, values).first()


def load_column(
    database: Database, query: Select[_T, *tuple[Any, ...]], values: Values | None = None
) -> Sequence[_T]:
    """Load the first column of a query."""
    with database.read() as connection:
        return connection.scalars(query, values).all()


def load_value(database: Database, query: Select[_T, *tuple[Any, ...]]) -> _T | None:
    """Load the first value of the first row of a query; None if it has no row."""
    with database.read() as connection:
        found: _T | None = connection.scalar(query)
        return found


def load_objects(
    database: Database, kind: Callable[..., _T], query: Select[*_Ts], values: Values | None = None
) -> list[_T]:
    """Load an object of a data class (`make_object`) for each row of a query."""
    return [make_object(kind, row) for row in load_rows(database, query, values)]


def has_rows(database: Database, query: AnySelect) -> bool:
    """Return whether a query has any row."""
    return load_row(database, query.limit(1)) is not None


def change_rows(database: Database, statement: Insert | Update | Delete) -> int:
    """Write; return how many rows were changed."""
    with database.write() as connection:
        return connection.execute(statement).rowcount


def insert_row(connection: Connection, model: type[Numbered], values: Values) -> int:
    """Insert a row, in a transaction; return its id."""
    return insert_rows(connection, model, [values])[0]


def insert_rows(connection: Connection, model: type[Numbered], rows: Sequence[Values]) -> list[int]:
    """Insert rows, in a transaction; return their ids, in the order of the rows."""
    if not rows:
        return []
    return list(connection.scalars(insert(model).returning(model.id, sort_by_parameter_order=True), rows))


def add_rows(connection: Connection, model: type[Model], rows: Sequence[Values]) -> None:
    """Insert rows, if there are any, in a transaction."""
    if rows:
        connection.execute(insert(model), rows)


def insert_once(database: Database, model: type[Model], key: Values, values: Values) -> bool:
    """Insert a row unless there is one with these values of its key; return whether there was none."""
    with database.write() as connection:
        columns = model.__table__.c
        known = select(*(columns[name] for name in key)).where(*(columns[name] == key[name] for name in key))
        if connection.execute(known).first() is not None:
            return False
        connection.execute(insert(model).values({**key, **values}))
        return True


def update_row(store: Database | Connection, model: type[Numbered], id_: int, **values: object) -> None:
    """Change a row, in the database or in a transaction that writes."""
    with writing(store) as connection:
        connection.execute(update(model).where(model.id == id_).values(values))


def delete_rows(connection: Connection, table: Table, where: ColumnElement[bool]) -> None:
    """Delete rows, in a transaction, with all that belongs to them.

    Rows that refer to them are deleted likewise, or stay without the reference where it may be null.
    """
    for other in Model.metadata.tables.values():
        for key in other.foreign_key_constraints:
            if key.referred_table is not table:
                continue
            refer = tuple_(*key.columns).in_(select(*(each.column for each in key.elements)).where(where))
            if all(column.nullable for column in key.columns):
                connection.execute(update(other).where(refer).values(dict.fromkeys(key.column_keys)))
            else:
                delete_rows(connection, other, refer)
    connection.execute(delete(table).where(where))


def make_object(kind: Callable[..., _T], row: AnyRow, **more: object) -> _T:
    """Make an object of a data class whose fields are named like columns of a row; `more` has the others."""
    names = kind.__dataclass_fields__  # type: ignore[attr-defined] # of a data class
    values = {**row._mapping, **more}  # noqa: SLF001 # the public name of a row's values by column
    made: _T = kind(**{name: value for name, value in values.items() if name in names})
    return made


def make_values(model: type[Model], item: object, **more: object) -> dict[str, object]:
    """Return the values of those columns of a model that an object has under their names; `more` has others.

    Ids are given by the database.
    """
    names = (column.name for column in model.__table__.c if column.name != "id")
    return {name: getattr(item, name) for name in names if hasattr(item, name)} | more


class is_listed(FunctionElement[bool]):  # noqa: N801 # a function of SQL
    """Whether a number is in a JSON array, so that one statement serves any number of them."""

    type = Boolean()
    inherit_cache = True


@compiles(is_listed, "sqlite")
def _compile_for_sqlite(element: is_listed, compiler: SQLCompiler, **options: Any) -> str:  # SQLAlchemy's
    number, ids = (compiler.process(clause, **options) for clause in element.clauses)
    return f"{number} IN (SELECT value FROM json_each({ids}))"  # noqa: S608 # no value


@compiles(is_listed, "postgresql")
def _compile_for_postgresql(element: is_listed, compiler: SQLCompiler, **options: Any) -> str:  # SQLAlchemy's
    number, ids = (compiler.process(clause, **options) for clause in element.clauses)
    return f"{number} IN (SELECT value::bigint FROM json_array_elements_text(CAST({ids} AS JSON)))"  # noqa: S608 # as above


def one_of(column: ColumnElement[int], ids: Iterable[int]) -> is_listed:
    """Return the condition that a column has one of these values, of which there may be any number."""
    return is_listed(column, literal(str([*ids]), types.Text()))


# Statements of the record path, which run some hundred times a second

# SQLAlchemy looks up, copies and converts for each statement and each value of it; where SQLite takes the values as
# they are that is ten times SQLite's own work. There the text is made once, and the driver is given it with the
# values; what it raises is sqlite3's, which `Database` says in a sentence as it does SQLAlchemy's. The driver of
# PostgreSQL wants to be told the types of values, and is asked the usual way.

Runner: TypeAlias = Connection | sqlite3.Connection
"""What runs prepared statements: a connection, or that of the driver below it where it is SQLite's (`runner_of`)."""

Executed: TypeAlias = CursorResult[*tuple[Any, ...]] | sqlite3.Cursor
"""What came of a statement: rows, or how many it has changed."""


def runner_of(connection: Connection) -> Runner:
    """Return what runs statements in a transaction with the fewest steps, for those who run several."""
    return driver_of(connection) if connection.dialect.name == "sqlite" else connection


class Prepared:
    """A statement with values that each database takes as Python has them: numbers, texts, truths, None."""

    def __init__(self, statement: Insert | AnySelect | Update, names: Iterable[str]) -> None:
        """Prepare a statement.

        Args:
            statement: with parameters, or an insert.
            names: of the parameters, or of the columns to insert, in the order in which they stand in the statement.
        """
        self._statement: Final = statement
        self._names: Final = tuple(names)
        self._text: str | None = None

    def run(self, runner: Runner, values: Sequence[Any]) -> Executed:  # of the types above
        """Run it once."""
        if not isinstance(runner, sqlite3.Connection):
            runner = runner_of(runner)
        if isinstance(runner, sqlite3.Connection):
            return runner.execute(self._text or self._compile(), values)
        return runner.execute(self._statement, self._named(values))

    def run_many(self, runner: Runner, rows: Sequence[tuple[Any, ...]]) -> None:  # as above
        """Run it for each row of values."""
        if isinstance(runner, sqlite3.Connection):
            runner.executemany(self._text or self._compile(), rows)
        else:
            runner.execute(self._statement, [self._named(row) for row in rows])

    def _named(self, values: Sequence[Any]) -> dict[str, Any]:  # as above
        return dict(zip(self._names, values, strict=True))

    def _compile(self) -> str:
        """Return the statement as SQLite takes it, with its values by place."""
        keys = list(self._names) if isinstance(self._statement, Insert) else None
        compiled = self._statement.compile(dialect=sqlite.dialect(paramstyle="qmark"), column_keys=keys)
        assert tuple(compiled.positiontup or ()) == self._names
        self._text = str(compiled)
        return self._text
