"""`tourney cluster scheduler`, `worker` and `drain`: Dask's scheduler and worker with what suits table hosts."""

import asyncio
import contextlib
import logging
import os
import resource
import signal
from collections.abc import Callable, Coroutine
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Final

import dask
from distributed import Nanny, Scheduler
from distributed.comm.addressing import unparse_host_port
from distributed.security import Security

from tourney.cluster.client import ClusterClient
from tourney.cluster.connection import (
    SchedulerAbsent,
    check_scheduler,
    find_reason,
    log_dask,
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
    scheme = "tcp" if tls_context(security, "scheduler") is None else "tls"
    if scheme == "tcp" and not is_loopback(host):
        raise ConfigError(
            "without a certificate everybody could start programs on every machine of the cluster: give --keys with "
            "a folder that `tourney cluster keys` has made, or --host 127.0.0.1 for this machine alone"
        )
    logging.getLogger("distributed").setLevel(logging.ERROR)
    dask.config.set(_SETTINGS)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)  # each worker has some connections
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    async def keep() -> None:
        async with Scheduler(
            host=host or None,
            port=port,
            protocol=scheme,
            security=security,
            dashboard=False,
            dashboard_address="127.0.0.1:0",  # Dask always opens it; there is nothing behind it
        ) as scheduler:
            report_ready(f"{scheme}://{unparse_host_port(host or find_own_address(), scheduler.port)}")
            await scheduler.finished()

    try:
        asyncio.run(_until_terminated(keep()))
    except RuntimeError as error:  # Dask has the reason as its cause
        place, why = f"{host or 'every address'}, port {port}", find_reason(error.__cause__ or error)
        raise LaunchError(f"the scheduler cannot listen on {place}: {why}") from None


# A worker


def keep_worker(
    scheduler: str, security: Security, name: str, tables: int, address: str, notify: Callable[[str], None]
) -> None:
    """Keep a worker in a cluster until Ctrl-C, SIGTERM or SIGHUP, or until it is drained; its hosts end with it.

    Dask's nanny starts it again when it is killed. While the scheduler is away its tables play on, and it joins the
    next one. What its hosts and programs write goes to `tourney-worker-NAME` in the current folder.

    Args:
        scheduler: the address of the scheduler.
        security: its certificate.
        name: unique in the cluster.
        tables: how many tables it plays at once.
        address: the name or IP address under which players reach it.
        notify: called with what the organiser should know.

    Raises:
        LaunchError: the scheduler does not take it, or the folder cannot be used.
    """
    dask.config.set(_SETTINGS)
    os.environ["DASK_LOGGING__DISTRIBUTED"] = "error"  # until the preload module has another place for it
    folder = Path(f"tourney-worker-{name}").absolute()
    with LaunchError.of_system(f"folder {folder} cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DRAINED_FILE).unlink(missing_ok=True)
        log_dask(folder / DASK_LOG)
    # Python's helper of several processes is not to be ended before us by a terminal that is closed.
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    resource_tracker.ensure_running()
    signal.signal(signal.SIGHUP, before)
    make_nanny = partial(
        Nanny,
        scheduler,
        name=name,
        nthreads=1,
        resources={"tables": tables},
        preload=["tourney.cluster"],
        memory_limit=0,  # what takes memory are hosts and programs, which Dask does not see
        local_directory=str(folder / "dask"),
        security=security,
        host=find_own_address(split_address(scheduler)[0]),
        dashboard_address="127.0.0.1:0",
        config={SETTINGS_KEY: {"address": address, "folder": str(folder)}},
    )
    joined = (
        f"{name}: {count(tables, 'table')}; in the cluster of {scheduler}\n"
        f"players find its tables at {address}\n"
        f"what its hosts and programs write is in {folder}\n"
        "Ctrl-C ends it with all tables on it, which go on elsewhere; to let them finish their boards first:\n\n"
        f"    tourney cluster drain {name} --scheduler {scheduler}\n"
    )

    async def keep() -> None:
        news, last, nanny = joined, "", None
        while not (folder / DRAINED_FILE).exists():
            try:
                await check_scheduler(scheduler, security)  # a nanny would wait for ever, whatever is wrong
                nanny = make_nanny()
                await nanny
                notify(news)
                news, why = f"{name} is in the cluster again", ""
                await nanny.finished()
            except SchedulerAbsent as error:
                why = f"waiting for the scheduler; tables play on: {error}"
            except (OSError, RuntimeError):
                log = folder / DASK_LOG
                why = f"{name} cannot join, and tries again; another machine needs another --name; {log} says why"
            finally:
                if nanny is not None:
                    await nanny.close()
            if why not in {"", last}:
                notify(why)
            last = why
            await asyncio.sleep(_POLL_S)

    is_ended = asyncio.run(_until_terminated(keep()))
    ended = sweep_processes(folder)
    if is_ended:
        processes = count(len(ended), "process", "processes")
        of_ended = f"; {processes} of its tables ended, which go on elsewhere" if ended else ""
        notify(f"{name} has left the cluster{of_ended}")
    else:
        notify(f"{name} has nothing left to do and leaves")


# Draining


async def drain_worker(scheduler: str, security: Security, name: str, notify: Callable[[str], None]) -> None:
    """Have a worker take no more tables, wait until it has no host, and have it leave the cluster.

    Raises:
        LaunchError: the scheduler does not answer, or has no such worker.
    """
    client, quiet = ClusterClient(scheduler, security), 0
    await client.connect()
    try:
        worker = client.workers.get(name)
        if worker is None:
            names = ", ".join(sorted(client.workers)) or "none"
            raise LaunchError(f"there is no worker {name!r} at {scheduler}; it has {names}")
        if worker.problem is not None:
            raise LaunchError(f"worker {name} {worker.problem}")
        left = count(worker.hosts_at_work, "host has", "hosts have")
        waits = f"{name} takes no more tables; it leaves when {left} ended"
        notify(waits if worker.hosts_at_work else f"{name} has no tables and leaves")
        while quiet < _QUIET_POLLS:
            if worker is not None and not worker.is_draining:  # not yet, or it was started again
                await client.run(worker, start_draining)
            quiet = quiet + 1 if worker is None or (worker.is_draining and not worker.hosts_at_work) else 0
            await asyncio.sleep(_POLL_S)
            await client.poll()
            worker = client.workers.get(name)
        if worker is not None:
            await client.retire(worker)
    finally:
        await client.close()
