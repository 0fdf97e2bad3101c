"""One port for each team: its programs connect there all event long, and are led to their seats.

`python -m tourney.host.team_ports EVENT_ID NAME` is a process of its own, so that whoever plays through it notices
nothing when a run is killed. `tourney run` opens the ports and starts it. It ends on SIGTERM, or when nobody has run
or played the event for too long.

A program's first line says which seat it wants. The record says where the seat is: the connection is made to that
table, and from then on every byte is passed on as it comes (`relay`). A program that is early waits. When its table
goes on elsewhere, its connection is closed, and it finds the new place by connecting again.
"""

import argparse
import asyncio
import contextlib
import logging
import signal
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from tourney.bridge import Seat
from tourney.config.command import reachable
from tourney.errors import StoreError
from tourney.host.ports import Acceptor
from tourney.host.relay import CHUNK_BYTES, FrameReader, format_relay_header, load_relay_key, relay
from tourney.host.tunnels import TUNNELS_MAX, TunnelServer
from tourney.launch.hosts import HostSecrets, serve_as_host
from tourney.protocol.access import ConnectionLimits, peer_key
from tourney.protocol.admission import ConnectionBudget
from tourney.protocol.bluechip.server import find_seat
from tourney.protocol.http_requests import WEB_PAGE, is_http_request
from tourney.protocol.tunnel.end import STREAMS_MAX
from tourney.runtime.clock import HeartbeatMonitor, HostClock
from tourney.runtime.event_loop import end_tasks, loop_factory
from tourney.runtime.open_files import allow_files
from tourney.store.control.host_settings import load_settings
from tourney.store.control.hosts import load_hosts
from tourney.store.control.leases import load_run
from tourney.store.control.tables import OpenSeat, load_open_seats
from tourney.store.control.tunnels import TunnelStore
from tourney.store.db.database import Database
from tourney.store.team_access import KeyTeam

_LOGGER: Final = logging.getLogger(__name__)

WAITING_MAX: Final = 32
"""Connections to one port that have no table yet; when one more comes, the oldest of the address with most gives
way."""

RELAYED_MAX: Final = 64
"""Connections to one port that are at a table. A team plays at two tables, or at a few more in a movement."""

POLL_S: Final = 0.3
"""How often the record is asked for open tables while somebody waits, in seconds."""

WATCH_S: Final = 1.0
"""How often it is asked whether tables have gone elsewhere, in seconds."""

CONNECT_S: Final = 5.0
"""How long a table may take to accept a connection, in seconds."""

ACCEPTS_A_TURN: Final = 4
"""Connections taken from a backlog before others have their turn: less than a millisecond's work."""

BACKLOG: Final = 128
"""Connections to one port that may wait to be taken."""

ORPHAN_POLL_S: Final = 5.0
"""How often it is looked whether the event is still run or played, in seconds."""

_EARLY_BYTES_MAX: Final = 4096
"""What a program may say after its first line before it has a table."""

_FIRST_WORD: Final = b"connecting"
"""With this a program begins that speaks the Blue Chip protocol (BC-05); any letters may be capitals."""


@dataclass(eq=False, slots=True)
class _Client:
    """A program that has connected to the port of its team."""

    team: int
    peer: str
    connection: socket.socket
    seat: Seat | None = None
    """The one that it wants; None for any."""
    at: OpenSeat | None = None
    """Where it was led; None while it waits, and for one that was led to the event's own port."""
    said: bytes = b""
    """What it has said so far."""
    frames: FrameReader | None = None
    """Takes apart what comes through a tunnel of its team; None for a program that has connected by itself."""
    received: bytes = b""
    """What has come so far, as it came."""
    is_lost: Callable[[], bool] = field(default=lambda: False)
    """Whether the connection of its tunnel is lost; it may come back, or not."""
    task: "asyncio.Task[None]" = field(init=False)
    """What serves it; cancelled to close its connection."""


@dataclass(eq=False, slots=True)
class TeamPorts:
    """Leads the programs that connect to the ports of teams to their tables."""

    load_seats: Callable[[], list[OpenSeat]]
    """Loads the seats of open tables from the record; called in a thread."""
    table_host: str
    """Where tables are that have no address of their own."""
    key: str = field(repr=False)
    """What tells the tables that a connection is one of these."""
    limits: ConnectionLimits
    """Those of the event's connections."""
    stateful_port: int | None = None
    """The event's own port for the stateful protocol, which serves programs that speak it and come through a tunnel;
    None without one."""
    _clients: list[_Client] = field(default_factory=list)
    _waiting: dict[int, ConnectionBudget[_Client]] = field(default_factory=dict)
    """Those that were led nowhere yet, and may have to give way, by the numbers of their teams."""
    _open_seats: list[OpenSeat] = field(default_factory=list)
    """As they were last read, at `_loaded_at_s`."""
    _loaded_at_s: float = float("-inf")
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _unreachable: set[tuple[str, int]] = field(default_factory=set)
    """Tables that could not be reached when they were last tried."""
    _servers: list[Acceptor] = field(default_factory=list)

    def open(self, listeners: Iterable[socket.socket]) -> None:
        """Accept connections on listening sockets: one for each team, in their order."""
        for team, listener in enumerate(listeners, 1):
            listener.setblocking(False)  # noqa: FBT003 # the standard library's signature
            listener.listen(BACKLOG)
            self._servers.append(Acceptor(listener, partial(self._take, team), accepts_a_turn=ACCEPTS_A_TURN))

    async def close(self) -> None:
        """Close the ports, and every connection."""
        for server in self._servers:
            server.close()
        await end_tasks(*(client.task for client in self._clients))

    async def watch(self) -> None:
        """Close the connections of programs whose tables have gone elsewhere, until cancelled.

        The machine of a table may have vanished without a word: its connections would stand for hours.
        """
        while True:
            await asyncio.sleep(WATCH_S)
            if not any(client.at is not None for client in self._clients):
                continue
            with contextlib.suppress(StoreError):
                newest = {seat.table_id: seat.attempt for seat in await self._load_open_seats()}
                for client in self._clients:
                    if (
                        client.at is not None
                        and newest.get(client.at.table_id, client.at.attempt) != client.at.attempt
                    ):
                        client.task.cancel()

    # One connection

    def _take(self, team: int, accepted: socket.socket) -> None:
        peer = ""
        with contextlib.suppress(OSError):  # it is gone already
            peer = "{}:{}".format(*accepted.getpeername()[:2])
        self._add(_Client(team, peer, accepted))

    def take_stream(self, team: KeyTeam, peer: str, connection: socket.socket, is_lost: Callable[[], bool]) -> None:
        """Serve a program of a team that comes through a tunnel.

        Args:
            team: the team that has shown its key.
            peer: where the program is, for people.
            connection: carries what it says in frames.
            is_lost: tells whether the connection of its tunnel is lost. The seat is kept for it meanwhile, unless
                another program comes for it: the client was started again, or works on another machine.
        """
        self._add(_Client(team.number, peer, connection, frames=FrameReader(), is_lost=is_lost))

    def _add(self, client: _Client) -> None:
        self._clients.append(client)
        waiting = self._waiting.setdefault(client.team, ConnectionBudget(WAITING_MAX))
        if (eviction := waiting.enter(client, peer_key(client.peer))) is not None:
            waiting.leave(eviction.connection)
            eviction.connection.task.cancel()
        client.task = asyncio.create_task(self._serve(client))
        client.task.add_done_callback(partial(self._release, client))

    def _release(self, client: _Client, _task: "asyncio.Task[None]") -> None:
        self._clients.remove(client)
        self._waiting[client.team].leave(client)
        client.connection.close()  # here, as a task that is cancelled at once has not begun

    async def _serve(self, client: _Client) -> None:
        connection = client.connection
        try:
            if client.frames is None:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            async with asyncio.timeout(self.limits.log_on_ms / 1000):
                while b"\n" not in client.said:
                    await _receive(client)
                    if b"\n" not in client.said and len(client.said) > self.limits.line_bytes:
                        raise ConnectionAbortedError("the first line is too long")
            line = client.said.partition(b"\n")[0].rstrip(b"\r")
            if is_http_request(line):
                raise ConnectionAbortedError(WEB_PAGE)
            client.seat = find_seat(line)
            is_framed, port = client.frames is not None, self.stateful_port
            if is_framed and port is not None and not line.lower().startswith(_FIRST_WORD):
                found = await _connect_to(self.table_host, port)
            else:
                found = await self._find_table(client)
            self._waiting[client.team].leave(client)
            with found as table:
                team = client.team if is_framed else None  # by a port alone nobody has shown anything
                header = format_relay_header(client.peer, self.key, team=team, is_framed=is_framed)
                await relay(connection, table, header + client.received)
        except (OSError, TimeoutError):
            pass  # it is gone, or says nothing that a table would hear

    async def _find_table(self, client: _Client) -> socket.socket:
        """Connect to the table with a program's seat as soon as there is one.

        Raises:
            OSError: the program leaves before, or says too much.
        """
        while (table := await self._connect(client)) is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await _receive(client)
            if len(client.said) > self.limits.line_bytes + _EARLY_BYTES_MAX:
                raise ConnectionAbortedError("too much is said before there is a table")
        return table

    async def _connect(self, client: _Client) -> socket.socket | None:
        try:
            seat = self._choose(client, await self._load_open_seats(POLL_S))
        except StoreError:
            return None  # the tables wait for it as well
        if seat is None:
            return None
        client.at = seat  # so that another one that comes meanwhile is led elsewhere
        place = seat.host or self.table_host, seat.port
        try:
            async with asyncio.timeout(CONNECT_S):
                connected = await _connect_to(*place)
        except (OSError, TimeoutError) as error:
            client.at = None
            if place not in self._unreachable:  # it is tried three times a second
                self._unreachable.add(place)
                _LOGGER.warning(
                    "the table at %s port %s cannot be reached: %s",
                    *place,
                    error,
                    extra={"action": "table_unreachable", "table": seat.table_id},
                )
            return None
        self._unreachable.discard(place)
        return connected

    def _choose(self, client: _Client, seats: list[OpenSeat]) -> OpenSeat | None:
        """Choose among the seats of a team the one that a program wants; where it has two, one that nobody has.

        A seat kept for a program whose tunnel is lost is made free for the one that has come, which waits until then.
        """
        seated = [
            (each, (each.at.table_id, each.at.seat))
            for each in self._clients
            if each.team == client.team and each.at is not None
        ]
        if len(seated) >= RELAYED_MAX:
            return None
        taken = Counter(place for each, place in seated if not each.is_lost())
        lost = Counter(place for each, place in seated if each.is_lost())
        wanted = [each for each in seats if each.team == client.team and client.seat in (None, each.seat)]

        def rank(seat: OpenSeat) -> tuple[int, int, int]:
            place = seat.table_id, seat.seat
            return taken[place], lost[place], seat.table_id

        chosen = min(wanted, key=rank, default=None)
        if chosen is None or not lost[chosen.table_id, chosen.seat]:
            return chosen
        for each, place in seated:
            if each.is_lost() and place == (chosen.table_id, chosen.seat):
                each.task.cancel()
        return None

    async def _load_open_seats(self, old_s: float = 0.0) -> list[OpenSeat]:
        """Return the open seats, as they were at most `old_s` seconds ago.

        Raises:
            StoreError: the database cannot be used.
        """
        loop = asyncio.get_running_loop()
        async with self._loading:
            now_s = loop.time()
            if now_s - self._loaded_at_s >= old_s:
                self._open_seats = await asyncio.to_thread(self.load_seats)
                self._loaded_at_s = now_s
            return self._open_seats


async def _receive(client: _Client) -> None:
    """Wait for more of what a program says; nothing is lost if that is cancelled.

    Raises:
        OSError: it is gone.
    """
    loop, descriptor, data = asyncio.get_running_loop(), client.connection.fileno(), None
    while data is None:
        readable = asyncio.Event()
        loop.add_reader(descriptor, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(descriptor)
        with contextlib.suppress(BlockingIOError, InterruptedError):
            data = client.connection.recv(CHUNK_BYTES)
    if not data:
        raise ConnectionResetError("it has left")
    client.received += data
    client.said += data if client.frames is None else b"".join(part.data for part in client.frames.feed(data))


async def _connect_to(host: str, port: int) -> socket.socket:
    """Connect to a table.

    Raises:
        OSError: it cannot be reached.
    """
    loop = asyncio.get_running_loop()
    failure: OSError | None = None
    for family, kind, protocol, _, address in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.setblocking(False)  # noqa: FBT003 # the standard library's signature
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await loop.sock_connect(connection, address)
        except OSError as error:
            connection.close()
            failure = error
        except BaseException:
            connection.close()
            raise
        else:
            return connection
    raise failure or OSError(f"{host} has no address")


# The process


async def serve_team_ports(
    ports: TeamPorts,
    listeners: Sequence[socket.socket],
    until: Awaitable[None],
    tunnels: tuple[TunnelServer, socket.socket] | None,
) -> None:
    """Serve until SIGTERM or SIGINT, or until something has happened that is awaited.

    Args:
        ports: the ports of the teams.
        listeners: their sockets, one for each team, in their order.
        until: what ends it.
        tunnels: the server for clients of tunnels, and its socket; None where there is none.
    """
    stopping, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    ports.open(listeners)
    awaited = [asyncio.create_task(stopping.wait()), asyncio.ensure_future(until)]
    watching = [asyncio.create_task(ports.watch())]
    if tunnels is not None:
        server, listener = tunnels
        await server.open(listener)
        watching.append(asyncio.create_task(server.watch()))
    try:
        await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (*awaited, *watching):
            task.cancel()
        if tunnels is not None:
            await tunnels[0].close()
        await ports.close()


async def wait_until_abandoned(database: Database, event_id: int, clock: HostClock, alone_ms: int) -> None:
    """Wait until an event has had neither a run nor a table host for so long."""
    monitor = HeartbeatMonitor()

    def load_beats() -> Hashable:
        hosts = load_hosts(database, event_id)
        return load_run(database, event_id), tuple((host.name, host.beat_at_ms) for host in hosts)

    while True:
        await asyncio.sleep(ORPHAN_POLL_S)
        try:
            beats = await asyncio.to_thread(load_beats)
        except StoreError:
            monitor.reset()
            continue
        if monitor.silent_ms("event", beats, clock.now_ms()) > alone_ms:
            _LOGGER.warning("nobody runs or plays the event any more", extra={"action": "team_ports_orphaned"})
            return


def main() -> None:
    """Serve the ports of an event's teams until told to end."""
    parser = argparse.ArgumentParser(prog="python -m tourney.host.team_ports")
    parser.add_argument("--sockets", default="", help="numbers of listening sockets, in the order of the teams")
    parser.add_argument("--connect-socket", type=int, help="the number of the one for the clients of tunnels")
    serve_as_host(parser, _serve)


def _serve(words: argparse.Namespace, secrets: HostSecrets) -> None:
    listeners = [socket.socket(fileno=int(number)) for number in words.sockets.split(",") if number]
    connect_port = socket.socket(fileno=words.connect_socket) if words.connect_socket is not None else None
    tunnelled = TUNNELS_MAX * (1 + 4 * STREAMS_MAX) if connect_port is not None else 0
    allow_files(len(listeners) * 2 * RELAYED_MAX + tunnelled)
    database = Database(secrets.database_url)
    settings = load_settings(database, words.event_id)
    ports = TeamPorts(
        lambda: load_open_seats(database, words.event_id),
        reachable(settings.host),
        load_relay_key(Path(settings.results_folder), settings.relay_key),
        settings.limits,
        settings.stateful.port,
    )
    clock = HostClock(database.server_ms())
    tunnels = None
    if connect_port is not None:
        store = TunnelStore(database, words.event_id, clock.wall_ms)
        store.end_former("the server of tunnels was started again")
        hold_ms = settings.rules.time.rejoin_ms
        server = TunnelServer(store, ports.take_stream, clock.now_ms, clock.wall_ms, hold_ms)
        tunnels = server, connect_port
    alone_ms = (settings.orphan_s + settings.lease_s) * 1000
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        abandoned = wait_until_abandoned(database, words.event_id, clock, alone_ms)
        runner.run(serve_team_ports(ports, listeners, abandoned, tunnels))


if __name__ == "__main__":
    main()
