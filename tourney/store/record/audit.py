"""Reads the record for an audit: whole rows, as of one moment, with nothing computed from them.

Values are the driver's own, whatever was written into a column: an audit says what is wrong with a row, where every
other reader trusts it.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Table, bindparam, select

from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.db.queries import Prepared
from tourney.store.draw.objects import MatchInfo
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    CallRow,
    CardRow,
    DealRow,
    MatchResult,
    Model,
    NetworkDelay,
    ResultRow,
    RulingRow,
    TableRow,
    Team,
)
from tourney.store.record.hash_chain import CALL, CARD
from tourney.store.record.rows import AttemptColumns, AttemptKey, Columns, raw_column
from tourney.store.rulings import RulingInfo, read_ruling

Cells: TypeAlias = dict[str, Any]
"""A row: values by column."""

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
    delays: list[Cells]
    """What the network took of calls and cards, where clients of tunnels said so."""
    rulings: list[RulingInfo]
    """The oldest first."""
    score: Cells | None


@contextmanager
def snapshot(database: Database) -> Iterator[Connection]:
    """Yield a transaction that reads, and sees nothing of what is written after its first statement."""
    with database.read() as connection:
        if not database.is_sqlite:
            # SQLite's transactions are so by themselves.
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield connection


def load_board_rows(connection: Connection, board_set_id: int) -> list[Cells]:
    """Load the boards of a set, in the order of play, each with its deal's `hands`."""
    columns = [*BoardRow.__table__.c, DealRow.__table__.c.hands]
    query = (
        select(*map(raw_column, columns))
        .join(DealRow)
        .where(BoardRow.board_set_id == board_set_id)
        .order_by(BoardRow.position)
    )
    names = [column.key for column in columns]
    return [dict(zip(names, row, strict=True)) for row in connection.execute(query)]


def load_match_rows(connection: Connection, match: MatchInfo) -> MatchRows:
    """Load everything on record of a match: its tables, and what was put down there."""
    ids = sorted(table.id for table in match.tables)
    scores = _SCORES.load(connection, match.id)
    return MatchRows(
        tables={cells["id"]: cells for key in ids for cells in _TABLES.load(connection, key)},
        attempts=[cells for key in ids for cells in _ATTEMPTS.load(connection, key)],
        calls={at: columns for key in ids for at, columns in _CALLS.load(connection, key)},
        cards={at: columns for key in ids for at, columns in _CARDS.load(connection, key)},
        results=[cells for key in ids for cells in _RESULTS.load(connection, key)],
        delays=[cells for key in ids for cells in _DELAYS.load(connection, key)],
        rulings=_load_rulings(connection, match),
        score=scores[0] if scores else None,
    )


def call_cells(columns: Columns) -> list[Cells]:
    """Return calls one by one, with their values by column."""
    return _name_cells(CallRow.__table__, CALL_COLUMNS, zip(*columns, strict=True))


def card_cells(columns: Columns) -> list[Cells]:
    """Return cards one by one, with their values by column."""
    return _name_cells(CardRow.__table__, CARD_COLUMNS, zip(*columns, strict=True))


def count_rows(columns: Columns) -> int:
    """Return how many calls or cards there are."""
    return len(columns[0]) if columns else 0


class _Rows:
    """The rows of a model that one column parts among tables or matches."""

    def __init__(self, model: type[Model], of: str) -> None:
        """`of` is that column."""
        self._table: Final = model.__table__
        query = select(*map(raw_column, self._table.c)).where(self._table.c[of] == bindparam("key"))
        self._statement: Final = Prepared(query.order_by(*self._table.primary_key), ("key",))

    def load(self, connection: Connection, key: int) -> list[Cells]:
        """Load those of a key, in the order of the primary key."""
        return _name_cells(self._table, self._table.c.keys(), self._statement.run(connection, (key,)))


def _name_cells(table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Cells]:
    named = [dict(zip(names, values, strict=True)) for values in rows]
    for name in names:
        if table.c[name].type.python_type is bool:
            for cells in named:
                cells[name] = _BOOLEANS.get(cells[name], cells[name])
    return named


def _load_rulings(connection: Connection, match: MatchInfo) -> list[RulingInfo]:
    rooms: dict[int | None, Room] = {table.id: table.room for table in match.tables}
    rows = connection.execute(_RULINGS, {"match_id": match.id})
    return [read_ruling(row, match=match.number, room=rooms.get(row.table_id), ended=None) for row in rows]


_RULINGS: Final = (
    select(RulingRow, Team.name.label("team"))
    .outerjoin_from(RulingRow, Team)
    .where(RulingRow.match_id == bindparam("match_id"))
    .order_by(RulingRow.at_ms, RulingRow.id)
)
_TABLES: Final = _Rows(TableRow, "id")
_ATTEMPTS: Final = _Rows(BoardAttempt, "table_id")
_CALLS: Final = AttemptColumns(CallRow, CALL_COLUMNS)
_CARDS: Final = AttemptColumns(CardRow, CARD_COLUMNS)
_RESULTS: Final = _Rows(ResultRow, "table_id")
_DELAYS: Final = _Rows(NetworkDelay, "table_id")
_SCORES: Final = _Rows(MatchResult, "match_id")
