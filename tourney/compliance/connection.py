"""The check's end of the connection to the program: reads lines and notes their form, writes lines with pacing."""

import asyncio
import socket
from typing import Final, Protocol, cast

from tourney.protocol.lines import LineBuffer, Overlong, Pacer
from tourney.runtime.clock import HostClock

PIECES_MIN: Final = 3
"""A line that took this many reads counts as sent in pieces; long lines may take two."""

_UNFINISHED_MAX: Final = 200
"""Bytes of an unfinished line that are kept for the report."""


class LineReceiver(Protocol):
    """Receives what happens on a connection; a session of the check."""

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None: ...

    def receive_close(self, fault: Exception | None = None) -> None: ...

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None: ...


class ProgramConnection(asyncio.Protocol):
    """One connection of the program. What arrives before it has a receiver is kept."""

    def __init__(self, clock: HostClock, arrived: "asyncio.Queue[ProgramConnection]") -> None:
        self.in_packets = False
        """Write the lines of one turn in one piece, without a gap, as a network may do with any two lines."""
        self.ends_in_lf = False
        """Whether the program has sent a line that ended in LF alone."""
        self.in_pieces = False
        """Whether the program has sent a line in several pieces."""
        self.unfinished = b""
        """The start of a line that has no end yet."""
        self.peer = ""
        self.is_open = False
        self._clock = clock
        self._arrived = arrived
        self._receiver: LineReceiver | None = None
        self._early: list[bytes] = []
        self._lines = LineBuffer()
        self._pacer: Pacer[tuple[str, int | None]] = Pacer(0)
        self._reads = 0
        self._transport: asyncio.Transport | None = None
        self._wake: asyncio.TimerHandle | None = None
        self._finishing = False

    def attach(self, receiver: LineReceiver) -> None:
        """Give the connection its receiver, and the receiver what has arrived so far."""
        self._receiver = receiver
        early, self._early = self._early, []
        for data in early:
            self._receive(data)
        if not self.is_open:
            receiver.receive_close()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # what a stream server hands over
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        address = transport.get_extra_info("peername")
        self.peer = f"{address[0]}:{address[1]}" if address else ""
        self.is_open = True
        self._arrived.put_nowait(self)

    def data_received(self, data: bytes) -> None:
        if self._receiver is None:
            self._early.append(data)
        else:
            self._receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        self._transport = None
        if self._wake is not None:
            self._wake.cancel()
        if self._receiver is not None:
            # An exception that is not a network error is a bug of ours, on which asyncio closes the connection.
            self._receiver.receive_close(None if isinstance(exc, OSError) else exc)

    def _receive(self, data: bytes) -> None:
        now_ms = self._clock.now_ms()
        self._pacer.note_received()
        self._note_form(data)
        for line in self._lines.feed(data):
            assert self._receiver is not None
            self._receiver.receive_line(line, now_ms)
        self._pump()

    def _note_form(self, data: bytes) -> None:
        """Note how lines end, and whether they arrive in one piece."""
        *complete, rest = data.split(b"\n")
        if complete:
            ends = [self.unfinished[-1:] + complete[0], *complete[1:]]
            self.ends_in_lf = self.ends_in_lf or not all(line.endswith(b"\r") for line in ends)
            self.in_pieces = self.in_pieces or self._reads + 1 >= PIECES_MIN
            self._reads = 0
            self.unfinished = b""
        if rest:
            self._reads += 1
            rest = self.unfinished + rest
            # The last byte counts as well: the CR of a line may come apart from its LF.
            self.unfinished = rest[:_UNFINISHED_MAX] + rest[_UNFINISHED_MAX:][-1:]

    # Lines out

    def set_gap(self, gap_ms: int) -> None:
        """Keep a gap between two lines while the program says nothing (BC-50)."""
        self._pacer.set_gap(gap_ms)

    @property
    def has_unwritten(self) -> bool:
        """Whether a line waits to be written."""
        return not self._pacer.is_empty

    def send(self, line: str, clock: int | None) -> None:
        """Write a line as soon as the pacing allows."""
        if self._finishing:
            return
        self._pacer.put((line, clock))
        if not self.in_packets:
            self._pump()
        else:
            self._pump_in(0)

    def finish(self) -> None:
        """Close the connection for writing; the program closes its own end."""
        self._finishing = True
        self._pump()

    def abort(self) -> None:
        """Cut the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _pump(self) -> None:
        """Write all that may be written now, in one piece: with a gap that is one line."""
        transport = self._transport
        if transport is None or transport.is_closing() or (self.in_packets and self._wake is not None):
            return
        now_ms = self._clock.now_ms()
        due = []
        while (item := self._pacer.take(now_ms)) is not None:
            due.append(item)
        if due:
            transport.write(b"".join(line.encode() + b"\r\n" for line, _ in due))
        for line, clock in due:
            if self._receiver is not None:
                self._receiver.note_written(line, clock, now_ms)
        due_at_ms = self._pacer.due_at_ms
        if due_at_ms is not None:
            self._pump_in(max(0, due_at_ms - now_ms) / 1000)
        elif self._finishing and transport.can_write_eof():
            transport.write_eof()

    def _pump_in(self, delay_s: float) -> None:
        if self._wake is None:
            self._wake = asyncio.get_running_loop().call_later(delay_s, self._woken)

    def _woken(self) -> None:
        self._wake = None
        self._pump()
