"""The bench of clusters plays the same boards with a run's hosts and on a cluster."""

import sys

import pytest

from bench.cluster import play_by_turns
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
