"""The client on the page of the stateful-server protocol is a whole program, which passes the check of programs."""

import sys
from pathlib import Path

from tests.support.commands import run
from tests.support.manual import DOCS, code
from tourney.compliance.stateful import STATEFUL


def test_the_client_on_the_page_passes_every_step_of_the_check(tmp_path: Path) -> None:
    (text,) = code(DOCS / "stateful.md", "python")
    program = tmp_path / "client.py"
    program.write_text(text, encoding="utf-8")
    words = ("check-bot", "--protocol", "stateful", "--seat", "East", "--")
    done = run(*words, f"{sys.executable} {program} {{host}} {{port}} {{team}}")
    assert done.exit_code == 0, done.output
    assert done.stdout.count(" ok ") == len(STATEFUL.steps)
