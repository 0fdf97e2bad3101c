"""Boards that a table began more than once: what was called and played each time."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import select

from tourney.bridge import Seat
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, CallRow, CardRow, Match, TableRow
from tourney.store.record.rows import AttemptColumns


class ChosenAction(NamedTuple):
    """A call or card."""

    seat: Seat
    """The hand that it came from."""
    text: str
    """As written in PBN: `4S`, `Pass`, `SA`."""
    is_substituted: bool
    """Whether the table made it in the player's place."""


class RepeatedBoard(NamedTuple):
    """A board that was begun more than once at a table."""

    table_id: int
    board: int
    attempts: Sequence[Sequence[ChosenAction]]
    """The calls and cards of each attempt, the oldest first."""


def load_repeated_boards(database: Database, event_id: int) -> list[RepeatedBoard]:
    """Load the boards of an event that were begun more than once.

    Raises:
        StoreError: the database cannot be used.
    """
    found: defaultdict[tuple[int, int], defaultdict[int, list[ChosenAction]]]
    found = defaultdict(lambda: defaultdict(list))
    again = (
        select(BoardAttempt.table_id, BoardAttempt.board)
        .join_from(BoardAttempt, TableRow)
        .join(Match)
        .where(Match.event_id == event_id, BoardAttempt.attempt > 1)
    )
    with database.read() as connection:
        wanted = {(table_id, board) for table_id, board in connection.execute(again)}
        for table_id in {table_id for table_id, _ in wanted}:
            for actions in (_CALLS, _CARDS):  # in this order: each board is called before it is played
                for (_, board, attempt), (letters, texts, substituted) in actions.load(connection, table_id):
                    if (table_id, board) in wanted:
                        chosen = zip(Seat.from_letters(letters), texts, map(bool, substituted), strict=True)
                        found[table_id, board][attempt] += map(ChosenAction._make, chosen)
    return [
        RepeatedBoard(table_id, board, [actions for _, actions in sorted(attempts.items())])
        for (table_id, board), attempts in sorted(found.items())
    ]


_CALLS: Final = AttemptColumns(CallRow, ("seat", "call", "substituted"))
_CARDS: Final = AttemptColumns(CardRow, ("seat", "card", "substituted"))
