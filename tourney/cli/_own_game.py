"""`tourney play --against COMMAND`: a table for one person, its page, and the program on the other side."""

import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from tourney.cli._children import running_beside
from tourney.cli._common import EXIT_INTERRUPTED
from tourney.errors import LaunchError, UsageError
from tourney.plurals import count
from tourney.runtime.address import find_free_port

READY_S: Final = 60
"""How long the table and its page may take to be there."""

POLL_S: Final = 0.1


def play_own_game(against: str, profile: str | None, boards: int, seed: int | None, keep: Path | None) -> None:
    """Play a game against a program until Ctrl-C.

    Args:
        against: its command, or the name of a player's class.
        profile: the wire profile that it needs; None for the usual one.
        boards: how many boards are played.
        seed: what they are dealt from; None for chance.
        keep: the folder in which the game is kept; None to throw it away.

    Raises:
        TourneyError: the program cannot be started, or the game cannot be kept.
    """
    from tourney.extras import check_extra
    from tourney.lab.duel import name_programs, with_profiles
    from tourney.lab.event_files import EVENT_FILE, PERSON, write_own_game

    check_extra("web", "a seat in the browser")
    teams = name_programs([against], None)
    (program,) = teams if profile is None else with_profiles(teams, profile)
    phrase, port, web_port = secrets.token_urlsafe(12), _free_port(), _free_port()
    with ExitStack() as stack:
        folder = stack.enter_context(_game_folder(keep, EVENT_FILE))
        path = write_own_game(program, boards, seed, port, phrase, folder)
        of_run, of_pages, of_partner = (folder / f"{name}.log" for name in ("run", "serve", "bot"))
        run = stack.enter_context(running_beside("run", path, output=of_run))
        partner = ("bot", "--protocol", "stateful", "--port", str(port), "--team", PERSON)
        _wait_for(port, run, of_run)
        stack.enter_context(running_beside(*partner, output=of_partner))
        serving = stack.enter_context(running_beside("serve", path, "--port", str(web_port), output=of_pages))
        _wait_for(web_port, serving, of_pages)
        page = f"http://127.0.0.1:{web_port}/"
        click.echo(
            f"You play {count(boards, 'board')} against {program.name}: {page}seat?name={PERSON} (Ctrl-C ends it)"
        )
        click.echo(f"Finished boards, with all hands: {page}")
        click.echo(f"The board in play, with all hands: {page}vugraph (passphrase {phrase})")
        if keep is not None:
            click.echo(f"What the program says: {folder / 'results'}")
        try:
            if run.wait():
                raise LaunchError(_last_words(of_run))
            click.echo("All boards are played; the pages stay until Ctrl-C.")
            signal.pause()
        except KeyboardInterrupt:
            raise SystemExit(EXIT_INTERRUPTED) from None


@contextmanager
def _game_folder(keep: Path | None, event_file: str) -> Iterator[Path]:
    """Make the folder of a game; it is removed at the end unless it is to be kept."""
    if keep is None:
        with TemporaryDirectory(prefix="tourney-play-") as made:
            yield Path(made)
        return
    if (keep / event_file).exists():
        raise UsageError(f"--keep: {keep} has a game already, name another folder")
    with LaunchError.of_system(f"folder {keep} cannot be made"):
        keep.mkdir(parents=True, exist_ok=True)
    yield keep


def _free_port() -> int:
    """Return a port that nobody has, and no table will take."""
    from tourney.config.tables import TablesConfig

    tables = TablesConfig().ports
    while True:
        number = find_free_port()
        if not tables.first <= number <= tables.last:
            return number


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until a child listens on a port.

    Raises:
        LaunchError: it has ended, or does not within the time.
    """
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            raise LaunchError(_last_words(log))
        time.sleep(POLL_S)
    raise LaunchError(f"port {port} of the table is not open after {READY_S} s")


def _last_words(log: Path) -> str:
    """Return what a process of a game has said at last, and the error that it has ended with."""
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return "\n".join(line.removeprefix("Error: ") for line in lines[-4:]) or "the table has ended"
