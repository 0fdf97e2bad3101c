"""Who may connect, and how much anybody may ask of a table: limits, addresses, failed log-ons.

This module knows texts and times; its callers decide what follows when a limit is passed.
"""

from collections import deque
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from tourney.bridge import Side
from tourney.protocol.lines import LINE_BYTES_MAX
from tourney.protocol.pass_phrases import PhraseHash

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

FAILED_WITHIN_MS: Final = 60_000
"""Failed log-ons are counted over a minute."""

ADDRESSES_MAX: Final = 1024
"""Addresses whose failures are remembered; beyond them the one that failed longest ago is forgotten."""

CONNECTIONS_MAX: Final = 16
"""Connections at one table, seated or not: four players, and room for those that came to the wrong table."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What one connection, or one address, may ask of a table."""

    line_bytes: int = LINE_BYTES_MAX
    """Longest received line (BC-03)."""
    lines_per_s: int = 2000
    """Lines received on one connection a second; as many may come at once."""
    flood_ms: int = 10_000
    """How long a connection may be over that before it is closed."""
    log_on_ms: int = 30_000
    """How long a program may take from connecting to logging on."""
    unread_bytes: int = 256 * 1024
    """Bytes sent and not read by the other end; a whole board is about 10 kB."""
    connections_per_address: int = 12
    """Connections at one table, seated or not: four programs, and those that come back unnoticed."""
    failed_log_ons: int = 10
    """Log-ons in a row from one address within a minute, with a wrong name or pass phrase."""


@dataclass(frozen=True, slots=True)
class TeamAccess:
    """What a team's programs must show to get its seats, beside its name."""

    phrase: PhraseHash | None = None
    allow: tuple[Network, ...] = ()
    """Where they may come from; empty for anywhere."""

    def admits(self, address: Address | None) -> bool:
        """Whether a program may come from there."""
        return not self.allow or any(address in network for network in self.allow if address is not None)


@dataclass(frozen=True, slots=True)
class TableAccess:
    """Who may come to one table. A side that is not listed asks for its name only."""

    limits: ConnectionLimits = ConnectionLimits()
    by_side: dict[Side, TeamAccess] = field(default_factory=dict)

    def of_side(self, side: Side) -> TeamAccess:
        """What the programs of a side must show."""
        return self.by_side.get(side, _OPEN)


_OPEN: Final = TeamAccess()


def parse_peer(peer: str) -> Address | None:
    """The address of `192.168.1.7:40123` or `2001:db8::7:40123`; None where there is none, as in a test.

    An IPv4 address that reaches us over an IPv6 socket (`::ffff:192.168.1.7`) is the IPv4 address.
    """
    try:
        address = ip_address(peer.rpartition(":")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def address_key(address: Address) -> str:
    """What counts as one address: of IPv6 the network of 64 bits, which a single machine may have whole."""
    return str(ip_network((int(address), 64), strict=False)) if isinstance(address, IPv6Address) else str(address)


class FailedLogOns:
    """Addresses whose log-ons fail: after `allowed` in a row within a minute they are refused until it is over."""

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self._failed_at_ms: dict[str, deque[int]] = {}

    def wait_ms(self, key: str, now_ms: int) -> int:
        """How long an address is refused from now on; 0 when it may try."""
        failed = self._failed_at_ms.get(key)
        if failed is None or len(failed) < self._allowed:
            return 0
        return max(0, failed[0] + FAILED_WITHIN_MS - now_ms)

    def note_failure(self, key: str, now_ms: int) -> None:
        # Taken out and put back: the oldest of a dict is the one that was put in first.
        failed = self._failed_at_ms.pop(key, None) or deque(maxlen=self._allowed)
        failed.append(now_ms)
        self._failed_at_ms[key] = failed
        if len(self._failed_at_ms) > ADDRESSES_MAX:
            del self._failed_at_ms[next(iter(self._failed_at_ms))]

    def note_success(self, key: str) -> None:
        self._failed_at_ms.pop(key, None)

    def __len__(self) -> int:
        """The addresses that are remembered."""
        return len(self._failed_at_ms)
