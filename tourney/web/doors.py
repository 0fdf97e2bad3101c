"""Which connections the web server keeps: places for each address, a reserve for the console, and who gives way.

A connection is idle until a whole request has come over it, and again between its requests. To its budget
(`protocol.admission`) an idle connection is one that has not authenticated: it gives way to a new one where there is
no place left.
"""

import logging
import time
from collections.abc import Callable
from typing import Final, Protocol

from tourney.config.web import WebConfig
from tourney.protocol.access import peer_key
from tourney.protocol.admission import ConnectionBudget
from tourney.runtime.open_files import BESIDE_WATCHERS, allow_files, connections_allowed, files_served

CONSOLE: Final = "/director"
"""The address of the director's console; all its pages are below it."""
SEAT: Final = "/seat"
"""The address at which people sit down to play; all its pages are below it."""
TEAM_KEY: Final = "/team-key"
"""Where a team gets its key by a one-time link."""
_FILES: Final = "/static"
"""Files that pages need."""

_SAID_APART_S: Final = 60.0
"""The log says at most once in so many seconds that connections were turned away."""

log: Final = logging.getLogger(__name__)


class Connection(Protocol):
    """A connection, as the doors see it."""

    def give_way(self) -> None:
        """End at once."""


class WebDoors:
    """The connections of a server.

    Args:
        config: `[web]` as it is now.
    """

    def __init__(self, config: Callable[[], WebConfig]) -> None:
        self._read_config = config
        self._measured_for: WebConfig | None = None
        self._ordinary = ConnectionBudget[Connection](0)
        """Those that have a place which is for everybody."""
        self._reserve = ConnectionBudget[Connection](0)
        """Those that are served only what is for the console."""
        self._busy: set[Connection] = set()
        """Those over which a request has come that has not been answered."""
        self._turned_away = 0
        self._said_at_s = float("-inf")

    def __len__(self) -> int:
        return len(self._ordinary) + len(self._reserve)

    @property
    def config(self) -> WebConfig:
        """`[web]` as it is now."""
        return self._read_config()

    def enter(self, connection: Connection, peer: str) -> bool:
        """Take in a new connection from an address, idle; return whether there was a place for it."""
        self._reserve.in_all = self.config.console_reserve
        is_in = self._take_place(connection, peer) or self._take(self._reserve, connection, source_of(peer))
        if not is_in:
            self._note_turned_away(peer)
        return is_in

    def leave(self, connection: Connection) -> None:
        """Forget a connection, if it is not forgotten yet."""
        self._ordinary.leave(connection)
        self._reserve.leave(connection)
        self._busy.discard(connection)

    def begin_request(self, connection: Connection) -> None:
        """Note that a whole request has come over a connection, which is being answered."""
        self._busy.add(connection)
        self._ordinary.authenticate(connection)
        self._reserve.authenticate(connection)

    def end_request(self, connection: Connection) -> None:
        """Note that every request of a connection has been answered."""
        self._busy.discard(connection)
        self._ordinary.release(connection)
        self._reserve.release(connection)

    def serves(self, connection: Connection, path: bytes, peer: str) -> bool:
        """Whether a request may be answered: over a connection of the reserve, only what is for the console."""
        if connection not in self._reserve or is_of(path.decode("latin-1"), CONSOLE, _FILES):
            return True
        if not self._take_place(connection, peer):
            self._note_turned_away(peer)
            return False
        self._reserve.leave(connection)
        if connection in self._busy:
            self._ordinary.authenticate(connection)
        return True

    # Places

    def _take_place(self, connection: Connection, peer: str) -> bool:
        """Give a connection one of the places that are for everybody, if need be that of an idle one.

        A server in front has as many as it needs: it brings the browsers of many.
        """
        config = self.config
        if config is not self._measured_for:  # as many places as `watchers_max` needs, if there are as many files
            self._measured_for = config
            files = allow_files(files_served(config.watchers_max, config.console_reserve))
            allowed = connections_allowed(files, config.console_reserve)
            self._ordinary.in_all = min(config.watchers_max + BESIDE_WATCHERS, allowed)
        self._ordinary.per_address = None if peer in config.proxies else config.connections_per_address
        return self._take(self._ordinary, connection, source_of(peer))

    def _take(self, budget: ConnectionBudget[Connection], connection: Connection, source: str) -> bool:
        eviction = budget.enter(connection, source)
        if eviction is None:
            return True
        budget.leave(eviction.connection)
        if eviction.connection is connection:
            return False
        self.leave(eviction.connection)
        eviction.connection.give_way()
        return True

    def _note_turned_away(self, peer: str) -> None:
        self._turned_away += 1
        now_s = time.monotonic()
        if now_s - self._said_at_s < _SAID_APART_S:
            return
        words = "%d connections turned away, the last one from %s: all places are taken"
        log.warning(words, self._turned_away, source_of(peer), extra={"action": "turned_away"})
        self._turned_away, self._said_at_s = 0, now_s


def source_of(peer: str) -> str:
    """Return what counts as one address: for IPv6 the /64 network."""
    return peer_key(f"{peer}:0") or peer


def is_of(path: str, *addresses: str) -> bool:
    """Whether a path is one of these addresses, or below one of them."""
    return any(path == address or path.startswith(f"{address}/") for address in addresses)
