"""Starts table hosts on the workers of a Dask cluster.

Each host has a task that supervises it (`tourney.launch.cluster.supervisor`). The task is bound to the worker of its
host, and is submitted again whenever the worker or the scheduler has been started again; it then adopts the host.
"""

import asyncio
import contextlib
import itertools
import secrets
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError as FutureCancelled
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from distributed import Future, KilledWorker

from tourney.errors import LaunchError, TourneyError
from tourney.launch.cluster.client import ClusterClient
from tourney.launch.cluster.connection import log_dask, own_versions
from tourney.launch.cluster.programs import ClusterPrograms
from tourney.launch.cluster.supervisor import HostTask, signal_host, supervise_host
from tourney.launch.hosts import HostHandle, HostSecrets
from tourney.launch.launcher import HostSlots, ProcessLauncher
from tourney.log import DEFAULT_LEVEL
from tourney.store.control.hosts import WorkerInfo
from tourney.store.control.leases import ProcessIdentity

POLL_S: Final = 0.5
"""How often the scheduler is asked for its workers, in seconds."""


class ClusterHost(HostHandle):
    """A host on a worker."""

    starts_later: ClassVar[bool] = True

    def __init__(
        self, client: ClusterClient, task: HostTask, worker: str, process: ProcessIdentity | None = None
    ) -> None:
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
        """The worker's address when its supervisor was submitted; None while there is no supervisor."""
        self.signals: list[signal.Signals] = []
        """Those that are to be sent."""
        self._client = client
        self._how: str | None = None

    async def kill(self) -> None:
        """Kill it now; where its worker is out of reach, as soon as that is back, which nobody waits for."""
        worker = self._client.workers.get(self.worker)
        if worker is not None and worker.is_heard:
            await super().kill()
        else:
            self.send_signal(signal.SIGKILL)

    @property
    def is_over(self) -> bool:
        return self._how is not None

    @property
    def is_suspended(self) -> bool:
        return False  # its lease shows it

    def how_it_ended(self) -> str:
        return self._how or f"table host {self.name} has ended"

    def send_signal(self, number: signal.Signals) -> None:
        self.signals.append(number)

    def note_process(self, process: ProcessIdentity) -> None:
        self.process = process

    def note_end(self, how: str) -> None:
        """Take note that the host has ended, with the reason as a sentence."""
        if self._how is None:
            self._how = how


class DaskLauncher(ProcessLauncher):
    """Starts each host as a process on a worker of a Dask cluster."""

    def __init__(
        self,
        client: ClusterClient,
        event_id: int,
        secrets_of_host: HostSecrets,
        results: Path,
        *,
        folder: str,
        scope: str,
        tables_per_worker: int | None = None,
        ports_per_table: int = 1,
        log_level: str = DEFAULT_LEVEL,
    ) -> None:
        """Prepare to start hosts.

        Args:
            client: the connection to the cluster.
            event_id: the event whose tables they play.
            secrets_of_host: the database as workers reach it, and what programs log on with.
            results: the results folder of the run.
            folder: the name of the event's folder within that of a worker.
            scope: tells the event from all others of the cluster.
            tables_per_worker: how many tables a worker may have; None for what each worker says.
            ports_per_table: how many ports a table listens on.
            log_level: the lowest level of messages that hosts log.
        """
        super().__init__(results)
        self.programs: ClusterPrograms = ClusterPrograms(scope, client)
        self._client = client
        self._tables_per_worker = tables_per_worker
        self._task = HostTask(event_id, "", folder, secrets_of_host, 0, ports_per_table, log_level)
        self._hosts: dict[str, ClusterHost] = {}
        self._known: dict[str, int] = {}
        """Tables of the workers that the organiser has been told about, by name."""
        self._strange: frozenset[str] = frozenset()
        """Those that have another tourney than this run."""
        self._was_connected = True
        self._news: list[str] = []
        self._numbers = itertools.count(1)
        self._session = secrets.token_hex(4)
        self._tending: asyncio.Task[None] | None = None
        self._tending_programs: asyncio.Task[None] | None = None
        self._following: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        try:
            log_dask(self._results / "dask.log")
        except OSError as error:
            raise LaunchError(f"results folder {self._results} cannot be written: {error.strerror}") from None
        await self._client.connect()
        self._tending = asyncio.create_task(self._tend())
        self._tending_programs = asyncio.create_task(self.programs.tend())

    async def close(self) -> None:
        for task in (self._tending, self._tending_programs, *self._following):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await self._client.close()

    # Places

    def places(self, hosts: int) -> Sequence[HostSlots]:  # noqa: ARG002 # each worker says how many it takes
        return [
            HostSlots(worker.name, worker.hosts, self._tables_per_worker or worker.tables, worker.is_draining)
            for worker in self._client.workers.values()
            if worker.tables and worker.is_heard and worker.has_our_version
        ]

    def place_of(self, name: str) -> str:
        return name.partition("-")[2].rpartition("-")[0]

    def workers(self, now_ms: int) -> Sequence[WorkerInfo]:
        return [
            WorkerInfo(
                name=worker.name,
                address=worker.address,
                tables=worker.tables,
                labels=worker.labels,
                load_percent=round(worker.load_percent) if worker.load_percent is not None else None,
                heard_at_ms=now_ms if worker.is_heard else now_ms - round(1000 * worker.silent_s),
                is_draining=worker.is_draining,
            )
            for worker in self._client.workers.values()
        ]

    def take_news(self) -> list[str]:
        news, self._news = self._news, []
        return news

    # Hosts

    def can_reach(self, process: ProcessIdentity) -> bool:  # noqa: ARG002
        return True

    def new_name(self, number: int, place: HostSlots) -> str:
        return f"{number}-{place.name}-{secrets.token_hex(3)}"  # `place_of` finds the worker in it

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        tables = place.tables if place.tables is not None else 0
        host = ClusterHost(self._client, replace(self._task, name=name, tables=tables), place.name)
        self._hosts[name] = host
        self._submit(host)
        return host

    def find_host(self, name: str, process: ProcessIdentity) -> HostHandle:
        worker = self.place_of(name)
        if not worker and self.is_local(process):  # a run with `engine = "local"` has started it
            return super().find_host(name, process)
        host = ClusterHost(self._client, replace(self._task, name=name), worker, process)
        self._hosts[name] = host
        self._submit(host)
        return host

    # Tasks

    async def _tend(self) -> None:
        """Keep every host supervised, and tell what becomes of the cluster, until cancelled."""
        while True:
            await self._client.poll()
            self._note_workers()
            for host in list(self._hosts.values()):
                if host.is_over:
                    del self._hosts[host.name]
                    continue
                self._check_host(host)
                await self._send_signals(host)
            await asyncio.sleep(POLL_S)

    def _check_host(self, host: ClusterHost) -> None:
        worker = self._client.workers.get(host.worker)
        if worker is None or worker.contact == host.contact:
            return
        if host.contact is not None and host.process is None:
            # Whether it was started nobody knows: it is not to join any more, and another one takes its place.
            host.note_end(f"table host {host.name} had not begun when worker {host.worker} was started again")
            return
        self._submit(host)

    def _submit(self, host: ClusterHost) -> None:
        worker = self._client.workers.get(host.worker)
        if worker is None:
            return
        # One that is at work may still be supervised by a task of an earlier run, which has the resource. One for a
        # table that is kept apart from others is more than the worker wanted.
        there = [each for each in self._hosts.values() if each.worker == host.worker and not each.is_over]
        takes_place = host.process is None and worker.has_host_resource and len(there) <= worker.hosts
        future = self._client.submit(
            supervise_host,
            host.task,
            host.process,
            key=f"host-{host.task.event_id}-{host.name}-{self._session}-{next(self._numbers)}",
            worker=worker,
            resources={"host": 1} if takes_place else None,
        )
        if future is None:
            return
        host.contact = worker.contact
        task = asyncio.create_task(self._follow(host, future))
        self._following.add(task)
        task.add_done_callback(self._following.discard)

    async def _follow(self, host: ClusterHost, future: "Future[str]") -> None:
        """Wait for the end of a supervisor, and take note of that of its host."""
        try:
            host.note_end(await future)
        except TourneyError as error:
            host.note_end(str(error))
        except (FutureCancelled, KilledWorker, OSError):
            host.contact = None  # the scheduler or the worker is gone, not the host
        except Exception as error:  # noqa: BLE001 # whatever a worker's Python finds wrong, as an older tourney
            host.note_end(f"table host {host.name} cannot be started on {host.worker}: {error!r}")
        finally:
            future.release()  # at once: if the worker died, Dask would do again what nobody has released

    async def _send_signals(self, host: ClusterHost) -> None:
        worker = self._client.workers.get(host.worker)
        while host.signals and worker is not None and worker.is_heard and host.process is not None:
            await self._client.call(worker, signal_host, host.name, host.process, int(host.signals.pop(0)))

    def _note_workers(self) -> None:
        if self._client.is_connected is not self._was_connected:
            self._was_connected = self._client.is_connected
            back = f"the scheduler at {self._client.address} answers again"
            gone = f"the scheduler at {self._client.address} is gone; tables play on, and the run waits for it"
            self._news.append(back if self._was_connected else gone)
        if not self._was_connected:
            return
        workers = self._client.workers.values()
        strange = {worker.name: worker.version for worker in workers if not worker.has_our_version}
        self._news += [
            f"worker {name} has tourney {strange[name]} and this run {own_versions().tourney}: it gets no tables "
            "until they are the same"
            for name in strange.keys() - self._strange
        ]
        self._strange = frozenset(strange)
        now: Mapping[str, int] = {
            worker.name: self._tables_per_worker or worker.tables
            for worker in workers
            if worker.tables and worker.has_our_version
        }
        self._news += [
            f"worker {name} has come, with room for {now[name]} tables" for name in now.keys() - self._known
        ]
        self._news += [f"worker {name} has gone" for name in self._known.keys() - now]
        self._known = dict(now)
