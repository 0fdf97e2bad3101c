"""What a team's port and a table have between them: a connection that is made for a program, and what it carries.

**What a team's port does.** It passes bytes between a program and its table (`Relay`). What the program says is
passed on in frames, `WAITED LENGTH` and a line end, then so many bytes. `WAITED` is how many milliseconds lay between
the arrival of those bytes at this machine, which the operating system notes where it can, and the moment when they
are passed on; and what the table's last line had waited on its way to the program. The table takes that off, so a
program is not charged for a busy process between them. As it is a duration and no time of day, the clocks of two
machines need not agree.

**What a table sees** (`RelayedConnection`). Such a connection begins with a line that says whose it is: `Relayed
ADDRESS:PORT KEY`. So a table judges it by the address of the program: where its team plays from, limits of an
address, failed log-ons. The key is known to the event's team ports alone; the table has its hash. With the word
`timed` after the key, frames follow.
"""

import asyncio
import hashlib
import hmac
import platform
import socket
import struct
import sys
import time
from typing import Final, cast

from tourney.bridge import Seat
from tourney.host.connection import ConnectionOwner, TcpConnection
from tourney.protocol.access import ConnectionLimits, parse_peer
from tourney.runtime.clock import HostClock

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


_WORD: Final = b"Relayed "
_TIMED: Final = " timed"

_HEADER_BYTES_MAX: Final = 200

HEADER_S: Final = 1.0
"""How long a connection may say nothing before it is taken to be a program's own, in seconds: a team's port says its
line at once."""


def hash_relay_key(key: str) -> str:
    """Return what a table knows of the key of team ports."""
    return hashlib.sha256(key.encode()).hexdigest()


def format_relay_header(peer: str, key: str, *, is_timed: bool = False) -> bytes:
    """Format the line with which a connection begins that is made for a program at `peer`.

    With `is_timed`, frames follow.
    """
    return _WORD + f"{peer} {key}{_TIMED if is_timed else ''}\r\n".encode()


class RelayedConnection(TcpConnection):
    """A connection to a table of an event with team ports, which one of these may have made.

    Its owner knows nothing of it until its first bytes have come, or none for a while.
    """

    def __init__(
        self,
        owner: ConnectionOwner,
        clock: HostClock,
        number: int,
        port_seat: Seat | None,
        limits: ConnectionLimits,
        relay_key: str,
    ) -> None:
        """Prepare; `relay_key` is the hash of the key."""
        super().__init__(owner, clock, number, port_seat, limits)
        self._relay_key = relay_key
        self._relayed_for = ""
        self._has_begun = False
        self._first = b""
        self._frames: FrameReader | None = None
        """Takes apart what follows the first line, if that is frames."""
        self._arrived_ms = 0
        """When the last bytes of the program arrived at its team's port."""
        self._waiting_transport: asyncio.Transport | None = None
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._waiting_transport = cast(asyncio.Transport, transport)  # as for any connection of a server
        self._waiting = asyncio.get_running_loop().call_later(HEADER_S, self._begin)

    def data_received(self, data: bytes, arrived_ms: int | None = None) -> None:  # noqa: ARG002 # as below
        if self._has_begun:
            self._pass_on(data)
            return
        self._first += data
        head = self._first[: len(_WORD)]
        line, end, rest = self._first.partition(b"\n")
        if head != _WORD[: len(head)]:
            self._begin()
        elif end:
            self._read_header(line.strip(), rest)
        elif len(self._first) > _HEADER_BYTES_MAX:
            self._begin()

    def abort(self, reason: str) -> None:
        super().abort(reason)
        if not self._has_begun and self._waiting_transport is not None:
            self._waiting_transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._has_begun:
            self._begin()
        super().connection_lost(exc)

    def _read_header(self, line: bytes, rest: bytes) -> None:
        """Take the address from a first line that has the key; any other is the program's own, and refused as one."""
        text = line.removeprefix(_WORD).decode("ascii", "replace")
        is_timed = text.endswith(_TIMED)
        peer, _, key = text.removesuffix(_TIMED).partition(" ")
        if hmac.compare_digest(hash_relay_key(key), self._relay_key) and parse_peer(peer) is not None:
            self._relayed_for, self._first = peer, rest
            self._frames = FrameReader() if is_timed else None
        self._begin()

    def _pass_on(self, data: bytes) -> None:
        """Handle bytes of a connection that has begun, as of the time when they arrived at the team's port."""
        if self._frames is None:
            super().data_received(data)
            return
        now_ms = self._clock.now_ms()
        try:
            parts = self._frames.feed(data)
        except ValueError as error:
            self.abort(str(error))
            return
        for part, waited_ms in parts:
            # Not before what came before it, nor before the line that it answers was written.
            self._arrived_ms = max(self._arrived_ms, min(now_ms, self.sent_at_ms), now_ms - waited_ms)
            super().data_received(part, self._arrived_ms)

    def _begin(self) -> None:
        """Begin as any other connection does."""
        assert self._waiting is not None
        assert self._waiting_transport is not None
        self._waiting.cancel()
        self._has_begun = True
        super().connection_made(self._waiting_transport)
        first, self._first = self._first, b""
        if first:
            self._pass_on(first)

    def _find_peer(self, transport: asyncio.BaseTransport) -> str:
        return self._relayed_for or super()._find_peer(transport)
