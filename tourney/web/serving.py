"""Serves one event until it is told to end: opens the socket, wires reader, hub and application together."""

import asyncio
import enum
import errno
import gc
import signal
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from tourney.errors import LaunchError
from tourney.event.drawn import DrawnEvent
from tourney.store.desk.users import has_users
from tourney.table import clock
from tourney.table.address import is_loopback
from tourney.table.runtime import loop_factory, share_interpreter, use_one_arena
from tourney.web.app import PublicPages, Server, make_app, nothing_public
from tourney.web.director.app import DeskPages, is_safe
from tourney.web.director.service import DeskService
from tourney.web.exports import Exports
from tourney.web.hub import Hub
from tourney.web.reader import Reader

MORE_SOCKETS: Final = 500
"""Connections beside those of watchers: browsers open up to six each for a moment."""

DESK_WATCHERS_MAX: Final = 50
"""Pages of the desk that may be open at once."""

DESK_APART_S: Final = 0.5
"""A page of the desk hears about changes at most once in so many seconds: what happens is on it within one."""

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
        option = "--host" if error.errno == errno.EADDRNOTAVAIL else "--port"
        raise LaunchError(
            f"cannot listen on {host} port {port}: {error.strerror}; {option} takes another one"
        ) from None
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the address at which a browser on this machine finds a server; of all interfaces, the loopback one."""
    host, port = listener.getsockname()[:2]
    if not is_loopback(host) and host in ("0.0.0.0", "::"):  # noqa: S104 # compared, not bound
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


class Served(enum.Enum):
    """What a server answers."""

    ALL = "all"
    """The public pages, and the desk once it has users."""
    PUBLIC = "public pages"
    DESK = "desk"


def check_desk(drawn: DrawnEvent, host: str, served: Served) -> None:
    """Check that a desk that is to be served can be.

    Raises:
        LaunchError: pass phrases would travel in the open; or only the desk is wanted, and nobody may use it.
        StoreError: the database cannot be used.
    """
    if served is Served.PUBLIC:
        return
    is_used = has_users(drawn.database, drawn.event.id)
    if served is Served.DESK and not is_used:
        raise LaunchError(
            f"nobody may use the desk of {drawn.event.name!r}: `tourney user add {drawn.path} NAME` makes a user"
        )
    if is_used and not is_safe(drawn.file.config.web, host):
        raise LaunchError(
            f"the desk takes pass phrases, so it is not served on {host} without HTTPS in front: "
            "set behind_tls in [web], listen on 127.0.0.1, or give --no-desk"
        )


def serve_event(
    drawn: DrawnEvent, listener: socket.socket, on_ready: Callable[[], None], served: Served = Served.ALL
) -> signal.Signals | None:
    """Serve an event until a signal comes; returns which.

    Args:
        drawn: the event; its database is open for reading only, and is used on another thread from here on.
        listener: an open socket.
        on_ready: is called once the server answers.
        served: what is answered.
    """
    share_interpreter()  # the reader works for tens of milliseconds: pages that it has kept should not wait for it
    use_one_arena()
    gc.freeze()  # what is loaded by now stays, and is no garbage
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(_serve(drawn, listener, on_ready, served))


async def _serve(
    drawn: DrawnEvent, listener: socket.socket, on_ready: Callable[[], None], served: Served
) -> signal.Signals | None:
    watchers_max = drawn.file.config.web.watchers_max
    hubs: list[Hub] = []
    async with AsyncExitStack() as stack:
        public: ASGIApp = nothing_public
        if served is not Served.DESK:
            hubs.append(Hub(watchers_max))
            public = await _open_public(drawn, hubs[-1], stack)
        desk = None
        if served is not Served.PUBLIC:
            hubs.append(Hub(DESK_WATCHERS_MAX, spread_s=0, apart_s=DESK_APART_S))
            desk = DeskPages(DeskService(drawn, clock.wall_ms), hubs[-1], listener.getsockname()[0], public)
            stack.push_async_callback(desk.close)
            await desk.start()
        config = uvicorn.Config(
            make_app(public, desk),
            http="httptools",
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            log_level="error",  # what strangers send that is no request is no news to the organiser
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
            limit_concurrency=watchers_max + MORE_SOCKETS,
            backlog=BACKLOG,
        )
        server = Server(config, hubs, on_ready)
        await server.serve(sockets=[listener])
    return server.ended_by


async def _open_public(drawn: DrawnEvent, hub: Hub, stack: AsyncExitStack) -> ASGIApp:
    """Open the public pages; they are closed with the stack."""
    loop = asyncio.get_running_loop()
    reader = Reader(
        drawn.place,
        drawn,
        watched=hub.watched,
        publish=lambda changed: loop.call_soon_threadsafe(hub.publish, changed),
        now_ms=clock.wall_ms,
    )
    exports = Exports(drawn.path, reader.version_shown)
    reader.start()
    stack.callback(reader.stop)
    stack.push_async_callback(exports.close)
    return PublicPages(reader, hub, exports)
