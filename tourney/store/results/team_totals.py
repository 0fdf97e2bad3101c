"""Total points and boards won by match: what some tie-breaks ask for, of a whole event in one query."""

from sqlalchemy import ColumnElement, case, func, select

from tourney.movement.ranking import BoardTotals
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.db.database import Database
from tourney.store.models import Match, MatchResult, ResultRow, RulingRow, TableRow


def load_board_totals(database: Database, event_id: int) -> dict[int, BoardTotals]:
    """Totals by number of the match, of those that have any.

    What counts are boards with a result in both rooms, in matches with a score that has boards in it: none of a match
    forfeited without a score of its own. A board whose score a ruling has changed counts for nobody, for points were
    not what it was decided by.

    Raises:
        StoreError: the database cannot be used.
    """
    rooms, results = TableRow.__table__, ResultRow.__table__
    open_room, closed_room = rooms.alias(), rooms.alias()
    open_result, closed_result = results.alias(), results.alias()
    in_open = case(
        (open_room.c.ns_team_id == Match.home_team_id, open_result.c.score_ns), else_=-open_result.c.score_ns
    )
    in_closed = case(
        (closed_room.c.ns_team_id == Match.home_team_id, closed_result.c.score_ns), else_=-closed_result.c.score_ns
    )
    adjusting = (
        select(RulingRow.id)
        .where(
            RulingRow.match_id == Match.id,
            RulingRow.board == open_result.c.board,
            RulingRow.kind.in_([kind for kind in RulingKind if kind.scores_board]),
            RulingRow.withdrawn_at_ms.is_(None),
        )
        .correlate(Match, open_result)
        .exists()
    )
    query = (
        select(
            Match.number,
            func.sum(_above_zero(in_open) + _above_zero(in_closed)).label("points_home"),
            func.sum(_above_zero(-in_open) + _above_zero(-in_closed)).label("points_away"),
            func.sum(_half_boards(in_open + in_closed)).label("half_boards_home"),
            func.sum(_half_boards(-in_open - in_closed)).label("half_boards_away"),
        )
        .join(MatchResult, MatchResult.match_id == Match.id)
        .join(open_room, (open_room.c.match_id == Match.id) & (open_room.c.room == Room.OPEN))
        .join(closed_room, (closed_room.c.match_id == Match.id) & (closed_room.c.room == Room.CLOSED))
        .join(open_result, open_result.c.table_id == open_room.c.id)
        .join(
            closed_result,
            (closed_result.c.table_id == closed_room.c.id) & (closed_result.c.board == open_result.c.board),
        )
        .where(Match.event_id == event_id, MatchResult.boards > 0, ~adjusting)
        .group_by(Match.number)
    )
    with database.read() as connection:
        return {number: BoardTotals(*map(int, totals)) for number, *totals in connection.execute(query)}


def _above_zero(points: ColumnElement[int]) -> ColumnElement[int]:
    return case((points > 0, points), else_=0)


def _half_boards(margin: ColumnElement[int]) -> ColumnElement[int]:
    """Two for a board won, one for a level one."""
    return case((margin > 0, 2), (margin == 0, 1), else_=0)
