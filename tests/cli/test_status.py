"""The command `tourney status`."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.commands import document_of, lines_of
from tests.support.live_event import say_doing, sit, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event
from tourney.bridge import Seat
from tourney.cli._output import DIRECTOR_NOTE
from tourney.config import Durability
from tourney.coordinator.run_lease import hold_run_lock
from tourney.movement.seating import Room
from tourney.store.control.host_settings import save_settings
from tourney.store.control.tables import Wait

NOW_MS = BEGINS_AT_MS + 90_000
NOTE = f"for the director only: {DIRECTOR_NOTE}\n"


def run(played: PlayedEvent, *words: str) -> Result:
    return commands.run("status", played.path, *words)


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedEvent:
    """The open room plays board 2, the closed room waits."""
    played = draw_event(tmp_path)
    table = take_up(played)
    played.record(1, Room.OPEN, 1, "1NT N", 7)
    played.begin(1, Room.OPEN, 2)
    sit(played, table, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    say_doing(
        played,
        table,
        waits=[Wait(Seat.NORTH, "call", NOW_MS - 61_500)],
        last="East bids 1NT",
    )
    monkeypatch.setattr("tourney.runtime.clock.wall_ms", lambda: NOW_MS)
    return played


def test_trouble_comes_first_then_what_is_played(played: PlayedEvent) -> None:
    with hold_run_lock(played.file.results):
        lines = lines_of(run(played, "--director"), NOTE)
    assert lines == [
        "Test Cup: tables 1 waiting, 1 playing",
        "  1-open: waits for North (Alpha): call (for 1:01.5)",
        "  1-open: nobody sits West (Beta)",
        "",
        "Table   N-S - E-W     Port       State    Board  Done  Seats  Waits for          Last",
        "1-open  Alpha - Beta  2000-2003  playing      2   1/2  NES-   North call 1:01.5  East bids 1NT",
    ]


def test_what_a_power_cut_may_take_is_said(played: PlayedEvent) -> None:
    save_settings(played.database, played.event.id, replace(played.file.host_settings, durability=Durability.PROCESS))
    lines = lines_of(run(played))
    assert lines[1] == '  record: a power cut may take the last moments of boards in play (durability = "process")'
    assert document_of(run(played, "--json"))["durability"] == "process"


def test_who_plays_through_a_tunnel_is_shown_with_address_and_without_the_session(played: PlayedEvent) -> None:
    team = played.event.teams[0]
    played.save_tunnel(
        team, address="203.0.113.9", opened_at_ms=NOW_MS - 60_000, seen_at_ms=NOW_MS - 2_000, resumes=3
    )
    with hold_run_lock(played.file.results):
        shown = [line.split() for line in lines_of(run(played))]
    assert ["Team", "Plays", "from", "Since", "Heard", "Resumed"] in shown
    assert ["Alpha", "203.0.113.9", "1:00.0", "ago", "0:02.0", "ago", "3", "times"] in shown
