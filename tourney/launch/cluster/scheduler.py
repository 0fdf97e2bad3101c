"""The scheduler of a cluster: the one process that all workers and runs connect to.

It keeps nothing: what is to be played is on record, and a run tells a new scheduler again.
"""

import asyncio
import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed import Scheduler
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.security import Security

from tourney.errors import LaunchError
from tourney.launch.cluster.connection import (
    VERSION_KEY,
    SchedulerAddress,
    configure_dask,
    log_dask,
    own_versions,
    until_terminated,
)
from tourney.launch.cluster.worker import WorkerSettings
from tourney.plurals import count


def keep_scheduler(
    address: SchedulerAddress,
    security: Security,
    log_file: Path | None,
    report_ready: Callable[[int], None],
    notify: Callable[[str], None],
) -> None:
    """Keep a scheduler until Ctrl-C, SIGTERM or SIGHUP.

    Args:
        address: where to listen: an empty host is for all addresses of this machine, port 0 for any that is free.
        security: its certificate.
        log_file: where Dask logs; None for what fails only, on standard error.
        report_ready: called with the port when it listens.
        notify: called with a sentence when a worker comes or goes.

    Raises:
        LaunchError: it cannot listen there, or the log file cannot be written.
    """
    configure_dask()
    try:
        log_dask(log_file)
    except OSError as error:
        raise LaunchError(f"log file {log_file} cannot be written: {error.strerror}") from None
    _raise_file_limit()
    asyncio.run(until_terminated(_keep(address, security, report_ready, notify)))


async def _keep(
    address: SchedulerAddress, security: Security, report_ready: Callable[[int], None], notify: Callable[[str], None]
) -> None:
    _check_port(address)
    scheduler = make_scheduler(address, security)
    await scheduler
    try:
        scheduler.add_plugin(_WorkerNews(notify))
        report_ready(scheduler.port)
        await scheduler.finished()
    finally:
        await scheduler.close()


def _check_port(address: SchedulerAddress) -> None:
    """Refuse a port that cannot be had, which Dask would report as something else, and leave a socket open."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        socket.create_server((address.host, address.port), family=family).close()
    except OSError as error:
        place = f"{address.host or 'every address'}, port {address.port}"
        # `create_server` adds its arguments to the reason, and gives reasons of the resolver as negative numbers.
        number = error.errno or 0
        why = os.strerror(number) if number > 0 else str(error.strerror).partition(" (while")[0]
        raise LaunchError(f"the scheduler cannot listen on {place}: {why}") from None


def make_scheduler(address: SchedulerAddress, security: Security) -> Scheduler:
    """Make a scheduler that is not started yet; an empty host is for all addresses of this machine."""
    scheduler = Scheduler(
        host=address.host or None,
        port=address.port,
        protocol="tls" if address.is_tls else "tcp",
        security=security,
        dashboard=False,
        dashboard_address="127.0.0.1:0",  # Dask always opens it; there is nothing behind it
    )
    scheduler.set_metadata([VERSION_KEY], own_versions().tourney)
    return scheduler


class _WorkerNews(SchedulerPlugin):
    """Says which workers come and go."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._names: dict[str, str] = {}

    def add_worker(self, scheduler: Scheduler, worker: str) -> None:
        found = WorkerSettings.parse(scheduler.workers[worker].identity())
        self._names[worker] = name = str(scheduler.workers[worker].name)
        gives = count(found.tables, "table") if found is not None else "not one of tourney's, gets no tables"
        self._notify(f"{name} has joined: {gives}")

    def remove_worker(self, scheduler: Scheduler, worker: str, **_kwargs: Any) -> None:  # noqa: ARG002 # Dask's call
        self._notify(f"{self._names.pop(worker, worker)} has left")


def _raise_file_limit() -> None:
    """Ask for as many open files as the system allows: each worker has some connections."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
