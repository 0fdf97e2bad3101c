"""What runs in the process of a worker: `dask worker --preload tourney.cluster` makes it ready for table hosts.

A host is a process of its own session: neither the end of the worker nor that of the scheduler ends it, and a worker
that has been started again learns that from its run. Nothing is decided here: whether a host is dead, and who has its
tables, is on record.
"""

import os
import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import dask
from distributed import Worker

from tourney import __version__
from tourney.cluster.connection import log_dask
from tourney.errors import LaunchError
from tourney.launch.hosts import FoundHost, HostHandle, HostProcess, HostSecrets, end_programs
from tourney.log import DEFAULT_LEVEL
from tourney.runtime.address import is_loopback
from tourney.runtime.open_files import allow_files, files_needed
from tourney.runtime.privacy import CLOSED_TO_OTHERS, forbid_tracing
from tourney.store.control.leases import ProcessIdentity

SETTINGS_KEY: Final = "tourney"
"""Where a worker's settings are: in Dask's configuration of its process, and in what the scheduler says of it."""

DASK_LOG: Final = "dask.log"
"""The file in that folder to which Dask logs where `tourney cluster worker` keeps the worker."""

DRAINED_FILE: Final = "drained"
"""The file in a worker's folder that says that it has left because it was told to."""


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


class HostCall(NamedTuple):
    """A host that a run asks a worker about. `process` has joined as this host, None until one has."""

    task: HostTask
    process: ProcessIdentity | None
    signals: Sequence[int]
    """What is to be sent to it."""


@dataclass(slots=True)
class _WorkerState:
    """What this process is for its cluster."""

    name: str
    tables: int
    address: str
    folder: Path
    is_draining: bool = False
    found: dict[str, tuple[HostTask, HostHandle]] = field(default_factory=dict)
    """Hosts that this worker has started, or that a run has told it of, by name."""

    def at_work(self) -> list[HostTask]:
        return [host for host, handle in self.found.values() if not handle.is_over]


_states: Final[dict[str, _WorkerState]] = {}
"""The states of the workers of this process, by their Dask id; there is one, unless a test has several."""


def worker_name(text: str) -> str:
    """Return what of a text can be part of the name of a host: up to 63 letters, digits, '.', '_' and '-'."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).lstrip("._-")[:63] or "worker"


def dask_setup(worker: Worker) -> None:
    """Make a worker ready for hosts before it joins its cluster; Dask calls it by its name.

    How many tables it gives is Dask's resource `tables`, by default one per thread. Dask's configuration has the
    rest: `tourney.address` is where players reach the machine, `tourney.folder` where its hosts write.
    """
    resources = worker.state.total_resources
    settings = dask.config.get(SETTINGS_KEY, {})
    name = worker_name(str(worker.name))
    state = _states[worker.id] = _WorkerState(
        name=name,
        tables=int(resources.get("tables", worker.state.nthreads)),
        address=str(settings.get("address") or worker.ip),
        folder=Path(settings.get("folder") or Path.cwd() / f"tourney-worker-{name}"),
    )
    worker.startup_information[SETTINGS_KEY] = lambda _: {
        "version": __version__,
        "name": state.name,
        "tables": state.tables,
        "address": state.address,
    }
    worker.metrics[SETTINGS_KEY] = lambda _: {"is_draining": state.is_draining, "hosts": len(state.at_work())}
    if worker.nanny:
        _set_up_process()
    if folder := settings.get("folder"):
        log_dask(Path(folder) / DASK_LOG)


def _set_up_process() -> None:
    """Close the process to others, and keep from hosts what a nanny sets for the sake of its worker."""
    forbid_tracing()
    os.umask(CLOSED_TO_OTHERS)
    # A neural network would run on one core.
    for variable, value in dask.config.get("distributed.nanny.pre-spawn-environ").items():
        if os.environ.get(variable) == str(value):
            del os.environ[variable]
    os.environ.pop("PYTHONHASHSEED", None)
    # A terminal sends these to all its processes. The nanny decides; a handler that does nothing is not inherited by
    # what we start, as ignoring would be.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)


# What a run has a worker do, by `Client.run`, which passes the worker


def tend_hosts(calls: Sequence[HostCall], dask_worker: Worker) -> dict[str, str | None]:
    """Start hosts that have not begun, each once, and send hosts their signals.

    Returns:
        how those that have ended did, a sentence each, by name, and None for those at work. One is missing while the
        tables of other events leave no room for it.
    """
    here, answers = _states[dask_worker.id], dict[str, str | None]()
    for task, process, signals in calls:
        try:
            if task.name not in here.found:
                handle = FoundHost(task.name, process) if process is not None else _start_host(here, task)
                if handle is None:
                    continue
                here.found[task.name] = task, handle
            handle = here.found[task.name][1]
            for number in signals:
                handle.send_signal(signal.Signals(number))
            answers[task.name] = handle.how_it_ended() if handle.is_over else None
            if handle.is_over:
                end_programs(here.folder / task.folder)
        except LaunchError as error:
            answers[task.name] = str(error)
        except Exception as error:  # noqa: BLE001 # whatever this Python finds wrong
            answers[task.name] = f"table host {task.name} cannot be started on {here.name}: {error!r}"
    return answers


def _start_host(here: _WorkerState, task: HostTask) -> HostHandle | None:
    """Start a host; return None while the tables of other events leave no room for it.

    Raises:
        LaunchError: it cannot be started.
    """
    others = {each.event_id: each.tables for each in here.at_work() if each.event_id != task.event_id}
    if others and sum(others.values()) + task.tables > here.tables:
        return None
    folder = here.folder / task.folder
    # On every address, unless players reach the worker from its own machine only.
    listen = here.address if is_loopback(here.address) else "0.0.0.0"  # noqa: S104
    allow_files(files_needed(task.tables, task.ports_per_table))  # hosts inherit it
    host = HostProcess(
        task.name,
        task.event_id,
        task.secrets,
        folder / "hosts" / f"{task.name}.log",
        log_level=task.log_level,
        more=("--folder", str(folder), "--address", here.address, "--listen", listen),
    )
    host.start()
    return host


def start_draining(dask_worker: Worker) -> None:
    """Take no more tables; runs hear of it with the next report to the scheduler."""
    here = _states[dask_worker.id]
    here.is_draining = True
    here.folder.mkdir(parents=True, exist_ok=True)
    (here.folder / DRAINED_FILE).touch()
