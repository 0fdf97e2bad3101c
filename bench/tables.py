"""`bench wire` and `bench table`: boards a second of the relay, and of tables beside it in the same run."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.events import bench_database, describe, draw_tables, time_commit
from bench.figures import Machine, Speed, Turnround, requests_of, speed_of, this_machine, turnround_of
from bench.playing import Session, play_relay, play_tables, record_script
from bench.script import Script, format_relayed
from tourney.config import Durability
from tourney.errors import LaunchError
from tourney.runtime.event_loop import loop_factory
from tourney.runtime.open_files import allow_files, files_needed
from tourney.store.db.database import Database


@dataclass(frozen=True, slots=True)
class WireFigures:
    """The figures of the relay. Times count from the first log-on to the last `End of session`."""

    tables: int
    boards: int
    """Boards at each table."""
    rounds: int
    lines_per_board: float
    boards_per_s: float
    lines_per_s: int
    cpu_ms_per_board: float
    machine: Machine


@dataclass(frozen=True, slots=True)
class TableFigures:
    """The figures of tables with wire log, beside those of the relay and of tables without wire log."""

    hosts: int
    """Hosts that share the tables; the relay has as many processes."""
    tables: int
    boards: int
    """Boards at each table."""
    rounds: int
    database: str
    sync_delay_ms: float
    """How much longer the disk was made to take for what is to be synced."""
    boards_per_s: float
    lines_per_s: int
    cpu_ms_per_board: float
    turnround_ms: Turnround
    requests_ms: Turnround
    """The same for requests alone that need not wait for the disk: what they are for is on record."""
    kb_per_table: float | None
    """The hosts' memory per table beyond the first of each; None when no host has more than one."""
    floor_boards_per_s: float
    floor_cpu_ms_per_board: float
    commits_per_board: float
    """Transactions of all tables together: those of one loop iteration share one."""
    commit_ms: float
    """Median time of a one-row transaction that is synced: the least that a table waits before it relays a call or
    card, unless calls and cards are not synced."""
    ratio_to_floor: float
    """Boards per second of the tables divided by those of the relay just before; the median of the rounds."""
    without_wire_log: Speed
    machine: Machine


@dataclass(frozen=True, slots=True)
class Bench:
    """What a measurement of tables needs: a script, a folder and a database."""

    folder: Path
    database: Database
    runner: asyncio.Runner
    script: Script
    alone: Session
    """The session at one table from which the script was taken."""

    def relay(self, tables: int, processes: int = 1) -> Session:
        """Plays the script at that many tables of a relay, shared by `processes` processes."""
        file = self.folder / "script.json"
        file.write_text(format_relayed(self.script.relayed), encoding="ascii")
        return self.runner.run(play_relay(self.script, file, tables, processes))


@contextmanager
def bench(tables: int, boards: int, database_url: str | None) -> Iterator[Bench]:
    """Provides what a measurement needs; the script is taken from a table that is played first.

    Raises:
        LaunchError: the process may not open enough files, or a process cannot be started.
        TourneyError: the database cannot be used.
    """
    wanted = files_needed(tables, 1)
    if (files := allow_files(wanted)) < wanted:
        raise LaunchError(f"{tables} tables need {wanted} open files, a process may have {files} here (ulimit -n)")
    with (
        tempfile.TemporaryDirectory(prefix="tourney-bench-") as name,
        bench_database(database_url) as database,
        asyncio.Runner(loop_factory=loop_factory()) as runner,
    ):
        folder = Path(name)
        recorded = draw_tables(folder, database, "bench script", 1, boards, wire_log=True)
        script, alone = runner.run(record_script(database, recorded))
        yield Bench(folder, database, runner, script, alone)


def measure_wire(tables: int, boards: int, rounds: int) -> WireFigures:
    """Measures the relay.

    Raises:
        TourneyError: a process cannot be started.
    """
    with bench(tables, boards, None) as made:
        script = made.script
        speed = speed_of([made.relay(tables) for _ in range(rounds)], script, tables)
    return WireFigures(
        tables,
        boards,
        rounds,
        round(script.lines / boards, 1),
        speed.boards_per_s,
        speed.lines_per_s,
        speed.cpu_ms_per_board,
        this_machine(),
    )


def measure_tables(
    hosts: int,
    tables: int,
    boards: int,
    rounds: int,
    database_url: str | None,
    durability: Durability = Durability.FULL,
    sync_delay_ms: float = 0,
) -> TableFigures:
    """Measures tables: in each round the relay, then tables with wire log, then without.

    Args:
        hosts: hosts that share the tables.
        tables: their number.
        boards: boards at each table.
        rounds: how often everything is measured.
        database_url: where the record is (`bench_database`).
        durability: that of the record.
        sync_delay_ms: how much longer than it does the disk takes for what is to be synced.

    Raises:
        TourneyError: the host cannot be started, the database cannot be used, or a player was refused.
    """
    floors: list[Session] = []
    logged: list[Session] = []
    unlogged: list[Session] = []
    with bench(tables, boards, database_url) as made:
        for number in range(1, rounds + 1):
            floors.append(made.relay(tables, hosts))
            for wire_log, sessions in ((True, logged), (False, unlogged)):
                name = f"bench {number} {'with' if wire_log else 'without'}"
                drawn = draw_tables(
                    made.folder, made.database, name, tables, boards, wire_log=wire_log, durability=durability
                )
                session = play_tables(made.database, drawn, made.script, hosts=hosts, sync_delay_ms=sync_delay_ms)
                sessions.append(made.runner.run(session))
        floor, speed, without = (speed_of(sessions, made.script, tables) for sessions in (floors, logged, unlogged))
        beyond_kb = max(session.peak_kb for session in logged) - hosts * made.alone.peak_kb
        return TableFigures(
            hosts=hosts,
            tables=tables,
            boards=boards,
            rounds=rounds,
            database=describe(made.database, durability),
            sync_delay_ms=sync_delay_ms,
            boards_per_s=speed.boards_per_s,
            lines_per_s=speed.lines_per_s,
            cpu_ms_per_board=speed.cpu_ms_per_board,
            turnround_ms=turnround_of(logged),
            requests_ms=requests_of(logged),
            kb_per_table=round(beyond_kb / (tables - hosts), 1) if tables > hosts else None,
            floor_boards_per_s=floor.boards_per_s,
            floor_cpu_ms_per_board=floor.cpu_ms_per_board,
            commits_per_board=round(median(session.batches / (tables * boards) for session in logged), 1),
            commit_ms=round(1000 * time_commit(made.database) + sync_delay_ms, 3),
            ratio_to_floor=round(
                median(floor.seconds / with_log.seconds for floor, with_log in zip(floors, logged, strict=True)), 3
            ),
            without_wire_log=without,
            machine=this_machine(),
        )
