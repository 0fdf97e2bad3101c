"""The command `tourney demo`: where it writes, and what it says last. `make demo` and the wheel's test play one."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tourney.cli.main import cli


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that the demo calls, which are not carried out."""
    called: list[str] = []
    monkeypatch.setattr("tourney.cli.demo._call", lambda words: called.append(words[0]))
    return called


def demo(*words: object, answer: str = "") -> Result:
    return CliRunner().invoke(cli, ["demo", *map(str, words)], input=answer)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear Ann", encoding="utf-8")
    return folder


def in_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.cli.demo._can_ask", lambda: True)


def test_a_folder_with_files_is_refused_where_nobody_can_be_asked(full: Path, steps: list[str]) -> None:
    result = demo("--folder", full)
    assert result.exit_code == 1
    assert result.stderr == (
        f"Error: folder {full} is not empty (letter.txt): name a new one, or give --yes to write the demo into it\n"
    )
    assert [path.name for path in full.iterdir()] == ["letter.txt"]
    assert steps == []


@pytest.mark.parametrize("answer", ["y", "n"])
def test_in_a_terminal_it_asks_and_writes_nothing_without_a_yes(
    full: Path, steps: list[str], answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_terminal(monkeypatch)
    result = demo("--folder", full, answer=f"{answer}\n")
    assert f"folder {full} is not empty (letter.txt). Write the demo into it? [y/N]" in result.output
    assert (full / "event.toml").exists() == (answer == "y") == bool(steps)
    assert (full / "letter.txt").read_text(encoding="utf-8") == "Dear Ann"


def test_scripts_say_yes_beforehand_but_an_event_file_is_never_overwritten(full: Path, steps: list[str]) -> None:
    assert demo("--folder", full, "--yes").exit_code == 0
    assert steps[:2] == ["schedule", "run"]
    text = (full / "event.toml").read_text(encoding="utf-8")
    assert "exists already" in demo("--folder", full, "--yes", "--seed", 7).stderr
    assert (full / "event.toml").read_text(encoding="utf-8") == text


def test_an_empty_folder_and_a_new_one_need_no_question(tmp_path: Path, steps: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new"):
        assert demo("--folder", tmp_path / name).exit_code == 0
        assert (tmp_path / name / "event.toml").exists()
    assert steps.count("run") == 2


@pytest.mark.parametrize(
    ("where", "on_path", "called"),
    [
        ("checkout", False, ".venv/bin/tourney"),
        ("elsewhere", False, "{program}"),
        ("checkout", True, "tourney"),
    ],
)
def test_the_last_line_says_how_tourney_is_called_from_here(
    tmp_path: Path, steps: list[str], where: str, on_path: bool, called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "checkout" / ".venv" / "bin" / "tourney"
    program.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program.parent / "python"))
    monkeypatch.setenv("PATH", str(program.parent) if on_path else "/nowhere")
    monkeypatch.chdir(tmp_path / where)
    result = demo("--folder", tmp_path / "demo")
    call = called.format(program=program)
    assert result.stdout.splitlines()[-1] == f"your own event begins with: {call} init my-event.toml"
    assert "run" in steps
