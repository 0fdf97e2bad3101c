"""Results of boards, scores of matches, full records of boards, double dummy analyses."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from itertools import product
from typing import Final

from sqlalchemy import BindParameter, bindparam, delete, select, update

from tourney.bridge import Board, DoubleDummyTable, Seat, Side, parse_cards
from tourney.contest.draw import MatchInfo
from tourney.errors import RuleError, StoreError
from tourney.movement.seating import Room
from tourney.protocol.session.records import CallMade
from tourney.scoring.double_dummy import BoardWorth
from tourney.scoring.match import MatchScore
from tourney.store.db.database import Database
from tourney.store.db.queries import (
    AnySelect,
    change_rows,
    insert_once,
    load_row,
    load_rows,
    make_object,
    one_of,
)
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.objects import BoardRecord, CardColumns, NetworkTime
from tourney.store.draw.tables import load_boards
from tourney.store.models import (
    ATTEMPT,
    AlertQuestion,
    AttemptKey,
    BoardAnalysis,
    BoardAttempt,
    BoardRow,
    BoardSet,
    CallRow,
    CardRow,
    Match,
    MatchResult,
    NetworkDelay,
    PlayAnalysis,
    ResultRow,
    of_attempt,
)
from tourney.store.record.hash_chain import CARD
from tourney.store.record.results import SELECT_ATTEMPTS, BoardResult, attempt_result, board_result
from tourney.store.record.rows import CALL_READ, AttemptColumns, read_call


def load_board_results(database: Database, match: MatchInfo) -> dict[Room, dict[int, BoardResult]]:
    """Load the boards of a match that have a result, by room and board number, in the order of play.

    A forfeited board has none; its ruling takes the place of a result (`load_match_rulings`).
    """
    tables = match.tables_by_id
    results: dict[Room, dict[int, BoardResult]] = {table.room: {} for table in match.tables}
    with database.read() as connection:
        asked = {"set_id": match.board_set_id, "table_ids": list(tables)}
        for row in connection.execute(_RESULTS, asked):
            results[tables[row.table_id].room][row.board] = board_result(row)
    return results


def lock_match(database: Database, match: MatchInfo) -> None:
    """Have nobody else score a match until the transaction ends that the database is in (`one_transaction`).

    Whoever scores a match, and whoever rules on it, does so with this lock: so the score on record counts every
    result and every ruling.
    """
    if not database.is_sqlite:  # SQLite has one writer anyway
        with database.read() as connection:
            connection.execute(select(Match.id).where(Match.id == match.id).with_for_update(key_share=True))


def save_match_score(database: Database, match: MatchInfo, score: MatchScore | None) -> None:
    """Write the score of a match, whether it has one or not; None if the match is no longer finished.

    The score is what results and rulings make, so each of them that comes later changes it.
    """
    is_of_match = MatchResult.match_id == match.id
    if score is None:
        change_rows(database, delete(MatchResult).where(is_of_match))
        return
    columns = asdict(score)
    with one_transaction(database) as joined:
        if not change_rows(joined, update(MatchResult).where(is_of_match).values(columns)):
            insert_once(joined, MatchResult, {"match_id": match.id}, columns)


def load_match_scores(database: Database, event_id: int) -> dict[int, MatchScore]:
    """Load the scores of all finished matches, by match number."""
    query = _SCORES.where(Match.event_id == event_id).order_by(Match.number)
    return {number: MatchScore(*figures) for number, *figures in load_rows(database, query)}


def load_match_score(database: Database, match: MatchInfo) -> MatchScore | None:
    """Load the stored score of a match; None if it has none."""
    row = load_row(database, _SCORE, {"match_id": match.id})
    return MatchScore(*row[1:]) if row is not None else None


def load_match_boards(database: Database, match: MatchInfo) -> tuple[Board, ...]:
    """Load a match's boards, in the order of play."""
    with database.read() as connection:
        return load_boards(connection, match.board_set_id)[: match.boards]


def load_board_numbers(
    database: Database, event_id: int, set_ids: Iterable[int] | None = None
) -> dict[int, list[int]]:
    """Load the board numbers of every set of an event, or of some of them, in the order of play, by set id."""
    query = select(BoardRow.board_set_id, BoardRow.number).join_from(BoardRow, BoardSet)
    query = query.where(BoardSet.event_id == event_id).order_by(BoardRow.board_set_id, BoardRow.position)
    if set_ids is not None:
        query = query.where(one_of(BoardSet.id, set_ids))
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    for set_id, number in load_rows(database, query):
        numbers[set_id].append(number)
    return dict(numbers)


def load_board_records(
    database: Database, match: MatchInfo, boards: Sequence[Board] | None = None
) -> list[BoardRecord]:
    """Load the full record of a match's final boards, in the order of play, the open room first.

    A call whose alert came from the operator (BC-25) has the operator's text.

    Args:
        database: where the record is.
        match: the match.
        boards: its boards in the order of play, where they are known; read when they are not given.
    """
    tables = match.tables_by_id
    with database.read() as connection:
        if boards is None:
            boards = load_boards(connection, match.board_set_id)[: match.boards]
        ended = connection.execute(_FINAL_ATTEMPTS, {"table_ids": list(tables)})
        attempts = {(row.table_id, row.board): row for row in ended}
        answers = {
            (row.table_id, row.board, row.attempt, row.seq): row.answer
            for row in connection.execute(_ANSWERS, {"table_ids": list(tables)})
        }
        delays: defaultdict[AttemptKey, dict[Side, NetworkTime]] = defaultdict(dict)
        network = connection.execute(_DELAYS, {"table_ids": list(tables)})
        for table_id, number, attempt, seat, delay_ms, allowed_ms in network:
            by_side = delays[table_id, number, attempt]
            so_far = by_side.get(seat.side, NetworkTime(0, 0))
            by_side[seat.side] = NetworkTime(so_far.delay_ms + delay_ms, so_far.allowed_ms + allowed_ms)
        calls: dict[AttemptKey, tuple[CallMade, ...]] = {}
        plays: dict[AttemptKey, CardColumns] = {}
        for table_id in tables:
            for key, columns in _CALLS.load(connection, table_id):
                said = zip(*columns, strict=True)
                calls[key] = tuple(read_call(key[1], *row, answer=answers.get((*key, row[0]))) for row in said)
            for key, (numbers, letters, texts, thinking_ms, at_ms, substituted) in _CARDS.load(connection, table_id):
                truths = tuple(map(bool, substituted))  # SQLite has numbers
                dealt = (Seat.from_letters(letters), parse_cards(texts))
                plays[key] = CardColumns(numbers, *dealt, thinking_ms, at_ms, truths)
    records = []
    for board, (table_id, table) in product(boards, tables.items()):
        row = attempts.get((table_id, board.number))
        if row is not None:
            key = (table_id, board.number, row.attempt)
            made = {"calls": calls.get(key, ()), "play": plays.get(key, _NO_CARDS), "delays": delays.get(key, {})}
            of_board = {"match": match.number, "table": table, "board": board, "result": attempt_result(row)}
            records.append(make_object(BoardRecord, row, **of_board, **made))
    return records


# Double dummy analyses of boards and of their play at a table: solved once, stored, and read by reports


def load_board_worths(database: Database, board_set_id: int) -> dict[int, BoardWorth]:
    """Load the double dummy values of the boards of a set, by number, as far as they have been solved.

    Raises:
        StoreError: what is stored is no analysis.
    """
    query = select(
        BoardAnalysis.board, BoardAnalysis.tricks, BoardAnalysis.par_ns, BoardAnalysis.par_contracts
    ).where(BoardAnalysis.board_set_id == board_set_id)
    worths = {}
    for row in load_rows(database, query):
        try:
            table, contracts = DoubleDummyTable.parse(row.tricks), tuple(map(str, json.loads(row.par_contracts)))
        except (RuleError, ValueError, TypeError) as error:
            raise StoreError(f"the analysis of board {row.board} cannot be read: {error}") from None
        worths[row.board] = BoardWorth(table, row.par_ns, contracts)
    return worths


def save_board_worth(database: Database, board_set_id: int, board: int, worth: BoardWorth) -> None:
    """Store the double dummy value of a board; an existing row, which is the same, stays."""
    contracts = json.dumps(worth.par_contracts)
    values = {"tricks": str(worth.table), "par_ns": worth.par_ns, "par_contracts": contracts}
    insert_once(database, BoardAnalysis, {"board_set_id": board_set_id, "board": board}, values)


def load_play_tricks(database: Database, match: MatchInfo) -> dict[tuple[Room, int], tuple[int, ...]]:
    """Load declarer's tricks before the first card and after each, for the final plays of a match that were solved.

    Raises:
        StoreError: what is stored is no analysis.
    """
    tables = match.tables_by_id
    query = (
        select(PlayAnalysis.table_id, PlayAnalysis.board, PlayAnalysis.tricks)
        .join_from(PlayAnalysis, BoardAttempt)
        .where(PlayAnalysis.table_id.in_(list(tables)), BoardAttempt.final)
    )
    rows = load_rows(database, query)
    return {(tables[table_id].room, board): _parse_tricks(board, tricks) for table_id, board, tricks in rows}


def _parse_tricks(board: int, text: str) -> tuple[int, ...]:
    if not re.fullmatch("[0-9a-d]{2,53}", text):
        raise StoreError(
            f"the analysis of a play of board {board} cannot be read: 2 to 53 digits of 0 to d, got {text[:60]!r}"
        )
    return tuple(int(digit, 16) for digit in text)


def save_play_tricks(database: Database, table_id: int, board: int, attempt: int, tricks: Iterable[int]) -> None:
    """Store the double dummy tricks after each card of an attempt; an existing row, which is the same, stays."""
    key = of_attempt((table_id, board, attempt))
    insert_once(database, PlayAnalysis, key, {"tricks": "".join(f"{each:x}" for each in tricks)})


# Statements are built once: they are run for every match of an event.

_TABLE_IDS: Final[BindParameter[int]] = bindparam("table_ids", expanding=True)

_RESULTS: Final = (
    select(ResultRow)
    .join(BoardRow, (BoardRow.board_set_id == bindparam("set_id")) & (BoardRow.number == ResultRow.board))
    .where(ResultRow.table_id.in_(_TABLE_IDS))
    .order_by(BoardRow.position)
)

_SCORES: Final[AnySelect] = select(
    Match.number, *(MatchResult.__table__.c[figure.name] for figure in fields(MatchScore))
).join_from(Match, MatchResult)
_SCORE: Final = _SCORES.where(Match.id == bindparam("match_id"))


_FINAL_ATTEMPTS: Final = SELECT_ATTEMPTS.where(BoardAttempt.table_id.in_(_TABLE_IDS), BoardAttempt.final)
"""Those that are the last at their board."""

_ANSWERS: Final = select(AlertQuestion).where(AlertQuestion.table_id.in_(_TABLE_IDS))
_DELAYS: Final = select(*NetworkDelay.__table__.c[*ATTEMPT, "seat", "delay_ms", "allowed_ms"]).where(
    NetworkDelay.table_id.in_(_TABLE_IDS)
)


_NO_CARDS: Final = CardColumns()

_CALLS: Final = AttemptColumns(CallRow, CALL_READ)
_CARDS: Final = AttemptColumns(CardRow, CARD)
