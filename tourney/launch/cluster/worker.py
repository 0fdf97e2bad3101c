"""A worker: what one machine gives to a cluster, and the process that keeps it there.

`TableWorker` is Dask's worker with what tourney has to know of it: how many tables it takes, which labels it has,
where players find it. `tourney cluster worker` keeps one under a nanny, which starts it again when it is killed, and
joins the cluster again when the scheduler was away. Table hosts are processes of their own and play on meanwhile.
"""

import asyncio
import contextlib
import math
import os
import re
import signal
import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Final

import dask
import psutil
from distributed import Nanny, Worker
from distributed.core import Status
from distributed.security import Security

from tourney.errors import ConfigError, LaunchError
from tourney.launch.cluster.connection import (
    DISCONNECTED,
    DRAINING_KEY,
    HOST_RESOURCE,
    WORKER_TTL_S,
    SchedulerAbsent,
    SchedulerAddress,
    Versions,
    ask_scheduler,
    check_host,
    configure_dask,
    log_dask,
    own_versions,
    scheduler_rpc,
    until_terminated,
)
from tourney.plurals import count
from tourney.runtime.address import find_own_address
from tourney.runtime.privacy import CLOSED_TO_OTHERS, forbid_tracing
from tourney.runtime.processes import end_left_behind, sweep_processes

BOTS_FOLDER: Final = "bots"
"""The folder within that of a worker for what its programs print, and for the record of their processes."""

SETTINGS_KEY: Final = "tourney"
"""Where a worker's settings are: in Dask's configuration of its process, and in what the scheduler says of it."""

TABLES_MAX: Final = 1000
HOSTS_MAX: Final = 64


_TASKS: Final = 1024
"""How many tasks Dask may run at once in a worker. They are coroutines that wait for processes; no thread is started
for them."""

_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")

_POLL_S: Final = 1.0
"""How often a worker looks for a scheduler that is away, and for whether it is to drain, in seconds."""

_QUIET_POLLS: Final = 3
"""How many looks in a row must find a draining worker without a task before it leaves: by then every run has seen
that it drains, and gives it nothing more."""

_LOST_S: Final = 60.0
"""How long a nanny may be without its worker or its scheduler before both are started anew, in seconds. A worker that
had joined notices by itself that the scheduler has gone; one that is just joining does not."""

_CLOSE_S: Final = 5.0
"""How long the process of a worker may take to end, in seconds."""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What a worker gives, and where."""

    name: str
    """Unique in the cluster."""
    tables: int
    """Tables at once on all its hosts."""
    hosts: int
    """Table hosts at once: each is a process, and so a core."""
    address: str
    """The name or IP address under which players reach it."""
    folder: str
    """The absolute path of the folder for what its hosts and programs write."""

    def check(self) -> "WorkerSettings":
        """Return the settings if they can be used.

        Raises:
            ConfigError: they cannot.
        """
        if not _WORD.fullmatch(self.name):
            raise ConfigError(
                f"the name of a worker is made of up to 63 letters, digits, '.', '_' and '-', got {self.name!r}"
            )
        check_host(self.address)
        if not 1 <= self.tables <= TABLES_MAX:
            raise ConfigError(f"a worker has 1 to {TABLES_MAX} tables, got {self.tables}")
        if not 1 <= self.hosts <= HOSTS_MAX:
            raise ConfigError(f"a worker has 1 to {HOSTS_MAX} hosts, got {self.hosts}")
        return self

    @property
    def resources(self) -> dict[str, float]:
        """What Dask is told, so that it places hosts where they can be."""
        return {HOST_RESOURCE: float(self.hosts)}

    @staticmethod
    def parse(found: Mapping[str, Any]) -> "WorkerSettings | None":
        """Read what the scheduler says of a worker; None if it is not one of ours."""
        try:
            return _make_settings(found[SETTINGS_KEY])
        except (KeyError, TypeError, ValueError, ConfigError):
            return None


def _make_settings(found: Mapping[str, Any]) -> WorkerSettings:
    return WorkerSettings(
        name=str(found["name"]),
        tables=int(found["tables"]),
        hosts=int(found["hosts"]),
        address=str(found["address"]),
        folder=str(found["folder"]),
    ).check()


def worker_name(text: str) -> str:
    """Return what of a text can be the name of a worker: up to 63 letters, digits, '.', '_' and '-'; maybe none."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).lstrip("._-")[:63]


def default_name() -> str:
    """Return the name of this machine, as a worker may have it."""
    return worker_name(socket.gethostname()) or "worker"


def settings_of_process(name: object, towards: str) -> WorkerSettings:
    """Return the settings of a worker in this process, from Dask's configuration.

    `tourney cluster worker` puts them there. Where something else starts the worker, they come from its environment
    (`DASK_TOURNEY__TABLES=8`), and are one host with a table a core otherwise.

    Args:
        name: the name that Dask gives to the worker.
        towards: a host from which players see this machine.

    Raises:
        ConfigError: they cannot be used.
    """
    found = dask.config.get(SETTINGS_KEY, {})
    named = worker_name(str(found.get("name", name))) or default_name()
    given = {"tables": os.cpu_count() or 1, "hosts": 1} | found
    given["name"] = named
    given["address"] = found.get("address") or find_own_address(towards)
    given["folder"] = found.get("folder") or Path.cwd() / f"tourney-worker-{named}"
    try:
        return _make_settings(given)
    except (TypeError, ValueError):
        raise ConfigError(f"the settings of a worker are numbers and words, got {found!r}") from None


class TableWorker(Worker):
    """Dask's worker, for table hosts and programs: `dask worker --worker-class` takes it as well."""

    settings: WorkerSettings

    def __init__(self, scheduler_ip: str | None = None, scheduler_port: int | None = None, **given: Any) -> None:
        """Take the arguments of Dask's worker; a process that a nanny has started for it is closed to others."""
        configure_dask()
        if given.get("nanny"):
            _set_up_process(dask.config.get(SETTINGS_KEY, {}).get("folder"))
        address = str(scheduler_ip or "").rpartition("://")[2].rpartition(":")[0].strip("[]")
        self.settings = settings_of_process(given.get("name"), address or "192.0.2.1")
        given["resources"] = self.settings.resources | (given.get("resources") or {})
        given["nthreads"] = max(_TASKS, given.get("nthreads") or 0)
        given["startup_information"] = dict(given.get("startup_information", {})) | {SETTINGS_KEY: _describe_worker}
        super().__init__(scheduler_ip, scheduler_port, **given)


class TableNanny(Nanny):
    """Dask's nanny over a `TableWorker`: what `SSHCluster` and `LocalCluster` take as the class of their workers."""

    def __init__(self, *given: Any, **named: Any) -> None:
        """Take the arguments of Dask's nanny."""
        configure_dask()
        # What takes memory are hosts and programs, which Dask does not see.
        named.setdefault("worker_class", TableWorker)
        named.setdefault("memory_limit", 0)
        super().__init__(*given, **named)


def _describe_worker(worker: Worker) -> dict[str, Any]:
    assert isinstance(worker, TableWorker)
    return asdict(worker.settings) | {"version": own_versions().tourney}


def _set_up_process(folder: str | None) -> None:
    forbid_tracing()
    os.umask(CLOSED_TO_OTHERS)
    # Dask's nanny sets it for its own sake, and programs would inherit it.
    os.environ.pop("PYTHONHASHSEED", None)
    # A terminal sends these to all its processes. The nanny decides; a handler that does nothing is not inherited by
    # what we start, as ignoring would be.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    if folder is not None:
        log_dask(Path(folder) / "dask.log")


# The command


class WorkerMembership:
    """Keeps a worker in the cluster until it is told to end, drained, or cannot be a member."""

    def __init__(
        self,
        address: SchedulerAddress,
        security: Security,
        settings: WorkerSettings,
        notify: Callable[[str], None],
        port: int = 0,
    ) -> None:
        """Prepare.

        Args:
            address: where the scheduler is.
            security: the certificate of this machine.
            settings: what the worker gives.
            notify: called with sentences for whoever watches.
            port: where the scheduler reaches the worker, 0 for any port that is free.
        """
        self._address = address
        self._security = security
        self._settings = settings
        self._notify = notify
        self._port = port
        self._is_draining = False

    def run(self, wait_s: float) -> None:
        """Keep the worker until Ctrl-C, SIGTERM or SIGHUP, or until it is drained; its hosts end with it.

        Args:
            wait_s: how long to wait for the scheduler at first, in seconds; later it takes as long as it takes.

        Raises:
            LaunchError: no scheduler answers, it belongs to another cluster or has other versions, the name is taken,
                or the folder cannot be used.
        """
        configure_dask()
        folder = Path(self._settings.folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            log_dask(folder / "dask.log")
        except OSError as error:
            raise LaunchError(f"folder {folder} cannot be written: {error.strerror}") from None
        _start_resource_tracker()
        number = asyncio.run(until_terminated(self._keep(wait_s)))
        end_left_behind(folder / BOTS_FOLDER)
        ended = sweep_processes(folder)
        if number is not None:
            processes = count(len(ended), "process", "processes")
            of_ended = f"; {processes} of its tables ended, which go on elsewhere" if ended else ""
            self._notify(f"{self._settings.name} has left the cluster{of_ended}")

    async def _keep(self, wait_s: float) -> None:
        is_first = True
        while True:
            await self._wait_for_scheduler(wait_s if is_first else None)
            await self._wait_for_name()
            nanny = self._nanny()
            try:
                await nanny
                self._report_joined(is_first=is_first)
                is_first = False
                is_drained = await self._until_gone(nanny)
            finally:
                await _close(nanny)
            if is_drained:
                self._notify(f"{self._settings.name} has nothing left to do and leaves")
                return
            if self._settings.tables:
                self._notify("the scheduler is gone; tables play on here, and the worker waits for it to come back")
            else:
                self._notify("the scheduler is gone; programs are started again when it comes back")

    async def _wait_for_scheduler(self, wait_s: float | None) -> None:
        """Wait until the scheduler answers; None for as long as it takes.

        Raises:
            SchedulerAbsent: it did not in time.
            LaunchError: this machine cannot be a member.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + wait_s if wait_s is not None else math.inf
        is_waiting = wait_s is None
        theirs: Versions | None = None
        while theirs is None:
            now = clock()
            try:
                theirs = await ask_scheduler(self._address, self._security)
            except SchedulerAbsent as absent:
                if now >= deadline:
                    raise
                if not is_waiting:
                    self._notify(f"waiting up to {deadline - now:.0f} s: {absent}")
                is_waiting = True
                await asyncio.sleep(_POLL_S)
        ours = own_versions()
        if differs := ours.what_differs(theirs):
            raise LaunchError(differs)
        if wait_s is not None and (known := ours.what_to_know(theirs)):
            self._notify(known)

    async def _wait_for_name(self) -> None:
        """Wait until no other worker has our name: one that was killed has it until the scheduler misses it.

        Raises:
            LaunchError: another worker has it.
        """
        name = self._settings.name
        for poll in range(round((WORKER_TTL_S + 5) / _POLL_S)):
            workers = await load_workers(self._address, self._security)
            other = next((host for host, found in workers.items() if found.name == name), None)
            if other is None:
                return
            if poll == 1:
                self._notify(f"a worker called {name} is in the cluster, at {other}: waiting whether it goes away")
            await asyncio.sleep(_POLL_S)
        raise LaunchError(f"a worker called {name} is in the cluster already: take another --name")

    def _nanny(self) -> TableNanny:
        settings = self._settings
        return TableNanny(
            str(self._address),
            name=settings.name,
            local_directory=str(Path(settings.folder) / "dask"),
            security=self._security,
            host=find_own_address(self._address.host),
            worker_port=self._port,
            dashboard_address="127.0.0.1:0",
            config={SETTINGS_KEY: asdict(settings)},
        )

    def _report_joined(self, *, is_first: bool) -> None:
        settings = self._settings
        if not is_first:
            self._notify(f"{settings.name} is in the cluster again")
            return
        self._notify(f"{settings.name}: {count(settings.tables, 'table')}; in the cluster of {self._address}")
        if not settings.tables:
            self._notify(f"what its programs write is in {settings.folder}")
            self._notify("Ctrl-C ends it with all programs on it")
            return
        self._notify(f"players find its tables at {settings.address}")
        self._notify(f"what its hosts and programs write is in {settings.folder}")
        self._notify(
            "Ctrl-C ends it with all tables on it, which go on elsewhere; to let them finish their boards first:\n\n"
            f"    tourney cluster drain {settings.name} --scheduler {self._address}\n"
        )

    async def _until_gone(self, nanny: Nanny) -> bool:
        """Return when the worker has left the cluster, or has to; whether that is because it was drained."""
        clock = asyncio.get_running_loop().time
        quiet, seen_at = 0, clock()
        with contextlib.suppress(*DISCONNECTED):
            # A new scheduler knows nothing of it, an old one may know it of a worker that had this name.
            mark = [DRAINING_KEY, self._settings.name]
            await nanny.scheduler.set_metadata(keys=mark, value=self._is_draining)
        while nanny.status not in {Status.closed, Status.closing, Status.failed} and clock() - seen_at < _LOST_S:
            await asyncio.sleep(_POLL_S)
            try:
                is_quiet = await self._poll_drained(nanny)
            except DISCONNECTED:
                continue
            quiet = quiet + 1 if is_quiet else 0
            if quiet >= _QUIET_POLLS:
                return True
            if nanny.is_alive():
                seen_at = clock()
        return False

    async def _poll_drained(self, nanny: Nanny) -> bool:
        name = self._settings.name
        if not self._is_draining:
            marks = await nanny.scheduler.get_metadata(keys=[DRAINING_KEY], default={})
            self._is_draining = bool(marks.get(name))
            if self._is_draining:
                self._notify(f"{name} takes no more tables, and leaves when those on it have finished their boards")
            return False
        address = nanny.worker_address
        at_work = await nanny.scheduler.processing()
        return address is not None and not at_work.get(address)


def _start_resource_tracker() -> None:
    """Start Python's helper of several processes so that a terminal that is closed does not end it before us."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as it does itself with the other signals
    resource_tracker.ensure_running()
    signal.signal(signal.SIGHUP, before)


async def _close(nanny: Nanny) -> None:
    """Close a nanny with its worker, which is killed if it waits for a scheduler that is away."""
    worker = psutil.Process(nanny.pid) if nanny.pid else None
    try:
        async with asyncio.timeout(2 * _CLOSE_S):
            await nanny.close(timeout=_CLOSE_S)
    except TimeoutError:
        if worker is not None:
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.kill()


async def load_workers(address: SchedulerAddress, security: Security) -> dict[str, WorkerSettings]:
    """Load the workers of the cluster that tables and programs can be on, by their Dask address.

    Their names are Dask's, which are unique.

    Raises:
        SchedulerAbsent: the scheduler does not answer.
    """
    try:
        async with scheduler_rpc(address, security) as scheduler:
            found = (await scheduler.identity(n_workers=-1))["workers"]
    except OSError as error:
        raise SchedulerAbsent(f"the connection to {address} was lost: {error}") from None
    parsed = ((contact, WorkerSettings.parse(worker)) for contact, worker in found.items())
    return {
        contact: replace(settings, name=str(found[contact]["name"]))
        for contact, settings in parsed
        if settings is not None
    }


async def drain_worker(address: SchedulerAddress, security: Security, name: str) -> int:
    """Tell a worker to take no more tables or programs, and to leave when it has none; return how many tasks it has.

    Raises:
        LaunchError: the scheduler does not answer, belongs to another cluster, or has no such worker.
    """
    configure_dask()
    await ask_scheduler(address, security)
    workers = await load_workers(address, security)
    found = next((place for place, settings in workers.items() if settings.name == name), None)
    if found is None:
        names = ", ".join(sorted(settings.name for settings in workers.values()))
        raise LaunchError(f"there is no worker {name!r} at {address}; it has {names or 'none'}")
    async with scheduler_rpc(address, security) as scheduler:
        await scheduler.set_metadata(keys=[DRAINING_KEY, name], value=True)
        return len((await scheduler.processing()).get(found, ()))
