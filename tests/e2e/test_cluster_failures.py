"""An event on a cluster of real workers, of which everything is killed in turn: it is played to its end, once.

PostgreSQL, a scheduler and two workers over TLS; teams that tourney starts and one that plays from elsewhere.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.cluster import ClusterEvent, RealCluster, has_ended, real_cluster
from tests.support.events import port_range, read_until, rest_of, start_tourney, until
from tests.support.programs_elsewhere import programs_at


@contextmanager
def small_disk(folder: Path, kb: int = 64) -> Iterator[None]:
    """A disk of so many kB in place of a folder."""
    folder.mkdir(parents=True)
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a small disk is mounted, which takes root on Linux")
    command = ["mount", "-t", "tmpfs", "-o", f"size={kb}k", "none", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(path: Path) -> None:
    """Take what room there is."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


LEASE_S = 2
TABLES = f"lease_s = {LEASE_S}\norphan_s = 60\noutage_s = 20\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCluster]:
    """Two workers, of which one has little room on its disk, where such a disk can be had."""
    folder = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        with suppress(pytest.skip.Exception):
            stack.enter_context(small_disk(folder / "tourney-worker-SMALL", kb=2000))
        yield stack.enter_context(real_cluster(folder, "SMALL", "LARGE"))


@pytest.fixture
def played(tmp_path: Path, postgres_url: str, cluster: RealCluster) -> Iterator[ClusterEvent]:
    with closing(ClusterEvent(tmp_path, cluster, postgres_url, TABLES, boards=8)) as found:
        yield found


@pytest.mark.campaign
def test_what_is_killed_in_a_cluster_costs_nothing_that_was_on_record(
    played: ClusterEvent, cluster: RealCluster
) -> None:
    run = start_tourney("run", played.event)
    read_until(run, "closed room: Alpha")
    played.until_both_play()
    before = played.tables()
    assert {name.split("-")[1] for name, _, _ in before.values()} == {"SMALL", "LARGE"}, "the rooms are apart"
    until(lambda: len(played.programs()) == 8, "eight programs play")

    # The worker process, then its nanny with it, then the scheduler: hosts play on and are adopted.
    cluster.kill_dask_worker("SMALL")
    played.until_calls()
    until(lambda: bool(cluster.dask_workers("SMALL")), "the nanny has started its worker again")
    cluster.kill("LARGE")
    played.until_calls()
    cluster.start_worker("LARGE")
    cluster.kill("scheduler")
    told = read_until(run, "is gone")
    played.until_calls()
    cluster.start_scheduler(cluster.port)
    told += read_until(run, "answers again")
    assert "Traceback" not in told, "Dask's own words are in its log"
    played.until_calls()
    # The run: the next one finds the same hosts.
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    played.until_calls()
    run = start_tourney("run", played.event)
    read_until(run, "has played on and is kept")
    played.until_calls()
    assert played.tables() == before, "nobody has lost a table"
    assert len(played.programs()) == 8, "no program was started twice"

    # A host: its supervisor tells at once. Another that stands still: its lease tells.
    _, pid, attempt = played.tables()["open"]
    os.kill(pid, signal.SIGKILL)
    until(lambda: played.tables().get("open", before["open"])[2] > attempt, "the open room has another host")
    until(lambda: "closed" in played.tables(), "the closed room is played")
    _, frozen, attempt = played.tables()["closed"]
    os.kill(frozen, signal.SIGSTOP)
    until(lambda: played.tables().get("closed", before["closed"])[2] > attempt, "the closed room has another host")
    with suppress(ProcessLookupError):  # the run kills it where it can; otherwise it ends once it is thawed
        os.kill(frozen, signal.SIGCONT)
    until(lambda: has_ended(frozen), "the thawed one ends")
    played.until_both_play()
    until(lambda: len(played.programs()) == 8, "eight programs play")
    # A program.
    played.programs()[0].kill()
    ended = rest_of(run)
    assert ended.status == 0, ended.out
    played.check_whole()


@pytest.mark.campaign
def test_a_worker_whose_disk_is_full_plays_on_and_a_drained_one_leaves_after_its_boards(
    tmp_path: Path, postgres_url: str, cluster: RealCluster
) -> None:
    """One team plays from elsewhere, by the port that it has all event long. The drained worker is gone for good."""
    if not cluster.folder_of("SMALL").is_mount():
        pytest.skip("a small disk is mounted, which takes root on Linux")
    ports = port_range(2)
    tables = f'{TABLES}team_ports = "{ports}"\n'
    with (
        programs_at(int(ports.partition("-")[0]), "Alpha"),
        closing(ClusterEvent(tmp_path, cluster, postgres_url, tables, boards=4, is_alpha_elsewhere=True)) as event,
    ):
        run = start_tourney("run", event.event)
        read_until(run, "closed room: Alpha")
        event.until_both_play()
        ((room, (_, _, attempt)),) = [(room, each) for room, each in event.tables().items() if "SMALL" in each[0]]
        fill(cluster.folder_of("SMALL") / "filler")
        status = ("status", event.event, "--director")
        until(lambda: "No space left on device" in commands.run(*status).stdout, "status says that the disk is full")
        event.until_calls()
        assert event.tables()[room][2] == attempt, "it is played where it was"
        (cluster.folder_of("SMALL") / "filler").unlink()
        words = ("cluster", "drain", "--scheduler", cluster.address, "--keys", cluster.keys, "SMALL")
        drained = start_tourney(*words, cwd=tmp_path)
        until(lambda: "LARGE" in event.tables().get(room, ("",))[0], "the table is played at the other worker")
        ended = rest_of(drained)
        assert ended.status == 0, ended.out
        assert cluster.processes["SMALL"].wait(60) == 0
        assert rest_of(run).status == 0
        event.check_whole()
