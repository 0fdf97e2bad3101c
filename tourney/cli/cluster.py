"""`tourney cluster`: the machines of a cluster, and the keys that make them members."""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from tourney.cli._common import FOLDER, default_option
from tourney.cli._ranges import IntRange
from tourney.config.launch import check_scheduler_address
from tourney.errors import ConfigError
from tourney.extras import check_extra

_EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 # where it listens is the organiser's choice


def _check_address(_context: click.Context, _parameter: click.Parameter, address: str) -> str:
    try:
        return check_scheduler_address(address)
    except ValueError as error:
        raise ConfigError(f"--scheduler: {error}") from None


_scheduler_option: Final[Callable[..., Any]] = click.option(
    "--scheduler",
    metavar="ADDRESS",
    required=True,
    callback=_check_address,
    help="Address of the scheduler: tls://HOST:PORT.",
)
_keys_option: Final[Callable[..., Any]] = click.option(
    "--keys",
    type=FOLDER,
    metavar="FOLDER",
    help="Folder that `tourney cluster keys` has made; by default what Dask's configuration says.",
)


def _notify(text: str) -> None:
    """Print a sentence; whoever keeps a cluster goes on when nobody reads it any more, as after an SSH session."""
    with contextlib.suppress(OSError):
        click.echo(text)


def check_installed() -> None:
    """Refuse without the packages of the extra.

    Raises:
        LaunchError: they are missing.
    """
    check_extra("cluster", "a cluster")


@click.command("keys")
@click.argument("folder", type=FOLDER)
def keys_command(folder: Path) -> None:
    """Make the certificate and the key of a cluster in FOLDER, which each of its machines needs a copy of.

    Anyone who has the key can start programs on every machine of the cluster. The certificate is valid for a year.
    Beside them is dask.yaml, a configuration for those who use Dask's own commands.
    """
    check_installed()
    from tourney.cluster.connection import make_keys

    make_keys(folder)
    click.echo(
        f"{folder} has the certificate and the key of a cluster; copy it to each machine, and to nobody else:\n"
    )
    click.echo(f"    tourney cluster scheduler --keys {folder}")
    click.echo(f"    tourney cluster worker --keys {folder} --scheduler tls://HOST:8786\n")
    click.echo(f"Dask's own commands find them by {folder / 'dask.yaml'}, copied to ~/.config/dask/.")


@click.command("scheduler")
@click.option("--host", metavar="HOST", help="Address to listen on; by default all addresses of this machine.")
@default_option(
    "--port",
    type=IntRange(0, 65_535),
    default=8786,
    metavar="N",
    help="Port to listen on, 0 for any that is free.",
)
@_keys_option
def scheduler_command(host: str | None, port: int, keys: Path | None) -> None:
    """Run the scheduler of a cluster, to which runs and the workers on other machines connect.

    It is Dask's, with settings that suit tables: `dask scheduler` will do as well. It keeps nothing: when it is
    started again, workers come back by themselves and tables have played on meanwhile.

    Exit status: 0 after Ctrl-C, SIGTERM or SIGHUP; 1, with one sentence, if it cannot listen.
    """
    from tourney.runtime.privacy import private_process

    check_installed()
    with private_process():
        from tourney.cluster.commands import keep_scheduler
        from tourney.cluster.connection import load_security

        listens = "" if host is None or host in _EVERYWHERE else host
        keep_scheduler(listens, port, load_security(keys), lambda address: _show_first_screen(address, keys))


def _show_first_screen(address: str, keys: Path | None) -> None:
    copied = f" --keys {keys}" if keys is not None else ""
    click.echo(f"The scheduler is at {address}. On each machine that is to play tables:\n")
    click.echo(f"    tourney cluster worker --scheduler {address} --tables 8{copied}\n")
    click.echo("or, as for any cluster of Dask:\n")
    click.echo(f"    dask worker {address} --resources tables=8 --preload tourney.cluster\n")
    click.echo("In the event file:\n")
    click.echo(f'    [launch]\n    scheduler = "{address}"')
    if keys is not None:
        click.echo(f'    keys = "{keys.absolute().as_posix()}"')
    click.echo("\nCtrl-C ends the scheduler; tables play on.")


@click.command("worker")
@_scheduler_option
@click.option("--name", metavar="NAME", help="Name of this worker in the cluster; by default that of the machine.")
@click.option(
    "--tables", type=IntRange(1, 1000), metavar="N", help="Tables to play at once; by default one per core."
)
@click.option(
    "--address",
    metavar="HOST",
    help="Name or IP address under which players reach this machine; by default the one "
    "from which it reaches the scheduler.",
)
@_keys_option
def worker_command(
    scheduler: str, name: str | None, tables: int | None, address: str | None, keys: Path | None
) -> None:
    """Give this machine to a cluster: tables of events are played here as well.

    \b
    tourney cluster worker --scheduler tls://192.168.1.10:8786 --tables 8 --keys cluster-keys

    It is Dask's worker under its nanny, with settings that suit tables; what its hosts write goes to
    tourney-worker-NAME in the current folder. It is started again when it is killed, and joins the cluster again when
    the scheduler was away; its tables play on meanwhile. Ctrl-C ends it with the tables on it, which go on elsewhere
    from the last call or card; `tourney cluster drain` lets them finish their boards first.

    Exit status: 0 after Ctrl-C, SIGTERM or SIGHUP, and when it was drained. 1, with one sentence, if the scheduler
    has another certificate, or the folder cannot be written.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.runtime.address import find_own_address
    from tourney.runtime.privacy import private_process

    check_installed()
    with private_process():
        from tourney.cluster.commands import keep_worker
        from tourney.cluster.connection import load_security, split_address
        from tourney.cluster.worker import worker_name

        if name is not None and worker_name(name) != name:
            raise ConfigError(
                f"the name of a worker is made of up to 63 letters, digits, '.', '_' and '-', got {name!r}"
            )
        name = name or worker_name(socket.gethostname())
        tables = tables or os.cpu_count() or 1
        address = address or find_own_address(split_address(scheduler)[0])
        keep_worker(scheduler, load_security(keys), name, tables, address, _notify)


@click.command("drain")
@click.argument("name", metavar="NAME")
@_scheduler_option
@_keys_option
def drain_command(name: str, scheduler: str, keys: Path | None) -> None:
    """Have the worker NAME finish its boards and leave the cluster.

    \b
    tourney cluster drain LAPTOP2 --scheduler tls://192.168.1.10:8786 --keys cluster-keys

    It takes no more tables; those that it has go on elsewhere, each after the board in play. Then it leaves, and the
    command ends.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.runtime.privacy import private_process

    check_installed()
    with private_process():
        from tourney.cluster.commands import drain_worker
        from tourney.cluster.connection import load_security

        asyncio.run(drain_worker(scheduler, load_security(keys), name, _notify))
