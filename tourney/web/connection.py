"""A connection of the web server, with limits on what a request may be and how long it may take to come.

The parser that uvicorn uses for HTTP keeps whatever comes until a header is over, and has no clock: a header without
end would fill the memory. So bytes are counted before it gets them.
"""

import asyncio
import http
from typing import Any, Final

import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from tourney.web.doors import WebDoors

BODY_BYTES_MAX: Final = 128 * 1024
"""More than the longest form that anything here takes, with what surrounds it on the wire."""

PIPELINED_MAX: Final = 8
"""Requests of a connection that wait for the one before them; no browser sends any before it has the answer."""

STALLED_S: Final = 60.0
"""A connection that takes nothing of its answer for so many seconds is ended."""

_PIECE_BYTES: Final = 4096
"""How much is handed to the parser at once: by so much more than allowed may be kept for a moment."""

_BESIDE_HEADER: Final = len(b": \r\n")


class _RefusedError(Exception):
    """A request is not such as it may be; raised through the parser, which stops."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class LimitedConnection(HttpToolsProtocol):
    """A connection whose requests have limits, and which has a place of the doors.

    Args:
        doors: who may stay, and `[web]`.
        config: as uvicorn gives it.
        server_state: likewise.
        app_state: likewise.
        _loop: likewise.
    """

    def __init__(
        self,
        doors: WebDoors,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._doors = doors
        self._served_by = self.app
        self._peer = ""
        self._deadline: asyncio.TimerHandle | None = None
        """When the request that is coming has to be whole."""
        self._stalled: asyncio.TimerHandle | None = None
        """When the answer that is not being taken is given up."""
        self._is_begun = False
        """Whether a part of a request has come."""
        self._is_head = True
        """Whether its headers are coming, or are to come."""
        self._bytes = 0
        """What has come of the request."""
        self._head_bytes = 0
        """What the parser has of its first line and headers."""
        self._unanswered = 0
        """Whole requests that are being answered, or wait for that."""
        self._refusal: _RefusedError | None = None

    # Life

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Take a place, or end."""
        super().connection_made(transport)
        self._peer = self.client[0] if self.client else ""
        if self._doors.enter(self, self._peer):
            self._set_deadline()
        else:
            self._refuse(503, "too many connections at once; try again in some seconds")

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the place to others."""
        self._doors.leave(self)
        self._clear_deadline()
        self._clear_stalled()
        super().connection_lost(exc)

    def give_way(self) -> None:
        """End at once: another connection has the place."""
        self.transport.abort()

    # What comes

    def data_received(self, data: bytes) -> None:
        """Take what has come, a piece at a time, so that what is too long is noticed before it is kept."""
        limits = self._doors.config
        if self._deadline is None and not self._unanswered:
            self._set_deadline()
        for start in range(0, len(data), _PIECE_BYTES):
            if self.transport.is_closing():
                return
            piece = data[start : start + _PIECE_BYTES]
            self._bytes += len(piece)
            super().data_received(piece)
            if self._is_head and self._bytes > limits.header_bytes:
                self._refuse(431, f"the headers of a request have at most {limits.header_bytes} bytes")
            elif self._bytes > limits.header_bytes + BODY_BYTES_MAX:
                self._refuse(413, "this is longer than anything that is taken here")

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._is_begun, self._is_head, self._bytes, self._head_bytes = True, True, 0, 0
        if self._deadline is None:
            self._set_deadline()

    def on_url(self, url: bytes) -> None:
        """Take a part of the first line."""
        super().on_url(url)
        self._count_head(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        super().on_header(name, value)
        self._count_head(len(name) + len(value) + _BESIDE_HEADER)
        headers_max = self._doors.config.headers_max
        if len(self.headers) > headers_max:
            self._refusal = _RefusedError(431, f"a request has at most {headers_max} headers")
            raise self._refusal

    def on_headers_complete(self) -> None:
        """Begin to answer, if there is a place for that."""
        self._is_head = False
        if len(self.pipeline) >= PIPELINED_MAX:
            self._refusal = _RefusedError(400, "too many requests before the first answer")
            raise self._refusal
        path = self.url.partition(b"?")[0]
        self.app = self._served_by if self._doors.serves(self, path, self._peer) else _BUSY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that a request is whole: what takes time from now on is ours."""
        super().on_message_complete()
        self._is_begun, self._is_head, self._bytes = False, True, 0
        self._clear_deadline()
        if not self.cycle.response_complete:
            self._unanswered += 1
            self._doors.begin_request(self)

    def on_response_complete(self) -> None:
        """Note that a request is answered."""
        super().on_response_complete()
        self._unanswered = max(0, self._unanswered - 1)
        if not self._unanswered:
            self._doors.end_request(self)

    def _count_head(self, length: int) -> None:
        self._head_bytes += length
        if self._head_bytes > (header_bytes := self._doors.config.header_bytes):
            self._refusal = _RefusedError(431, f"the headers of a request have at most {header_bytes} bytes")
            raise self._refusal

    # What goes

    def pause_writing(self) -> None:
        """Wait for somebody who takes nothing, but not for ever."""
        super().pause_writing()
        self._clear_stalled()
        self._stalled = self.loop.call_later(STALLED_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        self._clear_stalled()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong with a request, and end."""
        refusal = self._refusal or _RefusedError(400, msg)
        self._refuse(refusal.status, str(refusal))

    def _refuse(self, status: int, words: str) -> None:
        """Say why a connection ends, unless an answer is under way in which it would stand, and end it."""
        if self.transport.is_closing():
            return
        if self._unanswered:
            self.transport.abort()
            return
        body = f"{status}: {words}\n".encode()
        phrase = http.HTTPStatus(status).phrase
        head = (
            f"HTTP/1.1 {status} {phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    # Clocks

    def _set_deadline(self) -> None:
        self._deadline = self.loop.call_later(self._doors.config.request_s, self._give_up)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _clear_stalled(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _give_up(self) -> None:
        """End a connection over which no whole request has come in time; who has said nothing is told nothing."""
        self._deadline = None
        if self._is_begun and (self._is_head or not self.cycle.response_started):
            self._refuse(408, "this request has taken too long to come")
        else:
            self.transport.abort()


_BUSY: Final = PlainTextResponse(
    "503: too much is asked for at once; try again in some seconds\n",
    503,
    {"retry-after": "5", "connection": "close"},
)
"""Answers over a connection of the console's reserve what is not for the console."""
