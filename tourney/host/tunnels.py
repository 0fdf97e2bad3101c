"""The organiser's end of the tunnels: a WebSocket for each remote team's client, and its streams led to tables.

It is a part of the process of the team ports (`team_ports`), and so outlives runs, table hosts and the web server.
It listens on the loopback interface: TLS and the open internet are the business of the web server in front, which
passes `/connect` on. What is said in a tunnel, and that nothing of it is lost, is the business of
`protocol.tunnel`; here are sockets, and who may come in.

- A client shows the key of its team in the request for the WebSocket. A wrong key, a revoked one and a name that is
  no team's get one answer.
- Each of its streams becomes a connection that is served like one to the port of its team (`TeamPorts.take_stream`),
  but that the tables know its team: its programs need no passphrase, and get no other team's seat.
- A session outlives its WebSocket for a while, so that a program never notices that the connection was lost. A team
  has one client at a time: another one that comes with its key is told to wait, and takes over when the first has
  gone or been silent for too long.
"""

import asyncio
import contextlib
import ipaddress
import logging
import re
import secrets
import socket
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from tourney.errors import ProtocolError, StoreError, UsageError
from tourney.host.ports import Acceptor
from tourney.host.relay import format_frame
from tourney.host.tunnel_sockets import READ_BYTES, AskingConnection, TunnelSocket
from tourney.protocol.access import peer_key
from tourney.protocol.admission import ConnectionBudget, FailurePace, SlidingWindow, TokenBucket
from tourney.protocol.session.logon import same_name
from tourney.protocol.session.records import DIRECTOR_GAP_MS
from tourney.protocol.tunnel.end import HELLO_MS, PING_MS, SUBPROTOCOL, TRY_AGAIN, TunnelEnd, TunnelSide
from tourney.protocol.tunnel.events import (
    ByeReceived,
    ConnectionDead,
    DataReceived,
    DirectorCalled,
    EofReceived,
    RoomMade,
    StreamClosed,
    StreamOpened,
    StreamReset,
    TunnelEvent,
)
from tourney.protocol.tunnel.frames import MESSAGE_BYTES_MAX, Hello, format_bye, parse_hello
from tourney.runtime.event_loop import wait_up_to
from tourney.store.control.tunnels import TunnelRecord, TunnelStore
from tourney.store.team_access import KeyTeam, hash_team_key

_LOGGER: Final = logging.getLogger(__name__)

PATH: Final = "/connect"

_SHOWN_KEY: Final = re.compile(rb"(?i)\r\nauthorization:[ \t]*bearer[ \t]+(\S+)")

TUNNELS_MAX: Final = 500
"""WebSockets that one server has at once."""

WEBSOCKETS_PER_TEAM: Final = 8
"""WebSockets of one team at once, with those that have said no hello and those that are being closed; when one more
comes, the oldest that has said nothing gives way, and never one that carries a session."""

COMES_PER_TEAM: Final = 120
"""How often the clients of one team may come within a minute; on a network that breaks every second, one does."""

UNANSWERED_MAX: Final = 128
"""Connections whose requests are not whole, or not answered; the oldest gives way."""

ACCEPTED_PER_S: Final = 400
ACCEPTS_A_TURN: Final = 4
"""Connections that are taken a second, and before programs have their turn; others wait in the backlog."""

BACKLOG: Final = 512
"""How many of them may: a client with a known key waits about a second behind strangers at most."""

UNKNOWN_PER_S: Final = 50
UNKNOWN_AT_ONCE: Final = 50
"""Requests without a known key that are answered a second, and at once; the keys are looked up of as many."""

BYTES_PER_S: Final = 100_000
"""What the programs of one tunnel may say: those of two tables who think for 5 ms each say two thirds of that."""

BURST_BYTES: Final = 500_000

MESSAGE_COST_BYTES: Final = 50
OPEN_COST_BYTES: Final = 5_000
"""What a message counts beside its length, and the opening of a stream beside that: the work is not in the bytes."""

RECALL_MS: Final = 2000
"""How long a team is given the same answer whose call for the director could not be put on record."""

WRONG_KEYS_MAX: Final = 5
"""After so many wrong keys an address has to wait before the next one is looked at."""

HOLD_MS_MAX: Final = 120_000
"""How long a session is held at most whose connection is lost; less where seats are not kept for as long."""

SILENT_MS: Final = PING_MS * 3 // 2
"""After so long without a message, pings are unanswered: the client's machine may have gone without a word."""

COME_BACK_MS: Final = 5000
"""How long another client of its team waits for one whose connection is lost while programs play through it."""

POLL_S: Final = 2.0
"""How often it is looked which keys are valid still, and put on record what passes through tunnels, in seconds."""

_READ_BYTES: Final = 32_768

REFUSED: Final = "this is not the key of that team: the organiser gives out keys, and may have revoked this one"
WAIT: Final = "another client of this team is connected, and this one takes over when that is gone"
TAKEN_OVER: Final = "another client has come with the key of this team, and takes over"
REVOKED: Final = "the organiser has revoked the key of this tunnel"
RESTARTED: Final = "the server of tunnels has ended; it comes back as long as the event is run"


TakeStream = Callable[[KeyTeam, str, socket.socket, Callable[[], bool]], None]
"""Serves a stream of a team from an address, over a socket that carries frames; the function tells whether the
connection of its tunnel is lost."""


@dataclass(eq=False, slots=True)
class _Stream:
    """A program's stream: the near end of a pair of sockets whose far end is led to a table."""

    socket: socket.socket
    unwritten: "asyncio.Queue[DataReceived | None]" = field(default_factory=asyncio.Queue)
    """What the program has said; None is the end of it."""
    room: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)


class _Tunnel:
    """A session of one client, over any number of WebSockets, one at a time."""

    def __init__(self, owner: "TunnelServer", team: KeyTeam, key_hash: str, session: bytes) -> None:
        self.team = team
        self.key_hash = key_hash
        self.address = ""
        self.opened_at_ms = self.seen_at_ms = owner.wall_ms()
        self.lost_at_ms = 0
        self.resumes = -1
        self.bytes_up = self.bytes_down = 0
        self.reason = ""
        self.pace = TokenBucket(BYTES_PER_S, BURST_BYTES)
        incarnation = secrets.randbits(63) + 1
        self.end = TunnelEnd(TunnelSide.SERVER, session, incarnation=incarnation, hold_ms=owner.hold_ms)
        self._owner = owner
        self.websocket: TunnelSocket | None = None
        self.streams: dict[int, _Stream] = {}
        self._may_send = asyncio.Event()
        self._may_wake = asyncio.Event()
        """Set when there may be something to send, or another time to wake."""
        self._working = (asyncio.create_task(self._send_all()), asyncio.create_task(self._tick_all()))

    @property
    def is_lost(self) -> bool:
        """Whether its connection is lost, or so silent that it may be."""
        return self.websocket is None or self._is_silent

    @property
    def _is_silent(self) -> bool:
        return self._owner.wall_ms() - self.seen_at_ms > SILENT_MS

    @property
    def is_replaceable(self) -> bool:
        """Whether another client of its team may take over; one through which programs play may yet come back."""
        waited_ms = self._owner.now_ms() - self.lost_at_ms
        is_given_up = self.websocket is None and (not self.streams or waited_ms > COME_BACK_MS)
        return is_given_up or self._is_silent

    def record(self) -> TunnelRecord:
        """Return what the record has of it."""
        return TunnelRecord(
            team=self.team.name,
            team_id=self.team.id,
            session=self.end.session,
            address=self.address,
            opened_at_ms=self.opened_at_ms,
            seen_at_ms=self.seen_at_ms,
            ended_at_ms=self.seen_at_ms if self.end.has_ended else None,
            reason=self.reason,
            resumes=max(0, self.resumes),
            bytes_up=self.bytes_up,
            bytes_down=self.bytes_down,
        )

    async def carry(self, websocket: TunnelSocket, hello: Hello, address: str) -> None:
        """Carry the session over a WebSocket until that ends, or another one takes its place."""
        former, self.websocket = self.websocket, websocket
        if former is not None:
            former.cut()  # its client has given it up; a farewell would wait behind all that it does not read
        try:
            self.end.connect(self._owner.now_ms(), hello)
            self.address, self.seen_at_ms = address, self._owner.wall_ms()
            self.resumes += 1
            self._settle()
            while self.websocket is websocket:
                message = await websocket.recv(decode=False)
                if self.websocket is not websocket:
                    return
                self.seen_at_ms = self._owner.wall_ms()
                self.end.receive(message, self._owner.now_ms())
                self._settle()
                self.pace.take(len(message) + MESSAGE_COST_BYTES)
                await asyncio.sleep(self.pace.wait_ms(self._owner.now_ms()) / 1000)
        except ConnectionClosed:
            pass
        except ProtocolError as error:
            _LOGGER.warning(
                "the tunnel of %s from %s breaks off: %s",
                self.team.name,
                address,
                error,
                extra={"action": "tunnel_error", "team": self.team.name},
            )
            await websocket.close(1002, str(error)[:100])
        finally:
            if self.websocket is websocket:
                self.websocket = None
                self.lost_at_ms = self._owner.now_ms()
                self.end.disconnect(self._owner.now_ms())
                self._settle()

    async def send_bye(self, reason: str) -> None:
        """End the session for good, and tell the client why."""
        self.reason = reason
        self.end.send_bye(reason)
        websocket, self.websocket = self.websocket, None
        message = self.end.next_message()
        self._finish()
        if websocket is not None:
            try:
                async with asyncio.timeout(HELLO_MS / 1000):
                    if message is not None:
                        await websocket.send(message)
                    await websocket.close()
            except (ConnectionClosed, TimeoutError):
                websocket.cut()

    async def drop(self) -> None:
        """Close the connection without ending the session: the client comes back, to another process."""
        self.reason = RESTARTED
        websocket, self.websocket = self.websocket, None
        self.end.send_bye("")  # said to nobody
        self._finish()
        if websocket is not None:
            await websocket.close(1001)

    # The core

    def _settle(self) -> None:
        """Carry out what the core has decided, and have sent what it has to send."""
        while (event := self.end.next_event()) is not None:
            self._carry_out(event)
        self._may_send.set()
        self._may_wake.set()
        if self.end.has_ended:
            self._finish()

    def _carry_out(self, event: TunnelEvent) -> None:
        match event:
            case StreamOpened(stream):
                self._open_stream(stream)
            case DataReceived(stream) if stream in self.streams:
                self.bytes_up += len(event.data)
                self.streams[stream].unwritten.put_nowait(event)
            case EofReceived(stream) if stream in self.streams:
                self.streams[stream].unwritten.put_nowait(None)
            case RoomMade(stream) if stream in self.streams:
                self.streams[stream].room.set()
            case StreamReset(stream) | StreamClosed(stream):
                self._close_stream(stream)
            case DirectorCalled(call, text):
                self._owner.spawn(self._call_director(call, text))
            case ConnectionDead():
                websocket, self.websocket = self.websocket, None
                if websocket is not None:
                    websocket.cut()
            case ByeReceived(reason):
                self.reason = reason
            case _:
                pass

    async def _send_all(self) -> None:
        """Send what the core has to send; that may wait for long for a client that reads nothing."""
        while not self.end.has_ended:
            await self._may_send.wait()
            self._may_send.clear()
            while (websocket := self.websocket) is not None and (message := self.end.next_message()) is not None:
                try:
                    await websocket.send(message)
                except ConnectionClosed:
                    break  # whoever reads it notices that too

    async def _tick_all(self) -> None:
        """Wake the core when it wants to be."""
        while not self.end.has_ended:
            wake_at_ms = self.end.wake_at_ms
            wait_s = max(0, wake_at_ms - self._owner.now_ms()) / 1000 if wake_at_ms is not None else None
            await wait_up_to(self._may_wake, wait_s)
            self.end.tick(self._owner.now_ms())
            self._settle()
            self._may_wake.clear()

    async def _call_director(self, call: int, text: str) -> None:
        self.pace.take(OPEN_COST_BYTES)
        self.end.answer_call(call, await self._owner.call_director(self.team, text))
        self._settle()

    # Streams

    def _open_stream(self, number: int) -> None:
        self.pace.take(OPEN_COST_BYTES)
        try:
            near, far = socket.socketpair()
        except OSError:
            self.end.reset(number, "the server has no room for one more program now")
            return
        for end in (near, far):
            end.setblocking(False)  # noqa: FBT003 # the standard library's signature
        stream = self.streams[number] = _Stream(near)
        stream.room.set()
        self._owner.take_stream(self.team, f"{self.address}:0", far, lambda: self.is_lost)
        for work in (self._write(number, stream), self._read(number, stream)):
            stream.tasks.append(asyncio.create_task(work))

    async def _write(self, number: int, stream: _Stream) -> None:
        """Pass on what a program says to its table."""
        loop = asyncio.get_running_loop()
        try:
            while (said := await stream.unwritten.get()) is not None:
                await loop.sock_sendall(stream.socket, format_frame(said.data, said.own_ms))
                self.end.acknowledge(number, len(said.data))
                self._settle()
            stream.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self._reset(number)

    async def _read(self, number: int, stream: _Stream) -> None:
        """Pass on what a table says to its program; while there is no room for more, nothing more is read."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                room = self.end.room(number)
                if not room:
                    stream.room.clear()
                    await stream.room.wait()
                    continue
                data = await loop.sock_recv(stream.socket, min(room, _READ_BYTES))
                if not data:
                    break
                self.bytes_down += len(data)
                self.end.send(number, data)
                self._settle()
            self.end.send_eof(number)
            self._settle()
        except OSError:
            self._reset(number)

    def _reset(self, number: int) -> None:
        if number in self.streams:
            self.end.reset(number, "the table has closed the connection")
            self._close_stream(number)
            self._settle()

    def _close_stream(self, number: int) -> None:
        stream = self.streams.pop(number, None)
        if stream is not None:
            for task in stream.tasks:
                if task is not asyncio.current_task():
                    task.cancel()
            stream.socket.close()

    def _finish(self) -> None:
        for number in list(self.streams):
            self._close_stream(number)
        for task in self._working:
            if task is not asyncio.current_task():
                task.cancel()
        self._owner.forget(self)


class TunnelServer:
    """The server for the clients of all teams of one event."""

    def __init__(
        self,
        store: TunnelStore,
        take_stream: TakeStream,
        now_ms: Callable[[], int],
        wall_ms: Callable[[], int],
        hold_ms: int,
    ) -> None:
        """Prepare.

        Args:
            store: the record.
            take_stream: serves the streams.
            now_ms: a clock that never goes back, in milliseconds.
            wall_ms: the clock of the record, in milliseconds.
            hold_ms: how long a session is held whose connection is lost; at most `HOLD_MS_MAX` is.
        """
        self.store = store
        self.take_stream = take_stream
        self.now_ms = now_ms
        self.wall_ms = wall_ms
        self.hold_ms = min(hold_ms, HOLD_MS_MAX)
        self._wrong_keys = FailurePace(WRONG_KEYS_MAX)
        self._sessions: dict[bytes, _Tunnel] = {}
        self._ended: list[TunnelRecord] = []
        """The sessions that have ended since they were last put on record."""
        self._teams: WeakKeyDictionary[ServerConnection, tuple[KeyTeam, str]] = WeakKeyDictionary()
        """Whose each WebSocket is, with the hash of the key that it has shown; some never come to be open."""
        self._open = ConnectionBudget[TunnelSocket](TUNNELS_MAX, WEBSOCKETS_PER_TEAM)
        """The WebSockets that are open, by team; one that carries a session gives way to nobody."""
        self._unanswered = ConnectionBudget[asyncio.Transport](UNANSWERED_MAX)
        """Connections without a whole request, or whose key is being looked up."""
        self._comes = SlidingWindow(COMES_PER_TEAM)
        self._calls: dict[int, tuple[int, str]] = {}
        """Until when a team that calls the director, by its id, is answered from memory, and what."""
        self._unknown = TokenBucket(UNKNOWN_PER_S, UNKNOWN_AT_ONCE)
        self._known: dict[str, KeyTeam] = {}
        """The teams of the keys that are valid, by their hashes: nobody who guesses keeps these waiting."""
        self._lookup_lock = asyncio.Lock()
        self._pace = TokenBucket(ACCEPTED_PER_S, ACCEPTED_PER_S)
        self._server: Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, listener: socket.socket) -> None:
        """Let clients in over a listening socket."""
        with contextlib.suppress(StoreError):
            self._known = await asyncio.to_thread(self.store.load_keys)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, READ_BYTES)  # its connections inherit that
        listener.setblocking(False)  # noqa: FBT003 # the standard library's signature
        listener.listen(BACKLOG)
        server = self._server = await serve(
            self._serve,
            sock=socket.socket(),  # it accepts nothing: that goes at our own pace
            start_serving=False,
            process_request=self._check_request,
            open_timeout=HELLO_MS / 1000,
            server_header=None,
            logger=_LOGGER.getChild("websockets"),
        )
        server.is_serving = lambda: True  # type: ignore[method-assign] # else the library refuses everybody
        self._acceptor = Acceptor(
            listener,
            lambda accepted: self.spawn(self._open_connection(server, accepted)),
            lambda: self._pace.wait_ms(self.now_ms()),
            ACCEPTS_A_TURN,
        )

    async def watch(self) -> None:
        """Put on record what passes through the tunnels, and end those whose keys were revoked, until cancelled."""
        while True:
            await asyncio.sleep(POLL_S)
            await self.poll()

    async def poll(self) -> None:
        """Do what `watch` does, once."""
        ended, self._ended = self._ended, []
        records = [*ended, *(tunnel.record() for tunnel in self._sessions.values())]
        try:
            if records:
                await asyncio.to_thread(self.store.save, records)
            self._known = await asyncio.to_thread(self.store.load_keys)
        except StoreError:
            self._ended = ended + self._ended
            return
        for tunnel in [each for each in self._sessions.values() if each.key_hash not in self._known]:
            self.spawn(tunnel.send_bye(REVOKED))

    async def call_director(self, team: KeyTeam, text: str) -> str:
        """Put on record that a team calls the director, unless it has just done so; return the answer."""
        until_ms, answer = self._calls.get(team.id, (0, ""))
        if self.now_ms() < until_ms:
            return answer
        self._calls[team.id] = self.now_ms() + DIRECTOR_GAP_MS, "the director is being told"
        answer, again_ms = "the director has been told", DIRECTOR_GAP_MS
        try:
            if not await asyncio.to_thread(self.store.call_director, team, text):
                answer, again_ms = f"{team.name} plays at no table now", RECALL_MS
        except StoreError:
            answer, again_ms = "the record cannot be written now, so nobody was told: try again", RECALL_MS
        self._calls[team.id] = self.now_ms() + again_ms, answer
        return answer

    async def close(self) -> None:
        """End all tunnels: the process ends, and clients come back to the next one."""
        await asyncio.gather(*(tunnel.drop() for tunnel in list(self._sessions.values())))
        for transport in self._unanswered:
            transport.abort()
        if self._server is not None:
            self._acceptor.close()
            self._server.close()
            await self._server.wait_closed()
        with contextlib.suppress(StoreError):
            await asyncio.to_thread(self.store.save, self._ended)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def forget(self, tunnel: _Tunnel) -> None:
        """Note that a session has ended."""
        if self._sessions.get(tunnel.end.session) is tunnel:
            del self._sessions[tunnel.end.session]
            self._ended.append(tunnel.record())

    # One WebSocket

    async def _open_connection(self, server: Server, accepted: socket.socket) -> None:
        def make_websocket() -> TunnelSocket:
            protocol = ServerProtocol(
                subprotocols=[SUBPROTOCOL],  # type: ignore[list-item] # a text, as `Subprotocol` is
                max_size=MESSAGE_BYTES_MAX,
                logger=server.logger,
            )
            return TunnelSocket(
                self._unanswered.leave,
                self.now_ms,
                protocol,
                server,
                max_queue=4,
                ping_interval=None,  # the core pings, and knows when a connection is dead
                close_timeout=HELLO_MS / 1000,
            )

        def ask() -> AskingConnection:
            return AskingConnection(self._note_opened, self._unanswered.leave, self._may_ask, make_websocket)

        self._pace.take()
        try:
            await asyncio.get_running_loop().connect_accepted_socket(ask, accepted)
        except OSError:
            accepted.close()

    def _note_opened(self, transport: asyncio.Transport) -> None:
        """Take in a connection; the oldest that has no answer yet gives way if there are too many."""
        if (eviction := self._unanswered.enter(transport, "")) is not None:
            self._unanswered.leave(eviction.connection)
            eviction.connection.abort()

    def _may_ask(self, head: bytes) -> bool:
        """Return whether a request is answered: a known key that comes not too often always, others at a pace."""
        key = _SHOWN_KEY.search(head)
        with contextlib.suppress(UsageError):
            team = self._known.get(hash_team_key(key[1].decode("latin-1"))) if key is not None else None
            if team is not None and not self._comes.wait_ms(str(team.id), self.now_ms()):
                return True
        return self._unknown.take_one(self.now_ms())

    async def _check_request(self, websocket: ServerConnection, request: Request) -> Response | None:
        """Let a client in that shows the key of its team; say in one sentence why not to any other."""
        if request.path.partition("?")[0] != PATH:
            return websocket.respond(HTTPStatus.NOT_FOUND, f"there is nothing here but {PATH}\n")
        if len(self._open) >= TUNNELS_MAX:
            return websocket.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"{TUNNELS_MAX} tunnels are open: try again\n")
        address = find_address(websocket)
        key = peer_key(f"{address}:0")
        key_hash, name = _find_key(request.headers)
        team = self._known.get(key_hash)
        if team is None:
            async with (
                self._lookup_lock
            ):  # one after the other, so that no address has more looked at by coming at once
                wait_ms = self._wrong_keys.wait_ms(key, self.now_ms())
                if wait_ms:
                    why = f"too many wrong keys came from {address}: try again in {-(-wait_ms // 1000)} s\n"
                    return websocket.respond(HTTPStatus.TOO_MANY_REQUESTS, why)
                try:
                    self._known = await asyncio.to_thread(self.store.load_keys)
                except StoreError:
                    why = "the record cannot be read now: try again\n"
                    return websocket.respond(HTTPStatus.SERVICE_UNAVAILABLE, why)
                team = self._known.get(key_hash)
                if team is None:
                    self._wrong_keys.note(key, self.now_ms())
        if team is None or not same_name(team.name, name):
            return websocket.respond(HTTPStatus.UNAUTHORIZED, REFUSED + "\n")
        if self._comes.wait_ms(str(team.id), self.now_ms()):
            why = "the clients of this team come too often: try again in a minute\n"
            return websocket.respond(HTTPStatus.TOO_MANY_REQUESTS, why)
        self._comes.note(str(team.id), self.now_ms())
        self._teams[websocket] = team, key_hash
        return None

    async def _serve(self, websocket: ServerConnection) -> None:
        team, key_hash = self._teams[websocket]
        assert isinstance(websocket, TunnelSocket)
        self._unanswered.leave(websocket.transport)
        if (eviction := self._open.enter(websocket, str(team.id))) is not None:  # its team has too many
            self._open.leave(eviction.connection)
            eviction.connection.cut()
        address = find_address(websocket)
        try:
            try:
                async with asyncio.timeout(HELLO_MS / 1000):
                    hello = parse_hello(await websocket.recv(decode=False))
            except (ProtocolError, TimeoutError) as error:
                await websocket.send(format_bye(str(error) or "no hello came"))
                return
            tunnel = self._sessions.get(hello.session)
            if tunnel is not None and tunnel.team.id != team.id:
                await websocket.send(format_bye(REFUSED))
                return
            if tunnel is None:
                if not self._make_room(team):
                    await websocket.close(TRY_AGAIN, WAIT)
                    return
                tunnel = _Tunnel(self, team, key_hash, hello.session)
                self._sessions[hello.session] = tunnel
            self._open.authenticate(websocket)
            await tunnel.carry(websocket, hello, address)
        except ConnectionClosed:
            pass
        finally:
            self._open.leave(websocket)

    def _make_room(self, team: KeyTeam) -> bool:
        """Have the client that a team has give way to another one; return whether it does, or there is none."""
        others = [each for each in self._sessions.values() if each.team.id == team.id]
        if not all(each.is_replaceable for each in others):
            return False
        for tunnel in others:
            self.spawn(tunnel.send_bye(TAKEN_OVER))
        return True


def find_address(websocket: ServerConnection) -> str:
    """Return where a client comes from: as the web server in front says, if one on this machine has passed it on."""
    peer: object = websocket.remote_address
    address = str(peer[0]) if isinstance(peer, tuple) else ""
    assert websocket.request is not None
    forwarded = ",".join(websocket.request.headers.get_all("X-Forwarded-For")).rpartition(",")[2].strip()
    try:
        if ipaddress.ip_address(address).is_loopback and forwarded:
            return str(ipaddress.ip_address(forwarded))
    except ValueError:
        pass
    return address


def _find_key(headers: Headers) -> tuple[str, str]:
    """Return the hash of the key in a request, and the name of its team; without a key the hash is empty."""
    try:
        kind, _, key = (headers.get("Authorization") or "").partition(" ")
        name = unquote(headers.get("Tourney-Team") or "")
        key_hash = hash_team_key(key)
    except (UsageError, LookupError):  # no key, or a header that came twice
        return "", ""
    return key_hash if kind.lower() == "bearer" else "", name
