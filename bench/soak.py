"""`bench soak`: a host that plays one table after another for a while, and whether its memory stays what it was.

`python -m bench.soak EVENT_ID HOST_NAME FILE` is that host: the usual one, which on each SIGUSR1 writes to FILE how
many objects it has of each type, so that it can be said what has grown.
"""

import asyncio
import gc
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.events import Tables, draw_tables
from bench.figures import Machine, this_machine
from bench.made_events import count_record
from bench.players import Chair, play_script
from bench.playing import log_on
from bench.relay import HOST
from bench.script import Script
from bench.tables import bench
from tourney.bridge import SEATS
from tourney.config import PortRange
from tourney.errors import LaunchError
from tourney.host import ports
from tourney.host.host_process import main as serve_tables
from tourney.host.ports import OpenPort, PortAdmission
from tourney.host.wire_log import list_logs
from tourney.launch.hosts import HostProcess, HostSecrets
from tourney.movement.seating import TableInfo, TableState
from tourney.runtime.clock import wall_ms
from tourney.store.control.hosts import add_host
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database

BOARDS: Final = 8
"""Boards at each table: tables are opened and closed all the time, as from round to round."""

THINKING_MS: Final = 100
"""Longest thinking time of a call or card: 64 tables then play some 20 boards a second."""

GROWTH_MAX: Final = 0.05

_SETTLES_S: Final = 120.0
"""The first two minutes do not count: caches fill, and the last of all modules are imported."""

_SAMPLE_S: Final = 2.0
_OPEN_S: Final = 60.0
_TYPES_TOLD: Final = 10


@dataclass(frozen=True, slots=True)
class SoakFigures:
    """The memory of a host over a while."""

    tables: int
    """How many were played at the same time."""
    minutes: float
    tables_played: int
    boards_played: int
    memory_kb: Sequence[int]
    """What the process itself had in memory at the end of each minute, the last one perhaps cut short."""
    settled_kb: int
    """The median over the first fifth of the time that counts."""
    last_kb: int
    """The median over the last fifth."""
    growth: float
    """How much more the latter is, as a share of the former."""
    grown: Mapping[str, int]
    """How many objects more there were at the end than when the memory had settled, of the types that grew most."""
    lost: int
    """Boards that were played and are not on record."""
    wire_logs_left: int
    """Wire logs of finished tables that have not been packed."""
    machine: Machine


class _Soak:
    """One host, and players at so many of its tables at once."""

    def __init__(self, database: Database, drawn: Tables, script: Script, seconds: float) -> None:
        self.finished: list[TableInfo] = []
        self.memory_kb: list[int] = []
        self.counts: list[Mapping[str, int]] = []
        """The objects by type: once the memory has settled, and at the end."""
        self._database = database
        self._drawn = drawn
        self._waiting = iter(drawn.tables)
        self._script = script
        self._seconds = seconds
        self._settles_s = min(_SETTLES_S, seconds / 3)
        self._is_at_work = asyncio.Event()
        """Whether the host has opened a table, and does what it is told by a signal."""
        self._counts_file = drawn.file.folder / "objects.json"
        log = drawn.file.results / "hosts" / "soak.log"
        self._host = HostProcess(
            "soak",
            drawn.event.id,
            HostSecrets(database.address),
            log,
            module="bench.soak",
            more=[str(self._counts_file)],
        )

    @property
    def settled(self) -> Sequence[int]:
        """The samples of the memory that count."""
        return self.memory_kb[int(self._settles_s / _SAMPLE_S) :]

    async def run(self, at_once: int) -> None:
        add_host(self._database, self._drawn.event.id, self._host.name, wall_ms())
        self._host.start()
        ends_at = time.monotonic() + self._seconds
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._watch(ends_at))
                for number in range(at_once):
                    tasks.create_task(self._play(number, ends_at, delay_s=number / at_once))
            self.counts.append(await self._count_objects())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        finally:
            await self._host.stop()

    async def _play(self, number: int, ends_at: float, delay_s: float) -> None:
        """Play one table after another on a port."""
        await asyncio.sleep(delay_s)
        port = self._drawn.file.config.tables.ports.first + number
        while time.monotonic() < ends_at and (table := next(self._waiting, None)) is not None:
            assign_table(self._database, table.id, self._host.name, dict.fromkeys(SEATS, port), wall_ms())
            opened = await self._until_open(table)
            self._is_at_work.set()
            chairs = [Chair(HOST, opened.ports[seat], seat, (log_on(table.team(seat.side), seat),)) for seat in SEATS]
            await play_script(self._script, chairs, THINKING_MS)
            self.finished.append(table)

    async def _until_open(self, table: TableInfo) -> TableInfo:
        try:
            async with asyncio.timeout(_OPEN_S):
                while True:
                    now = load_progress(self._database, [table.id])[table.id].table
                    if now.state is TableState.OPEN:
                        return now
                    if now.state is TableState.FAILED or self._host.is_over:
                        raise LaunchError(now.reason or self._host.how_it_ended())
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise LaunchError(f"the host has not opened {table.place} within {_OPEN_S:.0f} s") from None

    async def _watch(self, ends_at: float) -> None:
        settled_at = ends_at - self._seconds + self._settles_s
        await self._is_at_work.wait()
        while (now := time.monotonic()) < ends_at:
            if now >= settled_at and not self.counts:
                self.counts.append(await self._count_objects())
            assert self._host.started is not None
            self.memory_kb.append(_memory_kb(self._host.started.pid))
            await asyncio.sleep(_SAMPLE_S)

    async def _count_objects(self) -> Mapping[str, int]:
        self._counts_file.unlink(missing_ok=True)
        self._host.send_signal(signal.SIGUSR1)
        async with asyncio.timeout(_OPEN_S):
            while not self._counts_file.exists():  # noqa: ASYNC110 # the host is another process
                await asyncio.sleep(0.05)
        found: dict[str, int] = json.loads(self._counts_file.read_text(encoding="ascii"))
        return found


def measure_soak(tables: int, minutes: float) -> SoakFigures:
    """Plays tables for a while, so many at once, one after another.

    Raises:
        TourneyError: the host cannot be started or ends, or a table stalls.
        OSError: this system does not say how much memory a process has: it is no Linux.
    """
    seconds = 60 * minutes
    with bench(tables, BOARDS, None) as made:
        table_s = made.script.actions * THINKING_MS / 2 / 1000
        enough = tables * (2 + int(1.2 * seconds / table_s))
        drawn = draw_tables(made.folder, made.database, "bench soak", enough, BOARDS, wire_log=True)
        soak = _Soak(made.database, drawn, made.script, seconds)
        made.runner.run(soak.run(tables))
        fifth = max(1, len(soak.settled) // 5)
        settled_kb, last_kb = median(soak.settled[:fifth]), median(soak.settled[-fifth:])
        before, after = soak.counts
        more = Counter({name: count - before.get(name, 0) for name, count in after.items()})
        played = len(soak.finished) * BOARDS
        return SoakFigures(
            tables=tables,
            minutes=minutes,
            tables_played=len(soak.finished),
            boards_played=played,
            memory_kb=list(_by_minute(soak.memory_kb)),
            settled_kb=round(settled_kb),
            last_kb=round(last_kb),
            growth=round(last_kb / settled_kb - 1, 3),
            grown={name: count for name, count in more.most_common(_TYPES_TOLD) if count > 0},
            lost=played - count_record(made.database, drawn.event.id)[0],
            wire_logs_left=len(list_logs(drawn.file.host_settings.wire_folder)),
            machine=this_machine(),
        )


def _by_minute(samples: Sequence[int]) -> Iterator[int]:
    a_minute = int(60 / _SAMPLE_S)
    for start in range(0, len(samples), a_minute):
        yield samples[start : start + a_minute][-1]


def _memory_kb(pid: int) -> int:
    """Returns the memory of a process without the files it has mapped."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon:"))


def main() -> None:
    """Runs the host until it ends."""
    file = Path(sys.argv[3])

    def count_objects() -> None:
        gc.collect()
        counts = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
        part = file.with_suffix(".part")
        part.write_text(json.dumps(counts), encoding="ascii")
        part.replace(file)

    is_watched = False

    async def listen(
        host: str, port_range: PortRange, wished: int, acceptors: Sequence[PortAdmission]
    ) -> list[OpenPort]:
        nonlocal is_watched
        if not is_watched:
            is_watched = True
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, count_objects)
        return await ports.listen(host, port_range, wished, acceptors)

    serve_tables(listen)


if __name__ == "__main__":
    main()
