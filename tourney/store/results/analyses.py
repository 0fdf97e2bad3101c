"""Double dummy analyses of boards and of their play at a table: solved once, stored, and read by reports."""

import json
import re
from collections.abc import Iterable

from sqlalchemy import select

from tourney.errors import RuleError, StoreError
from tourney.movement.seating import Room
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable
from tourney.store.db.database import Database
from tourney.store.db.queries import insert_once, load_rows
from tourney.store.draw.objects import MatchInfo
from tourney.store.models import BoardAnalysis, BoardAttempt, PlayAnalysis


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
    rooms = {table.id: table.room for table in match.tables}
    query = (
        select(PlayAnalysis.table_id, PlayAnalysis.board, PlayAnalysis.tricks)
        .join_from(PlayAnalysis, BoardAttempt)
        .where(PlayAnalysis.table_id.in_(list(rooms)), BoardAttempt.final)
    )
    rows = load_rows(database, query)
    return {(rooms[table_id], board): _parse_tricks(board, tricks) for table_id, board, tricks in rows}


def _parse_tricks(board: int, text: str) -> tuple[int, ...]:
    if not re.fullmatch("[0-9a-d]{2,53}", text):
        raise StoreError(
            f"the analysis of a play of board {board} cannot be read: 2 to 53 digits of 0 to d, got {text[:60]!r}"
        )
    return tuple(int(digit, 16) for digit in text)


def save_play_tricks(database: Database, table_id: int, board: int, attempt: int, tricks: Iterable[int]) -> None:
    """Store the double dummy tricks after each card of an attempt; an existing row, which is the same, stays."""
    key = {"table_id": table_id, "board": board, "attempt": attempt}
    insert_once(database, PlayAnalysis, key, {"tricks": "".join(f"{each:x}" for each in tricks)})
