"""When boards began and ended at tables, and which boards there are: how fast an event is being played."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select

from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, BoardRow

_IDS_MAX: Final = 10_000
"""Maximum ids in one statement, as for orders."""


@dataclass(frozen=True, slots=True)
class BoardTimes:
    """The newest attempt at a board of a table."""

    began_at_ms: int
    ended_at_ms: int | None
    is_final: bool
    """Whether the board is not played again."""


def load_board_times(database: Database, table_ids: Collection[int]) -> dict[int, dict[int, BoardTimes]]:
    """Load the boards that tables have begun, by the id of the table and the number of the board.

    Raises:
        StoreError: the database cannot be used.
    """
    query = select(
        BoardAttempt.table_id,
        BoardAttempt.board,
        BoardAttempt.began_at_ms,
        BoardAttempt.ended_at_ms,
        BoardAttempt.final,
    ).order_by(BoardAttempt.attempt)
    found: defaultdict[int, dict[int, BoardTimes]] = defaultdict(dict)
    with database.read() as connection:
        for row in connection.execute(query.where(BoardAttempt.table_id.in_(list(table_ids)[:_IDS_MAX]))):
            found[row.table_id][row.board] = BoardTimes(row.began_at_ms, row.ended_at_ms, row.final)
    return found


def load_board_numbers(database: Database, set_ids: Collection[int]) -> dict[int, list[int]]:
    """Load the numbers of the boards of sets in the order of play, by the id of the set.

    Raises:
        StoreError: the database cannot be used.
    """
    query = select(BoardRow.board_set_id, BoardRow.number).order_by(BoardRow.board_set_id, BoardRow.position)
    found: defaultdict[int, list[int]] = defaultdict(list)
    with database.read() as connection:
        for row in connection.execute(query.where(BoardRow.board_set_id.in_(list(set_ids)[:_IDS_MAX]))):
            found[row.board_set_id].append(row.number)
    return found
