"""Calls, their relay and the end of the auction (BC-15, BC-16, BC-18, BC-19, BC-51)."""

import pytest

from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    in_auction,
)
from tourney.bridge import (
    CALLS,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    Action,
    Call,
)
from tourney.protocol.session.records import CallMade


@pytest.mark.clause("BC-15")
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_every_call_is_relayed_in_the_words_of_the_protocol(call: Call) -> None:
    rig = in_auction()
    seat = NORTH
    if isinstance(call, Action) and call is not PASS:
        rig.converse("all hear N: bids 1C")
        seat = EAST
    if call is REDOUBLE:
        rig.converse("all hear E: doubles")
        seat = SOUTH
    words = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
    said = f"{seat.title} {words[call] if isinstance(call, Action) else f'bids {call}'}"
    assert rig.send_line(seat, said) == []
    for other in SEATS:
        if other is not seat:
            assert rig.send_line(other, f"{other.title} ready for {seat.title}'s bid")[-1] == said
    assert rig.of_kind(CallMade)[-1].call == call


@pytest.mark.clause("BC-51")
def test_requests_that_fit_nothing_are_kept_in_a_small_number_and_do_no_harm() -> None:
    rig = in_auction()
    for trick in range(100):
        rig.converse(f"E: ready for South's card to trick {trick} -> nothing")
        if trick == 50:
            rig.converse("E: ready for North's bid")
    rig.converse("""
        N: bids 1C
        E hears -> North bids 1C
    """)
