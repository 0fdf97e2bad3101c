"""The client on the page of the stateful-server protocol is a whole program, which passes the check of programs."""

import re
import sys
from pathlib import Path

from tests.support.commands import run
from tourney.compliance.stateful import STATEFUL

PAGE = (Path(__file__).parents[2] / "docs" / "stateful.md").read_text(encoding="utf-8")


def test_the_client_on_the_page_passes_every_step_of_the_check(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    program = tmp_path / "client.py"
    program.write_text(text, encoding="utf-8")
    words = (
        "--protocol",
        "stateful",
        "--seat",
        "East",
        "--",
        f"{sys.executable} {program} {{host}} {{port}} {{team}}",
    )
    done = run("check-bot", *words)
    assert done.exit_code == 0, done.output
    assert done.stdout.count(" ok ") == len(STATEFUL.steps)
