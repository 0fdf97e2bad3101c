"""Calls, their relay and the end of the auction (BC-15, BC-16, BC-18, BC-19, BC-51)."""

import pytest

from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    STRIPES,
    in_auction,
    table,
)
from tourney.bridge import (
    CALLS,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    Action,
    Bid,
    Board,
    Call,
    Strain,
)
from tourney.protocol.session.effects import LogRemark
from tourney.protocol.session.records import BoardEnded, CallMade

ONE_NT = Bid(1, Strain.NOTRUMP)


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


@pytest.mark.clause("BC-16")
def test_the_dealer_calls_first() -> None:
    in_auction([Board.numbered(3, STRIPES)]).converse("N: passes -> Error: ...\nS: passes -> nothing")


@pytest.mark.clause("BC-16")
def test_a_player_that_asked_before_the_call_is_told_when_it_is_made() -> None:
    in_auction().converse("""
        W E: ready for North's bid -> nothing
        N: bids 1C
        E hears -> North bids 1C
        S hears -> nothing
        W hears -> North bids 1C
    """)


@pytest.mark.clause("BC-51")
def test_a_request_repeated_after_its_answer_does_not_stand_for_the_next_call_of_that_hand() -> None:
    in_auction().converse("""
        all hear N: bids 1C
        E: ready for North's bid -> nothing
        all hear E: passes
        all hear S: bids 1D
        all hear W: passes
        N: bids 1H
        E has heard -> ... -> West passes
        E: ready for North's bid -> North bids 1H
    """)


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


@pytest.mark.clause("BC-19")
def test_a_board_passed_out_scores_0_and_the_next_one_begins() -> None:
    rig = in_auction([Board.numbered(1, STRIPES), Board.numbered(2, STRIPES)])
    rig.converse("""
        all hear N E S W: passes
        ended -> 1 passed-out
        begun -> 1 -> 2
        # BEN reads one line, the times, before `Start of board`
        N has heard -> ... -> Timing... -> Start of board
    """)
    (ended,) = rig.of_kind(BoardEnded)
    assert ended.result is not None
    assert (ended.result.contract, ended.result.score) == (None, 0)
    assert not any("to lead" in line for seat in SEATS for line in rig.sent(seat))


@pytest.mark.clause("BC-19")
def test_ready_for_deal_sent_at_once_after_four_passes_counts_for_the_next_board() -> None:
    # So says version 18; programs in use wait for `Start of board`. Both are served.
    in_auction([Board.numbered(1, STRIPES), Board.numbered(2, STRIPES)]).converse("""
        all hear N E S: passes
        W: passes
        clear
        N: ready for West's bid -> West passes
        N: ready for deal -> nothing
        E S: ready for West's bid
        N hears -> Timing... -> Start of board -> Board number 2. Dealer East. N/S vulnerable.
        W hears -> Timing... -> Start of board
        N: ready for deal -> nothing
        W: ready for deal -> Board number 2. Dealer East. N/S vulnerable.
    """)


# Calls that are not taken (BC-20, BC-21, BC-43, BC-47)


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
    caller, made = NORTH.plus(len(before)), rig.on_record("calls")
    rig.converse(f"""
        clear
        {caller.letter}: {illegal} -> Illegal bid
    """)
    assert rig.on_record("calls") == made
    rig.ask_all(caller, f"for {caller.title}'s bid")
    rig.converse(f"""
        any hears -> nothing
        all hear {caller.letter}: passes
        calls -> ... -> {caller.letter} Pass
    """)


@pytest.mark.clause("BC-20")
def test_why_a_call_was_illegal_is_noted_for_the_wire_log() -> None:
    rig = in_auction()
    rig.converse("N: doubles")
    notes = [effect.text for effect in rig.log if isinstance(effect, LogRemark)]
    assert notes[-1] == "refused: there is no bid to double"


@pytest.mark.clause("BC-43")
def test_a_call_is_never_taken_back() -> None:
    in_auction().converse("""
        all hear N: bids 1C
        clear
        N: bids 1D -> Error: ...
        N: passes -> Error: ...
        N: takes back 1C -> Error: ...
        N: undo -> Error: ...
        calls -> N 1C
    """)


@pytest.mark.clause("BC-47")
def test_a_repeated_call_is_refused_though_the_turn_has_come_round_when_its_player_was_not_told() -> None:
    in_auction().converse("""
        all hear N: passes
        E: passes
        E S W: ready for East's bid
        S: bids 1C
        E S W: ready for South's bid
        W: passes
        E S W: ready for West's bid
        N: passes -> Error: ask for West's bid first
        calls -> N Pass -> E Pass -> S 1C -> W Pass
        N: ready for East's bid
        N: ready for South's bid
        N: ready for West's bid
        N: passes -> nothing
        calls -> ... -> N Pass
    """)


def test_a_call_before_the_first_board_is_an_error() -> None:
    rig = table()
    rig.seat_all()
    rig.converse("""
        clear
        N: passes -> Error: no board has been started
        N: plays AS -> Error: no board has been started
    """)
