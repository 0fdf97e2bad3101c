"""`tourney worker`: what this machine gives to a cluster."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._cluster import check_installed, find_security, notify, own_certificates, own_certificates_options
from tourney.cli._ranges import FloatRange, IntRange
from tourney.errors import UsageError

if TYPE_CHECKING:
    from tourney.launch.cluster.connection import SchedulerAddress
    from tourney.launch.cluster.key import Membership


@click.command("worker")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    required=True,
    help="Address of the scheduler, as `tourney scheduler` prints it: tls://HOST:PORT.",
)
@click.option("--name", metavar="NAME", help="Name of this worker in the cluster; by default that of the machine.")
@click.option(
    "--tables", type=IntRange(1, 1000), metavar="N", help="Tables to play at once; by default one per core."
)
@click.option(
    "--hosts",
    type=IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that share the tables; one takes a core and holds a hundred tables of light programs.",
)
@click.option(
    "--labels", metavar="LABEL,...", default="", help="What programs of teams find here, such as gpu,windows-licence."
)
@click.option(
    "--address",
    metavar="HOST",
    help="Name or IP address under which players reach this machine; by default that towards the scheduler.",
)
@click.option(
    "--port",
    type=IntRange(0, 65_535),
    default=0,
    metavar="N",
    help="Port on which the scheduler reaches this worker, for a firewall; by default any that is free.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder for what tables and programs write here; by default tourney-worker-NAME.",
)
@click.option(
    "--key-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with the cluster key; by default TOURNEY_CLUSTER_KEY has it, or it is asked for.",
)
@own_certificates_options
@click.option(
    "--wait-s",
    type=FloatRange(0, 86_400),
    default=10,
    show_default=True,
    help="Seconds to wait for a scheduler that does not answer at first.",
)
@click.option(
    "--drain", metavar="NAME", help="Tell the worker NAME to finish its boards and leave, in place of starting one."
)
def worker_command(
    scheduler: str,
    name: str | None,
    tables: int | None,
    hosts: int,
    labels: str,
    address: str | None,
    port: int,
    folder: Path | None,
    key_file: Path | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    wait_s: float,
    drain: str | None,
) -> None:
    """Give this machine to a cluster: tables of events are played here as well.

    \b
    tourney worker --scheduler tls://192.168.1.10:8786 --tables 8
    tourney worker --scheduler tls://192.168.1.10:8786 --name LAPTOP2 --tables 2 --labels gpu,windows-licence
    tourney worker --scheduler tls://192.168.1.10:8786 --drain LAPTOP2

    Nothing is copied by hand: what a table needs of its event comes from the record. The worker is started again
    when it is killed, and joins the cluster again when the scheduler was away; its tables play on meanwhile. Ctrl-C
    ends it with the tables on it, which go on elsewhere from the last call or card; --drain lets them finish their
    boards first.

    Exit status: 0 after Ctrl-C, SIGTERM or SIGHUP, and when it was drained; 1, with one sentence, if no scheduler
    answers, the key is that of another cluster, versions differ or the name is taken.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.runtime.address import find_own_address
    from tourney.runtime.privacy import private_process

    check_installed()
    if drain is not None and (name is not None or tables is not None or labels or folder is not None):
        raise UsageError("--drain NAME is an order to a worker that is at work, and goes with --scheduler alone")
    own = own_certificates(tls_ca, tls_cert, tls_key, key_file)
    with private_process():
        from tourney.launch.cluster.connection import SchedulerAddress

        place = SchedulerAddress.parse(scheduler)
        if drain is not None:
            _drain(place, find_security(own, key_file, f"drain {drain}")[0], drain)
            return
        from tourney.launch.cluster.worker import WorkerMembership, WorkerSettings, default_name

        name = name if name is not None else default_name()
        settings = WorkerSettings(
            name=name,
            tables=tables or os.cpu_count() or 1,
            hosts=hosts,
            labels=tuple(dict.fromkeys(each.strip() for each in labels.split(",") if each.strip())),
            address=address or find_own_address(place.host),
            folder=str((folder or Path(f"tourney-worker-{name}")).absolute()),
        ).check()
        security, key = find_security(own, key_file, f"worker {name}")
        cluster = f", cluster {key.fingerprint}" if key is not None else ""
        notify(f"{name}{cluster}: looking for the scheduler at {place}")
        WorkerMembership(place, security, settings, notify, port).run(wait_s)


def _drain(place: "SchedulerAddress", security: "Membership", name: str) -> None:
    from tourney.launch.cluster.worker import drain_worker
    from tourney.plurals import count

    tasks = asyncio.run(drain_worker(place, security, name))
    if tasks:
        left = count(tasks, "host or program has", "hosts and programs have")
        click.echo(f"{name} takes no more tables; it leaves when {left} ended")
    else:
        click.echo(f"{name} has no tables and leaves")
