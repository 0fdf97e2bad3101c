"""A network in memory: it delays, splits and joins what is written, falls silent, breaks; all by the seed."""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Protocol

from tests.sim.loop import Process, SimulatedLoop, current_process
from tourney.config import PortRange
from tourney.errors import LaunchError
from tourney.host.ports import OpenPort, PortAdmission

_IDLE_S = 7200
_PROBE_US = 4_000_000
"""How long the system probes a connection before it takes it for lost."""

_CLOSED = "closed"
_RESET = "reset"

ANY_PORT = PortRange(0, 0)
"""Stands for any ports that are free, as for the system."""

_LOOPBACK_PORTS = 40_000
"""The ports by which processes of a machine reach each other come after this one."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a network behaves; shares are of the writes to it."""

    delay_us_max: int = 1000
    split_share: float = 0.0
    """Cut into pieces that arrive apart."""
    lag_share: float = 0.0
    """Held up, and all that follows with it, so that much arrives at once."""
    lag_us_max: int = 300_000
    cut_share: float = 0.0
    """The connection breaks: both ends learn of it, what was under way is lost."""
    lost_share: float = 0.0
    """The connection falls silent: nothing arrives any more, and nobody learns of it."""


class Listening(asyncio.AbstractServer):
    """A port that a process listens on."""

    def __init__(
        self, network: "Network", number: int, process: Process, accept: Callable[[], asyncio.Protocol]
    ) -> None:
        self.number = number
        self.process = process
        self.accept = accept
        self.closed = False
        self.table: tuple[int, int] | None = None
        """Whose port it is, and the attempt at that table, once the record says so."""
        self._network = network

    def close(self) -> None:
        self.closed = True
        self._network.close_port(self)

    async def wait_closed(self) -> None:
        """It is closed at once."""

    @property
    def sockets(self) -> "tuple[_ServerSocket, ...]":
        """What says which port it is."""
        return (_ServerSocket(self.number),)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._network.loop

    def is_serving(self) -> bool:
        return not self.closed

    async def start_serving(self) -> None:
        """It has begun to."""

    async def serve_forever(self) -> None:
        raise NotImplementedError("nobody waits for a port of the simulation")


class End(asyncio.Transport):
    """One end of a connection, as its owner holds it."""

    def __init__(self, connection: "Connection", process: Process | None, context: Context) -> None:
        super().__init__()
        self.connection = connection
        self.process = process
        self.peer: End
        self._protocol: asyncio.Protocol
        self._context = context
        self._closing = False
        self._lost = False
        self._inbox: deque[tuple[int, bytes | str]] = deque()
        """What is under way to this end, and when it arrives."""
        self._silent = False
        self._paused = False
        self._said_all = False
        self._earliest_us = 0

    def attach(self, protocol: asyncio.Protocol) -> None:
        self._protocol = protocol

    # What a protocol asks of its transport

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.process is not None:
            self.process.note_effect("before a line")
        if not self._closing:
            assert not self._said_all, "written after the end was said"
            self.connection.carry(self, bytes(data))

    def close(self) -> None:
        if not self._closing:
            self.write_eof()
            self._closing = True
            self._lose(None)

    def abort(self) -> None:
        if not self._closing:
            self._closing = True
            self.peer.arrive(self.connection.arrival_us(self.peer), _RESET)
            self._lose(None)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if not self._closing and not self._said_all:
            self._said_all = True
            self.peer.arrive(self.connection.arrival_us(self.peer), _CLOSED)

    def is_reading(self) -> bool:
        return not self._paused and not self._closing

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            self.connection.loop.call_soon(self._deliver, context=self._context)

    def is_closing(self) -> bool:
        return self._closing

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        if name == "socket":
            return _Socket(self)
        return (self.connection.address, self.connection.number) if name == "peername" else default

    def get_write_buffer_size(self) -> int:
        return sum(len(data) for _, data in self.peer._inbox if isinstance(data, bytes)) if self.peer._silent else 0

    # What the network does

    @property
    def last_arrival_us(self) -> int:
        return self._inbox[-1][0] if self._inbox else self._earliest_us

    def open_at(self, at_us: int, accept: Callable[[], None]) -> None:
        """Have the connection come in; nothing arrives before it."""
        self._earliest_us = at_us
        self.connection.loop.call_at_us(at_us, accept, context=self._context)

    def drop(self) -> None:
        """The owner has died: nothing comes of this end any more."""
        self._closing = self._lost = True
        self._inbox.clear()

    def arrive(self, at_us: int, data: bytes | str) -> None:
        """Have something arrive, with what is due by then."""
        self._inbox.append((at_us, data))
        if not self._silent:
            self.connection.loop.call_at_us(at_us, self._deliver, context=self._context)

    def fall_silent(self) -> None:
        self._silent = True

    def find_out(self) -> None:
        """A probe of the system has come back, or has not."""
        if self._silent:
            self.connection.network.happened.add("probe")
            self.reset()

    def reset(self) -> None:
        """Let the owner know that the connection is broken; what was under way to it is lost."""
        self._inbox.clear()
        self._silent = False
        self.arrive(self.connection.arrival_us(self), _RESET)

    def _deliver(self) -> None:
        now_us = self.connection.loop.now_us
        data = b""
        news: str | None = None
        while self._inbox and self._inbox[0][0] <= now_us and not self._silent and not self._paused:
            _, piece = self._inbox.popleft()
            if isinstance(piece, str):
                news = piece
                break
            data += piece
        if self.is_closing():
            return
        if data:
            self.connection.note_heard(self, data)
            self._protocol.data_received(data)
        if self.is_closing():
            return
        if news == _RESET:
            self._closing = True
            self._lose(ConnectionResetError("connection reset by peer"))
        elif news == _CLOSED and not self._protocol.eof_received():
            self.close()

    def _lose(self, error: Exception | None) -> None:
        if not self._lost:
            self._lost = True
            self._inbox.clear()
            self.connection.loop.call_soon(self._protocol.connection_lost, error, context=self._context)


class _Socket:
    """What the system does for an end of a connection when it is told to probe it."""

    family = socket.AF_INET

    def __init__(self, end: End) -> None:
        self._end = end

    def getsockopt(self, _level: int, _name: int) -> int:
        return _IDLE_S

    def setsockopt(self, _level: int, name: int, value: int) -> None:
        if name == socket.TCP_KEEPIDLE and value < _IDLE_S:
            loop = self._end.connection.loop
            loop.call_at_us(loop.now_us + _PROBE_US, self._end.find_out, context=Context())


@dataclass(frozen=True, slots=True)
class _ServerSocket:
    """The socket of a server, of which only its address is asked."""

    number: int

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", self.number


class LineWitness(Protocol):
    """Is told about everything that is written and read."""

    def wrote(self, end: End, data: bytes) -> None: ...

    def heard(self, end: End, data: bytes) -> None: ...


@dataclass
class Connection:
    """Two ends, `server` the one that listened."""

    network: "Network"
    number: int
    listening: Listening
    is_loopback: bool = False
    """Whether it joins two processes of a machine: nothing breaks there but with one of them, and no player reads
    what they say."""
    address: str = "127.0.0.1"
    """Where its client is."""
    client: End = field(init=False)
    server: End = field(init=False)

    @property
    def loop(self) -> SimulatedLoop:
        return self.network.loop

    def arrival_us(self, to: End) -> int:
        """When something sent now arrives: never before what was sent earlier."""
        return max(to.last_arrival_us, self.loop.now_us + self.network.draw_delay_us())

    def note_heard(self, receiver: End, data: bytes) -> None:
        if not self.is_loopback:
            self.network.witness.heard(receiver, data)

    def carry(self, sender: End, data: bytes) -> None:
        if self.is_loopback:
            sender.peer.arrive(self.arrival_us(sender.peer), data)
        else:
            self.network.witness.wrote(sender, data)
            self.network.carry(self, sender, data)


class Network:
    """Ports, and the connections between processes."""

    def __init__(self, loop: SimulatedLoop, conditions: Conditions, chance: Random, witness: LineWitness) -> None:
        self.loop = loop
        self.conditions = conditions
        self.witness = witness
        self.calm = False
        """From now on nothing breaks any more."""
        self.happened: set[str] = set()
        self._chance = chance
        self._ports: dict[int, Listening] = {}
        self._loopback_port = _LOOPBACK_PORTS
        self._connections: list[Connection] = []

    async def listen(
        self, _host: str, ports: PortRange, wished: int, acceptors: Sequence[PortAdmission]
    ) -> list[OpenPort]:
        """In place of `tourney.host.ports.listen`."""
        process = current_process()
        assert process is not None
        process.note_effect("before a port")
        count = len(acceptors)
        if ports == ANY_PORT:
            self._loopback_port += count
            wished = self._loopback_port
            ports = PortRange(wished, wished + count - 1)
        starts = [*range(wished, ports.last - count + 2), *range(ports.first, wished)]
        first = next((p for p in starts if not any(p + i in self._ports for i in range(count))), None)
        if first is None:
            raise LaunchError(f"no port is free in {ports}")
        opened = []
        for number, accept in enumerate(acceptors, first):
            self._ports[number] = Listening(self, number, process, accept)
            opened.append(OpenPort(number, self._ports[number].close))
        return opened

    def close_port(self, listening: Listening) -> None:
        if self._ports.get(listening.number) is listening:
            del self._ports[listening.number]

    def connect(self, port: int, make_protocol: Callable[[], asyncio.Protocol], address: str = "127.0.0.1") -> bool:
        """Reach a port; False when nobody listens there."""
        listening = self._ports.get(port)
        if listening is None:
            return False
        return self._connect(listening, None, make_protocol, address) is not None

    def open_server(self, accept: Callable[[], asyncio.Protocol]) -> asyncio.AbstractServer:
        """Listen on a free port for the process whose work is being done, in place of the loop's `create_server`."""
        process = current_process()
        assert process is not None
        process.note_effect("before a port")
        self._loopback_port += 1
        listening = self._ports[self._loopback_port] = Listening(self, self._loopback_port, process, accept)
        return listening

    def connect_processes(
        self, port: int, make: Callable[[], asyncio.Protocol]
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """Reach a port for the process whose work is being done, in place of the loop's `create_connection`.

        Raises:
            OSError: nobody listens there.
        """
        listening = self._ports.get(port)
        if listening is None:
            raise ConnectionRefusedError(f"nobody listens on port {port}")
        return self._connect(listening, current_process(), make, "127.0.0.1")

    def _connect(
        self,
        listening: Listening,
        process: Process | None,
        make_protocol: Callable[[], asyncio.Protocol],
        address: str,
    ) -> tuple[End, asyncio.Protocol]:
        connection = Connection(
            self, len(self._connections) + 1, listening, is_loopback=process is not None, address=address
        )
        connection.client = End(connection, process, process.context if process is not None else Context())
        connection.server = End(connection, listening.process, listening.process.context)
        connection.client.peer, connection.server.peer = connection.server, connection.client
        self._connections.append(connection)
        connection.server.open_at(self.loop.now_us + self.draw_delay_us(), partial(self._accept, connection))
        protocol = make_protocol()
        connection.client.attach(protocol)
        protocol.connection_made(connection.client)
        return connection.client, protocol

    @staticmethod
    def _accept(connection: Connection) -> None:
        if connection.listening.closed:
            connection.server.drop()
            connection.client.reset()
            return
        protocol = connection.listening.accept()
        connection.server.attach(protocol)
        protocol.connection_made(connection.server)

    def forget(self, process: Process) -> None:
        """A process has died: its ports are free, and the other ends of its connections hear of it."""
        for listening in [found for found in self._ports.values() if found.process is process]:
            listening.close()
        for connection in self._connections:
            for end in (connection.server, connection.client):
                if end.process is process:
                    end.drop()
                    if self._chance.random() < 0.5:
                        end.peer.reset()
                    else:
                        end.peer.arrive(connection.arrival_us(end.peer), _CLOSED)

    def draw_delay_us(self) -> int:
        return self._chance.randint(0, self.conditions.delay_us_max)

    def carry(self, connection: Connection, sender: End, data: bytes) -> None:
        conditions, chance = self.conditions, self._chance
        receiver = sender.peer
        fate = 1.0 if self.calm else chance.random()
        if fate < conditions.cut_share:
            self.happened.add("cut")
            sender.reset()
            receiver.reset()
            return
        if fate < conditions.cut_share + conditions.lost_share:
            self.happened.add("silence")
            sender.fall_silent()
            receiver.fall_silent()
        at_us = connection.arrival_us(receiver)
        if chance.random() < conditions.lag_share:
            at_us += chance.randint(0, conditions.lag_us_max)
        if chance.random() < conditions.split_share and len(data) > 1:
            at = chance.randint(1, len(data) - 1)
            receiver.arrive(at_us, data[:at])
            at_us += self.draw_delay_us()
            data = data[at:]
        receiver.arrive(at_us, data)
