"""`tourney lab league` on simulated time: cut off, gone on with, and grown."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.commands import check_record, converse, select
from tests.support.events import bot
from tests.support.simulated_run import simulated_runs
from tourney.bridge import DoubleDummyTable, board_from_seed
from tourney.formats.boards import format_boards

PROGRAMS = {name: bot(seed, think_ms=20) for seed, name in enumerate("ABCD", 1)}


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
    league = "lab league {} --event teams.toml --boards 4 --concurrency 1 --folder games"
    three = league.format("A B C")
    with simulated_runs() as machine:
        machine.converse(f"""
            once it tells A v C  boards => kill all
            ~ {three} -> ... -> (the run was killed) -> status -9 -> ...
            wait 60
            ~ {three} --json | pairings: boards -> ... -> 4 -> 4 -> 4
            ~ {three} --json | strength: boards deals -> ... -> 12 4
        """)
    old = {path: path.stat().st_mtime_ns for path in tmp_path.glob("games/results/*-v-?/event.db")}
    assert len(old) == 3
    with simulated_runs() as machine:
        done = machine.tourney(*shlex.split(league.format("D A B")), "--gauntlet", "--json")
    assert {path: path.stat().st_mtime_ns for path in old} == old
    grown = json.loads(done.out)
    assert select(grown, "pairings: boards") == ["4"] * 5
    # Which of them did better, and is first, depends on the deals, which are of chance.
    (found,) = select(grown, "candidates: team opponent common boards")
    assert found in ("D C A,B 8", "C D A,B 8")
    assert grown["strength"]["deals"] == 4
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
    words = "$ lab league basic random mine:Quiet --in-process --auctions --deals boards.pbn --folder games --json"
    converse(
        tmp_path,
        f"""
        {words} | pairings: boards -> ... -> 3 -> 3 -> 3
        {words} | strength: boards deals -> ... -> 9 3
        {words} | programs: team -> ... -> Quiet -> random
        """,
    )
    check_record(next(Path("games").glob("*uiet*.toml")))
