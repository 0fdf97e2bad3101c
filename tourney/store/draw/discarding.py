"""Matches of a lobby that nobody has played: they were made, and left before a player called."""

from collections.abc import Collection

from sqlalchemy import Connection, delete, exists, func, or_, select, update

from tourney.bridge import Seat
from tourney.store.db.database import Database
from tourney.store.models import (
    AlertQuestion,
    BoardAnalysis,
    BoardAttempt,
    BoardRow,
    BoardSet,
    CallRow,
    CardRow,
    ConnectionRow,
    DealRow,
    IncidentRow,
    LogPart,
    Match,
    MatchResult,
    Order,
    PlayAnalysis,
    ResultRow,
    Round,
    RulingRow,
    StageEntry,
    StageRow,
    TableRow,
    Team,
)


def discard_match(database: Database, event_id: int, number: int, players: Collection[Seat]) -> bool:
    """Delete a match of a lobby with all that is on record of it, unless one of its players has called.

    Its pairs are deleted too if they have played nothing else.

    Args:
        database: the record.
        event_id: the lobby.
        number: that of the match, whose table no host has.
        players: the seats in which persons have sat: what our own players call there does not count.

    Returns:
        Whether it is not on record any more.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.write() as connection:
        of_event = select(Match.id).where(Match.event_id == event_id)
        match = connection.execute(
            select(Match.id, Match.board_set_id, Match.home_team_id, Match.away_team_id, Round.stage_id)
            .join(Round, Round.id == Match.round_id)
            .where(Match.event_id == event_id, Match.number == number)
        ).one_or_none()
        if match is None:
            return True  # an earlier try has done it
        table_ids = select(TableRow.id).where(TableRow.match_id == match.id)
        letters = [seat.letter for seat in players]
        called = exists().where(CallRow.table_id.in_(table_ids), CallRow.seat.in_(letters))
        is_kept = or_(
            called,
            exists().where(MatchResult.match_id == match.id),
            exists().where(RulingRow.match_id == match.id),
        )
        if connection.scalar(select(is_kept)):
            return False
        deals = list(connection.scalars(select(BoardRow.deal_id).where(BoardRow.board_set_id == match.board_set_id)))
        of_attempts = (PlayAnalysis, AlertQuestion, ResultRow, CardRow, CallRow, BoardAttempt)
        for statement in (
            *(delete(model).where(model.table_id.in_(table_ids)) for model in of_attempts),
            *(delete(model).where(model.table_id.in_(table_ids)) for model in (ConnectionRow, Order, IncidentRow)),
            update(LogPart).where(LogPart.table_id.in_(table_ids)).values(table_id=None),
            delete(TableRow).where(TableRow.match_id == match.id),
            delete(Match).where(Match.id == match.id, Match.id.in_(of_event)),
            delete(BoardAnalysis).where(BoardAnalysis.board_set_id == match.board_set_id),
            delete(BoardRow).where(BoardRow.board_set_id == match.board_set_id),
            delete(BoardSet).where(BoardSet.id == match.board_set_id),
            delete(DealRow).where(DealRow.id.in_(deals)),
        ):
            connection.execute(statement)
        for team_id in sorted((match.home_team_id, match.away_team_id), reverse=True):
            _discard_pair(connection, event_id, match.stage_id, team_id)
        return True


def _discard_pair(connection: Connection, event_id: int, stage_id: int, team_id: int) -> None:
    """Take a pair without a match out of a stage, and out of the event if it is the last that has come."""
    has_match = or_(Match.home_team_id == team_id, Match.away_team_id == team_id)
    of_stage = select(Round.id).where(Round.stage_id == stage_id)
    if connection.scalar(select(func.count()).select_from(Match).where(has_match, Match.round_id.in_(of_stage))):
        return
    connection.execute(delete(StageEntry).where(StageEntry.stage_id == stage_id, StageEntry.team_id == team_id))
    stages = select(StageRow.id).where(StageRow.event_id == event_id)
    is_entered = exists().where(StageEntry.team_id == team_id, StageEntry.stage_id.in_(stages))
    last = select(func.max(Team.number)).where(Team.event_id == event_id).scalar_subquery()
    connection.execute(
        delete(Team).where(Team.id == team_id, Team.number == last, ~is_entered, ~exists().where(has_match))
    )
