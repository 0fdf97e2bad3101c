"""`bench hostile`: attacks on the door of one table, and what a quiet table beside it and a restarted program notice.

One run, one table host with 1,024 open files at most. At one match sit programs that the run has started, at the
other players of this process, which measure. The attacks are on a table of the first match, one after the other; amid
each, one of its programs is killed.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Final

from sqlalchemy import text

from bench.attacks import KINDS, PHRASED, SEATED
from bench.churn import ChurnFigures, format_churn, measure_churn
from bench.figures import Machine, percentile, this_machine
from bench.quiet_tables import START_S, THINK_S, QuietPlayer, Turns, count_ends, load_opened_tables
from tourney.bridge import SEATS, Seat
from tourney.errors import LaunchError
from tourney.event.file import load_event_file
from tourney.protocol.bluechip.player import PlayerCore
from tourney.runtime.processes import RECORD_NAME, load_processes
from tourney.store.db.database import Database
from tourney.store.draw.objects import TableInfo

FILES: Final = 1024
"""The limit of open files of the run and its host, soft and hard."""

P50_RATIO_MAX: Final = 2
P99_RATIO_MAX: Final = 5
"""How much longer turns at quiet tables may take under an attack than without one."""

LOG_KB_MAX: Final = 250
"""Growth of all wire logs a second: what the quiet tables play is a hundred or so of it."""

BOARDS: Final = 64
FIRST_PORT: Final = 28_000
WARM_S: Final = 1.0
"""How long an attack goes on before it is measured."""

BACK_S: Final = 30.0
"""How long a killed program may take to be back."""

_BOT: Final = (
    f"{sys.executable} -m tourney bot --host {{host}} --port {{port}} --seat {{seat}} --style random --think-ms 40"
)


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """What one attack did. Times are milliseconds."""

    attack: str
    """Its name; empty while nobody attacks."""
    connects_per_s: int
    """Connections that it tried."""
    opened_per_s: int
    """Those that were opened, as far as the attacker can tell: by the kernel, and maybe not yet by the table."""
    p50: float
    """From a call or card of a player at the quiet tables until another player there has been told."""
    p99: float
    max: float
    p50_ratio: float
    """The median beside that of the times without an attack."""
    ratio: float
    """The same of the 99th percentile."""
    disconnected: int
    """Quiet players that have lost their connections."""
    log_kb: int
    """Growth of the wire logs."""
    back_s: float | None
    """From the kill of a program at the attacked table until another sits in its seat; None if none came."""


@dataclass(frozen=True, slots=True)
class HostileFigures:
    """The figures of a run under attack."""

    seconds: float
    """How long each attack lasted."""
    attacks: tuple[AttackFigures, ...]
    forfeits: int
    """Boards at all tables that were not played to their end."""
    boards: int
    load: tuple[float, float]
    """The machine's load, averaged over a minute, before and after."""
    machine: Machine
    churn: tuple[ChurnFigures, ...] = ()
    """What a quiet game of a lobby noticed while others made and left games there."""

    @property
    def verdicts(self) -> dict[str, bool]:
        """What is to hold, each with whether it does."""
        found = {"no board is lost": not self.forfeits}
        for each in self.attacks:
            if each.attack:
                name = each.attack.replace("_", " ")
                found[f"{name}: quiet p50 at most {P50_RATIO_MAX} times the calm one"] = (
                    each.p50_ratio <= P50_RATIO_MAX
                )
                found[f"{name}: quiet p99 at most {P99_RATIO_MAX} times the calm one"] = each.ratio <= P99_RATIO_MAX
                found[f"{name}: nobody is disconnected"] = not each.disconnected
                found[f"{name}: the logs grow by at most {LOG_KB_MAX} kB a second"] = each.log_kb <= LOG_KB_MAX * (
                    self.seconds + WARM_S
                )
                found[f"{name}: the killed program is back"] = each.back_s is not None
        return found


def measure_attacks(seconds: float) -> HostileFigures:
    """Attack a table in each way for that long.

    Raises:
        LaunchError: the run has failed.
    """
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        found = asyncio.run(_Hostile(Path(folder), seconds).measure())
        return replace(found, churn=asyncio.run(measure_churn(Path(folder) / "lobby", seconds)))


class _Hostile:
    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._seconds = seconds
        self._times_ns: list[int] = []
        self._players: list[QuietPlayer] = []

    async def measure(self) -> HostileFigures:
        before = os.getloadavg()[0]
        path = self._write_event()
        event_file = load_event_file(path)
        run = await asyncio.create_subprocess_exec(
            "sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh",
            sys.executable, "-m", "tourney", "run", str(path), "--hosts", "1",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        assert run.stdout is not None
        reading = asyncio.create_task(run.stdout.read())
        database = Database(event_file.database_url)
        try:
            tables = await load_opened_tables(database, event_file.config.event.name, 8)
            for table in tables:
                if table.team(Seat.NORTH.side).startswith("Quiet"):
                    await self._seat_all(table)
            self._loud = next(table for table in tables if table.team(Seat.NORTH.side) == SEATED[0][0])
            attacked = next(table for table in tables if table.team(Seat.NORTH.side).startswith("Program"))
            await self._seated(database, attacked)
            found = [await self._attack(kind, database, attacked) for kind in (None, *KINDS, None)]
            forfeits, boards = count_ends(database)
        except (TimeoutError, StopIteration):
            with contextlib.suppress(ProcessLookupError):
                run.kill()
            said = (await reading).decode(errors="replace")
            raise LaunchError(f"the run under attack has not begun within {START_S:g} s: {said[-2000:]}") from None
        finally:
            database.close()
            with contextlib.suppress(ProcessLookupError):
                run.send_signal(signal.SIGINT)
            await run.wait()
            await reading
        calm = [each for each in found if not each.attack]
        p50, p99 = (sum(times) / len(calm) for times in ([each.p50 for each in calm], [each.p99 for each in calm]))
        return HostileFigures(
            seconds=self._seconds,
            attacks=tuple(
                replace(each, p50_ratio=round(each.p50 / p50, 2), ratio=round(each.p99 / p99, 2)) for each in found
            ),
            forfeits=forfeits,
            boards=boards,
            load=(round(before, 1), round(os.getloadavg()[0], 1)),
            machine=this_machine(),
        )

    def _write_event(self) -> Path:
        teams = "".join(
            f'[[team]]\nname = "{name}"\nprofile = "tourney"\n'
            + (f"command = {json.dumps(_BOT)}\n" if name.startswith("Program") else "")
            + ('pass_phrase = "open sesame"\n' if name == PHRASED else "")
            for name in (
                *("Program A", "Quiet A", "Quiet C", SEATED[0][0]),
                *(SEATED[1][0], "Quiet D", "Quiet B", "Program B"),
            )
        )
        path = self._folder / "event.toml"
        path.write_text(
            f'[event]\nname = "Hostile"\nresults = "results"\n{teams}[[stage]]\nboards_per_match = {BOARDS}\n'
            f"[deals]\nseed = 7\n[tables]\ntrick_pause_ms = 0\nat_once = 4\n"
            f'ports = "{FIRST_PORT}-{FIRST_PORT + 39}"\n'
            f"[clock]\nrejoin_s = {BACK_S:g}\n",
            encoding="utf-8",
        )
        return path

    async def _seat_all(self, table: TableInfo) -> None:
        turns = Turns(self._times_ns)
        for seat in SEATS:
            player = QuietPlayer(PlayerCore(seat, table.team(seat.side)), turns)
            self._players.append(player)
            await asyncio.get_running_loop().create_connection(
                lambda player=player: player,  # type: ignore[misc]
                "127.0.0.1",
                table.ports[seat],
            )

    async def _attack(self, kind: str | None, database: Database, attacked: TableInfo) -> AttackFigures:
        """Attack a table, and kill one of its programs amid the attack."""
        attacker = None
        if kind is not None:
            port = str((self._loud if kind == "seats" else attacked).ports[Seat.NORTH])
            attacker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bench.attacks", kind, "127.0.0.1", port, stdout=subprocess.PIPE
            )
            await asyncio.sleep(WARM_S)
        began, log_bytes = perf_counter(), self._log_bytes()
        lost = sum(player.is_lost for player in self._players)
        self._times_ns.clear()
        back_s = await self._back_after_kill(database, attacked)
        await asyncio.sleep(max(0.0, self._seconds - (perf_counter() - began)))
        times_ns = sorted(self._times_ns)
        tried = {"tried": 0, "opened": 0}
        if attacker is not None:
            attacker.terminate()
            said, _ = await attacker.communicate()
            tried = json.loads(said)
        lasted = perf_counter() - began + (WARM_S if attacker is not None else 0)
        p50, p99, most = (percentile(times_ns, share) / 1_000_000 for share in (0.5, 0.99, 1.0))
        return AttackFigures(
            attack=kind or "",
            connects_per_s=round(tried["tried"] / lasted),
            opened_per_s=round(tried["opened"] / lasted),
            p50=round(p50, 2),
            p99=round(p99, 2),
            max=round(most, 2),
            p50_ratio=0.0,
            ratio=0.0,
            disconnected=sum(player.is_lost for player in self._players) - lost,
            log_kb=(self._log_bytes() - log_bytes) // 1024,
            back_s=back_s,
        )

    def _log_bytes(self) -> int:
        return sum(path.stat().st_size for path in (self._folder / "results" / "wire").rglob("*"))

    async def _seated(self, database: Database, attacked: TableInfo) -> None:
        """Wait until all programs sit at the attacked table."""
        async with asyncio.timeout(START_S):
            while True:
                if _seatings(database, attacked, "") >= len(SEATS):
                    return
                await asyncio.sleep(0.1)

    async def _back_after_kill(self, database: Database, attacked: TableInfo) -> float | None:
        """Kill North's program, and return how many seconds later another sits there."""
        name = f"{attacked.team(Seat.NORTH.side)}'s program for North"
        records = self._folder.rglob(RECORD_NAME)
        found = [each for path in records if attacked.file_name in str(path) for each in load_processes(path)]
        pid = next(each.process.pid for each in reversed(found) if each.name == name)
        before = _seatings(database, attacked, "N")
        began = perf_counter()
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        while _seatings(database, attacked, "N") == before:
            if perf_counter() - began > BACK_S:
                return None
            await asyncio.sleep(0.05)
        return round(perf_counter() - began, 2)


def _seatings(database: Database, table: TableInfo, seat: str) -> int:
    """Count the log-ons on record of a seat, or of all."""
    with database.read() as connection:
        sql = "SELECT count(*) FROM connections WHERE table_id = :table AND (seat = :seat OR :seat = '')"
        return int(connection.execute(text(sql), {"table": table.id, "seat": seat}).scalar_one())


def format_attacks(found: HostileFigures) -> str:
    """Format the figures as a page of Markdown."""
    head = (
        "| attack | connects/s | opened/s | quiet p50 | p99 | max (ms) | p50 beside calm | p99 beside calm "
        "| disconnected | logs grew (kB) | program back after (s) |"
    )
    rows = [
        f"| {each.attack.replace('_', ' ') or 'none'} | {each.connects_per_s} | {each.opened_per_s} | {each.p50} | "
        f"{each.p99} | {each.max} | {each.p50_ratio} | {each.ratio} | "
        f"{each.disconnected} | {each.log_kb} | {'never' if each.back_s is None else each.back_s} |"
        for each in found.attacks
    ]
    return "\n".join(
        [
            "# Attacks on the door of a table",
            "",
            f"`make hostile`: one table host with {FILES} open files at most. Strangers from eight addresses attack "
            "a table at",
            f"which programs sit, for {found.seconds:g} s in each way; amid each, one of the programs is killed. "
            "Turn-round is that of",
            f"players at the four tables of two other matches, who think for {THINK_S * 1000:g} ms. "
            f"{found.forfeits} boards were lost, {found.boards} were played.",
            "",
            f"{found.machine.system}, {found.machine.cores} cores, {found.machine.python}, {found.machine.loop}; "
            f"load {found.load[0]} before and {found.load[1]} after.",
            "",
            head,
            "| --- " + "| ---: " * 10 + "|",
            *rows,
            "",
            *(f"- {'holds' if holds else 'FAILED'}: {what}" for what, holds in found.verdicts.items()),
            "",
            *format_churn(found.churn),
        ]
    )
