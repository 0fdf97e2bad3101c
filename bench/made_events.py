"""Synthetic records for measurements: events drawn as usual, then filled in bulk.

Every row is what the recorder would write, hash chains included; only the route is shorter.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import Enum
from itertools import accumulate
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from tourney.contest.draw import MatchInfo
from tourney.errors import StoreError
from tourney.movement.seating import TableState
from tourney.protocol.session.records import BoardBegan, BoardEnded, CallMade, CardPlayed, TableRecord
from tourney.scoring.match import MatchScore
from tourney.store.db.database import Database
from tourney.store.models import (
    BoardAttempt,
    BoardSet,
    CallRow,
    CardRow,
    Host,
    Match,
    MatchResult,
    Model,
    ResultRow,
    TableRow,
)
from tourney.store.record.hash_chain import (
    CALL,
    CARD,
    END,
    RESULT,
    chain_start,
    end_values,
    hash_row,
)
from tourney.store.record.rows import BEGAN, began_values, call_values, card_values, ended_values, result_values

ATTEMPT: Final = 1
"""The attempt at every board: none is ever begun again."""

Values = tuple[Any, ...]


def play_first_set(database: Database, event_id: int) -> None:
    """Makes all matches of an event that has not begun play the boards of the first round."""
    first = select(func.min(BoardSet.id)).where(BoardSet.event_id == event_id).scalar_subquery()
    with database.write() as connection:
        connection.execute(update(Match).where(Match.event_id == event_id).values(board_set_id=first))


def count_record(database: Database, event_id: int) -> tuple[int, int]:
    """Counts the results, and the calls and cards, that an event has on record."""
    tables = select(TableRow.id).join(Match, Match.id == TableRow.match_id).where(Match.event_id == event_id)
    with database.read() as connection:
        results, calls, cards = (
            connection.scalar(select(func.count()).select_from(model).where(model.table_id.in_(tables))) or 0
            for model in (ResultRow, CallRow, CardRow)
        )
    return results, calls + cards


def count_batches(database: Database, event_id: int) -> int:
    """Counts the transactions in which an event's hosts wrote records."""
    with database.read() as connection:
        return int(connection.scalar(select(func.sum(Host.written)).where(Host.event_id == event_id)) or 0)


@dataclass(frozen=True, slots=True)
class MadeBoard:
    """A board as played, ready to be recorded for any table that played it this way."""

    number: int
    began: BoardBegan
    calls: Sequence[Values]
    """The columns `CALL` of each call."""
    cards: Sequence[Values]
    """The columns `CARD` of each card."""
    end: Values
    """The columns `END` of its attempt."""
    result: Values
    """The columns `RESULT`."""
    links: Sequence[tuple[str, Sequence[object]]]
    """What the hashes of the calls, the cards and the end are over: what each row is, and its values."""


def make_board(records: Iterable[TableRecord]) -> MadeBoard:
    """Makes a board from the records of its only attempt: first its beginning, last its end with a result."""
    began, *actions, ended = records
    assert isinstance(began, BoardBegan)
    assert isinstance(ended, BoardEnded)
    assert ended.result is not None
    calls = [call_values(record) for record in actions if isinstance(record, CallMade)]
    cards = [card_values(record) for record in actions if isinstance(record, CardPlayed)]
    end, result = ended_values(ended), result_values(ended, ended.result)
    links = [
        *(("call", call) for call in calls),
        *(("card", card) for card in cards),
        ("end", end_values(end, result)),
    ]
    return MadeBoard(began.board, began, calls, cards, end, result, links)


class MadeTable(NamedTuple):
    """The boards that a table has played."""

    table_id: int
    boards: Sequence[int]
    """Indices of its boards among those that were made."""
    hashes: Sequence[bytes]
    """What `hash_board` returns for each board."""


def hash_board(table_id: int, board: MadeBoard, text: str) -> bytes:
    """Returns the hashes of the calls, the cards and the end of a board at a table, concatenated.

    Args:
        table_id: the table.
        board: the board as played there.
        text: the board's `board_text`.
    """
    start = chain_start(table_id, board.number, ATTEMPT, ATTEMPT, board.began.at_ms, text)
    hashes = accumulate(board.links, lambda before, link: hash_row(before, *link), initial=start)
    next(hashes)  # the start is in no row
    return "".join(hashes).encode("ascii")


class MatchFiller:
    """Records matches that have not begun as played."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, database: Database) -> "Iterator[MatchFiller]":
        """Opens an SQLite file to which nobody else writes.

        Until the block ends nothing survives a crash and foreign keys are not checked: a file that is lost is made
        again. Afterwards it is like any other.

        Raises:
            StoreError: the database cannot be used, or is not an SQLite file.
        """
        if not database.is_sqlite:
            raise StoreError(f"events are made in SQLite files, got {database}")
        with database.outside() as connection:
            for statement in (*_WHILE_FILLING, *_CALLS.begin, *_CARDS.begin):
                connection.exec_driver_sql(statement)
            yield cls(connection)
        database.close()  # a connection with these settings must not be used again
        database.use_wal()

    def fill(
        self,
        matches: Sequence[MatchInfo],
        boards: Sequence[MadeBoard],
        tables: Iterable[MadeTable],
        score: Callable[[MatchInfo], MatchScore],
        now_ms: int,
    ) -> None:
        """Records matches as played once and scored.

        Args:
            matches: the matches of the tables.
            boards: every way in which some table played a board.
            tables: all tables of these matches.
            score: returns the score of a match.
            now_ms: when the last board ended.
        """
        connection = self._connection
        connection.exec_driver_sql("BEGIN")
        for kind, rows in ((_CALLS, [board.calls for board in boards]), (_CARDS, [board.cards for board in boards])):
            connection.exec_driver_sql(kind.forget)
            made = [(place, *values) for place, of_board in enumerate(rows) for values in of_board]
            if made:
                connection.exec_driver_sql(kind.keep, made)
        for table in tables:
            self._fill_table(table, boards)
        connection.execute(
            insert(MatchResult),
            [{"match_id": match.id} | asdict(score(match)) for match in matches],
        )
        connection.execute(
            update(TableRow)
            .where(TableRow.match_id.in_([match.id for match in matches]))
            .values(state=TableState.FINISHED, attempt=ATTEMPT, changed_at_ms=now_ms)
        )
        connection.exec_driver_sql("COMMIT")

    def _fill_table(self, table: MadeTable, boards: Sequence[MadeBoard]) -> None:
        attempts: list[Values] = []
        calls: list[Values] = []
        cards: list[Values] = []
        results: list[Values] = []
        for place, hashes in zip(table.boards, table.hashes, strict=True):
            board = boards[place]
            keys = (table.table_id, board.number, ATTEMPT)
            calls.append((*keys, hashes, 0, place))
            cards.append((*keys, hashes, len(board.calls), place))
            begun = began_values(board.began, ATTEMPT)[: -len(END)]
            attempts.append((*keys, *begun, *board.end, hashes[-_HASH:].decode("ascii")))
            results.append((*keys, *board.result))
        _insert(self._connection, BoardAttempt, (*_KEYS, *BEGAN, "chain"), attempts)
        self._connection.exec_driver_sql(_CALLS.put_down, calls)
        self._connection.exec_driver_sql(_CARDS.put_down, cards)
        _insert(self._connection, ResultRow, (*_KEYS, *RESULT), results)


def _insert(connection: Connection, model: type[Model], names: Sequence[str], rows: Sequence[Values]) -> None:
    marks = ", ".join("?" * len(names))
    text = f"INSERT INTO {model.__tablename__} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 # names of ours
    connection.exec_driver_sql(text, [tuple(map(_plain, values)) for values in rows])


def _plain(value: Any) -> Any:  # any value of a row
    return value.value if isinstance(value, Enum) else value


_WHILE_FILLING: Final = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA cache_size = -65536",  # KiB: what is written lies in memory until there is much of it
)

_KEYS: Final = ("table_id", "board", "attempt")
_HASH: Final = 64
"""Characters of a hash."""


class _Actions:
    """Calls or cards: SQLite copies those of a board from one table to another, for each place where it was played.

    A row that Python gives costs three times as much.
    """

    def __init__(self, table: str, columns: Sequence[str]) -> None:
        names = ", ".join(columns)
        self.begin: Final = (
            f"CREATE TEMP TABLE made_{table} AS SELECT 0 AS made, {names} FROM {table} LIMIT 0",  # noqa: S608 # as above
            f"CREATE INDEX temp.places_{table} ON made_{table} (made, seq)",
        )
        self.forget: Final = f"DELETE FROM made_{table}"  # noqa: S608 # as above
        marks = ", ".join("?" * (1 + len(columns)))
        self.keep: Final = f"INSERT INTO made_{table} VALUES ({marks})"  # noqa: S608 # as above
        self.put_down: Final = (
            f"INSERT INTO {table} ({', '.join(_KEYS)}, {names}, chain) "  # noqa: S608 # as above
            f"SELECT ?, ?, ?, {names}, CAST(substr(?, (seq + ?) * {_HASH} + 1, {_HASH}) AS TEXT) "
            f"FROM made_{table} WHERE made = ? ORDER BY seq"
        )


_CALLS: Final = _Actions(CallRow.__tablename__, CALL)
_CARDS: Final = _Actions(CardRow.__tablename__, CARD)
