"""A process that plays many seats, as its table host has it: started with the first of them, ended if it hangs."""

import asyncio
import shlex
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tourney.bridge import SEATS, Seat
from tourney.config.command import CommandValues
from tourney.launch import shared_program
from tourney.launch.bots import ProgramSpec
from tourney.launch.sandbox import Sandbox
from tourney.launch.shared_program import SharedProgram, SharedSeat, SharedSeatSpec
from tourney.protocol.seat_handover import TableTerms
from tourney.store.control.host_settings import SandboxSettings

NORTH, EAST, SOUTH, _ = SEATS

HANGING = """
import pathlib, socket, time
with pathlib.Path("starts").open("a") as file:
    file.write("x")
host = socket.socket(fileno=0)
host.sendall(b'{{"kind": "ProgramReady"}}\\n')
print("I am thinking", flush=True)
time.sleep(60)
"""


class Shared:
    """A process with its seats, and the tables' ends of the connections that were made for them."""

    def __init__(self, folder: Path, script: str) -> None:
        self.folder = folder
        self.program = SharedProgram(
            ProgramSpec(
                name="Alpha's program for all its seats",
                command=shlex.join([sys.executable, "-c", script]),
                values=CommandValues(host="", port=0, seat=NORTH, team="Alpha", login="Alpha"),
                started_in=folder,
                own=folder / "programs" / "alpha" / "host",
                output=folder / "bots" / "alpha" / "host.log",
                sandbox=Sandbox(SandboxSettings(), "Alpha"),
            )
        )
        self.connections: dict[Seat, socket.socket] = {}
        self._connected = asyncio.Event()

    def seat(self, seat: Seat) -> SharedSeat:
        def connect(connection: socket.socket) -> None:
            self.connections[seat] = connection
            self._connected.set()

        spec = SharedSeatSpec(
            name=f"Alpha's program for {seat.title}",
            place=f"match 1, open room, {seat.title}",
            seat=seat,
            login="Alpha",
            find_terms=TableTerms,
            connect=connect,
        )
        return SharedSeat(self.program, spec)

    async def until_connected(self, *seats: Seat) -> None:
        while not self.connections.keys() >= set(seats):
            self._connected.clear()
            await self._connected.wait()

    @property
    def starts(self) -> int:
        return len((self.folder / "starts").read_text(encoding="utf-8"))


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncIterator[Shared]:
    shared = Shared(tmp_path, HANGING)
    yield shared
    await shared.program.end()
    for connection in shared.connections.values():
        connection.close()


async def test_a_process_that_does_not_leave_a_seat_in_time_is_ended_with_all_its_seats(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    north, south = shared.seat(NORTH), shared.seat(SOUTH)
    await asyncio.gather(north.start(), south.start())
    await shared.until_connected(NORTH, SOUTH)
    assert shared.starts == 1, "both have the same process"
    await south.release()  # as the table has ended: nobody waits for that
    monkeypatch.setattr(shared_program, "RECALL_S", 0.01)
    await north.end()
    assert [await north.wait(), await south.wait()] == [-9, -9]
    assert north.how_it_ended() == (
        "was ended because it has not left the seat of Alpha's program for North within 0.01 s"
    )
    text = (shared.folder / "bots" / "alpha" / "host.log").read_text(encoding="utf-8")
    assert "is ended: it has not left the seat of Alpha's program for North within" in text
    await shared.seat(EAST).start()
    await shared.until_connected(EAST)
    assert shared.starts == 2, "the next seat starts another program"


async def test_a_seat_that_is_ended_before_its_process_is_ready_is_never_offered(shared: Shared) -> None:
    north, south = shared.seat(NORTH), shared.seat(SOUTH)
    await asyncio.gather(north.start(), south.start())
    await north.end()
    await shared.until_connected(SOUTH)
    assert await north.wait() == 1
    assert NORTH not in shared.connections
