"""Tunnels on record."""

from pathlib import Path

from tests.support.played_event import draw_event
from tourney.store.control.tunnels import TunnelStore, load_tunnels


def test_the_tunnels_of_a_process_that_is_gone_end_and_those_of_another_event_go_on(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    database, event = played.database, played.event
    played.save_tunnel(event.teams[0])
    TunnelStore(database, event.id + 1, lambda: 0).end_former("gone")
    assert [tunnel.team for tunnel in load_tunnels(database, event.id)] == ["Alpha"]
    TunnelStore(database, event.id, lambda: 0).end_former("gone")
    assert load_tunnels(database, event.id) == []
