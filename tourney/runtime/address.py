"""The address at which programs reach the tables: what `connections.json` and invitations say."""

import socket
from ipaddress import ip_address
from typing import Final, NamedTuple

_FAR: Final = ("2001:db8::1", "192.0.2.1")
"""Addresses that belong to nobody (RFC 3849, RFC 5737): only to ask which of our own leads away from this machine."""


class TableAddress(NamedTuple):
    """Where programs connect."""

    host: str
    notice: str = ""
    """What an organiser should know about it; empty if the event file names the address."""


def find_address(host: str, public_host: str | None) -> TableAddress:
    """Find an address to connect to for tables that listen on `host`, which may be a wildcard.

    Args:
        host: the address that the tables listen on.
        public_host: the address that the event file names for programs elsewhere.
    """
    if public_host is not None:
        return TableAddress(public_host)
    if not is_wildcard(host):
        notice = f"tables listen on {host}: programs on other machines cannot connect" if is_loopback(host) else ""
        return TableAddress(host, notice)
    is_ipv6 = ip_address(host).version == 6
    for far in _FAR if is_ipv6 else _FAR[1:]:
        found = find_own_address(far)
        if not is_loopback(found) and not is_wildcard(found):
            return TableAddress(
                found,
                f"tables listen on {host}: programs elsewhere connect to {found}, this machine's address; "
                "public_host in [tables] names another",
            )
    return TableAddress(
        "::1" if is_ipv6 else "127.0.0.1",
        f"tables listen on {host}, but this machine has no address in a network: for programs elsewhere set "
        "public_host in [tables]",
    )


def is_wildcard(host: str) -> bool:
    """Return whether a server can listen on `host` but no program can connect to it."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a listener at `host`; only `localhost` is accepted as a name."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def find_own_address(towards: str = "192.0.2.1") -> str:
    """Return the address under which this machine is seen from another one; 127.0.0.1 if it has no network.

    Args:
        towards: the host from which it is to be seen; by default any (a documentation address, RFC 5737).
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(towards, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.connect(place)  # sends nothing: the system only chooses the route
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"


def find_free_port() -> int:
    """Return the number of a port that nobody listens on at the moment; another process may take it."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        number: int = listener.getsockname()[1]
        return number
