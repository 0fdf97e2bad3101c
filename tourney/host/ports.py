"""The ports of a host: opened where they are free, and their connections admitted at a pace that leaves tables time.

A table's ports are the requested ones if these are free, else the next ones of the range (BC-02).

A connection is unauthenticated until it has logged on. Such connections have places of their own, besides those of
the seats, and descriptors beyond those that tables, programs, logs and database need; the oldest is evicted for the
next. What comes faster than that waits in the backlog of the port, where it costs this process nothing.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from tourney.config import PortRange
from tourney.errors import LaunchError
from tourney.host.connection import TcpConnection
from tourney.host.phrases import PhraseQueue
from tourney.protocol.access import UNAUTHENTICATED_MAX
from tourney.protocol.admission import TokenBucket
from tourney.runtime.clock import HostClock
from tourney.runtime.open_files import UNAUTHENTICATED_OF_TABLE, allow_files, files_needed

_LOGGER: Final = logging.getLogger(__name__)

GRACE_MS: Final = 250
"""How long a connection may take to send something before it can be evicted: a program logs on at once, from far away
a round trip later."""

MORE_MS: Final = 20
"""The shortest wait before a full port is checked again."""

CLOSING_MAX: Final = 4
"""Strangers that have been sent away, and have yet to read why, beside those that wait; the oldest is cut off."""

ADMITTED_PER_S: Final = 50
ADMITTED_AT_ONCE: Final = 64
"""Connections that a table lets in a second, and at once; so many passphrases can be tried there."""

HOST_ADMITTED_PER_S: Final = 500
HOST_ADMITTED_AT_ONCE: Final = 1000
"""The same for all ports of a host: a sixth of its time at most, while its tables play on."""

UNNAMED_MAX: Final = 256
"""Connections to the port of an event or a lobby that have not said who they are."""

SPARE_FILES: Final = 128
"""Descriptors asked for beyond those that tables need: unauthenticated connections of a few overloaded tables."""

CLIENTS_FILES: Final = 4096
"""The same for the clients of an event's port, which are those of all hosts' tables."""

ACCEPTS_A_TURN: Final = 16
"""Connections taken from a backlog before others have their turn."""

SHORTAGE_S: Final = 0.5
"""How long a port takes no connection after the system has refused it a descriptor."""

BACKLOG: Final = 128
"""Connections that wait until the port admits them."""

_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class HostAdmission:
    """What all ports of one host share: descriptors for unauthenticated connections, their pace and passphrases."""

    def __init__(self, clock: HostClock) -> None:
        self.clock = clock
        self.rate = TokenBucket(HOST_ADMITTED_PER_S, HOST_ADMITTED_AT_ONCE)
        self.phrases = PhraseQueue(clock)
        self.unauthenticated = 0
        """Places taken beyond those that every table has for them."""
        self._spare = SPARE_FILES
        self._seats = 0
        self._warned_of = 0
        """How many open files were needed when it was last said that there are too few; 0 while there are enough."""

    def note_tables(self, tables: int, ports: int, *, has_clients: bool = False) -> str | None:
        """Raise the limit of open files to what tables need; return a sentence if the system does not allow it.

        Args:
            tables: how many this host has.
            ports: listening ports of a table, 1 or 4.
            has_clients: whether clients of an event's port may connect here.
        """
        needed = files_needed(tables, ports)
        files = allow_files(needed + SPARE_FILES + (CLIENTS_FILES if has_clients else 0))
        self._spare, self._seats = max(0, files - needed), 4 * tables
        if files >= needed:
            self._warned_of = 0
            return None
        if needed <= self._warned_of:
            return None
        self._warned_of = needed
        return (
            f"{tables} tables need {needed} open files, and this process may have {files}: programs may not be "
            f"started again; raise the limit (ulimit -n), or lower at_once"
        )

    def has_descriptor(self, *, for_clients: bool) -> bool:
        """Return whether there is a descriptor for one more, besides those that every table has for them."""
        return self.unauthenticated < self._spare + (self._seats if for_clients else 0)


class UnauthenticatedConnections:
    """The connections of one table, or of one event's port, that have not logged on."""

    def __init__(
        self,
        budget: HostAdmission,
        make_room: Callable[[], object],
        *,
        is_public: bool = True,
        keeps_clients: bool = False,
    ) -> None:
        """Prepare.

        Args:
            budget: those of the host.
            make_room: sends the oldest of them away.
            is_public: whether they come from anywhere; otherwise from a program that we have started, which waits for
                nobody.
            keeps_clients: whether those that have logged on stay here, as at an event's port, instead of taking
                one of the seats of a table.
        """
        self._budget = budget
        self._make_room = make_room
        self._places = UNNAMED_MAX if keeps_clients else UNAUTHENTICATED_MAX
        """How many there may be."""
        self._is_public = is_public
        self._keeps_clients = keeps_clients
        self._rates = [budget.rate] if is_public else []
        """How fast they may come: here and at the host."""
        if is_public and not keeps_clients:
            self._rates.append(TokenBucket(ADMITTED_PER_S, ADMITTED_AT_ONCE))
        self._guaranteed = 0 if keeps_clients else UNAUTHENTICATED_OF_TABLE if is_public else self._places
        self._connections: list[TcpConnection] = []
        self._extra = 0

    def wait_ms(self) -> int:
        """Return how long the next connection has to wait in the backlog; 0 after a place was made for it."""
        if not self._keeps_clients:  # else those that have logged on stay here
            self._connections = [each for each in self._connections if not each.is_admitted]
            self._count_extra()
        now_ms = self._budget.clock.now_ms()
        wait_ms = max((rate.wait_ms(now_ms) for rate in self._rates), default=0)
        if wait_ms:
            return wait_ms
        waiting = [each for each in self._connections if not each.is_admitted and not each.is_closing]
        is_full = len(waiting) >= self._places or not self._has_file()
        if is_full and waiting:
            age_ms = now_ms - waiting[0].opened_at_ms
            if age_ms < GRACE_MS or len(waiting) >= self._places + CLOSING_MAX:
                return max(GRACE_MS - age_ms, MORE_MS)
            self._make_room()
        closing = [each for each in self._connections if each.is_closing and not each.is_admitted]
        while closing and (len(closing) > CLOSING_MAX or not self._has_file()):
            closing.pop(0).abort("its place was needed")  # its descriptor is free in the next turn of the loop
        return 0 if self._has_file() else MORE_MS

    def _has_file(self) -> bool:
        has_guaranteed = len(self._connections) < self._guaranteed
        return has_guaranteed or self._budget.has_descriptor(for_clients=self._keeps_clients)

    def add(self, connection: TcpConnection) -> None:
        """Note a connection that has been let in."""
        self._connections.append(connection)
        self._count_extra()
        for rate in self._rates:
            rate.take()

    def remove(self, connection: TcpConnection) -> None:
        """Note the end of a connection."""
        with contextlib.suppress(ValueError):  # it has logged on
            self._connections.remove(connection)
        self._count_extra()

    def _count_extra(self) -> None:
        extra = max(0, len(self._connections) - self._guaranteed) if self._is_public else 0
        self._budget.unauthenticated += extra - self._extra
        self._extra = extra

    def close(self) -> None:
        """Release what they hold of the host's budget."""
        self._connections = []
        self._count_extra()


class PortAdmission:
    """One port of a table or of clients: makes the connection of whoever is let in."""

    def __init__(self, make: Callable[[], TcpConnection], unauthenticated: UnauthenticatedConnections) -> None:
        self.make = make
        self._unauthenticated = unauthenticated
        self._opening: set[asyncio.Task[None]] = set()

    def __call__(self) -> TcpConnection:
        """Make a connection that has been accepted."""
        connection = self.make()
        self._unauthenticated.add(connection)
        return connection

    def wait_ms(self) -> int:
        """Return how long the next connection has to wait in the backlog; 0 if it is to be taken now."""
        return self._unauthenticated.wait_ms()

    def take(self, accepted: socket.socket) -> None:
        """Serve a connection, which does not block."""
        opening = asyncio.get_running_loop().create_task(self._open(accepted, self()))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)

    async def _open(self, accepted: socket.socket, connection: TcpConnection) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, accepted)
        except OSError:
            self._unauthenticated.remove(connection)
            accepted.close()


class Acceptor:
    """Accepts the connections of a port as its admission allows; the others wait in the backlog."""

    def __init__(
        self,
        listener: socket.socket,
        take: Callable[[socket.socket], None],
        wait_ms: Callable[[], int] | None = None,
        accepts_a_turn: int = ACCEPTS_A_TURN,
    ) -> None:
        """Begin to accept.

        Args:
            listener: a listening socket.
            take: serves a connection, which does not block.
            wait_ms: returns how long the next one has to wait in the backlog, 0 if it is to be taken now; None where
                none has to.
            accepts_a_turn: how many are accepted before others have their turn.
        """
        self._listener = listener
        self._take = take
        self._wait_ms = wait_ms
        self._accepts_a_turn = accepts_a_turn
        self._loop = asyncio.get_running_loop()
        self._resting: asyncio.TimerHandle | None = None
        self._is_open = True
        self._loop.add_reader(listener.fileno(), self._accept_some)

    def close(self) -> None:
        """Close the port; connections that have been accepted stay."""
        if not self._is_open:
            return
        self._is_open = False
        if self._resting is not None:
            self._resting.cancel()
        else:
            self._loop.remove_reader(self._listener.fileno())
        self._listener.close()

    def _accept_some(self) -> None:
        for _ in range(self._accepts_a_turn):
            wait_ms = self._wait_ms() if self._wait_ms is not None else 0
            if wait_ms:
                self._rest(wait_ms / 1000)
                return
            try:
                accepted, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in _SHORTAGES:
                    _LOGGER.warning(
                        "no connection can be accepted: %s", error.strerror, extra={"action": "accept_failed"}
                    )
                self._rest(SHORTAGE_S)
                return
            accepted.setblocking(False)  # noqa: FBT003 # the standard library's signature
            self._take(accepted)

    def _rest(self, seconds: float) -> None:
        """Leave everybody in the backlog for a while."""
        self._loop.remove_reader(self._listener.fileno())
        self._resting = self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._resting = None
        if self._is_open:
            self._loop.add_reader(self._listener.fileno(), self._accept_some)


# Opening


class OpenPort(NamedTuple):
    """A port that accepts connections until it is closed."""

    number: int
    close: Callable[[], None]


Listen: TypeAlias = Callable[[str, PortRange, int, Sequence[PortAdmission]], Awaitable[list[OpenPort]]]
"""Opens the ports of a table: `listen`, or a substitute in simulations."""


async def listen(host: str, ports: PortRange, wished: int, accepts: Sequence[PortAdmission]) -> list[OpenPort]:
    """Accept connections on neighbouring ports, one for each of `accepts`, the first at `wished` if they are free.

    Raises:
        LaunchError: as for `open_ports`.
    """
    sockets = open_ports(host, ports, wished, len(accepts))
    return [
        OpenPort(listener.getsockname()[1], (await serve_port(listener, accept)).close)
        for listener, accept in zip(sockets, accepts, strict=True)
    ]


async def serve_port(listener: socket.socket, accept: PortAdmission) -> Acceptor:
    """Accept connections on a listening socket."""
    return Acceptor(listener, accept.take, accept.wait_ms)


async def listen_nowhere(
    _host: str, _ports: PortRange, wished: int, accepts: Sequence[PortAdmission]
) -> list[OpenPort]:
    """Open no port: the players of a lobby come through that of the lobby."""
    return [OpenPort(wished, lambda: None) for _ in accepts]


def open_ports(host: str, ports: PortRange, wished: int, count: int) -> list[socket.socket]:
    """Open `count` listening sockets on neighbouring ports, the first at `wished` if they are free.

    Raises:
        LaunchError: none are free in the range, or the address is not this machine's.
    """
    for first in _starts(ports, wished, count):
        opened: list[socket.socket] = []
        try:
            for port in range(first, first + count):
                opened.append(open_listener(host, port, BACKLOG))  # noqa: PERF401 # those before a refusal are closed
        except OSError as error:
            for listener in opened:
                listener.close()
            if isinstance(error, socket.gaierror) or error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise LaunchError(f"cannot listen on {host} port {first + len(opened)}: {error.strerror}") from None
        else:
            return opened
    plural = "port is" if count == 1 else f"{count} neighbouring ports are"
    raise LaunchError(f"no {plural} free on {host} in {ports}: other programs have them")


def _starts(ports: PortRange, wished: int, count: int) -> Iterator[int]:
    last_start = ports.last - count + 1
    if ports.first <= wished <= last_start:
        yield from range(wished, last_start + 1)
    yield from range(ports.first, min(wished, last_start + 1))


def open_listener(host: str, port: int, backlog: int) -> socket.socket:
    """Open a socket that listens and does not block; port 0 takes any that is free.

    Raises:
        OSError: the host is not an address of this machine, or the port is taken or not allowed.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        # A port whose last connections are still closing counts as free, so that a table can reopen on the same port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(backlog)
        listener.setblocking(False)  # noqa: FBT003 # the standard library's signature
    except OSError:
        listener.close()
        raise
    return listener
