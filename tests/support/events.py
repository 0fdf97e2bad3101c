"""Small events for tests that run real processes: the event file, the command, and what came of it."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.blank_database import blank_database
from tests.support.commands import NOTE, document_of, run

_BOT_PROGRAM = Path(__file__).with_name("bot_program.py")

BOT = f"{sys.executable} -m tourney bot --host {{host}} --port {{port}} --seat {{seat}} --team {{team}}"

STATEFUL_BOT = f"{sys.executable} -m tourney bot --protocol stateful --host {{host}} --port {{port}} --team {{team}}"

FOREIGN_PLAYER = Path(__file__).with_name("foreign_player.py")
FOREIGN = f"{sys.executable} {FOREIGN_PLAYER} {{host}} {{port}} {{seat}} {{team}}"

FIRST_PORT = 12000
PORTS_OF_WORKER = 4000
_ports_used = [os.getpid() % 100 * 40]
"""How many ports this worker has used. Not from 0: another session of tests may be running on this machine."""

PATIENCE_S = 240
"""How long other processes are waited for: a machine may be slow and busy."""


@dataclass(frozen=True)
class Finished:
    """A command that has ended."""

    status: int
    out: str
    err: str


def tourney(*args: str | Path) -> Finished:
    """Run the command to its end, as a user would."""
    done = subprocess.run(
        [sys.executable, "-m", "tourney", *map(str, args)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env=environment(),
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def start_tourney(
    *args: str | Path, cwd: Path | None = None, output: Path | None = None, on: Sequence[str] = ()
) -> "subprocess.Popen[str]":
    """Start the command in a process group of its own, its output in a pipe, or in a file; `on` stands before it."""
    words = [*on, sys.executable, "-m", "tourney", *map(str, args)]
    with output.open("w") if output is not None else nullcontext(subprocess.PIPE) as out:
        return _Command(
            words, cwd=cwd, stdout=out, stderr=subprocess.STDOUT, text=True, env=environment(), start_new_session=True
        )


class _Command(subprocess.Popen[str]):
    """A command that is killed where a test that has failed leaves it behind; that warns, which is an error."""

    def __del__(self) -> None:
        if self.returncode is None and self.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
            warnings.warn(f"still running at the end of the test: {self.args!r}", ResourceWarning, stacklevel=2)


def environment() -> dict[str, str]:
    """The environment, without what would lead a test astray."""
    return {key: value for key, value in os.environ.items() if key != "TOURNEY_DATABASE"}


def write_lobby(folder: Path, *, seed: int | None = None, trick_pause_ms: int = 0) -> Path:
    """Write the file of a lobby as its keeper has changed it; without a pause after tricks."""
    path = folder / "lobby.toml"
    deals = f"[deals]\nseed = {seed}\n" if seed is not None else ""
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'[event]\nname = "Lobby"\nresults = "results"\n[lobby]\n'
        f"[tables]\ntrick_pause_ms = {trick_pause_ms}\n{deals}",
        encoding="utf-8",
    )
    return path


def write_event(
    folder: Path,
    teams: Sequence[tuple[str, str | None]],
    *,
    boards: int | None = 2,
    ports: str | None = None,
    extra: str = "",
    tables: str = "",
    stage: str = "",
    record: bool = True,
    entrant: str = "team",
) -> Path:
    """An event file with a port range of its own.

    Args:
        folder: where it is to be.
        teams: names with their commands, None for outsiders.
        boards: of a match; None if `stage` says how long one is.
        ports: the range, unless one that nobody has.
        extra: further sections.
        tables: further lines of that section.
        stage: further lines of that section.
        record: whether the database is there and empty; the first command makes it otherwise, within a second.
        entrant: what their sections are called: team, pair or player.
    """
    lines = ['[event]\nname = "Test"\nresults = "results"\n']
    for name, command in teams:
        lines.append(f"[[{entrant}]]\nname = {json.dumps(name)}\nprofile = 'tourney'\n")
        if command is not None:
            lines.append(f"command = {json.dumps(command)}\n")
    length = "" if boards is None else f"boards_per_match = {boards}\n"
    lines.append(f"[[stage]]\n{length}{stage}\n[deals]\nseed = 7\n{extra}\n")
    lines.append(f'[tables]\ntrick_pause_ms = 0\nports = "{ports or port_range()}"\n{tables}\n')
    path = folder / "event.toml"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    if record:
        results = folder / "results"
        results.mkdir(exist_ok=True)
        (results / "event.db").write_bytes(blank_database())
    return path


def port_range(count: int = 40) -> str:
    """Ports that nobody has: below those of outgoing connections, of each worker its own, and not the last ones."""
    start = FIRST_PORT + PORTS_OF_WORKER * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        first = start + _ports_used[0] % (PORTS_OF_WORKER - count)
        _ports_used[0] += count
        if all(is_free(port) for port in range(first, first + count)):
            return f"{first}-{first + count - 1}"


def free_port() -> int:
    """A port that nobody has."""
    return int(port_range(1).partition("-")[0])


@contextmanager
def only_user_of_the_usual_ports() -> Iterator[None]:
    """Let nobody else of this run of the tests use the ports that an event has whose file names none."""
    with Path(tempfile.gettempdir(), "usual-ports.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_free(port: int) -> bool:
    """Whether a table could listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def standings(event: Path) -> list[dict[str, Any]]:
    """The rows of `tourney standings --json` that its director sees."""
    rows: list[dict[str, Any]] = document_of(run("standings", event, "--json", "--director"), NOTE)["standings"]
    return rows


def check_played_once(event: Path, boards: int, query: Callable[[str], list[tuple[Any, ...]]]) -> None:
    """Both tables of a match have finished all boards, each once, every call and card is there; nobody is at work.

    `query` reads the record.
    """
    assert [row["played"] for row in standings(event)] == [1, 1]
    gaps = "SELECT 1 FROM {} GROUP BY table_id, board, attempt HAVING max(seq) + 1 <> count(*)"
    finals = "SELECT count(*), count(DISTINCT table_id * 1000 + board) FROM board_attempts WHERE final"
    for sql, rows in {
        "SELECT DISTINCT state FROM tables": [("finished",)],
        finals: [(2 * boards, 2 * boards)],
        "SELECT count(*) FROM board_attempts WHERE ended IS NULL": [(0,)],
        gaps.format("calls"): [],
        gaps.format("cards"): [],
        "SELECT count(*) FROM hosts WHERE ended_at_ms IS NULL": [(0,)],
        "SELECT run_holder FROM events": [(None,)],
    }.items():
        assert query(sql) == rows, sql


def bot(seed: int, style: str = "random", think_ms: int = 0, *, protocol: str = "") -> str:
    """The command of a team of our bots; `protocol` is stateful for those that a tournament seats."""
    words = "--host {host} --port {port} --team {team} "
    words += f"--protocol {protocol}" if protocol else "--seat {seat}"
    return f"{sys.executable} {_BOT_PROGRAM} {words} --seed {seed} --style {style} --think-ms {think_ms}"


def read_until(process: "subprocess.Popen[str]", text: str) -> str:
    """What a running command prints, up to the first line that holds `text`; fails when it ends before."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if text in line:
            return "".join(lines)
    raise AssertionError(f"the command ended with {process.wait()} before it printed {text!r}: {''.join(lines)}")


def until(is_so: Callable[[], bool], what: str) -> None:
    """Wait for something that other processes do."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, f"after {PATIENCE_S} s not yet: {what}"
        time.sleep(0.05)


def rest_of(process: "subprocess.Popen[str]") -> Finished:
    """Wait for a running command to end."""
    out, _ = process.communicate(timeout=PATIENCE_S)
    return Finished(process.returncode, out, "")
