"""A board in the words of the stateful-server protocol: what each of the four is sent, and in which order."""

from typing import Any

import pytest

from tests.support.stateful_tables import seat_stateful
from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board, table
from tourney.bridge import SEATS, Seat
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules

HANDS = {
    NORTH: "HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C",
    EAST: "HAND 10S,9S,8S,7H,6H,5H,4D,3D,2D,AC,KC,QC,JC",
    SOUTH: "HAND 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C",
    WEST: "HAND 4S,3S,2S,AH,KH,QH,JH,10D,9D,8D,7C,6C,5C",
}
DUMMY = "DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C"


def begun(extensions: str = "", **settings: Any) -> TableRig:
    """Four clients of the protocol are dealt board 1; the dealer is to call."""
    rig = table(**({"trick_pause_ms": 0} | settings))
    seat_stateful(rig, extensions)
    return rig


def in_1nt(extensions: str = "", **settings: Any) -> TableRig:
    """North is in 1NT, East to lead."""
    rig = begun(extensions, **settings)
    rig.converse("""
        N: BID 1NT
        E S: BID PASS
        clear
        W: BID PASS
    """)
    return rig


@pytest.mark.clause("SS-13", "SS-09", "SS-21")
def test_a_board_begins_with_the_seats_the_own_hand_and_the_auction() -> None:
    rig = begun()
    rig.converse(f"""
        S hears
            -> JOINED g1 S
            -> JOINED g1 W "Beta W"
            -> JOINED g1 N "Alpha N"
            -> JOINED g1 E "Beta E"
            -> {HANDS[SOUTH]}
            -> AUCOPEN N -
    """)
    for seat in (NORTH, EAST):
        lines = rig.take(seat)
        assert [line for line in lines if line.startswith("HAND")] == [HANDS[seat]]
        assert lines[-1] == "AUCOPEN N -"


@pytest.mark.clause("SS-14", "SS-15")
def test_each_call_is_shown_to_all_four() -> None:
    begun().converse("""
        clear
        N: BID 1NT -> AUCOPEN E 1NT
        E hears -> AUCOPEN E 1NT
        S hears -> AUCOPEN E 1NT
        W hears -> AUCOPEN E 1NT
        E: BID DOUBLE
        W hears -> AUCOPEN S 1NT,DOUBLE
    """)


@pytest.mark.clause("SS-16")
def test_a_board_that_is_passed_out_is_closed_with_four_zeros_and_the_next_begins() -> None:
    begun(boards=[board(1), board(2)]).converse("""
        N E S: BID PASS
        clear
        W: BID PASS
        N hears -> AUCOPEN 0 PASS,PASS,PASS,PASS -> AUCCLOSE 0 0 0 0 -> JOINED g1 N -> ... -> AUCOPEN E -
    """)


@pytest.mark.clause("SS-17", "SS-19")
def test_dummy_is_shown_to_all_four_once_the_lead_is_on_record_and_not_before() -> None:
    rig = in_1nt()
    for seat in SEATS:
        assert not any(line.startswith("DUMMY") for line in rig.take(seat))
    rig.converse(f"""
        E: PLAY 10S -> {DUMMY} -> TRICK S 10S
        N hears -> DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C -> TRICK S 10S
        S hears -> DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C -> TRICK S 10S
        W hears -> DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C -> TRICK S 10S
    """)
    card = next(at for at, effect in enumerate(rig.log) if isinstance(effect, CardPlayed))
    shown = next(at for at, effect in enumerate(rig.log) if isinstance(effect, tuple) and effect[1] == DUMMY)
    assert card < shown


@pytest.mark.clause("SS-18")
def test_declarer_plays_for_dummy_and_dummy_does_not() -> None:
    in_1nt().converse(f"""
        E: PLAY 10S
        clear
        S: PLAY 5S -> NAK "dummy's cards are played by declarer" -> {HANDS[SOUTH]} -> TRICK S 10S
        N: PLAY 5S -> TRICK W 10S,5S
        S hears -> TRICK W 10S,5S
    """)


@pytest.mark.clause("SS-17", "SS-20", "SS-21")
def test_after_a_trick_come_its_winner_the_hand_dummy_and_the_next_lead() -> None:
    in_1nt().converse("""
        E: PLAY 10S
        N: PLAY 5S
        W: PLAY 2S
        clear
        N: PLAY JS
            -> TRICK 0 10S,5S,2S,JS
            -> TRICKSWON N
            -> HAND AS,KS,QS,10H,9H,8H,7D,6D,5D,4C,3C,2C
            -> DUMMY 7S,6S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C
            -> TRICK N -
        S hears
            -> TRICK 0 10S,5S,2S,JS
            -> TRICKSWON N
            -> HAND 7S,6S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C
            -> DUMMY 7S,6S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C
            -> TRICK N -
    """)


@pytest.mark.clause("SS-17")
def test_the_next_lead_is_asked_for_after_the_pause_and_not_taken_before() -> None:
    rig = in_1nt(trick_pause_ms=1000)
    rig.converse("""
        E: PLAY 10S
        N: PLAY 5S
        W: PLAY 2S
        clear
    """)
    assert not any(line.startswith("TRICK N") for line in rig.send_line(NORTH, "PLAY JS"))
    rig.converse("""
        N: PLAY AS -> NAK "wait for TRICK with your position" -> ... -> TRICK 0 10S,5S,2S,JS
        clear
        wait 1000
        N hears -> TRICK N -
        E hears -> TRICK N -
        S hears -> TRICK N -
        W hears -> TRICK N -
        N: PLAY AS -> TRICK E AS
    """)


@pytest.mark.clause("SS-22")
@pytest.mark.parametrize(
    ("seat", "line", "why"),
    [
        (EAST, "BID 2C", "it is South's turn to call"),
        (SOUTH, "BID 1C", "1C is not higher than 1NT"),
        (SOUTH, "BID DOUBLE", "1NT is a bid of the same side"),
        (SOUTH, "PLAY AD", "no card can be played before the auction has ended in a contract"),
    ],
)
def test_a_refused_call_is_answered_with_why_and_the_state(seat: Seat, line: str, why: str) -> None:
    begun().converse(f"""
        N: BID 1NT
        E: BID PASS
        clear
        {seat.letter}: {line} -> NAK "{why}" -> {HANDS[seat]} -> AUCOPEN S 1NT,PASS
        any hears -> nothing
    """)


@pytest.mark.clause("SS-22")
@pytest.mark.parametrize(
    ("seat", "line", "why"),
    [
        (WEST, "PLAY 2S", "it is South's turn"),
        (NORTH, "PLAY AS", "South does not hold AS"),
        (NORTH, "PLAY AD", "South must follow suit in S"),
        (NORTH, "BID 2NT", "the auction is over"),
    ],
)
def test_a_refused_card_is_answered_with_why_and_the_state(seat: Seat, line: str, why: str) -> None:
    in_1nt().converse(f"""
        E: PLAY 10S
        clear
        {seat.letter}: {line} -> NAK "{why}" -> {HANDS[seat]} -> TRICK S 10S
    """)


@pytest.mark.clause("SS-23")
def test_a_player_is_charged_from_the_line_that_lets_it_act_and_not_anew_when_it_asks_again() -> None:
    begun().converse("""
        wait 700
        N: JOIN-T
        wait 300
        N: BID 1NT
        thought -> 1000
    """)


@pytest.mark.clause("SS-24")
def test_an_alert_reaches_both_opponents_who_ask_for_alerts_and_nobody_else() -> None:
    rig = begun("ALERT")
    rig.clear()
    assert rig.send_line(NORTH, 'X-ALERT N "15 to 17 \\"points\\""') == []
    rig.converse("""
        N: BID 1NT -> AUCOPEN E 1NT
        S hears -> AUCOPEN E 1NT
    """)
    for seat in (EAST, WEST):
        assert rig.take(seat) == ['X-ALERT N "15 to 17 \\"points\\"" 1', "AUCOPEN E 1NT"]
    (made,) = rig.of_kind(CallMade)
    assert (made.alerted, made.alert) == (True, '15 to 17 "points"')
    rig.converse("E: BID PASS")
    assert not rig.of_kind(CallMade)[-1].alerted


@pytest.mark.clause("SS-24")
def test_nobody_explains_the_call_of_another() -> None:
    begun("ALERT").converse("""
        clear
        N: X-ALERT S "weak" -> NAK "a player explains its own call, X-ALERT N ..."
    """)


@pytest.mark.clause("SS-04")
def test_nothing_is_sent_that_was_not_asked_for() -> None:
    rig = begun()
    rig.converse("""
        N: X-ALERT N "15 to 17"
        N: BID 1NT
        E S W: BID PASS
        E: PLAY 10S
    """)
    for seat in SEATS:
        assert not [line for line in rig.take(seat) if line.startswith("X-")]


@pytest.mark.clause("SS-25")
def test_who_asks_for_it_is_told_the_board_and_the_declarer() -> None:
    rig = begun("BOARD,DECLARER")
    lines = rig.take(EAST)
    assert lines.index("X-BOARD 1 N NONE") < lines.index(HANDS[EAST])
    rig.converse("""
        N: BID 1NT
        E S W: BID PASS
        S hears -> ... -> X-DECLARER N -> TRICK E -
    """)


@pytest.mark.clause("SS-26")
def test_the_player_to_act_is_told_all_that_it_knows_in_one_line() -> None:
    rig = begun("TURN")
    north = HANDS[NORTH].removeprefix("HAND ")
    rig.converse(f"""
        N hears -> ... -> AUCOPEN N - -> X-TURN N 1 N NONE {north} - - -
        E hears -> ... -> AUCOPEN N -
        N: BID 1NT
        E S W: BID PASS
    """)
    east = HANDS[EAST].removeprefix("HAND ")
    rig.converse(f"""
        E hears -> ... -> X-TURN E 1 N NONE {east} 1NT,PASS,PASS,PASS - -
        E: PLAY 10S
    """)
    dummy = DUMMY.removeprefix("DUMMY ")
    rig.converse(f"""
        N hears -> ... -> X-TURN N 1 N NONE {north} 1NT,PASS,PASS,PASS {dummy} 10S
        S hears -> ... -> TRICK S 10S
    """)


@pytest.mark.clause("SS-27")
def test_result_and_times_are_told_after_the_board() -> None:
    limit = TimeRules(match=TimeLimit(60_000, RemedyName.PENALTY))
    rig = begun("RESULT,TIME", rules=TableRules(time=limit))
    rig.now_ms += 500
    rig.converse("""
        clear
        all: BID PASS
        E hears -> ... -> X-RESULT PASS 0 0 -> X-TIME NS 500 59500 -> X-TIME EW 0 60000
    """)
