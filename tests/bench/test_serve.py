"""The bench of live pages: a small one ends with figures of everything that it measures."""

import sys
from dataclasses import asdict

import pytest

from bench.serving import measure_serve
from bench.suite import make_readme


@pytest.mark.campaign
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processor time is read from /proc")
def test_watchers_fetch_what_tables_play() -> None:
    found = measure_serve(tables=2, boards=2, watchers=2, rounds=1)
    assert found.failed == 0
    assert found.peak_mb > 10
    assert found.boards_per_s > 0
    assert found.end_s > 0
    assert found.public_changes > 0
    assert 0 < found.public_told_p50_ms <= found.public_p50_ms <= found.public_max_ms
    assert found.desk_changes > 0
    assert found.desk_max_ms > 0
    bench = {"command": "python -m bench serve", "seconds": 1.0, "figures": asdict(found)}
    page = make_readme({"date": "2026-11-21", "machine": "a machine", "benches": {"live pages": bench}}, "a.json")
    assert "live pages, 2 watchers of 2 tables at full speed" in page
