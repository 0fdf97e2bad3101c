"""A host looks through its memory when tables are over."""

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


def test_everything_is_looked_through_when_nobody_plays_or_as_many_tables_are_over_as_play_on() -> None:
    # In a process of its own: how this one looks through its memory is pytest's affair.
    subprocess.run([sys.executable, "-c", _SCRIPT], check=True)


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


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc is asked to")
def test_memory_that_is_free_goes_back_to_the_system() -> None:
    subprocess.run([sys.executable, "-c", _FREE_AND_RETURN], check=True)
