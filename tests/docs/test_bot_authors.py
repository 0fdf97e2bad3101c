"""What the page for authors shows works: its player, its event file, its test without a socket."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.support.commands import printed, run
from tests.support.events import port_range
from tests.support.manual import DOCS, code
from tests.support.wire_entries import read_entries
from tourney.config.command import PLACEHOLDERS

PAGE = DOCS / "bot-authors.md"


@pytest.fixture
def player(tmp_path: Path) -> str:
    """The command of the player that the page prints."""
    (program,) = [text for text in code(PAGE, "python") if text.startswith('"""A bridge program')]
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

    printed(run("run", event, "--hosts", "1"))

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
    event.write_text(code(PAGE, "toml")[0], encoding="utf-8")

    printed(run("check", event))


def test_every_name_that_may_stand_in_braces_is_explained_and_no_other() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| in braces |")[2].partition("\n\n")[0]

    assert sorted(re.findall(r"\{(\w+)\}", table)) == sorted(PLACEHOLDERS)
