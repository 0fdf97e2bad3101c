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
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Final

from bench.figures import Machine, percentile, this_machine
from bench.quiet_tables import START_S, THINK_S, QuietPlayer, Turns, count_ends, load_opened_tables
from bench.tunnel_attacks import KINDS
from tourney.bridge import SEATS
from tourney.coordinator.team_ports import STATE_FILE
from tourney.errors import LaunchError
from tourney.event.file import load_event_file
from tourney.protocol.bluechip.player import PlayerCore
from tourney.store.db.database import Database
from tourney.store.draw.objects import TableInfo

FILES: Final = 1024
"""The limit of open files of the run and of its process for tunnels, soft and hard."""

FILES_MAX: Final = 900
"""Descriptors that the process may use under any attack: the rest is for its database and its programs."""

GROWS_MB_MAX: Final = 100.0
"""A process that grows by more under an attack keeps what it is sent."""

SLOWER_MAX: Final = 2.0
"""How much longer half of the quiet teams' calls and cards may take than without an attack. Attackers have one of
the machine's cores, too."""

P99_SLOWER_MAX: Final = 5.0
"""The same of all but a hundredth of them."""

BOARDS: Final = 128
DOOR_PORT: Final = 28_050
FIRST_PORT: Final = 28_060
LOCAL_PORT: Final = 28_110
WARM_S: Final = 1.0
"""How long an attack goes on before it is measured."""

_ATTACKERS: Final = {kind: f"Attackers {number}" for number, kind in enumerate(KINDS, 1)}
"""A team for each attack: one that comes too often is not heard for a while."""

_QUIET: Final = ("Quiet A", "Quiet B")


@dataclass(frozen=True, slots=True)
class TunnelAttackFigures:
    """What one attack did. Times are milliseconds, from a call or card until another player has been told."""

    attack: str
    """Its name; empty while nobody attacks."""
    connects_per_s: int
    opened_per_s: int
    let_in: int
    """WebSockets that it had, one after the other."""
    turns: int
    """Calls and cards of the quiet teams."""
    p50: float
    p99: float
    max: float
    ratio: float
    """The median beside that of the times without an attack."""
    p99_ratio: float
    """The same of the 99th percentile."""
    files: int
    """Descriptors of the process for tunnels, at most."""
    grew_mb: float
    """From the beginning of the attack to the most that its memory was."""

    @property
    def has_failed(self) -> bool:
        """Whether a quiet team was kept waiting, or the process went beyond its bounds."""
        is_slow = self.ratio > SLOWER_MAX or self.p99_ratio > P99_SLOWER_MAX
        return not self.turns or self.files > FILES_MAX or self.grew_mb > GROWS_MB_MAX or is_slow


@dataclass(frozen=True, slots=True)
class HostileTunnelsFigures:
    """The figures of a server of tunnels under attack."""

    seconds: float
    attacks: tuple[TunnelAttackFigures, ...]
    forfeits: int
    """Boards that were not played to their end."""
    boards: int
    log_kb: int
    """What the process has written into its log."""
    machine: Machine

    @property
    def has_failed(self) -> bool:
        """Whether a board was lost, a quiet team was kept waiting, or the process went beyond its bounds."""
        return self.forfeits > 0 or any(each.has_failed for each in self.attacks)


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
            for table in quiet:
                await self._seat_all(table)
            async with asyncio.timeout(START_S):
                while len(self._times_ns) < 100:  # noqa: ASYNC110 # the players know nothing of us
                    await asyncio.sleep(0.1)
            pid = int(json.loads((event_file.results / STATE_FILE).read_text(encoding="utf-8"))["pid"])
            found = [await self._attack(kind, keys, pid) for kind in (None, *KINDS, None)]
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
        calm = [each for each in found if not each.attack]
        p50, p99 = (sum(times) / len(calm) for times in ([each.p50 for each in calm], [each.p99 for each in calm]))
        log = event_file.results / "hosts" / "team-ports.log"
        return HostileTunnelsFigures(
            seconds=self._seconds,
            attacks=tuple(
                replace(each, ratio=round(each.p50 / p50, 2), p99_ratio=round(each.p99 / p99, 2)) for each in found
            ),
            forfeits=forfeits,
            boards=boards,
            log_kb=log.stat().st_size // 1024,
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
            f'ports = "{FIRST_PORT}-{FIRST_PORT + 39}"\n',
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
        for seat in SEATS:
            team = table.team(seat.side)
            player = QuietPlayer(PlayerCore(seat, team), turns)
            await asyncio.get_running_loop().create_connection(
                lambda player=player: player,  # type: ignore[misc]
                "127.0.0.1",
                LOCAL_PORT + _QUIET.index(team),
            )

    async def _attack(self, kind: str | None, keys: dict[str, str], pid: int) -> TunnelAttackFigures:
        attacker, tried = None, {"tried": 0, "opened": 0, "let_in": 0}
        before_kb = _memory_kb(pid)
        if kind is not None:
            attacker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bench.tunnel_attacks", kind, "127.0.0.1", str(DOOR_PORT),
                _ATTACKERS[kind], keys[_ATTACKERS[kind]],
                stdout=subprocess.PIPE,
            )  # fmt: skip
            await asyncio.sleep(WARM_S)
        began = perf_counter()
        self._times_ns.clear()
        files, memory_kb = 0, before_kb
        while perf_counter() - began < self._seconds:
            files = max(files, _count_files(pid))
            memory_kb = max(memory_kb, _memory_kb(pid))
            await asyncio.sleep(0.1)
        lasted = perf_counter() - began + (WARM_S if attacker is not None else 0)
        times_ns = sorted(self._times_ns)
        if attacker is not None:
            attacker.terminate()
            said, _ = await attacker.communicate()
            tried = json.loads(said)
        p50, p99, most = (percentile(times_ns, share) / 1_000_000 for share in (0.5, 0.99, 1.0))
        return TunnelAttackFigures(
            attack=kind or "",
            connects_per_s=round(tried["tried"] / lasted),
            opened_per_s=round(tried["opened"] / lasted),
            let_in=tried["let_in"],
            turns=len(times_ns),
            p50=round(p50, 2),
            p99=round(p99, 2),
            max=round(most, 2),
            ratio=0.0,
            p99_ratio=0.0,
            files=files,
            grew_mb=round((memory_kb - before_kb) / 1024, 1),
        )


def _count_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def _memory_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def format_tunnel_attacks(found: HostileTunnelsFigures) -> str:
    """Format the figures as a page of Markdown."""
    columns = (
        "attack",
        "connects/s",
        "opened/s",
        "let in",
        "turns",
        "quiet p50",
        "p99",
        "max (ms)",
        "p50 beside calm",
        "p99 beside calm",
        "files",
    )
    head = f"| {' | '.join((*columns, 'grew (MB)', 'verdict'))} |"
    rows = []
    for each in found.attacks:
        opened = each.connects_per_s, each.opened_per_s, each.let_in
        values = (*opened, each.turns, each.p50, each.p99, each.max, each.ratio)
        bounds = each.p99_ratio, each.files, each.grew_mb, "FAILED" if each.has_failed else "holds"
        rows.append(f"| {each.attack.replace('_', ' ') or 'none'} | {' | '.join(map(str, (*values, *bounds)))} |")
    return "\n".join(
        [
            "# Attacks on the server's end of tunnels",
            "",
            f"`make hostile`: the process for tunnels, with {FILES} open files at most. Strangers, and from "
            "*garbage frames* on",
            f"a team with the right key, attack it for {found.seconds:g} s in each way. Turn-round is that of "
            "players of two",
            f"other teams, who play a match through `tourney connect` and think for {THINK_S * 1000:g} ms. "
            f"{found.forfeits} boards were lost, {found.boards} were played;",
            f"the log of the process has {found.log_kb} kB.",
            "",
            f"{found.machine.system}, {found.machine.cores} cores, {found.machine.python}, {found.machine.loop}.",
            "",
            head,
            "| --- " + "| ---: " * 12 + "|",
            *rows,
            "",
        ]
    )
