"""The example for services that check every change: its script and commands, with a few boards."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.events import environment, only_user_of_the_usual_ports
from tests.support.manual import ROOT

EXAMPLE = ROOT / "config" / "ci"
PLAYER = ROOT / "config" / "new-player" / "python" / "my_bot.py"


def repository(folder: Path) -> dict[str, str]:
    """Put into a folder what the job finds there before it runs its script; return the environment of the job."""
    (folder / "ci").mkdir()
    shutil.copy(EXAMPLE / "duel.sh", folder / "ci")
    for checkout in (folder, folder / "before"):
        checkout.mkdir(exist_ok=True)
        shutil.copy(PLAYER, checkout)
    installed = folder / "bin" / "tourney"  # as if by `pip install ./tourney`
    installed.parent.mkdir()
    installed.write_text(f'#!/bin/sh\nexec {sys.executable} -m tourney "$@"\n')
    installed.chmod(0o755)
    return {**environment(), "PATH": f"{installed.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.mark.campaign
def test_the_job_plays_a_duel_and_ends_with_the_status_of_what_is_required(tmp_path: Path) -> None:
    job: dict[str, Any] = yaml.safe_load((EXAMPLE / "github.yml").read_text())["jobs"]["duel"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == ["pip install ./tourney", "sh ci/duel.sh"]
    surroundings = {**repository(tmp_path), **job["env"]}
    # A difference of 24 IMPs a board is ruled out by three boards without a swing.
    few = "--sprt=-24,0 --concurrency 1"

    def run() -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["sh", "-c", f"{commands[1]} {few}"],
            cwd=tmp_path,
            env={**surroundings, "BOARDS": "8"},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    with only_user_of_the_usual_ports():
        done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "--fail-unless not-worse is met: new and old play alike: no swing after 3 boards" in done.stderr
    (files,) = [step["with"]["path"].split() for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
    assert all((tmp_path / file).exists() for file in files)
    assert ElementTree.parse(tmp_path / "duel.xml").getroot().attrib["failures"] == "0"
    assert "0 swings" in (tmp_path / "swings.txt").read_text()
    (tmp_path / "bin" / "tourney").write_text('#!/bin/sh\n[ "$1" != duel ] || exit 3\n')
    assert run().returncode == 3, "the status is that of the duel"
