"""A program beyond a tunnel: what its client may say, and boards that another host takes up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocol.test_conversations import OWN, begin, made
from tests.support.wire_tables import EAST, NORTH, SOUTH, board, in_auction
from tourney.bridge import Side
from tourney.protocol.session.board.state import fold_board
from tourney.protocol.session.records import BoardSnapshot
from tourney.protocol.session.rules import TableRules, TimeRules

pytestmark = pytest.mark.clause("BC-45")

LIES = st.none() | st.integers(-(2**70), 2**70) | st.integers(0, 3000)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), st.lists(st.tuples(st.integers(0, 2500), LIES), min_size=12, max_size=12))
def test_whatever_a_client_says_gains_no_more_than_is_allowed_for_a_line(
    network_ms: int, lines: list[tuple[int, int | None]]
) -> None:
    rig = in_auction(rules=TableRules(time=TimeRules(network_ms=network_ms)), trick_pause_ms=0)
    measured = []
    for wait_ms, own_ms in lines:
        state = rig.core.state.board
        assert state is not None
        actor, cards = state.state.in_play.actor, state.state.in_play.play
        assert actor is not None
        rig.seats[actor].line_own_ms = own_ms
        rig.wait(wait_ms)
        measured.append((wait_ms, own_ms))
        if cards is not None:
            rig.play_card(cards.turn, state.state.legal_cards()[0])
            rig.all_say("ready for dummy", seats=(NORTH, EAST, SOUTH.next))
        else:
            rig.call(actor, "bids 1NT" if len(measured) == 1 else "passes")
    assert len(made(rig)) == len(lines)
    for record, (measured_ms, own_ms) in zip(made(rig), measured, strict=True):
        assert 0 <= measured_ms - record.thinking_ms <= network_ms
        assert (record.delay is None) == (own_ms is None)
        if record.delay is not None:
            assert record.delay.delay_ms == max(0, measured_ms - record.delay.own_ms)
            assert record.delay.allowed_ms == measured_ms - record.thinking_ms


def test_a_board_that_another_host_takes_up_has_had_its_allowances() -> None:
    rig = begin("play, network_ms 300")
    rig.converse(
        """
        client E 0
        client N 0
        wait 250
        all hear E: plays TS
        """,
        **OWN,
    )
    records = tuple(made(rig))
    assert fold_board(board(), records).clock.allowed_ms == {Side.NS: 0, Side.EW: 250}
    again = in_auction(rules=rig.core.state.settings.rules, under_way=BoardSnapshot(1, records))
    assert again.board_state.clock.allowed_ms[Side.EW] == 250
    assert not made(again), "what is repeated to it is on record already"
