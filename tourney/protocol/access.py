"""Who may connect to a table, and how much a connection may use: limits and addresses.

What happens when a limit is reached is in `admission`.
"""

from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from tourney.bridge import Side
from tourney.protocol.lines import LINE_BYTES_MAX
from tourney.protocol.passphrases import PhraseHash, RightPhrases

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

CONNECTIONS_MAX: Final = 16
"""Connections at one table, seated or not: four players, and room for some that came to the wrong table."""

UNAUTHENTICATED_MAX: Final = CONNECTIONS_MAX - 4
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

    def is_met(self, phrase: str | None, address: Address | None, right: RightPhrases) -> bool:
        """Return whether a program may log on with a pass phrase, None for none, from an address."""
        if not self.admits(address):
            return False
        if self.phrase is None or phrase is None:
            return self.phrase is None and phrase is None
        return right.fits(self.phrase, phrase)


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
