"""Doors under strangers, on real loopback sockets and with real programs: nobody who plays is kept from its seat."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.support.events import BOT
from tests.table.test_access import LOG_ON, opened, raw
from tests.table.test_host import Floor, floor, sit
from tourney.bridge import Seat
from tourney.launch.limits import STRANGERS_OF_TABLE
from tourney.launch.processes import RECORD_NAME, load_processes
from tourney.movement.seating import Room
from tourney.protocol.access import STRANGERS_MAX, ConnectionLimits
from tourney.store.models import TableState
from tourney.table import doors

PROGRAM = f"command = {BOT!r}"
OURS = (Seat.NORTH, Seat.SOUTH)
THEIRS = (Seat.EAST, Seat.WEST)
STRANGE = ("127.0.0.2", "127.0.0.3", "127.0.0.1")
"""The last one is the address that the programs of both teams come from."""


class Crowd:
    """Connections of strangers to one port."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def come(self, count: int, addresses: tuple[str, ...] = STRANGE, said: bytes = b"") -> None:
        """Open connections that say one thing and then nothing."""
        for number in range(count):
            address = addresses[number % len(addresses)]
            with contextlib.suppress(OSError):
                end = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))
                end[1].write(said)
                self.open.append(end)

    def leave(self) -> None:
        for _, writer in self.open:
            writer.transport.abort()


@asynccontextmanager
async def crowd(port: int) -> AsyncIterator[Crowd]:
    strangers = Crowd(port)
    try:
        yield strangers
    finally:
        strangers.leave()


def ends(place: Floor, room: Room = Room.OPEN) -> list[str]:
    """How the attempts at boards have ended at a table."""
    rows = place.query(
        f"SELECT a.ended FROM board_attempts a JOIN tables t ON t.id = a.table_id WHERE t.room = '{room.value}'"
    )
    return [ended for (ended,) in rows]


async def until_seated(place: Floor, seats: tuple[Seat, ...]) -> None:
    wanted = {seat.letter for seat in seats}
    await until(lambda: not wanted - {seat for (seat,) in place.query("SELECT seat FROM connections")})


async def until(is_so: Callable[[], bool]) -> None:
    """Look until something is so of which nobody is told."""
    async with asyncio.timeout(30):
        while True:
            if is_so():
                return
            await asyncio.sleep(0.02)


def pid_of(place: Floor, seat: Seat) -> int:
    """The newest process of a seat's program."""
    found = [each for path in place.folder.rglob(RECORD_NAME) for each in load_processes(path)]
    return next(each.process.pid for each in reversed(found) if each.name.endswith(seat.title))


async def test_a_program_that_is_started_again_comes_in_past_idle_strangers_and_wrong_names(tmp_path: Path) -> None:
    """Twenty idle connections before the start, as many again and ten wrong names when a program has died."""
    async with floor(tmp_path, alpha=PROGRAM, tables="[clock]\nrejoin_s = 20") as place:
        table = await opened(place)
        async with crowd(table.ports[Seat.NORTH]) as strangers:
            await strangers.come(24)
            await until_seated(place, OURS)
            for number in range(12):
                await strangers.come(1, ("127.0.0.1",), LOG_ON.format(f"Stranger {number}", "North").encode())
            players = [await sit(table, seat, delay_call_s=0.1) for seat in THEIRS]
            await place.until(table, TableState.PLAYING)
            os.kill(pid_of(place, Seat.NORTH), signal.SIGKILL)
            await strangers.come(24)
            async with asyncio.timeout(40):
                assert [await player.left for player in players] == [None] * 2
        assert ends(place)[-1] in ("played", "passed-out")
        assert not {"disconnect", "forfeit"} & set(ends(place))
        assert place.query("SELECT state, reason FROM tables WHERE room = 'open'") == [("finished", "")]
        assert place.query("SELECT count(*) FROM connections WHERE seat = 'N'") == [(2,)]


async def test_at_a_table_of_outsiders_each_finds_its_place_though_strangers_have_come_first(tmp_path: Path) -> None:
    async with floor(tmp_path, doors=ConnectionLimits(connections_per_address=12)) as place:
        table = await opened(place)
        async with crowd(table.ports[Seat.NORTH]) as strangers:
            await strangers.come(3 * STRANGERS_MAX)
            players = [await sit(table, seat) for seat in (*OURS, *THEIRS)]
            async with asyncio.timeout(40):
                assert [await player.left for player in players] == [None] * 4
            async with asyncio.timeout(20):
                told = (await strangers.open[0][0].read()).decode()
        assert told.rstrip().endswith("the oldest gives way")
        assert ends(place)[-1] in ("played", "passed-out")


@pytest.mark.parametrize("spare", [0, 5], ids=["no descriptor is to spare", "five are"])
async def test_connections_over_the_budget_of_descriptors_wait_in_the_backlog(
    tmp_path: Path, spare: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "SPARE_FILES", spare)
    monkeypatch.setattr(doors, "allow_files", lambda wanted: wanted)
    monkeypatch.setattr(doors, "GRACE_MS", 60_000)
    async with floor(tmp_path) as place:
        table = await opened(place)
        async with crowd(table.ports[Seat.NORTH]) as strangers:
            await strangers.come(40)
            async with raw(table, b"let me in\r\n") as late:
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(late.reader.read(1), 0.3)
            manager = place.host.tables[table.id]
            assert len(manager._open) == STRANGERS_OF_TABLE + spare


async def test_a_flood_of_refused_connections_is_told_in_two_lines_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "tourney.table.doors")
    async with floor(tmp_path) as place:
        table = await opened(place)
        async with crowd(table.ports[Seat.NORTH]) as strangers:
            await strangers.come(40, ("127.0.0.2",), LOG_ON.format("Nobody", "North").encode())
            for reader, writer in strangers.open:
                await reader.read()
                writer.close()
            await until(lambda: not place.host.tables[table.id]._open)
    told = [record for record in caplog.records if vars(record).get("action") == "connections_turned_away"]
    assert [vars(record)["count"] for record in told] == [1, 39]
    assert told[-1].getMessage() == (
        "match 1, open room: 39 connections were turned away before logging on, from 127.0.0.2"
    )
