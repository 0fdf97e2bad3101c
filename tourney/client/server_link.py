"""The connection of a session to its server: made, made again when it is lost, and read until the session ends."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from tourney.client.session import PlaySession
from tourney.errors import LaunchError, ProtocolError
from tourney.protocol.lines import LineBuffer

FIRST_PAUSE_S: Final = 0.25
PAUSE_MAX_S: Final = 3.0
"""Between two attempts to connect; each pause is twice as long as the one before, up to this."""

CONNECT_S: Final = 10.0
"""How long one attempt to connect may take."""

_READ_BYTES: Final = 65536
_KEEPALIVE: Final = (("TCP_KEEPIDLE", 20), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))
"""When a silent server is asked whether it is there, in seconds, where the platform lets one choose."""


class ServerAddress(NamedTuple):
    """Where a server is, and how long a client tries to reach it."""

    host: str
    port: int
    wait_s: float
    """How long to try to reach a server that does not answer, at first and after a lost connection."""

    def __str__(self) -> str:
        """Name it for people: `127.0.0.1 port 2100`."""
        return f"{self.host} port {self.port}"


@dataclass(eq=False, slots=True)
class ServerLink:
    """Carries the lines of a session to its server and back, over any number of connections."""

    session: PlaySession
    """The person's session."""
    address: ServerAddress
    """Where the server is."""
    on_change: Callable[[], object]
    """Is called whenever the session has something new to show."""
    opening: Callable[[], bytes] = lambda: b""
    """Returns what a connection begins with, before the session says anything; it may change."""
    _writer: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        """Connect, and again whenever the connection is lost, until the session is over.

        Raises:
            LaunchError: the server cannot be reached.
            ProtocolError: it refused the player.
        """
        clock = asyncio.get_running_loop().time
        session, pause_s, since_s = self.session, FIRST_PAUSE_S, clock()
        while True:
            why = await self._connect_and_read()
            had_seat, session_lost = session.view.seat is not None, session.is_connected
            session.lose_connection()
            if session.is_over:
                return
            if session.is_stopped:
                pause_s, since_s = (FIRST_PAUSE_S if session_lost else pause_s), clock()
            elif not had_seat and session.refused:
                raise ProtocolError(f"the server refuses: {session.refused} ({self.address})")
            elif session_lost and had_seat and not session.refused:
                pause_s, since_s = FIRST_PAUSE_S, clock()  # it was seated, so the server was there until now
            left_s = since_s + self.address.wait_s - clock()
            if left_s <= 0 and not session.is_stopped:
                raise LaunchError(f"{why} ({self.address}), tried for {self.address.wait_s:.0f} s")
            session.wait_for_server(why, None if session.is_stopped else left_s)
            self.on_change()
            await asyncio.sleep(pause_s if session.is_stopped else min(pause_s, left_s))
            pause_s = min(2 * pause_s, PAUSE_MAX_S)

    def send(self, lines: list[str]) -> None:
        """Send lines, if there is a connection."""
        if self._writer is not None:
            self._writer.writelines([line.encode() + b"\r\n" for line in lines])

    async def close(self) -> None:
        """Close the connection, if there is one."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _connect_and_read(self) -> str:
        """Connect once and play until the connection ends; return why it did."""
        try:
            async with asyncio.timeout(CONNECT_S):
                reader, writer = await asyncio.open_connection(self.address.host, self.address.port)
        except ConnectionRefusedError:
            return "nobody listens there"
        except TimeoutError:
            return f"no answer within {CONNECT_S:.0f} s"
        except OSError as error:
            return f"the server cannot be reached: {error.strerror or error}"
        self._writer = writer
        _keep_alive(writer)
        try:
            writer.write(self.opening())
            self.send(self.session.open_connection())
            self.on_change()
            return await self._read(reader)
        except OSError as error:
            return f"the connection broke: {error.strerror or error}"
        finally:
            await self.close()

    async def _read(self, reader: asyncio.StreamReader) -> str:
        lines = LineBuffer()
        while True:
            data = await reader.read(_READ_BYTES)
            if not data:
                return "the server has closed the connection"
            for line in lines.feed(data):
                self.send(self.session.receive_line(line))
            if self.session.is_turned_away:
                return self.session.refused  # a connection that was lost may have the name still
            self.on_change()


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """Have the system find out that a server has vanished without a farewell."""
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        if hasattr(socket, name):
            raw.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
