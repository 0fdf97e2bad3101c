"""Clients that remember nothing: the whole state at any moment, after a lost connection and when it is asked for."""

from dataclasses import replace

import pytest

from tests.protocol.stateful.test_board import DUMMY, HANDS, begun, in_1nt
from tests.support.protocol_players import script_from_seed
from tests.support.stateful_tables import (
    seat_stateful,
)
from tests.support.wire_tables import EAST, NORTH, table
from tourney.bridge import board_from_seed

SEATED = ["JOINED g1 N", 'JOINED g1 E "Beta E"', 'JOINED g1 S "Alpha S"', 'JOINED g1 W "Beta W"']


@pytest.mark.clause("SS-30")
def test_in_the_auction_the_state_is_the_seats_the_hand_and_all_calls() -> None:
    rig = begun()
    rig.converse("""
        N: BID 1NT
        E: BID PASS
        S: BID 2C
        W: BID PASS
    """)
    assert rig.reconnect(NORTH) == ["JOINED g1 N", *SEATED, HANDS[NORTH], "AUCOPEN N 1NT,PASS,2C,PASS"]
    rig.converse("""
        N: BID 2D -> ... -> AUCOPEN E 1NT,PASS,2C,PASS,2D
        # a loss is judged a moment later, and the return is on record after it
        wait 1000
        incidents -> ... -> rejoined N
    """)


@pytest.mark.clause("SS-30")
def test_in_the_play_the_state_is_all_that_the_player_knows() -> None:
    in_1nt().converse("""
        E: PLAY 10S
        N: PLAY 5S
        W: PLAY 2S
        N: PLAY JS
        N: PLAY AS
        clear
        E comes back asking for BOARD,DECLARER
            -> JOINED g1 E
            -> JOINED g1 E
            -> JOINED g1 S "Alpha S"
            -> JOINED g1 W "Beta W"
            -> JOINED g1 N "Alpha N"
            -> X-BOARD 1 N NONE
            -> HAND 9S,8S,7H,6H,5H,4D,3D,2D,AC,KC,QC,JC
            -> AUCOPEN 0 1NT,PASS,PASS,PASS
            -> AUCCLOSE NT 1 0 NS
            -> X-DECLARER N
            -> DUMMY 7S,6S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C
            -> TRICKSWON N
            -> TRICK E AS
        E: PLAY 8S -> TRICK S AS,8S
    """)


@pytest.mark.clause("SS-31")
@pytest.mark.parametrize("join", ["JOIN-T", "JOIN-T Spring", "JOIN-M g1", "JOIN-M g1 N"])
def test_a_seated_client_is_told_the_state_once_a_second_if_it_asks_for_it(join: str) -> None:
    rig = in_1nt("ALERT")
    rig.converse("""
        E: PLAY 10S
        clear
    """)
    state = [*SEATED, HANDS[NORTH], "AUCOPEN 0 1NT,PASS,PASS,PASS", "AUCCLOSE NT 1 0 NS", DUMMY, "TRICKSWON -"]
    for _ in range(3):
        assert rig.send_line(NORTH, join) == [*state, "TRICK S 10S"]
        for _ in range(30):
            assert rig.send_line(NORTH, join) == ['NAK "the state is sent once a second at most"']
        rig.wait(1000)
    rig.converse("any hears -> nothing")


@pytest.mark.clause("SS-31")
def test_the_state_has_the_alerts_with_the_numbers_of_their_calls() -> None:
    rig = begun("ALERT")
    rig.converse("""
        N: X-ALERT N "15 to 17"
        N: BID 1NT
        E: X-ALERT E "majors"
        E: BID 2C
    """)
    lines = rig.send_line(EAST, "JOIN-T")
    assert [line for line in lines if line.startswith("X-")] == ['X-ALERT N "15 to 17" 1']
    assert lines[-1] == "AUCOPEN S 1NT,2C"


@pytest.mark.clause("SS-31")
def test_who_waits_for_a_board_is_told_its_seat_and_gets_no_other() -> None:
    rig = table()
    seat_stateful(rig, seats=[NORTH])
    rig.converse("""
        N: JOIN-T -> JOINED g1 N
        N: JOIN-M g1 S -> NAK "this connection has the seat N"
    """)


SCRIPT = replace(script_from_seed(board_from_seed(3, "kills", 5), 3), alerts=("",) * 40)
