"""Serves one event until it is told to end: opens the socket, wires reader, hub and application together."""

import asyncio
import enum
import errno
import gc
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from tourney.client.server_link import ServerAddress
from tourney.config.web import WebConfig
from tourney.errors import LaunchError
from tourney.event.drawn import DrawnEvent
from tourney.host.ports import open_listener
from tourney.host.relay import format_relay_header, load_relay_key
from tourney.runtime import clock
from tourney.runtime.address import is_loopback
from tourney.runtime.event_loop import loop_factory, return_memory, share_interpreter, use_one_arena
from tourney.runtime.open_files import BACKLOG
from tourney.store.users import has_users
from tourney.web.app import PublicPages, make_app, nothing_public
from tourney.web.connection import LimitedConnection
from tourney.web.director.app import ConsolePages
from tourney.web.director.service import ConsoleService
from tourney.web.doors import WebDoors
from tourney.web.exports import Exports
from tourney.web.forms import is_safe
from tourney.web.hub import Hub
from tourney.web.reader import Reader
from tourney.web.seat.app import SeatPages
from tourney.web.seat.seats import SEATS_MAX, STREAMS_MAX, BrowserSeats
from tourney.web.team_links import KeyPages, TeamLinks

CONSOLE_WATCHERS_MAX: Final = 50
"""Pages of the console that may be open at once."""

SEATS_APART_S: Final = 0.05
"""The page of a seat hears about changes at most once in so many seconds: a trick of bots comes as one."""

CONSOLE_APART_S: Final = 0.5
"""A page of the console hears about changes at most once in so many seconds: what happens is on it within one."""

log: Final = logging.getLogger(__name__)


def open_socket(host: str, port: int) -> socket.socket:
    """Open the socket that the server listens on; port 0 takes any that is free.

    Raises:
        LaunchError: the host is not one of this machine, or the port is taken or not allowed.
    """
    try:
        return open_listener(host, port, BACKLOG)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EAFNOSUPPORT:
            raise LaunchError(f"{host!r} is not an address to listen on: {error.strerror}") from None
        option = "--host" if error.errno == errno.EADDRNOTAVAIL else "--port"
        raise LaunchError(
            f"cannot listen on {host} port {port}: {error.strerror}; {option} takes another one"
        ) from None


def address_of(listener: socket.socket) -> str:
    """Return the address at which a browser on this machine finds a server; of all interfaces, the loopback one."""
    host, port = listener.getsockname()[:2]
    if not is_loopback(host) and host in ("0.0.0.0", "::"):  # noqa: S104 # compared, not bound
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


class Server(uvicorn.Server):
    """A server that tells its streams when it ends: without that it would wait for the browsers to go."""

    def __init__(self, config: uvicorn.Config, hubs: Sequence[Hub], on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._hubs = hubs
        self._on_ready = on_ready
        self.ended_by: signal.Signals | None = None
        """The signal that ended it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 # as signals are handled
        """End the streams, then the server; the signal is not raised again, and a second Ctrl-C waits for nobody."""
        for hub in self._hubs:
            hub.end()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
        self.ended_by = signal.Signals(sig)


class Served(enum.Enum):
    """What a server answers."""

    ALL = "all"
    """The public pages, and the console once it has users."""
    PUBLIC = "public"
    CONSOLE = "console"
    SEATS = "seats"
    """The seats for people in their browsers."""


def check_seats(config: WebConfig, host: str) -> None:
    """Check that people may sit down from their browsers.

    Raises:
        LaunchError: passphrases would travel in the open.
    """
    if not is_safe(config, host):
        raise LaunchError(
            f"seats take passphrases, so they are not served on {host} without HTTPS in front: "
            "name the server in front in proxies of [web], or listen on 127.0.0.1"
        )


def check_console(drawn: DrawnEvent, host: str, served: Served) -> None:
    """Check that a console that is to be served can be.

    Raises:
        LaunchError: passphrases would travel in the open; or only the console is wanted, and nobody may use it.
        StoreError: the database cannot be used.
    """
    if served is Served.PUBLIC:
        return
    is_used = has_users(*drawn.record)
    if served is Served.CONSOLE and not is_used:
        raise LaunchError(
            f"nobody may use the console of {drawn.event.name!r}: "
            f"`tourney user add {drawn.path} NAME ROLE` makes a user"
        )
    if is_used and not is_safe(drawn.config.web, host):
        raise LaunchError(
            f"the console takes passphrases, so it is not served on {host} without HTTPS in front: "
            "name the server in front in proxies of [web], listen on 127.0.0.1, or give --only public"
        )


def serve_event(
    drawn: DrawnEvent,
    listener: socket.socket,
    on_ready: Callable[[], None],
    served: Served = Served.ALL,
    players_at: ServerAddress | None = None,
) -> signal.Signals | None:
    """Serve an event until a signal comes; returns which.

    Args:
        drawn: the event; its database is open for reading only, and is used on another thread from here on.
        listener: an open socket.
        on_ready: is called once the server answers.
        served: what is answered.
        players_at: where people's seats connect to the tables; None if nobody may sit down from a browser.
    """
    share_interpreter()  # the reader works for tens of milliseconds: pages that it has kept should not wait for it
    use_one_arena()
    gc.collect()
    return_memory()
    gc.freeze()  # what is loaded by now stays, and is no garbage
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(_serve(drawn, listener, on_ready, served, players_at))


class _NoEnds(logging.Filter):
    """Keeps from the log of uvicorn what the end of the server has cut off: it is no fault, and has no traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is news."""
        is_cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
        return not is_cut_off and not record.getMessage().endswith("timeout graceful shutdown exceeded")


async def _serve(
    drawn: DrawnEvent,
    listener: socket.socket,
    on_ready: Callable[[], None],
    served: Served,
    players_at: ServerAddress | None,
) -> signal.Signals | None:
    watchers_max = drawn.config.web.watchers_max
    pages: PublicPages | None = None
    hubs: list[Hub] = []
    host = listener.getsockname()[0]
    async with AsyncExitStack() as stack:
        public: ASGIApp = nothing_public
        is_public = served in (Served.ALL, Served.PUBLIC)
        if is_public:
            hubs.append(Hub(watchers_max))
            pages = await _open_public(drawn, hubs[-1], stack)
            public = pages
        console = None
        if served in (Served.ALL, Served.CONSOLE):
            hubs.append(Hub(CONSOLE_WATCHERS_MAX, spread_s=0, apart_s=CONSOLE_APART_S))
            console = ConsolePages(ConsoleService(drawn, clock.wall_ms), hubs[-1], host, public)
            stack.push_async_callback(console.close)
            await console.start()
        links = TeamLinks(drawn, clock.wall_ms)
        stack.push_async_callback(links.close)
        seats = None
        if players_at is not None:
            hubs.append(Hub(SEATS_MAX * STREAMS_MAX, spread_s=0, apart_s=SEATS_APART_S))
            seats = _open_seats(drawn, players_at, hubs[-1], host, stack, links, has_boards=pages is not None)
        source = pages or console
        config_of = (lambda: source.config) if source is not None else (lambda: drawn.config.web)
        keys = None
        if is_public and is_safe(drawn.config.web, host):
            keys = KeyPages(links, config_of, host, drawn.event.name)
        config = uvicorn.Config(
            make_app(public, console, seats, keys),
            http=partial(LimitedConnection, WebDoors(config_of)),  # type: ignore[arg-type] # makes one
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            log_level="error",  # what strangers send that is no request is no news to the organiser
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
            backlog=BACKLOG,
        )
        logging.getLogger("uvicorn.error").addFilter(_NoEnds())
        server = Server(config, hubs, on_ready)
        await server.serve(sockets=[listener])
    return server.ended_by


def _open_seats(
    drawn: DrawnEvent,
    players_at: ServerAddress,
    hub: Hub,
    host: str,
    stack: AsyncExitStack,
    links: TeamLinks,
    *,
    has_boards: bool,
) -> SeatPages:
    """Open the seats for people in their browsers; they are closed with the stack."""

    def opening(address: str, team: int | None) -> bytes:
        """Return the line that tells the port of players where a person comes from, if that is on this machine."""
        try:
            key = load_relay_key(drawn.file.results)
        except LaunchError:
            return b""
        return format_relay_header(f"{address}:0", key, team=team)

    seats = BrowserSeats(players_at, hub, opening)
    seats.start()
    stack.push_async_callback(seats.close)
    web, is_lobby = drawn.config.web, drawn.config.lobby is not None
    return SeatPages(
        seats,
        hub,
        lambda: web,
        host,
        drawn.event.name,
        needs_phrase=not is_lobby,
        has_boards=has_boards,
        choices=drawn.event.seat_choices,
        links=None if is_lobby else links,
    )


async def _open_public(drawn: DrawnEvent, hub: Hub, stack: AsyncExitStack) -> PublicPages:
    """Open the public pages; they are closed with the stack."""
    loop = asyncio.get_running_loop()
    reader = Reader(
        drawn,
        watched=hub.watched,
        publish=lambda changed: loop.call_soon_threadsafe(hub.publish, changed),
        now_ms=clock.wall_ms,
    )
    exports = Exports(drawn.path, reader.version_shown)
    reader.start()
    stack.push_async_callback(reader.stop)
    stack.push_async_callback(exports.close)
    return PublicPages(reader, hub, exports, has_client=drawn.config.tables.connect_port is not None)
