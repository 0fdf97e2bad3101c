"""Serves one event until it is told to end: opens the socket, wires reader, hub and application together."""

import asyncio
import signal
import socket
from collections.abc import Callable
from typing import Final

import uvicorn

from tourney.errors import LaunchError
from tourney.event.drawn import DrawnEvent
from tourney.table import clock
from tourney.table.address import is_loopback
from tourney.web.app import PublicPages, Server, make_app
from tourney.web.exports import Exports
from tourney.web.hub import Hub
from tourney.web.reader import Reader

MORE_SOCKETS: Final = 500
"""Connections beside those of watchers: browsers open up to six each for a moment."""

BACKLOG: Final = 1024
"""Connections that may wait to be accepted: 1000 watchers come back at once when a server has been started again."""


def open_socket(host: str, port: int) -> socket.socket:
    """Open the socket that the server listens on; port 0 takes any that is free.

    Raises:
        LaunchError: the host is not one of this machine, or the port is taken or not allowed.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise LaunchError(f"{host!r} is no address to listen on: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise LaunchError(
            f"cannot listen on {host} port {port}: {error.strerror}; --port takes another one"
        ) from None
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the address at which a browser on this machine finds a server; of all interfaces, the loopback one."""
    host, port = listener.getsockname()[:2]
    if not is_loopback(host) and host in ("0.0.0.0", "::"):  # noqa: S104 # compared, not bound
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def serve_event(drawn: DrawnEvent, listener: socket.socket, on_ready: Callable[[], None]) -> signal.Signals | None:
    """Serve an event until a signal comes; returns which.

    Args:
        drawn: the event; its database is open for reading only, and is used on another thread from here on.
        listener: an open socket.
        on_ready: is called once the server answers.
    """
    return asyncio.run(_serve(drawn, listener, on_ready))


async def _serve(drawn: DrawnEvent, listener: socket.socket, on_ready: Callable[[], None]) -> signal.Signals | None:
    loop = asyncio.get_running_loop()
    hub = Hub(drawn.file.config.web.watchers_max)
    reader = Reader(
        drawn.place,
        drawn,
        watched=hub.watched,
        publish=lambda changed: loop.call_soon_threadsafe(hub.publish, changed),
        now_ms=clock.wall_ms,
    )
    exports = Exports(drawn.path, reader.version_shown)
    config = uvicorn.Config(
        make_app(PublicPages(reader, hub, exports)),
        http="httptools",
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        limit_concurrency=hub.watchers_max + MORE_SOCKETS,
        backlog=BACKLOG,
    )
    server = Server(config, hub, on_ready)
    reader.start()
    try:
        await server.serve(sockets=[listener])
    finally:
        await exports.close()
        reader.stop()
    return server.ended_by
