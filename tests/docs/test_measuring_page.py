"""What the page on measuring agents shows works: every command of it is run, one after the other, in one folder.

Other programs than tourney have stand-ins: `pip` is compared with the extras of the package. What distributes work on
a cluster runs it here: all shares by the first of these recipes, one of them again by each of the others.
"""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.docs.test_tutorial import differences, write_files
from tests.support.events import tourney
from tests.support.manual import DOCS, ROOT, Block, block_steps, blocks
from tourney.lab import play

pytest.importorskip("numpy", reason="the extra env is not installed")
pytest.importorskip("endplay", reason="the extra dd is not installed")

PAGE = DOCS / "measuring.md"
SHARES = range(1, 5)
SHARE = SHARES[-1]
SUBMITIT = """
class Job:
    def __init__(self, value): self.value = value
    def result(self): return self.value

class AutoExecutor:
    def __init__(self, folder): pass
    def update_parameters(self, **given): pass
    def map_array(self, work, items): return [Job(work(item)) for item in [*items][-1:]]
"""


def execute(*words: str, **variables: str) -> None:
    """Run words, with `tourney` and `python` of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}bin{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        words, env=os.environ | {"PATH": path} | variables, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"


def stand_in(block: Block, files: Mapping[str, str]) -> None:
    """Do what a command of a cluster would have done."""
    match shlex.split(block.text):
        case ["pip", "install", what]:
            project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            name, extras = what.removesuffix("]").split("[")
            assert name == project["name"]
            assert {*extras.split(",")} <= {*project["optional-dependencies"]}
        case ["sbatch", script]:
            assert files[script].startswith("#!/bin/sh\n#SBATCH --array=1-4 ")
            for share in SHARES:
                execute("sh", script, SLURM_ARRAY_TASK_ID=str(share), SLURM_JOB_ID="1")
        case ["hq", "submit", "--array", "1-4", "--cpus", "2", "--", *command]:
            execute(*command, HQ_TASK_ID=str(SHARE))
        case ["python", script]:
            execute("python", script)
        case ["kubectl", "apply", "-f", name]:
            job = files[name]
            assert "completionMode: Indexed" in job
            assert f"completions: {len(SHARES)}" in job
            (command,) = re.findall(r"command: \[sh, -c, '(.*)'\]", job)
            execute("sh", "-c", command, JOB_COMPLETION_INDEX=str(SHARE - 1))
        case other:
            raise AssertionError(f"nothing stands in for {other}")


@pytest.mark.campaign
def test_every_command_of_the_page_is_run_and_prints_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)
    write_files(PAGE, tmp_path)
    Path("submitit.py").write_text(SUBMITIT, encoding="utf-8")
    Path("bin").mkdir()
    Path("bin/srun").write_text('#!/bin/sh\nexec "$@"\n', encoding="utf-8")
    Path("bin/srun").chmod(0o755)
    shown = blocks(PAGE)
    files = {block.caption: block.text for block in shown if block.caption is not None}
    wrong, stood_in = [], 0
    for block in shown:
        if block.info == "console":
            for step in block_steps(block):
                wrong += differences(PAGE, step, tmp_path, tourney)
        elif block.info == "sh":
            stand_in(block, files)
            stood_in += 1
    assert not wrong, "\n".join(wrong)
    assert stood_in == 5


def test_an_agent_function_of_the_page_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    write_files(PAGE, tmp_path)
    assert "| `my_net:agent@kaggle` |" in PAGE.read_text(encoding="utf-8")
    try:
        boards = play(2, {"NS": "my_net:agent@kaggle", "EW": "my_net:policy@pgx480"}, auctions=True)
    finally:
        sys.modules.pop("my_net", None)  # other tests have one of their own
    assert all(result.end.is_by_rules for result in boards)
