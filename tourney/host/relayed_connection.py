"""Connections that a team's port makes to a table, for a program that has connected to that port.

Such a connection begins with a line that says whose it is: `Relayed ADDRESS:PORT KEY`. So a table judges it by the
address of the program: where its team plays from, limits of an address, failed log-ons. The key is known to the
event's team ports alone; the table has its hash. With the word `timed` after the key, what follows are frames with
the time that the program's bytes have waited on the way (`relay`).
"""

import asyncio
import hashlib
import hmac
from typing import Final, cast

from tourney.bridge import Seat
from tourney.host.connection import ConnectionOwner, TcpConnection
from tourney.host.relay import FrameReader
from tourney.protocol.access import ConnectionLimits, parse_peer
from tourney.runtime.clock import HostClock

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
