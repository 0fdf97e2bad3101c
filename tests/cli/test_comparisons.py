"""Rounds, boards, swings, Butler and times, and reports as CSV."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat
from tourney.cli._output import DIRECTOR_NOTE

COMMANDS = (["rounds"], ["rounds", "Alpha", "Beta"], ["boards"], ["swings"], ["butler"], ["times"])
OLDER = (["standings"], ["match", "1"], ["crosstable"], ["rulings"])


NOTE = f"for the director only: {DIRECTOR_NOTE}\n"


def run(path: Path, command: str, *words: str) -> Result:
    return commands.run(command, path, *words)


def lines_of(result: Result) -> list[str]:
    """The lines, without the one of how many matches there have been so far (`tests/views/test_progress.py`)."""
    assert (result.exit_code, result.stderr in ("", NOTE)) == (0, True)
    return [line.rstrip() for line in result.stdout.splitlines() if not line.startswith("so far: ")]


def json_of(result: Result) -> Any:  # whatever the document has
    assert (result.exit_code, result.stderr in ("", NOTE)) == (0, True)
    return json.loads(result.stdout)


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Four teams: round 1 is over, in round 2 match 3 has a board that was forfeited, match 4 half a board."""
    played = first_rounds(tmp_path)
    played.record(4, OPEN, 1, "7NTXX S", 13)
    played.begin(4, CLOSED, 1)
    return played


@pytest.fixture
@once
def shown(tmp_path: Path) -> PlayedEvent:
    """The same, but nothing is left to play in match 4, so that the board of match 3 is shown."""
    played = first_rounds(tmp_path)
    played.leave_aside(4)
    return played


def first_rounds(folder: Path) -> PlayedEvent:
    played = draw_event(folder, event_text("Alpha", "Beta", "Gamma", "Delta", boards=1))
    played.record(1, OPEN, 1, "3NT N", 9, ns_ms=61_500, ew_ms=2000)
    played.record(1, CLOSED, 1, "4S N", 9, ns_ms=500, ew_ms=100)
    played.record(2, OPEN, 1, "3NT N", 10)
    played.record(2, CLOSED, 1, "3NT N", 9)
    played.record(3, CLOSED, 1, "Pass")
    played.forfeit(3, OPEN, 1, Seat.EAST)
    played.score()
    return played


@pytest.fixture
def empty(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path)


# rounds


# two teams


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        (["Alpha", "Omega"], "teams of 'Test Cup' are Alpha, Beta, Gamma, Delta, got 'Omega'"),
        (["Alpha", "ALPHA"], "two different teams are needed, got 'Alpha' twice"),
    ],
)
def test_two_teams_of_the_event_are_asked_for(played: PlayedEvent, teams: list[str], sentence: str) -> None:
    result = run(played.path, "rounds", *teams)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {sentence}\n")


# boards


def test_the_limits_of_boards_are_told(shown: PlayedEvent, tmp_path: Path) -> None:
    result = run(shown.path, "boards", "2")
    assert (result.exit_code, result.stderr) == (2, "Error: boards of round 2 are 1, got 2\n")
    (tmp_path / "two").mkdir()
    two = draw_event(tmp_path / "two")
    assert run(two.path, "boards", "0").stderr == "Error: boards of round 1 are 1..2, got 0\n"


# butler


def test_the_event_file_says_what_the_datum_is(tmp_path: Path) -> None:
    more = '[reports]\nbutler_datum = "median"\nbutler_trim = 2'
    played = draw_event(tmp_path, event_text(more=more))
    first = lines_of(run(played.path, "butler"))[0]
    assert first == "Test Cup: Butler of 0 results of 0 deals, datum is the median, without 2 results at either end"


# All of them


def test_an_event_without_a_board_has_every_report_in_every_form(empty: PlayedEvent) -> None:
    for words in COMMANDS:
        assert lines_of(run(empty.path, *words))[0].startswith("Test Cup"), words
        assert json_of(run(empty.path, *words, "--json"))["event"] == "Test Cup", words
        assert "," in lines_of(run(empty.path, *words, "--csv"))[0], words


@pytest.mark.parametrize("forms", [("--json", "--csv"), ("--csv", "--json")])
def test_a_report_has_one_form(empty: PlayedEvent, forms: tuple[str, str]) -> None:
    for words in (*COMMANDS, *OLDER):
        result = run(empty.path, *words, *forms)
        assert (result.exit_code, result.stdout) == (2, ""), words
        assert result.stderr.endswith("Error: a report has one form: give --json or --csv, got both\n"), words
