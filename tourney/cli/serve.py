"""`tourney serve`: live pages of an event for everybody with a browser, from the record that its run writes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._children import running_beside
from tourney.cli._common import EXISTING_FILE, EXIT_INTERRUPTED
from tourney.cli._ranges import IntRange
from tourney.errors import UsageError
from tourney.extras import check_extra

if TYPE_CHECKING:
    from tourney.client.server_link import ServerAddress
    from tourney.event.drawn import DrawnEvent

DEMO_THINK_MS: Final = 120
"""How long the players of a demo think before each call and card: a board takes about ten seconds."""

DEMO_BOARDS: Final = 12


@click.command("serve")
@click.argument("event_path", metavar="EVENT", required=False, type=EXISTING_FILE)
@click.option("--host", metavar="HOST", help="Address to listen on; by default as the event file says, or 127.0.0.1.")
@click.option(
    "--port",
    type=IntRange(0, 65_535),
    metavar="N",
    help="Port to listen on, 0 for any that is free; by default as the event file says, or 8080.",
)
@click.option("--demo", is_flag=True, help="Serve a small event of four teams that is being played, without EVENT.")
@click.option(
    "--no-console",
    is_flag=True,
    help="Serve the public pages alone, although the director's console has users.",
)
@click.option(
    "--console-only",
    is_flag=True,
    help="Serve the director's console alone.",
)
@click.option(
    "--seats",
    metavar="[HOST:]PORT",
    help="Let people sit down at /seat; where players connect. With `seats = true` in [web] the port of [stateful].",
)
@click.option("--seats-only", is_flag=True, help="Serve the seats for people alone.")
def serve_command(
    event_path: Path | None,
    host: str | None,
    port: int | None,
    *,
    demo: bool,
    no_console: bool,
    console_only: bool,
    seats: str | None,
    seats_only: bool,
) -> None:
    """Serve live pages of an event: standings, matches, boards, for every browser that can reach this machine.

    EVENT is the path of an event file. The pages change by themselves while a run plays the event, whether it was
    started before or after. A board is shown once nobody has to play it any more. `[web]` in the event file has the
    settings; the server ends with Ctrl-C. The public pages only read the record. Once the event has a user
    (`tourney user add`), the director's console is at /director, where the event is conducted. At /seat people play
    in their browsers, if the event or lobby lets them.
    """
    what = _what_is_served(no_console=no_console, console_only=console_only, seats_only=seats_only)
    if demo and (console_only or seats_only or seats is not None):
        raise UsageError(
            "--demo has no users and no seats, so it does not go with --console-only, --seats, --seats-only"
        )
    if demo and event_path is not None:
        raise UsageError("--demo has its own event, so it does not go with EVENT")
    if demo:
        with _playing_demo() as path:
            _serve(path, host, port, what)
    elif event_path is None:
        raise UsageError("name the event file, or give --demo to see an event that is played by itself")
    else:
        _serve(event_path, host, port, what, seats)


def _what_is_served(*, no_console: bool, console_only: bool, seats_only: bool) -> str:
    """Return which pages are served, as `web.serving.Served` names them.

    Raises:
        UsageError: the options contradict each other.
    """
    if no_console and console_only:
        raise UsageError("--no-console and --console-only leave nothing to serve")
    if seats_only and console_only:
        raise UsageError("--seats-only and --console-only leave nothing to serve")
    if seats_only:
        return "seats"
    return "public pages" if no_console else "console" if console_only else "all"


def _serve(path: Path, host: str | None, port: int | None, what: str, seats: str | None = None) -> None:
    from tourney.event.drawn import open_event

    check_extra("web", "a server of live pages")
    with open_event(path, is_read_only=True) as drawn:
        _listen(drawn, host, port, what, _players_at(drawn, seats, is_needed=what == "seats"))


def _players_at(drawn: "DrawnEvent", said: str | None, *, is_needed: bool) -> "ServerAddress | None":
    """Return where the seats of people connect; None if nobody may sit down from a browser.

    Raises:
        UsageError: `--seats` names no port, or no seats are to be had.
    """
    from tourney.client.server_link import ServerAddress
    from tourney.config.command import reachable
    from tourney.web.seat.seats import WAIT_S

    config = drawn.file.config
    if said is None and config.web.seats and config.stateful is not None:
        return ServerAddress(reachable(config.tables.host), config.stateful.port, WAIT_S)
    if said is None:
        if is_needed:
            raise UsageError("--seats-only: say with --seats where players connect, or set seats = true in [web]")
        return None
    host, _, port = said.rpartition(":")
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65_535):
        raise UsageError(f"--seats names a port, 1 to 65535, and perhaps a host before it, got {said!r}")
    return ServerAddress(host.strip("[]") or "127.0.0.1", int(port), WAIT_S)


def _listen(
    drawn: "DrawnEvent", host: str | None, port: int | None, what: str, players_at: "ServerAddress | None"
) -> None:
    from tourney.event.file import PAGES, SEATS
    from tourney.web.serving import (
        Served,
        address_of,
        check_console,
        check_seats,
        open_socket,
        serve_event,
    )

    web, served = drawn.file.config.web, Served(what)
    if served is not Served.SEATS:
        check_console(drawn, host or web.host, served)
    if players_at is not None:
        check_seats(web, host or web.host)
    listener = open_socket(host or web.host, port if port is not None else web.port)
    address = address_of(listener)

    def report_ready() -> None:
        click.echo(f"{drawn.event.name}: {address} (Ctrl-C ends it)")
        if players_at is not None:
            click.echo(f"people sit down at {address}seat")

    kinds = (
        *((PAGES,) if served in (Served.ALL, Served.PUBLIC) else ()),
        *((SEATS,) if players_at is not None else ()),
    )
    with _watching(drawn), drawn.file.announcing(address, *kinds):
        ended_by = serve_event(drawn, listener, report_ready, served, players_at)
    if ended_by is signal.SIGINT:
        raise SystemExit(EXIT_INTERRUPTED)


@contextmanager
def _watching(drawn: "DrawnEvent") -> Iterator[None]:
    """Send alarms as well, where the event file has `[alarms]`: in a process of its own, beside others that do."""
    if drawn.file.config.alarms is None:
        yield
        return
    with running_beside("alarms", drawn.path):
        yield


# The demo


@contextmanager
def _playing_demo() -> Iterator[Path]:
    """Play a demo event in a folder of its own for as long as it is served."""
    with TemporaryDirectory(prefix="tourney-demo-") as folder:
        path = Path(folder) / "event.toml"
        path.write_text(_demo_text(), encoding="utf-8")
        _tourney("schedule", path).check_returncode()
        with (Path(folder) / "run.log").open("wb") as log, running_beside("run", path, output=log):
            yield path


def _tourney(*words: str | Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(  # noqa: S603 # our own command
        [sys.executable, "-m", "tourney", *(os.fspath(word) for word in words)], capture_output=True, check=False
    )


def _demo_text() -> str:
    from tourney.cli.demo import format_demo_event

    bot = f"{sys.executable} -m tourney bot --set think_ms={DEMO_THINK_MS}"
    return format_demo_event("Demo Cup", bot, DEMO_BOARDS, "[tables]\ntrick_pause_ms = 150\nwire_log = false\n")
