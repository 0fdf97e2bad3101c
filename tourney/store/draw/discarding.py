"""Matches of a lobby that nobody has played: they were made, and left before a player called."""

from collections.abc import Collection

from sqlalchemy import Connection, delete, exists, func, or_, select

from tourney.bridge import Seat
from tourney.store.db.database import Database
from tourney.store.db.queries import delete_rows
from tourney.store.models import (
    BoardRow,
    BoardSet,
    CallRow,
    DealRow,
    Match,
    MatchResult,
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
        match = connection.execute(
            select(Match.id, Match.board_set_id, Match.home_team_id, Match.away_team_id, Round.stage_id)
            .join_from(Match, Round)
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
        delete_rows(connection, BoardSet.__table__, BoardSet.id == match.board_set_id)  # which only the match has
        connection.execute(delete(DealRow).where(DealRow.id.in_(deals)))
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
