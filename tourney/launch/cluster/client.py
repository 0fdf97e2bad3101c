"""The connection of a run to its Dask cluster: which workers are there, and what is submitted to them.

A scheduler that ends takes all tasks with it, and Dask's client does not get over that. So this one makes a new
client when the scheduler answers again; whoever has submitted something sees that the connection is another one.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from distributed import Client, Future
from distributed.security import Security

from tourney.errors import LaunchError, TourneyError
from tourney.launch.cluster.connection import (
    CONNECT_S,
    DISCONNECTED,
    DRAINING_KEY,
    HOST_RESOURCE,
    SchedulerAddress,
    ask_scheduler,
    configure_dask,
    own_versions,
)
from tourney.launch.cluster.worker import SETTINGS_KEY, WorkerSettings, worker_name
from tourney.runtime.clock import HeartbeatMonitor

ANSWER_S: Final = 5.0
"""How long a scheduler or a worker may take to answer before the connection is given up, in seconds."""

UNHEARD_S: Final = 5.0
"""After how many seconds without a word from it a worker is taken to be out of reach.

Workers report every 0.5 s where there are few, every 2 s where there are 200, every 5 s where there are 800; the
scheduler removes one after its worker-ttl, which is longer."""


@dataclass(frozen=True, slots=True)
class ClusterWorker:
    """A worker that is in the cluster now."""

    settings: WorkerSettings
    """What it gives; its name is as in the names of its hosts: letters, digits, '.', '_' and '-'."""
    contact: str
    """Where the scheduler reaches it, another one each time that it is started."""
    version: str | None
    """Its version of tourney; None for a worker that something else than `tourney cluster worker` has started."""
    has_host_resource: bool
    """Whether it counts its hosts, as those of several events may want to be there."""
    is_draining: bool
    load_percent: float | None
    """How much of a core its own process uses, in percent."""
    silent_ms: int
    """For how long it has not reported, by the clock of the run."""

    @property
    def name(self) -> str:
        return self.settings.name

    @property
    def has_our_version(self) -> bool:
        """Whether it has the tourney of this process, as far as it says; another may lack what is called there."""
        return self.version in (None, own_versions().tourney)

    @property
    def is_heard(self) -> bool:
        """Whether it has reported lately; otherwise its network may be cut, or its machine frozen."""
        return self.silent_ms < 1000 * UNHEARD_S

    @staticmethod
    def parse(contact: str, found: Mapping[str, Any], draining: Mapping[str, Any], silent_ms: int) -> "ClusterWorker":
        """Read what a scheduler says of a worker, whatever has started it."""
        own, resources, dask_name = found.get(SETTINGS_KEY), found.get("resources") or {}, str(found["name"])
        settings = WorkerSettings.parse(found) or WorkerSettings(
            name=worker_name(dask_name) or "worker",
            tables=int(found["nthreads"]),
            hosts=1,
            address=str(found.get("host") or ""),
            folder="",
        )
        version = own.get("version") if isinstance(own, Mapping) else None
        return ClusterWorker(
            settings=settings,
            contact=contact,
            version=str(version) if version else None,
            has_host_resource=HOST_RESOURCE in resources,
            is_draining=bool(draining.get(dask_name)),
            load_percent=found.get("metrics", {}).get("cpu"),
            silent_ms=silent_ms,
        )


class ClusterClient:
    """Keeps the connection to a scheduler, and the list of its workers."""

    def __init__(self, address: SchedulerAddress, security: Security) -> None:
        self.address = address
        self.workers: Mapping[str, ClusterWorker] = {}
        """The workers by name, as last seen; empty while the scheduler is away."""
        self._security = security
        self._client: Client | None = None
        self._heartbeats = HeartbeatMonitor()
        """When each worker was last heard of: the clock of the scheduler may be any."""

    @property
    def is_connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    @property
    def dask(self) -> Client | None:
        """Dask's own client, another one after the scheduler was started again; None while it is away."""
        return self._client if self.is_connected else None

    async def connect(self) -> None:
        """Connect to the scheduler.

        Raises:
            LaunchError: it does not answer, belongs to another cluster, or has other versions than this process.
        """
        configure_dask()
        differs = own_versions().what_differs(await ask_scheduler(self.address, self._security))
        if differs is not None:
            raise LaunchError(differs)
        try:
            self._client = await Client(
                str(self.address),
                security=self._security,
                asynchronous=True,
                timeout=CONNECT_S,
                set_as_default=False,
                name="tourney-run",
            )
        except OSError as error:
            raise LaunchError(f"the scheduler at {self.address} does not take a client: {error}") from None
        await self.poll()

    async def poll(self) -> None:
        """Bring the list of workers up to date; connect again if the scheduler had gone."""
        try:
            if self._client is None:
                await self.connect()
                return
            scheduler = self._client.scheduler
            if scheduler is None:  # Dask has given the connection up
                await self.close()
                return
            async with asyncio.timeout(ANSWER_S):
                found = await scheduler.identity(n_workers=-1)
                draining = await scheduler.get_metadata(keys=[DRAINING_KEY], default=None)
        except DISCONNECTED:
            await self.close()
            return
        except TourneyError:  # it is still away
            return
        now_ms = round(1000 * time.monotonic())
        workers = (
            ClusterWorker.parse(
                contact,
                each,
                draining or {},
                silent_ms=self._heartbeats.silent_ms(contact, each.get("last_seen"), now_ms),
            )
            for contact, each in found["workers"].items()
        )
        self.workers = {worker.name: worker for worker in workers}

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: object,
        key: str,
        worker: ClusterWorker | None = None,
        resources: Mapping[str, float] | None = None,
    ) -> "Future[Any] | None":
        """Have a worker, or any that has the resources, call a function; None while there is no connection."""
        if self.dask is None:
            return None
        return self.dask.submit(
            function,
            *arguments,
            key=key,
            workers=[worker.contact] if worker is not None else None,
            resources=dict(resources) if resources else None,
            pure=False,
        )

    @contextlib.asynccontextmanager
    async def answering(self) -> AsyncIterator[Any]:  # methods of Dask's scheduler are made by name
        """Do what needs Dask's client while that answers: it is given up when the scheduler is gone, or too slow."""
        with contextlib.suppress(*DISCONNECTED, TimeoutError, AttributeError):  # it is found gone in `poll`
            async with asyncio.timeout(ANSWER_S):
                yield self.dask

    async def close(self) -> None:
        """Let go of the scheduler; what hosts do goes on."""
        client, self._client, self.workers = self._client, None, {}
        if client is not None:
            with contextlib.suppress(*DISCONNECTED, TimeoutError, AttributeError):
                async with asyncio.timeout(ANSWER_S):
                    await client._close(fast=True)  # noqa: SLF001 # `close` waits for a scheduler that is away
