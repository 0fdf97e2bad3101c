"""`bench hostile`: attacks on the door of one table, and what a quiet table beside it and a restarted program notice.

One run, one table host with 1,024 open files at most. At one match sit programs that the run has started, at the
other players of this process, which measure. The attacks are on a table of the first match, one after the other; amid
each, one of its programs is killed.
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from sqlalchemy import text

from bench.attacks import KINDS, PHRASED, SEATED
from bench.figures import Machine, this_machine
from bench.lobby_attacks import LobbyFigures, format_lobby, measure_lobby
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
from tourney.bridge import SEATS, Seat
from tourney.errors import LaunchError
from tourney.event.file import load_event_file
from tourney.movement.seating import TableInfo
from tourney.protocol.bluechip.player import PlayerCore
from tourney.runtime.processes import RECORD_NAME, load_processes
from tourney.store.db.database import Database

FILES: Final = 1024
"""The limit of open files of the run and its host, soft and hard."""

BOARDS: Final = 512
FIRST_PORT: Final = 28_000
STATEFUL_PORT: Final = 28_045
WARM_S: Final = 1.0
"""How long an attack goes on before it is measured."""

BACK_S: Final = 30.0
"""How long a killed program may take to be back."""

SEAT_PAGES: Final = "seat_pages"
"""Guesses at passphrases by way of the web server of the event."""

_WHERE: Final = "--host {host} --port {port} --seat {seat}"
_BOT: Final = f"{sys.executable} -m tourney bot {_WHERE} --style random --set think_ms=40"


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """What one attack did."""

    attack: str
    """Its name; empty while nobody attacks."""
    connects_per_s: int
    """Connections that it tried."""
    opened_per_s: int
    """Those that were opened, as far as the attacker can tell: by the kernel, and maybe not yet by the table."""
    quiet: QuietFigures
    log_kb: int
    """Growth of the wire logs."""
    grew_mb: float
    """Growth of the table host's memory."""
    back_s: float | None
    """From the kill of a program at the attacked table until another sits in its seat; None if none came."""

    def failures(self, seconds: float) -> list[str]:
        """What does not hold that is to hold under an attack of so many seconds."""
        held = {
            "the killed program is not back": self.back_s is not None,
            f"logs grow by more than {LOG_KB_PER_S_MAX} kB a second": self.log_kb <= LOG_KB_PER_S_MAX * seconds,
            f"the host grows by more than {GROWS_MB_MAX:g} MB": self.grew_mb <= GROWS_MB_MAX,
        }
        return self.quiet.failures + [what for what, holds in held.items() if not holds]


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
    lobby: tuple[LobbyFigures, ...] = ()
    """What quiet games of a lobby noticed."""

    @property
    def failures(self) -> dict[str, list[str]]:
        """What does not hold that is to hold under each attack."""
        found = {each.attack: each.failures(self.seconds + WARM_S) for each in self.attacks if each.attack}
        return found | {f"lobby: {each.attack}": each.failures for each in self.lobby if each.attack}

    @property
    def has_failed(self) -> bool:
        """Whether anything does not hold."""
        return self.forfeits > 0 or any(self.failures.values())


def measure_attacks(seconds: float) -> HostileFigures:
    """Attack a table in each way for that long.

    Raises:
        LaunchError: the run has failed.
    """
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        found = asyncio.run(_Hostile(Path(folder), seconds).measure())
        return replace(found, lobby=asyncio.run(measure_lobby(Path(folder) / "lobby", seconds)))


class _Hostile:
    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._seconds = seconds
        self._times_ns: list[int] = []
        self._players: list[QuietPlayer] = []
        self._turns: list[Turns] = []
        self._web_port = ""

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
            quiet = [table for table in tables if table.team(Seat.NORTH.side).startswith("Quiet")]
            self._charged = ChargedTimes(database, quiet)
            self._host = _find_host(run.pid)
            web = await self._serve_pages(path)
            try:
                kinds = (None, None, *KINDS, SEAT_PAGES, None)
                found = [await self._attack(kind, database, attacked) for kind in kinds][1:]  # the first one warms up
            finally:
                web.send_signal(signal.SIGTERM)
                await web.communicate()
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
        quiet_figures = compare_with_calm([phase for phase, _ in found])
        return HostileFigures(
            seconds=self._seconds,
            attacks=tuple(
                AttackFigures(phase.attack, quiet=figures, **rest)
                for (phase, rest), figures in zip(found, quiet_figures, strict=True)
            ),
            forfeits=forfeits,
            boards=boards,
            load=(round(before, 1), round(os.getloadavg()[0], 1)),
            machine=this_machine(),
        )

    async def _serve_pages(self, event: Path) -> asyncio.subprocess.Process:
        """Start the web server of the event."""
        web = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tourney", "serve", str(event), "--port", "0",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert web.stdout is not None
        said = (await web.stdout.readline()).decode()
        found = re.search(r"http://\S+:(\d+)/", said)
        if found is None:
            raise LaunchError(f"the web server to be attacked did not start: {said}")
        self._web_port = found[1]
        return web

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
            f"[clock]\nrejoin_s = {BACK_S:g}\n[stateful]\nport = {STATEFUL_PORT}\n",
            encoding="utf-8",
        )
        return path

    async def _seat_all(self, table: TableInfo) -> None:
        turns = Turns(self._times_ns)
        self._turns.append(turns)
        for seat in SEATS:
            player = QuietPlayer(PlayerCore(seat, table.team(seat.side)), turns)
            self._players.append(player)
            await asyncio.get_running_loop().create_connection(
                lambda player=player: player,  # type: ignore[misc]
                "127.0.0.1",
                table.ports[seat],
            )

    def _attack_command(self, kind: str, attacked: TableInfo) -> list[str]:
        if kind == SEAT_PAGES:
            return ["bench.web_attacks", "seats", "127.0.0.1", self._web_port, PHRASED]
        port = (self._loud if kind == "seats" else attacked).ports[Seat.NORTH]
        return ["bench.attacks", kind, "127.0.0.1", str(STATEFUL_PORT if kind.startswith("stateful") else port)]

    async def _attack(
        self, kind: str | None, database: Database, attacked: TableInfo
    ) -> tuple[QuietPhase, dict[str, Any]]:
        """Attack a table, and kill one of its programs amid the attack."""
        attacker = None
        if kind is not None:
            attacker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", *self._attack_command(kind, attacked), stdout=subprocess.PIPE
            )
        await asyncio.sleep(WARM_S)
        began, log_bytes, memory = perf_counter(), self._log_bytes(), memory_kb(self._host)
        lost = sum(player.is_lost for player in self._players)
        self._times_ns.clear()
        self._charged.load_longest_ms()
        for turns in self._turns:
            turns.longest_thought_ns = 0
        back_s = await self._back_after_kill(database, attacked)
        await asyncio.sleep(max(0.0, self._seconds - (perf_counter() - began)))
        lasted, times_ns = perf_counter() - began, tuple(self._times_ns)
        charged_ms = self._charged.load_longest_ms()
        thought_ms = max(turns.longest_thought_ns for turns in self._turns) // 1_000_000
        tried = {"tried": 0, "opened": 0}
        if attacker is not None:
            attacker.terminate()
            said, _ = await attacker.communicate()
            tried = json.loads(said)
        phase = QuietPhase(
            kind or "",
            times_ns,
            disconnected=sum(player.is_lost for player in self._players) - lost,
            charged_ms=max(0, charged_ms - thought_ms),
        )
        return phase, {
            "connects_per_s": round(tried["tried"] / (lasted + WARM_S)),
            "opened_per_s": round(tried["opened"] / (lasted + WARM_S)),
            "log_kb": (self._log_bytes() - log_bytes) // 1024,
            "grew_mb": round((memory_kb(self._host) - memory) / 1024, 1),
            "back_s": back_s,
        }

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


def _find_host(run: int) -> int:
    """Return the process of the table host that a run has started."""
    children = Path(f"/proc/{run}/task/{run}/children").read_text(encoding="ascii").split()
    return next(int(pid) for pid in children if b"tourney.host\0" in Path(f"/proc/{pid}/cmdline").read_bytes())


def format_attacks(found: HostileFigures) -> str:
    """Format the figures as a page of Markdown."""
    columns = ("attack", "connects/s", "opened/s", *COLUMNS, "logs grew (kB)", "host grew (MB)")
    rows = []
    for each in found.attacks:
        back = "never" if each.back_s is None else each.back_s
        cells = each.connects_per_s, each.opened_per_s, *each.quiet.cells, each.log_kb, each.grew_mb, back
        rows.append(f"| {' | '.join((format_attack(each.attack), *map(str, cells)))} |")
    return "\n".join(
        [
            "# Attacks on the ports of tables, and on a lobby",
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
            f"| {' | '.join((*columns, 'program back after (s)'))} |",
            "| --- " + "| ---: " * len(columns) + "|",
            *rows,
            "",
            *format_lobby(found.lobby),
            "## Verdicts",
            "",
            f"- boards lost: {'FAILED: ' if found.forfeits else ''}{found.forfeits}",
            *(format_verdict(attack, failures) for attack, failures in found.failures.items()),
            "",
        ]
    )
