"""Runs one measured session: the players in this process, instrumented hosts or the relay in others."""

import asyncio
import contextlib
import gzip
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.events import Tables
from bench.host import HostFigures, connection_key, read_figures
from bench.load_players import LoadSeat, play_all
from bench.made_events import count_batches
from bench.players import Chair, Played, play_script
from bench.relay import HOST, RelayProcess
from bench.script import Script, make_script
from bench.stateful_players import play_stateful
from tourney.bridge import SEATS, Seat
from tourney.errors import LaunchError
from tourney.host.wire_log import packed_path
from tourney.launch.hosts import HostProcess, HostSecrets
from tourney.movement.seating import TableState
from tourney.protocol.bluechip.player_lines import format_connecting
from tourney.runtime.clock import wall_ms
from tourney.store.control.hosts import add_host
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import TableProgress, load_progress
from tourney.store.db.database import Database

OPEN_S: Final = 60.0
"""How long a host may take to open its tables."""

PROGRAMS_S: Final = 600.0
"""How long programs may take for all boards of their tables."""

VERSION: Final = 18
"""Protocol version that the players send."""


@dataclass(frozen=True, slots=True)
class Session:
    """The measurements of one session."""

    seconds: float
    """From the first log-on to the last `End of session`."""
    cpu_s: float
    """Processor time of the hosts or the relay in that time."""
    peak_kb: int = 0
    """Peak memory of the hosts."""
    batches: int = 0
    """Transactions in which the hosts wrote records."""
    turnround_ns: Sequence[int] = ()
    """Time from writing to relaying or answering of each line, in ascending order."""
    requests_ns: Sequence[int] = ()
    """The same of requests for what was on record already."""


class WatchedHost:
    """An instrumented host with its tables open; the owner calls `stop`."""

    def __init__(
        self, database: Database, tables: Tables, number: int = 0, of: int = 1, sync_delay_ms: float = 0
    ) -> None:
        """Shares the tables with `of` hosts: this one has every `of`-th table, from `number` on.

        `sync_delay_ms` is how much longer than it does the disk takes for what is to be synced.
        """
        self._database = database
        self._tables = tables
        self._place = slice(number, None, of)
        self._figures = tables.file.folder / f"figures-{number}.json"
        # Hosts of one database have names of their own.
        name = f"bench-{tables.event.id}-{number}"
        url = database.address
        log = tables.file.results / "hosts" / f"{name}.log"
        more = [str(self._figures), str(sync_delay_ms)]
        self._host = HostProcess(name, tables.event.id, HostSecrets(url), log, module="bench.host", more=more)

    async def start(self) -> list[TableProgress]:
        """Starts the host and returns its tables once they are open.

        Raises:
            LaunchError: a table cannot be opened, or the host has ended.
            StoreError: the database cannot be used.
        """
        first = self._tables.file.config.tables.ports.first
        for port, table in list(enumerate(self._tables.tables, first))[self._place]:
            assign_table(self._database, table.id, self._host.name, dict.fromkeys(SEATS, port), wall_ms())
        add_host(self._database, self._tables.event.id, self._host.name, wall_ms())
        self._host.start()
        try:
            async with asyncio.timeout(OPEN_S):
                return await self._until_open()
        except TimeoutError:
            raise LaunchError(f"the host has not opened its tables within {OPEN_S:.0f} s") from None

    async def _until_open(self) -> list[TableProgress]:
        table_ids = [table.id for table in self._tables.tables[self._place]]
        while True:
            found = list(load_progress(self._database, table_ids).values())
            failed = [progress.table.reason for progress in found if progress.table.state is TableState.FAILED]
            if failed or self._host.is_over:
                raise LaunchError(failed[0] if failed else self._host.how_it_ended())
            if all(progress.table.state is TableState.OPEN for progress in found):
                return found
            await asyncio.sleep(0.05)

    def mark(self) -> None:
        """Makes the host note what it has used so far."""
        self._host.send_signal(signal.SIGUSR1)

    async def stop(self) -> HostFigures | None:
        """Stops the host; returns its notes, None when it had no time to write them."""
        await self._host.stop()
        return read_figures(self._figures) if self._figures.exists() else None


async def play_tables(
    database: Database,
    tables: Tables,
    script: Script,
    *,
    hosts: int = 1,
    thinking_ms: int = 0,
    gap_s: float = 0,
    sync_delay_ms: float = 0,
) -> Session:
    """Plays a script at all tables of one or more hosts.

    Raises:
        TourneyError: a host cannot be started, or a table behaves differently than when the script was made.
    """
    watched = [WatchedHost(database, tables, number, hosts, sync_delay_ms) for number in range(hosts)]
    try:
        opened = [progress for host in watched for progress in await host.start()]
        chairs = [
            Chair(HOST, progress.table.ports[seat], seat, (log_on(progress.table.team(seat.side), seat),))
            for progress in opened
            for seat in SEATS
        ]
        for host in watched:
            host.mark()
        started = time.perf_counter()
        players = await play_script(script, chairs, thinking_ms, gap_s)
        seconds = time.perf_counter() - started
        for host in watched:
            host.mark()
    finally:
        noted = [await host.stop() for host in watched]
    figures = [_whole(tables, each) for each in noted]
    taken = list(_turnrounds(chairs, players, {key: at for each in figures for key, at in each.relayed.items()}))
    return Session(
        seconds,
        sum(each.marks[1].cpu_s - each.marks[0].cpu_s for each in figures),
        sum(each.marks[1].peak_kb for each in figures),
        count_batches(database, tables.event.id),
        sorted(taken_ns for taken_ns, _ in taken),
        sorted(taken_ns for taken_ns, is_request in taken if is_request),
    )


def _whole(tables: Tables, figures: HostFigures | None) -> HostFigures:
    if figures is None or len(figures.marks) != 2:
        raise LaunchError(f"{tables.event.name}: a host did not report what it used")
    return figures


async def play_stateful_tables(
    database: Database, tables: Tables, *, thinking_ms: int, gap_s: float
) -> tuple[Session, int, int]:
    """Plays all tables of one host by clients of the stateful-server protocol, all at the event's one port.

    Returns the session, how many calls and cards the clients have made, and the lines in both directions.

    Raises:
        TourneyError: the host cannot be started, or a client was refused.
    """
    config = tables.file.config
    assert config.stateful is not None
    host = WatchedHost(database, tables)
    try:
        await host.start()
        teams = [table.team(seat.side) for table in tables.tables for seat in SEATS]
        host.mark()
        started = time.perf_counter()
        played = await play_stateful(HOST, config.stateful.port, teams, tables.boards, thinking_ms, gap_s)
        seconds = time.perf_counter() - started
        host.mark()
        await _until_finished(database, tables)
    finally:
        noted = await host.stop()
    figures = _whole(tables, noted)
    cpu_s = figures.marks[1].cpu_s - figures.marks[0].cpu_s
    peak_kb, batches = figures.marks[1].peak_kb, count_batches(database, tables.event.id)
    return Session(seconds, cpu_s, peak_kb, batches, sorted(played.turnround_ns)), played.said, played.lines


async def play_programs(
    database: Database, tables: Tables, hosts: int, command: Callable[[int, str, Seat], Sequence[str]]
) -> None:
    """Has all tables played by programs, one process for each seat; what they played and when is on record.

    Args:
        database: where the record is.
        tables: those of the event.
        hosts: hosts that share the tables.
        command: makes the command of a program of the port, the team and the seat.

    Raises:
        TourneyError: a host or a program cannot be started.
        LaunchError: a table was not played to its end within `PROGRAMS_S`.
    """
    watched = [WatchedHost(database, tables, number, hosts) for number in range(hosts)]
    programs: list[subprocess.Popen[bytes]] = []
    try:
        for progress in [progress for host in watched for progress in await host.start()]:
            for seat in SEATS:
                words = command(progress.table.ports[seat], progress.table.team(seat.side), seat)
                nowhere = subprocess.DEVNULL
                programs.append(subprocess.Popen(words, stdout=nowhere, stderr=nowhere))  # noqa: S603, ASYNC220 # ours
        await _until_finished(database, tables, PROGRAMS_S)
    finally:
        for program in programs:
            program.kill()
            program.wait()
        for host in watched:
            await host.stop()
    left = load_progress(database, [table.id for table in tables.tables]).values()
    if any(progress.table.state is not TableState.FINISHED for progress in left):
        raise LaunchError(f"{tables.event.name}: a table was not played to its end within {PROGRAMS_S:.0f} s")


async def _until_finished(database: Database, tables: Tables, within_s: float = OPEN_S) -> None:
    """Waits until the tables have ended: a client hears of its last trick a moment before."""
    table_ids = [table.id for table in tables.tables]
    with contextlib.suppress(TimeoutError):  # what is not finished then is counted as lost
        async with asyncio.timeout(within_s):
            while True:
                found = load_progress(database, table_ids).values()
                if all(progress.table.state in (TableState.FINISHED, TableState.FAILED) for progress in found):
                    return
                await asyncio.sleep(0.1)


def log_on(team: str, seat: Seat) -> bytes:
    """Returns the line with which a player logs on."""
    return format_connecting(team, seat, VERSION).encode("ascii") + b"\r\n"


def _turnrounds(
    chairs: Iterable[Chair], players: Iterable[Played], relayed_by_key: Mapping[str, Sequence[int]]
) -> Iterable[tuple[int, bool]]:
    for chair, player in zip(chairs, players, strict=True):
        relayed = relayed_by_key.get(connection_key(player.port, chair.port))
        if relayed is not None:
            yield from line_turnrounds(player.sent_ns, relayed)


def line_turnrounds(sent_ns: Sequence[int], relayed: Sequence[int]) -> Iterable[tuple[int, bool]]:
    """Returns, in nanoseconds, how long each line took to which the table responded, and whether it was a request.

    Args:
        sent_ns: when each line was written.
        relayed: three numbers for each response: how many lines had been received, when it was written, and whether
            the line was a request for what was on record already.
    """
    lines = dict(zip(relayed[::3], zip(relayed[1::3], relayed[2::3], strict=True), strict=True))
    return ((at_ns - sent_ns[number - 1], bool(is_request)) for number, (at_ns, is_request) in lines.items())


async def play_relay(script: Script, script_file: Path, tables: int, processes: int = 1) -> Session:
    """Plays a script at tables of the relay.

    Args:
        script: a session at one table.
        script_file: where the relay reads it, as `format_relayed` writes it.
        tables: number of tables.
        processes: number of relay processes that share the tables.

    Raises:
        LaunchError: the relay cannot be started.
    """
    relays = [RelayProcess(script_file) for _ in range(processes)]
    cpu_s = 0.0
    try:
        chairs = [
            Chair(
                HOST,
                relays[number % processes].port,
                seat,
                (f"{number} {seat.letter}\r\n".encode(), script.steps[seat][0].data),
            )
            for number in range(tables)
            for seat in SEATS
        ]
        started = time.perf_counter()
        await play_script(script, chairs)
        seconds = time.perf_counter() - started
    finally:
        cpu_s = sum([relay.stop() for relay in relays])
    return Session(seconds, cpu_s)


async def record_script(database: Database, tables: Tables) -> tuple[Script, Session]:
    """Has one table played by real players, and returns the script of it and what one table uses.

    Raises:
        TourneyError: the host cannot be started, or a player was refused.
    """
    host = WatchedHost(database, tables)
    try:
        (progress,) = await host.start()
        table = progress.table
        seats = [LoadSeat(HOST, table.ports[seat], seat, table.team(seat.side)) for seat in SEATS]
        host.mark()
        started = time.perf_counter()
        said = await play_all(seats)
        seconds = time.perf_counter() - started
        host.mark()
    finally:
        figures = await host.stop()
    before, after = _whole(tables, figures).marks
    path = tables.file.host_settings.wire_log_path(table)
    packed = packed_path(path)
    with gzip.open(packed, "rt") if packed.exists() else path.open() as log:
        script = make_script(tables.boards, dict(zip(SEATS, said, strict=True)), log)
    return script, Session(seconds, after.cpu_s - before.cpu_s, after.peak_kb)
