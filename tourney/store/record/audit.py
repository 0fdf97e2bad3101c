"""Reads the record for an audit: whole rows, as of one moment, with nothing computed from them.

Values are the driver's own, whatever was written into a column: an audit says what is wrong with a row, where every
other reader trusts it.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, bindparam, select

from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.db.queries import AnySelect
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
from tourney.store.record.rows import raw_column
from tourney.store.rulings import read_ruling

Cells: TypeAlias = dict[str, Any]
"""A row: values by column."""


@dataclass(frozen=True, slots=True)
class MatchRows:
    """All rows of a match. Those of tables are in the order of table, board, attempt and number."""

    tables: dict[int, Cells]
    """Rows of tables by id."""
    attempts: list[Cells]
    calls: list[Cells]
    cards: list[Cells]
    results: list[Cells]
    delays: list[Cells]
    """What the network took of calls and cards, where clients of tunnels said so."""
    rulings: list[Ruling]
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
    """Load the boards of a set, in the order of play, each with `hands` and `makes` of its deal."""
    columns = (*BoardRow.__table__.c, *DealRow.__table__.c["hands", "makes"])
    query = select(*map(raw_column, columns)).join_from(BoardRow, DealRow).order_by(BoardRow.position)
    return _load_cells(connection, BoardRow, query.where(BoardRow.board_set_id == board_set_id))


def load_match_rows(connection: Connection, match: MatchInfo) -> MatchRows:
    """Load everything on record of a match: its tables, and what was put down there."""
    rooms: dict[int | None, Room] = {table.id: table.room for table in match.tables}

    def load(model: type[Model], of: str = "table_id", ids: Collection[int | None] = rooms) -> list[Cells]:
        query = select(*map(raw_column, model.__table__.c)).where(model.__table__.c[of].in_(ids))
        return _load_cells(connection, model, query.order_by(*model.__table__.primary_key))

    scores, rulings = load(MatchResult, "match_id", [match.id]), connection.execute(_RULINGS, {"match_id": match.id})
    return MatchRows(
        tables={cells["id"]: cells for cells in load(TableRow, "id")},
        attempts=load(BoardAttempt),
        calls=load(CallRow),
        cards=load(CardRow),
        results=load(ResultRow),
        delays=load(NetworkDelay),
        rulings=[
            read_ruling(row, match=match.number, room=rooms.get(row.table_id), ended=None) for row in rulings.all()
        ],
        score=scores[0] if scores else None,
    )


def _load_cells(connection: Connection, model: type[Model], query: AnySelect) -> list[Cells]:
    """Load rows with their values by column; SQLite has numbers for truths, and one that is none shows as it is."""
    rows: list[Cells] = [dict(row) for row in connection.execute(query).mappings()]
    for column in model.__table__.c:
        if column.type.python_type is bool:
            for cells in rows:
                cells[column.key] = {0: False, 1: True}.get(cells[column.key], cells[column.key])
    return rows


_RULINGS: Final = (
    select(RulingRow, Team.name.label("team"))
    .outerjoin_from(RulingRow, Team)
    .where(RulingRow.match_id == bindparam("match_id"))
    .order_by(RulingRow.at_ms, RulingRow.id)
)
