"""The tutorial and the guides do what they say: their commands are run, one page after the other."""

import difflib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.events import Finished, only_user_of_the_usual_ports, tourney
from tests.support.manual import DOCS, Step, agrees, blocks, run_step, steps, trimmed
from tests.support.simulated_run import simulated_runs

TUTORIAL = DOCS / "tutorial.md"
GUIDES = [DOCS / f"{name}.md" for name in ("organiser", "contests", "director", "live-pages", "duels", "operations")]
FOLDER = "/home/ann/club"
"""The folder in which the tutorial is played, as its output has it."""


def simulated(*words: str) -> Finished:
    """As `tourney` of tests/support/events.py."""
    with simulated_runs() as runs:
        return runs.tourney(*words)


@pytest.fixture(autouse=True)
def _usual_ports() -> Iterator[None]:
    with only_user_of_the_usual_ports():
        yield


@pytest.mark.parametrize(
    "play",
    [
        pytest.param(simulated, id="on simulated time"),
        pytest.param(tourney, id="by programs", marks=pytest.mark.campaign),
    ],
)
def test_commands_of_the_tutorial_and_of_the_guides_print_what_these_show(
    play: Callable[..., Finished], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each guide begins with the event of the tutorial as played. `UPDATE_GOLDEN=1` writes what is printed."""
    folder, played = tmp_path / "club", tmp_path / "played"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ann")
    write_files(TUTORIAL, folder)
    wrong = []
    for step in steps(TUTORIAL):
        wrong += differences(TUTORIAL, step, folder, play)
        if step.command == "tourney run club.toml":
            shutil.copytree(folder, played)
    _check_seal(folder)
    for page in GUIDES:
        shutil.rmtree(folder)
        shutil.copytree(played, folder)
        monkeypatch.chdir(folder)
        write_files(page, folder)
        for step in steps(page):
            wrong += differences(page, step, folder, play)
    assert not wrong, "\n".join(wrong)


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows."""
    for block in blocks(page):
        if block.caption is not None:
            (folder / block.caption).write_text(block.text, encoding="utf-8")


def differences(page: Path, step: Step, folder: Path, play: Callable[..., Finished]) -> list[str]:
    """Run a command of a page; what it prints otherwise than the page says."""
    printed = trimmed(run_step(step, play).replace(os.path.realpath(folder), FOLDER))
    if agrees(step.output, printed):
        return []
    if os.environ.get("UPDATE_GOLDEN"):
        shown, now = (f"\n$ {step.command}\n{text}".rstrip("\n") + "\n" for text in (step.output, printed))
        page.write_text(page.read_text(encoding="utf-8").replace(shown, now, 1), encoding="utf-8")
    place = f"{page.name}:{step.line}"
    return [*difflib.unified_diff(step.output.splitlines(), printed.splitlines(), place, step.command, lineterm="")]


def _check_seal(folder: Path) -> None:
    """The program that the manual prints finds the hash of the boards that the tutorial has opened."""
    (program,) = (block.text for block in blocks(DOCS / "formats.md") if block.caption == "check_seal.py")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    opened = json.loads((folder / "opened.json").read_text(encoding="utf-8"))
    assert done.stdout.strip() == opened["commitment"]


def test_runs_shown_on_the_first_page_are_those_of_the_tutorial() -> None:
    known = list(steps(TUTORIAL))
    for step in steps(DOCS / "index.md"):
        assert any(step.command == each.command and agrees(step.output, each.output) for each in known), (
            f"index.md:{step.line}: the tutorial has no such run of {step.command!r}"
        )
