"""WebSockets whose other ends may be anybody: what one may cost before its request is answered, and after.

The library answers pings and takes pieces of messages as they come; here is how many of them may. A client of ours
sends whole messages and no pings (`protocol.tunnel` has its own), so that only others notice.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

from tourney.protocol.admission import TokenBucket
from tourney.protocol.tunnel.end import HELLO_MS
from tourney.protocol.tunnel.frames import MESSAGE_BYTES_MAX

HEAD_BYTES_MAX: Final = 8192
"""Maximum length of the request for a WebSocket."""

READ_BYTES: Final = 16_384
"""What the system keeps for a connection that is not read: nobody has more than about this looked at in one turn."""

_METHOD: Final = b"GET "
"""With this the request for a WebSocket begins."""

_PIECE_BYTES: Final = 1024
"""How much the library takes apart before it is looked whether the connection is to be cut."""

ODD_FRAMES_PER_S: Final = 50
ODD_FRAMES_AT_ONCE: Final = 100
"""Pings, pongs and pieces of messages that a client may send; a message in one piece is paced by its reader."""


@dataclass(eq=False)
class AskingConnection(asyncio.Protocol):
    """A connection whose request has not come whole: strangers open thousands, and a WebSocket costs much more."""

    note_opened: Callable[[asyncio.Transport], None]
    note_closed: Callable[[asyncio.Transport], object]
    may_ask: Callable[[bytes], bool]
    """Returns whether a request is answered; the connection is cut if it is not."""
    make_websocket: "Callable[[], TunnelSocket]"
    """Makes what the connection becomes."""
    _head: bytes = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note a connection."""
        self._transport = cast(asyncio.Transport, transport)
        self._timer = asyncio.get_running_loop().call_later(HELLO_MS / 1000, self._transport.abort)
        self.note_opened(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's
        """Note the end of the connection."""
        self._timer.cancel()
        self.note_closed(self._transport)

    def data_received(self, data: bytes) -> None:
        """Take a part of the request; once it is whole, the connection becomes a WebSocket."""
        self._head += data
        _, is_whole, more = self._head.partition(b"\r\n\r\n")
        is_odd = len(self._head) > HEAD_BYTES_MAX or more or not _METHOD.startswith(self._head[: len(_METHOD)])
        if is_odd or (is_whole and not self.may_ask(self._head)):
            self._transport.abort()
        elif is_whole:
            self._timer.cancel()
            websocket = self.make_websocket()
            self._transport.set_protocol(websocket)
            websocket.connection_made(self._transport)
            websocket.data_received(self._head)


class TunnelSocket(ServerConnection):
    """A WebSocket that is cut when its client says more than one does that is up to any good."""

    def __init__(
        self,
        note_closed: Callable[[asyncio.Transport], object],
        now_ms: Callable[[], int],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Prepare.

        Args:
            note_closed: told when it is closed.
            now_ms: a clock that never goes back, in milliseconds.
            *args: of the library.
            **kwargs: of the library.
        """
        super().__init__(*args, **kwargs)
        self._note_closed = note_closed
        self._now_ms = now_ms
        self._late_bytes = 0
        """What has come since its end was announced."""
        self._odd_frames = TokenBucket(ODD_FRAMES_PER_S, ODD_FRAMES_AT_ONCE)
        self._is_cut = False

    def cut(self) -> None:
        """Close the connection at once, whatever waits to be sent."""
        self._is_cut = True
        self.transport.abort()

    # Called by the event loop and the library

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end of the connection."""
        super().connection_lost(exc)
        self._note_closed(self.transport)

    def data_received(self, data: bytes) -> None:
        """Take bytes, unless they come before it is their turn, or long after its end."""
        if self.protocol.state is State.CLOSING:
            self._late_bytes += len(data)
        is_early = self.protocol.state is State.CONNECTING and self.request is not None
        if is_early or self._late_bytes > MESSAGE_BYTES_MAX:
            self.cut()
        for start in range(0, len(data), _PIECE_BYTES):
            if not self._is_cut:
                super().data_received(data[start : start + _PIECE_BYTES])
        if self.protocol.handshake_exc is not None and self.request is None:
            self.cut()  # what has come is no request; the library would read on

    def process_event(self, event: Request | Response | Frame) -> None:
        """Take a frame, or cut a client that sends too many of those that no client of ours does."""
        if isinstance(event, Frame):
            is_message = event.fin and event.opcode in {Opcode.BINARY, Opcode.TEXT}
            if self._is_cut or not (is_message or self._odd_frames.take_one(self._now_ms())):
                self.cut()
                return
        super().process_event(event)
