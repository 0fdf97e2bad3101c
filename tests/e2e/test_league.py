"""`tourney lab league` on simulated time: cut off, gone on with, and grown."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.commands import check_record, run
from tests.support.events import bot
from tests.support.simulated_run import KILLED, simulated_runs
from tourney.bridge import DoubleDummyTable, board_from_seed
from tourney.formats.boards import format_boards

PROGRAMS = {name: bot(seed, think_ms=20) for seed, name in enumerate("ABCD", 1)}
OPTIONS = ("--boards", "4", "--concurrency", "1", "--folder", "games")


def league(*names: str) -> tuple[str, ...]:
    return ("lab", "league", *names, "--event", "teams.toml", *OPTIONS)


@pytest.mark.campaign
def test_a_league_that_was_killed_goes_on_and_grows_by_the_games_of_who_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    teams = "".join(
        f"[[team]]\nname = '{name}'\nprofile = 'tourney'\ncommand = {json.dumps(command)}\n"
        for name, command in PROGRAMS.items()
    )
    (tmp_path / "teams.toml").write_text(f"[event]\nname = 'Teams'\n{teams}[[stage]]\n", encoding="utf-8")
    with simulated_runs() as machine:
        cut_off = machine.tourney(
            *league("A", "B", "C"), steps=[(machine.has_told("A v C  boards"), machine.kill_all)]
        )
        assert cut_off.err.endswith(KILLED)
        machine.wait(60)
        done = machine.tourney(*league("A", "B", "C"), "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert [pairing["boards"] for pairing in found["pairings"]] == [4, 4, 4]
    assert (found["strength"]["boards"], found["strength"]["deals"]) == (12, 4)

    old = {path: path.stat().st_mtime_ns for path in tmp_path.glob("games/results/*-v-?/event.db")}
    assert len(old) == 3
    words = (*league("D", "A", "B"), "--gauntlet")
    with simulated_runs() as machine:
        grown = json.loads(machine.tourney(*words, "--json").out)
    assert len(grown["pairings"]) == 5
    assert {path: path.stat().st_mtime_ns for path in old} == old
    (compared,) = grown["candidates"]
    assert (sorted((compared["team"], compared["opponent"])), compared["common"]) == (["C", "D"], ["A", "B"])
    assert (compared["boards"], grown["strength"]["deals"]) == (8, 4)
    check_record("games/d-v-a.toml")


def test_players_that_ship_with_tourney_and_classes_are_rated_by_auctions_in_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    player = (
        "from tourney.player import Player\nclass Quiet(Player):\n    def call(self, view):\n        return 'pass'\n"
    )
    (tmp_path / "mine.py").write_text(player, encoding="utf-8")
    boards = [replace(board_from_seed(5, "1.1", n), makes=DoubleDummyTable.parse("789a6" * 4)) for n in (1, 2, 3)]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    words = ("lab", "league", "basic", "random", "mine:Quiet", "--in-process", "--auctions", "--deals", "boards.pbn")
    done = run(*words, "--folder", "games", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert [pairing["boards"] for pairing in found["pairings"]] == [3, 3, 3]
    assert (found["strength"]["boards"], found["strength"]["deals"]) == (9, 3)
    assert {program["team"] for program in found["programs"]} == {"basic", "random", "Quiet"}
    check_record(next(Path("games").glob("*uiet*.toml")))
