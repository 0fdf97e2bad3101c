"""What a run of an event looks for again and again: matches without a score, and whether the draw is another one."""

from typing import TypeAlias

from sqlalchemy import exists, func, select

from tourney.store.db.database import Database
from tourney.store.models import Match, MatchResult, Round, Stage, TableRow, TableState, Team

DrawMark: TypeAlias = tuple[int, ...]
"""Equal for the same draw."""


def load_unscored(database: Database, event_id: int) -> dict[int, bool]:
    """The numbers of the matches without a score, upwards, each with whether all of its tables have finished.

    Raises:
        StoreError: the database cannot be used.
    """
    goes_on = exists().where(TableRow.match_id == Match.id, TableRow.state != TableState.FINISHED)
    query = (
        select(Match.number, goes_on.label("goes_on"))
        .outerjoin(MatchResult, MatchResult.match_id == Match.id)
        .where(Match.event_id == event_id, MatchResult.match_id.is_(None))
        .order_by(Match.number)
    )
    with database.read() as connection:
        return {row.number: not row.goes_on for row in connection.execute(query)}


def load_draw_mark(database: Database, event_id: int) -> DrawMark:
    """By what a change of the draw is noticed: rounds drawn since, or drawn anew, extra boards, teams that came late.

    Raises:
        StoreError: the database cannot be used.
    """
    matches = select(func.count(), func.coalesce(func.sum(Match.boards), 0)).where(Match.event_id == event_id)
    rounds = (
        select(func.count(Round.drawn_at_ms), func.coalesce(func.max(Round.drawn_at_ms), 0))
        .join(Stage, Stage.id == Round.stage_id)
        .where(Stage.event_id == event_id)
    )
    teams = select(func.count()).where(Team.event_id == event_id)
    with database.read() as connection:
        return tuple(int(each) for query in (matches, rounds, teams) for each in connection.execute(query).one())
