"""Passes bytes between a program and its table, with the time that they had to wait here.

What a program says is passed on in frames, `WAITED LENGTH` and a line end, then so many bytes. `WAITED` is how many
milliseconds lay between the arrival of those bytes at this machine, which the operating system notes where it can,
and the moment when they are passed on; and what the table's last line had waited on its way to the program. The table
takes that off, so a program is not charged for a busy process between them. As it is a duration and no time of day,
the clocks of two machines need not agree.
"""

import asyncio
import platform
import socket
import struct
import sys
import time
from typing import Final

CHUNK_BYTES: Final = 65_536

WAITED_MAX_MS: Final = 10_000
"""The longest wait that is believed: someone may set the clock of the machine, which dates what arrives."""

HEAD_BYTES_MAX: Final = 32
"""Longest first line of a frame."""

CLOSE_S: Final = 5.0
"""How long one end may stay open after the other was closed, in seconds."""

_UNSENT_BYTES_MAX: Final = 262_144
"""What one end may leave unread before the other is not read any more."""

_SO_TIMESTAMPNS: Final = 35
_TIMESPEC: Final = struct.Struct("@ll")
_ANCILLARY_BYTES: Final = socket.CMSG_SPACE(_TIMESPEC.size) if hasattr(socket, "CMSG_SPACE") else 0
_HAS_TIMESTAMPS: Final = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64", "riscv64", "i686")
"""Whether the number of the option is known, which depends on the processor."""


def date_arrivals(connection: socket.socket) -> None:
    """Have the system note when bytes arrive at a connection, where it can."""
    if _HAS_TIMESTAMPS:
        try:
            connection.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        except OSError:
            return


def receive_dated(connection: socket.socket) -> tuple[bytes, int]:
    """Read what has arrived; return it, and for how many milliseconds the last of it has waited to be read.

    Raises:
        OSError: nothing has arrived, or the connection is broken.
    """
    if not _HAS_TIMESTAMPS:
        return connection.recv(CHUNK_BYTES), 0
    data, ancillary, _, _ = connection.recvmsg(CHUNK_BYTES, _ANCILLARY_BYTES)
    for level, kind, value in ancillary:
        if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS and len(value) >= _TIMESPEC.size:
            seconds, nanoseconds = _TIMESPEC.unpack_from(value)
            waited_ms = (time.time_ns() - seconds * 1_000_000_000 - nanoseconds) // 1_000_000
            return data, min(max(0, waited_ms), WAITED_MAX_MS)
    return data, 0


def format_frame(data: bytes, waited_ms: int = 0) -> bytes:
    """Format bytes as they are passed on to a table."""
    return b"%d %d\n%b" % (waited_ms, len(data), data)


class FrameReader:
    """Takes frames apart as they come."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._waited_ms = 0

    def feed(self, data: bytes) -> list[tuple[bytes, int]]:
        """Return the bytes of frames that have come, each part with the time that it has waited.

        Raises:
            ValueError: these are no frames.
        """
        parts = []
        while data:
            if self._left:
                part, data = data[: self._left], data[self._left :]
                self._left -= len(part)
                parts.append((part, self._waited_ms))
                continue
            head, end, data = (self._head + data).partition(b"\n")
            self._head = b"" if end else head
            if end:
                waited, _, length = head.partition(b" ")
                self._waited_ms, self._left = min(max(0, int(waited)), WAITED_MAX_MS), max(0, int(length))
            elif len(head) > HEAD_BYTES_MAX:
                raise ValueError("a frame begins with two numbers")
        return parts


class _End:
    """One of the two connections, and what is still to be written to it."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.unsent = b""
        self.is_read = False
        """Whether the loop watches it for bytes."""
        self.has_ended = False
        """Whether it will say nothing more."""


class Relay:
    """A program, its table, and what passes between them."""

    def __init__(self, program: socket.socket, table: socket.socket, first: bytes) -> None:
        """Prepare; both connections are non-blocking, and `first` is to be written to the table before all else."""
        self._loop = asyncio.get_running_loop()
        self._program = _End(program)
        self._table = _End(table)
        self._first = first
        self._down_ms = 0
        """How long the last bytes of the table had to wait here before they went to the program."""
        self._over: asyncio.Future[None] = self._loop.create_future()
        self._closing: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Pass on what both say, until both have ended or one is broken; the connections stay to be closed."""
        date_arrivals(self._program.connection)
        date_arrivals(self._table.connection)
        self._write(self._table, self._first)
        self._read_both()
        try:
            await self._over
        finally:
            if self._closing is not None:
                self._closing.cancel()
            for end in (self._program, self._table):
                self._loop.remove_reader(end.connection.fileno())
                self._loop.remove_writer(end.connection.fileno())

    def end(self) -> None:
        """End it now."""
        if not self._over.done():
            self._over.set_result(None)

    def _read_both(self) -> None:
        """Read each end as long as the other takes what it says."""
        for end, other in ((self._program, self._table), (self._table, self._program)):
            is_read = not end.has_ended and len(other.unsent) < _UNSENT_BYTES_MAX
            if is_read and not end.is_read:
                self._loop.add_reader(end.connection.fileno(), self._read, end, other)
            elif end.is_read and not is_read:
                self._loop.remove_reader(end.connection.fileno())
            end.is_read = is_read

    def _read(self, end: _End, other: _End) -> None:
        try:
            data, waited_ms = receive_dated(end.connection)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.end()
            return
        if not data:
            end.has_ended = True
            if self._closing is None:
                self._closing = self._loop.call_later(CLOSE_S, self.end)
            self._write(other, b"")
        elif end is self._program:
            self._write(other, format_frame(data, min(waited_ms + self._down_ms, WAITED_MAX_MS)))
            self._down_ms = 0
        else:
            self._write(other, data)
            self._down_ms = waited_ms
        self._read_both()

    def _write(self, end: _End, data: bytes) -> None:
        waits = bool(end.unsent)
        end.unsent += data
        if not waits:
            self._send(end)

    def _send(self, end: _End) -> None:
        """Write what the connection takes; the rest when it takes more."""
        waited = bool(end.unsent)
        try:
            sent = end.connection.send(end.unsent) if end.unsent else 0
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self.end()
            return
        end.unsent = end.unsent[sent:]
        if end.unsent:
            self._loop.add_writer(end.connection.fileno(), self._send_on, end)
            return
        if waited:
            self._loop.remove_writer(end.connection.fileno())
        self._pass_on_end(end)

    def _send_on(self, end: _End) -> None:
        self._send(end)
        if not self._over.done():
            self._read_both()

    def _pass_on_end(self, end: _End) -> None:
        """Close an end for writing once the other has ended, and all of that has been written."""
        other = self._table if end is self._program else self._program
        if not other.has_ended:
            return
        try:
            end.connection.shutdown(socket.SHUT_WR)
        except OSError:
            self.end()
            return
        if end.has_ended:
            self.end()
