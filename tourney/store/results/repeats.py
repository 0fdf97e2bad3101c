"""Boards that a table began more than once: what was called and played each time."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Select, bindparam, literal, select

from tourney.bridge import Seat
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, CallRow, CardRow, Match, TableRow


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
    with database.read() as connection:
        for query in (_CALLS, _CARDS):  # in this order: each board is called before it is played
            for row in connection.execute(query, {"event_id": event_id}):
                action = ChosenAction(Seat.from_letter(row.seat), row.action, row.substituted)
                found[row.table_id, row.board][row.attempt].append(action)
    return [
        RepeatedBoard(table_id, board, [actions for _, actions in sorted(attempts.items())])
        for (table_id, board), attempts in sorted(found.items())
    ]


def _actions(model: type[CallRow] | type[CardRow], name: str) -> Select[tuple[int, int, int, str, str, bool]]:
    again = (
        select(BoardAttempt.table_id, BoardAttempt.board)
        .join_from(BoardAttempt, TableRow)
        .join(Match)
        .where(Match.event_id == bindparam("event_id"), BoardAttempt.attempt > literal(1))
        .distinct()
        .subquery()
    )
    action = model.__table__.c[name].label("action")
    return (
        select(model.table_id, model.board, model.attempt, model.seat, action, model.substituted)
        .join(again, (again.c.table_id == model.table_id) & (again.c.board == model.board))
        .order_by(model.table_id, model.board, model.attempt, model.seq)
    )


_CALLS = _actions(CallRow, "call")
_CARDS = _actions(CardRow, "card")
