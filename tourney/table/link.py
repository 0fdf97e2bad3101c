"""One connection: bytes in to lines, lines out one write each, with the gap that the player needs (BC-50)."""

import asyncio
import socket
from typing import Final, NamedTuple, Protocol, cast

from tourney.bridge import Seat
from tourney.protocol.lines import LineBuffer, Overlong
from tourney.protocol.pacing import Pacer
from tourney.table.clock import HostClock

UNREAD_BYTES_MAX: Final = 256 * 1024
"""A player that has left this much unread has stopped reading; a whole board is about 10 kB."""


class LinkOwner(Protocol):
    """The table that a connection belongs to."""

    def link_opened(self, link: "PlayerLink") -> None: ...

    def link_line(self, link: "PlayerLink", line: bytes | Overlong, now_ms: int) -> None: ...

    def link_sent(self, link: "PlayerLink", line: str, clock: int | None, now_ms: int) -> None: ...

    def link_closed(self, link: "PlayerLink", reason: str) -> None: ...


class _Waiting(NamedTuple):
    line: str
    clock: int | None


class PlayerLink(asyncio.Protocol):
    """The server's end of one TCP connection."""

    def __init__(self, owner: LinkOwner, clock: HostClock, connection: int, port_seat: Seat | None) -> None:
        self.connection = connection
        self.port_seat = port_seat
        self.peer = ""
        self.line_began_ms = 0
        """When the first byte of the line that its owner is told arrived."""
        self._owner = owner
        self._clock = clock
        self._lines = LineBuffer()
        self._pacer: Pacer[_Waiting] = Pacer(0)
        self._transport: asyncio.Transport | None = None
        self._wake: asyncio.TimerHandle | None = None
        self._closing = False
        self._why_closed = ""

    def set_gap(self, gap_ms: int) -> None:
        """The least time between two lines to a player that has not spoken in between."""
        self._pacer.set_gap(gap_ms)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # what a stream server hands over
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        address = transport.get_extra_info("peername")
        self.peer = f"{address[0]}:{address[1]}" if address else ""
        self._owner.link_opened(self)

    def data_received(self, data: bytes) -> None:
        now_ms = self._clock.now_ms()  # before anything is parsed: a player is not charged for our work
        self._pacer.note_received()
        if not self._lines.pending:
            self.line_began_ms = now_ms
        for line in self._lines.feed(data):
            self._owner.link_line(self, line, now_ms)
            self.line_began_ms = now_ms
        self._pump()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._wake is not None:
            self._wake.cancel()
        self._transport = None
        reason = self._why_closed or ("the connection broke" if exc is not None else "the connection was closed")
        self._owner.link_closed(self, reason)

    def send(self, line: str, clock: int | None) -> None:
        """Write a line as soon as its turn has come."""
        if not self._closing:
            self._pacer.put(_Waiting(line, clock))
            self._pump()

    def close(self) -> None:
        """Close once everything sent before has been written."""
        self._closing = True
        self._pump()

    def abort(self, reason: str) -> None:
        """Close now; what is unwritten is lost."""
        self._why_closed = reason
        if self._transport is not None:
            self._transport.abort()

    def _pump(self) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        now_ms = self._clock.now_ms()
        while (waiting := self._pacer.take(now_ms)) is not None:
            transport.write(waiting.line.encode("ascii", "replace") + b"\r\n")
            self._owner.link_sent(self, waiting.line, waiting.clock, now_ms)
        if transport.get_write_buffer_size() > UNREAD_BYTES_MAX:
            self.abort(f"more than {UNREAD_BYTES_MAX} bytes lay unread")
            return
        due_at_ms = self._pacer.due_at_ms
        if due_at_ms is None:
            if self._closing:
                transport.close()
        elif self._wake is None:
            delay_s = max(0, due_at_ms - now_ms) / 1000
            self._wake = asyncio.get_running_loop().call_later(delay_s, self._woken)

    def _woken(self) -> None:
        self._wake = None
        self._pump()
