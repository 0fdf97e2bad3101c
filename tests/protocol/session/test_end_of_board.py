"""After the last card and after the last board (BC-37 to BC-39), and sessions that end before (BC-03)."""

import gc
import weakref

import pytest

from tests.support.wire_tables import (
    EAST,
    board,
    in_auction,
    in_play,
    seated,
)
from tourney.bridge import SEATS
from tourney.protocol.session.records import SeatLeft, TableRecord


def test_a_board_that_is_over_leaves_nothing_for_a_search_of_the_memory() -> None:
    # A host searches only when tables are over, as memory.py says.
    gc.disable()
    try:
        rig = in_play([board(1), board(2)])
        over = weakref.ref(rig.core.state.board)
        rig.play_on(52)
        assert rig.core.state.board is not None
        assert rig.core.state.board.board.number == 2
        assert over() is None
    finally:
        gc.enable()


def test_who_was_dismissed_left_for_that_reason_whatever_the_network_says() -> None:
    rig = seated(bad_lines_max=1)
    connection = rig.seats[EAST].number
    rig.core.receive_line(connection, b"what?", rig.now_ms, rig.now_ms)
    effects = rig.core.close_connection(connection, rig.now_ms, "connection reset by peer")
    (left,) = (effect for effect in effects if isinstance(effect, TableRecord))
    assert isinstance(left, SeatLeft)
    assert left.reason == "1 lines were refused, the limit is 1"


@pytest.mark.clause("BC-44")
def test_players_are_told_the_same_whether_one_board_is_to_come_or_seven() -> None:
    said = []
    for count in (1, 7):
        rig = in_auction([board(number) for number in range(1, count + 1)])
        rig.converse("all hear N E S: passes")
        said.append({seat: rig.sent(seat) for seat in SEATS})
    assert said[0] == said[1]
