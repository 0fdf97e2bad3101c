"""Which connections the web server keeps: places for each address, a reserve for the desk, and who gives way.

A connection is idle until a whole request has come over it, and again between its requests. An idle connection gives
way to a new one where there is no place left: the oldest of the address whose places these are, or else of the
address that has most of them. So whoever opens connections and says nothing takes places from himself alone.
"""

import logging
import time
from collections.abc import Callable
from typing import Final, Protocol

from tourney.config.web import WebConfig
from tourney.launch.limits import BESIDE_WATCHERS, allow_files, connections_allowed, files_served
from tourney.protocol.access import address_key, parse_peer

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
        self._places = 0
        self._of_source: dict[str, set[Connection]] = {}
        """Those that have a place which is for everybody, by where they come from."""
        self._ordinary: dict[Connection, str] = {}
        """Where each of them comes from."""
        self._idle: dict[str, dict[Connection, None]] = {}
        """Those of them that are idle, the one that has been so for longest first."""
        self._reserve: dict[Connection, str] = {}
        self._idle_in_reserve: dict[Connection, None] = {}
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
        source = source_of(peer)
        if self._take_place(connection, source, is_proxy=peer in self.config.proxies):
            return True
        if len(self._reserve) >= self.config.desk_reserve:
            oldest = next(iter(self._idle_in_reserve), None)
            if oldest is None:
                self._note_turned_away(source)
                return False
            self._give_way(oldest)
        self._reserve[connection] = source
        self._idle_in_reserve[connection] = None
        return True

    def leave(self, connection: Connection) -> None:
        """Forget a connection, if it is not forgotten yet."""
        self._set_idle(connection, is_idle=False)
        self._reserve.pop(connection, None)
        source = self._ordinary.pop(connection, None)
        if source is not None:
            of_source = self._of_source[source]
            of_source.discard(connection)
            if not of_source:
                del self._of_source[source]

    def begin_request(self, connection: Connection) -> None:
        """Note that a whole request has come over a connection, which is being answered."""
        self._set_idle(connection, is_idle=False)

    def end_request(self, connection: Connection) -> None:
        """Note that every request of a connection has been answered."""
        self._set_idle(connection, is_idle=True)

    def serves(self, connection: Connection, path: bytes, peer: str) -> bool:
        """Whether a request may be answered: over a connection of the reserve, only what is for the desk."""
        if connection not in self._reserve or is_for_desk(path):
            return True
        source, was_idle = self._reserve.pop(connection), connection in self._idle_in_reserve
        self._idle_in_reserve.pop(connection, None)
        if self._take_place(connection, source, is_proxy=peer in self.config.proxies):
            self._set_idle(connection, is_idle=was_idle)
            return True
        self._reserve[connection] = source
        self._set_idle(connection, is_idle=was_idle)
        self._note_turned_away(source)
        return False

    # Places

    def _take_place(self, connection: Connection, source: str, *, is_proxy: bool) -> bool:
        """Give a connection one of the places that are for everybody, if need be that of an idle one.

        A server in front has as many as it needs: it brings the browsers of many.
        """
        is_share_taken = not is_proxy and len(self._of_source.get(source, ())) >= self.config.connections_per_address
        if is_share_taken or len(self._ordinary) >= self._places_now():
            idle = self._idle.get(source) if is_share_taken else max(self._idle.values(), key=len, default=None)
            if not idle:
                return False
            self._give_way(next(iter(idle)))
        self._ordinary[connection] = source
        self._of_source.setdefault(source, set()).add(connection)
        self._set_idle(connection, is_idle=True)
        return True

    def _places_now(self) -> int:
        """Return how many places are for everybody: as many as `watchers_max` needs, if there are as many files."""
        config = self.config
        if config is not self._measured_for:
            self._measured_for = config
            files = allow_files(files_served(config.watchers_max, config.desk_reserve))
            allowed = connections_allowed(files, config.desk_reserve)
            self._places = min(config.watchers_max + BESIDE_WATCHERS, allowed)
        return self._places

    def _give_way(self, connection: Connection) -> None:
        self.leave(connection)
        connection.give_way()

    def _set_idle(self, connection: Connection, *, is_idle: bool) -> None:
        if connection in self._reserve:
            self._idle_in_reserve.pop(connection, None)
            if is_idle:
                self._idle_in_reserve[connection] = None
            return
        source = self._ordinary.get(connection)
        if source is None:
            return
        idle = self._idle.setdefault(source, {})
        idle.pop(connection, None)
        if is_idle:
            idle[connection] = None
        if not idle:
            del self._idle[source]

    def _note_turned_away(self, source: str) -> None:
        self._turned_away += 1
        now_s = time.monotonic()
        if now_s - self._said_at_s < _SAID_APART_S:
            return
        words = "%d connections turned away, the last one from %s: all places are taken"
        log.warning(words, self._turned_away, source, extra={"action": "turned_away"})
        self._turned_away, self._said_at_s = 0, now_s


def source_of(peer: str) -> str:
    """Return what counts as one address: for IPv6 the /64 network."""
    address = parse_peer(f"{peer}:0")
    return address_key(address) if address is not None else peer


def is_for_desk(path: bytes) -> bool:
    """Whether the path of a request is one of the desk's, or of a file that its pages need."""
    return path == b"/desk" or path.startswith((b"/desk/", b"/static/"))
