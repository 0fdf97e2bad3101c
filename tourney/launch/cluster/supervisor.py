"""What runs in a Dask task: it starts one table host on its worker, or finds it alive, and waits for its end.

The host is a process of its own session. Neither the end of the worker nor that of the scheduler ends it, and a
supervisor that is started again adopts it. Nothing is decided here: whether a host is dead, and who has its tables,
is on record.
"""

import asyncio
import signal
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from distributed import get_worker

from tourney.launch.cluster.connection import is_loopback
from tourney.launch.cluster.worker import TableWorker, WorkerSettings, settings_of_process
from tourney.launch.hosts import FoundHost, HostHandle, HostProcess, HostSecrets
from tourney.launch.launcher import local_process
from tourney.runtime.open_files import allow_files, files_needed
from tourney.store.control.leases import ProcessIdentity

_POLL_S: Final = 0.1
"""How often a supervisor looks whether its host has ended, in seconds."""


@dataclass(frozen=True, slots=True)
class HostTask:
    """What a worker is told to start a host."""

    event_id: int
    name: str
    """The name under which the host was added to the database."""
    folder: str
    """The name of the event's folder within that of the worker."""
    secrets: HostSecrets
    tables: int
    """How many tables it may be given."""
    ports_per_table: int
    log_level: str


async def supervise_host(task: HostTask, process: ProcessIdentity | None) -> str:
    """Start a host, or adopt it if it has joined as `process`; return, once it has ended, how in a sentence.

    Raises:
        LaunchError: it cannot be started.
    """
    host = _find_host(task.name, process) if process is not None else _start_host(task)
    try:
        while not host.is_over:  # noqa: ASYNC110 # nothing notifies us about a process that is not our child
            await asyncio.sleep(_POLL_S)
        return host.how_it_ended()
    finally:
        if not host.is_over:
            host.leave()  # the worker ends, and the host plays on


def _start_host(task: HostTask) -> HostProcess:
    settings = _own_settings()
    folder = Path(settings.folder) / task.folder
    allow_files(files_needed(task.tables, task.ports_per_table))  # hosts inherit it
    host = HostProcess(
        task.name,
        task.event_id,
        task.secrets.database_url,
        folder / "hosts" / f"{task.name}.log",
        task.secrets.logins,
        log_level=task.log_level,
        more=("--folder", str(folder), "--address", settings.address, "--listen", _listen_address(settings.address)),
    )
    host.start()
    return host


def _own_settings() -> WorkerSettings:
    """Return what the worker of this task gives, whatever has started it."""
    worker = get_worker()
    if isinstance(worker, TableWorker):
        return worker.settings
    return settings_of_process(worker.name, worker.ip)


def _listen_address(address: str) -> str:
    """Return what tables listen on: every address, unless players reach the worker from its own machine only."""
    return address if is_loopback(address) else "0.0.0.0"  # noqa: S104 # players connect from other machines


def _find_host(name: str, process: ProcessIdentity) -> HostHandle:
    """Return a host of this machine; one on another than the worker of this name now is known by its lease only."""
    return FoundHost(name, local_process(process), is_here=process.machine == socket.gethostname())


def signal_host(name: str, process: ProcessIdentity, number: int) -> None:
    """Send a signal to a host of this machine, unless it has ended."""
    _find_host(name, process).send_signal(signal.Signals(number))
