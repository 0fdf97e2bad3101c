"""Events that nobody has played, made for measurements: drawn as usual, then changed, filled and counted in bulk.

What is filled in is row by row what the recorder writes: same columns, same chains. Only the way is shorter.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, insert, select, update

from tourney.errors import StoreError
from tourney.protocol.records import BoardBegan, BoardEnded, CallMade, CardPlayed, TableRecord
from tourney.store.chain import CALL, CARD, END, RESULT, chain_link, chain_start, encode_link, end_values
from tourney.store.chaining import load_board_texts
from tourney.store.database import Database
from tourney.store.models import (
    BoardAttempt,
    BoardSet,
    CallRow,
    CardRow,
    Host,
    Match,
    MatchResult,
    ResultRow,
    TableRow,
    TableState,
)
from tourney.store.objects import MatchInfo, StoredMatchScore
from tourney.store.record_rows import began_columns, call_values, card_values, ended_columns, result_columns
from tourney.store.results import score_columns

ATTEMPT: Final = 1
"""At every table and every board: all goes well the first time."""

Values = tuple[Any, ...]


def play_first_set(database: Database, event_id: int) -> None:
    """Let all matches of an event, of which none has begun, play the boards of the first round."""
    first = select(func.min(BoardSet.id)).where(BoardSet.event_id == event_id).scalar_subquery()
    with database.write() as connection:
        connection.execute(update(Match).where(Match.event_id == event_id).values(board_set_id=first))


def count_record(database: Database, event_id: int) -> tuple[int, int]:
    """How many results, and how many calls and cards, are on record of an event."""
    tables = select(TableRow.id).join(Match, Match.id == TableRow.match_id).where(Match.event_id == event_id)
    with database.read() as connection:
        results, calls, cards = (
            connection.scalar(select(func.count()).select_from(model).where(model.table_id.in_(tables))) or 0
            for model in (ResultRow, CallRow, CardRow)
        )
    return results, calls + cards


def count_batches(database: Database, event_id: int) -> int:
    """How many transactions the hosts of an event have put records down with."""
    with database.read() as connection:
        return int(connection.scalar(select(func.sum(Host.written)).where(Host.event_id == event_id)) or 0)


@dataclass(frozen=True, slots=True)
class MadeBoard:
    """A board as it was played, ready to be put on record of any table that has played it so."""

    number: int
    began: BoardBegan
    calls: Sequence[tuple[Values, bytes]]
    """The columns `CALL` of each call, and the link of its hash."""
    cards: Sequence[tuple[Values, bytes]]
    """The columns `CARD` of each card, and the link of its hash."""
    end: dict[str, Any]
    end_link: bytes
    result: dict[str, Any]


def make_board(records: Iterable[TableRecord]) -> MadeBoard:
    """A board from the records of its only attempt: the first is its begin, the last its end, with a result."""
    began, *actions, ended = records
    assert isinstance(began, BoardBegan)
    assert isinstance(ended, BoardEnded)
    assert ended.result is not None
    calls = [call_values(record) for record in actions if isinstance(record, CallMade)]
    cards = [card_values(record) for record in actions if isinstance(record, CardPlayed)]
    end, result = ended_columns(ended), result_columns(ended, ended.result)
    closing = end_values(_in_order(end, END), _in_order(result, RESULT))
    return MadeBoard(
        began.board,
        began,
        [(values, encode_link("call", values)) for values in calls],
        [(values, encode_link("card", values)) for values in cards],
        end,
        encode_link("end", closing),
        result,
    )


def _in_order(row: Mapping[str, Any], names: Iterable[str]) -> Values:
    return tuple(row[name] for name in names)


@dataclass(slots=True)
class _Rows:
    """Of some tables."""

    attempts: list[dict[str, Any]]
    calls: list[Values]
    cards: list[Values]
    results: list[dict[str, Any]]


def fill_matches(
    database: Database,
    matches: Sequence[MatchInfo],
    played: Callable[[int], Iterable[MadeBoard]],
    score: Callable[[MatchInfo], StoredMatchScore],
    now_ms: int,
) -> None:
    """Put matches that nobody has begun on record, as played once and scored, in one transaction.

    Args:
        database: an SQLite file.
        matches: that all play the same boards.
        played: what was played at a table, by its id.
        score: what a match came to.
        now_ms: when the last board was over.

    Raises:
        StoreError: the database cannot be used, or is no SQLite file.
    """
    if not database.is_sqlite:
        raise StoreError(f"events are made in SQLite files, got {database}")
    rows = _Rows([], [], [], [])
    with database.write() as connection:
        table_ids = [table.id for match in matches for table in match.tables]
        texts = load_board_texts(connection, table_ids[0])
        for table_id in table_ids:
            for board in played(table_id):
                _add_board(rows, table_id, board, texts[board.number])
        connection.execute(insert(BoardAttempt), rows.attempts)
        # A tuple of values costs the driver half of what a dictionary costs, and there are millions.
        for model, names, values in ((CallRow, CALL, rows.calls), (CardRow, CARD, rows.cards)):
            if values:
                connection.exec_driver_sql(_insert_values(model.__tablename__, names), values)
        connection.execute(insert(ResultRow), rows.results)
        connection.execute(
            insert(MatchResult),
            [{"match_id": match.id, "finished_at_ms": now_ms} | score_columns(score(match)) for match in matches],
        )
        connection.execute(
            update(TableRow)
            .where(TableRow.id.in_(table_ids))
            .values(state=TableState.FINISHED, attempt=ATTEMPT, changed_at_ms=now_ms)
        )


def _add_board(rows: _Rows, table_id: int, board: MadeBoard, text: str) -> None:
    place = (table_id, board.number, ATTEMPT)
    chain = chain_start(*place, ATTEMPT, board.began.at_ms, text)
    for made, into in ((board.calls, rows.calls), (board.cards, rows.cards)):
        for values, link in made:
            chain = chain_link(chain, link)
            into.append((*place, *values, chain))
    keys = {"table_id": table_id, "board": board.number, "attempt": ATTEMPT}
    closed = {"chain": chain_link(chain, board.end_link)}
    rows.attempts.append(keys | began_columns(board.began, ATTEMPT) | board.end | closed)
    rows.results.append(keys | board.result)


def _insert_values(table: str, names: Iterable[str]) -> str:
    columns = ("table_id", "board", "attempt", *names, "chain")
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 # names of ours
