"""A measurement of the real thing: one table host with record and wire log, quick players in this process."""

import asyncio
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tourney.bots.load import LoadSeat, play_all
from tourney.bridge import SEATS
from tourney.config import parse_event_file
from tourney.coordinator.drawing import ensure_drawn
from tourney.coordinator.event_file import EventFile
from tourney.errors import LaunchError
from tourney.launch.hosts import HostProcess
from tourney.store.database import Database
from tourney.store.host_settings import save_settings
from tourney.store.hosts import add_host
from tourney.store.models import TableState
from tourney.store.objects import EventInfo, TableProgress
from tourney.store.tables import assign_table, load_progress
from tourney.table.clock import wall_ms

OPEN_S = 60.0
"""How long a host may take to open its tables."""

_HOST = "benchmark"


@dataclass(frozen=True, slots=True)
class TableBenchmark:
    """What was measured. Times count from the first log-on to the last `End of session`."""

    tables: int
    boards: int
    """Boards at each table."""
    wire_log: bool
    seconds: float
    boards_per_s: float
    lines_per_s: float
    cpu_ms_per_board: float
    """Of the host, its start and its end included."""


def measure_tables(tables: int, boards: int, *, wire_log: bool) -> TableBenchmark:
    """Play `boards` boards at each of `tables` tables of one host, SQLite with `synchronous=FULL`.

    Args:
        tables: an even number.
        boards: at each table.
        wire_log: whether every line is written to a file, too.

    Raises:
        TourneyError: the host cannot be started, or a player was refused.
    """
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        event_file = _event_file(Path(folder), tables, boards, wire_log=wire_log)
        database = Database(event_file.database_url)
        try:
            event = ensure_drawn(event_file, database, wall_ms())
            save_settings(database, event.id, event_file.host_settings)
            return asyncio.run(_measure(event_file, database, event, tables, boards))
        finally:
            database.close()


def _event_file(folder: Path, tables: int, boards: int, *, wire_log: bool) -> EventFile:
    teams = "".join(f'[[team]]\nname = "Team {n}"\nprofile = "tourney"\n' for n in range(1, tables + 1))
    text = (
        f'[event]\nname = "Benchmark"\n{teams}[[stage]]\nboards_per_match = {boards}\n[deals]\nseed = 1\n'
        f'[tables]\nports = "20000-29999"\ntrick_pause_ms = 0\nat_once = 1000\nwire_log = {str(wire_log).lower()}\n'
    )
    return EventFile(folder / "event.toml", parse_event_file(text, "event.toml"))


async def _measure(
    event_file: EventFile, database: Database, event: EventInfo, tables: int, boards: int
) -> TableBenchmark:
    rooms = [table for match in event.rounds[0].matches for table in match.tables]
    ports = event_file.config.tables.ports
    for index, table in enumerate(rooms):
        assign_table(database, table.id, _HOST, dict.fromkeys(SEATS, ports.first + index), wall_ms())
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    url = database.url.render_as_string(hide_password=False)
    add_host(database, event.id, _HOST, wall_ms())
    host = HostProcess(_HOST, event.id, url, event_file.results / "host.log")
    host.start()
    try:
        opened = await _until_open(database, host, [table.id for table in rooms])
        seats = [
            LoadSeat("127.0.0.1", progress.table.ports[seat], seat, progress.table.team(seat.side))
            for progress in opened
            for seat in SEATS
        ]
        started = time.perf_counter()
        lines = await play_all(seats)
        seconds = time.perf_counter() - started
    finally:
        await host.stop()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    played = len(rooms) * boards
    return TableBenchmark(
        tables=tables,
        boards=boards,
        wire_log=event_file.config.tables.wire_log,
        seconds=round(seconds, 3),
        boards_per_s=round(played / seconds, 1),
        lines_per_s=round(lines / seconds),
        cpu_ms_per_board=round(1000 * cpu_s / played, 2),
    )


async def _until_open(database: Database, host: HostProcess, table_ids: list[int]) -> list[TableProgress]:
    async with asyncio.timeout(OPEN_S):
        while True:
            found = list(load_progress(database, table_ids).values())
            failed = [progress.table.reason for progress in found if progress.table.state is TableState.FAILED]
            if failed or host.status is not None:
                raise LaunchError(failed[0] if failed else host.how_it_ended())
            if all(progress.table.state is TableState.OPEN for progress in found):
                return found
            await asyncio.sleep(0.05)
