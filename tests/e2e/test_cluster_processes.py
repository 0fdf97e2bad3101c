"""A cluster of real processes over TLS: two machines' worth of `tourney worker` and their `tourney scheduler`."""

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import dask
import psutil
import pytest
from distributed import Client

from tests.support.events import read_until, rest_of, start_tourney
from tourney.launch.cluster.connection import HOST_RESOURCE, SchedulerAbsent, SchedulerAddress, configure_dask
from tourney.launch.cluster.key import load_cluster_key
from tourney.launch.cluster.worker import WorkerSettings, load_workers

Process = subprocess.Popen[str]
Starter = Callable[..., Process]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    """Start a command in the folder of a machine; whatever still runs afterwards is killed."""
    processes: list[Process] = []

    def start_in(machine: str, *words: str | Path) -> Process:
        (tmp_path / machine).mkdir(exist_ok=True)
        processes.append(start_tourney(*words, cwd=tmp_path / machine))
        return processes[-1]

    with dask.config.set({}):
        configure_dask()
        yield start_in
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def start_scheduler(start: Starter, port: int = 0) -> tuple[Process, SchedulerAddress]:
    process = start("office", "cluster", "scheduler", "--host", "127.0.0.1", "--port", str(port))
    found = re.search(r"--scheduler (\S+)", read_until(process, "Ctrl-C ends"))
    assert found is not None
    return process, SchedulerAddress.parse(found[1])


async def until_at(address: SchedulerAddress, key_file: Path, names: set[str]) -> dict[str, WorkerSettings]:
    """Wait until these are the workers, and return them by name."""
    security = load_cluster_key(key_file).issue("test")
    while True:
        try:
            workers = {found.name: found for found in (await load_workers(address, security)).values()}
        except SchedulerAbsent:
            workers = {}
        if set(workers) == names:
            return workers
        await asyncio.sleep(0.05)


def own_environment() -> dict[str, str]:
    return dict(os.environ)


async def environment_of(address: SchedulerAddress, key_file: Path, name: str, resource: str) -> dict[str, str]:
    """Run a task at a worker, by what it has."""
    security = load_cluster_key(key_file).issue("test")
    async with Client(str(address), security=security, asynchronous=True, set_as_default=False) as client:
        future = client.submit(own_environment, resources={resource: 0.5}, workers=[name], pure=False)
        found = await future
        assert isinstance(found, dict)
        return found


async def test_machines_join_by_one_command_survive_kills_and_leave_in_order(start: Starter, tmp_path: Path) -> None:
    key_file = tmp_path / "office" / "cluster.key"
    scheduler, address = start_scheduler(start)
    words = ("cluster", "worker", "--scheduler", str(address), "--key-file", key_file)
    desk = start("desk", *words, "--name", "DESK", "--tables", "8", "--hosts", "2", "--address", "desk.example.org")
    laptop = start("laptop", *words, "--name", "LAPTOP2", "--tables", "2")
    read_until(desk, "cluster drain DESK")
    said = read_until(laptop, "cluster drain LAPTOP2")
    assert f"LAPTOP2: 2 tables; in the cluster of {address}" in said
    read_until(scheduler, "has joined")
    read_until(scheduler, "has joined")

    workers = await until_at(address, key_file, {"DESK", "LAPTOP2"})
    assert workers["DESK"] == WorkerSettings(
        "DESK", 8, 2, "desk.example.org", str(tmp_path / "desk" / "tourney-worker-DESK")
    )
    assert workers["LAPTOP2"].address == "127.0.0.1"

    # What is placed there inherits nothing that makes it slow or gives the cluster away.
    heavy = {"OMP_NUM_THREADS", "MALLOC_TRIM_THRESHOLD_", "PYTHONHASHSEED", "TOURNEY_CLUSTER_KEY"}
    assert not heavy & set(await environment_of(address, key_file, "LAPTOP2", HOST_RESOURCE))
    # A worker that is killed is started again by its nanny, under its name.
    [killed] = [each for each in psutil.Process(desk.pid).children() if "spawn_main" in " ".join(each.cmdline())]
    killed.kill()
    killed.wait()
    read_until(scheduler, "DESK has left")
    read_until(scheduler, "DESK has joined")
    assert not heavy & set(await environment_of(address, key_file, "DESK", HOST_RESOURCE))

    # A scheduler that is killed takes nothing with it: the workers wait for the next one.
    scheduler.kill()
    scheduler.wait()
    read_until(desk, "the scheduler is gone")
    read_until(laptop, "the scheduler is gone")
    scheduler, _ = start_scheduler(start, address.port)
    read_until(desk, "DESK is in the cluster again")
    read_until(laptop, "LAPTOP2 is in the cluster again")
    await until_at(address, key_file, {"DESK", "LAPTOP2"})

    # One leaves because it is drained, one because its terminal is closed, the scheduler by Ctrl-C.
    office = ("cluster", "drain", "--scheduler", str(address), "--key-file", key_file)
    drain = rest_of(start("office", *office, "LAPTOP2"))
    assert (drain.status, drain.out) == (0, "LAPTOP2 has no tables and leaves\n")
    missing = rest_of(start("office", *office, "LAPTOP3"))
    assert missing.status == 1
    assert re.fullmatch(r"Error: there is no worker 'LAPTOP3' at \S+; it has DESK(, LAPTOP2)?\n", missing.out)
    left = rest_of(laptop)
    assert left.status == 0
    assert "LAPTOP2 takes no more tables" in left.out
    assert left.out.endswith("LAPTOP2 has nothing left to do and leaves\n")
    os.killpg(desk.pid, signal.SIGHUP)  # a terminal tells all its processes
    left = rest_of(desk)
    assert (left.status, left.out.splitlines()[-1]) == (0, "DESK has left the cluster")
    os.killpg(scheduler.pid, signal.SIGINT)
    left = rest_of(scheduler)
    assert left.status == 0
    assert "Traceback" not in left.out
    assert key_file.read_text(encoding="utf-8").strip() not in left.out
