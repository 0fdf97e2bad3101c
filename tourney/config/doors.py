"""`[doors]`, and what a team's programs show at the door: pass phrase and addresses."""

from ipaddress import ip_network
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from tourney.config.sections import Section
from tourney.config.values import shown
from tourney.protocol.access import DoorLimits, Network
from tourney.protocol.session.logon import CONNECTIONS_MAX

PHRASE_CHARS_MIN: Final = 4
PHRASE_CHARS_MAX: Final = 64
ALLOW_MAX: Final = 100
"""Addresses and networks of one team."""

_DEFAULTS: Final = DoorLimits()

_PHRASE: Final = f"a pass phrase has {PHRASE_CHARS_MIN} to {PHRASE_CHARS_MAX} characters of ASCII but double quotes"


def _phrase(value: Any) -> Any:  # before pydantic has looked at the type, as its sentences quote what they refuse
    """A pass phrase as a log-on has it: single blanks. What it is never comes into a sentence."""
    phrase = " ".join(value.split()) if isinstance(value, str) else ""
    if not PHRASE_CHARS_MIN <= len(phrase) <= PHRASE_CHARS_MAX:
        raise ValueError(f"{_PHRASE}, got {len(phrase) if isinstance(value, str) else 'no text'}")
    if not all(" " <= char <= "~" and char != '"' for char in phrase):
        raise ValueError(f"{_PHRASE}, got another character")
    return phrase


def _network(value: Any) -> Any:  # before pydantic has looked at the type
    form = 'an address or a network such as "10.0.0.7" or "192.168.1.0/24" is asked for'
    if not isinstance(value, str):
        raise ValueError(f"{form}, got {shown(value)}")  # noqa: TRY004 # pydantic's way
    try:
        return ip_network(value)
    except ValueError:
        pass
    try:
        meant = ip_network(value, strict=False)
    except ValueError:
        raise ValueError(f"{form}, got {shown(value)}") from None
    raise ValueError(f'the network is "{meant}", got {shown(value)}')


def _networks(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, list) and not 1 <= len(value) <= ALLOW_MAX:
        raise ValueError(f"1 to {ALLOW_MAX} addresses are allowed, got {len(value)}")
    return value


PassPhrase = Annotated[str, BeforeValidator(_phrase)]
Networks = Annotated[list[Annotated[Network, BeforeValidator(_network)]], BeforeValidator(_networks)]


class DoorsConfig(Section):
    """`[doors]`: what one connection, or one address, may ask of a table."""

    line_bytes: Annotated[int, Field(ge=1024, le=65_536)] = _DEFAULTS.line_bytes
    """The longest line, in bytes. A longer one is refused and counts among the 20 bad lines that a connection
    may send."""
    lines_per_s: Annotated[int, Field(ge=10, le=100_000)] = _DEFAULTS.lines_per_s
    """Lines per second on one connection; a line counts once more for each 256 bytes. That many may arrive at
    once; whatever comes faster waits."""
    flood_s: Annotated[int, Field(ge=1, le=3600)] = _DEFAULTS.flood_ms // 1000
    """For how many seconds a connection may keep sending faster than that before it is closed."""
    log_on_s: Annotated[int, Field(ge=1, le=3600)] = _DEFAULTS.log_on_ms // 1000
    """How long a program may take from its connection to its log-on, in seconds."""
    unread_bytes: Annotated[int, Field(ge=16_384, le=16_777_216)] = _DEFAULTS.unread_bytes
    """How many bytes a program may leave unread; a whole board is about 10,000."""
    connections_per_address: Annotated[int, Field(ge=1, le=CONNECTIONS_MAX)] = _DEFAULTS.connections_per_address
    """Connections to one table from one address: four programs, and those that return before the table knows
    that they were gone. The first 64 bits of an IPv6 address count as one address."""
    failed_log_ons: Annotated[int, Field(ge=1, le=1000)] = _DEFAULTS.failed_log_ons
    """After this many log-ons with a wrong name or pass phrase from one address, in a row and within a minute,
    the address is refused until the minute is over."""

    @property
    def limits(self) -> DoorLimits:
        return DoorLimits(
            line_bytes=self.line_bytes,
            lines_per_s=self.lines_per_s,
            flood_ms=self.flood_s * 1000,
            log_on_ms=self.log_on_s * 1000,
            unread_bytes=self.unread_bytes,
            connections_per_address=self.connections_per_address,
            failed_log_ons=self.failed_log_ons,
        )
