"""The door for remote teams' clients on real WebSockets: who gets in, and streams that outlive connections."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET
from urllib.parse import quote

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.host.test_team_ports import KEY, NORTH, fake_table, heard_by, listening
from tests.support.table_host import LOG_ON, Floor, floor, raw
from tests.support.waiting import until
from tourney.bridge import Seat
from tourney.host import tunnels
from tourney.host.relay import FrameReader, hash_relay_key
from tourney.host.team_ports import TeamPorts
from tourney.host.tunnel_sockets import HEAD_BYTES_MAX
from tourney.host.tunnels import REFUSED, REVOKED, WAIT, TunnelServer
from tourney.movement.seating import Room, TableState
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.tunnel.end import KEPT_BYTES_MAX, STREAMS_MAX, SUBPROTOCOL, TRY_AGAIN, TunnelEnd, TunnelSide
from tourney.protocol.tunnel.events import ByeReceived, CallAnswered, Connected, DataReceived, TunnelEvent
from tourney.protocol.tunnel.frames import SESSION_BYTES
from tourney.runtime.clock import HostClock
from tourney.store.control.tables import OpenSeat
from tourney.store.control.tunnels import TunnelStore, load_tunnels
from tourney.store.team_access import add_team_key, make_team_key, revoke_team_keys

HOLD_MS = 60_000


@dataclass
class Door:
    """An open door, the record behind it, and the seats that it believes to be open."""

    place: Floor
    door: TunnelServer
    port: int
    seats: list[OpenSeat] = field(default_factory=list)
    clients: "list[Client]" = field(default_factory=list)
    """Those that are cut off in the end."""

    def key(self, team: int = 1) -> str:
        """A new key of a team."""
        event = self.place.event
        return add_team_key(self.place.database, event.id, event.teams[team - 1].id, 0)

    def client(self, team: int = 1) -> "Client":
        """A client of a team, with a key of its own."""
        self.clients.append(Client(self, self.key(team), self.place.event.teams[team - 1].name))
        return self.clients[-1]

    async def coming(self, team: int = 1) -> "Client":
        """A client that has come."""
        await (client := self.client(team)).come()
        return client

    async def connect(self, key: str, team: str = "Alpha", **headers: str) -> ClientConnection:
        return await connect(
            f"ws://127.0.0.1:{self.port}/connect",
            additional_headers={"Authorization": f"Bearer {key}", "Tourney-Team": quote(team)} | headers,
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item] # a text
            compression=None,
            ping_interval=None,
            proxy=None,
        )

    async def refusal(self, key: str, team: str = "Alpha", **headers: str) -> tuple[int, str]:
        with pytest.raises(InvalidStatus) as refused:
            await self.connect(key, team, **headers)
        response = refused.value.response
        return response.status_code, response.body.decode().strip()


@asynccontextmanager
async def open_door(folder: Path, hold_ms: int = HOLD_MS) -> AsyncIterator[Door]:
    async with floor(folder, relay_key=hash_relay_key(KEY)) as place:
        with listening(1) as (socket,):
            clock = HostClock(place.database.server_ms())
            seats: list[OpenSeat] = []
            ports = TeamPorts(lambda: list(seats), "127.0.0.1", KEY, ConnectionLimits())
            store = TunnelStore(place.database, place.event.id, clock.wall_ms)
            door = TunnelServer(store, ports.take_stream, clock.now_ms, clock.wall_ms, hold_ms)
            await door.open(socket)
            opened = Door(place, door, socket.getsockname()[1], seats)
            try:
                yield opened
            finally:
                for client in opened.clients:
                    await client.cut()
                await door.close()
                await ports.close()


class Client:
    """The client of a team: a session that can be connected again and again."""

    def __init__(self, door: Door, key: str, team: str) -> None:
        self.end = TunnelEnd(TunnelSide.CLIENT, secrets.token_bytes(SESSION_BYTES))
        self.events: asyncio.Queue[TunnelEvent] = asyncio.Queue()
        self.said: dict[int, bytes] = {}
        self.websocket: ClientConnection | None = None
        self._door, self._key, self._team = door, key, team
        self._reading: asyncio.Task[None] | None = None

    async def come(self) -> None:
        """Connect, or connect again, and wait until the door has answered."""
        await self.connect()
        await self.until(Connected)

    async def connect(self) -> None:
        """Connect, or connect again."""
        await self.cut()
        self.websocket = await self._door.connect(self._key, self._team)
        self.end.connect(now_ms())
        await self.flush()
        self._reading = asyncio.create_task(self._read(self.websocket))

    async def is_told_to_wait(self) -> None:
        """Connect in vain."""
        await self.connect()
        assert self.websocket is not None
        await self.websocket.wait_closed()
        assert (self.websocket.close_code, self.websocket.close_reason) == (TRY_AGAIN, WAIT)

    async def take_over(self) -> None:
        """Connect again and again, until the other client of the team gives way."""
        while True:
            await self.connect()
            assert self.websocket is not None
            closed = asyncio.create_task(self.websocket.wait_closed())
            connected = asyncio.create_task(self.until(Connected))
            done, rest = await asyncio.wait({closed, connected}, return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
            if connected in done:
                return

    async def leave(self) -> None:
        """End the session."""
        self.end.send_bye("the author has stopped the client")
        await self.flush()
        assert self.websocket is not None
        await self.websocket.close()

    async def cut(self) -> None:
        """Lose the connection without a farewell."""
        if self._reading is not None:
            self._reading.cancel()
        if self.websocket is not None:
            self.websocket.transport.abort()
            self.end.disconnect(now_ms())
            self.websocket = None

    def fall_silent(self) -> None:
        """Answer nothing any more, as a machine that has lost its power."""
        assert self._reading is not None
        self._reading.cancel()

    async def flush(self) -> None:
        while self.websocket is not None and (message := self.end.next_message()) is not None:
            await self.websocket.send(message)

    async def _read(self, websocket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for message in websocket:
                assert isinstance(message, bytes)
                self.end.receive(message, now_ms())
                while (event := self.end.next_event()) is not None:
                    if isinstance(event, DataReceived):
                        self.said[event.stream] = self.said.get(event.stream, b"") + event.data
                        self.end.acknowledge(event.stream, len(event.data))
                    self.events.put_nowait(event)
                await self.flush()

    async def say(self, stream: int, data: bytes, own_ms: int | None = None) -> None:
        self.end.send(stream, data, own_ms)
        await self.flush()

    async def sit(self, seat: str = "North") -> None:
        """Have a program take a seat, through a stream of its own."""
        stream = self.end.open_stream()
        await self.say(stream, LOG_ON.format("Alpha", seat).encode())
        await self.until_said(stream, f'{seat} ("Alpha") seated\r\n'.encode())

    async def call_director(self, text: str) -> str:
        """Call the director, and return the answer."""
        self.end.call_director(text)
        await self.flush()
        answered = await self.until(CallAnswered)
        assert isinstance(answered, CallAnswered)
        return answered.text

    async def until(self, kind: type[TunnelEvent]) -> TunnelEvent:
        """Wait for the next event of a kind."""
        while not isinstance(event := await self.events.get(), kind):
            pass
        return event

    async def until_said(self, stream: int, data: bytes) -> None:
        """Wait until a program has been told all of this."""
        while self.said.get(stream, b"") != data:
            assert data.startswith(self.said.get(stream, b""))
            await self.events.get()


def now_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


# Who gets in


async def test_a_wrong_key_a_revoked_one_and_a_name_that_is_no_teams_get_the_same_answer(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        key, former = door.key(), door.key(2)
        revoke_team_keys(door.place.database, door.place.event.id, door.place.event.teams[1].id, 5)
        expected = (401, REFUSED)
        assert await door.refusal(make_team_key()) == expected
        assert await door.refusal(former, "Beta") == expected
        assert await door.refusal(key, "Gamma") == expected
        assert await door.refusal(key, "Beta") == expected
        websocket = await door.connect(key.lower(), " alpha ")
        await websocket.close()


async def test_a_request_that_does_not_become_a_websocket_takes_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "TUNNELS_MAX", 1)
    async with open_door(tmp_path) as door:
        key = door.key()
        head = f"GET /connect HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {key}\r\nTourney-Team: Alpha\r\n\r\n"
        async with raw(door.port, head.encode()) as plain:
            assert b" 426 " in await plain.reader.readline()
            first = await door.connect(key)
            assert (await door.refusal(key))[0] == 503
        await first.close()


async def test_after_too_many_wrong_keys_an_address_waits_and_others_do_not(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        key, at = door.key(), {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
        for _ in range(tunnels.WRONG_KEYS_MAX):
            assert (await door.refusal(make_team_key(), **at))[0] == 401
        status, why = await door.refusal(make_team_key(), **at)
        assert (status, why) == (429, "too many wrong keys came from 203.0.113.9: try again in 1 s")
        await (await door.connect(key)).close()


async def test_a_known_key_comes_in_while_so_many_guess_that_they_are_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "UNKNOWN_AT_ONCE", 0)
    async with open_door(tmp_path) as door:
        key = door.key()
        with pytest.raises(InvalidMessage):
            await door.connect(make_team_key())
        await door.door.poll()
        await (await door.connect(key)).close()


async def test_a_client_that_says_no_hello_or_garbage_is_told_and_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "HELLO_MS", 50)
    async with open_door(tmp_path) as door:
        key = door.key()
        for first in (None, b"", b"x" * 30, bytes(21)):
            websocket = await door.connect(key)
            if first is not None:
                await websocket.send(first)
            with suppress(ConnectionClosed):
                while True:
                    await websocket.recv()
            assert websocket.close_code is not None
        await door.coming()


PING, BEGINS, GOES_ON = (bytes([code, 0x80]) + bytes(4) for code in (0x89, 0x02, 0x00))
"""Frames without bytes: a ping, and the first and a further piece of a message that does not end."""


@pytest.mark.parametrize("flood", [PING * 1000, BEGINS + GOES_ON * 1000], ids=["pings", "pieces"])
async def test_a_flood_of_frames_that_no_client_of_ours_sends_is_cut(tmp_path: Path, flood: bytes) -> None:
    async with open_door(tmp_path) as door:
        websocket = await door.connect(door.key())
        websocket.transport.write(flood)
        async with asyncio.timeout(4):  # less than a hello may take
            await websocket.wait_closed()


@pytest.mark.parametrize(
    "said",
    [b"garbage\r\n" * 10, b"GET /connect HTTP/1.1\r\nHost: here\r\n\r\n" + PING, b"X" * (HEAD_BYTES_MAX + 1)],
    ids=["no request", "more than a request", "too long"],
)
async def test_what_is_no_request_alone_is_cut_without_an_answer(tmp_path: Path, said: bytes) -> None:
    async with open_door(tmp_path) as door, raw(door.port, said) as client:
        async with asyncio.timeout(4):  # less than a request may take
            with suppress(ConnectionError):
                assert await client.reader.read() == b""


async def test_requests_that_never_end_give_way_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnels, "UNANSWERED_MAX", 2)
    async with open_door(tmp_path) as door:
        half = [await asyncio.open_connection("127.0.0.1", door.port) for _ in range(3)]
        async with asyncio.timeout(4):  # less than a request may take
            with suppress(ConnectionError):
                assert await half[0][0].read() == b""
        await (await door.connect(door.key())).close()
        for _, writer in half:
            writer.close()


async def test_a_second_client_of_a_team_waits_until_the_first_has_gone(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        first, second = await door.coming(), door.client()
        await second.is_told_to_wait()
        await door.coming(2)
        await door.door.poll()
        going_on = load_tunnels(door.place.database, door.place.event.id)
        assert [(each.team, each.address) for each in going_on] == [("Alpha", "127.0.0.1"), ("Beta", "127.0.0.1")]
        await first.leave()
        await second.come()
        third = door.client()
        await third.is_told_to_wait()
        await second.cut()
        await third.come()


async def test_a_second_client_of_a_team_never_pushes_out_one_through_which_programs_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_door(tmp_path) as door, door_to_table(door):
        playing, second = await door.coming(), door.client()
        await playing.sit()
        await second.is_told_to_wait()
        await playing.cut()
        await second.is_told_to_wait()
        await playing.come()
        await playing.call_director("still here")
        await playing.cut()
        monkeypatch.setattr(tunnels, "COME_BACK_MS", -1)
        await second.take_over()


async def test_websockets_of_a_team_never_push_out_one_through_which_programs_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "WEBSOCKETS_PER_TEAM", 2)
    async with open_door(tmp_path) as door, door_to_table(door):
        key, client, refused = door.key(), await door.coming(), []
        await client.sit()
        for _ in range(3):
            websocket = await door.connect(key)
            await websocket.send(bytes(30))  # no hello: it is told and closed, and goes on reading nothing
            refused.append(websocket)
        await client.call_director("still here")
        for websocket in refused:
            websocket.transport.abort()


async def test_a_client_that_has_fallen_silent_gives_way(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        silent, second = await door.coming(), door.client()
        silent.fall_silent()
        later_ms = itertools.count(door.door.wall_ms(), tunnels.SILENT_MS + 1)  # each look is so much later
        door.door.wall_ms = lambda: next(later_ms)
        await second.take_over()
        assert silent.websocket is not None
        assert second.websocket is not None
        await silent.websocket.wait_closed()
        assert second.websocket.close_code is None


async def test_a_key_that_is_revoked_ends_its_tunnels(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        client, _ = await door.coming(), await door.coming(2)
        revoke_team_keys(door.place.database, door.place.event.id, door.place.event.teams[0].id, 5)
        await door.door.poll()
        assert await client.until(ByeReceived) == ByeReceived(REVOKED)
        await door.door.poll()
        (left,) = load_tunnels(door.place.database, door.place.event.id)
        assert left.team == "Beta"


# Streams


async def test_a_program_of_a_client_that_was_started_again_gets_the_seat_kept_for_the_former_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "COME_BACK_MS", -1)
    async with open_door(tmp_path) as door, door_to_table(door):
        former, client = await door.coming(), door.client()
        for seat in ("North", "South"):
            await former.sit(seat)
        await former.cut()
        await client.take_over()
        await client.sit()


@asynccontextmanager
async def door_to_table(door: Door) -> AsyncIterator[None]:
    """Have the door know the seats of the table in the open room, once that is open."""
    table = door.place.table(Room.OPEN)
    info = await door.place.until(table, TableState.OPEN)
    door.seats += [
        OpenSeat(1 + (seat in (Seat.EAST, Seat.WEST)), table.id, 1, seat, None, info.ports[seat]) for seat in Seat
    ]
    yield


async def hear(reader: asyncio.StreamReader, frames: FrameReader, data: bytes) -> None:
    """Wait until a table has been told all of this, and nothing else."""
    heard = b""
    while heard != data:
        assert data.startswith(heard)
        heard += b"".join(part.data for part in frames.feed(await reader.read(65_536)))


async def test_a_client_that_reads_nothing_holds_up_neither_its_other_streams_nor_another_tunnel(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path) as door, fake_table() as noisy, fake_table() as calm, fake_table() as beta:
        door.seats += [noisy.seat(1), calm.seat(2, Seat.SOUTH), beta.seat(3, Seat.EAST, team=2)]
        deaf, other = await door.coming(), await door.coming(2)
        streams, heard = {}, {}
        for client, table, seat in ((deaf, noisy, "North"), (deaf, calm, "South"), (other, beta, "East")):
            streams[table] = client.end.open_stream()
            await client.say(streams[table], first := LOG_ON.format("Any", seat).encode())
            reader, writer = await table.heard.get()
            await reader.readline()
            heard[table] = reader, FrameReader(), writer
            await hear(*heard[table][:2], first)
        assert deaf.websocket is not None
        connection = deaf.websocket.transport.get_extra_info("socket")
        connection.setsockopt(SOL_SOCKET, SO_RCVBUF, 65_536)
        deaf.websocket.transport.pause_reading()
        told = bytes(range(256)) * (2 * KEPT_BYTES_MAX // 256)
        heard[noisy][2].write(told)
        for n in range(20):
            line = b"line %d\r\n" % n
            await deaf.say(streams[calm], line)
            await hear(*heard[calm][:2], line)
            heard[beta][2].write(line)
            await other.until_said(streams[beta], b"".join(b"line %d\r\n" % each for each in range(n + 1)))
        assert deaf.said == {}
        connection.setsockopt(SOL_SOCKET, SO_RCVBUF, 1_000_000)
        deaf.websocket.transport.resume_reading()
        await deaf.until_said(streams[noisy], told)


async def test_a_flood_is_held_back_to_the_pace_of_a_tunnel_and_nothing_of_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "BURST_BYTES", 10_000)
    async with open_door(tmp_path) as door, fake_table() as table:
        door.seats.append(table.seat(1))
        client = await door.coming()
        stream = client.end.open_stream()
        await client.say(stream, NORTH)
        reader, _ = await table.heard.get()
        await reader.readline()
        await hear(reader, frames := FrameReader(), NORTH)
        flood = [b"%04d" % n * 250 for n in range(60)]
        began_ms = now_ms()
        for part in flood:
            await client.say(stream, part)
        await hear(reader, frames, b"".join(flood))
        assert now_ms() - began_ms >= (59_000 - 10_000) * 1000 // tunnels.BYTES_PER_S  # the last part waits for 59


async def test_a_session_that_nobody_comes_back_to_is_reset(tmp_path: Path) -> None:
    async with open_door(tmp_path, hold_ms=1) as door, fake_table() as table:
        door.seats.append(table.seat(1))
        client = await door.coming()
        stream = client.end.open_stream()
        await client.say(stream, NORTH)
        await heard_by(table, 2)
        await client.cut()
        await until(lambda: not door.door._sessions)
        await client.come()
        assert client.end.streams == ()
        assert door.door._sessions


async def test_more_streams_than_a_tunnel_may_have_break_its_connection_and_leave_the_others(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        client = await door.coming()
        for _ in range(STREAMS_MAX):
            client.end.open_stream()
        await client.flush()
        await client.cut()
        await client.come()
        assert len(client.end.streams) == STREAMS_MAX


async def test_the_director_is_called_from_afar_while_the_team_plays(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, door_to_table(door):
        client, _ = await door.coming(), await door.coming(2)
        assert await client.call_director("my program hangs") == "the director has been told"
        ((kind, text),) = door.place.query("SELECT kind, text FROM incidents")
        assert (kind, text) == ("director-called", "Alpha calls the director: my program hangs")
        written = door.door.store
        door.door.store = None  # type: ignore[assignment] # the answers to come need no record
        for _ in range(5):
            assert await client.call_director("it still hangs") == "the director has been told"
        door.door.store = written
