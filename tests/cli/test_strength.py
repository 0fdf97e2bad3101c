"""The command `tourney lab strength`: the teams of an event."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.played_event import PlayedEvent, draw_event
from tourney.cli.main import cli
from tourney.movement.seating import Room


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Four teams of which Alpha has won a board by a game, and drawn another."""
    played = draw_event(tmp_path)
    match = played.match(1)
    for board, (contract, tricks) in enumerate([("4S N", 10), ("3NT N", 9)], 1):
        played.record(match.number, Room.OPEN, board, contract, tricks)
        played.record(match.number, Room.CLOSED, board, contract, tricks if board == 2 else 9)
    return played


def test_the_teams_of_an_event_are_rated_from_the_boards_of_both_rooms(played: PlayedEvent) -> None:
    match = played.match(1)
    document = json.loads(run("lab", "strength", played.path, "--json").stdout)
    assert (document["boards"], document["deals"]) == (2, 2)
    (compared,) = document["pairs"]
    assert {compared["team"], compared["opponent"]} == {match.home, match.away}
    assert (compared["boards"], compared["won"], compared["lost"]) == (2, 1, 0)
    ratings = [team["rating"] for team in document["lists"][0]["teams"]]
    assert ratings[0] == pytest.approx(-ratings[1])
    assert 2 * ratings[0] == pytest.approx(compared["estimate"]["mean"])
    text = run("lab", "strength", played.path).stdout
    assert "strength from 2 boards of 2 deals" in text
    assert run("lab", "strength", played.path, "--csv").stdout.startswith(
        "rank,team,rating,error,boards,opponents,los,best\n"
    )


def test_an_event_without_a_board_in_both_rooms_is_refused(tmp_path: Path) -> None:
    result = run("lab", "strength", draw_event(tmp_path).path)
    assert result.exit_code == 2
    assert "has none so far" in result.stderr
