"""What a team's port and a table have between them: a connection that is made for a program, and what it carries.

**What a team's port does.** It passes bytes between a program and its table (`Relay`). What the program says is
passed on in frames, `WAITED LENGTH[ OWN]` and a line end, then so many bytes. `WAITED` is how many milliseconds lay
between the arrival of those bytes at this machine, which the operating system notes where it can, and the moment when
they are passed on; and what the table's last line had waited on its way to the program. The table takes that off, so
a program is not charged for a busy process between them. As it is a duration and no time of day, the clocks of two
machines need not agree. `OWN` is how many milliseconds a program beyond a tunnel took for the line that begins with
those bytes, as its client says: any number, by which the table tells the delay of the network (`session/clock.py`).

**What a table sees** (`RelayedConnection`). Such a connection begins with a line that says whose it is: `Relayed
ADDRESS:PORT KEY`. So a table judges it by the address of the program: where its team plays from, limits of an
address, failed log-ons. The key is known to the event's team ports alone; the table has its hash. Two words may
follow the key: `team=3`, if whoever connects has shown that it is team 3, so that it gets no other team's seat and
need not give a passphrase; and `timed`, after which frames follow.
"""

import asyncio
import hashlib
import hmac
import os
import platform
import re
import secrets
import socket
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, cast

from tourney.bridge import Seat
from tourney.errors import LaunchError
from tourney.host.connection import ConnectionOwner, TcpConnection
from tourney.protocol.access import ConnectionLimits, parse_peer
from tourney.protocol.session.clock import OWN_MS_MAX
from tourney.runtime.clock import HostClock

CHUNK_BYTES: Final = 65_536

WAITED_MAX_MS: Final = 10_000
"""The longest wait that is believed: someone may set the clock of the machine, which dates what arrives."""

HEAD_BYTES_MAX: Final = 32
"""Longest first line of a frame."""

CLOSE_S: Final = 5.0
"""How long one end may stay open after the other was closed, in seconds."""

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


def format_frame(data: bytes, waited_ms: int = 0, own_ms: int | None = None) -> bytes:
    """Format bytes as they are passed on to a table; `own_ms` is what the client of a tunnel says, if one does."""
    if own_ms is not None:
        return b"%d %d %d\n%b" % (waited_ms, len(data), min(max(0, own_ms), OWN_MS_MAX), data)
    return b"%d %d\n%b" % (waited_ms, len(data), data)


class FramePart(NamedTuple):
    """Bytes of a frame that have come."""

    data: bytes
    waited_ms: int
    own_ms: int | None
    """How long the program took for the line that begins with the frame, as the client of its tunnel says."""


class FrameReader:
    """Takes frames apart as they come."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._waited_ms = 0
        self._own_ms: int | None = None

    def feed(self, data: bytes) -> list[FramePart]:
        """Return the bytes of frames that have come, each part with the times that go with it.

        Raises:
            ValueError: these are no frames.
        """
        parts = []
        while data:
            if self._left:
                part, data = data[: self._left], data[self._left :]
                self._left -= len(part)
                parts.append(FramePart(part, self._waited_ms, self._own_ms))
                continue
            head, end, data = (self._head + data).partition(b"\n")
            self._head = b"" if end else head
            if end:
                waited, length, *own = head.split(b" ", 2)
                self._waited_ms, self._left = min(max(0, int(waited)), WAITED_MAX_MS), max(0, int(length))
                self._own_ms = int(own[0]) if own else None
            elif len(head) > HEAD_BYTES_MAX:
                raise ValueError("a frame begins with two numbers or three")
        return parts


class Relay:
    """A program, its table, and what passes between them."""

    def __init__(
        self, program: socket.socket, table: socket.socket, first: bytes, *, is_framed: bool = False
    ) -> None:
        """Prepare; both connections are non-blocking.

        Args:
            program: the program's.
            table: its table's.
            first: is written to the table before all else.
            is_framed: whether what comes from the program is in frames already, as from a tunnel.
        """
        self._loop = asyncio.get_running_loop()
        self._program = program
        self._table = table
        self._first = first
        self._is_framed = is_framed
        self._down_ms = 0
        """How long the last bytes of the table had to wait here before they went to the program."""

    async def run(self) -> None:
        """Pass on what both say, until both have ended or one is broken; the connections stay to be closed."""
        date_arrivals(self._program)
        date_arrivals(self._table)
        ways = [asyncio.create_task(self._pass_up()), asyncio.create_task(self._pass_down())]
        try:
            ended, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            if not any(way.exception() for way in ended):
                await asyncio.wait(ways, timeout=CLOSE_S)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _pass_up(self) -> None:
        """Pass on what the program says, until it has ended.

        Raises:
            OSError: one of the connections is broken.
        """
        await self._loop.sock_sendall(self._table, self._first)

        def frame(data: bytes, waited_ms: int) -> bytes:
            if self._is_framed:
                return data
            waited_ms, self._down_ms = min(waited_ms + self._down_ms, WAITED_MAX_MS), 0
            return format_frame(data, waited_ms)

        await self._pass(self._program, self._table, frame)

    async def _pass_down(self) -> None:
        """Pass on what the table says, until it has ended.

        Raises:
            OSError: one of the connections is broken.
        """

        def note_wait(data: bytes, waited_ms: int) -> bytes:
            self._down_ms = waited_ms
            return data

        await self._pass(self._table, self._program, note_wait)

    async def _pass(self, source: socket.socket, target: socket.socket, shape: Callable[[bytes, int], bytes]) -> None:
        """Pass on what one end says to the other, which is told when that has ended.

        Args:
            source: who says it.
            target: who gets it; while it takes nothing more, nothing more is read.
            shape: makes what is written of what has come, and of how many milliseconds it has waited to be read.

        Raises:
            OSError: one of the connections is broken.
        """
        readable = asyncio.Event()
        self._loop.add_reader(source.fileno(), readable.set)
        try:
            while True:
                await readable.wait()
                readable.clear()
                try:
                    data, waited_ms = receive_dated(source)
                except (BlockingIOError, InterruptedError):
                    continue
                if not data:
                    break
                if rest := _send_some(target, shape(data, waited_ms)):
                    self._loop.remove_reader(source.fileno())
                    await self._loop.sock_sendall(target, rest)
                    self._loop.add_reader(source.fileno(), readable.set)
        finally:
            self._loop.remove_reader(source.fileno())
        target.shutdown(socket.SHUT_WR)


def _send_some(connection: socket.socket, data: bytes) -> bytes:
    """Write what a connection takes at once; return the rest."""
    try:
        return data[connection.send(data) :]
    except (BlockingIOError, InterruptedError):
        return data


async def wait_until_readable(connection: socket.socket) -> None:
    """Wait until something has arrived, or the end; nothing is lost if that is cancelled."""
    loop = asyncio.get_running_loop()
    readable = loop.create_future()
    loop.add_reader(connection.fileno(), _resolve, readable)
    try:
        await readable
    finally:
        loop.remove_reader(connection.fileno())


def _resolve(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


_WORD: Final = b"Relayed "
_HEADER: Final = re.compile(r"Relayed (?P<peer>\S+) (?P<key>\S+)( team=(?P<team>\d{1,6}))?(?P<timed> timed)?")

_HEADER_BYTES_MAX: Final = 200

PEOPLE_KEY_FILE: Final = "seats.key"
"""The file of the results folder with the key of the server at which people sit down in their browsers."""

HEADER_S: Final = 1.0
"""How long a connection may say nothing before it is taken to be a program's own, in seconds: a team's port says its
line at once."""


def hash_relay_key(key: str) -> str:
    """Return what a table knows of the key of team ports."""
    return hashlib.sha256(key.encode()).hexdigest()


def keep_relay_key(path: Path) -> str:
    """Return the key in a file that its owner alone can read, which is made where there is none.

    Raises:
        LaunchError: it cannot be kept there.
    """
    try:
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(16) + "\n")
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise LaunchError(
            f"the key of connections that are made for others, {path}, cannot be kept: {error}"
        ) from None


class RelayHeader(NamedTuple):
    """For whom a connection is made, and what it carries."""

    peer: str
    """The address and port of the program."""
    team: int | None = None
    """The number of the team that it has shown to belong to; None if it has not, and logs on as any other does."""
    is_timed: bool = False
    """Whether frames follow."""


def format_relay_header(peer: str, key: str, *, team: int | None = None, is_timed: bool = False) -> bytes:
    """Format the line with which a connection begins that is made for a program; see `RelayHeader`."""
    of_team = f" team={team}" if team is not None else ""
    return _WORD + f"{peer} {key}{of_team}{' timed' if is_timed else ''}\r\n".encode()


def parse_relay_header(line: bytes, key_hash: str) -> RelayHeader | None:
    """Parse the first line of a connection; None if it is made for nobody else, or the line lacks the key.

    Args:
        line: the line, without its end.
        key_hash: the hash of the key.
    """
    found = _HEADER.fullmatch(line.decode("ascii", "replace"))
    if found is None or parse_peer(found["peer"]) is None:
        return None
    if not hmac.compare_digest(hash_relay_key(found["key"]), key_hash):
        return None
    team = int(found["team"]) if found["team"] is not None else None
    return RelayHeader(found["peer"], team, found["timed"] is not None)


class FramedConnection(TcpConnection):
    """A connection that may come to carry frames."""

    _frames: FrameReader | None = None
    """Takes apart what comes, if that is frames."""
    _arrived_ms = 0
    """When the last bytes of the program arrived at the relay."""

    def expect_frames(self) -> None:
        """Take what comes after the line that has just been read for frames."""
        self._frames = FrameReader()
        rest, self._held = self._held, b""
        if rest:
            self.data_received(rest)

    def data_received(self, data: bytes, arrived_ms: int | None = None, own_ms: int | None = None) -> None:
        """Handle bytes, those of frames as of the time when they arrived at the relay."""
        if self._frames is None:
            super().data_received(data, arrived_ms, own_ms)
            return
        now_ms = self._clock.now_ms()
        try:
            parts = self._frames.feed(data)
        except ValueError as error:
            self.abort(str(error))
            return
        for part in parts:
            # Not before what came before it, nor before the line that it answers was written.
            self._arrived_ms = max(self._arrived_ms, min(now_ms, self.sent_at_ms), now_ms - part.waited_ms)
            super().data_received(part.data, self._arrived_ms, part.own_ms)


class RelayedConnection(FramedConnection):
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
        self._waiting_transport: asyncio.Transport | None = None
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._waiting_transport = cast(asyncio.Transport, transport)  # as for any connection of a server
        self._waiting = asyncio.get_running_loop().call_later(HEADER_S, self._begin)

    def data_received(self, data: bytes, arrived_ms: int | None = None, own_ms: int | None = None) -> None:
        if self._has_begun:
            super().data_received(data, arrived_ms, own_ms)
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
        """Take from a first line that has the key whose the connection is.

        Any other is the program's own, and refused as one.
        """
        header = parse_relay_header(line, self._relay_key)
        if header is not None:
            self._relayed_for, self.team_number, self._first = header.peer, header.team, rest
            self._frames = FrameReader() if header.is_timed else None
        self._begin()

    def _begin(self) -> None:
        """Begin as any other connection does."""
        assert self._waiting is not None
        assert self._waiting_transport is not None
        self._waiting.cancel()
        self._has_begun = True
        super().connection_made(self._waiting_transport)
        first, self._first = self._first, b""
        if first:
            self.data_received(first)

    def _find_peer(self, transport: asyncio.BaseTransport) -> str:
        return self._relayed_for or super()._find_peer(transport)
