"""`bench hostile-tunnels`: attacks on the server's end of tunnels, and what a team that plays through one notices.

One run whose process for tunnels may have 1,024 open files at most. Two quiet teams play a match through
`tourney connect`, by players of this process, which measure. Strangers, and then a team of another match with the
right key, attack the server in one way after the other.
"""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from bench.figures import Machine, this_machine
from bench.quiet_figures import (
    COLUMNS,
    GROWS_MB_MAX,
    LOG_KB_PER_S_MAX,
    ChargedTimes,
    QuietFigures,
    QuietPhase,
    compare_with_calm,
    format_attack,
    format_verdict,
    memory_kb,
)
from bench.quiet_tables import START_S, THINK_S, QuietPlayer, Turns, count_ends, load_opened_tables
from bench.stateful_players import QuietStateful
from bench.tunnel_attacks import KINDS
from tourney.bridge import SEATS
from tourney.coordinator.team_ports import find_servers
from tourney.errors import LaunchError
from tourney.event.file import load_event_file
from tourney.movement.seating import TableInfo
from tourney.protocol.bluechip.player import PlayerCore
from tourney.store.db.database import Database

FILES: Final = 1024
"""The limit of open files of the run and of its process for tunnels, soft and hard."""

FILES_MAX: Final = 900
"""Descriptors that the process may use under any attack: the rest is for its database and its programs."""

BOARDS: Final = 512
DOOR_PORT: Final = 28_050
FIRST_PORT: Final = 28_060
LOCAL_PORT: Final = 28_110
STATEFUL_PORT: Final = 28_115
WARM_S: Final = 1.0
"""How long an attack goes on before it is measured."""

_ATTACKERS: Final = {
    kind: f"Attackers {number}" for number, kind in enumerate(KINDS, 1) if not kind.startswith("own_")
}
"""A team for each attack: one that comes too often is not heard for a while."""

_QUIET: Final = ("Quiet A", "Quiet B")

_OWN: Final = dict.fromkeys(("own_idle_streams", "own_clients"), _QUIET[0])
"""Attacks with the key of a quiet team, beside its own client."""


@dataclass(frozen=True, slots=True)
class TunnelAttackFigures:
    """What one attack did."""

    attack: str
    """Its name; empty while nobody attacks."""
    connects_per_s: int
    opened_per_s: int
    let_in: int
    """WebSockets that it had, one after the other."""
    quiet: QuietFigures
    files: int
    """Descriptors of the process for tunnels, at most."""
    grew_mb: float
    """From the beginning of the attack to the most that its memory was."""
    log_kb: int
    """Growth of the log of the process, and of the wire logs."""

    def failures(self, seconds: float) -> list[str]:
        """What does not hold that is to hold under an attack of so many seconds."""
        held = {
            f"more than {FILES_MAX} open files": self.files <= FILES_MAX,
            f"the process grows by more than {GROWS_MB_MAX:g} MB": self.grew_mb <= GROWS_MB_MAX,
            f"logs grow by more than {LOG_KB_PER_S_MAX} kB a second": self.log_kb <= LOG_KB_PER_S_MAX * seconds,
        }
        return self.quiet.failures + [what for what, holds in held.items() if not holds]


@dataclass(frozen=True, slots=True)
class HostileTunnelsFigures:
    """The figures of a server of tunnels under attack."""

    seconds: float
    attacks: tuple[TunnelAttackFigures, ...]
    forfeits: int
    """Boards that were not played to their end."""
    boards: int
    machine: Machine

    @property
    def failures(self) -> dict[str, list[str]]:
        """What does not hold that is to hold under each attack."""
        return {each.attack: each.failures(self.seconds + WARM_S) for each in self.attacks if each.attack}

    @property
    def has_failed(self) -> bool:
        """Whether a board was lost, a quiet team was kept waiting, or the process went beyond its bounds."""
        return self.forfeits > 0 or any(self.failures.values())


def measure_tunnel_attacks(seconds: float) -> HostileTunnelsFigures:
    """Attack the server's end of tunnels in each way for that long.

    Raises:
        LaunchError: the run has failed.
    """
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        return asyncio.run(_HostileTunnels(Path(folder), seconds).measure())


class _HostileTunnels:
    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._seconds = seconds
        self._times_ns: list[int] = []
        self._players: list[QuietPlayer] = []
        self._stateful: list[QuietStateful] = []
        self._turns: list[Turns] = []

    async def measure(self) -> HostileTunnelsFigures:
        path = self._write_event()
        keys = {team: self._make_key(path, team) for team in (*_QUIET, *_ATTACKERS.values())}
        run = await asyncio.create_subprocess_exec(
            "sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh",
            sys.executable, "-m", "tourney", "run", str(path), "--hosts", "1",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        assert run.stdout is not None
        reading = asyncio.create_task(run.stdout.read())
        event_file = load_event_file(path)
        database = Database(event_file.database_url)
        clients: list[asyncio.subprocess.Process] = []
        try:
            tables = await load_opened_tables(database, event_file.config.event.name)
            clients += [
                await self._connect(team, keys[team], LOCAL_PORT + number) for number, team in enumerate(_QUIET)
            ]
            quiet = [table for table in tables if table.team(SEATS[0].side) in _QUIET]
            await self._seat_all(quiet[0])
            await self._seat_stateful()
            self._charged = ChargedTimes(database, quiet)
            async with asyncio.timeout(START_S):
                while len(self._times_ns) < 100:  # noqa: ASYNC110 # the players know nothing of us
                    await asyncio.sleep(0.1)
            (pid,) = (process.pid for process in find_servers(event_file.results).values())
            kinds = (None, None, *KINDS, None)
            found = [await self._attack(kind, keys, pid) for kind in kinds][1:]  # the first one warms up
            forfeits, boards = count_ends(database)
        except (TimeoutError, StopIteration, OSError) as error:
            with contextlib.suppress(ProcessLookupError):
                run.kill()
            said = (await reading).decode(errors="replace")
            raise LaunchError(f"the run with tunnels under attack failed: {error!r} {said[-2000:]}") from None
        finally:
            database.close()
            for process in (*clients, run):
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGINT)
                await process.wait()
            await reading
        quiet_figures = compare_with_calm([phase for phase, _ in found])
        return HostileTunnelsFigures(
            seconds=self._seconds,
            attacks=tuple(
                TunnelAttackFigures(phase.attack, quiet=figures, **rest)
                for (phase, rest), figures in zip(found, quiet_figures, strict=True)
            ),
            forfeits=forfeits,
            boards=boards,
            machine=this_machine(),
        )

    def _write_event(self) -> Path:
        first, *others = (*_ATTACKERS.values(), *(["Nobody"] if len(_ATTACKERS) % 2 else []))  # the quiet ones meet
        names = (first, _QUIET[0], *others[:-1], _QUIET[1], others[-1])
        teams = "".join(f'[[team]]\nname = "{name}"\nprofile = "tourney"\n' for name in names)
        path = self._folder / "event.toml"
        path.write_text(
            f'[event]\nname = "Hostile"\nresults = "results"\n{teams}[[stage]]\nboards_per_match = {BOARDS}\n'
            f"[deals]\nseed = 7\n[tables]\ntrick_pause_ms = 0\nat_once = 2\nconnect_port = {DOOR_PORT}\n"
            f'ports = "{FIRST_PORT}-{FIRST_PORT + 39}"\n[stateful]\nport = {STATEFUL_PORT}\n',
            encoding="utf-8",
        )
        drawing = [sys.executable, "-m", "tourney", "schedule", str(path)]
        subprocess.run(drawing, check=True, capture_output=True)  # noqa: S603 # our own command
        return path

    def _make_key(self, event: Path, team: str) -> str:
        making = [sys.executable, "-m", "tourney", "team-key", str(event), team]
        made = subprocess.run(making, check=True, capture_output=True, text=True)  # noqa: S603 # our own command
        return made.stdout.strip()

    async def _connect(self, team: str, key: str, port: int) -> asyncio.subprocess.Process:
        """Start the client of a team, and wait until its local port is open."""
        key_file = self._folder / f"{team}.key"
        key_file.touch(mode=0o600)
        key_file.write_text(key, encoding="ascii")
        url = f"http://127.0.0.1:{DOOR_PORT}/"
        client = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tourney", "connect", url,
            "--team", team, "--key-file", str(key_file), "--port", str(port),
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        async with asyncio.timeout(START_S):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.1)
                else:
                    writer.close()
                    return client

    async def _seat_all(self, table: TableInfo) -> None:
        turns = Turns(self._times_ns)
        self._turns.append(turns)
        for seat in SEATS:
            team = table.team(seat.side)
            player = QuietPlayer(PlayerCore(seat, team), turns)
            self._players.append(player)
            await asyncio.get_running_loop().create_connection(
                lambda player=player: player,  # type: ignore[misc]
                "127.0.0.1",
                LOCAL_PORT + _QUIET.index(team),
            )

    async def _seat_stateful(self) -> None:
        """Seat players of the other protocol at the seats that are left, through the same tunnels."""
        for number in (0, 0, 1, 1):
            player = QuietStateful(_QUIET[number], self._times_ns)
            self._stateful.append(player)
            await asyncio.get_running_loop().create_connection(
                lambda player=player: player,  # type: ignore[misc]
                "127.0.0.1",
                LOCAL_PORT + number,
            )

    @property
    def _lost(self) -> int:
        return sum(player.is_lost for player in self._players) + sum(player.over.done() for player in self._stateful)

    @property
    def _log_bytes(self) -> int:
        results = self._folder / "results"
        logs = [results / "hosts" / "team-ports.log", *(results / "wire").rglob("*")]
        return sum(path.stat().st_size for path in logs if path.exists())

    async def _attack(self, kind: str | None, keys: dict[str, str], pid: int) -> tuple[QuietPhase, dict[str, Any]]:
        attacker, tried = None, {"tried": 0, "opened": 0, "let_in": 0}
        before_kb, log_bytes = memory_kb(pid), self._log_bytes
        if kind is not None:
            team = _OWN.get(kind) or _ATTACKERS[kind]
            attacker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bench.tunnel_attacks", kind, "127.0.0.1", str(DOOR_PORT), team, keys[team],
                stdout=subprocess.PIPE,
            )  # fmt: skip
        await asyncio.sleep(WARM_S)
        began, lost = perf_counter(), self._lost
        self._times_ns.clear()
        self._charged.load_longest_ms()
        for turns in self._turns:
            turns.longest_thought_ns = 0
        for player in self._stateful:
            player.longest_thought_ns = 0
        files, most_kb = 0, before_kb
        while perf_counter() - began < self._seconds:
            files = max(files, _count_files(pid))
            most_kb = max(most_kb, memory_kb(pid))
            await asyncio.sleep(0.1)
        lasted, times_ns = perf_counter() - began + WARM_S, tuple(self._times_ns)
        thoughts_ns = [turns.longest_thought_ns for turns in self._turns]
        thought_ns = max(*thoughts_ns, *(player.longest_thought_ns for player in self._stateful))
        charged_ms = self._charged.load_longest_ms() - thought_ns // 1_000_000
        if attacker is not None:
            attacker.terminate()
            said, _ = await attacker.communicate()
            tried = json.loads(said)
        phase = QuietPhase(kind or "", times_ns, disconnected=self._lost - lost, charged_ms=max(0, charged_ms))
        return phase, {
            "connects_per_s": round(tried["tried"] / lasted),
            "opened_per_s": round(tried["opened"] / lasted),
            "let_in": tried["let_in"],
            "files": files,
            "grew_mb": round((most_kb - before_kb) / 1024, 1),
            "log_kb": (self._log_bytes - log_bytes) // 1024,
        }


def _count_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def format_tunnel_attacks(found: HostileTunnelsFigures) -> str:
    """Format the figures as a page of Markdown."""
    columns = ("attack", "connects/s", "opened/s", "let in", *COLUMNS, "files", "grew (MB)")
    rows = []
    for each in found.attacks:
        opened = each.connects_per_s, each.opened_per_s, each.let_in
        cells = *opened, *each.quiet.cells, each.files, each.grew_mb, each.log_kb
        rows.append(f"| {' | '.join((format_attack(each.attack), *map(str, cells)))} |")
    return "\n".join(
        [
            "# Attacks on the server's end of tunnels",
            "",
            f"`make hostile`: the process for tunnels, with {FILES} open files at most. Strangers, and from "
            "*garbage frames* on",
            f"a team with the right key, attack it for {found.seconds:g} s in each way; at last with the key of a "
            "quiet team. Turn-round is",
            f"that of players of two other teams, who play two tables through `tourney connect`, one in each "
            f"protocol, and think for {THINK_S * 1000:g} ms.",
            f"{found.forfeits} boards were lost, {found.boards} were played.",
            "",
            f"{found.machine.system}, {found.machine.cores} cores, {found.machine.python}, {found.machine.loop}.",
            "",
            f"| {' | '.join((*columns, 'logs grew (kB)'))} |",
            "| --- " + "| ---: " * len(columns) + "|",
            *rows,
            "",
            f"- boards lost: {'FAILED: ' if found.forfeits else ''}{found.forfeits}",
            *(format_verdict(attack, failures) for attack, failures in found.failures.items()),
            "",
        ]
    )
