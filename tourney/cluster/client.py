"""The connection of a run to its Dask cluster: which workers are there, and what they are asked to do.

Dask's `Client` does not get over the end of its scheduler, so this is the layer below: its `rpc`, which connects for
each call that finds no connection.
"""

import asyncio
import importlib.metadata
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from distributed.core import clean_exception
from distributed.protocol.pickle import dumps
from distributed.security import Security

from tourney import __version__
from tourney.cluster.connection import DISCONNECTED, check_scheduler, scheduler_rpc
from tourney.cluster.worker import SETTINGS_KEY, worker_name
from tourney.errors import LaunchError
from tourney.runtime.clock import HeartbeatMonitor
from tourney.store.control.hosts import WorkerInfo

ANSWER_S: Final = 5.0
"""How long a scheduler or a worker may take to answer before the connection is given up, in seconds."""

UNHEARD_S: Final = 5.0
"""After how many seconds without a word from it a worker is taken to be out of reach.

Workers report every 0.5 s where there are few, every 2 s where there are 200, every 5 s where there are 800; the
scheduler removes one after its worker-ttl, which is longer."""


class WorkerUnreachable(LaunchError):  # noqa: N818 # a passing state, not an error
    """A worker cannot be asked at the moment; whether it has done what it was asked is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterWorker(WorkerInfo):
    """A worker that is in the cluster now.

    Its name is as in the names of its hosts: letters, digits, '.', '_' and '-'.
    """

    contact: str
    """Where the scheduler reaches it, another one each time that it is started."""
    problem: str | None
    """Why it gets no tables, as the end of a sentence; None if it gets some."""
    hosts_at_work: int
    silent_ms: int
    """For how long it has not reported, by the clock of the run."""

    @property
    def is_heard(self) -> bool:
        """Whether it has reported lately; otherwise its network may be cut, or its machine frozen."""
        return self.silent_ms < 1000 * UNHEARD_S

    @staticmethod
    def parse(contact: str, found: Mapping[str, Any], silent_ms: int = 0) -> "ClusterWorker":
        """Read what a scheduler says of a worker, whatever has started it."""
        own: Mapping[str, Any] = found.get(SETTINGS_KEY) or {}
        metrics = found.get("metrics", {})
        reported: Mapping[str, Any] = metrics.get(SETTINGS_KEY) or {}
        version = own.get("version")
        problem = None
        if version is None:
            problem = "was started without `--preload tourney.cluster`: it gets no tables"
        elif version != __version__:
            problem = f"has tourney {version} and this run {__version__}: it gets no tables until they are the same"
        return ClusterWorker(
            name=str(own.get("name") or worker_name(str(found["name"]))),
            contact=contact,
            problem=problem,
            tables=int(own.get("tables", 0)) if problem is None else 0,
            address=str(own.get("address") or found.get("host") or ""),
            is_draining=bool(reported.get("is_draining")),
            hosts_at_work=int(reported.get("hosts", 0)),
            load_percent=round(metrics["cpu"]) if "cpu" in metrics else None,
            silent_ms=silent_ms,
            heard_at_ms=0,
        )


class ClusterClient:
    """Keeps the connection to a scheduler, and the list of its workers."""

    def __init__(self, address: str, security: Security) -> None:
        self.address = address
        self.workers: Mapping[str, ClusterWorker] = {}
        """The workers by name, as last seen; empty while the scheduler is away."""
        self.is_connected = False
        self._security = security
        self._scheduler = scheduler_rpc(address, security)
        self._heartbeats = HeartbeatMonitor()
        """When each worker was last heard of: the clock of the scheduler may be any."""

    async def connect(self) -> None:
        """Connect to the scheduler.

        Raises:
            LaunchError: it does not answer, has another certificate, or another version of Dask.
        """
        theirs, ours = await check_scheduler(self.address, self._security), importlib.metadata.version("distributed")
        if theirs != ours:
            raise LaunchError(
                f"this machine has distributed {ours} and the scheduler at {self.address} {theirs}, and they must be "
                f"the same: pip install distributed=={theirs}"
            )
        await self.poll()

    async def poll(self) -> None:
        """Bring the list of workers up to date."""
        try:
            async with asyncio.timeout(ANSWER_S):
                found = await self._scheduler.identity(n_workers=-1)
        except DISCONNECTED:
            self.is_connected, self.workers = False, {}
            return
        now_ms = round(1000 * time.monotonic())
        workers = (
            ClusterWorker.parse(contact, each, self._heartbeats.silent_ms(contact, each.get("last_seen"), now_ms))
            for contact, each in found["workers"].items()
        )
        self.is_connected, self.workers = True, {worker.name: worker for worker in workers}

    async def run(self, worker: ClusterWorker, function: Callable[..., Any], *arguments: object) -> Any:
        """Have a worker call a function, which gets the worker as `dask_worker`.

        Raises:
            WorkerUnreachable: the scheduler or the worker does not answer.
        """
        message = {"op": "run", "function": dumps(function), "args": dumps(arguments)}
        try:
            async with asyncio.timeout(ANSWER_S):
                answers = await self._scheduler.broadcast(msg=message, workers=[worker.contact])
        except DISCONNECTED as error:
            raise WorkerUnreachable(f"worker {worker.name} does not answer: {error}") from None
        answer = answers[worker.contact]
        if answer["status"] == "error":
            raise cast("Exception", clean_exception(**answer)[1])
        return answer["result"]

    async def retire(self, worker: ClusterWorker) -> None:
        """Have a worker leave the cluster."""
        await self._scheduler.retire_workers(workers=[worker.contact])

    async def close(self) -> None:
        """Let go of the scheduler; what hosts do goes on."""
        await self._scheduler.close_rpc()
