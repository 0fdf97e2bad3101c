"""`bench lock`: how soon a lobby answers while another process holds the lock of its record."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns
from typing import Final

from bench.figures import Machine, Turnround, this_machine, turnround
from bench.lobby_attacks import HELD_S, PINGING, QUIET, open_lobby
from tourney.errors import LaunchError

P99_MS_MAX: Final = 50.0
"""Nobody who has nothing to record waits longer for an answer, but for one in a hundred."""

ASKS_PER_S: Final = 20
"""How often each of those who wait for answers asks."""

PORT: Final = 28_910
RELEASED_S: Final = 1.0
"""Between two times that the lock is held."""


@dataclass(frozen=True, slots=True)
class LockFigures:
    """How long answers took that were asked for while the lock was held, in milliseconds."""

    held_s: float
    times: int
    """How often the lock was held for that long."""
    at_tables: Turnround
    """Pings at four tables whose players think: what they are sent comes from the host of the table."""
    at_tables_answers: int
    at_other_host: Turnround
    """The same at a table of another process that has the same record."""
    at_other_host_answers: int
    in_lobby: Turnround
    """Pings of those who have no seat."""
    in_lobby_answers: int
    machine: Machine

    @property
    def has_failed(self) -> bool:
        """Whether somebody had to wait."""
        return max(self.at_tables.p99, self.at_other_host.p99, self.in_lobby.p99) > P99_MS_MAX


class _Lock:
    """The lock of a record, which this process takes and gives back."""

    def __init__(self, record: Path) -> None:
        self.is_held = False
        self._connection = sqlite3.connect(record, timeout=10, isolation_level=None)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        self.is_held = True
        try:
            yield
        finally:
            self.is_held = False
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()


async def _come(name: str, port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Come to a lobby."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(f"X-HELLO PING\r\nHELLO {name}\r\n".encode())
    return reader, writer


async def _sit_down(name: str, port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Come to a table with three bots, until it is the own turn: nobody has anything to record there any more."""
    reader, writer = await _come(name, port, address)
    writer.write(b"JOIN-M\r\n")
    seat = b""
    while words := (await reader.readline()).split():
        if words[0] == b"JOINED" and len(words) == 3:
            seat = words[2]
        elif words[:2] == [b"AUCOPEN", seat]:
            return reader, writer
    raise LaunchError(f"{name} has got no game")


async def _ask(ends: tuple[asyncio.StreamReader, asyncio.StreamWriter], lock: _Lock, times_ns: list[int]) -> None:
    """Ping until cancelled; what is answered counts if the lock was held when it was asked."""
    reader, writer = ends
    while True:
        await asyncio.sleep(1 / ASKS_PER_S)
        was_held, began_ns = lock.is_held, perf_counter_ns()
        writer.write(b"X-PING lock\r\n")
        while (line := await reader.readline()).strip() != b"X-PONG lock":
            if not line:
                return
        if was_held:
            times_ns.append(perf_counter_ns() - began_ns)


async def measure_lock(folder: Path, times: int) -> LockFigures:
    """Hold the lock of a lobby's record so many times, for three seconds each.

    Raises:
        LaunchError: a lobby has failed.
    """
    record = folder / "one" / "results" / "event.db"
    async with open_lobby(folder / "one", PORT), open_lobby(folder / "other", PORT + 1, record):
        seated = [await _sit_down(f"Player{number}", PORT, address) for number, address in enumerate(QUIET[:4])]
        elsewhere = [await _sit_down("Elsewhere", PORT + 1, QUIET[4])]
        standing = [await _come(f"Guest{number}", PORT, address) for number, address in enumerate(PINGING)]
        lock, found = _Lock(record), [list[int]() for _ in range(3)]
        asking = [
            asyncio.create_task(_ask(ends, lock, times_ns))
            for group, times_ns in zip((seated, elsewhere, standing), found, strict=True)
            for ends in group
        ]
        for _ in range(times):
            await asyncio.sleep(RELEASED_S)
            with lock.held():
                await asyncio.sleep(HELD_S)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        for _, writer in (*seated, *elsewhere, *standing):
            writer.close()
        lock.close()
    at_tables, at_other_host, in_lobby = found
    return LockFigures(
        held_s=HELD_S,
        times=times,
        at_tables=turnround(at_tables),
        at_tables_answers=len(at_tables),
        at_other_host=turnround(at_other_host),
        at_other_host_answers=len(at_other_host),
        in_lobby=turnround(in_lobby),
        in_lobby_answers=len(in_lobby),
        machine=this_machine(),
    )
