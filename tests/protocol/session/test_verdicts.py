"""Players that are late or gone, where a conversation does not say it (tests/golden/conversations/verdicts.txt)."""

import pytest

from tests.support.wire_tables import EAST, NORTH, board, in_auction
from tourney.protocol.session.rules import Rejoin, TableRules, TimeRules


def test_a_program_that_comes_and_goes_between_boards_has_no_more_time_than_one_that_stays_away() -> None:
    rig = in_auction([board(1), board(2)], rules=TableRules(rejoin=Rejoin.FORFEIT))
    rig.converse("""
        E hangs up
        wait 1000
        N: passes
        S W: ready for North's bid
        N S W: ready for East's bid
        S: passes
        N W: ready for South's bid
        W: passes
        N S: ready for West's bid
    """)
    time, visits = TimeRules(), 0
    while not rig.ended:
        rig.converse("""
            E logs on
            wait 10_000
            E hangs up
        """)
        visits += 1
        assert 10_000 * (visits - 1) <= time.absence_ms + time.ready_ms, "it goes on for ever"
    rig.converse("ruled -> ... -> match-forfeit EW...")


@pytest.mark.clause("BC-45")
def test_the_first_byte_of_an_answer_counts_unless_it_came_before_the_player_could_act() -> None:
    rig = in_auction()
    north, east, start_ms = rig.seats[NORTH].number, rig.seats[EAST].number, rig.now_ms
    rig.wait(5_000)
    rig.carry_out(rig.core.receive_line(north, b"North passes", rig.now_ms, start_ms + 2_000))
    rig.converse("""
        E: ready for North's bid
        wait 1_000
    """)
    rig.carry_out(rig.core.receive_line(east, b"East passes", rig.now_ms, start_ms))
    rig.converse("thought -> 2000 -> 1000")
