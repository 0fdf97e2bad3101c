"""An event on a cluster that Dask's own commands have made, and a worker that is told to end in each way."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.cluster import ClusterEvent, RealCluster
from tests.support.events import environment, read_until, rest_of, start_tourney
from tourney.cluster.connection import make_keys
from tourney.runtime.address import find_free_port

TABLES = "lease_s = 2\norphan_s = 60\noutage_s = 20\n"


class StockCluster(RealCluster):
    """A cluster of `dask scheduler` and `dask worker`, which have their certificates from Dask's configuration."""

    def start_scheduler(self, port: int = 0) -> None:
        make_keys(self.keys)
        port = port or find_free_port()
        self.address = f"tls://127.0.0.1:{port}"
        self._dask("scheduler", "scheduler", "--host", self.address, "--no-dashboard")
        self.read_until("scheduler", "Scheduler at:")

    def start_worker(self, name: str, on: object = ()) -> None:
        words = ("--name", name, "--host", "tls://127.0.0.1", "--nworkers", "1", "--nthreads", "1", "--no-dashboard")
        offered = ("--resources", "tables=4", "--preload", "tourney.cluster", "--memory-limit", "0")
        self._dask(name, "worker", self.address, *words, *offered)

    def _dask(self, name: str, command: str, *words: str) -> None:
        with (self.folder / f"{name}.out").open("w") as out:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", command, *words],
                cwd=self.folder,
                env=environment() | {"DASK_CONFIG": str(self.keys / "dask.yaml")},
                stdout=out,
                stderr=out,
                text=True,
                start_new_session=True,
            )


@contextmanager
def stock_cluster(folder: Path) -> Iterator[StockCluster]:
    folder.mkdir()
    cluster = StockCluster(folder)
    try:
        cluster.start_scheduler()
        cluster.start_worker("ONE")
        cluster.start_worker("TWO")
        for name in ("ONE", "TWO"):
            cluster.read_until(name, "Registered to:")
        yield cluster
    finally:
        cluster.end()


@pytest.mark.campaign
@pytest.mark.timeout(120)
def test_an_event_is_played_on_a_cluster_that_dask_has_made_and_outlives_a_worker_of_it(
    tmp_path: Path, postgres_url: str
) -> None:
    with (
        stock_cluster(tmp_path / "cluster") as cluster,
        closing(ClusterEvent(tmp_path, cluster, postgres_url, TABLES, boards=4)) as event,
    ):
        run = start_tourney("run", event.event)
        read_until(run, "closed room: Alpha")
        event.until_both_play()
        before = event.tables()
        assert {name.split("-")[1] for name, _, _ in before.values()} == {"ONE", "TWO"}, "the rooms are apart"
        cluster.kill_dask_worker("ONE")
        event.until_calls()
        os.killpg(cluster.processes["TWO"].pid, signal.SIGINT)  # as Ctrl-C
        cluster.processes["TWO"].wait(60)
        event.until_calls()
        assert event.tables() == before, "hosts outlive their workers"
        ended = rest_of(run)
        assert ended.status == 0, ended.out
        event.check_whole()
