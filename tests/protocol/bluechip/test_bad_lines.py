"""Lines that are not of the protocol (BC-03), and claims, which are none of it here (BC-42)."""

import pytest

from tests.support.wire_tables import (
    NORTH,
    in_auction,
    table,
)
from tourney.protocol.session.effects import Close

pytestmark = pytest.mark.clause("BC-03")

BAD = (b"", b"   ", bytes(range(128, 256)), b"North passes\x00", b"\x1b[2JNorth passes", b"North passes\x7f")


@pytest.mark.parametrize("line", BAD)
def test_bytes_that_are_not_of_the_protocol_get_one_error_line_and_nothing_else(line: bytes) -> None:
    rig = in_auction()
    log_before = len(rig.log)
    (told,) = rig.send_line(NORTH, line)
    assert told.startswith("Error: ")
    assert told.isprintable()
    assert told.isascii()
    assert len(rig.log) == log_before + 1


def test_an_error_line_is_short_however_long_the_bad_line_was() -> None:
    rig = in_auction(bad_lines_max=100)
    for start in ("", "North ", "North bids ", "North plays ", "North ready for ", "Connecting "):
        for told in rig.send_line(NORTH, start + "x" * 8000):
            assert len(told) < 200


@pytest.mark.parametrize("limit", [1, 3, 20])
def test_a_connection_that_has_spent_its_bad_lines_is_closed_with_the_reason(limit: int) -> None:
    rig = table(bad_lines_max=limit)
    peer = rig.connect()
    for _ in range(limit - 1):
        rig.send_line(peer, "what?")
        assert not peer.closed
    told = rig.send_line(peer, "what?")
    assert told[-1] == f"Error: {limit} lines were refused, the limit is {limit}"
    assert peer.closed == f"{limit} lines were refused, the limit is {limit}"


def test_what_a_dismissed_connection_says_does_not_count() -> None:
    rig = table(bad_lines_max=1)
    core = rig.core
    peer = rig.connect()
    effects = core.receive_line(peer.number, b"what?", 0, 0)
    assert [type(effect) for effect in effects] == [tuple, tuple, Close]
    # The connection is still there until the shell has closed it.
    line = b'Connecting "Alpha" as North using protocol version 18'
    assert core.receive_line(peer.number, line, 1, 1) == []
    assert rig.seated == {}


def test_a_line_from_a_connection_that_is_gone_is_nothing() -> None:
    rig = table()
    peer = rig.connect()
    rig.hang_up(peer)
    assert rig.core.receive_line(peer.number, b"North passes", 0, 0) == []
    assert rig.core.close_connection(peer.number, 0, "again") == []
