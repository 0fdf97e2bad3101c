"""`tourney new-player`: what it writes plays at once."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import printed, refusal, run
from tests.support.refusals import refused_commands
from tourney.event.file import load_event_to_play
from tourney.player import load_player
from tourney.testing import play_boards


@pytest.fixture(autouse=True)
def _in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def make(*words: str) -> str:
    return printed(run("new-player", *words))


def test_the_python_player_plays_boards_and_its_event_names_it() -> None:
    told = make("night_owl")
    assert "tourney check-bot --player night_owl:NightOwl" in told
    assert sorted(path.name for path in Path("night_owl").iterdir()) == [
        "README.md",
        "night_owl.py",
        "test_night_owl.py",
        "try.toml",
    ]
    player = load_player("night_owl:NightOwl", Path("night_owl").resolve())
    assert [board.result is not None for board in play_boards(player, 2)] == [True, True]
    mine, _ = load_event_to_play(Path("night_owl/try.toml")).config.team
    assert mine.player == "night_owl:NightOwl"


def test_the_tests_of_the_python_player_pass() -> None:
    make("owl")
    tests = {name: member for name, member in _run(Path("owl/test_owl.py")).items() if name.startswith("test_")}
    assert len(tests) == 4
    for test in tests.values():
        test()


def _run(path: Path) -> dict[str, Any]:
    sys.path.insert(0, str(path.parent.resolve()))
    members: dict[str, Any] = {"__name__": path.stem}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), members)
    return members


@pytest.mark.parametrize("name", ["json", "pytest"])
def test_a_player_that_would_hide_a_module_is_refused(name: str) -> None:
    assert f"there is a module '{name}', which a player of that name would hide: give it another name" in refusal(
        run("new-player", name), 2
    )
    assert not Path(name).exists()
    assert run("new-player", name, "--language", "node").exit_code == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_tests_of_the_node_player_pass() -> None:
    make("jay", "--language", "node")
    tried = subprocess.run(["node", "--test"], cwd="jay", capture_output=True, text=True, timeout=60, check=False)
    assert (tried.returncode, "# pass 3" in tried.stdout) == (0, True), tried.stdout
    assert "node jay.mjs {host} {port} {seat} {team}" in Path("jay/try.toml").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("c++") is None, reason="a C++ compiler is not installed")
def test_the_cpp_player_compiles_without_a_warning() -> None:
    make("kite", "--language", "cpp")
    words = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "kite.cpp"]
    tried = subprocess.run(words, cwd="kite", capture_output=True, text=True, timeout=60, check=False)
    assert (tried.returncode, tried.stderr) == (0, "")
    assert "-o $@ $<" in Path("kite/Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/new_player"))
def test_a_folder_that_cannot_be_made_is_refused(words: list[str], status: int, sentence: str) -> None:
    Path("taken").mkdir()
    assert sentence in refusal(run("new-player", *words), status)
    assert list(Path("taken").iterdir()) == []
