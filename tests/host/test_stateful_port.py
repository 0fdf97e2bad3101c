"""The port of an event on real sockets: clients that do not read what they are sent, beside others that play."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.host.test_access import Raw, opened, play_to_the_end, results, seat_all
from tests.host.test_host import Floor, floor
from tests.support.events import port_range
from tourney.bridge import Seat
from tourney.host.relay import format_relay_header, hash_relay_key
from tourney.movement.seating import Room

PORT_SECTION = "[stateful]\nport = {}\n"
KEY = "0123456789abcdef"


def event_port() -> int:
    return int(port_range(1).partition("-")[0])


def clock(port: int, *, stall_s: int = 60) -> str:
    """The sections of an event with a port for the stateful protocol, which does not wait for who has left."""
    return f"[clock]\nrejoin_s = 1\nstall_s = {stall_s}\n{PORT_SECTION.format(port)}"


@asynccontextmanager
async def deaf(port: int, said: str) -> AsyncIterator[socket.socket]:
    """A client that says something and never reads, with little room for what it does not read."""
    loop = asyncio.get_running_loop()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        while True:
            with contextlib.suppress(ConnectionRefusedError):
                await loop.sock_connect(client, ("127.0.0.1", port))
                break
            await asyncio.sleep(0.02)
        await loop.sock_sendall(client, said.encode())
        yield client


async def until_begun(place: Floor, room: Room) -> None:
    """Wait until the board of a room has begun."""
    begun = f"SELECT 1 FROM board_attempts a JOIN tables t ON t.id = a.table_id WHERE t.room = '{room.value}'"
    while True:
        if place.query(begun):
            return
        await asyncio.sleep(0.01)


@pytest.mark.clause("SS-35")
async def test_a_client_that_asks_for_ever_and_does_not_read_costs_nobody_else_time(tmp_path: Path) -> None:
    port = event_port()
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED), tables=clock(port, stall_s=1)) as place:
        table, beside = await opened(place), await opened(place, Room.CLOSED)
        async with deaf(port, "HELLO Alpha\r\nJOIN-M match001open N\r\n") as client:
            others = await seat_all(table, but=Seat.NORTH)
            await until_begun(place, Room.OPEN)
            neighbours = await seat_all(beside)
            asking = asyncio.create_task(ask_for_ever(client))
            await play_to_the_end(neighbours, "at the table beside a client that asks and does not read")
            await play_to_the_end(others, "at the table of a client that asks and does not read")
            asking.cancel()
        assert results(place) in ([("stall",)], [("disconnect",)])
        assert results(place, Room.CLOSED) in ([("played",)], [("passed-out",)])


async def test_a_client_made_for_one_team_needs_no_passphrase_and_plays_for_no_other(tmp_path: Path) -> None:
    port = event_port()
    hashed = hash_relay_key(KEY)
    async with floor(tmp_path, tables=clock(port), alpha='pass_phrase = "open sesame"', relay_key=hashed) as place:
        await opened(place)
        async with deaf(port, ""):
            pass  # from now on the port is open

        async def ask(team_number: int, name: str, lines: int) -> tuple[Raw, list[bytes]]:
            client = Raw(*await asyncio.open_connection("127.0.0.1", port))
            client.writer.write(format_relay_header("10.1.2.3:40123", KEY, team=team_number))
            client.writer.write(f"HELLO {name}\r\nJOIN-M match001open N\r\n".encode())
            return client, [(await client.reader.readline()).strip() for _ in range(lines)]

        other, answers = await ask(2, "Alpha", 1)
        assert answers == [b"NAK \"this connection is for another team than 'Alpha'\""]
        own, answers = await ask(1, "Alpha", 3)
        assert answers[2] == b"JOINED match001open N"
        for client in (other, own):
            await client.close()


async def ask_for_ever(client: socket.socket) -> None:
    """Ask for the state again and again."""
    with contextlib.suppress(ConnectionError):
        while True:
            await asyncio.get_running_loop().sock_sendall(client, b"JOIN-T\r\n" * 100)
            await asyncio.sleep(0)
