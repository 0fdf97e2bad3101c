"""The face of a table core: few verbs, and orders as values."""

import pytest

from tests.support.wire_tables import SOUTH, WEST, board, in_auction
from tourney.protocol.session.orders import KickPlayer, Stop


def test_a_kick_that_would_cost_another_board_than_was_said_does_nothing() -> None:
    rig = in_auction([board(1), board(2)])
    outcome = rig.order(KickPlayer(WEST, "it hangs", "Ada", board=2))
    assert outcome == "nothing was done: board 1 is in play by now, and would be forfeited"
    rig.converse("incidents -> nothing")
    assert set(rig.seated) >= {WEST, SOUTH}


@pytest.mark.parametrize(("waits", "outcome"), [(True, "stops when board 1 is over"), (False, "stopped")])
def test_a_stop_may_wait_for_the_board_in_play(waits: bool, outcome: str) -> None:
    rig = in_auction([board(1), board(2)])
    assert rig.order(Stop("stopped by Ada", waits_for_board=waits)) == outcome
    assert rig.ended == ([] if waits else ["stopped by Ada"])


def test_a_paused_table_waits_for_no_board_before_it_stops() -> None:
    rig = in_auction([board(1), board(2)])
    rig.converse("pause -> paused")
    assert rig.order(Stop("stopped by Ada", waits_for_board=True)) == "stopped"
    assert rig.ended == ["stopped by Ada"]
