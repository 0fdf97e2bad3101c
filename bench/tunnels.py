"""`bench tunnel`: what the tunnel of `tourney connect` costs, and what a quiet table notices of a malicious client.

One run. The players of one match sit at the ports of their tables, those of the other come through tunnels over the
loopback interface, without a web server. A client of a team of a third match then does what it can.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.figures import Machine, percentile, this_machine
from bench.hostile import FIRST_PORT
from bench.quiet_tables import QuietPlayer, Turns, load_opened_tables
from tourney.bridge import SEATS
from tourney.errors import LaunchError
from tourney.event.file import load_event_file
from tourney.movement.seating import TableInfo
from tourney.protocol.bluechip.player import PlayerCore
from tourney.store.db.database import Database

PHASES: Final = ("", "flood", "", "opens", "", "slow_reader", "")
"""Attacks, each between two phases without one, which it is compared with."""

DOOR_PORT: Final = FIRST_PORT + 40
LOCAL_PORT: Final = FIRST_PORT + 41
"""The first of the ports of clients, one for each remote team."""

REMOTE: Final = ("Far A", "Far B")
ATTACKER: Final = "Bad"

_TEAMS: Final = (REMOTE[0], "Quiet A", ATTACKER, "Worse", "Quiet B", REMOTE[1])
"""The first plays the last, and so on inwards."""

_BOARDS: Final = 400
"""More than are played in all phases."""

_TABLES: Final = 6
_WARM_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """Milliseconds from a call or card of a player until another player of the table has been told."""

    p50: float
    p95: float
    p99: float
    count: int


@dataclass(frozen=True, slots=True)
class TunnelPhase:
    """What players noticed in one phase."""

    attack: str
    """Its name; empty while nobody attacks."""
    opened: int
    """Streams that the attacker opened."""
    sent_kb: int
    """What it sent in the tunnel, in thousands of bytes."""
    quiet: TurnTimes
    """At the tables without tunnels."""
    remote: TurnTimes
    """At the tables whose players come through tunnels; every call goes through one, up and down."""


@dataclass(frozen=True, slots=True)
class TunnelFigures:
    """The figures of one run."""

    seconds: float
    """How long each phase lasted."""
    phases: tuple[TunnelPhase, ...]
    load: tuple[float, float]
    """The machine's load, averaged over a minute, before and after."""
    machine: Machine


def measure_tunnel(seconds: float) -> TunnelFigures:
    """Measure each phase for that long.

    Raises:
        LaunchError: the run or a client has failed.
    """
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        return asyncio.run(_Remote(Path(folder), seconds).measure())


class _Remote:
    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._seconds = seconds
        self._quiet_ns: list[int] = []
        self._remote_ns: list[int] = []
        self._keys: dict[str, str] = {}

    async def measure(self) -> TunnelFigures:
        before = os.getloadavg()[0]
        path = self._write_event()
        await _tourney("schedule", str(path))
        event_file = load_event_file(path)
        for team in (*REMOTE, ATTACKER):
            self._keys[team] = (await _tourney("team-key", str(path), team)).strip()
        database = Database(event_file.database_url)
        started = [await self._start("run", str(path), "--hosts", "1")]
        try:
            tables = await load_opened_tables(database, event_file.config.event.name, _TABLES)
            for team in REMOTE:
                started.append(await self._connect(team))  # noqa: PERF401 # those that have begun are ended
            for table in tables:
                if ATTACKER not in (table.team(seat.side) for seat in SEATS):
                    await self._seat_all(table)
            phases = [await self._measure_phase(kind) for kind in PHASES]
        except (TimeoutError, OSError) as error:
            raise LaunchError(f"the event with tunnels has not begun: {error}") from None
        finally:
            database.close()
            for process in reversed(started):
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGINT)
                await process.wait()
        return TunnelFigures(
            self._seconds, tuple(phases), (round(before, 1), round(os.getloadavg()[0], 1)), this_machine()
        )

    def _write_event(self) -> Path:
        teams = "".join(f'[[team]]\nname = "{name}"\nprofile = "tourney"\n' for name in _TEAMS)
        path = self._folder / "event.toml"
        path.write_text(
            f'[event]\nname = "Tunnels"\nresults = "results"\n{teams}[[stage]]\nboards_per_match = {_BOARDS}\n'
            f"[deals]\nseed = 7\n[tables]\ntrick_pause_ms = 0\nat_once = 3\nconnect_port = {DOOR_PORT}\n"
            f'ports = "{FIRST_PORT}-{FIRST_PORT + 39}"\n',
            encoding="utf-8",
        )
        return path

    async def _start(self, *words: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tourney", *words), stdout=subprocess.DEVNULL, start_new_session=True
        )

    async def _connect(self, team: str) -> asyncio.subprocess.Process:
        """Start a team's client, and wait until its port is open."""
        key_file = self._folder / f"{team}.key"
        key_file.write_text(self._keys[team], encoding="ascii")
        key_file.chmod(0o600)
        port = _local_port(team)
        words = ["connect", f"http://127.0.0.1:{DOOR_PORT}/", "--team", team, "--key-file", str(key_file)]
        client = await self._start(*words, "--port", str(port))
        async with asyncio.timeout(20):
            while True:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    return client
                await asyncio.sleep(0.1)

    async def _seat_all(self, table: TableInfo) -> None:
        is_remote = table.team(SEATS[0].side) in REMOTE
        turns = Turns(self._remote_ns if is_remote else self._quiet_ns)
        for seat in SEATS:
            team = table.team(seat.side)
            player = QuietPlayer(PlayerCore(seat, team), turns)
            await asyncio.get_running_loop().create_connection(
                lambda player=player: player,  # type: ignore[misc]
                "127.0.0.1",
                _local_port(team) if is_remote else table.ports[seat],
            )

    async def _measure_phase(self, kind: str) -> TunnelPhase:
        attacker = None
        if kind:
            words = [kind, f"ws://127.0.0.1:{DOOR_PORT}/connect", self._keys[ATTACKER], ATTACKER]
            attacker = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bench.tunnel_misuse", *words), stdout=subprocess.PIPE
            )
        await asyncio.sleep(_WARM_S)
        self._quiet_ns.clear()
        self._remote_ns.clear()
        await asyncio.sleep(self._seconds)
        quiet, remote = _times(self._quiet_ns), _times(self._remote_ns)
        did = {"opened": 0, "sent_bytes": 0}
        if attacker is not None:
            attacker.terminate()
            said, _ = await attacker.communicate()
            did = json.loads(said)
        return TunnelPhase(kind, did["opened"], round(did["sent_bytes"] / 1000), quiet, remote)


def _local_port(team: str) -> int:
    return LOCAL_PORT + REMOTE.index(team)


def _times(times_ns: Sequence[int]) -> TurnTimes:
    ordered = sorted(times_ns)
    p50, p95, p99 = (round(percentile(ordered, share) / 1_000_000, 2) for share in (0.5, 0.95, 0.99))
    return TurnTimes(p50, p95, p99, len(ordered))


async def _tourney(*words: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tourney", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, errors = await process.communicate()
    if process.returncode:
        raise LaunchError(f"tourney {words[0]}: {errors.decode(errors='replace')}")
    return out.decode()


def format_tunnel(found: TunnelFigures) -> str:
    """Format the figures as a page of Markdown."""
    calm = [each for each in found.phases if not each.attack]
    ratios = []
    for before, amid, after in zip(found.phases, found.phases[1:], found.phases[2:], strict=False):
        p50 = 2 * amid.quiet.p50 / (before.quiet.p50 + after.quiet.p50)
        p95 = 2 * amid.quiet.p95 / (before.quiet.p95 + after.quiet.p95)
        ratios.append(f"{p50:.2f} | {p95:.2f}" if amid.attack else " | ")
    rows = [
        f"| {each.attack.replace('_', ' ') or 'none'} | {each.opened} | {each.sent_kb} | {each.quiet.p50} | "
        f"{each.quiet.p95} | {ratio} | {each.remote.p50} | {each.remote.p95} | {each.remote.p99} |"
        for each, ratio in zip(found.phases, [" | ", *ratios, " | "], strict=True)
    ]
    added_p50 = median(each.remote.p50 - each.quiet.p50 for each in calm)
    added_p99 = median(each.remote.p99 - each.quiet.p99 for each in calm)
    return "\n".join(
        [
            "# The tunnel of remote teams",
            "",
            f"`python -m bench tunnel`: one run and one table host, {found.seconds:g} s a phase. Times are from a "
            "call or card",
            "of a player until another player of the table has been told, in milliseconds: at quiet tables without a "
            "tunnel,",
            "and at tables whose players come through `tourney connect` over the loopback interface.",
            "A client with the key of a third team floods its streams, opens streams and gives them up, or reads "
            "nothing.",
            f"What the tunnel adds there and back while nobody attacks: {added_p50:.2f} ms at the median, "
            f"{added_p99:.2f} ms at the 99th percentile.",
            "",
            f"{found.machine.system}, {found.machine.cores} cores, {found.machine.python}, {found.machine.loop}; "
            f"load {found.load[0]} before and {found.load[1]} after.",
            "",
            "| attack | streams | kB sent | quiet p50 | p95 | p50 beside calm | p95 beside calm "
            "| remote p50 | p95 | p99 |",
            "| --- " + "| ---: " * 9 + "|",
            *rows,
            "",
        ]
    )
