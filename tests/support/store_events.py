"""Draws to be stored, and tables of them that have been given out."""

from sqlalchemy import select

from tourney.bridge import SEATS, Seat
from tourney.config import parse_event_file
from tourney.contest.plan import PlannedEntry, PlannedMatch, PlannedRound, PlannedSegment
from tourney.coordinator.draw import draw_event
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.seating import Room, seat_match
from tourney.scoring.victory_points import VpHundredths
from tourney.store.control.table_state import assign_table, take_table
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.plans import EventDraw
from tourney.store.draw.reader import load_event
from tourney.store.draw.tables import TableInfo
from tourney.store.draw.writer import save_draw, save_next_rounds
from tourney.store.models import TableRow
from tourney.store.record.writer import TableLedger

NOW_MS = 1_790_000_000_123
"""2026-09-21; more than 32 bits of milliseconds."""

WHOLE = PlannedSegment(0, 2, seat_match(1, 3))
"""All boards of a match of two, the first team at home against the third."""


def make_draw(
    teams: int = 2,
    *,
    name: str = "Spring Cup",
    stage_format: str = "round-robin",
    boards: int = 2,
    shared: str = "round",
    starts: str = "",
) -> EventDraw:
    """A draw from an event file; teams are called Team 1, Team 2, ..."""
    sections = "".join(f'[[team]]\nname = "Team {number}"\n' for number in range(1, teams + 1))
    text = (
        f'[event]\nname = "{name}"\n{sections}[[stage]]\nformat = "{stage_format}"\nboards_per_match = {boards}\n'
        f'{starts}\n[deals]\nseed = 7\nshared = "{shared}"\n'
    )
    return draw_event(parse_event_file(text, "event.toml"), None, "{}")


def save_event(database: Database, draw: EventDraw | None = None) -> EventInfo:
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


def take(database: Database, table: TableInfo, host: str = "host-1", boards_left: int = 2) -> TableLedger:
    """Give a table to a host, which takes it."""
    assign_table(database, table.id, host, ports_from(2000), NOW_MS)
    attempt = take_table(database, table.id, host, NOW_MS)
    assert attempt is not None
    return TableLedger(table.id, attempt, boards_left=boards_left)


def newest_attempt(database: Database, table_id: int) -> int:
    """Return the number of the attempt at a table that may write."""
    with database.read() as connection:
        return connection.execute(select(TableRow.attempt).where(TableRow.id == table_id)).scalar_one()


def stages_draw() -> EventDraw:
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
    final = event.stages[1]
    match = PlannedMatch(1, 3, (WHOLE,), "2.1", ImpHundredths(250))
    entries = [PlannedEntry(1, rank=1, carry_vp=VpHundredths(50)), PlannedEntry(3, rank=2)]
    rounds = [(final.rounds[0], PlannedRound((match,), ()))]
    save_next_rounds(database, event, final, entries, rounds, NOW_MS)
    return reload(database)
