"""The command `tourney schedule`."""

import time
from functools import partial
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import lines_of, printed
from tests.support.event_conversation import converse
from tests.support.played_event import draw_event, event_text, write_event

FOUR = ("Ants", "Bees", "Cats", "Dogs")


run = partial(commands.run, "schedule")


def test_the_schedule_is_drawn_stored_and_the_same_ever_after(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text(*FOUR, deals=""))
    first = printed(run(path, "--json"))
    assert (tmp_path / "results" / "test-cup" / "event.db").exists()
    assert run(path, "--json").stdout == first


def test_csv_has_a_row_for_each_room_of_each_segment(tmp_path: Path) -> None:
    write_event(tmp_path, event_text(boards=4, stage='segments = 2\nseats = "alternate"'))
    commands.converse(
        tmp_path,
        """
        $ schedule FOLDER/event.toml --csv | : segment boards room ns ns_pair
            -> 1 1-2 open Alpha 1
            -> 1 1-2 closed Beta 2
            -> 2 3-4 open Beta 2
            -> 2 3-4 closed Alpha 2
        $ schedule FOLDER/event.toml --csv | 0: stage round match home away -> 1 1 1 Alpha Beta
        """,
    )


def test_people_read_rooms_seats_boards_byes_and_times_of_their_own_zone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "XYZ-2")
    time.tzset()
    stage = "starts = [2026-11-21T14:00:00Z, 2026-11-21T16:00:00Z, 2026-11-21T18:00:00Z]"
    try:
        result = run(write_event(tmp_path, event_text(*FOUR[:3], boards=6, stage=stage)))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert lines_of(result)[:10] == [
        "Test Cup",
        "Round robin: round-robin, 3 rounds, 6 boards a match, VP scale wbf-continuous",
        "",
        "Day                        Rounds  Starts",
        "Saturday 21 November 2026  1-3     16:00 XYZ, 18:00 XYZ, 20:00 XYZ",
        "",
        "Round 1, 2026-11-21 16:00 XYZ",
        "Ants sits out",
        "Match  Home  Away  Boards  Open room",
        "    1  Bees  Cats  1-6     Bees North-South",
    ]


def test_a_change_of_the_file_is_drawn_anew_while_nothing_has_been_played_and_refused_after(tmp_path: Path) -> None:
    run(write_event(tmp_path, event_text("Ants", "Bees")))
    played = draw_event(tmp_path, event_text(*FOUR))
    converse(
        played,
        """
        $ schedule EVENT --json | teams: team -> Ants -> Bees -> Cats -> Dogs
        match 1 is played
        """,
    )
    write_event(tmp_path, event_text("Ants", "Fleas"))
    drawn = "event.toml: boards of 'Test Cup' have been played by its draw...Ants, Bees..."
    converse(played, f"$ schedule EVENT -> refused 2: {drawn}")
