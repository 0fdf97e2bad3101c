"""One TCP connection by itself: how it ends, and how those without a seat are read in turns."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tourney.host.connection import LineTurns, TcpConnection
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.lines import Overlong
from tourney.runtime.clock import HostClock


class Owner:
    """Notes what a connection tells its owner."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, bytes]] = []
        self.opened: list[TcpConnection] = []
        self.refusals: list[str] = []
        self.has_opened = asyncio.Event()
        self.has_all = asyncio.Event()
        self.closed: asyncio.Queue[str] = asyncio.Queue()

    def connection_opened(self, connection: TcpConnection) -> None:
        self.opened.append(connection)
        self.has_opened.set()

    def line_received(self, connection: TcpConnection, line: bytes | Overlong, now_ms: int) -> None:
        assert isinstance(line, bytes)
        self.lines.append((connection.number, line))
        if len(self.lines) == 502:
            self.has_all.set()

    def line_sent(self, connection: TcpConnection, line: str, clock: int | None, now_ms: int) -> None:
        pass

    def limit_passed(self, connection: TcpConnection, reason: str) -> None:
        self.refusals.append(reason)

    def connection_closed(self, connection: TcpConnection, reason: str) -> None:
        self.closed.put_nowait(reason)


class Never(LineTurns):
    """Turns that do not come."""

    def __init__(self) -> None:
        super().__init__(HostClock())
        self.waiting = asyncio.Event()

    def take_one(self, now_ms: int) -> bool:
        return False

    def wait(self, read_one: Callable[[], None]) -> None:
        self.waiting.set()


@asynccontextmanager
async def linked(owner: Owner, number: int, turns: LineTurns) -> AsyncIterator[socket.socket]:
    """Connect a client to a connection of an owner."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        accepted, _ = listener.accept()
    accepted.setblocking(False)
    connection = TcpConnection(owner, HostClock(), number, None, ConnectionLimits())
    connection.turns = turns
    await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, accepted)
    try:
        yield client
    finally:
        client.close()
        connection.abort("the test is over")
        await owner.closed.get()


async def test_closing_a_connection_whose_other_end_is_gone_unnoticed_ends_that_connection_alone() -> None:
    owner, turns = Owner(), Never()
    async with linked(owner, 1, turns) as client:
        client.sendall(b"X-PING 1\r\n")
        await turns.waiting.wait()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()  # nothing is read while the connection waits for its turn: the reset is not noticed
        await asyncio.sleep(0.1)
        owner.opened[0].close()
        async with asyncio.timeout(1):
            reason = await owner.closed.get()
        assert reason.startswith("the connection broke")
        owner.closed.put_nowait(reason)


async def test_one_line_waits_for_one_turn_whatever_another_connection_has_sent_before() -> None:
    owner, turns = Owner(), LineTurns(HostClock())
    async with linked(owner, 1, turns) as loud, linked(owner, 2, turns) as quiet:
        loud.sendall(b"X-PING 1\r\n" * 500)
        quiet.sendall(b"X-HELLO PING\r\nX-PING 2\r\n")
        await owner.has_all.wait()
        places = [place for place, (number, _) in enumerate(owner.lines) if number == 2]
        assert places[-1] < 20, f"the second connection was read at {places}"
        assert [line for number, line in owner.lines if number == 2] == [b"X-HELLO PING", b"X-PING 2"]
