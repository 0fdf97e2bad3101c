"""`tourney agent`: a machine on which programs of teams are started, and nothing else."""

from pathlib import Path

import click

from tourney.cli._cluster import check_installed, find_security, notify, own_certificates, own_certificates_options
from tourney.cli._ranges import FloatRange
from tourney.errors import UsageError


@click.command("agent")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    required=True,
    help="Address of the scheduler, as `tourney scheduler` prints it: tls://HOST:PORT.",
)
@click.option("--name", metavar="NAME", help="Name of this machine in the cluster; by default its own.")
@click.option(
    "--labels",
    metavar="LABEL,...",
    required=True,
    help="Which programs are started here: those of teams with one of these labels as `on` in the event file.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder for what programs write here; by default tourney-agent-NAME.",
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
def agent_command(
    scheduler: str,
    name: str | None,
    labels: str,
    folder: Path | None,
    key_file: Path | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    wait_s: float,
) -> None:
    """Have programs of teams started on this machine, for tables that are elsewhere.

    \b
    tourney agent --scheduler tls://192.168.1.10:8786 --labels gpu
    tourney agent --scheduler tls://192.168.1.10:8786 --name LAPTOP2 --labels windows,wbridge5

    It is for machines that have a program, its licence or its GPU, and maybe nothing else: it only makes
    connections of its own, to the scheduler, and so do the programs, to their tables. Start it in the folder in
    which the commands of the event file are to be started. A program is started again when it ends, ended with its
    table, and what it prints is in the results of the event too.

    Exit status: 0 after Ctrl-C, SIGTERM or SIGHUP; 1, with one sentence, if no scheduler answers, the key is that of
    another cluster, versions differ or the name is taken.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.config.values import check_label

    check_installed()
    own = own_certificates(tls_ca, tls_cert, tls_key, key_file)
    try:
        chosen = tuple(dict.fromkeys(check_label(each.strip()) for each in labels.split(",")))
    except ValueError as error:
        raise UsageError(f"--labels: {error}") from None
    from tourney.launch.cluster.connection import SchedulerAddress
    from tourney.launch.cluster.worker import WorkerMembership, WorkerSettings, default_name
    from tourney.runtime.address import find_own_address
    from tourney.runtime.privacy import private_process

    with private_process():
        place = SchedulerAddress.parse(scheduler)
        name = name if name is not None else default_name()
        settings = WorkerSettings(
            name=name,
            tables=0,
            hosts=1,
            labels=chosen,
            address=find_own_address(place.host),
            folder=str((folder or Path(f"tourney-agent-{name}")).absolute()),
        ).check()
        security, key = find_security(own, key_file, f"agent {name}")
        cluster = f", cluster {key.fingerprint}" if key is not None else ""
        notify(f"{name}{cluster}: looking for the scheduler at {place}")
        WorkerMembership(place, security, settings, notify).run(wait_s)
