"""The tries at the boards of a table, as whoever watches it reads them."""

from typing import NamedTuple

from tourney.protocol.session.records import BoardEnd
from tourney.store.db.database import Database
from tourney.store.record.live import load_attempt_keys, load_live_board


class Attempt(NamedTuple):
    """One try at a board; `ended` is None while it is under way or when its host died."""

    board: int
    attempt: int
    ended: BoardEnd | None
    reason: str


def load_attempts(database: Database, table_id: int) -> list[Attempt]:
    """Every try at a board of a table, board by board."""
    live = [(key, load_live_board(database, table_id, key)) for key in load_attempt_keys(database, table_id)]
    return sorted(Attempt(key.board, key.attempt, board.ended, board.reason) for key, board in live)
