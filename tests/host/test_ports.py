"""Doors under strangers, on real loopback sockets and with real programs: nobody who plays is kept from its seat."""

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.events import BOT, free_port
from tests.support.table_host import LOG_ON, Floor, Raw, all_leave, connect, floor, raw, sit
from tests.support.waiting import until
from tests.support.wire_entries import read_entries
from tourney.bridge import Seat
from tourney.host import ports
from tourney.host.relay import format_frame, format_relay_header, hash_relay_key
from tourney.host.wire_log import UNAUTHENTICATED_LINES_AT_ONCE
from tourney.launch import bots
from tourney.movement.seating import Room, TableState
from tourney.protocol.access import UNAUTHENTICATED_MAX, ConnectionLimits
from tourney.runtime.clock import HostClock
from tourney.runtime.open_files import UNAUTHENTICATED_OF_TABLE
from tourney.runtime.processes import RECORD_NAME, load_processes
from tourney.store.control.tables import parse_activity

PROGRAM = f"command = {BOT!r}"
OURS = (Seat.NORTH, Seat.SOUTH)
THEIRS = (Seat.EAST, Seat.WEST)
EXCESS = "was ended because it took more than 1 MB in its own folder, disk_mb = 1 are allowed"
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
    unauthenticated = Crowd(port)
    try:
        yield unauthenticated
    finally:
        unauthenticated.leave()


async def until_seated(place: Floor, seats: tuple[Seat, ...]) -> None:
    wanted = {seat.letter for seat in seats}
    await until(lambda: not wanted - {seat for (seat,) in place.query("SELECT seat FROM connections")})


def pid_of(place: Floor, seat: Seat) -> int:
    """The newest process of a seat's program."""
    found = [each for path in place.folder.rglob(RECORD_NAME) for each in load_processes(path)]
    return next(each.process.pid for each in reversed(found) if each.name.endswith(seat.title))


async def test_a_program_that_is_started_again_comes_in_past_idle_strangers_and_wrong_names(tmp_path: Path) -> None:
    """Twenty idle connections before the start, as many again and ten wrong names when a program has died."""
    async with floor(tmp_path, alpha=PROGRAM, tables="[clock]\nrejoin_s = 20") as place:
        table = await place.opened()
        async with crowd(table.ports[Seat.NORTH]) as unauthenticated:
            await unauthenticated.come(24)
            await until_seated(place, OURS)
            for number in range(12):
                await unauthenticated.come(1, ("127.0.0.1",), LOG_ON.format(f"Stranger {number}", "North").encode())
            players = await sit(table, *THEIRS, delay_call_s=0.1)
            await place.until(table, TableState.PLAYING)
            os.kill(pid_of(place, Seat.NORTH), signal.SIGKILL)
            await unauthenticated.come(24)
            await all_leave(players)
        assert place.is_played_out()
        assert not {"disconnect", "forfeit"} & set(place.ends())
        assert place.query("SELECT state, reason FROM tables WHERE room = 'open'") == [("finished", "")]
        assert place.query("SELECT count(*) FROM connections WHERE seat = 'N'") == [(2,)]


async def test_at_a_table_of_outsiders_each_finds_its_place_though_strangers_have_come_first(tmp_path: Path) -> None:
    async with floor(tmp_path, budget=ConnectionLimits(connections_per_address=12)) as place:
        table = await place.opened()
        async with crowd(table.ports[Seat.NORTH]) as unauthenticated:
            await unauthenticated.come(3 * UNAUTHENTICATED_MAX)
            players = await sit(table)
            await all_leave(players)
            told = (await unauthenticated.open[0][0].read()).decode()
        assert told.rstrip().endswith("the oldest gives way")
        assert place.is_played_out()


@pytest.mark.parametrize("spare", [0, 5], ids=["no descriptor is to spare", "five are"])
async def test_connections_over_the_budget_of_descriptors_wait_in_the_backlog(
    tmp_path: Path, spare: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "SPARE_FILES", spare)
    monkeypatch.setattr(ports, "allow_files", lambda wanted: wanted)
    monkeypatch.setattr(ports, "GRACE_MS", 60_000)
    async with floor(tmp_path) as place:
        table = await place.opened()
        async with crowd(table.ports[Seat.NORTH]) as unauthenticated:
            await unauthenticated.come(40)
            async with raw(table, b"let me in\r\n") as late:
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(late.reader.read(1), 0.3)
            manager = place.host.tables[table.id]
            assert len(manager.driver.links) == UNAUTHENTICATED_OF_TABLE + spare


async def test_what_strangers_say_fills_no_disk_and_the_wire_log_says_how_much_it_leaves_out(tmp_path: Path) -> None:
    async with floor(tmp_path) as place:
        table = await place.opened()
        async with crowd(table.ports[Seat.NORTH]) as unauthenticated:
            await unauthenticated.come(60, said=b"\x00\xff nonsense\r\n" * 20)
            for reader, writer in unauthenticated.open:
                with contextlib.suppress(ConnectionError):
                    await reader.read()
                writer.close()
            await until(lambda: not place.host.tables[table.id].driver.links)
    entries = [json.loads(entry) for entry in read_entries(place.folder / "wire" / "match-001-open.jsonl")]
    lines = [entry for entry in entries if entry["dir"] != "note"]
    left_out = [int(entry["line"].split()[0]) for entry in entries if entry["line"].endswith("are left out here")]
    assert UNAUTHENTICATED_LINES_AT_ONCE - 100 < len(lines) < UNAUTHENTICATED_LINES_AT_ONCE + 400
    assert len(lines) + sum(left_out) >= 60 * 2 * 20


# Descriptors


async def test_a_board_waits_longer_than_a_player_may_be_away_for_a_program_that_our_machine_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    start = subprocess.Popen
    refused: list[int] = []
    shown: list[str] = []

    def start_later(*words: Any, **settings: Any) -> "subprocess.Popen[bytes]":
        if len(refused) < 8 or not shown:  # for longer than the two seconds that a player may be away
            refused.append(errno.EMFILE)
            raise OSError(errno.EMFILE, "Too many open files")
        return start(*words, **settings)

    async with floor(tmp_path, alpha=PROGRAM, tables="[clock]\nrejoin_s = 2") as place:
        table = await place.opened()
        await until_seated(place, OURS)
        players = await sit(table, *THEIRS, delay_call_s=0.05)
        await place.until(table, TableState.PLAYING)
        monkeypatch.setattr(subprocess, "Popen", start_later)
        os.kill(pid_of(place, Seat.NORTH), signal.SIGKILL)
        while not shown:
            found = [parse_activity(text) for (text,) in place.query("SELECT doing FROM tables") if text]
            shown += [each.problem for each in found if each is not None and each.problem is not None]
            await asyncio.sleep(0.01)
        await all_leave(players)
        assert len(refused) >= 8
        assert shown[0].endswith("Too many open files")
        assert place.is_played_out()
    assert not {"disconnect", "forfeit"} & set(place.ends())
    (waits,) = [record.getMessage() for record in caplog.records if vars(record).get("action") == "program_waits"]
    assert waits.endswith("Too many open files; the table waits, and nobody is judged for it")


async def test_a_program_that_takes_more_than_it_may_is_named_with_the_limit_in_status_notes_and_ruling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "USAGE_POLL_S", 0.05)
    tables = '[clock]\nrejoin_s = 1\n[rules]\nrestarts = 0\n[sandbox]\nkind = "none"\ndisk_mb = 1'
    async with floor(tmp_path, alpha=PROGRAM, tables=tables) as place:
        table = await place.opened()
        await until_seated(place, OURS)
        await sit(table, *THEIRS, delay_call_s=20)  # the board is not over before
        await place.until(table, TableState.PLAYING)
        (place.folder / "programs" / "match-001-open" / "north" / "book").write_bytes(b"x" * 2_000_000)
        await until(lambda: place.ends() == ["crash"])
        (activity,) = [parse_activity(text) for (text,) in place.query("SELECT doing FROM tables") if text]
        assert activity is not None
        assert activity.problem == f"Alpha's program for North {EXCESS}"
        assert place.query("SELECT reason FROM rulings") == [(f"North left: {EXCESS}; it was not back within 1 s",)]
        assert (f"North left: {EXCESS}",) in place.query("SELECT text FROM incidents")
    log = "".join(read_entries(place.folder / "wire" / "match-001-open.jsonl"))
    assert f"North's program {EXCESS}" in log


def test_a_host_says_once_when_it_may_not_have_the_open_files_that_its_tables_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ports, "allow_files", lambda wanted: min(wanted, 110))
    host = ports.HostAdmission(HostClock())
    assert host.note_tables(2, 1) is None
    assert host.note_tables(3, 1) == (
        "3 tables need 127 open files, and this process may have 110: programs may not be started again; raise the "
        "limit (ulimit -n), or lower at_once"
    )
    assert host.note_tables(3, 1) is None
    assert "4 tables need 148" in str(host.note_tables(4, 1))


# The port of the stateful protocol


async def test_at_the_port_of_an_event_the_oldest_stranger_gives_way_to_a_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "UNNAMED_MAX", 4)
    port = free_port()
    async with floor(tmp_path, tables=f"[stateful]\nport = {port}") as place:
        await place.opened()
        async with crowd(port) as unauthenticated:
            await unauthenticated.come(8)
            async with raw(port, b"HELLO Alpha\r\nJOIN-T\r\n") as client:
                assert (await client.reader.readuntil(b"JOINED")).startswith(b"TOURNAMENTS")
                told = await unauthenticated.open[0][0].readline()
    assert told == b'NAK "many connections have not said HELLO, and the oldest gives way"\r\n'


# The port of an event on real sockets: clients that do not read what they are sent, beside others that play


PORT_SECTION = "[stateful]\nport = {}\n"
KEY = "0123456789abcdef"


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


@pytest.mark.clause("SS-35")
async def test_a_client_that_asks_for_ever_and_does_not_read_costs_nobody_else_time(tmp_path: Path) -> None:
    port = free_port()
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED), tables=clock(port, stall_s=1)) as place:
        table, beside = await place.opened(), await place.opened(Room.CLOSED)
        async with deaf(port, "HELLO Alpha\r\nJOIN-M match001open N\r\n") as client:
            others = await sit(table, Seat.EAST, Seat.SOUTH, Seat.WEST)
            await until(place.ends)  # the board has begun
            neighbours = await sit(beside)
            asking = asyncio.create_task(ask_for_ever(client))
            await all_leave(neighbours)
            await all_leave(others)
            asking.cancel()
        assert place.ends() in (["stall"], ["disconnect"])
        assert place.is_played_out(Room.CLOSED)


async def test_a_client_made_for_one_team_needs_no_passphrase_and_plays_for_no_other(tmp_path: Path) -> None:
    port = free_port()
    hashed = hash_relay_key(KEY)
    async with floor(tmp_path, tables=clock(port), alpha='pass_phrase = "open sesame"', relay_key=hashed) as place:
        await place.opened()
        async with deaf(port, ""):
            pass  # from now on the port is open

        async def ask(team_number: int, name: str, lines: int) -> tuple[Raw, list[bytes]]:
            client = await connect(port, format_relay_header("10.1.2.3:40123", KEY, team=team_number))
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


# Programs beyond a tunnel at a real host, on real sockets: what their clients say of their time, true or not


NETWORK_MS = 40
SLOW_S = 0.1
"""How long the program beyond the tunnel takes for a call."""


DELAYS = (
    "SELECT d.seat, own_ms, delay_ms, allowed_ms, thinking_ms FROM network_delays d JOIN calls c "
    "ON (c.table_id, c.board, c.attempt, c.seq, c.seat) = (d.table_id, d.board, d.attempt, d.seq, d.seat)"
)
"""Those of calls, and what they were charged."""


@pytest.mark.clause("SS-35", "BC-45")
async def test_what_a_client_of_the_events_port_says_reaches_its_table(tmp_path: Path) -> None:
    port = free_port()
    tables = clock(port).replace("[clock]", f"[clock]\nnetwork_ms = {NETWORK_MS}")
    async with floor(tmp_path, tables=tables, relay_key=hash_relay_key(KEY)) as place:
        table = await place.opened()
        said = format_frame(b"HELLO Alpha\r\nJOIN-M match001open N\r\n", 3)
        client = await connect(port, format_relay_header("10.0.0.7:40000", KEY, is_framed=True) + said)
        others = await sit(table, Seat.EAST, Seat.SOUTH, Seat.WEST)
        while not (line := await client.reader.readline()).startswith(b"AUCOPEN"):
            assert line
        frame = format_frame(b"BID PASS\r\n", 7)
        client.writer.write(frame[:9])
        await asyncio.sleep(SLOW_S)
        client.writer.write(frame[9:])
        await until(lambda: place.query(DELAYS))
        ((seat, own_ms, delay_ms, allowed_ms, thinking_ms),) = place.query(DELAYS)
        assert (seat, own_ms, allowed_ms) == ("N", 7, NETWORK_MS)
        assert thinking_ms == 7 + delay_ms - NETWORK_MS
        assert delay_ms >= 1000 * SLOW_S - 7 - 1
        assert place.query("SELECT peer FROM connections WHERE seat = 'N'") == [("10.0.0.7:40000",)]
        await client.close()
        for player in others:
            player.transport.abort()
