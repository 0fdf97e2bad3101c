"""The board that was in progress when a table host died, as recorded."""

from typing import Final

from sqlalchemy import Connection, bindparam, select, update

from tourney.protocol.session.records import NO_ANSWER_AUTHOR, BoardEnd, BoardSnapshot, CallMade, CardPlayed
from tourney.store.db.database import Database
from tourney.store.db.prepared import Prepared
from tourney.store.db.queries import load_value
from tourney.store.models import AlertQuestion, BoardAttempt, CallRow, CardRow
from tourney.store.record.hash_chain import close_chain
from tourney.store.record.rows import CALL_READ, CARD_READ, read_call, read_card

_UNDER_WAY: Final = select(BoardAttempt.board, BoardAttempt.attempt).where(
    BoardAttempt.table_id == bindparam("table_id"), BoardAttempt.ended.is_(None)
)
"""At most one row: the database sees to it."""


def load_board_in_play(database: Database, table_id: int) -> int | None:
    """Load the number of the board that is being played at a table; None between boards.

    Raises:
        StoreError: the database cannot be used.
    """
    return load_value(database, _UNDER_WAY, {"table_id": table_id})


def load_under_way(connection: Connection, table_id: int) -> BoardSnapshot | None:
    """Load the attempt at a table that has not ended; None if there is none."""
    found = connection.execute(_UNDER_WAY, {"table_id": table_id}).one_or_none()
    if found is None:
        return None
    key = {"table_id": table_id, "board": found.board, "attempt": found.attempt}
    calls = connection.execute(select(*CALL_READ).filter_by(**key).order_by(CallRow.seq))
    cards = connection.execute(select(*CARD_READ).filter_by(**key).order_by(CardRow.seq))
    made: tuple[CallMade | CardPlayed, ...] = (
        *(read_call(*row) for row in calls),
        *(read_card(*row) for row in cards),
    )
    questions = connection.execute(select(AlertQuestion.seq, AlertQuestion.answer).filter_by(**key))
    return BoardSnapshot(found.board, made, {seq: answer for seq, answer in questions if answer is not None})


def close_questions(connection: Connection, table_id: int, now_ms: int) -> None:
    """Close the questions on alerts that a host which died has left without an answer."""
    connection.execute(
        update(AlertQuestion)
        .where(AlertQuestion.table_id == table_id, AlertQuestion.answer.is_(None))
        .values(answer="", author=NO_ANSWER_AUTHOR, answered_at_ms=now_ms)
    )


_OPEN: Final = Prepared(_UNDER_WAY, ("table_id",))


def close_open_attempt(connection: Connection, table_id: int, now_ms: int) -> None:
    """Before an attempt begins, end one whose end has been lost: a table has one that is under way."""
    for board, attempt in list(_OPEN.run(connection, (table_id,))):
        connection.execute(
            update(BoardAttempt)
            .where(BoardAttempt.table_id == table_id, BoardAttempt.board == board, BoardAttempt.attempt == attempt)
            .values(ended=BoardEnd.VOID, ended_at_ms=now_ms, reason="its end was lost")
        )
        close_chain(connection, table_id, board, attempt)
