"""What a team's port and a table have between them: a connection that is made for a program, and what it carries.

Such a connection begins with a line that says whose it is: `Relayed ADDRESS:PORT KEY`. So a table, or the event's own
port, judges it by the address of the program: where its team plays from, limits of an address, who gives way. The key
is in a file of the results folder, which the organiser's account alone can read. The run makes it, and hosts have its
hash.

Two words may follow the key: `team=3`, if whoever connects has shown that it is team 3, so that it gets no other
team's seat and need not give a passphrase; and `framed`, after which frames follow: `LENGTH[ OWN]` and a line end,
then so many bytes. `OWN` is how many milliseconds a program beyond a tunnel took for the line that begins with those
bytes, as its client says: any number, by which the table tells the delay of the network (`session/clock.py`).
"""

import asyncio
import hashlib
import hmac
import os
import re
import secrets
import socket
from pathlib import Path
from typing import Final, NamedTuple, cast

from tourney.bridge import Seat
from tourney.errors import LaunchError
from tourney.host.connection import ConnectionOwner, TcpConnection
from tourney.protocol.access import ConnectionLimits, parse_peer
from tourney.protocol.session.clock import OWN_MS_MAX
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import end_tasks

CHUNK_BYTES: Final = 65_536

HEAD_BYTES_MAX: Final = 32
"""Longest first line of a frame."""

CLOSE_S: Final = 5.0
"""How long one end may stay open after the other was closed, in seconds."""

KEY_FILE: Final = "relay.key"
"""The file of the results folder with the key: the same for all runs, as hosts of earlier ones play on."""

HEADER_S: Final = 1.0
"""How long a connection may say nothing before it is taken to be a program's own, in seconds: a team's port says its
line at once."""

_WORD: Final = b"Relayed "
_HEADER: Final = re.compile(r"Relayed (?P<peer>\S+) (?P<key>\S+)( team=(?P<team>\d{1,6}))?(?P<framed> framed)?")

_HEADER_BYTES_MAX: Final = 200


# Bytes


def format_frame(data: bytes, own_ms: int | None = None) -> bytes:
    """Format bytes as they are passed on to a table; `own_ms` is what the client of a tunnel says, if it does."""
    own = b"" if own_ms is None else b" %d" % min(max(0, own_ms), OWN_MS_MAX)
    return b"%d%b\n%b" % (len(data), own, data)


class FramePart(NamedTuple):
    """Bytes of a frame that have come."""

    data: bytes
    own_ms: int | None
    """How long the program took for the line that begins with the frame, as the client of its tunnel says."""


class FrameReader:
    """Takes frames apart as they come."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._own_ms: int | None = None

    def feed(self, data: bytes) -> list[FramePart]:
        """Return the bytes of frames that have come.

        Raises:
            ValueError: these are no frames.
        """
        parts = []
        while data:
            if self._left:
                part, data = data[: self._left], data[self._left :]
                self._left -= len(part)
                parts.append(FramePart(part, self._own_ms))
                continue
            head, end, data = (self._head + data).partition(b"\n")
            self._head = b"" if end else head
            if end:
                length, *own = head.split(b" ", 1)
                self._left, self._own_ms = max(0, int(length)), int(own[0]) if own else None
            elif len(head) > HEAD_BYTES_MAX:
                raise ValueError("a frame begins with one number or two")
        return parts


async def relay(program: socket.socket, table: socket.socket, first: bytes) -> None:
    """Write `first` to a table, then pass on what a program and it say, until both have ended or one is broken.

    The connections are non-blocking, and stay to be closed.
    """
    await asyncio.get_running_loop().sock_sendall(table, first)
    ways = [asyncio.create_task(_pass_on(*ends)) for ends in ((program, table), (table, program))]
    try:
        ended, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        if not any(way.exception() for way in ended):
            await asyncio.wait(ways, timeout=CLOSE_S)
    finally:
        await end_tasks(*ways)


async def _pass_on(source: socket.socket, target: socket.socket) -> None:
    """Pass on what one end says to the other, which is told when that has ended.

    Raises:
        OSError: one of the connections is broken.
    """
    loop = asyncio.get_running_loop()
    while data := await loop.sock_recv(source, CHUNK_BYTES):
        await loop.sock_sendall(target, data)
    target.shutdown(socket.SHUT_WR)


# Whose a connection is


def hash_relay_key(key: str) -> str:
    """Return what hosts know of the key."""
    return hashlib.sha256(key.encode()).hexdigest()


def write_private(path: Path, text: str) -> None:
    """Replace a file that only its owner can read.

    Raises:
        OSError: it cannot be written.
    """
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    new.replace(path)


def make_relay_key(results: Path) -> str:
    """Return the key in a results folder, which is made where there is none.

    Raises:
        LaunchError: it cannot be kept there.
    """
    path = results / KEY_FILE
    with LaunchError.of_system(f"the key of relayed connections, {path}, cannot be written"):
        if not path.exists():
            write_private(path, secrets.token_hex(16) + "\n")
    return load_relay_key(results)


def load_relay_key(results: Path, known_as: str | None = None) -> str:
    """Return the key in a results folder.

    Args:
        results: the folder.
        known_as: its hash, as hosts have it; None if it is not known yet.

    Raises:
        LaunchError: it cannot be read, or is another one.
    """
    path = results / KEY_FILE
    try:
        key = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise LaunchError(f"the key of relayed connections, {path}, cannot be read: {error}") from None
    if known_as is not None and hash_relay_key(key) != known_as:
        raise LaunchError(f"{path} has not the key that the tables of the event know: put that file back")
    return key


def format_relay_header(peer: str, key: str, *, team: int | None = None, is_framed: bool = False) -> bytes:
    """Format the line with which a connection begins that is made for a program.

    Args:
        peer: the address and port of the program.
        key: the key.
        team: the number of the team that it has shown to belong to; None if it has not, and logs on as others do.
        is_framed: whether frames follow.
    """
    of_team = f" team={team}" if team is not None else ""
    return _WORD + f"{peer} {key}{of_team}{' framed' if is_framed else ''}\r\n".encode()


class RelayedConnection(TcpConnection):
    """A connection that may be made for somebody else.

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
        self._frames: FrameReader | None = None
        """Takes apart what comes, if that is frames."""
        self._has_begun = False
        self._first = b""
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # as for any connection of a server
        self._waiting = asyncio.get_running_loop().call_later(HEADER_S, self._begin)

    def data_received(self, data: bytes, own_ms: int | None = None) -> None:
        """Handle bytes; until the owner knows of the connection they may be its header, then they may be frames."""
        if not self._has_begun:
            self._receive_first(data)
        elif self._frames is None:
            super().data_received(data, own_ms)
        else:
            try:
                parts = self._frames.feed(data)
            except ValueError as error:
                self.abort(str(error))
                return
            for part in parts:
                super().data_received(part.data, part.own_ms)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._has_begun:
            self._begin()
        super().connection_lost(exc)

    def _receive_first(self, data: bytes) -> None:
        """Take from a first line that has the key whose the connection is; any other line is the program's own."""
        self._first += data
        line, end, rest = self._first.partition(b"\n")
        found = _HEADER.fullmatch(line.strip().decode("ascii", "replace")) if end else None
        has_key = found is not None and hmac.compare_digest(hash_relay_key(found["key"]), self._relay_key)
        if found is not None and has_key and parse_peer(found["peer"]) is not None:
            self._relayed_for, self._first = found["peer"], rest
            self.team_number = int(found["team"]) if found["team"] else None
            self._frames = FrameReader() if found["framed"] else None
            self._begin()
        elif end or not _WORD.startswith(self._first[: len(_WORD)]) or len(self._first) > _HEADER_BYTES_MAX:
            self._begin()

    def _begin(self) -> None:
        """Begin as any other connection does."""
        assert self._waiting is not None
        assert self._transport is not None
        self._waiting.cancel()
        self._has_begun = True
        super().connection_made(self._transport)
        first, self._first = self._first, b""
        if first:
            self.data_received(first)

    def _find_peer(self, transport: asyncio.BaseTransport) -> str:
        return self._relayed_for or super()._find_peer(transport)
