"""The command `tourney demo`: where it writes, and what it says last. `make demo` and the wheel's test play one."""

from functools import partial
from pathlib import Path

import pytest

from tests.support.commands import refusal, run


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that the demo calls, which are not carried out."""
    called: list[str] = []
    monkeypatch.setattr("tourney.cli.demo._call", lambda words: called.append(words[0]))
    return called


demo = partial(run, "demo")


@pytest.fixture
def full(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear Ann", encoding="utf-8")
    return folder


def test_a_folder_with_files_is_refused_and_left_alone(full: Path, steps: list[str]) -> None:
    assert refusal(demo("--folder", full)) == f"folder {full} is not empty: name a new one, for a demo needs its own"
    assert [path.name for path in full.iterdir()] == ["letter.txt"]
    assert steps == []


def test_an_empty_folder_and_a_new_one_are_written_into(tmp_path: Path, steps: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new"):
        result = demo("--folder", tmp_path / name)
        assert result.stdout.splitlines()[-1] == "your own event begins with: tourney init my-event.toml"
        assert (tmp_path / name / "event.toml").exists()
    assert steps.count("run") == 2
