"""Calls that are not taken (BC-20, BC-21, BC-43, BC-47)."""

import pytest

from tests.support.wire_tables import (
    NORTH,
    auction_of,
    errors,
    in_auction,
    table,
)
from tourney.bridge import (
    Bid,
    Strain,
)
from tourney.protocol.session.effects import LogRemark
from tourney.protocol.session.records import CallMade

ILLEGAL: dict[str, tuple[list[str], str]] = {
    "an insufficient bid": (["bids 2C"], "bids 1S"),
    "the same bid again": (["bids 1NT"], "bids 1NT"),
    "a double of nothing": ([], "doubles"),
    "a double of the own side": (["bids 1C", "passes"], "doubles"),
    "a double of a double": (["bids 1C", "doubles"], "doubles"),
    "a redouble of nothing": ([], "redoubles"),
    "a redouble of a bid": (["bids 1C"], "redoubles"),
    "a redouble of the own side's double": (["bids 1C", "doubles", "passes"], "redoubles"),
    "a bid past 7NT": (["bids 7NT"], "bids 7NT"),
}


@pytest.mark.clause("BC-20")
@pytest.mark.parametrize(("before", "illegal"), ILLEGAL.values(), ids=ILLEGAL.keys())
def test_an_illegal_call_is_ignored_and_the_turn_stays(before: list[str], illegal: str) -> None:
    rig = in_auction()
    for steps, line in enumerate(before):
        rig.call(NORTH.plus(steps), line)
    caller = NORTH.plus(len(before))
    rig.clear()
    made = len(rig.of_kind(CallMade))
    assert rig.send_line(caller, f"{caller.title} {illegal}") == ["Illegal bid"]
    assert len(rig.of_kind(CallMade)) == made
    rig.ask_all(caller, f"for {caller.title}'s bid")
    rig.converse("""
        N hears -> nothing
        E hears -> nothing
        S hears -> nothing
        W hears -> nothing
    """)
    rig.call(caller, "passes")
    assert rig.of_kind(CallMade)[-1].seat is caller


@pytest.mark.clause("BC-20")
def test_why_a_call_was_illegal_is_noted_for_the_wire_log() -> None:
    rig = in_auction()
    rig.send_line(NORTH, "North doubles")
    notes = [effect.text for effect in rig.log if isinstance(effect, LogRemark)]
    assert notes[-1] == "refused: there is no bid to double"


@pytest.mark.clause("BC-43")
def test_a_call_is_never_taken_back() -> None:
    rig = in_auction()
    rig.call(NORTH, "bids 1C")
    rig.clear()
    for line in ("North bids 1D", "North passes", "North takes back 1C", "North undo"):
        assert errors(rig.send_line(NORTH, line))
    assert auction_of(rig).calls == [Bid(1, Strain.CLUBS)]


@pytest.mark.clause("BC-47")
def test_a_repeated_call_is_refused_though_the_turn_has_come_round_when_its_player_was_not_told() -> None:
    rig = in_auction()
    rig.converse("""
        all hear N: passes
        E: passes
        E S W: ready for East's bid
        S: bids 1C
        E S W: ready for South's bid
        W: passes
        E S W: ready for West's bid
        N: passes -> Error: ask for West's bid first
    """)
    assert len(rig.of_kind(CallMade)) == 4
    rig.converse("""
        N: ready for East's bid
        N: ready for South's bid
        N: ready for West's bid
        N: passes -> nothing
    """)
    assert len(rig.of_kind(CallMade)) == 5


def test_a_call_before_the_first_board_is_an_error() -> None:
    rig = table()
    rig.seat_all()
    rig.converse("""
        clear
        N: passes -> Error: no board has been started
        N: plays AS -> Error: no board has been started
    """)
