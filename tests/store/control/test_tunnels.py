"""Tunnels on record, and calls for the director from where there is no seat."""

from pathlib import Path

from sqlalchemy import update

from tests.support.played_event import draw_event
from tests.support.store_events import NOW_MS, save_event, table_of, take
from tests.support.store_records import write_records
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import BoardBegan, IncidentKind
from tourney.store.control.tunnels import TunnelStore, load_tunnels
from tourney.store.db.database import Database
from tourney.store.db.queries import change_rows
from tourney.store.models import TableRow
from tourney.store.rulings import load_incidents
from tourney.store.team_access import KeyTeam


def test_a_team_calls_the_director_at_the_table_where_it_plays_once_a_minute(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    one, two = (KeyTeam(team.id, team.number, team.name) for team in event.teams[:2])

    def call(team: KeyTeam, text: str, now_ms: int) -> bool:
        return TunnelStore(sqlite_database, event.id, lambda: now_ms).call_director(team, text)

    assert not call(one, "hello?", NOW_MS), "it plays at no table yet"
    table, other = table_of(event), table_of(event, room=Room.CLOSED)
    ledger = take(sqlite_database, table)
    write_records(sqlite_database, ledger, BoardBegan(1, NOW_MS))
    for table_id, state in ((table.id, TableState.PLAYING), (other.id, TableState.OPEN)):
        change_rows(sqlite_database, update(TableRow).where(TableRow.id == table_id).values(state=state))
    assert call(one, f"  my program\nhangs {'x' * 300}", NOW_MS)
    assert call(one, "again", NOW_MS + 59_999), "it is on record already"
    assert call(two, "", NOW_MS + 1)
    assert call(one, "and again", NOW_MS + 60_000)
    first, second, third = load_incidents(sqlite_database, event.id)
    assert (first.room, first.board, first.attempt, first.seat) == (Room.OPEN, 1, 1, None)
    assert first.kind is IncidentKind.DIRECTOR_CALLED
    assert first.text == f"Team 1 calls the director: my program hangs {'x' * 183}"
    assert (second.text, third.text) == ("Team 2 calls the director", "Team 1 calls the director: and again")
    assert first.is_for_director


def test_the_tunnels_of_a_process_that_is_gone_end_and_those_of_another_event_go_on(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    database, event = played.database, played.event
    played.save_tunnel(event.teams[0])
    TunnelStore(database, event.id + 1, lambda: 0).end_former("gone")
    assert [tunnel.team for tunnel in load_tunnels(database, event.id)] == ["Alpha"]
    TunnelStore(database, event.id, lambda: 0).end_former("gone")
    assert load_tunnels(database, event.id) == []
