"""`bench hosts`: how many boards a second several hosts of one database play beside one host.

Their players cost next to nothing: they are in the hosts' processes, have no sockets, and repeat recorded lines. What
is measured is the hosts and the database that they share.

`python -m bench.hosts EVENT_ID HOST_NAME SCRIPT FILE SYNC_DELAY_MS TABLES` is such a host: it says `ready` once its
tables are open, begins when it is told to, and writes to FILE when it began and ended and what it used.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Final, cast

from bench.events import Tables, describe, draw_tables
from bench.figures import Machine, this_machine
from bench.host import slow_down_syncs
from bench.made_events import count_batches, count_record
from bench.playing import log_on
from bench.script import Script, Step, format_script, parse_script
from bench.tables import bench
from tourney.bridge import SEATS
from tourney.config import Durability, PortRange
from tourney.errors import LaunchError, StoreError
from tourney.host.connection import TcpConnection
from tourney.host.host import TableHost
from tourney.host.ports import OpenPort, PortAdmission, listen_nowhere
from tourney.movement.seating import TableInfo
from tourney.runtime.clock import wall_ms
from tourney.runtime.event_loop import collect_seldom, loop_factory
from tourney.store.control.host_settings import load_settings
from tourney.store.control.hosts import add_host
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import load_job
from tourney.store.db.database import Database

_SAMPLE_S: Final = 0.02
"""How often it is looked what the server's processes wait for."""

_READY_S: Final = 120.0
_TICKS_A_S: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class SharedSpeed:
    """What so many hosts did together; each figure is the median of the rounds."""

    hosts: int
    boards_per_s: float
    host_cpu_ms_per_board: float
    """Processor time of the hosts, their recorded players included."""
    server_cpu_ms_per_board: float | None
    """That of PostgreSQL's processes; None where there is no server on this machine."""
    cores_busy: float
    """How many cores hosts and server used on average."""
    commits_per_board: float


@dataclass(frozen=True, slots=True)
class HostsFigures:
    """One host, and several that share the same tables."""

    tables: int
    boards: int
    """Boards at each table."""
    rounds: int
    database: str
    sync_delay_ms: float
    one: SharedSpeed
    several: SharedSpeed
    ratio: float
    """Boards a second of several hosts divided by those of one, by rounds."""
    ratio_of_cores: float | None
    """What this ratio would be if nothing held up anybody but that the machine has no more cores.

    That is the boards a second that its cores allow by the processor time of several hosts and the server, but not
    more than so many times those of one host, divided by those of one host. None where the server's processor time is
    not known."""
    waits: Mapping[str, float]
    """What the server's processes waited for while several hosts played, as shares of all looks at one of them.

    The names are PostgreSQL's kinds of waits (`Lock` is one transaction waiting for another); `working` for none."""
    lost: int
    """Boards that are not on record."""
    machine: Machine


@dataclass(frozen=True, slots=True)
class _Played:
    seconds: float
    host_cpu_s: float
    server_cpu_s: float | None
    batches: int
    lost: int


def measure_hosts(
    hosts: int,
    tables: int,
    boards: int,
    rounds: int,
    database_url: str | None,
    durability: Durability = Durability.FULL,
    sync_delay_ms: float = 0,
) -> HostsFigures:
    """Plays the same tables with one host and with several, by turns.

    Args:
        hosts: how many are several.
        tables: their number, shared evenly.
        boards: boards at each table.
        rounds: how often both are measured.
        database_url: where the record is (`bench_database`).
        durability: that of the record.
        sync_delay_ms: how much longer than it does the disk takes for what is to be synced.

    Raises:
        TourneyError: a host cannot be started or fails, or the database cannot be used.
    """
    played: dict[int, list[_Played]] = {1: [], hosts: []}
    waits: Counter[str] = Counter()
    with bench(tables, boards, database_url) as made:
        for round_ in range(1, rounds + 1):
            for number in (1, hosts):
                name = f"bench {round_} of {number}"
                drawn = draw_tables(
                    made.folder, made.database, name, tables, boards, wire_log=True, durability=durability
                )
                looks = _Looks(made.database)
                try:
                    played[number].append(_play(made.database, drawn, made.script, number, sync_delay_ms))
                finally:
                    looks.stop()
                if number == hosts:
                    waits += looks.waits
        one, several = (_speed(number, played[number], tables * boards) for number in (1, hosts))
        return HostsFigures(
            tables=tables,
            boards=boards,
            rounds=rounds,
            database=describe(made.database, durability),
            sync_delay_ms=sync_delay_ms,
            one=one,
            several=several,
            ratio=round(
                median(
                    alone.seconds / shared.seconds for alone, shared in zip(played[1], played[hosts], strict=True)
                ),
                2,
            ),
            ratio_of_cores=_ratio_of_cores(one, several),
            waits={kind: round(count / waits.total(), 3) for kind, count in waits.most_common()},
            lost=sum(each.lost for each in (*played[1], *played[hosts])),
            machine=this_machine(),
        )


def _speed(hosts: int, played: Sequence[_Played], boards: int) -> SharedSpeed:
    server = [each.server_cpu_s for each in played if each.server_cpu_s is not None]
    return SharedSpeed(
        hosts=hosts,
        boards_per_s=round(median(boards / each.seconds for each in played), 1),
        host_cpu_ms_per_board=round(median(1000 * each.host_cpu_s / boards for each in played), 2),
        server_cpu_ms_per_board=round(1000 * median(server) / boards, 2) if server else None,
        cores_busy=round(median((each.host_cpu_s + (each.server_cpu_s or 0)) / each.seconds for each in played), 2),
        commits_per_board=round(median(each.batches / boards for each in played), 1),
    )


def _ratio_of_cores(one: SharedSpeed, several: SharedSpeed) -> float | None:
    if several.server_cpu_ms_per_board is None:
        return None
    cores = len(os.sched_getaffinity(0))
    allowed = 1000 * cores / (several.host_cpu_ms_per_board + several.server_cpu_ms_per_board)
    return round(min(allowed / one.boards_per_s, several.hosts), 2)


def _play(database: Database, drawn: Tables, script: Script, hosts: int, sync_delay_ms: float) -> _Played:
    folder = drawn.file.folder
    script_file = folder / "script.json"
    script_file.write_text(format_script(script), encoding="ascii")
    workers = []
    try:
        for number in range(hosts):
            name = f"bench-{drawn.event.id}-{number}"
            add_host(database, drawn.event.id, name, wall_ms())
            for table in drawn.tables[number::hosts]:
                # There is no port: its number says which table it is.
                assign_table(database, table.id, name, dict.fromkeys(SEATS, table.id), wall_ms())
            words = [str(drawn.event.id), name, str(script_file), str(folder / f"{name}.json"), str(sync_delay_ms)]
            count = len(drawn.tables[number::hosts])
            workers.append(_Worker([*words, str(count)], database, folder / f"{name}.json"))
        for worker in workers:
            worker.wait_until_ready()
        before = _server_cpu_s(database)
        for worker in workers:
            worker.begin()
        found = [worker.figures() for worker in workers]
        after = _server_cpu_s(database)
    finally:
        for worker in workers:
            worker.end()
    return _Played(
        seconds=max(each["ended_s"] for each in found) - min(each["began_s"] for each in found),
        host_cpu_s=sum(each["cpu_s"] for each in found),
        server_cpu_s=after - before if before is not None and after is not None else None,
        batches=count_batches(database, drawn.event.id),
        lost=len(drawn.tables) * script.boards - count_record(database, drawn.event.id)[0],
    )


class _Worker:
    """The process of one host."""

    def __init__(self, words: Sequence[str], database: Database, file: Path) -> None:
        self._file = file
        self._process = subprocess.Popen(  # noqa: S603 # ours
            [sys.executable, "-m", "bench.hosts", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"TOURNEY_DATABASE": database.address},
        )

    def wait_until_ready(self) -> None:
        assert self._process.stdout is not None
        if self._process.stdout.readline() != b"ready\n":
            raise LaunchError(f"a host of the bench ended with status {self._process.wait()}")

    def begin(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")
        self._process.stdin.flush()

    def figures(self) -> Mapping[str, float]:
        """Waits until it has ended; returns what it has noted."""
        status = self._process.wait()
        if status:
            raise LaunchError(f"a host of the bench ended with status {status}")
        found: dict[str, float] = json.loads(self._file.read_text(encoding="ascii"))
        return found

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


# PostgreSQL's processes


class _Looks:
    """Looks again and again what the server's processes wait for, in a thread; finds nothing of an SQLite file."""

    def __init__(self, database: Database) -> None:
        self.waits: Counter[str] = Counter()
        self._database = Database(database.address)
        self._stopping = Event()
        self._thread = Thread(target=self._look, daemon=True)
        if not database.is_sqlite:
            self._thread.start()

    def _look(self) -> None:
        with suppress(StoreError), self._database.outside() as connection:
            while not self._stopping.wait(_SAMPLE_S):
                # A process that waits for its client is idle, or between two statements of a transaction.
                rows = connection.exec_driver_sql(
                    "SELECT wait_event_type, count(*) FROM pg_stat_activity WHERE datname = current_database() "
                    "AND pid <> pg_backend_pid() AND wait_event_type IS DISTINCT FROM 'Client' GROUP BY 1"
                )
                self.waits.update({kind or "working": count for kind, count in rows})

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        self._database.close()


def _server_cpu_s(database: Database) -> float | None:
    """Returns the seconds of processor time that PostgreSQL's processes have used; None if they are not here."""
    if database.is_sqlite:
        return None
    with database.read() as connection:
        backend = int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())
    try:
        _, parent, _ = _process_of(backend)
        everyone = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        name, _, own = _process_of(parent, with_children=True)
    except OSError:
        return None
    if not name.startswith("postgres"):
        return None
    return own + sum(_cpu_of_child(pid, parent) for pid in everyone)


def _cpu_of_child(pid: int, parent: int) -> float:
    try:
        _, found, cpu_s = _process_of(pid)
    except OSError:  # it has ended, and counts with its parent
        return 0.0
    return cpu_s if found == parent else 0.0


def _process_of(pid: int, *, with_children: bool = False) -> tuple[str, int, float]:
    """Returns name, parent and processor time in seconds of a process, on request with that of its ended children."""
    name, _, rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")
    fields = rest.split()
    ticks = sum(map(int, fields[11 : 15 if with_children else 13]))
    return name.partition("(")[2], int(fields[1]), ticks / _TICKS_A_S


# The process of a host


class _RecordedPlayer:
    """A player that repeats its recorded lines, and the transport of its connection."""

    def __init__(self, link: TcpConnection, steps: Sequence[Step], expected: int) -> None:
        self.over = asyncio.get_running_loop().create_future()
        self.is_closing = bool
        self.get_write_buffer_size = int
        self._link = link
        self._steps = steps
        self._expected = expected
        self._received = 0
        self._next = 0
        self._is_due = False
        link.connection_made(cast(asyncio.BaseTransport, self))

    def write(self, data: bytes) -> None:
        self._received += data.count(b"\n")
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self.end_suspension)

    def end_suspension(self) -> None:
        """Says what it has to say by now."""
        self._is_due = False
        while self._next < len(self._steps) and self._steps[self._next].after <= self._received:
            self._next += 1
            self._link.data_received(self._steps[self._next - 1].data)
        if self._received >= self._expected and not self.over.done():
            self.over.set_result(None)

    def get_extra_info(self, _name: str) -> None:
        return None

    def write_eof(self) -> None:
        self.abort()

    def abort(self) -> None:
        if not self.over.done():
            self.over.set_exception(LaunchError("a table closed the connection of a recorded player"))
        asyncio.get_running_loop().call_soon(self._link.connection_lost, None)

    def pause_reading(self) -> None:
        """Lines are said one after another anyway."""

    resume_reading = pause_reading


async def _host(database: Database, event_id: int, name: str, script: Script, tables: int) -> dict[str, float]:
    opened: asyncio.Queue[tuple[int, PortAdmission]] = asyncio.Queue()

    async def listen(address: str, ports: PortRange, wished: int, accepts: Sequence[PortAdmission]) -> list[OpenPort]:
        opened.put_nowait((wished, accepts[0]))
        return await listen_nowhere(address, ports, wished, accepts)

    host = TableHost(database, name, partial(load_settings, database, event_id), listen=listen)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(host.run())
        seated = [(load_job(database, table_id).table, accept) for table_id, accept in await _take(opened, tables)]
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.readline)
        began_s, cpu_s = time.monotonic(), time.process_time()
        players = [player for table, accept in seated for player in _sit_down(table, accept, script)]
        for player in players:
            player.end_suspension()
        await asyncio.gather(*(player.over for player in players))
        found = {"began_s": began_s, "ended_s": time.monotonic(), "cpu_s": time.process_time() - cpu_s}
        host.stop()
    return found


async def _take(opened: "asyncio.Queue[tuple[int, PortAdmission]]", tables: int) -> list[tuple[int, PortAdmission]]:
    async with asyncio.timeout(_READY_S):
        return [await opened.get() for _ in range(tables)]


def _sit_down(table: TableInfo, accept: PortAdmission, script: Script) -> Iterable[_RecordedPlayer]:
    for seat in SEATS:
        steps = [Step(0, log_on(table.team(seat.side), seat), is_action=False), *script.steps[seat][1:]]
        yield _RecordedPlayer(accept(), steps, script.received[seat])


def main() -> None:
    """Runs one host until its tables are over."""
    event_id, name, script_file, file, sync_delay_ms, tables = sys.argv[1:]
    if float(sync_delay_ms):
        slow_down_syncs(float(sync_delay_ms))
    database = Database(os.environ["TOURNEY_DATABASE"])
    script = parse_script(Path(script_file).read_text(encoding="ascii"))
    collect_seldom()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        found = runner.run(_host(database, int(event_id), name, script, int(tables)))
    Path(file).write_text(json.dumps(found), encoding="ascii")


if __name__ == "__main__":
    main()
