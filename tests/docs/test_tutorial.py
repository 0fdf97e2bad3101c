"""The tutorial does what it says: its commands are run in an empty folder."""

import difflib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.events import Finished, tourney
from tests.support.manual import DOCS, agrees, blocks, run_step, steps
from tests.support.simulated_run import simulated_runs

TUTORIAL = DOCS / "tutorial.md"
FOLDER = "/home/ann/club"
"""The folder in which the tutorial is played, as its output has it."""


def simulated(*words: str) -> Finished:
    """As `tourney` of tests/support/events.py."""
    with simulated_runs() as runs:
        return runs.tourney(*words)


@pytest.mark.parametrize(
    "play",
    [
        pytest.param(simulated, id="on simulated time"),
        pytest.param(tourney, id="by programs", marks=pytest.mark.campaign),
    ],
)
def test_tutorial_prints_what_it_says(
    play: Callable[..., Finished], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ann")
    for block in blocks(TUTORIAL):
        if block.caption is not None:
            (tmp_path / block.caption).write_text(block.text, encoding="utf-8")
    for step in steps(TUTORIAL):
        printed = run_step(step, play).replace(os.path.realpath(tmp_path), FOLDER)
        if not agrees(step.output, printed):
            difference = difflib.unified_diff(
                step.output.splitlines(),
                printed.splitlines(),
                f"tutorial.md:{step.line}",
                step.command,
                lineterm="",
            )
            pytest.fail("\n".join(difference))
    _check_seal(tmp_path)


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
