"""Programs through a scheduler in this process: started by label, told to end, adopted, and never doubled."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import Scheduler, Worker
from distributed.security import Security

from tests.launch.cluster.test_launcher import running_scheduler, until
from tests.launch.cluster.test_program import order as order_of
from tourney.launch.cluster import programs
from tourney.launch.cluster.client import ClusterClient
from tourney.launch.cluster.connection import SchedulerAddress
from tourney.launch.cluster.programs import ClusterPrograms
from tourney.launch.program import FoundProgram, ProgramEvent, ProgramOrder
from tourney.runtime.processes import MARK, RECORD_NAME, load_processes

PLACE = "17-2-N"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker and a run look around more often than they need to."""
    for name, seconds in (("POLL_RUN_S", 0.2), ("PRINT_S", 0.1), ("TEND_S", 0.02), ("STATES_S", 0.1)):
        monkeypatch.setattr(programs, name, seconds)


def order(number: int = 1, orphan_s: int = 60) -> ProgramOrder:
    """A program that says that it is here and waits."""
    made = order_of("import time; print('here', flush=True); time.sleep(60)")
    return made.__class__(
        **{name: getattr(made, name) for name in made.__dataclass_fields__} | {"number": number, "orphan_s": orphan_s}
    )


def agent(scheduler: Scheduler, folder: Path, **given: Any) -> Worker:
    return Worker(
        scheduler.address,
        name=folder.name,
        nthreads=8,
        resources={"label-gpu": 1},
        local_directory=str(folder),
        **given,
    )


class Run:
    """A run's connection to the cluster, and what it has been told."""

    def __init__(self, client: ClusterClient) -> None:
        self.client = client
        self.programs = ClusterPrograms("cup-1", client)
        self.told: list[tuple[str, ProgramEvent, str]] = []

    async def poll(self) -> None:
        """See which workers there are, as the run's launcher does now and then."""
        while True:
            await self.client.poll()
            await asyncio.sleep(0.05)

    def has(self, event: ProgramEvent, text: str = "") -> bool:
        self.told += [(news.key, news.event, news.text) for news in self.programs.take_news()]
        return any(each[1] is event and text in each[2] for each in self.told)


@asynccontextmanager
async def run_at(scheduler: Scheduler) -> AsyncIterator[Run]:
    run = Run(ClusterClient(SchedulerAddress.parse(scheduler.address), Security()))
    tasks = [asyncio.create_task(task) for task in (run.poll(), run.programs.tend())]
    try:
        await until(lambda: run.programs.found is not None)
        yield run
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await run.client.close()


def processes(folder: Path) -> list[psutil.Process]:
    """The programs that run with a folder of their own below this one."""
    marks = {started.mark for path in folder.rglob(RECORD_NAME) for started in load_processes(path)}
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # it may end meanwhile
            mark = process.environ().get(MARK)
            if mark in marks and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


async def gone(folder: Path) -> None:
    async with asyncio.timeout(20):
        while processes(folder):  # noqa: ASYNC110 # a process tells nobody
            await asyncio.sleep(0.05)


async def test_a_program_is_started_where_its_label_is_tells_of_itself_and_ends_when_it_is_told_to(
    tmp_path: Path,
) -> None:
    async with running_scheduler() as scheduler, run_at(scheduler) as run:
        assert not run.programs.labels
        run.programs.start(order())
        async with agent(scheduler, tmp_path / "laptop"):
            await until(lambda: run.has(ProgramEvent.STARTED, "laptop"))
            await until(lambda: run.has(ProgramEvent.PRINTED, "here"))
            await until(lambda: set(run.programs.labels) == {"gpu"})
            assert len(processes(tmp_path)) == 1
            run.programs.end(order().key)
            await until(lambda: run.has(ProgramEvent.ENDED, "was told to end"))
            assert not processes(tmp_path)
            await until(lambda: run.programs.is_quiet)


async def test_an_agent_that_nobody_can_reach_runs_programs_all_the_same(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        contact = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        async with (
            running_scheduler() as scheduler,
            run_at(scheduler) as run,
            agent(scheduler, tmp_path / "laptop", contact_address=contact),
        ):
            run.programs.start(order())
            await until(lambda: run.has(ProgramEvent.PRINTED, "here"))
            assert len(processes(tmp_path)) == 1
            run.programs.end(order().key)
            await until(lambda: run.has(ProgramEvent.ENDED, "was told to end"))
            assert not processes(tmp_path)


async def test_when_its_machine_goes_another_one_with_the_label_takes_over(tmp_path: Path) -> None:
    async with running_scheduler() as scheduler, run_at(scheduler) as run, agent(scheduler, tmp_path / "second"):
        async with agent(scheduler, tmp_path / "first") as first:
            run.programs.start(order())
            await until(lambda: run.has(ProgramEvent.PRINTED, "here"))
            where = next(text for _, event, text in run.told if event is ProgramEvent.STARTED)
            if where == "second":
                return  # the other order is what the next lines are about
            run.told.clear()
            await first.close()
        await until(lambda: run.has(ProgramEvent.STARTED, "second"))
        assert len(processes(tmp_path)) == 1
        run.programs.end(order().key)
        await until(lambda: run.has(ProgramEvent.ENDED, "was told to end"))


async def test_another_run_finds_what_an_earlier_one_has_started_and_doubles_nothing(tmp_path: Path) -> None:
    async with running_scheduler() as scheduler, agent(scheduler, tmp_path / "laptop"):
        async with run_at(scheduler) as run:
            run.programs.start(order())
            await until(lambda: run.has(ProgramEvent.PRINTED, "here"))
        async with run_at(scheduler) as second:
            assert second.programs.found == {PLACE: FoundProgram(1, is_alive=True)}
            assert len(processes(tmp_path)) == 1
            # An old start that Dask brings up again is not the newest one, and does nothing.
            second.programs.end(order().key)
            await until(lambda: second.has(ProgramEvent.ENDED))
            second.programs.start(order(2))
            await until(lambda: second.has(ProgramEvent.PRINTED, "here"))
            future = second.client.submit(programs.run_program, order(1), key="old", resources={"label-gpu": 0.001})
            assert future is not None
            assert await future == order(1).key
            assert len(processes(tmp_path)) == 1
            second.programs.end(order(2).key)
            await gone(tmp_path)


async def test_a_program_without_a_run_is_ended_after_a_while(tmp_path: Path) -> None:
    async with running_scheduler() as scheduler, agent(scheduler, tmp_path / "laptop"):
        async with run_at(scheduler) as run:
            run.programs.start(order(orphan_s=1))
            await until(lambda: run.has(ProgramEvent.PRINTED, "here"))
            assert len(processes(tmp_path)) == 1
        await gone(tmp_path)


async def test_an_agent_that_leaves_takes_its_programs_with_it_and_the_run_knows(tmp_path: Path) -> None:
    async with running_scheduler() as scheduler, run_at(scheduler) as run:
        async with agent(scheduler, tmp_path / "laptop"):
            run.programs.start(order())
            await until(lambda: run.has(ProgramEvent.PRINTED, "here"))
        assert not processes(tmp_path)
        await until(lambda: not run.programs.labels)


async def test_a_program_that_cannot_be_started_there_says_why(tmp_path: Path) -> None:
    missing = order_of("", command="no-such-bot {seat}")
    async with running_scheduler() as scheduler, run_at(scheduler) as run, agent(scheduler, tmp_path / "laptop"):
        run.programs.start(missing)
        why = "Alpha's program for North cannot be started: there is no program 'no-such-bot' here"
        await until(lambda: run.has(ProgramEvent.ENDED, why))
        assert [event for _, event, _ in run.told] == [ProgramEvent.ENDED], "it has not been started"


async def test_a_worker_that_drains_gets_no_program_more_and_another_one_with_the_label_does(tmp_path: Path) -> None:
    async with running_scheduler() as scheduler, run_at(scheduler) as run, agent(scheduler, tmp_path / "old") as old:
        run.programs.start(order())
        await until(lambda: run.has(ProgramEvent.STARTED, "old"))
        scheduler.add_resources(old.address, {"label-gpu": 0})  # as `drain_worker` does
        await until(lambda: not run.programs.labels)
        next_one = replace(order(2), place="17-2-S")
        run.programs.start(next_one)
        async with agent(scheduler, tmp_path / "new"):
            await until(lambda: run.has(ProgramEvent.STARTED, "new"))
            assert len(processes(tmp_path)) == 2, "the one on the worker that drains plays on"
            for each in (order(), next_one):
                run.programs.end(each.key)
            await until(lambda: run.programs.is_quiet)
