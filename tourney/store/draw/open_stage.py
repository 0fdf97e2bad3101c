"""Matches that come to an open stage one by one: drawn into it, and deleted again if nobody plays them."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, delete, exists, func, or_, select

from tourney.bridge import Board, Seat
from tourney.contest.draw import EntryInfo, MatchInfo, RoundInfo
from tourney.store.db.database import Database
from tourney.store.db.queries import delete_rows
from tourney.store.draw.tables import TeamInfo, name_key
from tourney.store.draw.writer import DrawWriter, save_boards, save_entries, save_teams
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

DEFAULT_PROFILE: Final = "default"
"""The profile of an entrant that no event file describes."""


def add_match(database: Database, event_id: int, match: MatchInfo, boards: tuple[Board, ...], now_ms: int) -> None:
    """Draw a match into its open stage, in one transaction: its entrants, its boards and its tables.

    A match that is on record under its number stays as it is: so whoever did not hear that it is may add it again.
    """
    with database.write() as connection:
        of_match = (Match.event_id == event_id, Match.number == match.number)
        if connection.scalar(select(Match.id).where(*of_match)) is not None:
            return
        stage_id, round_id = connection.execute(
            select(StageRow.id, Round.id)
            .join_from(StageRow, Round)
            .where(StageRow.event_id == event_id, StageRow.number == match.stage)
        ).one()
        teams = {name: _enter(connection, event_id, stage_id, name) for name in match.teams}
        sets = {match.board_set: save_boards(connection, event_id, match.board_set, boards)}
        writer = DrawWriter(connection, event_id, teams, sets, now_ms)
        writer.add_rounds([RoundInfo(id=round_id, number_in_stage=1, matches=(match,))])


def _enter(connection: Connection, event_id: int, stage_id: int, name: str) -> int:
    """Return the id of an entrant by its name, which is stored if it is new, and entered in the stage."""
    known = connection.scalar(select(Team.id).where(Team.event_id == event_id, Team.name_key == name_key(name)))
    if known is None:
        last = connection.scalar(select(func.max(Team.number)).where(Team.event_id == event_id)) or 0
        known = save_teams(connection, event_id, [TeamInfo(name, None, DEFAULT_PROFILE)], first=last + 1)[name]
    entered = select(StageEntry.team_id).where(StageEntry.stage_id == stage_id, StageEntry.team_id == known)
    if connection.scalar(entered) is None:
        seeds = connection.scalar(select(func.max(StageEntry.seed)).where(StageEntry.stage_id == stage_id)) or 0
        save_entries(connection, stage_id, [EntryInfo(name)], {name: known}, seeds + 1)
    return known


def discard_match(database: Database, event_id: int, number: int, players: Collection[Seat]) -> bool:
    """Delete a match of an open stage with all that is on record of it, unless one of its players has called.

    Its entrants are deleted too if they have played nothing else.

    Args:
        database: the record.
        event_id: the event.
        number: that of the match, whose tables no host has.
        players: the seats in which persons have sat: what our own players call there does not count.

    Returns:
        Whether it is not on record any more.
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
        called = exists().where(CallRow.table_id.in_(table_ids), CallRow.seat.in_(players))
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
            _discard_entrant(connection, event_id, match.stage_id, team_id)
        return True


def _discard_entrant(connection: Connection, event_id: int, stage_id: int, team_id: int) -> None:
    """Take an entrant without a match out of a stage, and out of the event if it is the last that has come."""
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
