"""Who may connect to a table, and how much a connection may use: limits, addresses, failed log-ons.

This module handles texts and times only; its callers decide what happens when a limit is exceeded.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias, TypeVar

from tourney.bridge import Side
from tourney.protocol.lines import LINE_BYTES_MAX
from tourney.protocol.pass_phrases import PhraseHash

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

T = TypeVar("T")

FAILED_WITHIN_MS: Final = 60_000
"""Window in which failed log-ons are counted: one minute."""

ADDRESSES_MAX: Final = 1024
"""Maximum number of addresses whose failures are remembered; beyond it the oldest is forgotten."""

CONNECTIONS_MAX: Final = 16
"""Connections at one table, seated or not: four players, and room for some that came to the wrong table."""

STRANGERS_MAX: Final = CONNECTIONS_MAX - 4
"""Connections at one table that have not logged on: with as many, the places of the four seats are still there."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits on what one connection, or one address, may use of a table."""

    line_bytes: int = LINE_BYTES_MAX
    """Longest received line (BC-03)."""
    lines_per_s: int = 2000
    """Lines received on one connection per second; a burst of the same size is allowed."""
    flood_ms: int = 10_000
    """How long a connection may exceed `lines_per_s` before it is closed."""
    log_on_ms: int = 30_000
    """How long a program may take from connecting to logging on."""
    unread_bytes: int = 256 * 1024
    """Bytes sent but not read by the other end; a whole board is about 10 kB."""
    connections_per_address: int = 12
    """Connections at one table, seated or not: four programs, and reconnections before a loss is noticed."""
    failed_log_ons: int = 10
    """Consecutive log-ons from one address within a minute with a wrong name or pass phrase."""


@dataclass(frozen=True, slots=True)
class TeamAccess:
    """What a team's programs must present to get its seats, besides the team's name."""

    phrase: PhraseHash | None = None
    allow: tuple[Network, ...] = ()
    """Networks from which they may connect; empty for any."""

    def admits(self, address: Address | None) -> bool:
        """Return whether a program may connect from an address."""
        return not self.allow or any(address in network for network in self.allow if address is not None)


@dataclass(frozen=True, slots=True)
class TableAccess:
    """Access rules of one table. A side that is not listed requires only the team's name."""

    limits: ConnectionLimits = ConnectionLimits()
    by_side: dict[Side, TeamAccess] = field(default_factory=dict)

    def of_side(self, side: Side) -> TeamAccess:
        """Return what the programs of a side must present."""
        return self.by_side.get(side, _OPEN)


_OPEN: Final = TeamAccess()


def parse_peer(peer: str) -> Address | None:
    """Parse the address of `192.168.1.7:40123` or `2001:db8::7:40123`; None without an address, as in tests.

    An IPv4 address that arrives over an IPv6 socket (`::ffff:192.168.1.7`) is returned as IPv4.
    """
    try:
        address = ip_address(peer.rpartition(":")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def address_key(address: Address) -> str:
    """Return what counts as one address: for IPv6 the /64 network, all of which a single machine may own."""
    return str(ip_network((int(address), 64), strict=False)) if isinstance(address, IPv6Address) else str(address)


def peer_key(peer: str) -> str:
    """Return what counts as one address of a peer, `address:port`; empty if it has none."""
    address = parse_peer(peer)
    return address_key(address) if address is not None else ""


def who_gives_way(waiting: Iterable[tuple[T, str]]) -> T | None:
    """Choose which connection that has not logged on gives way to a new one; None if there is none.

    It is the oldest of the address that has the most of them, so that an address which fills a port takes places
    from itself.

    Args:
        waiting: the connections that have not logged on, the oldest first, each with its `address_key`.
    """
    by_address: dict[str, list[T]] = {}
    for connection, key in waiting:
        by_address.setdefault(key, []).append(connection)
    return max(by_address.values(), key=len)[0] if by_address else None


class FailedLogOns:
    """Addresses whose log-ons fail: after `allowed` failures in a row, no reason is given them until a minute is up.

    A right name and pass phrase is heard all the same: whoever shares an address with somebody who guesses is not
    kept from its seat.
    """

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self._failed_at_ms: dict[str, deque[int]] = {}

    def wait_ms(self, key: str, now_ms: int) -> int:
        """Return how long an address is still refused; 0 if it may try."""
        failed = self._failed_at_ms.get(key)
        if failed is None or len(failed) < self._allowed:
            return 0
        return max(0, failed[0] + FAILED_WITHIN_MS - now_ms)

    def note_failure(self, key: str, now_ms: int) -> None:
        # Removed and reinserted, so that the first key of the dict is the address that failed longest ago.
        failed = self._failed_at_ms.pop(key, None) or deque(maxlen=self._allowed)
        failed.append(now_ms)
        self._failed_at_ms[key] = failed
        if len(self._failed_at_ms) > ADDRESSES_MAX:
            del self._failed_at_ms[next(iter(self._failed_at_ms))]

    def note_success(self, key: str) -> None:
        self._failed_at_ms.pop(key, None)

    def refuse(self, key: str, now_ms: int) -> str | None:
        """Note a failure; return what an address is told that has had too many, None while it has not."""
        wait_ms = self.wait_ms(key, now_ms)
        if wait_ms:
            return f"too many log-ons from {key} have failed, the next is heard in {-(-wait_ms // 1000)} s"
        self.note_failure(key, now_ms)
        return None

    def __len__(self) -> int:
        """Return the number of addresses remembered."""
        return len(self._failed_at_ms)
