"""Who may connect to a table, and how much a connection may use: limits, addresses, and passphrases of teams.

What happens when a limit is reached is in `admission`.

A passphrase is given with the team name in a log-on: `Connecting "Alpha#secret" as North ...` (BC-05). The table
knows only salted hashes, and nothing that it sends, records or logs contains the text after the `#`.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from tourney.bridge import Seat
from tourney.protocol.lines import LINE_BYTES_MAX

SEPARATOR: Final = "#"
"""Separates a team's name from its phrase."""

HIDDEN: Final = "***"
"""Replaces a phrase where a line is shown."""

_SCRYPT_N: Final = 2**11
"""Two milliseconds and two megabytes per log-on: expensive for a dictionary attack on a stolen database, cheap for a
table that has to wait for it."""
_SCRYPT_R: Final = 8


@dataclass(frozen=True, slots=True)
class PhraseHash:
    """The stored form of a phrase: salt and digest as hexadecimal digits."""

    salt: str
    digest: str


class PhraseChecker:
    """Checks phrases, and remembers which were right, so that each of those costs its slow hash only once.

    This one hashes at once, for tables in tests and commands. A host's (`host.phrases`) hashes in a thread.
    """

    def __init__(self) -> None:
        self._quick: dict[PhraseHash, bytes] = {}
        """A fast digest of the right phrase; in the memory of this process only."""

    def fits(self, stored: PhraseHash, phrase: str, source: str = "") -> bool:
        """Return whether this is the phrase, which comes from an address; compares in constant time.

        Raises:
            PhrasePending: it has to be hashed elsewhere first.
        """
        quick = hashlib.blake2b(phrase.encode(), key=bytes.fromhex(stored.digest)).digest()
        if hmac.compare_digest(self._quick.get(stored, b""), quick):
            return True
        if not hmac.compare_digest(stored.digest, self.hash(phrase, stored.salt, source).digest):
            return False
        self._quick[stored] = quick
        return True

    def hash(self, phrase: str, salt: str, source: str = "") -> PhraseHash:  # noqa: ARG002 # see subclasses
        """Return the hash of a phrase, which comes from an address.

        Raises:
            PhrasePending: it has to be hashed elsewhere first.
        """
        return hash_phrase(phrase, salt)


class PhrasePending(Exception):  # noqa: N818 # not an error: a step that is repeated
    """A phrase has to be hashed before its line can be answered; nothing has changed, and it is passed on again.

    Attributes:
        phrase, salt: what is to be hashed.
        source: the address that it comes from; empty if it has none.
    """

    def __init__(self, phrase: str, salt: str, source: str) -> None:
        super().__init__("a passphrase is being checked")
        self.phrase, self.salt, self.source = phrase, salt, source


def hash_phrase(phrase: str, salt: str) -> PhraseHash:
    """Hash a phrase. `salt` is hexadecimal digits, different for each team of each event."""
    digest = hashlib.scrypt(phrase.encode(), salt=bytes.fromhex(salt), n=_SCRYPT_N, r=_SCRYPT_R, p=1, dklen=32)
    return PhraseHash(salt, digest.hex())


def split_login(said: str, names: Iterable[str]) -> tuple[str, str | None]:
    """Split the quoted part of a log-on into team name and phrase; the phrase is None if it has none.

    `names` are the names of the table's teams, which may themselves contain a `#`.
    """
    known = {name.casefold() for name in names}
    if said.casefold() in known:
        return said, None
    # The longest name first. Folding may make a name longer, never shorter.
    for at in reversed(range(min(len(said), max(map(len, known), default=0) + 1))):
        if said[at] == SEPARATOR and said[:at].casefold() in known:
            return said[:at], said[at + 1 :]
    name, separator, phrase = said.partition(SEPARATOR)
    return (name.rstrip(), phrase) if separator else (said, None)


def format_login(name: str, phrase: str | None) -> str:
    """Format the quoted part of a log-on: the name, with the phrase if there is one."""
    return name if phrase is None else f"{name}{SEPARATOR}{phrase}"


def hide_phrase(line: str, names: Iterable[str]) -> str:
    """Mask anything that may be a phrase in a line from or to a program that has not logged on."""
    at = line.find(SEPARATOR)
    if at < 0:
        return line
    before, _, rest = line.partition('"')
    said, closing, after = rest.partition('"')
    if not closing or SEPARATOR in before + after:
        return line[: at + 1] + HIDDEN
    name, phrase = split_login(" ".join(said.split()), names)
    return line if phrase is None else f'{before}"{name}{SEPARATOR}{HIDDEN}"{after}'


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


@dataclass(frozen=True, slots=True)
class TeamAccess:
    """What a team's programs must present to get its seats, besides the team's name."""

    phrase: PhraseHash | None = None
    allow: tuple[Network, ...] = ()
    """Networks from which they may connect; empty for any."""

    def admits(self, address: Address | None) -> bool:
        """Return whether a program may connect from an address."""
        return not self.allow or any(address in network for network in self.allow if address is not None)

    def is_met(
        self,
        phrase: str | None,
        address: Address | None,
        checker: PhraseChecker,
        *,
        number: int | None,
        shown_number: int | None,
    ) -> bool:
        """Return whether a program may log on.

        Args:
            phrase: the passphrase that it gives, None for none: nobody asks for it where a team has been shown.
            address: where it comes from.
            checker: checks the passphrase.
            number: that of the team.
            shown_number: that of the team to which it has shown to belong, by a key; None if it has shown none.

        Raises:
            PhrasePending: the passphrase has to be hashed first.
        """
        if not self.admits(address):
            return False
        if shown_number is not None:
            return shown_number == number
        if self.phrase is None or phrase is None:
            return self.phrase is None and phrase is None
        return checker.fits(self.phrase, phrase, address_key(address))


@dataclass(frozen=True, slots=True)
class TableAccess:
    """Access rules of one table. A seat that is not listed requires only the team's name.

    Both seats of a team require the same, but those of partners who enter by themselves, each with its own phrase.
    """

    limits: ConnectionLimits = ConnectionLimits()
    by_seat: dict[Seat, TeamAccess] = field(default_factory=dict)
    numbers: Mapping[Seat, int] = field(default_factory=dict)
    """The number of the team that has each seat, by which a connection is judged that is made for one team."""

    def of_seat(self, seat: Seat) -> TeamAccess:
        """Return what the program of a seat must present."""
        return self.by_seat.get(seat, _OPEN)


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


def address_key(address: Address | None) -> str:
    """Return what counts as one address: for IPv6 the /64 network, all of which a single machine may own.

    It is empty without an address.
    """
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), 64), strict=False))
    return str(address or "")


def peer_key(peer: str) -> str:
    """Return what counts as one address of a peer, `address:port`; empty if it has none."""
    return address_key(parse_peer(peer))
