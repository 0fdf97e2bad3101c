"""Connections that a team's port makes to a table, for a program that has connected to that port.

Such a connection begins with a line that says whose it is: `Relayed ADDRESS:PORT KEY`. So a table judges it by the
address of the program: where its team plays from, limits of an address, failed log-ons. The key is known to the
event's team ports alone; the table has its hash.
"""

import asyncio
import hashlib
import hmac
from typing import Final, cast

from tourney.bridge import Seat
from tourney.protocol.access import ConnectionLimits, parse_peer
from tourney.table.clock import HostClock
from tourney.table.connection import ConnectionOwner, TcpConnection

_WORD: Final = b"Relayed "

_HEADER_BYTES_MAX: Final = 200

HEADER_S: Final = 1.0
"""How long a connection may say nothing before it is taken to be a program's own, in seconds: a team's port says its
line at once."""


def hash_relay_key(key: str) -> str:
    """Return what a table knows of the key of team ports."""
    return hashlib.sha256(key.encode()).hexdigest()


def format_relay_header(peer: str, key: str) -> bytes:
    """Format the line with which a connection begins that is made for a program at `peer`."""
    return _WORD + f"{peer} {key}\r\n".encode()


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
        self._waiting_transport: asyncio.Transport | None = None
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._waiting_transport = cast(asyncio.Transport, transport)  # as for any connection of a server
        self._waiting = asyncio.get_running_loop().call_later(HEADER_S, self._begin)

    def data_received(self, data: bytes) -> None:
        if self._has_begun:
            super().data_received(data)
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
        peer, _, key = line.removeprefix(_WORD).decode("ascii", "replace").partition(" ")
        if hmac.compare_digest(hash_relay_key(key), self._relay_key) and parse_peer(peer) is not None:
            self._relayed_for, self._first = peer, rest
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
            super().data_received(first)

    def _find_peer(self, transport: asyncio.BaseTransport) -> str:
        return self._relayed_for or super()._find_peer(transport)
