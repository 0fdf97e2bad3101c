"""`bench serve`: what live pages cost a run that plays at full speed, and how quickly they answer meanwhile."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.console_watcher import add_director
from bench.events import Tables, draw_tables
from bench.figures import Machine, this_machine
from bench.playing import play_tables
from bench.tables import Bench, bench
from tourney.errors import LaunchError

_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")

_REST_S: Final = 1.0
_REST_SHARE: Final = 0.03
"""A server at rest takes less of a core than this: somebody opens a page that nobody watches twice a second."""

ENDING_S: Final = 30
"""How long a process may take to end before it counts as stuck."""


@dataclass(frozen=True, slots=True)
class ServeFigures:
    """The figures of live pages, beside tables that play at full speed with nobody watching."""

    tables: int
    boards: int
    """Boards at each table."""
    watchers: int
    rounds: int
    boards_per_s: float
    """Boards a second while they watch; the median of the rounds."""
    alone_boards_per_s: float
    """Boards a second with no server; the median of the rounds."""
    ratio: float
    """The former divided by the latter, round by round; the median."""
    cpu_share: float
    """The server's share of one core while they watch, once all have their first page and it is at rest."""
    arrival_cpu_s: float
    """Its processor time until then: it translates its templates, and makes the pages for the first watcher."""
    peak_mb: float
    """The server's peak memory."""
    stored_p50_ms: float
    """Until the first byte of the page that all watch."""
    stored_p99_ms: float
    seldom_p50_ms: float
    """Until the first byte of pages that nobody watches."""
    seldom_p99_ms: float
    fetched: int
    told: int
    """Messages that a page has changed, to all watchers together."""
    failed: int
    """Fetches that were answered with neither 200 nor 304."""
    end_s: float
    """From SIGTERM to the end of the server, with all streams open; the longest of the rounds."""
    public_told_p50_ms: float
    """From a row's being on record until the stream of a public page reports it, among all watchers."""
    public_p50_ms: float
    """Until it is on the screen."""
    public_max_ms: float
    public_changes: int
    """How many such rows there were."""
    desk_p50_ms: float
    """From a row's being on record until it is on a director's screen while the tables play, in a play of its own."""
    desk_max_ms: float
    desk_changes: int
    """How many such rows there were."""
    machine: Machine


def measure_serve(
    tables: int, boards: int, watchers: int, rounds: int, database_url: str | None = None
) -> ServeFigures:
    """Plays the same boards with watchers and without, in turn.

    Raises:
        TourneyError: a process cannot be started, or the database cannot be used.
    """
    ratios, speeds, alone, served = [], [], [], []
    with bench(tables, boards, database_url) as made:
        for number in range(1, rounds + 1):
            alone.append(tables * boards / _play(made, f"serve {number} alone", tables, boards, 0)[0])
            seconds, figures = _play(made, f"serve {number} watched", tables, boards, watchers)
            speeds.append(tables * boards / seconds)
            ratios.append(speeds[-1] / alone[-1])
            served.append(figures)
        console = _play_with_console(made, "serve console", tables, boards)
    times = {
        name: round(median(figures[name] for figures in served), 2)
        for name in ("stored_p50_ms", "stored_p99_ms", "seldom_p50_ms", "seldom_p99_ms")
    }
    return ServeFigures(
        tables=tables,
        boards=boards,
        watchers=watchers,
        rounds=rounds,
        boards_per_s=round(median(speeds), 1),
        alone_boards_per_s=round(median(alone), 1),
        ratio=round(median(ratios), 3),
        cpu_share=round(median(figures["cpu_s"] / figures["seconds"] for figures in served), 3),
        arrival_cpu_s=round(median(figures["arrival_cpu_s"] for figures in served), 2),
        peak_mb=round(max(figures["peak_kb"] for figures in served) / 1024, 1),
        fetched=sum(figures["fetched"] for figures in served),
        told=sum(figures["told"] for figures in served),
        failed=sum(figures["failed"] for figures in served),
        end_s=round(max(figures["end_s"] for figures in served), 2),
        public_told_p50_ms=round(median(figures["public_told_p50_ms"] for figures in served), 1),
        public_p50_ms=round(median(figures["public_p50_ms"] for figures in served), 1),
        public_max_ms=round(max(figures["public_max_ms"] for figures in served), 1),
        public_changes=sum(figures["public_changes"] for figures in served),
        desk_p50_ms=round(console["desk_p50_ms"], 1),
        desk_max_ms=round(console["desk_max_ms"], 1),
        desk_changes=console["desk_changes"],
        machine=this_machine(),
        **times,
    )


def _play(made: Bench, name: str, tables: int, boards: int, watchers: int) -> tuple[float, dict[str, Any]]:
    """Play the tables of an event of their own; returns the seconds, and what was measured of the server."""
    drawn = draw_tables(made.folder, made.database, name, tables, boards, wire_log=False)
    playing = play_tables(made.database, drawn, made.script)
    if not watchers:
        return made.runner.run(playing).seconds, {}
    file = _write_event(drawn, boards)
    with _served(file, made.database.address) as (server, port):
        arriving = processor_time_s(server.pid)
        words = ("bench.watchers", "127.0.0.1", str(port), str(watchers), str(len(drawn.event.matches)))
        with _watched(words, made.database.address) as ended:
            _wait_until_at_rest(server.pid)
            event = drawn.event
            probe = ("bench.public_watcher", "127.0.0.1", str(port), str(event.id), str(event.teams[0].id))
            with _watched(probe, made.database.address) as shown:
                before = time.perf_counter(), processor_time_s(server.pid)
                seconds = made.runner.run(playing).seconds
                figures: dict[str, Any] = {
                    "seconds": time.perf_counter() - before[0],
                    "cpu_s": processor_time_s(server.pid) - before[1],
                    "arrival_cpu_s": before[1] - arriving,
                    "peak_kb": _peak_kb(server.pid),
                }
            began = time.perf_counter()
            server.send_signal(signal.SIGTERM)
            server.wait(ENDING_S)
            figures["end_s"] = time.perf_counter() - began
        return seconds, figures | ended | shown


def _play_with_console(made: Bench, name: str, tables: int, boards: int) -> dict[str, Any]:
    """Play the tables of an event of their own while a director watches the console; returns its figures."""
    drawn = draw_tables(made.folder, made.database, name, tables, boards, wire_log=False)
    playing = play_tables(made.database, drawn, made.script)
    add_director(made.database, drawn.event.id)
    with _served(_write_event(drawn, boards), made.database.address) as (_, port):
        words = ("bench.console_watcher", "127.0.0.1", str(port), str(drawn.event.id))
        with _watched(words, made.database.address) as ended:
            made.runner.run(playing)
        return ended


def _write_event(drawn: Tables, boards: int) -> Path:
    """Write the file of an event that was drawn without one."""
    file = drawn.file.folder / "event.toml"
    teams = "".join(f'[[team]]\nname = "{team.name}"\n' for team in drawn.event.teams)
    file.write_text(f'[event]\nname = "{drawn.event.name}"\n{teams}[[stage]]\nboards_per_match = {boards}\n')
    return file


@contextmanager
def _served(file: Path, address: str) -> "Iterator[tuple[subprocess.Popen[str], int]]":
    server = subprocess.Popen(  # noqa: S603 # our own command
        [sys.executable, "-m", "tourney", "serve", str(file), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TOURNEY_DATABASE": address},
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+:(\d+)/", server.stdout.readline())
        if found is None:
            raise LaunchError(f"the server did not start: exit status {server.wait(ENDING_S)}")
        yield server, int(found[1])
    finally:
        if server.poll() is None:
            server.kill()
        server.communicate()


@contextmanager
def _watched(words: Sequence[str], address: str) -> Iterator[dict[str, Any]]:
    """Have a module of ours watch; what it measured is there at the end."""
    process = subprocess.Popen(  # noqa: S603 # our own command
        [sys.executable, "-m", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TOURNEY_DATABASE": address},
    )
    found: dict[str, Any] = {}
    try:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise LaunchError(f"the watchers did not start: exit status {process.wait(ENDING_S)}")
        yield found
        out, _ = process.communicate(timeout=ENDING_S)
        found |= json.loads(out)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def processor_time_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def _wait_until_at_rest(pid: int) -> None:
    """Wait until a process has next to nothing to do."""
    spent, until = processor_time_s(pid), time.monotonic() + ENDING_S
    while time.monotonic() < until:
        time.sleep(_REST_S)
        before, spent = spent, processor_time_s(pid)
        if spent - before <= _REST_SHARE * _REST_S:
            return


def _peak_kb(pid: int) -> int:
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1])
