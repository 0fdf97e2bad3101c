"""Starts table hosts on the workers of a Dask cluster.

Each host has a task that supervises it (`supervise_host`): it starts the host on its worker, or finds it alive, and
waits for its end. The task is bound to the worker of its host, and is submitted again whenever the worker or the
scheduler has been started again; it then adopts the host.

The host is a process of its own session: neither the end of the worker nor that of the scheduler ends it. Nothing is
decided here: whether a host is dead, and who has its tables, is on record.
"""

import asyncio
import contextlib
import itertools
import secrets
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError as FutureCancelled
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final

from distributed import Future, KilledWorker, get_worker

from tourney.errors import LaunchError, TourneyError
from tourney.launch.cluster.client import ClusterClient, ClusterWorker
from tourney.launch.cluster.connection import HOST_RESOURCE, log_dask, own_versions
from tourney.launch.cluster.worker import TableWorker, WorkerSettings, settings_of_process
from tourney.launch.hosts import (
    FoundHost,
    HostHandle,
    HostProcess,
    HostSecrets,
    HostSlots,
    ProcessLauncher,
)
from tourney.log import DEFAULT_LEVEL
from tourney.runtime.address import is_loopback
from tourney.runtime.open_files import allow_files, files_needed
from tourney.store.control.hosts import WorkerInfo
from tourney.store.control.leases import ProcessIdentity

POLL_S: Final = 0.5
"""How often the scheduler is asked for its workers, in seconds."""

_WATCH_S: Final = 0.1
"""How often a supervisor looks whether its host has ended, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTask:
    """What a worker is told to start a host."""

    event_id: int
    """The event whose tables it plays."""
    name: str = ""
    """The name under which the host was added to the database; empty for any host of the event."""
    folder: str
    """The name of the event's folder within that of the worker."""
    secrets: HostSecrets
    """The database as workers reach it, and what programs log on with."""
    tables: int = 0
    """How many tables it may be given."""
    ports_per_table: int = 1
    log_level: str = DEFAULT_LEVEL


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

    has_workers: ClassVar[bool] = True

    def __init__(
        self,
        client: ClusterClient,
        task: HostTask,
        results: Path,
        *,
        tables_per_worker: int | None = None,
    ) -> None:
        """Prepare to start hosts.

        Args:
            client: the connection to the cluster.
            task: what a worker is told about any host of the event.
            results: the results folder of the run.
            tables_per_worker: how many tables a worker may have; None for what each worker says.
        """
        super().__init__(results)
        self._client = client
        self._tables_per_worker = tables_per_worker
        self._task = task
        self._hosts: dict[str, ClusterHost] = {}
        self._known: dict[str, int] = {}
        """Tables of the workers that the organiser has been told about, by name."""
        self._strange: frozenset[str] = frozenset()
        """Those that have another tourney than this run."""
        self._was_connected = True
        self._news: list[str] = []
        self._numbers = itertools.count(1)
        self._session = secrets.token_hex(4)
        self._tasks: set[asyncio.Task[None]] = set()
        """The tasks of this process: they tend hosts, and wait for the ends of supervisors."""

    async def open(self) -> None:
        try:
            log_dask(self._results / "dask.log")
        except OSError as error:
            raise LaunchError(f"results folder {self._results} cannot be written: {error.strerror}") from None
        await self._client.connect()
        self._tasks |= {asyncio.create_task(self._tend())}

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._client.close()

    # Places

    def places(self, hosts: int) -> Sequence[HostSlots]:  # noqa: ARG002 # each worker says how many it takes
        return [
            HostSlots(worker.name, worker.settings.hosts, self._tables_on(worker), worker.is_draining)
            for worker in self._client.workers.values()
            if worker.settings.tables and worker.is_heard and worker.has_our_version
        ]

    def _tables_on(self, worker: ClusterWorker) -> int:
        return self._tables_per_worker or worker.settings.tables

    def workers(self, now_ms: int) -> Sequence[WorkerInfo]:
        return [
            WorkerInfo(
                name=worker.name,
                address=worker.settings.address,
                tables=worker.settings.tables,
                load_percent=round(worker.load_percent) if worker.load_percent is not None else None,
                heard_at_ms=now_ms if worker.is_heard else now_ms - worker.silent_ms,
                is_draining=worker.is_draining,
            )
            for worker in self._client.workers.values()
        ]

    def take_news(self) -> list[str]:
        news, self._news = self._news, []
        return news

    # Hosts

    def new_name(self, number: int, place: HostSlots) -> str:
        return f"{number}-{place.name}-{secrets.token_hex(3)}"

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        return self._supervise(replace(self._task, name=name, tables=place.tables or 0), place.name)

    def find_host(self, name: str, process: ProcessIdentity, place: str) -> HostHandle | None:
        if not place and self.is_local(process):  # a run with `engine = "local"` has started it
            return super().find_host(name, process, place)
        return self._supervise(replace(self._task, name=name), place, process)

    def _supervise(self, task: HostTask, place: str, process: ProcessIdentity | None = None) -> ClusterHost:
        host = self._hosts[task.name] = ClusterHost(self._client, task, place, process)
        if (worker := self._client.workers.get(place)) is not None:
            self._submit(host, worker)
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
                if (worker := self._client.workers.get(host.worker)) is not None:
                    self._check_host(host, worker)
                    await self._send_signals(host, worker)
            await asyncio.sleep(POLL_S)

    def _check_host(self, host: ClusterHost, worker: ClusterWorker) -> None:
        if worker.contact == host.contact:
            return
        if host.contact is not None and host.process is None:
            # Whether it was started nobody knows: it is not to join any more, and another one takes its place.
            host.note_end(f"table host {host.name} had not begun when worker {host.worker} was started again")
            return
        self._submit(host, worker)

    def _submit(self, host: ClusterHost, worker: ClusterWorker) -> None:
        # One that is at work may still be supervised by a task of an earlier run, which has the resource. One for a
        # table that is kept apart from others is more than the worker wanted.
        there = [each for each in self._hosts.values() if each.worker == host.worker and not each.is_over]
        takes_place = host.process is None and worker.has_host_resource and len(there) <= worker.settings.hosts
        future = self._client.submit(
            supervise_host,
            host.task,
            host.process,
            key=f"host-{host.task.event_id}-{host.name}-{self._session}-{next(self._numbers)}",
            worker=worker,
            resources={HOST_RESOURCE: 1} if takes_place else None,
        )
        if future is None:
            return
        host.contact = worker.contact
        task = asyncio.create_task(self._follow(host, future))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

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

    async def _send_signals(self, host: ClusterHost, worker: ClusterWorker) -> None:
        while host.signals and worker.is_heard and host.process is not None:
            order = (host.name, host.process, int(host.signals.pop(0)))
            with contextlib.suppress(ValueError):  # a worker that is not to be reached now
                async with self._client.answering() as dask:
                    await dask.run(signal_host, *order, workers=[worker.contact])

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
            worker.name: self._tables_on(worker)
            for worker in workers
            if worker.settings.tables and worker.has_our_version
        }
        self._news += [
            f"worker {name} has come, with room for {now[name]} tables" for name in now.keys() - self._known
        ]
        self._news += [f"worker {name} has gone" for name in self._known.keys() - now]
        self._known = dict(now)


# What runs on the worker


async def supervise_host(task: HostTask, process: ProcessIdentity | None) -> str:
    """Start a host, or adopt it if it has joined as `process`; return, once it has ended, how in a sentence.

    Raises:
        LaunchError: it cannot be started.
    """
    host = FoundHost(task.name, process) if process is not None else _start_host(task)
    try:
        while not host.is_over:  # noqa: ASYNC110 # nothing notifies us about a process that is not our child
            await asyncio.sleep(_WATCH_S)
        return host.how_it_ended()
    finally:
        if not host.is_over:
            host.leave()  # the worker ends, and the host plays on


def _start_host(task: HostTask) -> HostProcess:
    settings = _own_settings()
    folder = Path(settings.folder) / task.folder
    # On every address, unless players reach the worker from its own machine only.
    listen = settings.address if is_loopback(settings.address) else "0.0.0.0"  # noqa: S104
    allow_files(files_needed(task.tables, task.ports_per_table))  # hosts inherit it
    host = HostProcess(
        task.name,
        task.event_id,
        task.secrets,
        folder / "hosts" / f"{task.name}.log",
        log_level=task.log_level,
        more=("--folder", str(folder), "--address", settings.address, "--listen", listen),
    )
    host.start()
    return host


def _own_settings() -> WorkerSettings:
    """Return what the worker of this task gives, whatever has started it."""
    worker = get_worker()
    if isinstance(worker, TableWorker):
        return worker.settings
    return settings_of_process(worker.name, worker.ip)


def signal_host(name: str, process: ProcessIdentity, number: int) -> None:
    """Send a signal to a host of this machine, unless it has ended."""
    FoundHost(name, process).send_signal(signal.Signals(number))
