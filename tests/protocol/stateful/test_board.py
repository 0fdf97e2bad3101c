"""A board in the words of the stateful-server protocol, at the moments where conversations begin."""

from typing import Any

import pytest

from tests.support.stateful_tables import seat_stateful
from tests.support.table_rig import TableRig
from tests.support.wire_tables import table
from tourney.protocol.session.records import CardPlayed

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


@pytest.mark.clause("SS-17", "SS-19")
def test_dummy_is_shown_to_all_four_once_the_lead_is_on_record_and_not_before() -> None:
    rig = in_1nt()
    rig.converse(f"""
        clear
        E: PLAY 10S -> {DUMMY} -> TRICK S 10S
        N hears -> {DUMMY} -> TRICK S 10S
        S hears -> {DUMMY} -> TRICK S 10S
        W hears -> {DUMMY} -> TRICK S 10S
    """)
    card = next(at for at, effect in enumerate(rig.log) if isinstance(effect, CardPlayed))
    assert not [effect for effect in rig.log[:card] if isinstance(effect, tuple) and effect[1] == DUMMY]
