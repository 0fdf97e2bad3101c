"""Clients that remember nothing: the whole state when it is asked for."""

import pytest

from tests.protocol.stateful.test_board import DUMMY, in_1nt
from tests.support.wire_tables import NORTH


@pytest.mark.clause("SS-31")
@pytest.mark.parametrize("join", ["JOIN-T", "JOIN-T Spring", "JOIN-M g1", "JOIN-M g1 N"])
def test_a_seated_client_is_told_the_state_once_a_second_if_it_asks_for_it(join: str) -> None:
    rig = in_1nt("ALERT")
    rig.converse("""
        E: PLAY 10S
        clear
    """)
    for _ in range(3):
        rig.converse(f"""
            N: {join}
                -> JOINED g1 N
                -> JOINED g1 E "Beta E"
                -> JOINED g1 S "Alpha S"
                -> JOINED g1 W "Beta W"
                -> HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
                -> AUCOPEN 0 1NT,PASS,PASS,PASS
                -> AUCCLOSE NT 1 0 NS
                -> {DUMMY}
                -> TRICKSWON -
                -> TRICK S 10S
        """)
        for _ in range(30):
            assert rig.send_line(NORTH, join) == ['NAK "the state is sent once a second at most"']
        rig.wait(1000)
    rig.converse("any hears -> nothing")
