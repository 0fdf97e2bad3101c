"""`bench seats`: people who play in their browsers, and how soon each sees its own card and those of the others.

A lobby and its web server are processes as a user starts them. The people are in this one: each has a connection for
its requests and one for its stream, fetches its page when the stream says so, thinks, and presses a button. Others
watch the lobby's front page meanwhile.
"""

import asyncio
import html
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random  # noqa: TID251 # nothing is dealt with it
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlencode

from bench.figures import Machine, percentile, this_machine
from bench.serving import processor_time_s
from tourney.errors import LaunchError
from tourney.runtime.address import find_free_port

THINKING_S: Final = (0.5, 2.5)
"""How long a person thinks, at least and at most: less than most do."""

SEATS_A_TABLE: Final = 2
"""The other seats have bots."""

SEATS_OF_ADDRESS: Final = 8
"""As many as an address may have; the next people come from the next address of the loopback network."""

_LOBBY: Final = """\
[event]
name = "Lobby"
results = "results"

[lobby]
games = 1000
"""

_HIDDEN: Final = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_LEGAL: Final = re.compile(r'<button class="(?:call|face)[^"]*" name="(call|card)" value="([^"]+)"(?![^>]*disabled)')
_JOIN: Final = re.compile(r'name="command" value="join (g\d+)"')
_GAME: Final = re.compile(r", \w+ in (g\d+)")


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """What people at tables in their browsers have to wait for, in milliseconds."""

    seats: int
    watchers: int
    seconds: float
    """How long was measured."""
    moves: int
    """Calls and cards of people."""
    echo_p50_ms: float
    """From pressing a button until the own page shows the call or card."""
    echo_p95_ms: float
    others_p50_ms: float
    """From pressing a button until the page of the other person at the table shows it."""
    others_p95_ms: float
    server_cpu_share: float
    """The processor time of the web server divided by the time."""
    machine: Machine


@dataclass(slots=True)
class _Measured:
    echo_ns: list[int] = field(default_factory=list)
    others_ns: list[int] = field(default_factory=list)
    pressed_ns: dict[tuple[str, str], int] = field(default_factory=dict)
    """When a button was pressed, by game and position."""


class _Person:
    """A person with a browser."""

    def __init__(self, number: int, port: int, measured: _Measured) -> None:
        self._number = number
        self._port = port
        self._measured = measured
        self._cookie = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._choice = Random(number)  # noqa: S311 # no secret
        self.page = ""
        self.game = ""
        self.position = ""

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        address = f"127.0.0.{2 + self._number // SEATS_OF_ADDRESS}"
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))

    async def _ask(self, words: str, form: dict[str, str] | None = None) -> str:
        """Send a request, and return the body of its answer."""
        if self._streams is None:
            self._streams = await self._connect()
        reader, writer = self._streams
        host = f"127.0.0.1:{self._port}"
        body = urlencode(form).encode() if form is not None else b""
        head = f"{words} HTTP/1.1\r\nHost: {host}\r\nCookie: {self._cookie}\r\n"
        if form is not None:
            head += f"Origin: http://{host}\r\nSec-Fetch-Dest: empty\r\nContent-Length: {len(body)}\r\n"
            head += "Content-Type: application/x-www-form-urlencoded\r\n"
        writer.write(f"{head}\r\n".encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if (cookie := re.search(r"set-cookie: (tourney-seat=\w+)", answer)) is not None:
            self._cookie = cookie[1]
        length = re.search(r"content-length: (\d+)", answer)
        return (await reader.readexactly(int(length[1]) if length is not None else 0)).decode()

    async def read(self) -> None:
        """Fetch the page, and note what it shows that it did not."""
        self.page = await self._ask("GET /seat/table")
        fields = dict(_HIDDEN.findall(self.page))
        before, self.position = self.position, fields.get("at", "")
        if before != self.position and (pressed := self._measured.pressed_ns.get((self.game, before))) is not None:
            passed = time.perf_counter_ns() - pressed
            (self._measured.echo_ns if self._own == before else self._measured.others_ns).append(passed)

    _own = ""
    """The position at which it has last pressed a button itself."""

    async def press(self, name: str, value: str) -> None:
        fields = {key: html.unescape(text) for key, text in _HIDDEN.findall(self.page)}
        if name != "command":
            self._own = self.position
            self._measured.pressed_ns[self.game, self.position] = time.perf_counter_ns()
        await self._ask("POST /seat/do", fields | {name: value})

    async def sit(self, game: str | None) -> None:
        """Sit down: in a game, or in a new one."""
        form = {"name": f"Ann {self._number}", "phrase": ""}
        await self._ask("POST /seat/enter", form if game is None else form | {"game": game})
        await self.read()
        if game is None:
            await self.press("command", "new duplicate")
        while (found := _GAME.search(self.page)) is None:
            await self.read()
        self.game = found[1]

    async def play(self) -> None:
        """Play until it is cancelled."""
        reader, writer = await self._connect()
        host = f"127.0.0.1:{self._port}"
        writer.write(f"GET /seat/events HTTP/1.1\r\nHost: {host}\r\nCookie: {self._cookie}\r\n\r\n".encode())
        thinking: asyncio.Task[None] | None = None
        try:
            while line := await reader.readline():
                if line.startswith((b"event: hello", b"event: topic")):
                    await self.read()
                    legal = _LEGAL.findall(self.page)
                    if 'value="ready"' in self.page:  # the next board waits for it
                        legal = [("command", "ready")]
                    if legal and (thinking is None or thinking.done()):
                        thinking = asyncio.create_task(self._think(legal))
        finally:
            if thinking is not None:
                thinking.cancel()
            writer.close()

    async def _think(self, legal: list[tuple[str, str]]) -> None:
        await asyncio.sleep(self._choice.uniform(*THINKING_S))
        passing = ("call", "Pass")
        await self.press(*(passing if passing in legal else self._choice.choice(legal)))


def measure_seats(seats: int, watchers: int, seconds: float) -> SeatFigures:
    """Measure people who play in their browsers.

    Args:
        seats: how many people play, two at a table.
        watchers: how many browsers watch the front page.
        seconds: how long is measured.

    Raises:
        LaunchError: the lobby cannot be opened.
    """
    with TemporaryDirectory(prefix="tourney-bench-") as folder, ExitStack() as stack:
        players, web = str(find_free_port()), find_free_port()
        event = Path(folder) / "lobby.toml"
        event.write_text(_LOBBY, encoding="utf-8")
        lobby = ("lobby", folder, "--port", players, "--bots", "2")
        stack.enter_context(_started("is open", *lobby))
        serving = ("serve", str(event), "--port", str(web), "--seats", players)
        server = stack.enter_context(_started("people sit down", *serving))
        if watchers:
            stack.enter_context(_watching(web, watchers))
        measured, share = asyncio.run(_measure(web, server.pid, seats, seconds))
    echo, others = sorted(measured.echo_ns), sorted(measured.others_ns)
    return SeatFigures(
        seats=seats,
        watchers=watchers,
        seconds=seconds,
        moves=len(echo),
        echo_p50_ms=round(percentile(echo, 0.5) / 1e6, 1),
        echo_p95_ms=round(percentile(echo, 0.95) / 1e6, 1),
        others_p50_ms=round(percentile(others, 0.5) / 1e6, 1),
        others_p95_ms=round(percentile(others, 0.95) / 1e6, 1),
        server_cpu_share=round(share, 3),
        machine=this_machine(),
    )


async def _measure(port: int, server: int, seats: int, seconds: float) -> tuple[_Measured, float]:
    """Let people play for so long; return what was measured, and the share of a core that the server had."""
    measured = _Measured()
    people = [_Person(number, port, measured) for number in range(seats)]
    for first in range(0, seats, SEATS_A_TABLE):
        game = None
        for person in people[first : first + SEATS_A_TABLE]:
            await person.sit(game)
            game = person.game
    playing = [asyncio.create_task(person.play()) for person in people]
    began, cpu_s = time.perf_counter(), processor_time_s(server)
    await asyncio.sleep(seconds)
    share = (processor_time_s(server) - cpu_s) / (time.perf_counter() - began)
    for task in playing:
        task.cancel()
    for task in playing:
        with suppress(asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError):
            await task
    return measured, share


@contextmanager
def _started(ready: str, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a command of tourney that says when it is ready."""
    process = subprocess.Popen(  # noqa: S603 # our own command
        [sys.executable, "-m", "tourney", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    said = ""
    try:
        while ready not in said:
            line = process.stdout.readline()
            if not line:
                raise LaunchError(said.strip() or f"tourney {words[0]} has ended")
            said += line
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


@contextmanager
def _watching(port: int, watchers: int) -> Iterator[None]:
    """Have browsers watch the front page."""
    words = [sys.executable, "-m", "bench.watchers", "127.0.0.1", str(port), str(watchers), "1"]
    process = subprocess.Popen(  # noqa: S603 # our own command
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        if process.stdout.readline() != "ready\n":
            raise LaunchError("the watchers have ended")
        yield
    finally:
        process.communicate()
