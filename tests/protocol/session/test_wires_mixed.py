"""Blue Chip and the stateful-server protocol at one table: who speaks what makes no difference to the record.

The suite plays 24 random boards with each of the 16 combinations of wires, and by four clients that know the source
document alone; `WIRE_BOARDS=240` plays 240.
"""

from typing import Any

import pytest

from tests.support.stateful_tables import (
    seat_stateful,
)
from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, table
from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.session.orders import RelayAnswer
from tourney.protocol.session.rules import AlertMode, Rejoin, TableRules


def mixed_in_1nt(stateful: frozenset[Seat], extensions: str = "", **settings: Any) -> TableRig:
    """North is in 1NT at a table where some seats speak the stateful protocol; East is to lead."""
    rig = table(**({"trick_pause_ms": 0} | settings))
    for seat in SEATS:
        if seat in stateful:
            rig.seats[seat] = rig.connect_stateful(seat)
            for line in (f"X-HELLO {extensions or '-'}", f"HELLO {rig.core.state.team(seat.side)}", "JOIN-T"):
                rig.send_line(seat, line)
        else:
            rig.log_on(seat)
    plain = [seat for seat in SEATS if seat not in stateful]
    rig.all_say("ready for teams", "ready to start", "ready for deal", "ready for cards", seats=plain)
    for seat, call in zip(SEATS, ("1NT", "PASS", "PASS", "PASS"), strict=True):
        if seat in stateful:
            rig.send_line(seat, f"BID {call}")
        else:
            rig.send_line(seat, f"{seat.title} {'passes' if call == 'PASS' else f'bids {call}'}")
        for other in plain:
            if other is not seat:
                rig.send_line(other, f"{other.title} ready for {seat.title}'s bid")
    rig.clear()
    return rig


@pytest.mark.clause("SS-34")
def test_a_claim_is_refused_where_one_that_would_answer_has_no_words_for_it() -> None:
    mixed_in_1nt(frozenset({WEST}), rules=TableRules(claims=True)).converse("""
        all hear E: plays TS
        clear
        N: claims -> Error: West's program has no words to answer a claim: play on
        E hears -> nothing
    """)


@pytest.mark.clause("SS-34")
def test_a_claim_is_answered_where_only_dummy_has_no_words_for_it() -> None:
    mixed_in_1nt(frozenset({SOUTH}), "RESULT", rules=TableRules(claims=True)).converse("""
        all hear E: plays TS
        clear
        N: claims
        E W: accepts North's claim
        S hears -> TRICK 0 10S -> TRICKSWON N,N,N,N,N,N,N,N,N,N,N,N,N -> X-RESULT 1NTN 13 ... -> ...
    """)


@pytest.mark.clause("SS-24")
def test_alerts_cross_from_either_language_to_the_other() -> None:
    rig = table()
    stateful = frozenset({NORTH, WEST})
    for seat in SEATS:
        rig.seats[seat] = rig.connect_stateful(seat) if seat in stateful else rig.connect()
    for seat in (NORTH, WEST):
        for line in ("X-HELLO ALERT", f"HELLO {rig.core.state.settings.team(seat.side)}", "JOIN-T"):
            rig.send_line(seat, line)
    for seat in (EAST, SOUTH):
        team = rig.core.state.settings.team(seat.side)
        rig.send_line(seat, f'Connecting "{team}" as {seat.title} using protocol version 18')
    rig.converse("""
        E S: ready for teams
        E S: ready to start
        E S: ready for deal
        E S: ready for cards
        clear
        N: X-ALERT N "15 to 17 points"
        N: BID 1NT
        E: ready for North's bid -> North bids 1NT Alert. 15 to 17 points.
        S: ready for North's bid -> North bids 1NT
        clear
        E: bids 2C Alert. Both majors.
        N hears -> X-ALERT E "Both majors." 2 -> AUCOPEN S 1NT,2C
        W hears -> AUCOPEN S 1NT,2C
    """)


@pytest.mark.clause("SS-32")
def test_a_call_on_its_way_when_a_board_is_begun_anew_is_not_taken_for_one_on_the_new_board() -> None:
    mixed_in_1nt(frozenset(SEATS), "PING", rules=TableRules(rejoin=Rejoin.RESTART)).converse("""
        N comes back asking for PING
        begun -> 1 -> 1
        E hears -> X-PING B1 -> ... -> AUCOPEN N -
        N: X-PONG B1
        N: BID PASS
        E hears -> AUCOPEN E PASS
        E: PLAY 10S -> nothing
        E: BID 7NT -> nothing
        calls -> N 1NT -> E Pass -> S Pass -> W Pass -> N Pass
        E: X-PONG B1
        E: BID PASS -> AUCOPEN S PASS,PASS
    """)


@pytest.mark.clause("SS-32")
def test_a_client_that_answers_no_ping_is_disconnected_when_a_board_is_begun_anew() -> None:
    settings = {"rules": TableRules(rejoin=Rejoin.RESTART), "ours": frozenset(Side)}
    mixed_in_1nt(frozenset(SEATS), "END", **settings).converse("""
        N comes back asking for -
        E is disconnected
        E hears -> NAK "the board is begun again" -> X-END "the session is over"
    """)


@pytest.mark.clause("SS-34")
def test_while_the_table_is_paused_a_client_that_is_back_is_told_to_wait_and_then_the_state() -> None:
    mixed_in_1nt(frozenset(SEATS)).converse("""
        pause
        E comes back asking for - -> JOINED g1 E
        E: PLAY 10S -> NAK "the table is paused: wait for your turn"
        resume
        E hears -> ... -> TRICK E -
        E: PLAY 10S -> ... -> TRICK S 10S
    """)


@pytest.mark.clause("SS-14")
def test_a_call_that_waits_for_the_operator_is_shown_to_nobody_before_the_answer() -> None:
    rig = table(rules=TableRules(alerting=AlertMode.CALLS))
    seat_stateful(rig, "ALERT")
    rig.converse("""
        clear
        N: BID 2C -> nothing
        E: JOIN-T -> ... -> AUCOPEN 0 -
        clear
    """)
    rig.order(RelayAnswer(1, 0, "strong", "Ann"))
    rig.converse("""
        E hears -> X-ALERT N strong 1 -> AUCOPEN E 2C
        S hears -> AUCOPEN E 2C
    """)
