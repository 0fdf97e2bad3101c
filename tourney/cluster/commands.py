"""`tourney cluster scheduler`, `worker` and `drain`: Dask's scheduler and worker with what suits table hosts."""

import asyncio
import contextlib
import itertools
import os
import resource
import signal
import socket
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Final

import dask
from distributed import Nanny, Scheduler
from distributed.security import Security

from tourney.cluster.client import ClusterClient
from tourney.cluster.connection import (
    SchedulerAbsent,
    check_scheduler,
    join_address,
    log_dask,
    scheduler_rpc,
    split_address,
    tls_context,
)
from tourney.cluster.worker import DASK_LOG, DRAINED_FILE, SETTINGS_KEY, start_draining
from tourney.errors import ConfigError, LaunchError
from tourney.plurals import count
from tourney.runtime.address import find_own_address, is_loopback
from tourney.runtime.processes import sweep_processes

_WORKER_TTL_S: Final = 30
"""How long a worker may be silent before the scheduler gives it up, in seconds. Its tables do not wait for that:
their hosts have leases of their own."""

_POLL_S: Final = 1.0
"""How often a worker looks for a scheduler that is away, and `drain` for the hosts of a worker, in seconds."""

_QUIET_POLLS: Final = 3
"""How many looks in a row must find a draining worker without a host before it leaves: by then every run has seen
that it drains, and gives it nothing more."""

_CLOSE_S: Final = 5.0
"""How long the process of a worker may take to end, in seconds."""

_SETTINGS: Final = {
    "distributed.scheduler.worker-ttl": f"{_WORKER_TTL_S}s",
    "distributed.comm.timeouts.tcp": f"{_WORKER_TTL_S}s",
    # No pages: whoever reaches them can look at tasks, and even retire workers, without a certificate.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # A worker only waits for its hosts: there is nothing to profile.
    "distributed.worker.profile.enabled": False,
}


async def _until_terminated(work: Coroutine[None, None, None]) -> bool:
    """Do the work until it is done, or until Ctrl-C, SIGTERM or SIGHUP, which cancels it; return whether one did."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return task.cancelled()


# The scheduler


def keep_scheduler(host: str, port: int, security: Security, report_ready: Callable[[str], None]) -> None:
    """Keep a scheduler until Ctrl-C, SIGTERM or SIGHUP.

    Args:
        host: where to listen, empty for all addresses of this machine.
        port: 0 for any that is free.
        security: its certificate.
        report_ready: called with its address when it listens.

    Raises:
        ConfigError: it would be open to everybody.
        LaunchError: it cannot listen there.
    """
    is_tls = tls_context(security, "scheduler") is not None
    if not is_tls and not is_loopback(host):
        raise ConfigError(
            "without a certificate everybody could start programs on every machine of the cluster: give --keys with "
            "a folder that `tourney cluster keys` has made, or --host 127.0.0.1 for this machine alone"
        )
    _check_port(host, port)
    log_dask(None)
    dask.config.set(_SETTINGS)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)  # each worker has some connections
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    async def keep() -> None:
        async with Scheduler(
            host=host or None,
            port=port,
            protocol="tls" if is_tls else "tcp",
            security=security,
            dashboard=False,
            dashboard_address="127.0.0.1:0",  # Dask always opens it; there is nothing behind it
        ) as scheduler:
            public = host or find_own_address()
            report_ready(join_address("tls" if is_tls else "tcp", public, scheduler.port))
            await scheduler.finished()

    asyncio.run(_until_terminated(keep()))


def _check_port(host: str, port: int) -> None:
    """Refuse a port that cannot be had, in place of which Dask takes another, with a warning."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        # `create_server` adds its arguments to the reason, and gives reasons of the resolver as negative numbers.
        number = error.errno or 0
        why = os.strerror(number) if number > 0 else str(error.strerror).partition(" (while")[0]
        place = f"{host or 'every address'}, port {port}"
        raise LaunchError(f"the scheduler cannot listen on {place}: {why}") from None


# A worker


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """What a worker gives, and where."""

    name: str
    """Unique in the cluster."""
    tables: int
    address: str
    """The name or IP address under which players reach it."""
    folder: str
    """The absolute path of the folder for what its hosts and programs write."""


def keep_worker(scheduler: str, security: Security, options: WorkerOptions, notify: Callable[[str], None]) -> None:
    """Keep a worker in a cluster until Ctrl-C, SIGTERM or SIGHUP, or until it is drained; its hosts end with it.

    Dask's nanny starts it again when it is killed. While the scheduler is away its tables play on, and it joins the
    next one.

    Raises:
        LaunchError: the scheduler does not take it, or the folder cannot be used.
    """
    dask.config.set(_SETTINGS)
    os.environ["DASK_LOGGING__DISTRIBUTED"] = "error"  # until the preload module has another place for it
    folder = Path(options.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DRAINED_FILE).unlink(missing_ok=True)
        log_dask(folder / DASK_LOG)
    except OSError as error:
        raise LaunchError(f"folder {folder} cannot be written: {error.strerror}") from None
    # Python's helper of several processes is not to be ended before us by a terminal that is closed.
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    resource_tracker.ensure_running()
    signal.signal(signal.SIGHUP, before)
    is_ended = asyncio.run(_until_terminated(_keep_worker(scheduler, security, options, notify)))
    ended = sweep_processes(folder)
    if is_ended:
        processes = count(len(ended), "process", "processes")
        of_ended = f"; {processes} of its tables ended, which go on elsewhere" if ended else ""
        notify(f"{options.name} has left the cluster{of_ended}")
    else:
        notify(f"{options.name} has nothing left to do and leaves")


async def _keep_worker(
    scheduler: str, security: Security, options: WorkerOptions, notify: Callable[[str], None]
) -> None:
    drained, is_known = Path(options.folder) / DRAINED_FILE, False
    while not drained.exists():
        await _until_welcome(scheduler, security, options.name, notify)
        nanny = _nanny(scheduler, security, options)
        try:
            await nanny
            if is_known:
                notify(f"{options.name} is in the cluster again")
            else:
                _report_joined(scheduler, options, notify)
                is_known = True
            await nanny.finished()
        except (OSError, RuntimeError):
            notify(f"{options.name} cannot join, and tries again: {options.folder}/{DASK_LOG} says why")
            await asyncio.sleep(_POLL_S)
            continue
        finally:
            await nanny.close(timeout=_CLOSE_S)
        if not drained.exists():
            notify("the scheduler is gone; tables play on here, and the worker waits for it to come back")


async def _until_welcome(scheduler: str, security: Security, name: str, notify: Callable[[str], None]) -> None:
    """Wait for a scheduler to answer, and for our name: a worker that was killed has it until it is missed.

    Raises:
        LaunchError: the scheduler does not take us.
    """
    for look in itertools.count():
        try:
            await check_scheduler(scheduler, security)
            async with scheduler_rpc(scheduler, security) as asked:
                workers = (await asked.identity(n_workers=-1))["workers"]
        except (SchedulerAbsent, OSError) as error:
            why = str(error)
        else:
            other = next((contact for contact, found in workers.items() if found["name"] == name), None)
            if other is None:
                return
            why = f"a worker called {name} is in the cluster, at {other}; another machine needs another --name"
        if look == 1:  # what was so a moment ago only is not worth a word
            notify(f"waiting: {why}")
        await asyncio.sleep(_POLL_S)


def _nanny(scheduler: str, security: Security, options: WorkerOptions) -> Nanny:
    return Nanny(
        scheduler,
        name=options.name,
        nthreads=1,
        resources={"tables": options.tables},
        preload=["tourney.cluster"],
        memory_limit=0,  # what takes memory are hosts and programs, which Dask does not see
        local_directory=str(Path(options.folder) / "dask"),
        security=security,
        host=find_own_address(split_address(scheduler)[0]),
        dashboard_address="127.0.0.1:0",
        config={SETTINGS_KEY: {"address": options.address, "folder": options.folder}},
    )


def _report_joined(scheduler: str, options: WorkerOptions, notify: Callable[[str], None]) -> None:
    notify(f"{options.name}: {count(options.tables, 'table')}; in the cluster of {scheduler}")
    notify(f"players find its tables at {options.address}")
    notify(f"what its hosts and programs write is in {options.folder}")
    notify(
        "Ctrl-C ends it with all tables on it, which go on elsewhere; to let them finish their boards first:\n\n"
        f"    tourney cluster drain {options.name} --scheduler {scheduler}\n"
    )


# Draining


async def drain_worker(scheduler: str, security: Security, name: str, notify: Callable[[str], None]) -> None:
    """Have a worker take no more tables, wait until it has no host, and have it leave the cluster.

    Raises:
        LaunchError: the scheduler does not answer, or has no such worker.
    """
    client, quiet, is_told = ClusterClient(scheduler, security), 0, False
    await client.connect()
    try:
        while quiet < _QUIET_POLLS:
            worker = client.workers.get(name)
            if worker is None and not is_told:
                names = ", ".join(sorted(client.workers)) or "none"
                raise LaunchError(f"there is no worker {name!r} at {scheduler}; it has {names}")
            if worker is not None and worker.problem is not None:
                raise LaunchError(f"worker {name} {worker.problem}")
            if worker is not None and not worker.is_draining:  # not yet, or it was started again
                await client.run(worker, start_draining)
            if worker is not None and not is_told:
                left = count(worker.hosts_at_work, "host has", "hosts have")
                waits = f"{name} takes no more tables; it leaves when {left} ended"
                notify(waits if worker.hosts_at_work else f"{name} has no tables and leaves")
                is_told = True
            quiet = quiet + 1 if worker is None or (worker.is_draining and not worker.hosts_at_work) else 0
            await asyncio.sleep(_POLL_S)
            await client.poll()
        if (worker := client.workers.get(name)) is not None:
            async with scheduler_rpc(scheduler, security) as asked:
                await asked.retire_workers(workers=[worker.contact])
    finally:
        await client.close()
