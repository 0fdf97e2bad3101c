"""Admits connections at the ports of a host, at a pace that leaves tables all that they need.

A connection is unauthenticated until it has logged on. Such connections have places of their own, besides those of
the seats, and descriptors beyond those that tables, programs, logs and database need; the oldest is evicted for the
next. What comes faster than that waits in the backlog of the port, where it costs this process nothing.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from tourney import plurals
from tourney.host.connection import TcpConnection
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
"""Connections that a table lets in a second, and at once; so many pass phrases can be tried there."""

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

LOG_EVERY_S: Final = 10.0
"""Seconds between two lines of the log about connections that a port has turned away."""

_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class HostAdmission:
    """What all ports of one host share: descriptors for unauthenticated connections, and how fast these may come."""

    def __init__(self, clock: HostClock) -> None:
        self.clock = clock
        self.rate = TokenBucket(HOST_ADMITTED_PER_S, HOST_ADMITTED_AT_ONCE)
        self.unauthenticated = 0
        """Places taken beyond those that every table has for them."""
        self._spare = SPARE_FILES
        self._seats = 0
        self._needed = 0
        self._has_warned = False

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
            self._has_warned = False
            return None
        if self._has_warned and needed <= self._needed:
            return None
        self._has_warned, self._needed = True, needed
        return (
            f"{tables} tables need {needed} open files, and this process may have {files}: programs may not be "
            f"started again; raise the limit (ulimit -n), or lower at_once"
        )

    def has_descriptor(self, *, for_clients: bool = False) -> bool:
        """Return whether there is a descriptor for one more, besides those that every table has for them."""
        return self.unauthenticated < self._spare + (self._seats if for_clients else 0)


class UnauthenticatedConnections:
    """The connections of one table, or of one event's port, that have not logged on."""

    def __init__(
        self,
        budget: HostAdmission,
        make_room: Callable[[], None],
        name: str,
        *,
        places: int = UNAUTHENTICATED_MAX,
        is_public: bool = True,
        keeps_clients: bool = False,
    ) -> None:
        """Prepare.

        Args:
            budget: those of the host.
            make_room: sends the oldest of them away.
            name: what the log calls the port, such as `match 3, open room`.
            places: how many there may be.
            is_public: whether they come from anywhere; otherwise from a program that we have started, which waits for
                nobody.
            keeps_clients: whether those that have logged on stay here, as at an event's port, instead of taking
                one of the seats of a table.
        """
        self._budget = budget
        self._make_room = make_room
        self.name = name
        self._places = places
        self._is_public = is_public
        self._keeps_clients = keeps_clients
        self._rate = TokenBucket(ADMITTED_PER_S, ADMITTED_AT_ONCE) if is_public and not keeps_clients else None
        self._guaranteed = 0 if keeps_clients else UNAUTHENTICATED_OF_TABLE if is_public else places
        self._connections: list[TcpConnection] = []
        self._extra = 0
        self._is_closed = False
        self._from: Counter[str] = Counter()
        """How many were turned away since the log last said so, by address."""
        self._log_timer: asyncio.TimerHandle | None = None

    def wait_ms(self) -> int:
        """Return how long the next connection has to wait in the backlog; 0 after a place was made for it."""
        self._forget_admitted()
        now_ms = self._budget.clock.now_ms()
        wait_ms = self._budget.rate.wait_ms(now_ms) if self._is_public else 0
        if self._rate is not None:
            wait_ms = max(wait_ms, self._rate.wait_ms(now_ms))
        return wait_ms or self._wait_for_place_ms(now_ms)

    def _wait_for_place_ms(self, now_ms: int) -> int:
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
        if self._is_public:
            self._budget.rate.take()
            if self._rate is not None:
                self._rate.take()

    def remove(self, connection: TcpConnection, *, is_over: bool = False) -> None:
        """Note the end of a connection; `is_over` if all end."""
        with contextlib.suppress(ValueError):  # it has logged on
            self._connections.remove(connection)
        self._count_extra()
        if not is_over and not self._is_closed and connection.was_sent_away and not connection.is_admitted:
            self._note_turned_away(connection.address)

    def _forget_admitted(self) -> None:
        """Forget the connections that have logged on, unless they stay here."""
        if not self._keeps_clients:
            self._connections = [each for each in self._connections if not each.is_admitted]
            self._count_extra()

    def _count_extra(self) -> None:
        extra = max(0, len(self._connections) - self._guaranteed) if self._is_public else 0
        self._budget.unauthenticated += extra - self._extra
        self._extra = extra

    # What is logged

    def _note_turned_away(self, address: str) -> None:
        if self._log_timer is None:
            self._log_turned_away({address: 1})
            self._log_timer = asyncio.get_running_loop().call_later(LOG_EVERY_S, self._log_later)
        else:
            self._from[address] += 1

    def _log_later(self) -> None:
        self._log_timer = None
        if self._from:
            refused, self._from = self._from, Counter()
            self._log_turned_away(refused)
            self._log_timer = asyncio.get_running_loop().call_later(LOG_EVERY_S, self._log_later)

    def _log_turned_away(self, by_address: dict[str, int]) -> None:
        count = sum(by_address.values())
        worst = max(by_address, key=lambda address: by_address[address])
        whose = f"most of them, {by_address[worst]}, from {worst}" if len(by_address) > 1 else f"from {worst}"
        were = f"{plurals.count(count, 'connection')} {plurals.plural(count, 'was', 'were')}"
        text = f"{self.name}: {were} turned away before logging on, {whose}"
        _LOGGER.warning(
            text, extra={"action": "connections_turned_away", "count": count, "addresses": len(by_address)}
        )

    def close(self) -> None:
        """Release what they hold of the host's budget, and say what has not been said yet."""
        self._is_closed = True
        if self._log_timer is not None:
            self._log_timer.cancel()
            self._log_timer = None
        if self._from:
            refused, self._from = self._from, Counter()
            self._log_turned_away(refused)
        self._connections = []
        self._count_extra()


MakeConnection: TypeAlias = Callable[[], TcpConnection]


class Admission(Protocol):
    """Who may come in by a port, and what becomes of whoever has."""

    def wait_ms(self) -> int:
        """Return how long the next connection has to wait in the backlog; 0 if it is to be taken now."""

    def take(self, accepted: socket.socket) -> None:
        """Serve a connection, which does not block."""


class PortAdmission:
    """One port of a table or of clients: makes the connection of whoever is let in."""

    def __init__(self, make: MakeConnection, unauthenticated: UnauthenticatedConnections) -> None:
        self._make = make
        self._unauthenticated = unauthenticated
        self._opening: set[asyncio.Task[None]] = set()

    def __call__(self) -> TcpConnection:
        """Make a connection that has been accepted."""
        connection = self._make()
        self._unauthenticated.add(connection)
        return connection

    def wait_ms(self) -> int:
        return self._unauthenticated.wait_ms()

    def take(self, accepted: socket.socket) -> None:
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

    def __init__(self, listener: socket.socket, admission: Admission, accepts_a_turn: int = ACCEPTS_A_TURN) -> None:
        self._listener = listener
        self._admission = admission
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
            wait_ms = self._admission.wait_ms()
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
            self._admission.take(accepted)

    def _rest(self, seconds: float) -> None:
        """Leave everybody in the backlog for a while."""
        self._loop.remove_reader(self._listener.fileno())
        self._resting = self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._resting = None
        if self._is_open:
            self._loop.add_reader(self._listener.fileno(), self._accept_some)
