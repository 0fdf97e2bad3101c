"""Lines that are not of the protocol (BC-03), and claims, which are none of it here (BC-42)."""

import pytest

from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    at_start_of_board,
    errors,
    in_auction,
    in_play,
    table,
)
from tourney.bridge import SEATS
from tourney.protocol.session.effects import Close
from tourney.protocol.session.records import CallMade

pytestmark = pytest.mark.clause("BC-03")

BAD: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b"   ",
    "no seat": b"hello",
    "a seat alone": b"North",
    "a sentence": b"North would like a cup of tea",
    "another language": "North passe s'il vous plaît".encode(),
    "bytes": bytes(range(128, 256)),
    "a NUL": b"North passes\x00",
    "an escape": b"\x1b[2JNorth passes",
    "a DEL": b"North passes\x7f",
    "half a call": b"North bids",
    "ready": b"North ready",
    "ready for something": b"North ready for lunch",
    "ready for nobody's bid": b"North ready for Santa's bid",
    "ready for a card of a wordy trick": b"North ready for East's card to trick one",
    "ready for dummy's bid": b"North ready for dummy's bid",
    "dummy speaks": b"Dummy passes",
    "dummy is ready": b"Dummy ready for deal",
    "a server's line": b"Start of board",
    "a hand": b"North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.",
    "a claim": b"North claims",
    "quotes": b'"""""',
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
def test_a_line_that_is_not_of_the_protocol_gets_one_error_line_and_nothing_else(line: bytes) -> None:
    rig = in_auction()
    log_before = len(rig.log)
    (told,) = rig.send_line(NORTH, line)
    assert told.startswith("Error: ")
    assert told.isprintable()
    assert told.isascii()
    assert len(rig.log) == log_before + 1
    rig.converse("all hear N: bids 1C")
    assert [record.seat for record in rig.of_kind(CallMade)] == [NORTH]


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


def test_calls_and_cards_where_none_can_be_count_as_bad_lines() -> None:
    rig = at_start_of_board(bad_lines_max=3)
    for _ in range(3):
        rig.converse("S: passes")
    assert rig.seats[SOUTH].closed


def test_swallowed_and_ignored_lines_do_not_count_as_bad() -> None:
    rig = in_auction(bad_lines_max=1)
    for line in ("South ready for deal", "South ready to start", "South received dummy", "West passes"):
        for _ in range(5):
            assert rig.send_line(SOUTH, line) == []
    assert not rig.seats[SOUTH].closed


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


@pytest.mark.clause("BC-42")
@pytest.mark.parametrize(
    "line", ["North claims", "North claims.", "North accepts South's claim", "North rejects East's claim"]
)
def test_a_claim_gets_an_error_line_and_nothing_else_happens(line: str) -> None:
    rig = in_play()
    rig.converse("all hear E: plays TS")
    before = {seat: len(rig.sent(seat)) for seat in SEATS}
    (told,) = rig.send_line(NORTH, line)
    assert errors([told]) == [told]
    assert {seat: len(rig.sent(seat)) - before[seat] for seat in SEATS} == {NORTH: 1, EAST: 0, SOUTH: 0, WEST: 0}
    rig.converse("""
        ended -> nothing
        N: ready for dummy
        N: South plays 7S -> nothing
    """)
