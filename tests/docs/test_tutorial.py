"""The tutorial does what it says: its commands are run in an empty folder, with real players."""

import difflib
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.events import environment
from tests.support.manual import DOCS, README, agrees, blocks, page_id, steps

TUTORIAL = DOCS / "tutorial.md"
FOLDER = "/home/ann/club"
"""The folder in which the tutorial is played, as its output has it."""


def run(command: str, folder: Path) -> str:
    """What a command of the tutorial prints, on both streams, with the folder as the tutorial has it."""
    name, *words = shlex.split(command)
    assert name == "tourney", f"the tutorial has no other commands, got {command!r}"
    done = subprocess.run(
        [sys.executable, "-m", "tourney", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        env=environment() | {"COLUMNS": "200"},
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}"
    return done.stdout.replace(os.path.realpath(folder), FOLDER)


@pytest.mark.timeout(300)
def test_tutorial_prints_what_it_says(tmp_path: Path) -> None:
    for block in blocks(TUTORIAL):
        if block.caption is not None:
            (tmp_path / block.caption).write_text(block.text, encoding="utf-8")
    for step in steps(TUTORIAL):
        printed = run(step.command, tmp_path)
        if not agrees(step.output, printed):
            difference = difflib.unified_diff(
                step.output.splitlines(),
                printed.splitlines(),
                f"tutorial.md:{step.line}",
                step.command,
                lineterm="",
            )
            pytest.fail("\n".join(difference))


@pytest.mark.parametrize("page", [README, DOCS / "index.md"], ids=page_id)
def test_runs_shown_elsewhere_are_those_of_the_tutorial(page: Path) -> None:
    known = {step.command: step.output for step in steps(TUTORIAL)}
    for step in steps(page):
        assert step.command in known, f"{page.name}:{step.line}: the tutorial does not run {step.command!r}"
        assert agrees(step.output, known[step.command]), f"{page.name}:{step.line}: {step.command}"
