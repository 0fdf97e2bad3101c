"""Reads the record for an audit: whole rows, as of one moment, with nothing computed from them.

Values are the driver's own, whatever was written into a column: an audit says what is wrong with a row, where every
other reader trusts it.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import Column, ColumnElement, Connection, bindparam, func, select, type_coerce
from sqlalchemy.types import NULLTYPE

from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.db.prepared import Prepared
from tourney.store.draw.objects import MatchInfo
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    CallRow,
    CardRow,
    DealRow,
    MatchResult,
    ResultRow,
    RulingRow,
    TableRow,
    Team,
)
from tourney.store.record.hash_chain import CALL, CARD
from tourney.store.rulings import RulingInfo, read_ruling

Cells: TypeAlias = dict[str, Any]
"""A row: values by column."""

Columns: TypeAlias = Sequence[tuple[Any, ...]]
"""Calls or cards of one attempt, of which there are most by far: the values of each of `CALL_COLUMNS` or
`CARD_COLUMNS`, in the order of the rows; empty where the attempt has none."""

AttemptKey: TypeAlias = tuple[int, int, int]
"""Table, board and attempt."""

CALL_COLUMNS: Final = (*CALL, "chain")
CARD_COLUMNS: Final = (*CARD, "chain")

_BOOLEANS: Final = {0: False, 1: True}
"""SQLite has numbers; any other number stays what it is, and shows."""


@dataclass(frozen=True, slots=True)
class MatchRows:
    """All rows of a match. Those of tables are in the order of table, board, attempt and number."""

    tables: dict[int, Cells]
    """Rows of tables by id."""
    attempts: list[Cells]
    calls: dict[AttemptKey, Columns]
    """Those of each attempt that has any."""
    cards: dict[AttemptKey, Columns]
    """Likewise."""
    results: list[Cells]
    rulings: list[RulingInfo]
    """The oldest first."""
    score: Cells | None


@contextmanager
def snapshot(database: Database) -> Iterator[Connection]:
    """A transaction that reads, and sees nothing of what is written after its first statement.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.read() as connection:
        if not database.is_sqlite:
            # SQLite's transactions are so by themselves.
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield connection


def _raw(column: Column[Any]) -> ColumnElement[Any]:
    """A column as the driver gives it, under its name."""
    return type_coerce(column, NULLTYPE).label(column.key)


def load_board_rows(connection: Connection, board_set_id: int) -> list[Cells]:
    """The boards of a set, in the order of play, each with its deal's `hands`."""
    columns = [*BoardRow.__table__.c, DealRow.__table__.c.hands]
    query = (
        select(*map(_raw, columns))
        .join(DealRow)
        .where(BoardRow.board_set_id == board_set_id)
        .order_by(BoardRow.position)
    )
    names = [column.key for column in columns]
    return [dict(zip(names, row, strict=True)) for row in connection.execute(query)]


def load_match_rows(connection: Connection, match: MatchInfo) -> MatchRows:
    """Everything on record of a match: its tables, and what was put down there."""
    ids = sorted(table.id for table in match.tables)
    scores = _SCORES.load(connection, match.id)
    return MatchRows(
        tables={cells["id"]: cells for key in ids for cells in _TABLES.load(connection, key)},
        attempts=[cells for key in ids for cells in _ATTEMPTS.load(connection, key)],
        calls={at: columns for key in ids for at, columns in _CALLS.load_attempts(connection, key)},
        cards={at: columns for key in ids for at, columns in _CARDS.load_attempts(connection, key)},
        results=[cells for key in ids for cells in _RESULTS.load(connection, key)],
        rulings=_load_rulings(connection, match),
        score=scores[0] if scores else None,
    )


def call_cells(columns: Columns) -> list[Cells]:
    """Calls one by one, with their values by column."""
    return _CALLS.name(zip(*columns, strict=True))


def card_cells(columns: Columns) -> list[Cells]:
    """Cards one by one, with their values by column."""
    return _CARDS.name(zip(*columns, strict=True))


def count_rows(columns: Columns) -> int:
    """How many calls or cards there are."""
    return len(columns[0]) if columns else 0


class _Rows:
    """The rows of a model that one column parts among tables or matches."""

    def __init__(self, model: Any, of: str, names: Sequence[str] | None = None) -> None:  # any model
        """`of` is that column; `names` are the columns to read, all by default."""
        table = model.__table__
        columns: list[Column[Any]] = list(table.c) if names is None else [table.c[name] for name in names]
        query = select(*map(_raw, columns)).where(table.c[of] == bindparam("key")).order_by(*table.primary_key)
        self._statement: Final = Prepared(query, ("key",))
        of_attempt = [_raw(table.c[name]) for name in ("board", "attempt") if name in table.c]
        counts = select(*of_attempt, func.count()).where(table.c[of] == bindparam("key"))
        self._counts: Final = Prepared(counts.group_by(*of_attempt).order_by(*of_attempt), ("key",))
        self._names: Final = [column.key for column in columns]
        self._booleans: Final = [column.key for column in columns if column.type.python_type is bool]

    def load(self, connection: Connection, key: int) -> list[Cells]:
        """Those of a key, in the order of the primary key."""
        return self.name(self._statement.run(connection, (key,)))

    def load_attempts(self, connection: Connection, table_id: int) -> Iterator[tuple[AttemptKey, Columns]]:
        """Those of a table as columns, attempt by attempt.

        Counted apart, for a row is read in three quarters of the time without the key of its attempt.
        """
        columns = list(zip(*self._statement.run(connection, (table_id,)), strict=True))
        first = 0
        for board, attempt, count in self._counts.run(connection, (table_id,)):
            its = slice(first, first + count)
            yield (table_id, board, attempt), [values[its] for values in columns]
            first = its.stop

    def name(self, rows: Iterable[Sequence[Any]]) -> list[Cells]:
        named = [dict(zip(self._names, values, strict=True)) for values in rows]
        for name in self._booleans:
            for cells in named:
                cells[name] = _BOOLEANS.get(cells[name], cells[name])
        return named


def _load_rulings(connection: Connection, match: MatchInfo) -> list[RulingInfo]:
    rooms: dict[int | None, Room] = {table.id: table.room for table in match.tables}
    rows = connection.execute(_RULINGS, {"match_id": match.id})
    return [read_ruling(row, match=match.number, room=rooms.get(row.table_id), ended=None) for row in rows]


_RULINGS: Final = (
    select(*RulingRow.__table__.c, Team.name.label("team"))
    .outerjoin_from(RulingRow, Team)
    .where(RulingRow.match_id == bindparam("match_id"))
    .order_by(RulingRow.at_ms, RulingRow.id)
)
_TABLES: Final = _Rows(TableRow, "id")
_ATTEMPTS: Final = _Rows(BoardAttempt, "table_id")
_CALLS: Final = _Rows(CallRow, "table_id", CALL_COLUMNS)
_CARDS: Final = _Rows(CardRow, "table_id", CARD_COLUMNS)
_RESULTS: Final = _Rows(ResultRow, "table_id")
_SCORES: Final = _Rows(MatchResult, "match_id")
