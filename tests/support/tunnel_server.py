"""An organiser's end of a tunnel for tests: every stream is answered by a function."""

import asyncio
import contextlib
import http
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from tourney.protocol.tunnel.end import SUBPROTOCOL, TunnelEnd, TunnelSide
from tourney.protocol.tunnel.events import DataReceived, DirectorCalled, EofReceived
from tourney.protocol.tunnel.frames import parse_hello


@dataclass
class Refusal:
    """An answer in place of a WebSocket."""

    status: int
    body: str
    content_type: str = "text/plain; charset=utf-8"


@dataclass
class StubTunnelServer:
    """Echoes the bytes of every stream in capitals."""

    answer: Callable[[bytes], bytes] = bytes.upper
    refusal: Refusal | None = None
    bye: str = ""
    """With a reason, what is said to a client in place of a welcome."""
    port: int = 0
    ends: dict[bytes, TunnelEnd] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    websocket: ServerConnection | None = None
    welcomes: "asyncio.Queue[TunnelEnd]" = field(default_factory=asyncio.Queue)
    stamps: list[int | None] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def cut(self) -> None:
        """Lose the connection, without a word."""
        assert self.websocket is not None
        self.websocket.transport.abort()

    async def say(self, end: TunnelEnd) -> None:
        """Send what an end has to say."""
        assert self.websocket is not None
        while (message := end.next_message()) is not None:
            await self.websocket.send(message)

    def check(self, _connection: ServerConnection, request: Request) -> Response | None:
        self.requests.append(request)
        if self.refusal is None:
            return None
        headers = Headers({"Content-Type": self.refusal.content_type, "Connection": "close"})
        status = http.HTTPStatus(self.refusal.status)
        return Response(status.value, status.phrase, headers, self.refusal.body.encode())

    async def handle(self, websocket: ServerConnection) -> None:
        self.websocket = websocket
        with contextlib.suppress(ConnectionClosed):
            hello = parse_hello(await websocket.recv(decode=False))
            end = self.ends.setdefault(
                hello.session, TunnelEnd(TunnelSide.SERVER, hello.session, incarnation=1 + len(self.requests))
            )
            end.connect(0, hello)
            if self.bye:
                end.send_bye(self.bye)
            await self.say(end)
            self.welcomes.put_nowait(end)
            async for message in websocket:
                assert isinstance(message, bytes)
                end.receive(message, 0)
                self.carry_out(end)
                await self.say(end)

    def carry_out(self, end: TunnelEnd) -> None:
        while (event := end.next_event()) is not None:
            match event:
                case DataReceived(stream, data, own_ms):
                    self.stamps.append(own_ms)
                    end.send(stream, self.answer(data))
                    end.acknowledge(stream, len(data))
                case EofReceived(stream):
                    end.send_eof(stream)
                case DirectorCalled(call, text):
                    self.calls.append(text)
                    end.answer_call(call, "The director is called.")
                case _:
                    pass


@contextlib.asynccontextmanager
async def tunnel_server(
    server: StubTunnelServer, tls: ssl.SSLContext | None = None
) -> AsyncIterator[StubTunnelServer]:
    """Serve on a free port, or the one that the server had before."""
    async with serve(
        server.handle,
        "127.0.0.1",
        server.port,
        process_request=server.check,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        ping_interval=None,
        close_timeout=1,
        ssl=tls,
    ) as listening:
        server.port = next(iter(listening.sockets)).getsockname()[1]
        yield server
