"""`tourney scheduler`: the process that the workers and the runs of a cluster connect to."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._cluster import (
    OwnCertificates,
    check_installed,
    find_security,
    notify,
    own_certificates,
    own_certificates_options,
)
from tourney.cli._ranges import IntRange

if TYPE_CHECKING:
    from tourney.launch.cluster.key import ClusterKey, Membership

_EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 # where it listens is the organiser's choice


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
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with the cluster key, made if there is none; by default cluster.key, without TOURNEY_CLUSTER_KEY.",
)
@own_certificates_options
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
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
    """Keep the scheduler of a cluster: what workers on other machines, and runs, connect to.

    It prints what to type on each machine that is to play tables, and the cluster key, which makes a machine a
    member. Whoever has the key can start programs on every machine of the cluster. The scheduler keeps nothing: when
    it is started again, workers come back by themselves and tables have played on meanwhile.

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
        security, key, key_file = _find_membership(own, key_file)

        def report_ready(real_port: int) -> None:
            _show_first_screen(str(SchedulerAddress(public, real_port)), key, key_file)

        keep_scheduler(listens, security, log_file, report_ready, notify)


def _find_membership(
    own: OwnCertificates | None, key_file: Path | None
) -> "tuple[Membership, ClusterKey | None, Path | None]":
    """Return the scheduler's certificate, the cluster key that it comes from, and the file that has the key."""
    from tourney.launch.cluster.connection import tls_context
    from tourney.launch.cluster.key import KEY_FILE_NAME, find_cluster_key, keep_cluster_key

    if own is not None:
        security, _ = find_security(own, None, "scheduler")
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
    click.echo(f"    tourney worker --scheduler {place} --tables 8{tls}\n")
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
        click.echo("It asks for the cluster key, which is a secret like a pass phrase:\n")
        click.echo(f"    {key.format()}\n")
    elif key_file is not None:
        click.echo(f"It asks for the cluster key, which is in {key_file}.\n")
    else:
        click.echo("It asks for the cluster key, which is that of TOURNEY_CLUSTER_KEY.\n")
