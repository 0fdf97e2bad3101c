"""Events that nobody has played, made for measurements: drawn as usual, then changed, filled and counted in bulk.

What is filled in is row by row what the recorder writes: same columns, same chains. Only the way is shorter.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, func, insert, select, update

from tourney.errors import StoreError
from tourney.protocol.records import BoardBegan, BoardEnded, CallMade, CardPlayed, TableRecord
from tourney.store.chain import CALL, CARD, END, RESULT, chain_links, chain_start, encode_link, end_values
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
from tourney.store.prepared import Prepared
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
    calls: Sequence[Values]
    """The columns `CALL` of each call."""
    cards: Sequence[Values]
    """The columns `CARD` of each card."""
    end: dict[str, Any]
    result: dict[str, Any]
    links: Sequence[str]
    """Of the hashes of the calls, the cards and the end."""


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
    links = [
        *(encode_link("call", values) for values in calls),
        *(encode_link("card", values) for values in cards),
        encode_link("end", closing),
    ]
    return MadeBoard(began.board, began, calls, cards, end, result, [link.decode("ascii") for link in links])


def _in_order(row: Mapping[str, Any], names: Iterable[str]) -> Values:
    return tuple(row[name] for name in names)


class MatchFiller:
    """Puts matches that nobody has begun on record."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, database: Database) -> "Iterator[MatchFiller]":
        """One for an SQLite file to which nobody else writes.

        Until the block ends nothing is safe from a crash and references are not checked: such a file is made anew.
        Then it is as every other one.

        Raises:
            StoreError: the database cannot be used, or is no SQLite file.
        """
        if not database.is_sqlite:
            raise StoreError(f"events are made in SQLite files, got {database}")
        with database.outside() as connection:
            for pragma in _WHILE_FILLING:
                connection.exec_driver_sql(f"PRAGMA {pragma}")
            yield cls(connection)
        database.close()  # a connection that is set up like this one is not for others
        database.use_wal()

    def fill(
        self,
        matches: Sequence[MatchInfo],
        played: Callable[[int], Iterable[MadeBoard]],
        score: Callable[[MatchInfo], StoredMatchScore],
        now_ms: int,
    ) -> None:
        """Put matches on record as played once and scored.

        Args:
            matches: that all play the same boards.
            played: what was played at a table, by its id.
            score: what a match came to.
            now_ms: when the last board was over.
        """
        table_ids = [table.id for match in matches for table in match.tables]
        self._connection.exec_driver_sql("BEGIN")
        texts = load_board_texts(self._connection, table_ids[0])
        for table_id in table_ids:
            self._fill_table(table_id, played(table_id), texts)
        self._connection.execute(
            insert(MatchResult),
            [{"match_id": match.id, "finished_at_ms": now_ms} | score_columns(score(match)) for match in matches],
        )
        self._connection.execute(
            update(TableRow)
            .where(TableRow.id.in_(table_ids))
            .values(state=TableState.FINISHED, attempt=ATTEMPT, changed_at_ms=now_ms)
        )
        self._connection.exec_driver_sql("COMMIT")

    def _fill_table(self, table_id: int, boards: Iterable[MadeBoard], texts: Mapping[int, str]) -> None:
        attempts: list[dict[str, Any]] = []
        calls: list[Values] = []
        cards: list[Values] = []
        results: list[dict[str, Any]] = []
        for board in boards:
            place = (table_id, board.number, ATTEMPT)
            start = chain_start(*place, ATTEMPT, board.began.at_ms, texts[board.number])
            *chains, closing = chain_links(start, board.links)
            calls += [place + values + (chain,) for values, chain in zip(board.calls, chains, strict=False)]
            played = chains[len(board.calls) :]
            cards += [place + values + (chain,) for values, chain in zip(board.cards, played, strict=True)]
            keys = {"table_id": table_id, "board": board.number, "attempt": ATTEMPT}
            attempts.append(keys | began_columns(board.began, ATTEMPT) | board.end | {"chain": closing})
            results.append(keys | board.result)
        self._connection.execute(insert(BoardAttempt), attempts)
        for statement, rows in ((_CALLS, calls), (_CARDS, cards)):
            statement.run_many(self._connection, rows)
        self._connection.execute(insert(ResultRow), results)


_WHILE_FILLING: Final = ("journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", "cache_size = -65536")
"""The size in KiB: what is written lies in memory until there is much of it."""

_KEYS: Final = ("table_id", "board", "attempt")
_CALLS: Final = Prepared(insert(CallRow), (*_KEYS, *CALL, "chain"))
_CARDS: Final = Prepared(insert(CardRow), (*_KEYS, *CARD, "chain"))
