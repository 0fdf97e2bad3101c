"""`tourney cluster`: the machines of a cluster, and the key that makes them members."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tourney.cli._common import FILE, FOLDER
from tourney.cli._ranges import FloatRange, IntRange
from tourney.errors import LaunchError, UsageError
from tourney.extras import check_extra

if TYPE_CHECKING:
    from tourney.launch.cluster.key import ClusterKey, Membership, OwnCertificates

_EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 # where it listens is the organiser's choice

KEY_CHARS_MAX: Final = 1000
"""More is not read where a key is piped in."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def own_certificates_options(function: _Function) -> _Function:
    """Add `--tls-ca`, `--tls-cert` and `--tls-key`."""
    for name, text in (
        ("--tls-key", "PEM file of the private key of --tls-cert."),
        (
            "--tls-cert",
            "PEM file of this machine's certificate, in place of a cluster key; with --tls-ca and --tls-key.",
        ),
        ("--tls-ca", "PEM file of the authority that has issued the certificates of the cluster."),
    ):
        function = click.option(name, type=FILE, metavar="FILE", help=text)(function)
    return function


def own_certificates(
    ca: Path | None, cert: Path | None, key: Path | None, key_file: Path | None
) -> "OwnCertificates | None":
    """Return the certificates that were given; None if none was.

    Raises:
        UsageError: some are missing, or there is a cluster key as well.
        LaunchError: a file cannot be read.
    """
    if ca is None and cert is None and key is None:
        return None
    if ca is None or cert is None or key is None:
        raise UsageError("--tls-ca, --tls-cert and --tls-key go together")
    if key_file is not None:
        raise UsageError("--key-file does not go with certificates of your own (--tls-ca)")
    for path in (ca, cert, key):
        if not os.access(path, os.R_OK):
            raise LaunchError(f"file {path} cannot be read")
    check_installed()
    from tourney.launch.cluster.key import OwnCertificates

    return OwnCertificates(ca, cert, key)


def notify(text: str) -> None:
    """Print a sentence; whoever keeps a cluster goes on when nobody reads it any more, as after an SSH session."""
    with contextlib.suppress(OSError):
        click.echo(text)


def check_installed() -> None:
    """Refuse without the packages of the extra.

    Raises:
        LaunchError: they are missing.
    """
    check_extra("cluster", "a cluster")


def find_membership(
    own: "OwnCertificates | None", key_file: Path | None, name: str
) -> "tuple[Membership, ClusterKey | None]":
    """Return what makes this process a member, and the cluster key; it is asked for if nothing else has it.

    Args:
        own: certificates of the organiser's own, None to be a member by the cluster key.
        key_file: the file with the key, None for the variable or the prompt.
        name: what a certificate is issued for.

    Raises:
        LaunchError: the file cannot be read.
        ConfigError: what was given is not a key.
        UsageError: there is nobody to ask.
    """
    from tourney.launch.cluster.key import ClusterKey, find_cluster_key

    if own is not None:
        return own.security, None
    key = find_cluster_key(key_file) or ClusterKey.parse(_ask_key())
    return key.issue(name), key


def _ask_key() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Cluster key", hide_input=True, err=True))
    text = sys.stdin.readline(KEY_CHARS_MAX).strip()
    if not text:
        raise UsageError(
            "the key of the cluster is missing: give --key-file, TOURNEY_CLUSTER_KEY or a line on standard input"
        )
    return text


# The scheduler


@click.command("scheduler")
@click.option("--host", metavar="HOST", help="Address to listen on; by default all addresses of this machine.")
@click.option(
    "--port",
    type=IntRange(0, 65_535),
    default=8786,
    show_default=True,
    metavar="N",
    help="Port to listen on, 0 for any that is free.",
)
@click.option(
    "--address",
    metavar="HOST",
    help="Name or IP address under which other machines reach this one; by default that of the network it is in.",
)
@click.option(
    "--key-file",
    type=FILE,
    metavar="FILE",
    help="File with the cluster key, made if there is none; by default cluster.key, unless TOURNEY_CLUSTER_KEY is "
    "set.",
)
@own_certificates_options
@click.option(
    "--log-file",
    type=FILE,
    metavar="FILE",
    help="File to which Dask's own messages are added, as JSON lines.",
)
def scheduler_command(
    host: str | None,
    port: int,
    address: str | None,
    key_file: Path | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    log_file: Path | None,
) -> None:
    """Run the scheduler of a cluster, to which runs and the workers on other machines connect.

    It prints what to type on each machine that is to play tables, and the cluster key, which makes a machine a
    member. Anyone who has the key can start programs on every machine of the cluster. The scheduler keeps nothing:
    when it is started again, workers come back by themselves and tables have played on meanwhile.

    Exit status: 0 after Ctrl-C, SIGTERM or SIGHUP; 1, with one sentence, if it cannot listen or the key cannot be
    used.
    """
    from tourney.runtime.address import find_own_address
    from tourney.runtime.privacy import private_process

    check_installed()
    own = own_certificates(tls_ca, tls_cert, tls_key, key_file)
    with private_process():
        from tourney.launch.cluster.connection import SchedulerAddress, check_host
        from tourney.launch.cluster.scheduler import keep_scheduler

        listens = SchedulerAddress("" if host is None or host in _EVERYWHERE else check_host(host), port)
        public = check_host(address) if address is not None else listens.host or find_own_address()
        security, key, key_file = _membership_of_scheduler(own, key_file)

        def report_ready(real_port: int) -> None:
            _show_first_screen(str(SchedulerAddress(public, real_port)), key, key_file)

        keep_scheduler(listens, security, log_file, report_ready, notify)


def _membership_of_scheduler(
    own: "OwnCertificates | None", key_file: Path | None
) -> "tuple[Membership, ClusterKey | None, Path | None]":
    """Return the scheduler's certificate, the cluster key that it comes from, and the file that has the key."""
    from tourney.launch.cluster.connection import tls_context
    from tourney.launch.cluster.key import KEY_FILE_NAME, find_cluster_key, keep_cluster_key

    if own is not None:
        security, _ = find_membership(own, None, "scheduler")
        tls_context(security)  # refused now rather than by Dask
        return security, None, None
    key = find_cluster_key(None) if key_file is None else None
    if key is None:
        key_file = key_file or Path(KEY_FILE_NAME)
        key = keep_cluster_key(key_file)
    return key.issue("scheduler"), key, key_file


def _show_first_screen(place: str, key: "ClusterKey | None", key_file: Path | None) -> None:
    tls = "" if key is not None else " --tls-ca FILE --tls-cert FILE --tls-key FILE"
    click.echo(f"The scheduler is at {place}{f', cluster {key.fingerprint}' if key is not None else ''}.\n")
    click.echo(
        "On each machine that is to play tables, with `pip install '.[cluster]'` in the folder of tourney's source:\n"
    )
    click.echo(f"    tourney cluster worker --scheduler {place} --tables 8{tls}\n")
    if key is not None:
        _show_key(key, key_file)
    click.echo("In the event file:\n")
    click.echo(f'    [launch]\n    engine = "dask"\n    scheduler = "{place}"')
    if key_file is not None:
        click.echo(f'    key_file = "{key_file.absolute().as_posix()}"')
    click.echo("\nCtrl-C ends the scheduler; tables play on.")


def _show_key(key: "ClusterKey", key_file: Path | None) -> None:
    """Show the key on a terminal alone: what a service prints is kept in logs."""
    if sys.stdout.isatty():
        click.echo("It asks for the cluster key, which is a secret like a passphrase:\n")
        click.echo(f"    {key.format()}\n")
    elif key_file is not None:
        click.echo(f"It asks for the cluster key, which is in {key_file}.\n")
    else:
        click.echo("It asks for the cluster key, which is that of TOURNEY_CLUSTER_KEY.\n")


# Workers

_scheduler_option: Final = click.option(
    "--scheduler",
    metavar="ADDRESS",
    required=True,
    help="Address of the scheduler, as `tourney cluster scheduler` prints it: tls://HOST:PORT.",
)
_key_file_option: Final = click.option(
    "--key-file",
    type=FILE,
    metavar="FILE",
    help="File with the cluster key; by default the key is read from TOURNEY_CLUSTER_KEY, or asked for.",
)
_wait_option: Final = click.option(
    "--wait-s",
    type=FloatRange(0, 86_400),
    default=10,
    show_default=True,
    help="Seconds to wait for a scheduler that does not answer at first.",
)


@click.command("worker")
@_scheduler_option
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
    "--address",
    metavar="HOST",
    help="Name or IP address under which players reach this machine; by default the one "
    "from which it reaches the scheduler.",
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
    type=FOLDER,
    metavar="FOLDER",
    help="Folder for what tables and programs write here; by default tourney-worker-NAME.",
)
@_key_file_option
@own_certificates_options
@_wait_option
def worker_command(
    scheduler: str,
    name: str | None,
    tables: int | None,
    hosts: int,
    address: str | None,
    port: int,
    folder: Path | None,
    key_file: Path | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    wait_s: float,
) -> None:
    """Give this machine to a cluster: tables of events are played here as well.

    \b
    tourney cluster worker --scheduler tls://192.168.1.10:8786 --tables 8
    tourney cluster worker --scheduler tls://192.168.1.10:8786 --name LAPTOP2 --tables 2

    Nothing is copied by hand: what a table needs of its event comes from the record. The worker is started again
    when it is killed, and joins the cluster again when the scheduler was away; its tables play on meanwhile. Ctrl-C
    ends it with the tables on it, which go on elsewhere from the last call or card; `tourney cluster drain` lets
    them finish their boards first.

    Exit status: 0 after Ctrl-C, SIGTERM or SIGHUP, and when it was drained. 1, with one sentence, if no scheduler
    answers, the key is that of another cluster, versions differ or the name is taken.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.launch.cluster.connection import SchedulerAddress
    from tourney.launch.cluster.worker import WorkerMembership, WorkerSettings, default_name
    from tourney.runtime.address import find_own_address
    from tourney.runtime.privacy import private_process

    check_installed()
    certificates = own_certificates(tls_ca, tls_cert, tls_key, key_file)
    with private_process():
        place = SchedulerAddress.parse(scheduler)
        name = name if name is not None else default_name()
        settings = WorkerSettings(
            name=name,
            tables=tables or os.cpu_count() or 1,
            hosts=hosts,
            address=address or find_own_address(place.host),
            folder=str((folder or Path(f"tourney-worker-{name}")).absolute()),
        ).check()
        security, key = find_membership(certificates, key_file, f"worker {name}")
        cluster = f", cluster {key.fingerprint}" if key is not None else ""
        notify(f"{name}{cluster}: looking for the scheduler at {place}")
        WorkerMembership(place, security, settings, notify, port).run(wait_s)


@click.command("drain")
@click.argument("name", metavar="NAME")
@_scheduler_option
@_key_file_option
@own_certificates_options
def drain_command(
    name: str,
    scheduler: str,
    key_file: Path | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Have the worker NAME finish its boards and leave the cluster.

    \b
    tourney cluster drain LAPTOP2 --scheduler tls://192.168.1.10:8786

    It takes no more tables, and ends when those that it has can go on elsewhere, each after the board in play.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.launch.cluster.connection import SchedulerAddress
    from tourney.launch.cluster.worker import drain_worker
    from tourney.plurals import count
    from tourney.runtime.privacy import private_process

    check_installed()
    certificates = own_certificates(tls_ca, tls_cert, tls_key, key_file)
    with private_process():
        place = SchedulerAddress.parse(scheduler)
        security, _ = find_membership(certificates, key_file, f"drain {name}")
        tasks = asyncio.run(drain_worker(place, security, name))
    if tasks:
        left = count(tasks, "host has", "hosts have")
        click.echo(f"{name} takes no more tables; it leaves when {left} ended")
    else:
        click.echo(f"{name} has no tables and leaves")
