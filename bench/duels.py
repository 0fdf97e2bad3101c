"""`bench duel`: boards a second of `tourney duel` with the random bot, beside tables without a duel around them.

Those tables are played twice: by the same programs, which shows what the duel itself costs, and by players that do
not think and take no processor time from the tables.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from bench.events import bench_database, draw_tables
from bench.figures import Machine, this_machine
from bench.playing import play_programs
from bench.tables import measure_tables
from tourney.bridge import Seat, Side
from tourney.config import Durability
from tourney.errors import LaunchError
from tourney.store.db.database import Database, file_url
from tourney.store.draw.reader import load_event
from tourney.store.results.event_results import load_playing_ms

_NAME: Final = "A v B"
_BOT: Final = f"{sys.executable} -m tourney bot --host {{host}} --port {{port}} --seat {{seat}} --team {{team}}"

_PROGRAMS: Final = (f"{_BOT} --style random --seed 1", f"{_BOT} --style random --seed 2")

_PLAYERS: Final = ("light:High", "light:Low")

_LIGHT: Final = """
from tourney.player import PASS, Bid, Player, Strain


class High(Player):
    def call(self, view):
        bid = Bid(1, Strain.NOTRUMP)
        return bid if bid in view.legal_calls else PASS

    def play(self, view):
        return view.legal_cards[0]


class Low(High):
    def play(self, view):
        return view.legal_cards[-1]
"""
"""Players that take next to no time for a call or card."""


_SEATS_FILE: Final = "seats.toml"
_SEATS: Final = (
    '[event]\nname = "Seats"\n\n'
    + "\n\n".join(
        f'[[team]]\nname = "{name}"\nprocesses = "seat"\ncommand = "tourney bot --player {player} --host {{host}} '
        '--port {port} --seat {seat}"'
        for name, player in zip("AB", _PLAYERS, strict=True)
    )
    + "\n\n[[stage]]\n"
)
"""The event file whose teams are the same players, with a process for each seat."""


@dataclass(frozen=True, slots=True)
class DuelFigures:
    """The figures of duels. A board is counted at each of its two tables, as `bench table` counts them."""

    matches: int
    """Matches side by side, of two tables each."""
    boards: int
    """Boards at each table."""
    rounds: int
    boards_per_s: float
    """While boards were played, from the record."""
    seconds: float
    """The whole command with the start of programs and hosts."""
    start_s: float
    """The part of it in which no board was played."""
    cpu_ms_per_board: float
    """Processor time of everything, the eight programs of each match included."""
    programs_boards_per_s: float
    """Boards a second of as many tables, hosts and boards at which the same programs sit, while boards were played:
    no duel, no run and no looks at the record are around them."""
    ratio_to_programs: float
    """The median of the rounds: what the duel leaves of that."""
    table_boards_per_s: float
    """Boards a second of as many tables, hosts and boards in `bench table --durability process`."""
    table_cpu_ms_per_board: float
    """Processor time of the hosts there, without players: about our part of `cpu_ms_per_board`."""
    ratio_to_table: float
    """The median of the rounds."""
    players_boards_per_s: float
    """Boards a second of a duel of two light players' classes, with one process for each and for each host."""
    players_cpu_ms_per_board: float
    """Processor time of everything there."""
    ratio_to_seat_processes: float
    """Boards a second of that beside the same duel with a process for each seat: the median of the rounds."""
    machine: Machine


def measure_duels(matches: int, boards: int, rounds: int) -> DuelFigures:
    """Measure duels: in each round a duel of the random bot against itself with another seed, then tables.

    Raises:
        LaunchError: a duel has failed.
        TourneyError: a host cannot be started, or a database cannot be used.
    """
    hosts = min(os.cpu_count() or 1, 2 * matches)
    played = 2 * matches * boards
    speeds, seconds, cpu_s, programs, tables = [], [], [], [], []
    players, players_cpu_s, ratios_to_seats = [], [], []
    for number in range(1, rounds + 1):
        duel = _play(_PROGRAMS, matches, boards, number)
        seconds.append(duel.seconds)
        cpu_s.append(duel.cpu_s)
        speeds.append(played / duel.playing_s)
        shared = _play(_PLAYERS, matches, boards, number)
        alone = _play(("A", "B"), matches, boards, number, "--event", _SEATS_FILE)
        players.append(played / shared.playing_s)
        players_cpu_s.append(shared.cpu_s)
        ratios_to_seats.append(alone.playing_s / shared.playing_s)
        programs.append(played / _programs_s(hosts, 2 * matches, boards))
        tables.append(measure_tables(hosts, 2 * matches, boards, 1, None, Durability.PROCESS))
    return DuelFigures(
        matches=matches,
        boards=boards,
        rounds=rounds,
        boards_per_s=round(median(speeds), 1),
        seconds=round(median(seconds), 2),
        start_s=round(median(all_s - played / speed for all_s, speed in zip(seconds, speeds, strict=True)), 2),
        cpu_ms_per_board=round(1000 * median(cpu_s) / played, 2),
        programs_boards_per_s=round(median(programs), 1),
        ratio_to_programs=round(median(duel / plain for duel, plain in zip(speeds, programs, strict=True)), 3),
        table_boards_per_s=round(median(table.boards_per_s for table in tables), 1),
        table_cpu_ms_per_board=round(median(table.cpu_ms_per_board for table in tables), 2),
        ratio_to_table=round(
            median(duel / table.boards_per_s for duel, table in zip(speeds, tables, strict=True)), 3
        ),
        players_boards_per_s=round(median(players), 1),
        players_cpu_ms_per_board=round(1000 * median(players_cpu_s) / played, 2),
        ratio_to_seat_processes=round(median(ratios_to_seats), 3),
        machine=this_machine(),
    )


def _programs_s(hosts: int, tables: int, boards: int) -> float:
    """Has plain tables played by the programs of a duel; returns for how many seconds boards were played."""

    def command(port: int, team: str, seat: Seat) -> list[str]:
        seed = "1" if seat.side is Side.NS else "2"
        words = [
            "--port",
            str(port),
            "--team",
            team,
            "--seat",
            seat.name.lower(),
            "--style",
            "random",
            "--seed",
            seed,
        ]
        return [sys.executable, "-m", "tourney", "bot", *words]

    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder, bench_database(None) as database:
        name = "programs alone"
        drawn = draw_tables(
            Path(folder), database, name, tables, boards, wire_log=True, durability=Durability.PROCESS
        )
        asyncio.run(play_programs(database, drawn, hosts, command))
        return load_playing_ms(database, drawn.event.id) / 1000


@dataclass(frozen=True, slots=True)
class _Duel:
    """How long a duel took: all of the command, its processor time, and while boards were played."""

    seconds: float
    cpu_s: float
    playing_s: float


def _play(programs: tuple[str, str], matches: int, boards: int, seed: int, *more: str) -> _Duel:
    sizes = ("--boards", str(matches * boards), "--concurrency", str(matches), "--seed", str(seed))
    words = (
        "duel",
        *programs,
        *(() if more else ("--names", "A,B")),
        "--profile",
        "tourney",
        "--sprt",
        "none",
        *sizes,
        "--name",
        "duel",
        *more,
    )
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as name:
        folder = Path(name)
        (folder / "light.py").write_text(_LIGHT, encoding="utf-8")
        (folder / _SEATS_FILE).write_text(_SEATS, encoding="utf-8")
        before, began = os.times(), perf_counter()
        done = subprocess.run(  # noqa: S603 # ours
            [sys.executable, "-m", "tourney", *words, "--json"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        took_s, after = perf_counter() - began, os.times()
        if done.returncode:
            raise LaunchError(f"a duel ended with status {done.returncode}: {done.stderr.strip()}")
        cpu_s = after.children_user - before.children_user + after.children_system - before.children_system
        return _Duel(took_s, cpu_s, _playing_s(folder))


def _playing_s(folder: Path) -> float:
    with closing(Database(file_url(folder / "results" / "duel" / "event.db"))) as database:
        event = load_event(database, _NAME)
        assert event is not None
        return load_playing_ms(database, event.id) / 1000
