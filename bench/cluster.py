"""`bench cluster`: what it costs to have table hosts started through a cluster, and how soon a cluster has tables.

Everything is as in an event: `tourney run`, and for the cluster `tourney scheduler` and `tourney worker`, each a
process of this machine. Players are not started by tourney unless it says so; they repeat recorded lines.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from sqlalchemy import func, select

from bench.events import describe, teams_text
from bench.figures import Machine, this_machine
from bench.local_cluster import ClusterProcesses
from bench.made_events import play_first_set
from bench.players import Chair, play_script
from bench.playing import log_on
from bench.tables import Bench, bench
from tourney.bridge import SEATS
from tourney.config import parse_event_file
from tourney.coordinator.draw import ensure_drawn
from tourney.errors import LaunchError, UsageError
from tourney.event.file import EventFile
from tourney.movement.seating import TableState
from tourney.runtime.clock import wall_ms
from tourney.store.control.tables import TableProgress, load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import CallRow, CardRow

HOST: Final = "127.0.0.1"
HOSTS: Final = 2
"""Table hosts of the run on one machine, and workers of the cluster, each of which has one."""

PLACED_ON: Final = 4
"""Workers on which many tables are placed."""

LEASE_S: Final = 3
"""The silence after which a host counts as dead where a worker is killed."""

RECOVERING_TABLES: Final = 4
"""Tables of the event of which a worker is killed: half of them are on it, with sixteen programs."""

RECOVERING_BOARDS: Final = 100
"""More than are played until the worker has been killed and replaced."""

_WITHIN_S: Final = 120.0
"""How long a run may take to begin, or to place tables, before the bench gives up."""

_POLL_S: Final = 0.02
_END_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class ClusterFigures:
    """A run with its own hosts beside a run with the hosts of a cluster; speeds are medians of the rounds."""

    tables: int
    boards: int
    """Boards at each table."""
    rounds: int
    workers: int
    """Workers of the cluster, and hosts of the other run."""
    database: str
    local_boards_per_s: float
    """From the moment at which all tables are open until the last player has heard of the end."""
    cluster_boards_per_s: float
    ratio: float
    """The latter divided by the former, round by round; the median."""
    ratios: Sequence[float]
    """Those of all rounds."""
    local_open_s: float
    """From the start of `tourney run` until all its tables are open, the start of its hosts included."""
    cluster_open_s: float
    placed_tables: int
    placed_workers: int
    placed_s: float
    """From the first table's being given to a host until all are open for players, on a cluster without any host."""
    placed_from_start_s: float
    """The same from the start of `tourney run`."""
    lost_tables: int
    """Tables that a killed worker had, with their programs, which tourney starts."""
    lease_s: int
    again_s: Sequence[float]
    """From the killing until another call or card is on record, table by table in ascending order."""
    machine: Machine


@dataclass(frozen=True, slots=True)
class RunPlayed:
    """The tables of one run."""

    seconds: float
    """From the first log-on to the last `End of session`."""
    open_s: float
    """From the start of `tourney run` until all its tables are open."""


def measure_cluster(tables: int, boards: int, rounds: int, placed: int, database_url: str) -> ClusterFigures:
    """Plays the same boards with hosts of the run and on a cluster, by turns; then places tables, and kills a worker.

    Args:
        tables: tables that are played, an even number.
        boards: boards at each table.
        rounds: how often both are measured.
        placed: how many tables are placed on `PLACED_ON` workers, an even number.
        database_url: a PostgreSQL server (`bench_database`).

    Raises:
        UsageError: the database is not in PostgreSQL.
        TourneyError: a process cannot be started or fails, or the database cannot be used.
    """
    with bench(tables, boards, database_url) as made:
        played = play_by_turns(made, tables, boards, rounds)
        placed_s, placed_from_start_s = _place(made, placed)
        again_s = _kill_worker(made)
        speeds = {
            is_cluster: [tables * boards / each.seconds for each in found] for is_cluster, found in played.items()
        }
        ratios = [there / here for here, there in zip(speeds[False], speeds[True], strict=True)]
        return ClusterFigures(
            tables=tables,
            boards=boards,
            rounds=rounds,
            workers=HOSTS,
            database=describe(made.database),
            local_boards_per_s=round(median(speeds[False]), 1),
            cluster_boards_per_s=round(median(speeds[True]), 1),
            ratio=round(median(ratios), 3),
            ratios=[round(ratio, 3) for ratio in ratios],
            local_open_s=round(median(each.open_s for each in played[False]), 2),
            cluster_open_s=round(median(each.open_s for each in played[True]), 2),
            placed_tables=placed,
            placed_workers=PLACED_ON,
            placed_s=round(placed_s, 2),
            placed_from_start_s=round(placed_from_start_s, 2),
            lost_tables=len(again_s),
            lease_s=LEASE_S,
            again_s=[round(seconds, 2) for seconds in again_s],
            machine=this_machine(),
        )


def play_by_turns(made: Bench, tables: int, boards: int, rounds: int) -> "Mapping[bool, Sequence[RunPlayed]]":
    """Plays the same boards with hosts of the run (False) and on a cluster (True), by turns.

    Raises:
        UsageError: the database is not in PostgreSQL.
        TourneyError: a process cannot be started or fails, or the database cannot be used.
    """
    if made.database.is_sqlite:
        raise UsageError(f"a cluster's record is in PostgreSQL, got {made.database}")
    played: dict[bool, list[RunPlayed]] = {False: [], True: []}
    with ClusterProcesses(_new_folder(made, "cluster"), _workers(HOSTS, tables)).running() as cluster:
        for number in range(1, rounds + 1):
            for name, launch in (("local", ""), ("cluster", cluster.launch_section)):
                drawn = _draw(made, f"{name} {number}", tables, boards, launch)
                played[bool(launch)].append(_play(made, drawn))
    return played


def _workers(number: int, tables: int) -> dict[str, int]:
    """Return so many workers that share tables evenly, with the room that each has."""
    return {f"W{each}": -(-tables // number) for each in range(number)}


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An event that has been drawn for a run, with as many tables in one round as are wanted."""

    path: Path
    database: Database
    event: EventInfo

    def progress(self) -> list[TableProgress]:
        """Load how far each table is."""
        tables = [table.id for match in self.event.matches for table in match.tables]
        return list(load_progress(self.database, tables).values())


def _new_folder(made: Bench, name: str) -> Path:
    folder = made.folder / name
    folder.mkdir()
    return folder


def _draw(made: Bench, name: str, tables: int, boards: int, launch: str, teams: str = "") -> _Drawn:
    """Draw an event of one round, in which all matches play the boards of the script."""
    path = _new_folder(made, name.replace(" ", "-")) / "event.toml"
    text = (
        f'[event]\nname = "{name}"\ndatabase = "{made.database.address}"\n{teams or teams_text(tables)}'
        f'[[stage]]\nformat = "swiss"\nrounds = 1\nboards_per_match = {boards}\n[deals]\nseed = 1\n'
        f'[tables]\nports = "20000-29999"\nat_once = {tables}\ntrick_pause_ms = 0\n'
        f"lease_s = {LEASE_S}\n{launch}"
    )
    path.write_text(text, encoding="utf-8")
    file = EventFile(path, parse_event_file(text, "event.toml"))
    event = ensure_drawn(file, made.database, wall_ms())
    play_first_set(made.database, event.id)
    return _Drawn(path, made.database, event)


@contextmanager
def _run(drawn: _Drawn) -> Iterator["subprocess.Popen[bytes]"]:
    """Run `tourney run`; end it if it has not ended."""
    with (drawn.path.parent / "run.log").open("wb") as log:
        words = [sys.executable, "-m", "tourney", "run", str(drawn.path), "--hosts", str(HOSTS)]
        run = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)  # noqa: S603 # ours
    try:
        yield run
    finally:
        run.terminate()
        with suppress(subprocess.TimeoutExpired):
            run.wait(_END_S)
        run.kill()
        run.wait()


def _wait(drawn: _Drawn, run: "subprocess.Popen[bytes]", is_so: Callable[[], bool], what: str) -> float:
    """Wait until something is so; returns when, by the performance counter.

    Raises:
        LaunchError: the run has ended before, or it takes too long.
    """
    until = time.perf_counter() + _WITHIN_S
    while not is_so():
        status = run.poll()
        if status is not None or time.perf_counter() > until:
            how = f"had not {what} within {_WITHIN_S:.0f} s" if status is None else f"ended with status {status}"
            said = (drawn.path.parent / "run.log").read_text(encoding="utf-8").strip()
            raise LaunchError(f"tourney run {how}: {said[-500:]}")
        time.sleep(_POLL_S)
    return time.perf_counter()


def _are_open(drawn: _Drawn) -> Callable[[], bool]:
    return lambda: all(each.table.state is TableState.OPEN for each in drawn.progress())


def _play(made: Bench, drawn: _Drawn) -> RunPlayed:
    started = time.perf_counter()
    with _run(drawn) as run:
        opened = _wait(drawn, run, _are_open(drawn), "opened its tables")
        chairs = [
            Chair(HOST, each.table.ports[seat], seat, (log_on(each.table.team(seat.side), seat),))
            for each in drawn.progress()
            for seat in SEATS
        ]
        began = time.perf_counter()
        made.runner.run(play_script(made.script, chairs))
        seconds = time.perf_counter() - began
        if run.wait(_END_S) != 0:
            raise LaunchError(f"tourney run {drawn.event.name} ended with status {run.returncode}")
    return RunPlayed(seconds, opened - started)


def _place(made: Bench, tables: int) -> tuple[float, float]:
    """Have tables placed; returns the seconds from the first one and from the start of the run until all are open."""
    with ClusterProcesses(_new_folder(made, "placing"), _workers(PLACED_ON, tables)).running() as cluster:
        drawn = _draw(made, "placed", tables, 1, cluster.launch_section)
        started = time.perf_counter()
        with _run(drawn) as run:
            first = _wait(drawn, run, lambda: any(each.table.host for each in drawn.progress()), "placed a table")
            opened = _wait(drawn, run, _are_open(drawn), "opened its tables")
    return opened - first, opened - started


def _kill_worker(made: Bench) -> list[float]:
    """Kill a worker with all that is on it; returns the seconds until each of its tables has gone on."""
    command = f"{sys.executable} -m tourney bot --host {{host}} --port {{port}} --seat {{seat}} --team {{team}}"
    teams = "".join(
        f'[[team]]\nname = "Team {n}"\nprofile = "tourney"\ncommand = "{command} --seed {n} --set think_ms=50"\n'
        for n in range(1, RECOVERING_TABLES + 1)
    )
    workers = dict.fromkeys(("W0", "W1"), RECOVERING_TABLES)
    with ClusterProcesses(_new_folder(made, "killing"), workers).running() as cluster:
        drawn = _draw(made, "killed", RECOVERING_TABLES, RECOVERING_BOARDS, cluster.launch_section, teams)
        with _run(drawn) as run:
            _wait(drawn, run, lambda: len(_said(drawn)) == RECOVERING_TABLES, "begun at all tables")
            lost = [each.table.id for each in drawn.progress() if "W0" in (each.table.host or "")]
            began = time.perf_counter()
            cluster.kill("W0")
            before = _said(drawn)
            again: dict[int, float] = {}

            def are_playing() -> bool:
                said = _said(drawn)
                for table in lost:
                    if said[table] > before[table]:
                        again.setdefault(table, time.perf_counter() - began)
                return len(again) == len(lost)

            _wait(drawn, run, are_playing, "gone on at the tables of the killed worker")
    return sorted(again.values())


def _said(drawn: _Drawn) -> Mapping[int, int]:
    """Count the calls and cards on record of each table that has any."""
    said: dict[int, int] = {}
    tables = [table.id for match in drawn.event.matches for table in match.tables]
    with drawn.database.read() as connection:
        for kind in (CallRow, CardRow):
            query = select(kind.table_id, func.count()).where(kind.table_id.in_(tables)).group_by(kind.table_id)
            for table, number in connection.execute(query):
                said[table] = said.get(table, 0) + number
    return said
