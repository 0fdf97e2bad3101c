"""The memory of a host: what is looked through when tables are over, and what goes back to the system."""

import subprocess
import sys

import pytest

_SCRIPT = """
import gc
from tourney.runtime.event_loop import CLOSED_MIN, CLOSED_TO_LEFT, GarbageCollector, collect_seldom

class Ring:
    pass

collect_seldom()
found = []
gc.callbacks.append(lambda phase, info: found.append(info["generation"]) if phase == "start" else None)
collector = GarbageCollector()
kept = []
for _ in range(300_000):
    ring = Ring()
    ring.own = ring
    kept.append(Ring())
assert 0 in found and 2 not in found, "young objects are looked through, never all"
del found[:]
for _ in range(CLOSED_MIN - 1):
    collector.note_closed(CLOSED_MIN)
collector.note_closed(CLOSED_MIN // CLOSED_TO_LEFT + 1)
assert 2 not in found, "too many tables play on"
collector.note_closed(CLOSED_MIN // CLOSED_TO_LEFT)
assert found.count(2) == 1
collector.note_closed(1)
assert found.count(2) == 1
collector.note_closed(0)
assert found.count(2) == 2, "nobody plays"
"""

_FREE_AND_RETURN = """
import pathlib, resource
from tourney.runtime.event_loop import return_memory, use_one_arena

def resident_mb():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6

use_one_arena()
taken = [bytes(100_000) for _ in range(300)]
before_mb = resident_mb()
kept, taken = taken[-1], None
return_memory()
assert resident_mb() < before_mb - 20, (before_mb, resident_mb())
"""


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(_SCRIPT, id="everything is looked through when nobody plays, or as many are over as play on"),
        pytest.param(
            _FREE_AND_RETURN,
            id="memory that is free goes back to the system",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only glibc is asked to"),
        ),
    ],
)
def test_a_host_cares_for_its_memory(script: str) -> None:
    # In a process of its own: how this one looks through its memory is pytest's affair.
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
