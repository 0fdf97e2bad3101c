"""Boards that matches still have to play, which nobody may read about before every match has played them."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TypeAlias

from sqlalchemy import select

from tourney.store.db.database import Database
from tourney.store.draw.objects import MatchInfo
from tourney.store.models import BoardAttempt, BoardRow, Match, MatchResult, TableRow

BoardsInPlay: TypeAlias = Mapping[int, Mapping[int, Collection[int]]]
"""Numbers of the matches that still have to play a board, by the id of its set and its number."""


def load_boards_in_play(database: Database, event_id: int, board_set_id: int | None = None) -> BoardsInPlay:
    """Load the boards not finished at all tables of a match without a score, for the whole event or one set.

    Raises:
        StoreError: the database cannot be used.
    """
    over = (BoardAttempt.table_id == TableRow.id) & (BoardAttempt.board == BoardRow.number) & BoardAttempt.final
    is_played_there = (BoardRow.position >= TableRow.first_position) & (
        BoardRow.position < TableRow.first_position + TableRow.boards
    )
    query = (
        select(Match.board_set_id, BoardRow.number, Match.number.label("match"))
        .join(TableRow, TableRow.match_id == Match.id)
        .join(BoardRow, (BoardRow.board_set_id == Match.board_set_id) & is_played_there)
        .outerjoin(MatchResult, MatchResult.match_id == Match.id)
        .outerjoin(BoardAttempt, over)
        .where(Match.event_id == event_id, MatchResult.match_id.is_(None), BoardAttempt.table_id.is_(None))
        .distinct()
    )
    if board_set_id is not None:
        query = query.where(Match.board_set_id == board_set_id)
    in_play: defaultdict[int, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    with database.read() as connection:
        for row in connection.execute(query):
            in_play[row.board_set_id][row.number].add(row.match)
    return in_play


def kept_secret(in_play: BoardsInPlay, match: MatchInfo) -> frozenset[int]:
    """Return the numbers of the boards of a match that another match still has to play."""
    boards = in_play.get(match.board_set_id, {})
    return frozenset(number for number, matches in boards.items() if any(other != match.number for other in matches))
