"""What is a request for a web page, and what is a line of a player."""

import pytest

from tourney.protocol.http_requests import is_http_request


@pytest.mark.parametrize(
    "line",
    [b"GET / HTTP/1.1", b"POST /table?x=1 HTTP/1.1", b"OPTIONS * HTTP/1.1", b"PRI * HTTP/2.0", b"x-own /a HTTP/1.0"],
)
def test_a_first_line_of_a_request_is_one(line: bytes) -> None:
    assert is_http_request(line)


def test_one_that_was_cut_in_its_path_is_one_too() -> None:
    assert is_http_request(b"POST /" + b"a" * 58, is_cut=True)
    assert not is_http_request(b'Connecting "' + b"a b " * 13, is_cut=True)


@pytest.mark.parametrize(
    "line",
    [
        b'Connecting "Alpha" as North using protocol version 18',
        b'Connecting "HTTP/1.1 fans" as North using protocol version 18',
        b"HELLO Alpha#GET / HTTP/1.1",
        b"X-HELLO PING",
        b"",
        b"\xff",
    ],
)
def test_what_players_say_is_none(line: bytes) -> None:
    assert not is_http_request(line)
