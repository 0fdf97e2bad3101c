"""Hosts on the workers of a cluster in this process: started, adopted, ended, and found where they are."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import dask
import pytest
from distributed import Scheduler, Worker
from distributed.security import Security

from tests.support.waiting import until
from tourney import __version__
from tourney.cluster.client import ClusterClient
from tourney.cluster.launcher import DaskLauncher
from tourney.cluster.worker import HostTask
from tourney.launch.hosts import HostHandle, HostProcess, HostSecrets, HostSlots, this_process
from tourney.runtime.processes import _process_id_of


def running_scheduler() -> Scheduler:
    return Scheduler(host="127.0.0.1", port=0, protocol="tcp", dashboard_address="127.0.0.1:0")


def worker_of(scheduler: Scheduler, name: str, folder: Path) -> Worker:
    dask.config.set({"tourney.folder": str(folder)})  # `settings_of_dask` takes it back
    return Worker(
        scheduler.address,
        name=name,
        resources={"tables": 8},
        preload=["tourney.cluster"],
        local_directory=str(folder),
    )


def launcher_of(scheduler: Scheduler, results: Path, event_id: int = 1) -> DaskLauncher:
    client = ClusterClient(scheduler.address, Security())
    task = HostTask(event_id=event_id, folder="cup", secrets=HostSecrets("postgresql://u:secret@h/d"))
    return DaskLauncher(client, task, results)


@asynccontextmanager
async def opened(launcher: DaskLauncher) -> AsyncIterator[DaskLauncher]:
    await launcher.open()
    try:
        yield launcher
    finally:
        await launcher.close()


@pytest.fixture
def idle_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts are processes that wait."""
    start = HostProcess.start

    def start_idle(host: HostProcess) -> None:
        host._words = [sys.executable, "-c", "import signal; signal.pause()", host.name]
        start(host)

    monkeypatch.setattr(HostProcess, "start", start_idle)


def child_named(name: str) -> int | None:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes().rstrip(b"\0").endswith(name.encode()):
                return int(path.parent.name)
    return None


async def start_idle_host(launcher: DaskLauncher, place: HostSlots) -> tuple[str, HostHandle, int]:
    """Start a host on a worker; its name, itself, and its process once that is there."""
    name = launcher.new_name(1, place)
    host = launcher.start_host(name, place)
    await until(lambda: child_named(name) is not None)
    pid = child_named(name)
    assert pid is not None
    return name, host, pid


async def test_a_host_is_started_on_its_worker_and_its_end_is_told_at_once(tmp_path: Path, idle_hosts: None) -> None:
    async with (
        running_scheduler() as scheduler,
        worker_of(scheduler, "tower", tmp_path / "w"),
        opened(launcher_of(scheduler, tmp_path)) as launcher,
    ):
        (place,) = launcher.places(1)
        assert (place.name, place.hosts, place.tables, place.is_draining) == ("tower", 1, 8, False)
        (worker,) = launcher.workers(77)
        assert (worker.name, worker.tables, worker.heard_at_ms) == ("tower", 8, 77)
        name, host, pid = await start_idle_host(launcher, place)
        assert not host.is_over
        os.kill(pid, signal.SIGKILL)
        await until(lambda: host.is_over)
        assert host.how_it_ended() == f"table host {name} ended with status -9"


async def test_a_host_outlives_its_worker_and_its_run_and_is_adopted(tmp_path: Path, idle_hosts: None) -> None:
    async with running_scheduler() as scheduler, opened(launcher_of(scheduler, tmp_path)) as launcher:
        async with worker_of(scheduler, "tower", tmp_path / "w"):
            await until(lambda: bool(launcher.places(1)))
            (place,) = launcher.places(1)
            name, host, pid = await start_idle_host(launcher, place)
            process = this_process()._replace(pid=pid, pid_start=_process_id_of(pid).start)
            host.note_process(process)
        await until(lambda: not launcher.places(1))
        async with worker_of(scheduler, "tower", tmp_path / "w"):
            await until(lambda: bool(launcher.places(1)))
            assert not host.is_over
            assert child_named(name) == pid
            async with opened(launcher_of(scheduler, tmp_path)) as second:
                found = second.find_host(name, process, "tower")
                assert found is not None
                found.send_signal(signal.SIGTERM)
                await until(lambda: found.is_over)
                await until(lambda: host.is_over)
                assert child_named(name) is None


async def test_a_host_whose_worker_is_gone_is_killed_when_it_is_back_and_nobody_waits_for_that(
    tmp_path: Path, idle_hosts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.launch.hosts._KILL_S", 3600)
    async with running_scheduler() as scheduler, opened(launcher_of(scheduler, tmp_path)) as launcher:
        async with worker_of(scheduler, "tower", tmp_path / "w"):
            await until(lambda: bool(launcher.places(1)))
            (place,) = launcher.places(1)
            name, host, pid = await start_idle_host(launcher, place)
            host.note_process(this_process()._replace(pid=pid, pid_start=_process_id_of(pid).start))
        await until(lambda: not launcher.places(1))
        await host.kill()
        assert child_named(name) == pid
        async with worker_of(scheduler, "tower", tmp_path / "w"):
            await until(lambda: host.is_over)
            assert child_named(name) is None


async def test_a_second_event_waits_until_the_first_has_left_the_tables_of_a_worker(
    tmp_path: Path, idle_hosts: None
) -> None:
    async with (
        running_scheduler() as scheduler,
        worker_of(scheduler, "tower", tmp_path / "w"),
        opened(launcher_of(scheduler, tmp_path)) as first,
        opened(launcher_of(scheduler, tmp_path, event_id=2)) as second,
    ):
        hosts = []
        for launcher in (first, second):
            await until(lambda launcher=launcher: bool(launcher.places(1)))  # type: ignore[misc]
            (place,) = launcher.places(1)
            hosts.append(launcher.start_host(launcher.new_name(1, place), place))
            if launcher is first:
                await until(lambda: child_named(hosts[0].name) is not None)
        pid = child_named(hosts[0].name)
        assert pid is not None
        worker = next(iter(scheduler.workers.values()))
        await until(lambda: worker.metrics["tourney"] == {"is_draining": False, "hosts": 1})
        assert child_named(hosts[1].name) is None
        os.kill(pid, signal.SIGKILL)
        await until(lambda: child_named(hosts[1].name) is not None)
        hosts[1].send_signal(signal.SIGKILL)
        await until(lambda: hosts[1].is_over)


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("0.0.1", f"has tourney 0.0.1 and this run {__version__}: it gets no tables until they are the same"),
        (None, "was started without `--preload tourney.cluster`: it gets no tables"),
    ],
)
async def test_a_worker_that_cannot_have_tables_gets_none_and_the_organiser_is_told(
    tmp_path: Path, version: str | None, sentence: str
) -> None:
    described = {"tourney": lambda _: {"name": "tower", "tables": 4, "version": version}}
    async with (
        running_scheduler() as scheduler,
        opened(launcher_of(scheduler, tmp_path)) as launcher,
        Worker(
            scheduler.address,
            name="tower",
            resources={"tables": 1},
            local_directory=str(tmp_path / "w"),
            startup_information=described if version is not None else {},
        ),
    ):
        await until(lambda: bool(launcher.workers(0)))
        assert not launcher.places(1)
        told: list[str] = []

        def is_told() -> bool:
            told.extend(launcher.take_news())
            return bool(told)

        await until(is_told)
        assert told == [f"worker tower {sentence}"]
