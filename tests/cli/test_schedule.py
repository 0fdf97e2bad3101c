"""The command `tourney schedule`."""

import time
from functools import partial
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import document_of, printed, rows_of
from tests.support.played_event import draw_event, event_text, write_event

FOUR = ("Ants", "Bees", "Cats", "Dogs")


run = partial(commands.run, "schedule")


def test_the_schedule_is_drawn_stored_and_the_same_ever_after(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text(*FOUR, deals=""))
    first = printed(run(path, "--json"))
    assert (tmp_path / "results" / "test-cup" / "event.db").exists()
    assert run(path, "--json").stdout == first


def test_csv_has_a_row_for_each_room_of_each_segment(tmp_path: Path) -> None:
    stage = 'segments = 2\nseats = "alternate"'
    rows = rows_of(run(write_event(tmp_path, event_text(boards=4, stage=stage)), "--csv"))
    assert [(row["segment"], row["boards"], row["room"], row["ns"], row["ns_pair"]) for row in rows] == [
        ("1", "1-2", "open", "Alpha", "1"),
        ("1", "1-2", "closed", "Beta", "2"),
        ("2", "3-4", "open", "Beta", "2"),
        ("2", "3-4", "closed", "Alpha", "2"),
    ]
    assert {key: rows[0][key] for key in ("stage", "round", "starts", "match", "home", "away")} == {
        "stage": "1",
        "round": "1",
        "starts": "",
        "match": "1",
        "home": "Alpha",
        "away": "Beta",
    }


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
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert lines[:10] == [
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


def test_a_change_of_the_file_is_drawn_anew_while_nothing_has_been_played(tmp_path: Path) -> None:
    run(write_event(tmp_path, event_text("Ants", "Bees")))
    document = document_of(run(write_event(tmp_path, event_text(*FOUR)), "--json"))
    assert [team["team"] for team in document["teams"]] == list(FOUR)


def test_a_change_of_the_file_after_boards_have_been_played_is_refused_in_one_sentence(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees"))
    played.play(1)
    result = run(write_event(tmp_path, event_text("Ants", "Cats")))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: event.toml: boards of 'Test Cup' have been played by its draw")
    assert result.stderr.count("\n") == 1
    assert "Ants, Bees" in result.stderr
