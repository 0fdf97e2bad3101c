"""The command `tourney analyse`: solved once, kept, and consistent with what was made at the table."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.analysed import PAR_CONTRACTS, put_costs, put_worth
from tests.support.commands import printed, refusal
from tests.support.endplay_reader import needs_endplay
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Side
from tourney.movement.seating import Room
from tourney.results.played import iter_played


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """A match of one board, played out in one room and claimed in the other."""
    played = draw_event(tmp_path_factory.mktemp("analyse"), event_text("Alpha", "Beta", boards=1))
    played.play(1, [Room.OPEN])
    played.claim(1, Room.CLOSED, 1, cards=20, tricks=6)
    return played


def run(played: PlayedEvent, *words: str) -> Result:
    return commands.run("analyse", played.path, *words)


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@needs_endplay
def test_what_was_given_away_explains_every_trick_and_nothing_is_solved_twice(played: PlayedEvent) -> None:
    first = run(played, "--json")
    solved = document(first)
    again = run(played, "--json")
    assert document(again) == solved
    assert "solved just now" in first.stderr
    assert again.stderr == ""
    ((_, boards),) = ((match["match"], match["boards"]) for match in solved["matches"])
    assert [board["board"] for board in boards] == [1]
    (match,) = iter_played(played.database, played.event, played.event.matches, played.file.scales)
    for board, line in zip(boards, match.boards, strict=True):
        assert set(board["tricks"]) == set("NSEW")
        for play in board["plays"]:
            record = line.records[Room(play["room"])]
            assert record.result is not None
            contract = record.result.result.contract
            assert contract is not None
            assert play["possible"] == board["tricks"][contract.declarer.letter][contract.strain.letters]
            assert play["costs"] == [
                cost | {"card": str(record.cards[cost["number"] - 1].card)} for cost in play["costs"]
            ]
            if len(record.cards) == 52:
                lost = dict.fromkeys(Side, 0)
                for cost in play["costs"]:
                    lost[record.cards[cost["number"] - 1].seat.side] += cost["tricks"]
                declarers = contract.declarer.side
                others = Side.EW if declarers is Side.NS else Side.NS
                assert play["made"] == play["possible"] - lost[declarers] + lost[others]


@needs_endplay
def test_for_people_there_is_a_line_a_board(played: PlayedEvent) -> None:
    lines = [line.split() for line in run(played).stdout.splitlines()]
    assert [line[0] for line in lines if line and line[0] == "1"] == ["1"]


def test_without_a_finished_board_there_is_nothing_to_solve(tmp_path: Path) -> None:
    assert (
        printed(run(draw_event(tmp_path, event_text("Alpha", "Beta")))) == "no board is finished in both rooms yet\n"
    )


def test_without_the_solver_what_has_been_solved_is_shown_and_for_the_rest_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=1))
    played.play(1)
    monkeypatch.setattr("tourney.extras.find_spec", lambda _name: None)
    assert "double dummy analysis needs packages that are not installed: " in refusal(run(played))
    put_worth(played, 1, 1)
    for room in Room:
        put_costs(played, 1, room, 1, {})
    shown = printed(run(played))
    assert ", ".join(PAR_CONTRACTS) in shown
