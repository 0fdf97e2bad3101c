"""Tables on real loopback sockets: a client that asks too much is told so and disconnected; the others play on."""

import asyncio
import hashlib
import json
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.host.test_connection import Owner
from tests.support.events import free_port
from tests.support.table_host import LOG_ON, all_leave, floor, raw, sit, told
from tests.support.wire_entries import read_entries
from tourney.bridge import Seat
from tourney.host.connection import TcpConnection
from tourney.movement.seating import Room, TableState
from tourney.protocol.access import ConnectionLimits
from tourney.runtime.clock import HostClock

READ_BYTES_MAX = 256 * 1024
"""What an event loop hands over at most from one read of a socket."""

GONE_SOON = "[clock]\nrejoin_s = 1"
"""A player that has left the board is not waited for."""


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What links held, in bytes, after each thing that came in and each line that was sent."""
    figures: list[int] = [0]
    received, sent = TcpConnection.data_received, TcpConnection.send

    def data_received(link: TcpConnection, data: bytes) -> None:
        received(link, data)
        figures.append(held_bytes(link))

    def send(link: TcpConnection, line: str, clock: int | None, now_ms: int) -> bool:
        is_written = sent(link, line, clock, now_ms)
        figures.append(held_bytes(link))
        return is_written

    monkeypatch.setattr(TcpConnection, "data_received", data_received)
    monkeypatch.setattr(TcpConnection, "send", send)
    return figures


def held_bytes(link: TcpConnection) -> int:
    """Bytes held: received but not yet read as lines, or sent but not yet taken by the operating system."""
    written = link._transport.get_write_buffer_size() if link._transport is not None else 0
    return len(link._held) + len(link._lines.pending or b"") + link._waiting_bytes + written


# A connection whose other end is gone without a word


TCP_REPAIR = 19
"""The option of Linux by which a socket is closed without a word to the other end."""


def vanish(end: socket.socket) -> None:
    """Close a connection as when its machine loses the power."""
    try:
        end.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    except OSError as error:
        pytest.skip(f"connections cannot be made to vanish here: {error.strerror}")
    end.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such option")
async def test_a_program_that_knocks_gets_the_seat_of_its_own_connection_that_is_half_open(tmp_path: Path) -> None:
    async with floor(tmp_path) as place:
        table = await place.opened()
        log_on = LOG_ON.format(table.team(Seat.NORTH.side), "North").encode()
        lost = socket.create_connection(("127.0.0.1", table.ports[Seat.NORTH]))
        await asyncio.get_running_loop().run_in_executor(None, lost.sendall, log_on)
        assert b"seated" in await asyncio.get_running_loop().run_in_executor(None, lost.recv, 100)
        vanish(lost)
        refusals = 0
        while True:
            async with raw(table, log_on) as knocking:
                line = await knocking.reader.readline()
            if b"seated" in line:
                break
            assert line.startswith(b"Error: North is taken by")
            refusals += 1
            await asyncio.sleep(0.2)  # as an owner of programs would
        assert refusals


# Clients that do not log on


@pytest.mark.clause("BC-03")
async def test_clients_that_say_nothing_or_no_line_are_told_why_and_closed_while_others_play(
    tmp_path: Path, held: list[int]
) -> None:
    limits = ConnectionLimits(log_on_ms=300)
    async with floor(tmp_path, budget=limits) as place:
        table = await place.opened()
        async with raw(table) as silent, raw(table) as slow, raw(table) as endless:
            slow.keep_sending(b"C", pause_s=0.02)
            endless.keep_sending(b"x" * 1_000_000)
            players = await sit(table)
            late = "Error: a connection logs on within 0 s"
            assert await silent.last_line() == late
            assert await slow.last_line() == late
            assert await endless.last_line() in (late, "Error: a line has at most 8192 bytes, this one is longer")
            await all_leave(players)
        assert place.is_played_out()
    assert max(held) <= READ_BYTES_MAX + limits.line_bytes


@pytest.mark.clause("BC-03")
async def test_a_megabyte_without_a_line_end_leaves_a_link_with_less_than_a_line(
    tmp_path: Path, held: list[int]
) -> None:
    limits = ConnectionLimits(lines_per_s=100_000)
    async with (
        floor(tmp_path, budget=limits) as place,
        raw(await place.opened(), b"x" * 1_000_000) as endless,
    ):
        line = await endless.reader.readline()
        assert line == b"Error: a line has at most 8192 bytes, this one is longer\r\n"
        endless.writer.write(b"\r\n" + LOG_ON.format("Alpha", "North").encode())
        assert await endless.reader.readline() == b'North ("Alpha") seated\r\n'
        assert held[-1] == 0
    assert max(held) <= READ_BYTES_MAX


# Players that send too fast


async def test_a_player_that_floods_is_held_back_and_then_closed_and_the_board_is_finished(
    tmp_path: Path, held: list[int]
) -> None:
    limits = ConnectionLimits(lines_per_s=200, flood_ms=300)
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED), budget=limits, tables=GONE_SOON) as place:
        table, beside = await place.opened(), await place.opened(Room.CLOSED)
        others = await sit(table, Seat.EAST, Seat.SOUTH, Seat.WEST)
        neighbours = await sit(beside)
        async with raw(table, LOG_ON.format("Alpha", "North").encode()) as flooder:
            for what in ("for teams", "to start", "for deal"):
                flooder.writer.write(f"North ready {what}\r\n".encode())
            flooder.keep_sending(b"North ready for deal\r\n" * 5000)
            assert (
                await flooder.last_line() == "Error: more than 200 lines a second, or 20 that move nothing, for 0 s"
            )
        await all_leave(others)
        await all_leave(neighbours)
        assert place.ends()[0] == "disconnect"
        assert place.is_played_out(Room.CLOSED)
    log = read_entries(place.folder / "wire" / "match-001-open.jsonl")
    from_north = [entry for entry in map(json.loads, log) if entry["dir"] == "in" and entry["seat"] == "N"]
    assert len(from_north) <= 3 * limits.lines_per_s
    assert max(held) <= READ_BYTES_MAX + limits.line_bytes


# Players that do not read


@asynccontextmanager
async def deaf_client(limits: ConnectionLimits) -> AsyncIterator[tuple[Owner, TcpConnection, socket.socket]]:
    """A link whose other end reads nothing and has little room for what it does not read."""
    loop, owner = asyncio.get_running_loop(), Owner()
    server = await loop.create_server(lambda: TcpConnection(owner, HostClock(), 1, None, limits), "127.0.0.1", 0)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        await loop.sock_connect(client, server.sockets[0].getsockname())
        await owner.has_opened.wait()
        yield owner, owner.opened[0], client
    server.close()


@pytest.mark.parametrize("gap_ms", [0, 1000], ids=["written", "waiting for their turn"])
async def test_lines_that_are_not_read_end_the_connection_when_they_pass_the_limit(gap_ms: int) -> None:
    limits = ConnectionLimits(unread_bytes=20_000)
    async with deaf_client(limits) as (owner, link, _):
        link.admit(gap_ms)
        most = 0
        for _ in range(200_000):
            link.send("x" * 98, None, 0)
            most = max(most, held_bytes(link))
            if most > limits.unread_bytes:
                break
        assert await owner.closed.get() == "more than 20000 bytes lay unread"
        assert limits.unread_bytes < most <= limits.unread_bytes + 100
        link.send("after the end", None, 0)
        assert held_bytes(link) <= most + 100


async def test_a_client_that_does_not_read_its_last_lines_is_let_go_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tourney.host.connection.CLOSE_S", 0.05)
    async with deaf_client(ConnectionLimits(unread_bytes=10_000_000)) as (owner, link, _):
        while not held_bytes(link):
            link.send("x" * 1000, None, 0)
        link.close()
        assert await owner.closed.get() == "the connection was closed"


# Passphrases


def files_with(folder: Path, text: str) -> list[str]:
    """The files below a folder that hold a text, in any case."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and text.encode() in path.read_bytes().lower()
    ]


@pytest.mark.clause("BC-05")
async def test_no_passphrase_is_hashed_in_the_loop_in_which_tables_and_clients_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, threads, scrypt = free_port(), list[int](), hashlib.scrypt

    def note_thread(*args: Any, **kwargs: Any) -> bytes:
        threads.append(threading.get_ident())
        return scrypt(*args, **kwargs)

    async with floor(tmp_path, alpha='pass_phrase = "open sesame"', tables=f"[stateful]\nport = {port}") as place:
        table = await place.opened()
        monkeypatch.setattr(hashlib, "scrypt", note_thread)
        for at, said in (
            (table.ports[Seat.NORTH], LOG_ON.format("Alpha#guess", "ANYPL").encode()),
            (port, b"HELLO Alpha#guess\r\n"),
            (port, b"HELLO Alpha#open sesame\r\nJOIN-T\r\n"),
        ):
            async with raw(at, said) as client:
                assert (b"TOURNAMENTS" in await client.reader.readline()) is (b"sesame" in said)
    assert len(threads) == 3
    assert threading.get_ident() not in threads


async def test_with_a_pass_phrase_the_team_plays_and_no_file_of_the_results_has_it(tmp_path: Path) -> None:
    async with floor(tmp_path, alpha='pass_phrase = "open sesame"', profile="default") as place:
        table = await place.opened()
        for wrong in ("Alpha", "Alpha#Open Sesame", "Gamma#open sesame", "#open sesame"):
            async with raw(table, LOG_ON.format(wrong, "North").encode()) as stranger:
                assert "does not play here, North is a seat of 'Alpha'" in await stranger.last_line()
        async with raw(
            table.ports[Seat.NORTH], b"Connecting Alpha#open sesame as North\r\n'Alpha#open sesame'\r\n"
        ) as stranger:
            assert "a log-on is" in await stranger.last_line()
        players = await sit(table, team="Alpha#open sesame")
        await all_leave(players)
        await place.until(table, TableState.FINISHED)
        assert place.query("SELECT DISTINCT team FROM connections ORDER BY team") == [("Alpha",), ("Beta",)]
        assert 'Teams : N/S : "Alpha" E/W : "Beta"' in told(players)
        assert "sesame" not in told(players)
    wire = "".join(read_entries(place.folder / "wire" / "match-001-open.jsonl"))
    assert 'Connecting \\"Alpha#***\\" as North using protocol version 18' in wire
    assert files_with(place.folder, "sesame") == []
    assert files_with(tmp_path, "sesame") == []
