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

from tourney.cli._common import EXISTING_FILE, EXIT_INTERRUPTED
from tourney.cli._names import OptionWithOldNames
from tourney.cli._ranges import IntRange
from tourney.errors import UsageError
from tourney.extras import check_extra

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent

DEMO_THINK_MS: Final = 120
"""How long the players of a demo think before each call and card: a board takes about ten seconds."""

DEMO_BOARDS: Final = 12

ENDING_S: Final = 10
"""How long the run of a demo may take to end."""


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
    cls=OptionWithOldNames,
    old_names=["--no-desk"],
    is_flag=True,
    help="Serve the public pages alone, although the director's console has users.",
)
@click.option(
    "--console-only",
    cls=OptionWithOldNames,
    old_names=["--desk-only"],
    is_flag=True,
    help="Serve the director's console alone.",
)
def serve_command(
    event_path: Path | None, host: str | None, port: int | None, *, demo: bool, no_console: bool, console_only: bool
) -> None:
    """Serve live pages of an event: standings, matches, boards, for every browser that can reach this machine.

    EVENT is the path of an event file. The pages change by themselves while a run plays the event, whether it was
    started before or after. A board is shown once nobody has to play it any more. `[web]` in the event file has the
    settings; the server ends with Ctrl-C. The public pages only read the record. Once the event has a user
    (`tourney user add`), the director's console is at /director, where the event is conducted.
    """
    if no_console and console_only:
        raise UsageError("--no-console and --console-only leave nothing to serve")
    if demo and console_only:
        raise UsageError("--demo has no users, so it does not go with --console-only")
    if demo and event_path is not None:
        raise UsageError("--demo has its own event, so it does not go with EVENT")
    if demo:
        with _playing_demo() as path:
            _serve(path, host, port, "public pages" if no_console else "all")
    elif event_path is None:
        raise UsageError("name the event file, or give --demo to see an event that is played by itself")
    else:
        _serve(event_path, host, port, "public pages" if no_console else "console" if console_only else "all")


def _serve(path: Path, host: str | None, port: int | None, what: str) -> None:
    from tourney.event.drawn import open_event

    check_extra("web", "a server of live pages")
    with open_event(path, is_read_only=True) as drawn:
        _listen(drawn, host, port, what)


def _listen(drawn: "DrawnEvent", host: str | None, port: int | None, what: str) -> None:
    from tourney.web.serving import Served, address_of, check_console, open_socket, serve_event

    web, served = drawn.file.config.web, Served(what)
    check_console(drawn, host or web.host, served)
    listener = open_socket(host or web.host, port if port is not None else web.port)
    address = address_of(listener)

    def report_ready() -> None:
        click.echo(f"{drawn.event.name}: {address} (Ctrl-C ends it)")

    ended_by = serve_event(drawn, listener, report_ready, served)
    if ended_by is signal.SIGINT:
        raise SystemExit(EXIT_INTERRUPTED)


# The demo


@contextmanager
def _playing_demo() -> Iterator[Path]:
    """Play a demo event in a folder of its own for as long as it is served."""
    with TemporaryDirectory(prefix="tourney-demo-") as folder:
        path = Path(folder) / "event.toml"
        path.write_text(_demo_text(), encoding="utf-8")
        _tourney("schedule", path).check_returncode()
        with (Path(folder) / "run.log").open("wb") as log:
            run = subprocess.Popen(  # noqa: S603 # our own command
                [sys.executable, "-m", "tourney", "run", os.fspath(path)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C at the terminal ends the server, which ends the run
            )
            try:
                yield path
            finally:
                run.send_signal(signal.SIGINT)
                try:
                    run.wait(ENDING_S)
                except subprocess.TimeoutExpired:
                    run.kill()
                    run.wait()


def _tourney(*words: str | Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(  # noqa: S603 # our own command
        [sys.executable, "-m", "tourney", *(os.fspath(word) for word in words)], capture_output=True, check=False
    )


def _demo_text() -> str:
    from tourney.cli.demo import format_demo_event

    bot = f"{sys.executable} -m tourney bot --think-ms {DEMO_THINK_MS}"
    return format_demo_event("Demo Cup", bot, DEMO_BOARDS, "[tables]\ntrick_pause_ms = 150\nwire_log = false\n")
