"""The address that programs are told to connect to."""

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from tourney.config import PortRange
from tourney.host.ports import open_ports
from tourney.runtime import address
from tourney.runtime.address import TableAddress, find_address

WILDCARDS = ("0.0.0.0", "::")


@pytest.mark.parametrize("host", ["192.168.1.5", "table.example", "2001:db8::7"])
def test_an_address_that_the_event_file_gives_is_told_as_it_is(host: str) -> None:
    assert find_address(host, None) == TableAddress(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_tables_that_only_this_machine_can_reach_are_said_to_be_so(host: str) -> None:
    notice = f"tables listen on {host}: programs on other machines cannot connect"
    assert find_address(host, None) == TableAddress(host, notice)


@pytest.mark.parametrize("host", ["127.0.0.1", *WILDCARDS])
def test_a_public_host_is_told_whatever_the_tables_listen_on(host: str) -> None:
    assert find_address(host, "bridge.example.org") == TableAddress("bridge.example.org")


@pytest.mark.parametrize("host", WILDCARDS)
def test_a_program_can_connect_to_the_address_found_for_a_wildcard(host: str) -> None:
    try:
        (listener,) = open_ports(host, PortRange(21000, 21999), 21000, 1)
    except OSError:
        pytest.skip(f"this machine cannot listen on {host}")
    with listener:
        found = find_address(host, None)
        assert found.host not in WILDCARDS
        assert found.notice.startswith(f"tables listen on {host}")
        with socket.create_connection((found.host, listener.getsockname()[1]), timeout=20):
            pass


class NoNetwork:
    """A socket of a machine without a way to others."""

    def __init__(self, *_: Any) -> None:
        pass

    def __enter__(self) -> "NoNetwork":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, _to: Any) -> None:
        raise OSError("Network is unreachable")


@pytest.mark.parametrize(("host", "loopback"), [("0.0.0.0", "127.0.0.1"), ("::", "::1")])
def test_a_machine_without_a_network_is_told_how_to_name_an_address(
    host: str, loopback: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = SimpleNamespace(
        socket=NoNetwork, AF_INET=socket.AF_INET, SOCK_DGRAM=socket.SOCK_DGRAM, getaddrinfo=socket.getaddrinfo
    )
    monkeypatch.setattr(address, "socket", stub)
    found = find_address(host, None)
    assert found.host == loopback
    assert "set public_host in [tables]" in found.notice
