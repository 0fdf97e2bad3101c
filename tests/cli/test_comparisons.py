"""Rounds, boards, swings, Butler and times, and reports as CSV."""

from pathlib import Path

import pytest

from tests.support.commands import lines_of, run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text

COMMANDS = ("rounds EVENT", "rounds EVENT Alpha Beta", "boards EVENT", "swings EVENT", "butler EVENT", "times EVENT")
OLDER = ("standings EVENT", "match EVENT 1", "crosstable EVENT", "rulings EVENT")


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        ("Alpha Omega", "teams of 'Test Cup' are Alpha, Beta, got 'Omega'"),
        ("Alpha ALPHA", "two different teams are needed, got 'Alpha' twice"),
    ],
)
def test_two_teams_of_the_event_are_asked_for(tmp_path: Path, teams: str, sentence: str) -> None:
    converse(draw_event(tmp_path), f"$ rounds EVENT {teams} -> refused 2: {sentence}")


def test_the_limits_of_boards_are_told(tmp_path: Path) -> None:
    converse(draw_event(tmp_path), "$ boards EVENT 0 -> refused 2: boards of round 1 are 1..2, got 0")
    (tmp_path / "one").mkdir()
    converse(
        draw_event(tmp_path / "one", event_text(boards=1)),
        "$ boards EVENT 2 -> refused 2: boards of round 1 are 1, got 2",
    )


def test_the_event_file_says_what_the_datum_is(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path, event_text(more='[reports]\nbutler_datum = "median"\nbutler_trim = 2')),
        """
        $ butler EVENT
            -> Test Cup: Butler of 0 results of 0 deals, datum is the median, without 2 results at either end
            -> ...
        """,
    )


# All of them


@pytest.fixture
def empty(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_event_without_a_board_has_every_report_in_every_form(empty: PlayedEvent, command: str) -> None:
    converse(empty, f"$ {command} -> Test Cup... -> ...\n$ {command} --json | event -> Test Cup")
    words = [str(empty.path) if word == "EVENT" else word for word in command.split()]
    assert "," in lines_of(run(*words, "--csv"))[0]


@pytest.mark.parametrize("forms", ["--json --csv", "--csv --json"])
@pytest.mark.parametrize("command", [*COMMANDS, *OLDER])
def test_a_report_has_one_form(empty: PlayedEvent, command: str, forms: str) -> None:
    why = "a report has one form: give --json or --csv, got both"
    converse(empty, f"$ {command} {forms} -> refused 2: {why}")
