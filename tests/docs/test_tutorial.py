"""The tutorial does what it says: its commands are run in an empty folder, with real players."""

import difflib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.events import printed, tourney
from tests.support.manual import DOCS, README, agrees, blocks, page_id, steps

TUTORIAL = DOCS / "tutorial.md"
FOLDER = "/home/ann/club"
"""The folder in which the tutorial is played, as its output has it."""


def run(command: str, folder: Path) -> str:
    """What a command of the tutorial prints, with the folder as the tutorial has it."""
    name, *words = shlex.split(command)
    assert name == "tourney", f"the tutorial has no other commands, got {command!r}"
    # The run is a process, with all that it starts; the others need not wait for the start of one.
    done = tourney(*words, cwd=folder) if words[0] == "run" else printed(*words)
    assert done.status == 0, f"{command}\n{done.out}{done.err}"
    return _announced_first(done.out + done.err).replace(os.path.realpath(folder), FOLDER)


def _announced_first(text: str) -> str:
    """Move what tables play on a busy machine before all are announced behind the first announcement."""
    early = r"((?:^match \d+, (?:open|closed) room: \d+ of \d+ boards\n)+)"
    return re.sub(rf"{early}(^match .*; tourney starts it\n)", r"\2\1", text, count=1, flags=re.MULTILINE)


@pytest.mark.timeout(300)
def test_tutorial_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)
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
    _check_seal(tmp_path)


def _check_seal(folder: Path) -> None:
    """The program that the manual prints finds the hash of the boards that the tutorial has opened."""
    (program,) = (block.text for block in blocks(DOCS / "record.md") if block.caption == "check_seal.py")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    opened = json.loads((folder / "opened.json").read_text(encoding="utf-8"))
    assert done.stdout.strip() == opened["commitment"]


@pytest.mark.parametrize("page", [README, DOCS / "index.md"], ids=page_id)
def test_runs_shown_elsewhere_are_those_of_the_tutorial(page: Path) -> None:
    known = list(steps(TUTORIAL))
    for step in steps(page):
        assert any(step.command == each.command and agrees(step.output, each.output) for each in known), (
            f"{page.name}:{step.line}: the tutorial has no such run of {step.command!r}"
        )
