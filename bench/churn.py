"""A lobby's churn: connections that make games and leave them, and what a quiet game of that lobby notices.

`python -m bench.churn HOST PORT` is the attack, a process of its own until a SIGTERM; it prints how many games it has
asked for, as JSON.
"""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, perf_counter_ns
from typing import Final

from sqlalchemy import text

from bench.attacks import Attack
from bench.figures import percentile
from tourney.errors import LaunchError
from tourney.store.db.database import Database

CONNECTIONS: Final = 8
"""Connections that make and leave games, one from each address of the attacks."""

PAUSE_S: Final = 0.02
"""Between two games of one connection."""

THINK_S: Final = 0.02
WARM_S: Final = 1.0
OPEN_S: Final = 60.0
PORT: Final = 28_900
QUIET: Final = "127.0.0.9"
"""The address of the quiet player, from which nobody attacks."""

PARTNERS: Final = {"N": "S", "E": "W", "S": "N", "W": "E"}


@dataclass(frozen=True, slots=True)
class ChurnFigures:
    """What a quiet game noticed within a time. Times are milliseconds."""

    is_attacked: bool
    asked_per_s: int
    """Games that the attack asked for."""
    lines_per_s: int
    """Lines that the quiet player was sent."""
    p50: float
    """From a call or card of the quiet player until it was told that it counts."""
    p99: float
    max: float
    on_record: int
    """Games on record at the end, those of the quiet player included."""


class _QuietPlayer:
    """Plays one game after the other with three bots: passes, and follows suit."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.lines = 0
        self.times_ns: list[int] = []

    def send_line(self, *lines: str) -> None:
        self._writer.writelines([f"{line}\r\n".encode() for line in lines])

    async def play(self) -> None:
        """Play until cancelled."""
        self.send_line("X-HELLO LEFT", "HELLO Quiet", "JOIN-M rubber")
        me, side, said_at_ns = "", "", 0
        hand: list[str] = []
        dummy: list[str] = []
        while line := (await self._reader.readline()).decode():
            self.lines += 1
            name, *words = line.split()
            if name in ("AUCOPEN", "TRICK") and said_at_ns:
                self.times_ns.append(perf_counter_ns() - said_at_ns)
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
        raise LaunchError("the lobby under attack has closed the connection of the quiet player")


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


async def measure_churn(folder: Path, seconds: float) -> tuple[ChurnFigures, ...]:
    """Attack a lobby for that long, and measure a quiet game of it before, meanwhile and afterwards.

    Raises:
        LaunchError: the lobby has failed.
    """
    lobby = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tourney", "lobby", str(folder), "--port", str(PORT), "--bots", "3",
        "--trick-pause-ms", "0", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    assert lobby.stdout is not None
    said = b""
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
        reader, writer = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(QUIET, 0))
        quiet = _QuietPlayer(reader, writer)
        playing = asyncio.create_task(quiet.play())
        found = [await _measure(folder, quiet, seconds, attacks=attacks) for attacks in (False, True, False)]
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing
        writer.close()
    finally:
        with contextlib.suppress(ProcessLookupError):
            lobby.send_signal(signal.SIGINT)
        await lobby.wait()
    await reading
    return tuple(found)


async def _measure(folder: Path, quiet: _QuietPlayer, seconds: float, *, attacks: bool) -> ChurnFigures:
    attacker = None
    if attacks:
        attacker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.churn", "127.0.0.1", str(PORT), stdout=subprocess.PIPE
        )
        assert attacker.stdout is not None
        await attacker.stdout.readline()  # it has begun
    await asyncio.sleep(WARM_S)
    began, before = perf_counter(), quiet.lines
    quiet.times_ns.clear()
    await asyncio.sleep(seconds)
    times_ns, lasted = sorted(quiet.times_ns), perf_counter() - began
    lines, asked = quiet.lines - before, 0
    if attacker is not None:
        attacker.terminate()
        asked = json.loads((await attacker.communicate())[0])["asked"]
    url = f"sqlite:///{folder / 'results' / 'event.db'}"
    with contextlib.closing(Database(url)) as database, database.read() as connection:
        games = int(connection.execute(text("SELECT count(*) FROM matches")).scalar_one())
    p50, p99, most = (percentile(times_ns, share) / 1_000_000 if times_ns else 0.0 for share in (0.5, 0.99, 1.0))
    return ChurnFigures(
        is_attacked=attacks,
        asked_per_s=round(asked / (lasted + WARM_S)),
        lines_per_s=round(lines / lasted),
        p50=round(p50, 2),
        p99=round(p99, 2),
        max=round(most, 2),
        on_record=games,
    )


def format_churn(found: tuple[ChurnFigures, ...]) -> list[str]:
    """Format the figures as lines of Markdown."""
    return [
        "## A lobby's churn",
        "",
        f"{CONNECTIONS} connections, each from its own address, make games with bots and leave them, {1 / PAUSE_S:g} "
        "times a second each. Turn-round is",
        f"that of a player in another game of the lobby, who thinks for {THINK_S * 1000:g} ms.",
        "",
        "| attack | games asked for/s | quiet lines/s | quiet p50 | p99 | max (ms) | games on record |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {'churn' if each.is_attacked else 'none'} | {each.asked_per_s} | {each.lines_per_s} | {each.p50} | "
            f"{each.p99} | {each.max} | {each.on_record} |"
            for each in found
        ),
        "",
    ]


class _Churn:
    """The attack."""

    def __init__(self, host: str, port: int) -> None:
        self.asked = 0
        self._attack = Attack(host, port)

    async def run(self) -> None:
        await asyncio.gather(*(self._make_and_leave(number) for number in range(CONNECTIONS)))

    async def _make_and_leave(self, number: int) -> None:
        names = 0
        while True:
            ends = await self._attack.connect()
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
                    self.asked += 1
                    await writer.drain()
                    await asyncio.sleep(PAUSE_S)
            draining.cancel()
            writer.transport.abort()


async def _main(host: str, port: int) -> None:
    churn = _Churn(host, port)
    running = asyncio.create_task(churn.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    sys.stdout.write(json.dumps({"asked": churn.asked}) + "\n")


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2])))
