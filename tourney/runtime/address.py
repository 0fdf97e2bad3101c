"""The address at which programs reach the tables: what `connections.json` and invitations say."""

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

_FAR: Final = {socket.AF_INET6: "2001:db8::1", socket.AF_INET: "192.0.2.1"}
"""Addresses that belong to nobody (RFC 3849, RFC 5737): only to ask which of our own leads away from this machine."""


@dataclass(frozen=True, slots=True)
class TableAddress:
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
    families = _FAR if ip_address(host).version == 6 else [socket.AF_INET]
    for family in families:
        found = _own_address(family)
        if found is not None:
            return TableAddress(
                found,
                f"tables listen on {host}: programs elsewhere connect to {found}, this machine's address; "
                "public_host in [tables] names another",
            )
    loopback = "::1" if ip_address(host).version == 6 else "127.0.0.1"
    return TableAddress(
        loopback,
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


def _own_address(family: socket.AddressFamily) -> str | None:
    """Return this machine's address on the way to others, without sending anything; None if there is no way."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_FAR[family], 9))
            found: str = probe.getsockname()[0]
    except OSError:
        return None
    return None if ip_address(found).is_loopback or ip_address(found).is_unspecified else found
