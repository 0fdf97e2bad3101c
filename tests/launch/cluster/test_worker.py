"""Workers: what they give, how the scheduler knows it, and what is refused."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import cast

import dask
import pytest
from distributed import Client, LocalCluster
from distributed.core import Status

from tourney.errors import ConfigError, LaunchError
from tourney.launch.cluster.connection import HOST_RESOURCE, VERSION_KEY, SchedulerAddress
from tourney.launch.cluster.key import ClusterKey
from tourney.launch.cluster.scheduler import make_scheduler
from tourney.launch.cluster.worker import (
    TableNanny,
    TableWorker,
    WorkerMembership,
    WorkerSettings,
    default_name,
    drain_worker,
    load_workers,
    settings_of_process,
)

LAPTOP = WorkerSettings("LAPTOP2", 2, 1, "192.168.1.22", "/home/anna/tourney-worker-LAPTOP2")


def test_resources_are_what_hosts_ask_for() -> None:
    assert LAPTOP.resources == {"host": 1.0}
    assert HOST_RESOURCE == "host"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (replace(LAPTOP, name="my laptop"), "the name of a worker is made of .* got 'my laptop'"),
        (replace(LAPTOP, address="192.168.1.22:8786"), "without a port, got '192.168.1.22:8786'"),
        (replace(LAPTOP, tables=1001), "1 to 1000 tables, got 1001"),
        (replace(LAPTOP, hosts=0), "1 to 64 hosts, got 0"),
    ],
    ids=["name", "address", "tables", "hosts"],
)
def test_settings_that_cannot_be_used_are_refused_in_a_sentence(changed: WorkerSettings, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        changed.check()


def test_a_worker_that_something_else_starts_has_its_settings_from_the_environment() -> None:
    with dask.config.set({"tourney": {"tables": 16, "address": "10.0.0.7"}}):
        found = settings_of_process("slurm-job 7", "127.0.0.1")
    assert found.name == "slurm-job-7"
    assert (found.tables, found.hosts, found.address) == (16, 1, "10.0.0.7")
    assert found.folder == str(Path.cwd() / "tourney-worker-slurm-job-7")
    with dask.config.set({"tourney": {}}):
        assert settings_of_process(0, "127.0.0.1").address == "127.0.0.1"
    with (
        dask.config.set({"tourney": {"tables": "many"}}),
        pytest.raises(ConfigError, match=r"got {'tables': 'many'}"),
    ):
        settings_of_process("w", "127.0.0.1")
    assert default_name()


def test_what_a_scheduler_says_of_other_workers_is_left_out() -> None:
    mangled: list[object] = [
        None,
        "no",
        {"name": "x"},
        {**_said(LAPTOP), "tables": "many"},
        {**_said(LAPTOP), "hosts": 0},
    ]
    found = {f"tls://10.0.0.{at}:1": {"name": f"w{at}", "tourney": each} for at, each in enumerate(mangled)}
    found["tls://10.0.0.9:1"] = {"name": "LAPTOP2", "tourney": _said(LAPTOP)}
    found["tls://10.0.0.10:1"] = {"name": "plain"}
    parsed = {address: WorkerSettings.parse(worker) for address, worker in found.items()}
    assert {address: each for address, each in parsed.items() if each is not None} == {"tls://10.0.0.9:1": LAPTOP}


def _said(settings: WorkerSettings) -> dict[str, object]:
    return {
        "name": settings.name,
        "tables": settings.tables,
        "hosts": settings.hosts,
        "address": settings.address,
        "folder": settings.folder,
    }


async def test_any_cluster_of_dask_has_the_worker_by_its_class(tmp_path: Path) -> None:
    settings = {"tables": 3, "address": "pc1.example.org", "folder": str(tmp_path)}
    with dask.config.set({"tourney": settings}):
        async with (
            LocalCluster(
                n_workers=2, processes=False, asynchronous=True, worker_class=TableWorker, dashboard_address=None
            ) as cluster,
            Client(cluster, asynchronous=True, set_as_default=False) as client,
        ):
            workers = cluster.scheduler.identity()["workers"]
            parsed = [WorkerSettings.parse(each) for each in workers.values()]
            assert [(each.name, each.tables) for each in parsed if each is not None] == [("0", 3), ("1", 3)]
            task = client.submit(os.getpid, key="host", resources={HOST_RESOURCE: 1}, workers=[min(workers)])
            assert await client.gather(task) == os.getpid()


async def test_an_order_to_drain_is_kept_by_the_scheduler_for_runs_and_worker() -> None:
    key = ClusterKey.make()
    security = key.issue("test")
    async with make_scheduler(SchedulerAddress("127.0.0.1", 0), key.issue("scheduler")) as scheduler:
        address = SchedulerAddress.parse(scheduler.address)
        with pytest.raises(LaunchError, match=r"there is no worker 'LAPTOP2' at tls://127.0.0.1:\d+; it has none"):
            await drain_worker(address, security, "LAPTOP2")
        with dask.config.set({"tourney": {"tables": 1}}):
            async with TableWorker(str(address), name="LAPTOP2", security=security, host="127.0.0.1") as worker:
                assert await drain_worker(address, security, "LAPTOP2") == 0
                assert scheduler.workers[worker.address].resources == {HOST_RESOURCE: 1.0}
                assert scheduler.get_metadata(["tourney-draining"]) == {"LAPTOP2": True}
                assert [found.name for found in (await load_workers(address, security)).values()] == ["LAPTOP2"]


def test_a_worker_does_not_join_with_another_version_or_a_name_that_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.launch.cluster.worker.WORKER_TTL_S", -4)  # a worker that is gone is not waited for
    key = ClusterKey.make()
    settings = replace(LAPTOP, folder=str(tmp_path / "worker"))
    said: list[str] = []

    async def join() -> None:
        security = key.issue("test")
        async with make_scheduler(SchedulerAddress("127.0.0.1", 0), key.issue("scheduler")) as scheduler:
            keeper = WorkerMembership(SchedulerAddress.parse(scheduler.address), security, settings, said.append)
            with dask.config.set({"tourney": {"tables": 1}}):
                async with TableWorker(scheduler.address, name="LAPTOP2", security=security, host="127.0.0.1"):
                    with pytest.raises(LaunchError, match="a worker called LAPTOP2 is in the cluster already: take"):
                        await keeper._keep(0)
            scheduler.set_metadata([VERSION_KEY], "0.0.1")
            with pytest.raises(
                LaunchError, match=r"and the scheduler 0\.0\.1, and they must be the same: install 0\.0\.1 here"
            ):
                await keeper._keep(0)

    asyncio.run(join())
    assert said == []


def test_without_a_scheduler_a_worker_gives_up_after_the_time_that_it_was_given(tmp_path: Path) -> None:
    said: list[str] = []
    settings = replace(LAPTOP, folder=str(tmp_path / "worker"))
    keeper = WorkerMembership(
        SchedulerAddress("127.0.0.1", 9), ClusterKey.make().issue("test"), settings, said.append
    )
    with pytest.raises(
        LaunchError, match=r"no scheduler at tls://127\.0\.0\.1:9 \(Connection refused\): start one there"
    ):
        keeper.run(0)
    blocked = replace(settings, folder=str(tmp_path / "file" / "worker"))
    (tmp_path / "file").touch()
    with pytest.raises(LaunchError, match=r"folder .*file/worker cannot be written: Not a directory"):
        WorkerMembership(SchedulerAddress("127.0.0.1", 9), ClusterKey.make().issue("test"), blocked, said.append).run(
            0
        )


class ClosingNanny:
    """A nanny that Dask closes while it is asked something."""

    status = Status.running

    @property
    def scheduler(self) -> "ClosingNanny":
        return self

    async def set_metadata(self, **_: object) -> None:
        raise RuntimeError("ConnectionPool is closed")

    async def get_metadata(self, **_: object) -> None:
        self.status = Status.closed
        raise RuntimeError("ConnectionPool is closed")

    def is_alive(self) -> bool:
        return False


async def test_a_worker_whose_connection_is_closed_while_it_asks_something_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.launch.cluster.worker._POLL_S", 0.01)
    said: list[str] = []
    address = SchedulerAddress("127.0.0.1", 1)
    keeper = WorkerMembership(
        address, ClusterKey.make().issue("test"), replace(LAPTOP, folder=str(tmp_path)), said.append
    )
    nanny = cast(TableNanny, ClosingNanny())
    assert not await keeper._until_gone(nanny), "it was not drained: it waits for the scheduler"
