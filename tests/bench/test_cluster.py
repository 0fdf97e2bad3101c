"""The bench of clusters: it plays the same boards with a run's hosts and on a cluster, and its page says how fast."""

import sys
from dataclasses import asdict

import pytest

from bench.__main__ import bench_group
from bench.cluster import ClusterFigures, play_by_turns
from bench.figures import this_machine
from bench.suite import make_readme
from bench.tables import bench


@pytest.mark.campaign
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what hosts use is read from /proc")
def test_the_same_boards_are_played_with_hosts_of_the_run_and_on_a_cluster(postgres_url: str) -> None:
    with bench(2, 1, postgres_url) as made:
        played = play_by_turns(made, tables=2, boards=1, rounds=1)
    for runs in played.values():
        (run,) = runs
        assert run.seconds > 0
        assert run.open_s > 0


def test_the_page_says_what_the_cluster_costs() -> None:
    found = ClusterFigures(
        tables=16,
        boards=16,
        rounds=1,
        workers=2,
        database="PostgreSQL 18.4, synchronous_commit=on, fsync=on",
        local_boards_per_s=40.0,
        cluster_boards_per_s=39.0,
        ratio=0.975,
        ratios=[0.975],
        local_open_s=1.5,
        cluster_open_s=2.5,
        placed_tables=200,
        placed_workers=4,
        placed_s=2.25,
        placed_from_start_s=3.5,
        lost_tables=2,
        lease_s=3,
        again_s=[4.25, 4.5],
        machine=this_machine(),
    )
    benches = {"cluster": {"command": "python -m bench cluster", "seconds": 1.0, "figures": asdict(found)}}
    page = make_readme({"date": "2026-11-23", "machine": "a machine", "benches": benches}, "a.json")
    assert "39.0 boards/s on 2 workers, 0.975 of the 40.0 of as many hosts of the run (the rounds: 0.975)" in page
    assert "200 tables placed on 4 workers in 2.25 s, 3.5 s from the start of the run" in page
    assert "2 tables of a killed worker play again after 4.2, 4.5 s with a lease of 3 s" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--tables", "3"), "a match has two tables: --tables is an even number, got 3"),
        (("--placed", "5"), "a match has two tables: --placed is an even number, got 5"),
    ],
)
def test_half_a_match_is_refused(words: tuple[str, ...], said: str) -> None:
    from click.testing import CliRunner

    done = CliRunner().invoke(bench_group, ["cluster", *words])
    assert done.exit_code == 2
    assert said in done.output
