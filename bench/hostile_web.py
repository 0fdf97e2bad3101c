"""`bench hostile-web`: attacks on the web server of an event, and what a browser and the console notice meanwhile.

One server, as `tourney serve` starts it. Strangers at one address attack it in one way after the other; from another
address a browser asks for the front page, and a director for the log-in page of the console, each over a new
connection every time.
"""

import asyncio
import json
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter, perf_counter_ns
from typing import Final

from bench.console_watcher import add_director
from bench.figures import Machine, percentile, this_machine
from bench.quiet_figures import GROWS_MB_MAX, format_attack, format_verdict, memory_kb
from bench.web_attacks import ADDRESS, KINDS
from tourney.errors import LaunchError
from tourney.event.file import load_event_file
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event

BROWSER: Final = "127.0.0.3"
"""Where browsers come from."""

WARM_S: Final = 1.0
"""How long an attack goes on before it is measured."""

APART_S: Final = 0.05
"""How long a browser waits between its requests."""

ANSWER_S: Final = 30.0
"""After so long an answer counts as none."""

ANSWER_MS_MAX: Final = 1000
"""How long an answer may take under an attack; calm ones take a few milliseconds, too short for ratios."""


@dataclass(frozen=True, slots=True)
class WebAttackFigures:
    """What one attack did. Times are milliseconds, from the connection to the whole answer."""

    attack: str
    """Its name; empty while nobody attacks."""
    connects_per_s: int
    opened_per_s: int
    page_p50: float
    page_max: float
    desk_p50: float
    desk_max: float
    failed: int
    """Requests of the browser and the director that had no answer, or another one than they should have."""
    grew_mb: float
    """The growth of the server's memory from its beginning to its end."""


@dataclass(frozen=True, slots=True)
class HostileWebFigures:
    """The figures of a web server under attack."""

    seconds: float
    attacks: tuple[WebAttackFigures, ...]
    machine: Machine

    @property
    def failures(self) -> dict[str, list[str]]:
        """What does not hold that is to hold under each attack."""
        found = {}
        for each in self.attacks:
            held = {
                "a request had no answer, or a wrong one": not each.failed,
                f"an answer took more than {ANSWER_MS_MAX} ms": max(each.page_max, each.desk_max) <= ANSWER_MS_MAX,
                f"the server grows by more than {GROWS_MB_MAX:g} MB": each.grew_mb <= GROWS_MB_MAX,
            }
            if each.attack:
                found[each.attack] = [what for what, holds in held.items() if not holds]
        return found

    @property
    def has_failed(self) -> bool:
        """Whether anything does not hold."""
        return any(self.failures.values())


def measure_web_attacks(seconds: float) -> HostileWebFigures:
    """Attack a server in each way for that long.

    Raises:
        LaunchError: the server did not start.
        StoreError: the database cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        event = _draw_event(Path(folder))
        server = subprocess.Popen(  # noqa: S603 # our own command
            [sys.executable, "-m", "tourney", "serve", str(event), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+:(\d+)/", server.stdout.readline())
            if found is None:
                raise LaunchError("the server to be attacked did not start")
            port = int(found[1])
            attacks = tuple(_attack(kind, port, server.pid, seconds) for kind in (None, *KINDS, None))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
            server.communicate()
    return HostileWebFigures(seconds, attacks, this_machine())


def _draw_event(folder: Path) -> Path:
    path = folder / "event.toml"
    path.write_text(
        '[event]\nname = "Hostile"\nresults = "results"\n[[team]]\nname = "Ants"\n[[team]]\nname = "Bees"\n'
        "[[stage]]\nboards_per_match = 16\n[deals]\nseed = 7\n",
        encoding="utf-8",
    )
    drawing = [sys.executable, "-m", "tourney", "schedule", str(path)]
    subprocess.run(drawing, check=True, capture_output=True)  # noqa: S603 # our own command
    database = Database(load_event_file(path).database_url)
    try:
        event = load_event(database, "Hostile")
        assert event is not None
        add_director(database, event.id)
    finally:
        database.close()
    return path


def _attack(kind: str | None, port: int, server: int, seconds: float) -> WebAttackFigures:
    before_kb, tried = memory_kb(server), {"tried": 0, "opened": 0}
    attacker = None
    began = perf_counter()
    if kind is not None:
        words = [sys.executable, "-m", "bench.web_attacks", kind, "127.0.0.1", str(port)]
        attacker = subprocess.Popen(words, stdout=subprocess.PIPE)  # noqa: S603 # our own command
    asyncio.run(asyncio.sleep(WARM_S))
    pages_ns, consoles_ns, failed = asyncio.run(_browse(port, seconds))
    lasted = perf_counter() - began
    if attacker is not None:
        attacker.terminate()
        said, _ = attacker.communicate()
        tried = json.loads(said)
    pages, consoles = sorted(pages_ns), sorted(consoles_ns)
    times = [percentile(each, share) / 1_000_000 for each in (pages, consoles) for share in (0.5, 1.0)]
    page_p50, page_max, desk_p50, desk_max = (round(each, 1) for each in times)
    return WebAttackFigures(
        attack=kind or "",
        connects_per_s=round(tried["tried"] / lasted),
        opened_per_s=round(tried["opened"] / lasted),
        page_p50=page_p50,
        page_max=page_max,
        desk_p50=desk_p50,
        desk_max=desk_max,
        failed=failed,
        grew_mb=round((memory_kb(server) - before_kb) / 1024, 1),
    )


async def _browse(port: int, seconds: float) -> tuple[list[int], list[int], int]:
    """Ask for pages for so long; returns what the answers took, those of the console apart, and how many failed."""
    until = perf_counter() + seconds
    taken: dict[str, list[int]] = {"/": [], "/director/login": []}
    failed = 0

    async def ask(path: str) -> None:
        nonlocal failed
        while perf_counter() < until:
            began = perf_counter_ns()
            if await asyncio.to_thread(_get, port, path) != 200:
                failed += 1
            taken[path].append(perf_counter_ns() - began)
            await asyncio.sleep(APART_S)

    await asyncio.gather(*(ask(path) for path in taken))
    return taken["/"], taken["/director/login"], failed


def _get(port: int, path: str) -> int:
    """Ask for a page; returns the status of the answer, 0 if there was none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S, source_address=(BROWSER, 0))
    try:
        connection.request("GET", path, headers={"Host": "localhost"})
        answer = connection.getresponse()
        answer.read()
    except OSError:
        return 0
    else:
        return answer.status
    finally:
        connection.close()


def format_web_attacks(found: HostileWebFigures) -> str:
    """Format the figures as a page of Markdown."""
    columns = ("attack", "connects/s", "opened/s", "page p50", "max (ms)", "console p50", "max (ms)", "failed")
    head = f"| {' | '.join((*columns, 'server grew (MB)'))} |"
    rows = [
        f"| {format_attack(each.attack)} | {each.connects_per_s} | {each.opened_per_s} | "
        f"{each.page_p50} | {each.page_max} | {each.desk_p50} | {each.desk_max} | {each.failed} | {each.grew_mb} |"
        for each in found.attacks
    ]
    return "\n".join(
        [
            "# Attacks on the web server",
            "",
            f"`make hostile`: `tourney serve` with the usual settings. Strangers at {ADDRESS} attack it for "
            f"{found.seconds:g} s in each way;",
            f"from {BROWSER} a browser asks for the front page and a director for the log-in page of the console,",
            "each over a new connection every time.",
            "",
            f"{found.machine.system}, {found.machine.cores} cores, {found.machine.python}, {found.machine.loop}.",
            "",
            head,
            "| --- " + "| ---: " * 8 + "|",
            *rows,
            "",
            *(format_verdict(attack, failures) for attack, failures in found.failures.items()),
            "",
        ]
    )
