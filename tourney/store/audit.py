"""The record as it lies in the database, for those who check it: whole rows of one moment, nothing made of them.

Values are the driver's own, whatever was written into a column: an auditor says what is wrong with a row, where every
other reader trusts it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import Column, ColumnElement, Connection, select, type_coerce
from sqlalchemy.types import NULLTYPE

from tourney.movement.seating import Room
from tourney.store.database import Database
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
from tourney.store.objects import MatchInfo
from tourney.store.rulings import read_terms
from tourney.store.verdicts import RulingInfo

Cells: TypeAlias = dict[str, Any]
"""A row: values by column."""

_BOOLEANS: Final = {0: False, 1: True}
"""SQLite has numbers; any other number stays what it is, and shows."""


@dataclass(frozen=True, slots=True)
class MatchRows:
    """All rows of a match. Those of tables are in the order of table, board, attempt and number."""

    tables: dict[int, Cells]
    """By id."""
    attempts: list[Cells]
    calls: list[Cells]
    cards: list[Cells]
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


def load_board_rows(connection: Connection, board_set_id: int) -> list[Cells]:
    """The boards of a set, in the order of play, each with its deal's `hands`."""
    columns = [*BoardRow.__table__.c, DealRow.__table__.c.hands]
    query = (
        select(*map(_raw, columns))
        .join(DealRow, DealRow.id == BoardRow.deal_id)
        .where(BoardRow.board_set_id == board_set_id)
        .order_by(BoardRow.position)
    )
    names = [column.key for column in columns]
    return [dict(zip(names, row, strict=True)) for row in connection.execute(query)]


def load_match_rows(connection: Connection, match: MatchInfo) -> MatchRows:
    """Everything on record of a match: its tables, and what was put down there."""
    ids = [table.id for table in match.tables]
    scores = _load(connection, MatchResult, MatchResult.match_id == match.id)
    return MatchRows(
        tables={cells["id"]: cells for cells in _load(connection, TableRow, TableRow.id.in_(ids))},
        attempts=_load(connection, BoardAttempt, BoardAttempt.table_id.in_(ids)),
        calls=_load(connection, CallRow, CallRow.table_id.in_(ids)),
        cards=_load(connection, CardRow, CardRow.table_id.in_(ids)),
        results=_load(connection, ResultRow, ResultRow.table_id.in_(ids)),
        rulings=_load_rulings(connection, match),
        score=scores[0] if scores else None,
    )


def _load(connection: Connection, model: Any, wanted: ColumnElement[bool]) -> list[Cells]:  # any model
    columns: Sequence[Column[Any]] = tuple(model.__table__.c)
    query = select(*map(_raw, columns)).where(wanted).order_by(*model.__table__.primary_key)
    names = [column.key for column in columns]
    booleans = [column.key for column in columns if column.type.python_type is bool]
    rows = [dict(zip(names, row, strict=True)) for row in connection.execute(query)]
    for name in booleans:
        for cells in rows:
            cells[name] = _BOOLEANS.get(cells[name], cells[name])
    return rows


def _raw(column: Column[Any]) -> ColumnElement[Any]:
    """A column as the driver gives it, under its name."""
    return type_coerce(column, NULLTYPE).label(column.key)


def _load_rulings(connection: Connection, match: MatchInfo) -> list[RulingInfo]:
    rooms: dict[int | None, Room] = {table.id: table.room for table in match.tables}
    query = (
        select(*RulingRow.__table__.c, Team.name.label("team"))
        .outerjoin(Team, Team.id == RulingRow.team_id)
        .where(RulingRow.match_id == match.id)
        .order_by(RulingRow.at_ms, RulingRow.id)
    )
    return [
        RulingInfo(
            id=row.id,
            kind=row.kind,
            team=row.team or "",
            match=match.number,
            room=rooms.get(row.table_id),
            board=row.board,
            attempt=row.attempt,
            ended=None,
            amount=row.amount,
            reason=row.reason,
            law=row.law,
            author=row.author,
            at_ms=row.at_ms,
            withdrawn_at_ms=row.withdrawn_at_ms,
            withdrawn_by=row.withdrawn_by,
            withdrawn_reason=row.withdrawn_reason,
            assigned=read_terms(row.terms),
        )
        for row in connection.execute(query)
    ]
