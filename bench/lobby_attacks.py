"""Attacks on a lobby, and what quiet games of it and somebody who comes from elsewhere notice.

`python -m bench.lobby_attacks KIND HOST PORT DATABASE` is an attack, a process of its own until a SIGTERM; it prints
how many connections or games it has tried, as JSON.
"""

import asyncio
import contextlib
import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, perf_counter_ns
from typing import Any, Final

from sqlalchemy import text

from bench.attacks import ADDRESSES, Attack, attack_until_told, page_requests
from bench.quiet_figures import (
    COLUMNS,
    GROWS_MB_MAX,
    QuietFigures,
    QuietPhase,
    compare_with_calm,
    format_attack,
    memory_kb,
)
from tourney.errors import LaunchError
from tourney.store.db.database import Database

_LOBBY: Final = """\
[event]
name = "{name}"
results = "results"
{where}
[lobby]
starts_per_name = 30

[tables]
trick_pause_ms = 0
"""

CONNECTIONS: Final = 8
"""Connections that make and leave games, one from each address of the attacks."""

PAUSE_S: Final = 0.02
"""Between two games of one connection."""

THINK_S: Final = 0.02
"""What a quiet player thinks: with less it would have played all the games that it may make in a minute, 30 here."""

NEWCOMER_S_MAX: Final = 8.0
"""How long somebody may wait who comes to a lobby under attack: longer than its database is locked at once."""

HELD_S: Final = 3.0
"""How long the lock of the database is held at once."""

PING_COLUMNS: Final = ("pings", "their p50 beside calm", "p99 beside calm")

CLAIMED: Final = "Claimed"
"""A name with a passphrase, which others guess."""

WARM_S: Final = 1.0
OPEN_S: Final = 60.0
PORT: Final = 28_900
QUIET: Final = tuple(f"127.0.0.{last}" for last in range(11, 17))
"""The addresses of the quiet players, from which nobody attacks."""

PINGING: Final = tuple(f"127.0.0.{last}" for last in range(31, 39))
"""Where those come from who ping."""

PINGS_PER_S: Final = 20
"""How often each of them does."""

NEWCOMER: Final = "127.0.0.21"
"""Where somebody else comes from, again and again."""

PARTNERS: Final = {"N": "S", "E": "W", "S": "N", "W": "E"}


@dataclass(frozen=True, slots=True)
class LobbyFigures:
    """What quiet games noticed within a phase."""

    attack: str
    asked_per_s: int
    """Connections, or games, that the attack asked for."""
    quiet: QuietFigures
    """How long turns took; while the database is locked, games wait for their record, as they are to."""
    pings: QuietFigures
    """How long pings of others took, each from its own address; those who are seated are answered first."""
    newcomers: int
    """People from elsewhere who have got a name and a game meanwhile."""
    newcomer_s: float
    """The longest that one of them has waited."""
    on_record: int
    """Games on record at the end, those of the quiet players included."""
    grew_mb: float
    """Growth of the lobby's memory."""

    @property
    def failures(self) -> list[str]:
        """What does not hold that is to hold under an attack."""
        held = {
            f"somebody who came waited more than {NEWCOMER_S_MAX:g} s": self.newcomer_s <= NEWCOMER_S_MAX,
            "nobody who came got a game": self.newcomers > 0,
            f"the lobby grows by more than {GROWS_MB_MAX:g} MB": self.grew_mb <= GROWS_MB_MAX,
        }
        judged = self.pings.failures if self.attack == locked.__name__ else self.quiet.failures_of(turns_min=50)
        return judged + [what for what, holds in held.items() if not holds]


class _QuietPlayer:
    """Plays one game after the other with three bots: passes, and follows suit."""

    def __init__(
        self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, times_ns: list[int]
    ) -> None:
        self._name = name
        self._reader, self._writer = reader, writer
        self._times_ns = times_ns
        self.is_lost = False
        """Whether its connection has ended."""

    def send_line(self, *lines: str) -> None:
        self._writer.writelines([f"{line}\r\n".encode() for line in lines])

    async def play(self) -> None:
        """Play until cancelled."""
        self.send_line("X-HELLO LEFT", f"HELLO {self._name}", "JOIN-M rubber")
        me, side, said_at_ns = "", "", 0
        hand: list[str] = []
        dummy: list[str] = []
        while line := (await self._reader.readline()).decode():
            name, *words = line.split()
            if name in ("AUCOPEN", "TRICK") and said_at_ns:
                self._times_ns.append(perf_counter_ns() - said_at_ns)
                said_at_ns = 0
            answer = ""
            if name == "JOINED" and len(words) == 2:
                me, side, dummy = words[1], "", []
            elif name == "HAND":
                hand = _items(words[0])
            elif name == "DUMMY":
                dummy = _items(words[0])
            elif name == "AUCCLOSE":
                side = words[3]
            elif name == "X-LEFT" and len(words) == 2:
                self.send_line("JOIN-M rubber")
            elif name == "AUCOPEN" and words[0] == me:
                answer = "BID PASS"
            elif name == "TRICK":
                answer = _choose(words, me, side, hand, dummy)
            if answer:
                await asyncio.sleep(THINK_S)
                said_at_ns = perf_counter_ns()
                self.send_line(answer)
        self.is_lost = True


def _items(word: str) -> list[str]:
    return [] if word == "-" else word.split(",")


def _choose(words: list[str], me: str, side: str, hand: list[str], dummy: list[str]) -> str:
    """Return what the player plays, if a hand that it plays is named."""
    turn, trick = words[0], _items(words[1])
    is_dummy = sorted(hand) == sorted(dummy)
    if turn == me and not is_dummy:
        held = hand
    elif turn == PARTNERS.get(me) and me in side and dummy and not is_dummy:
        held = dummy
    else:
        return ""
    follows = [card for card in held if trick and card[-1] == trick[0][-1]]
    return f"PLAY {(follows or held)[0]}"


def _write_file(folder: Path, record: Path | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    where = f'database = "sqlite:///{record}"\n' if record is not None else ""
    text = _LOBBY.format(name=folder.name.capitalize(), where=where)
    (folder / "lobby.toml").write_text(text, encoding="utf-8")


@contextlib.asynccontextmanager
async def open_lobby(
    folder: Path, port: int = PORT, record: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Keep a lobby open; its record is in its own folder unless one is named.

    Raises:
        LaunchError: it has not opened.
    """
    _write_file(folder, record)
    lobby = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tourney", "lobby", str(folder), "--port", str(port), "--bots", "3",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    assert lobby.stdout is not None
    said, reading = b"", None
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(OPEN_S):
                while line := await lobby.stdout.readline():
                    said += line
                    if b"is open on" in line:
                        break
        if b"is open on" not in said:
            raise LaunchError(f"the lobby has not opened within {OPEN_S:g} s: {said.decode(errors='replace')}")
        reading = asyncio.create_task(lobby.stdout.read())
        yield lobby
    finally:
        with contextlib.suppress(ProcessLookupError):
            lobby.send_signal(signal.SIGINT)
        await lobby.wait()
        if reading is not None:
            await reading


async def measure_lobby(folder: Path, seconds: float) -> tuple[LobbyFigures, ...]:
    """Attack a lobby in each way for that long, and measure quiet games of it before, meanwhile and afterwards.

    Raises:
        LaunchError: the lobby has failed.
    """
    players: list[_QuietPlayer] = []
    times_ns: list[int] = []
    pings_ns: list[int] = []
    playing: list[asyncio.Task[None]] = []
    async with open_lobby(folder) as lobby:
        claiming = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(NEWCOMER, 0))
        claiming[1].write(f"HELLO {CLAIMED}#sesame\r\n".encode())
        for number, address in enumerate(QUIET, 1):
            ends = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(address, 0))
            players.append(_QuietPlayer(f"Quiet{number}", *ends, times_ns))
            playing.append(asyncio.create_task(players[-1].play()))
        for number, address in enumerate(PINGING, 1):
            ends = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(address, 0))
            playing.append(asyncio.create_task(_ping(number, *ends, pings_ns)))
        try:
            await asyncio.sleep(WARM_S)
            kinds = (None, *KINDS, None)
            found = [
                await _measure(folder, lobby.pid, players, (times_ns, pings_ns), seconds, kind) for kind in kinds
            ]
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        claiming[1].close()
    quiet = compare_with_calm([turns for turns, _, _ in found])
    pings = compare_with_calm([of_pings for _, of_pings, _ in found])
    return tuple(
        LobbyFigures(phase.attack, quiet=of_turns, pings=of_pings, **rest)
        for (phase, _, rest), of_turns, of_pings in zip(found, quiet, pings, strict=True)
    )


async def _ping(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pings_ns: list[int]) -> None:
    """Ping until cancelled."""
    writer.write(f"X-HELLO PING\r\nHELLO Pings{number}\r\n".encode())
    while True:
        await asyncio.sleep(1 / PINGS_PER_S)
        began = perf_counter_ns()
        writer.write(b"X-PING B7\r\n")
        while not (line := await reader.readline()).startswith(b"X-PONG"):
            if not line:
                return
            if line.startswith(b"X-PING"):
                writer.write(line.replace(b"PING", b"PONG"))
        pings_ns.append(perf_counter_ns() - began)


async def _measure(
    folder: Path,
    lobby: int,
    players: list[_QuietPlayer],
    times: tuple[list[int], list[int]],
    seconds: float,
    kind: str | None,
) -> tuple[QuietPhase, QuietPhase, dict[str, Any]]:
    attacker, database = None, folder / "results" / "event.db"
    if kind is not None:
        attacker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.lobby_attacks", kind, "127.0.0.1", str(PORT), str(database),
            stdout=subprocess.PIPE,
        )  # fmt: skip
    await asyncio.sleep(WARM_S)
    began, memory = perf_counter(), memory_kb(lobby)
    lost = sum(player.is_lost for player in players)
    for each in times:
        each.clear()
    waits_s = await _come_again_and_again(seconds)
    await asyncio.sleep(max(0.0, seconds - (perf_counter() - began)))
    lost = sum(player.is_lost for player in players) - lost
    turns, pings = (QuietPhase(kind or "", tuple(each), disconnected=lost) for each in times)
    lasted, asked = perf_counter() - began, 0
    if attacker is not None:
        attacker.terminate()
        asked = json.loads((await attacker.communicate())[0])["tried"]
    with contextlib.closing(Database(f"sqlite:///{database}")) as opened, opened.read() as connection:
        games = int(connection.execute(text("SELECT count(*) FROM matches")).scalar_one())
    return (
        turns,
        pings,
        {
            "asked_per_s": round(asked / (lasted + WARM_S)),
            "newcomers": sum(wait_s is not None for wait_s in waits_s),
            "newcomer_s": round(max((OPEN_S if wait_s is None else wait_s for wait_s in waits_s), default=0.0), 2),
            "on_record": games,
            "grew_mb": round((memory_kb(lobby) - memory) / 1024, 1),
        },
    )


async def _come_again_and_again(seconds: float) -> list[float | None]:
    """Take a name and a game once a second; returns how long each has taken, None for one that got no game."""
    waits_s: list[float | None] = []
    began = perf_counter()
    while perf_counter() - began < seconds:
        came = perf_counter()
        try:
            async with asyncio.timeout(2 * NEWCOMER_S_MAX):
                reader, writer = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(NEWCOMER, 0))
                writer.write(f"HELLO Newcomer{came:.0f}\r\nJOIN-M chicago\r\n".encode())
                while not (line := await reader.readline()).startswith(b"JOINED"):
                    if not line or line.startswith(b"NAK"):
                        raise ConnectionResetError(line.decode())
                waits_s.append(perf_counter() - came)
                writer.write(b"X-LEAVE\r\n")
                writer.close()
        except (OSError, TimeoutError):
            waits_s.append(None)
        await asyncio.sleep(max(0.0, 1 - (perf_counter() - came)))
    return waits_s


def format_lobby(found: tuple[LobbyFigures, ...]) -> list[str]:
    """Format the figures as lines of Markdown."""
    columns = (
        "attack",
        "asked for/s",
        *COLUMNS[:-1],
        *PING_COLUMNS,
        "newcomers served",
        "waited (s)",
        "games on record",
    )
    return [
        "## A lobby",
        "",
        f"Players in {len(QUIET)} games with bots think for {THINK_S * 1000:g} ms; turn-round is from what one says "
        "until it is told that it counts.",
        "Somebody from another address comes once a second, under a new name each time, and asks for a game.",
        f"*churn*: {CONNECTIONS} connections, each from its own address, make games and leave them, {1 / PAUSE_S:g} "
        "times a second each;",
        "*names* and *wrong phrases* come from one address; in *locked* another process holds the lock of the "
        f"database for {HELD_S:g} s again and again:",
        "games wait for their record then, and others are answered.",
        "",
        f"| {' | '.join((*columns, 'lobby grew (MB)'))} |",
        "| --- " + "| ---: " * len(columns) + "|",
        *(_format_row(each) for each in found),
        "",
    ]


def _format_row(each: LobbyFigures) -> str:
    pings = each.pings.cells[0], *each.pings.cells[4:6]
    rest = each.newcomers, each.newcomer_s, each.on_record, each.grew_mb
    cells = each.asked_per_s, *each.quiet.cells[:-1], *pings, *rest
    return f"| {' | '.join((format_attack(each.attack), *map(str, cells)))} |"


class _OneAddress(Attack):
    addresses = ("127.0.0.2",)
    apart_s = 0.002


async def churn(attack: Attack) -> None:
    """Make games and leave them."""
    attack.addresses = ADDRESSES  # type: ignore[misc] # this attack's own

    async def make_and_leave(number: int) -> None:
        names = 0
        while True:
            ends = await attack.connect()
            if ends is None:
                await asyncio.sleep(0.05)
                continue
            reader, writer = ends
            names += 1
            draining = asyncio.ensure_future(reader.read())
            with contextlib.suppress(OSError):
                writer.write(f"HELLO Churn {number} {names}\r\n".encode())
                while not draining.done():
                    writer.write(b"JOIN-M chicago\r\nX-LEAVE\r\n")
                    attack.tried += 1
                    await writer.drain()
                    await asyncio.sleep(PAUSE_S)
            draining.cancel()
            writer.transport.abort()

    await asyncio.gather(*(make_and_leave(number) for number in range(CONNECTIONS)))


async def names(attack: Attack) -> None:
    """Take names with passphrases and games, as many as there are, from one address."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        said = f"HELLO Many{attack.tried}#sesame\r\nJOIN-M chicago\r\nJOIN-T\r\n"
        writer.write(said.encode())
        await asyncio.sleep(0.5)
        writer.close()

    await attack.hold(send_line, at_once=100)


async def wrong_phrases(attack: Attack) -> None:
    """Guess the passphrase of a name."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            for guess in range(10):
                writer.write(f"HELLO {CLAIMED}#{attack.tried}-{guess}\r\n".encode())
                await writer.drain()

    await attack.hold(send_line, at_once=50)


async def locked(attack: Attack) -> None:
    """Hold the lock of the database, again and again."""

    def hold() -> None:
        opened = contextlib.closing(sqlite3.connect(sys.argv[4], timeout=10, isolation_level=None))
        with contextlib.suppress(sqlite3.OperationalError), opened as connection:
            connection.execute("BEGIN IMMEDIATE")
            attack.tried += 1
            time.sleep(HELD_S)
            connection.execute("ROLLBACK")

    while True:
        await asyncio.to_thread(hold)
        await asyncio.sleep(0.2)


KINDS: Final = {each.__name__: each for each in (churn, names, wrong_phrases, page_requests, locked)}


if __name__ == "__main__":
    attack = _OneAddress(sys.argv[2], int(sys.argv[3]))
    asyncio.run(attack_until_told(KINDS[sys.argv[1]](attack), attack))
