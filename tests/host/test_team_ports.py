"""The ports of teams on real sockets: programs are led to their tables, and judged by their own address."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.table_host import LOG_ON, Raw, all_leave, connect, floor, raw, sit
from tests.support.waiting import until
from tourney.bridge import Seat
from tourney.errors import LaunchError, StoreUnavailable
from tourney.host import team_ports
from tourney.host.relay import (
    FrameReader,
    format_frame,
    format_relay_header,
    hash_relay_key,
    load_relay_key,
    make_relay_key,
)
from tourney.host.team_ports import TeamPorts
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.session.clock import OWN_MS_MAX
from tourney.store.control.tables import OpenSeat, load_open_seats
from tourney.store.team_access import KeyTeam

KEY = "0123456789abcdef"

NORTH = LOG_ON.format("Alpha", "North").encode()


@contextmanager
def listening(count: int = 2) -> Iterator[list[socket.socket]]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    for each in sockets:
        each.setblocking(False)
    try:
        yield sockets
    finally:
        for each in sockets:
            each.close()


@dataclass
class Doors:
    """Ports of two teams, and what the record says of open seats."""

    ports: list[int]
    seats: list[OpenSeat] = field(default_factory=list)
    is_away: bool = False
    looks: int = 0
    connections: list[Raw] = field(default_factory=list)
    """Those that are closed in the end."""

    def load(self) -> list[OpenSeat]:
        self.looks += 1
        if self.is_away:
            raise StoreUnavailable("the database is away")
        return list(self.seats)

    async def until_looked(self) -> None:
        """Wait until the record has been asked once more."""
        before = self.looks
        await until(lambda: self.looks > before)

    async def connect(self, first: bytes, team: int = 1) -> Raw:
        self.connections.append(await connect(self.ports[team - 1], first))
        return self.connections[-1]


@asynccontextmanager
async def budget(limits: ConnectionLimits | None = None) -> AsyncIterator[Doors]:
    with listening() as sockets:
        place = Doors([each.getsockname()[1] for each in sockets])
        server = TeamPorts(place.load, "127.0.0.1", KEY, limits or ConnectionLimits())
        server.open(sockets)
        watching = asyncio.create_task(server.watch())
        try:
            yield place
        finally:
            for connection in place.connections:
                await connection.close()
            watching.cancel()
            await server.close()


class FakeTable:
    """Takes the connections of a table's port, and answers what it is told to."""

    def __init__(self) -> None:
        self.writers: list[asyncio.StreamWriter] = []
        self.heard: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        await self.heard.put((reader, writer))

    def seat(self, table_id: int, seat: Seat = Seat.NORTH, team: int = 1, attempt: int = 1) -> OpenSeat:
        return OpenSeat(team, table_id, attempt, seat, None, self.port)


@asynccontextmanager
async def fake_table() -> AsyncIterator[FakeTable]:
    table = FakeTable()
    server = await asyncio.start_server(table.serve, "127.0.0.1", 0)
    table.port = server.sockets[0].getsockname()[1]
    try:
        yield table
    finally:
        server.close()
        for writer in table.writers:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def heard_by(table: FakeTable, lines: int) -> tuple[list[bytes], asyncio.StreamWriter]:
    """The first lines that the next connection of a table brings."""
    reader, writer = await table.heard.get()
    header, data, frames = await reader.readline(), b"", FrameReader()
    while data.count(b"\n") < lines - 1:
        came = await reader.read(4096)
        data += came if b" framed" not in header else b"".join(part.data for part in frames.feed(came))
    return [header, *data.splitlines(keepends=True)[: lines - 1]], writer


# At a real table


async def test_a_board_is_played_through_the_ports_of_both_teams_and_the_record_has_the_programs_own_addresses(
    tmp_path: Path,
) -> None:
    async with floor(tmp_path, relay_key=hash_relay_key(KEY)) as place, budget() as way:
        table = await place.opened()
        way.seats = load_open_seats(place.database, place.event.id)
        assert [seat.team for seat in way.seats] == [1, 2, 1, 2]
        players = await sit(table, ports=way.ports)
        own = {"{}:{}".format(*player.transport.get_extra_info("sockname")) for player in players}
        await all_leave(players)
        assert {peer for (peer,) in place.query("SELECT peer FROM connections")} == own


@pytest.mark.parametrize("cut", [0, 3, 20])
async def test_a_team_that_plays_from_one_address_gets_its_seat_by_its_port_and_not_by_claiming_to_come_from_there(
    tmp_path: Path, cut: int
) -> None:
    async with floor(tmp_path, alpha='allow = ["10.0.0.0/8"]', relay_key=hash_relay_key(KEY)) as place:
        table = await place.opened()

        async def say(first: bytes) -> Raw:
            connection = await connect(table)
            for part in (first[:cut], first[cut:]):
                connection.writer.write(part)
                await connection.writer.drain()
                await asyncio.sleep(0)
            return connection

        led = await say(format_relay_header("10.1.2.3:40123", KEY) + NORTH)
        assert await led.reader.readline() == b'North ("Alpha") seated\r\n'
        elsewhere = await say(format_relay_header("192.168.1.1:40123", KEY) + NORTH.replace(b"North", b"South"))
        expected = "Error: 'Alpha' from that address does not play here, South is a seat of 'Alpha'"
        assert await elsewhere.last_line() == expected
        liar = await say(format_relay_header("10.1.2.3:40123", "another key") + NORTH.replace(b"North", b"South"))
        assert b"a line begins with Connecting" in await liar.reader.readline()
        assert await liar.last_line() == expected
        itself = await say(LOG_ON.format("Beta", "East").encode())
        assert await itself.reader.readline() == b'East ("Beta") seated\r\n'
        for each in (led, elsewhere, liar, itself):
            await each.close()


async def test_a_connection_made_for_one_team_needs_no_passphrase_and_gets_no_seat_of_another_team(
    tmp_path: Path,
) -> None:
    async with floor(tmp_path, alpha='pass_phrase = "open sesame"', relay_key=hash_relay_key(KEY)) as place:
        table = await place.opened()
        for_beta = "East is a seat of 'Beta', and this connection is for another team"
        not_alpha = "North is a seat of 'Alpha', and this connection is for another team"
        unknown = "without a pass phrase does not play here, North is a seat of 'Alpha'"
        for number, name, seat, refusal in (
            (1, "Beta", Seat.EAST, for_beta),
            (2, "Alpha", Seat.NORTH, not_alpha),
            (3, "Alpha", Seat.NORTH, not_alpha),
            (1, "Gamma", Seat.NORTH, f"'Gamma' {unknown}"),
            (None, "Alpha", Seat.NORTH, f"'Alpha' {unknown}"),
            (1, "Alpha", Seat.NORTH, ""),
        ):
            header = format_relay_header("10.1.2.3:40123", KEY, team=number)
            async with raw(table.ports[seat], header + LOG_ON.format(name, seat.title).encode()) as program:
                answer = f"Error: {refusal}" if refusal else 'North ("Alpha") seated'
                assert await program.reader.readline() == f"{answer}\r\n".encode()


def test_a_key_that_is_missing_or_another_than_the_tables_know_is_named(
    tmp_path: Path,
) -> None:
    with pytest.raises(LaunchError, match=r"relay.key, cannot be read: .*No such file"):
        load_relay_key(tmp_path)
    assert make_relay_key(tmp_path) == load_relay_key(tmp_path) == make_relay_key(tmp_path)
    with pytest.raises(LaunchError, match=r"relay.key has not the key that the tables of the event know: put that"):
        load_relay_key(tmp_path, hash_relay_key(KEY))


# On the way


async def test_a_program_that_is_early_waits_and_is_led_to_its_table_with_all_that_it_has_said() -> None:
    async with budget() as way, fake_table() as table:
        early = await way.connect(NORTH)
        early.writer.write(b"North ready for teams\r\n")
        way.seats = [table.seat(1, Seat.SOUTH), table.seat(1), table.seat(1, team=2)]
        lines, writer = await heard_by(table, 3)
        own = "{}:{}".format(*early.writer.get_extra_info("sockname"))
        assert lines == [format_relay_header(own, KEY), NORTH, b"North ready for teams\r\n"]
        writer.write(b"End of session\r\n")
        writer.close()
        assert await early.reader.read() == b"End of session\r\n"


async def test_a_program_is_led_to_another_table_where_its_team_has_the_seat_twice() -> None:
    async with budget() as way, fake_table() as first, fake_table() as second:
        way.seats = [second.seat(2), first.seat(1), first.seat(1, Seat.SOUTH)]
        await way.connect(NORTH)
        await heard_by(first, 2)
        await way.connect(NORTH)
        await heard_by(second, 2)
        await way.connect(b"hello\r\n")
        lines, _ = await heard_by(first, 2)
        assert lines[1] == b"hello\r\n", "the table says what is wrong with it"


async def test_when_a_table_goes_elsewhere_without_a_word_its_programs_are_sent_after_it() -> None:
    async with budget() as way, fake_table() as vanished, fake_table() as new:
        way.seats = [vanished.seat(1), vanished.seat(2, team=2)]
        program, beside = await way.connect(NORTH), await way.connect(NORTH, team=2)
        await heard_by(vanished, 2)
        await heard_by(vanished, 2)
        way.seats = [new.seat(1, attempt=3), vanished.seat(2, team=2)]
        assert await program.last_line() == ""
        await way.connect(NORTH)
        await heard_by(new, 2)
        assert not beside.reader.at_eof()


async def test_a_table_that_cannot_be_reached_and_a_database_that_is_away_are_waited_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with listening(1) as (closed,):
        nowhere = closed.getsockname()[1]
    async with budget() as way, fake_table() as table:
        way.seats = [OpenSeat(1, 1, 1, Seat.NORTH, None, nowhere)]
        await way.connect(NORTH)
        await way.until_looked()
        await way.until_looked()
        await way.until_looked()
        way.is_away = True
        await way.until_looked()
        way.seats, way.is_away = [table.seat(1)], False
        lines, _ = await heard_by(table, 2)
        assert lines[1] == NORTH
        assert caplog.text.count("cannot be reached") == 1, "it is not logged at every try"


async def test_what_says_no_line_says_too_much_or_comes_in_crowds_is_closed_and_a_program_still_gets_in() -> None:
    limits = ConnectionLimits(log_on_ms=300, line_bytes=1024)
    async with budget(limits) as way, fake_table() as table:
        silent, endless = await way.connect(b""), await way.connect(b"x" * 3000)
        assert await silent.last_line() == await endless.last_line() == ""
        crowd = [await way.connect(NORTH) for _ in range(team_ports.WAITING_MAX + 1)]
        assert await crowd[0].last_line() == ""
        for each in crowd[1:]:
            await each.close()
        way.seats = [table.seat(1)]
        program = await way.connect(NORTH)
        lines: list[bytes] = []
        while not lines or lines[0] != format_relay_header(
            "{}:{}".format(*program.writer.get_extra_info("sockname")), KEY
        ):
            lines, _ = await heard_by(table, 2)


async def test_clients_led_to_the_events_own_port_give_way_to_no_crowd_that_says_nothing() -> None:
    def stream() -> socket.socket:
        near, far = socket.socketpair()
        for each in (near, far):
            each.setblocking(False)
        server.take_stream(team, "127.0.0.1:9", far, lambda: False)
        return near

    loop, team = asyncio.get_running_loop(), KeyTeam(1, 1, "Alpha")
    async with fake_table() as port:
        server = TeamPorts(list, "127.0.0.1", KEY, ConnectionLimits(), port.port)
        players = [stream() for _ in range(4)]
        for player in players:
            await loop.sock_sendall(player, format_frame(b"HELLO Alpha\r\n"))
            await heard_by(port, 2)
        crowd = [stream() for _ in range(team_ports.WAITING_MAX + len(players) + 1)]
        assert await loop.sock_recv(crowd[0], 1) == b""
        for player, writer in zip(players, port.writers, strict=True):
            writer.write(b"TOURNAMENTS Spring\r\n")
            assert b"TOURNAMENTS" in await loop.sock_recv(player, 100)
        await server.close()
        for each in (*players, *crowd):
            each.close()


# What has to wait


def flooded(port: int, count: int) -> list[socket.socket]:
    """Strangers that the system has connected to a port, whose process has not been told yet."""
    return [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]


async def test_a_programs_line_is_passed_on_while_a_crowd_waits_to_be_let_in() -> None:
    async with budget() as way, fake_table() as table:
        way.seats = [table.seat(1)]
        program = await way.connect(NORTH)
        reader, _ = await table.heard.get()
        await reader.readuntil(NORTH)
        crowd = flooded(way.ports[0], 60)
        try:
            os.write(program.writer.get_extra_info("socket").fileno(), b"North passes\r\n")
            await reader.readuntil(b"North passes\r\n")
            let_in = [task for task in asyncio.all_tasks() if "TeamPorts._serve" in repr(task.get_coro())]
            assert len(let_in) <= 1 + 5 * 4, "at most four come in between two looks at those who play"
        finally:
            for each in crowd:
                each.close()


@given(
    st.lists(st.tuples(st.binary(max_size=40), st.none() | st.integers(0, OWN_MS_MAX)), max_size=8),
    st.data(),
)
def test_frames_are_taken_apart_however_they_come(said: list[tuple[bytes, int | None]], data: st.DataObject) -> None:
    wire = b"".join(format_frame(*frame) for frame in said)
    frames, parts = FrameReader(), []
    while wire:
        size = data.draw(st.integers(1, len(wire)))
        parts += frames.feed(wire[:size])
        wire = wire[size:]
    assert b"".join(part for part, _ in parts) == b"".join(part for part, _ in said)
    assert {own_ms for _, own_ms in parts} <= {own_ms for _, own_ms in said}
    assert [format_frame(b"a", -7), format_frame(b"a", 10**30)] == [b"1 0\na", b"1 86400000\na"]


@pytest.mark.parametrize("wire", [b"x" * 33, b"x 3\n", b"North passes\r\n", b"\n", b"2 x\n", b"1 2 3\n"])
def test_what_is_no_frame_is_refused(wire: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        FrameReader().feed(wire)
