"""What the page for authors shows works: its player, its event file, its test without a socket."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.events import port_range
from tests.support.wire_entries import read_entries
from tourney.bots import strategy_of
from tourney.bots.strategy import answer
from tourney.bridge import SEATS, Seat
from tourney.config.command import PLACEHOLDERS
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import PlayerEffect, SendLine
from tourney.testing import TableRig

PAGE = (Path(__file__).parents[2] / "docs" / "bot-authors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def player(tmp_path: Path) -> str:
    """The command of the player that the page prints."""
    (program,) = [text for text in blocks("python") if text.startswith('"""A bridge program')]
    path = tmp_path / "player.py"
    path.write_text(program, encoding="utf-8")
    return f"{sys.executable} {path} {{host}} {{port}} {{seat}} {{team}}"


def test_four_processes_of_the_player_play_a_board_to_its_last_card(player: str, tmp_path: Path) -> None:
    teams = "".join(f'[[team]]\nname = "{name}"\ncommand = "{player}"\n' for name in ("Mine", "Yours"))
    event = tmp_path / "try.toml"
    event.write_text(
        f'[event]\nname = "Try"\n{teams}[[stage]]\nformat = "match"\nboards_per_match = 1\n'
        f'[deals]\nseed = 1\n[tables]\ntrick_pause_ms = 0\nports = "{port_range()}"\n',
        encoding="utf-8",
    )

    done = run("run", event, "--hosts", "1")

    assert done.exit_code == 0, done.stdout + done.stderr
    for room in ("open", "closed"):
        wire = read_entries(tmp_path / "results" / "try" / "wire" / f"match-001-{room}.jsonl")
        entries = [json.loads(line) for line in wire]
        said = [entry["line"] for entry in entries if entry["dir"] == "in"]
        assert len([line for line in said if re.search(r" plays \w\w$", line)]) == 52
        assert [entry["line"] for entry in entries if entry["line"].startswith(("Error", "Illegal"))] == []


def test_the_player_passes_the_check_of_its_lines(player: str) -> None:
    steps = [word for number in ("3", "5", "8", "9", "13", "21") for word in ("--step", number)]

    done = run("check-bot", "--seat", "south", *steps, "--json", "--", player)

    document = json.loads(done.stdout)
    assert [step["number"] for step in document["steps"]] == [3, 5, 8, 9, 13, 21]
    assert document["passed"], done.stdout


def test_the_event_file_of_the_first_try_is_right(tmp_path: Path) -> None:
    event = tmp_path / "try.toml"
    event.write_text(blocks("toml")[0], encoding="utf-8")

    done = run("check", event)

    assert done.exit_code == 0, done.stdout + done.stderr


def test_every_name_that_may_stand_in_braces_is_explained_and_no_other() -> None:
    table = PAGE.partition("| in braces |")[2].partition("\n\n")[0]

    assert sorted(re.findall(r"\{(\w+)\}", table)) == sorted(PLACEHOLDERS)


class LinePlayer:
    """The reference player in the form that the page asks for: lines in, lines out."""

    def __init__(self, seat: Seat, team: str) -> None:
        self._core = PlayerCore(seat, team)
        self._strategy = strategy_of("basic", 1)

    def start(self) -> list[str]:
        return self._say(self._core.start())

    def hear(self, line: str) -> list[str]:
        return self._say(self._core.receive_line(line.encode()))

    def _say(self, effects: list[PlayerEffect]) -> list[str]:
        said = answer(self._strategy, self._core, effects)
        return [effect.line for effect in said if isinstance(effect, SendLine)]


def test_the_test_without_a_socket_passes_and_its_loop_plays_every_board() -> None:
    (kit,) = [text for text in blocks("python") if "tourney.testing" in text]
    names: dict[str, object] = {}
    exec(kit, names)
    tests = [thing for name, thing in names.items() if name.startswith("test_")]
    assert tests

    for test in tests:
        assert callable(test)
        test()

    new_table, play = names["new_table"], names["play"]
    assert callable(new_table)
    assert callable(play)
    table = new_table(boards=3)
    assert isinstance(table, TableRig)
    play(table, {seat: LinePlayer(seat, table.core.state.settings.team(seat.side)) for seat in SEATS})
    assert table.ended == [None]
