"""Draws to be stored, and tables of them that have been given out."""

from dataclasses import replace

from sqlalchemy import select

from tourney.bridge import SEATS, Seat
from tourney.config import parse_event_file
from tourney.contest.draw import EntryInfo, MatchInfo, StageInfo
from tourney.coordinator.draw import draw_event
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.seating import Room, TableInfo, seat_match
from tourney.scoring.victory_points import VpHundredths
from tourney.store.control.table_state import assign_table, take_table
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import save_draw, save_next_rounds
from tourney.store.models import TableRow
from tourney.store.record.writer import TableLedger

NOW_MS = 1_790_000_000_123
"""2026-09-21; more than 32 bits of milliseconds."""

WHOLE = seat_match("Team 1", "Team 3", boards=2)
"""All boards of a match of two, the first team at home against the third."""


def make_draw(
    teams: int = 2,
    *,
    name: str = "Spring Cup",
    stage_format: str = "round-robin",
    boards: int = 2,
    shared: str = "round",
    starts: str = "",
) -> EventInfo:
    """A draw from an event file; teams are called Team 1, Team 2, ..."""
    sections = "".join(f'[[team]]\nname = "Team {number}"\n' for number in range(1, teams + 1))
    text = (
        f'[event]\nname = "{name}"\n{sections}[[stage]]\nformat = "{stage_format}"\nboards_per_match = {boards}\n'
        f'{starts}\n[deals]\nseed = 7\nshared = "{shared}"\n'
    )
    return draw_event(parse_event_file(text, "event.toml"), None, "{}")


def save_event(database: Database, draw: EventInfo | None = None) -> EventInfo:
    """Store a draw and read it back; two teams and one match of two boards by default."""
    draw = draw if draw is not None else make_draw()
    save_draw(database, draw, NOW_MS)
    return reload(database, draw.name)


def reload(database: Database, name: str = "Spring Cup") -> EventInfo:
    event = load_event(database, name)
    assert event is not None
    return event


def table_of(event: EventInfo, match: int = 1, room: Room = Room.OPEN) -> TableInfo:
    return event.matches[match - 1].tables_at(0)[room]


def ports_from(first: int) -> dict[Seat, int]:
    return {seat: first + seat for seat in SEATS}


def give(database: Database, table: TableInfo, host: str = "host-1") -> None:
    assign_table(database, table.id, host, ports_from(2000), NOW_MS)


def take(database: Database, table: TableInfo, host: str = "host-1", boards_left: int = 2) -> TableLedger:
    """Give a table to a host, which takes it."""
    give(database, table, host)
    attempt = take_table(database, table.id, host, NOW_MS)
    assert attempt is not None
    return TableLedger(table.id, attempt, boards_left=boards_left)


def newest_attempt(database: Database, table_id: int) -> int:
    """Return the number of the attempt at a table that may write."""
    with database.read() as connection:
        return connection.execute(select(TableRow.attempt).where(TableRow.id == table_id)).scalar_one()


def stages_draw() -> EventInfo:
    """Four teams in a round robin, then a match with an extra board when it is level."""
    teams = "".join(f'[[team]]\nname = "Team {number}"\n' for number in range(1, 5))
    text = (
        f'[event]\nname = "Spring Cup"\n{teams}[[stage]]\nboards_per_match = 2\n'
        '[[stage]]\nname = "Final"\nformat = "match"\nteams = 2\nboards_per_match = 2\nextra_boards = 1\n'
        "[deals]\nseed = 7\n"
    )
    return draw_event(parse_event_file(text, "event.toml"), None, "{}")


def draw_final(database: Database, event: EventInfo) -> EventInfo:
    """Team 1 meets team 3 in the final, and brings 2.5 IMPs along."""
    stage = event.stages[1]
    match = MatchInfo(stage, "Team 1", "Team 3", WHOLE, board_set="2.1", carry_home=ImpHundredths(250))
    entries = EntryInfo("Team 1", rank=1, carry_vp=VpHundredths(50)), EntryInfo("Team 3", rank=2)
    save_next_rounds(database, event, with_match(stage, match, entries), NOW_MS)
    return reload(database)


def with_match(stage: StageInfo, match: MatchInfo, entries: tuple[EntryInfo, ...]) -> StageInfo:
    """Return a stage whose one round has a match of these entries."""
    return replace(stage, entries=entries, rounds=(replace(stage.rounds[0], matches=(match,)),))
