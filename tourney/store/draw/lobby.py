"""Matches of a lobby: stored with the pairs that make them, and deleted again if nobody plays them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, exists, func, or_, select

from tourney.bridge import Board, Seat
from tourney.contest.plan import PlannedEntry
from tourney.movement.seating import Room
from tourney.store.control.table_state import assign_table, new_table_columns
from tourney.store.db.database import Database
from tourney.store.db.queries import delete_rows, insert_row
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.tables import PlannedTeam, name_key
from tourney.store.draw.writer import save_boards, save_entries, save_teams
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
"""The profile of a pair that no event file describes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """A match that the players of a lobby have made."""

    number: int
    """Its number in the event, which no other match has."""
    stage: int
    home: str
    """The pair that sits North-South."""
    away: str
    boards: tuple[Board, ...]


def start_match(
    database: Database, event_id: int, match: NewMatch, host: str, ports: dict[Seat, int], now_ms: int
) -> int:
    """Store a match of a lobby, and give its one table to a host, in one transaction; return the table's id.

    A match that is on record under its number stays as it is: so whoever did not hear that it is may start it again.
    """
    with one_transaction(database) as joined:
        with joined.read() as connection:
            of_match = (Match.event_id == event_id, Match.number == match.number)
            known = connection.scalar(select(TableRow.id).join_from(TableRow, Match).where(*of_match))
        if known is not None:
            return known
        table_id = _add_match(joined, event_id, match, now_ms)
        assign_table(joined, table_id, host, ports, now_ms)
        return table_id


def _add_match(database: Database, event_id: int, match: NewMatch, now_ms: int) -> int:
    """Store a match at one table, with pairs that have not played there before; return the table's id."""
    with database.write() as connection:
        stage_id, round_id = connection.execute(
            select(StageRow.id, Round.id)
            .join_from(StageRow, Round)
            .where(StageRow.event_id == event_id, StageRow.number == match.stage)
        ).one()
        home, away = (_enter_pair(connection, event_id, stage_id, name) for name in (match.home, match.away))
        boards = len(match.boards)
        board_set_id = save_boards(connection, event_id, f"{match.stage}.1.{match.number}", match.boards)
        row = {
            "event_id": event_id,
            "round_id": round_id,
            "number": match.number,
            "home_team_id": home,
            "away_team_id": away,
            "board_set_id": board_set_id,
            "boards": boards,
        }
        match_id = insert_row(connection, Match, row)
        table = {"match_id": match_id, "room": Room.OPEN, "boards": boards, "ns_team_id": home, "ew_team_id": away}
        return insert_row(connection, TableRow, table | new_table_columns(now_ms))


def _enter_pair(connection: Connection, event_id: int, stage_id: int, name: str) -> int:
    """Return the id of a pair by its name, which is stored if it is new, and entered in the stage."""
    known = connection.scalar(select(Team.id).where(Team.event_id == event_id, Team.name_key == name_key(name)))
    if known is None:
        last = connection.scalar(select(func.max(Team.number)).where(Team.event_id == event_id)) or 0
        pair = PlannedTeam(name, None, DEFAULT_PROFILE)
        known = save_teams(connection, event_id, [pair], first=last + 1)[last + 1]
    entered = select(StageEntry.team_id).where(StageEntry.stage_id == stage_id, StageEntry.team_id == known)
    if connection.scalar(entered) is None:
        seeds = connection.scalar(select(func.max(StageEntry.seed)).where(StageEntry.stage_id == stage_id)) or 0
        save_entries(connection, stage_id, [PlannedEntry(0)], {0: known}, seeds + 1)
    return known


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
