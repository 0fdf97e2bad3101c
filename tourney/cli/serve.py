"""`tourney serve`: live pages of an event for everybody with a browser, from the record that its run writes."""

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
from tourney.cli._common import EXISTING_FILE, EXIT_INTERRUPTED, flag_option
from tourney.cli._ranges import IntRange
from tourney.cli.alarms import watch_alarms
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
@flag_option("--demo", help="Serve a small event of four teams that is being played, without EVENT.")
@click.option(
    "--only",
    type=click.Choice(["public", "console", "seats", "alarms"]),
    help="Serve one thing alone: the public pages, the director's console, the seats for people, or no pages: only "
    "watch for alarms.",
)
@click.option(
    "--seats",
    metavar="[HOST:]PORT",
    help="Let people sit down at /seat; where players connect. With `seats = true` in [web] the port of [stateful].",
)
def serve_command(
    event_path: Path | None,
    host: str | None,
    port: int | None,
    *,
    demo: bool,
    only: str | None,
    seats: str | None,
) -> None:
    """Serve live pages of an event: standings, matches, boards, for every browser that can reach this machine.

    EVENT is the path of an event file. The pages change by themselves while a run plays the event, whether it was
    started before or after. A board is shown once nobody has to play it any more. `[web]` in the event file has the
    settings; the server ends with Ctrl-C. The public pages only read the record. Once the event has a user
    (`tourney user`), the director's console is at /director, where the event is conducted. At /seat people play
    in their browsers, if the event or lobby lets them.

    If the event file has `[alarms]`, messages are sent when something is wrong, to the addresses in the file that it
    names or in the environment variable TOURNEY_ALARMS. Several servers may watch one event, on several machines:
    each alarm is sent once. `tourney check --alarms` sends a test message.
    """
    if demo and (only not in (None, "public") or seats is not None):
        raise UsageError("--demo has no users, seats or alarms, so it does not go with --only or --seats")
    if demo and event_path is not None:
        raise UsageError("--demo has its own event, so it does not go with EVENT")
    if demo:
        with _playing_demo() as path:
            _serve(path, host, port, only)
    elif event_path is None:
        raise UsageError("name the event file, or give --demo to see an event that is played by itself")
    elif only == "alarms":
        watch_alarms(event_path)
    else:
        _serve(event_path, host, port, only, seats)


def _serve(path: Path, host: str | None, port: int | None, only: str | None, seats: str | None = None) -> None:
    from tourney.event.drawn import open_event
    from tourney.event.file import PAGES, SEATS

    check_extra("web", "a server of live pages")
    from tourney.web.serving import Served, address_of, check_console, check_seats, open_socket, serve_event

    served = Served(only or "all")
    with open_event(path, is_read_only=True) as drawn:
        players_at = _players_at(drawn, seats, is_needed=served is Served.SEATS)
        web = drawn.config.web
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


def _players_at(drawn: "DrawnEvent", said: str | None, *, is_needed: bool) -> "ServerAddress | None":
    """Return where the seats of people connect; None if nobody may sit down from a browser.

    Raises:
        UsageError: `--seats` names no port, or no seats are to be had.
    """
    from tourney.client.server_link import ServerAddress
    from tourney.config.command import reachable
    from tourney.web.seat.seats import WAIT_S

    config = drawn.config
    if said is None and config.web.seats and config.stateful is not None:
        return ServerAddress(reachable(config.tables.host), config.stateful.port, WAIT_S)
    if said is None:
        if is_needed:
            raise UsageError("--only seats: say with --seats where players connect, or set seats = true in [web]")
        return None
    host, _, port = said.rpartition(":")
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65_535):
        raise UsageError(f"--seats names a port, 1 to 65535, and perhaps a host before it, got {said!r}")
    return ServerAddress(host.strip("[]") or "127.0.0.1", int(port), WAIT_S)


@contextmanager
def _watching(drawn: "DrawnEvent") -> Iterator[None]:
    """Send alarms as well, where the event file has `[alarms]`: in a process of its own, beside others that do."""
    if drawn.config.alarms is None:
        yield
        return
    with running_beside("serve", drawn.path, "--only", "alarms"):
        yield


# The demo


@contextmanager
def _playing_demo() -> Iterator[Path]:
    """Play a demo event in a folder of its own for as long as it is served."""
    from tourney.cli.demo import format_demo_event

    with TemporaryDirectory(prefix="tourney-demo-") as folder:
        path = Path(folder) / "event.toml"
        bot = f"{sys.executable} -m tourney bot --set think_ms={DEMO_THINK_MS}"
        rest = "[tables]\ntrick_pause_ms = 150\nwire_log = false\n"
        path.write_text(format_demo_event("Demo Cup", bot, DEMO_BOARDS, rest), encoding="utf-8")
        words = [sys.executable, "-m", "tourney", "schedule", str(path)]
        subprocess.run(words, capture_output=True, check=True)  # noqa: S603 # our own command
        with running_beside("run", path, output=path.with_name("run.log")):
            yield path
