"""Starts table hosts on the workers of a Dask cluster.

A run asks each worker by which its hosts are how they are, several times a second, and has it start new ones. A
worker that was started again is told which hosts it has, and the hosts of a worker that is gone play on.
"""

import asyncio
import contextlib
import signal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from tourney.cluster.client import ClusterClient, ClusterWorker, WorkerUnreachable
from tourney.cluster.connection import log_dask
from tourney.cluster.worker import HostCall, HostTask, tend_hosts
from tourney.errors import LaunchError
from tourney.launch.hosts import HostHandle, HostSlots, ProcessLauncher
from tourney.runtime.event_loop import end_tasks
from tourney.store.control.hosts import WorkerInfo
from tourney.store.control.leases import ProcessIdentity

POLL_S: Final = 0.5
"""How often the scheduler is asked for its workers, and each worker for its hosts, in seconds."""


class ClusterHost(HostHandle):
    """A host on a worker."""

    starts_later: ClassVar[bool] = True

    def __init__(self, client: ClusterClient, task: HostTask, worker: str, process: ProcessIdentity | None) -> None:
        """Describe a host.

        Args:
            client: the connection to the cluster.
            task: what the worker is told.
            worker: the name of the worker.
            process: the process of a host that is at work; None for one that is to be started.
        """
        super().__init__(task.name)
        self.task = task
        self.worker = worker
        self.process = process
        self.contact: str | None = None
        """The worker's address when it was told to start the host; None until then."""
        self.is_started = process is not None
        self.signals: list[int] = []
        """Those that are to be sent."""
        self._client = client
        self.how: str | None = None
        """How it has ended, in a sentence; None while it goes on, as far as is known."""

    async def kill(self) -> None:
        """Kill it now; where its worker is out of reach, as soon as that is back, which nobody waits for."""
        worker = self._client.workers.get(self.worker)
        if worker is not None and worker.is_heard:
            await super().kill()
        else:
            self.send_signal(signal.SIGKILL)

    @property
    def is_over(self) -> bool:
        return self.how is not None

    def how_it_ended(self) -> str:
        return self.how or f"table host {self.name} has ended"

    def send_signal(self, number: signal.Signals) -> None:
        self.signals.append(number)

    def note_process(self, process: ProcessIdentity) -> None:
        self.process = process

    def call(self, worker: ClusterWorker) -> HostCall | None:
        """Return what its worker is asked about it; None if it has ended, or was to end before it began."""
        if self.process is None:
            if self.contact not in (None, worker.contact) or (self.signals and not self.is_started):
                # Whether it was started nobody may know: it is not to join any more, another one takes its place.
                self.how = f"table host {self.name} had not begun when worker {self.worker} was started again"
                return None
            self.contact = worker.contact
        return HostCall(self.task, self.process, tuple(self.signals))

    def note_answer(self, call: HostCall, answers: Mapping[str, str | None]) -> None:
        """Take note of what its worker has answered."""
        self.is_started = self.name in answers
        self.how = answers.get(self.name)
        del self.signals[: len(call.signals)]
        if not self.is_started:  # another event has the tables of the worker
            self.contact = None


class DaskLauncher(ProcessLauncher):
    """Starts each host as a process on a worker of a Dask cluster."""

    has_workers: ClassVar[bool] = True

    def __init__(self, client: ClusterClient, task: HostTask, results: Path) -> None:
        """Prepare to start hosts.

        Args:
            client: the connection to the cluster.
            task: what a worker is told about any host of the event.
            results: the results folder of the run.
        """
        super().__init__(results)
        self._client = client
        self._task = task
        self._hosts: dict[str, ClusterHost] = {}
        self._known: dict[str, str] = {}
        """What the organiser has been told about the workers that are there, by name."""
        self._was_connected = True
        self._news: list[str] = []
        self._polls: dict[str, asyncio.Task[None]] = {}
        """What asks each worker, by its name, and the scheduler, "": one that does not answer holds up no other."""

    async def open(self) -> None:
        with LaunchError.of_system(f"results folder {self._results} cannot be written"):
            log_dask(self._results / "dask.log")
        await self._client.connect()
        self._note_workers()
        self._polls[""] = asyncio.create_task(self._poll())

    async def close(self) -> None:
        await end_tasks(*self._polls.values())
        await self._client.close()

    # Places

    def places(self, hosts: int) -> Sequence[HostSlots]:  # noqa: ARG002 # a worker has one
        return [
            HostSlots(worker.name, 1, worker.tables, worker.is_draining)
            for worker in self._client.workers.values()
            if worker.tables and worker.is_heard
        ]

    def workers(self, now_ms: int) -> Sequence[WorkerInfo]:
        return [
            replace(worker, heard_at_ms=now_ms if worker.is_heard else now_ms - worker.silent_ms)
            for worker in self._client.workers.values()
        ]

    def take_news(self) -> list[str]:
        news, self._news = self._news, []
        return news

    # Hosts

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        return self._supervise(replace(self._task, name=name, tables=place.tables or 0), place.name)

    def find_host(self, name: str, process: ProcessIdentity, place: str) -> HostHandle | None:
        if not place and self.is_local(process):  # a run without a cluster has started it
            return super().find_host(name, process, place)
        return self._supervise(replace(self._task, name=name), place, process)

    def _supervise(self, task: HostTask, place: str, process: ProcessIdentity | None = None) -> ClusterHost:
        host = self._hosts[task.name] = ClusterHost(self._client, task, place, process)
        self._poll_worker(place)
        return host

    async def _poll(self) -> None:
        """Ask again and again how hosts are, and tell what becomes of the cluster, until cancelled."""
        while True:
            await self._client.poll()
            self._note_workers()
            self._hosts = {name: host for name, host in self._hosts.items() if not host.is_over}
            for place in {host.worker for host in self._hosts.values()}:
                self._poll_worker(place)
            await asyncio.sleep(POLL_S)

    def _poll_worker(self, place: str) -> None:
        worker, poll = self._client.workers.get(place), self._polls.get(place)
        if worker is not None and worker.is_heard and (poll is None or poll.done()):
            self._polls[place] = asyncio.create_task(self._ask(worker))

    async def _ask(self, worker: ClusterWorker) -> None:
        """Have a worker start the hosts that it is to have, and take note of those that have ended."""
        hosts = [host for host in self._hosts.values() if host.worker == worker.name and not host.is_over]
        calls = [(host, call) for host in hosts if (call := host.call(worker)) is not None]
        with contextlib.suppress(WorkerUnreachable):
            answers = await self._client.run(worker, tend_hosts, [call for _, call in calls])
            for host, call in calls:
                host.note_answer(call, answers)

    def _note_workers(self) -> None:
        if self._client.is_connected is not self._was_connected:
            self._was_connected = self._client.is_connected
            how = "answers again" if self._was_connected else "is gone; tables play on, and the run waits for it"
            self._news.append(f"the scheduler at {self._client.address} {how}")
        if not self._was_connected:
            return
        now = {
            worker.name: worker.problem or f"has come, with room for {worker.tables} tables"
            for worker in self._client.workers.values()
        }
        self._news += [f"worker {name} {text}" for name, text in now.items() if self._known.get(name) != text]
        self._news += [f"worker {name} has gone" for name in self._known.keys() - now]
        self._known = now
