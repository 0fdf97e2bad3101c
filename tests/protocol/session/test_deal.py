"""From `Start of board` to the cards (BC-04, BC-12 to BC-14, BC-51)."""

import pytest

from tests.support.wire_tables import (
    NORTH,
    in_auction,
)
from tourney.bridge import SEATS


@pytest.mark.parametrize(
    "line",
    [
        *(f"North ready {what}" for what in ("for teams", "to start", "for deal", "for cards", "for North's bid")),
        "East plays 2C",
        "East passes",
        'Connecting "Alpha" as North using protocol version 18',
        "nonsense",
    ],
)
def test_a_line_that_moves_nothing_is_marked_for_its_connection_to_be_charged(line: str) -> None:
    rig = in_auction()
    connection = rig.core.state.seats[NORTH].connection
    assert connection is not None
    rig.send_line(NORTH, line)
    connection.was_idle = False
    rig.send_line(NORTH, line)
    assert connection.was_idle


def test_no_line_of_players_in_step_is_charged_as_one_that_moves_nothing() -> None:
    rig = in_auction()
    for seat in SEATS:
        connection = rig.core.state.seats[seat].connection
        assert connection is not None
        connection.was_idle = False
    rig.converse("""
        # with the requests of the others for it
        all hear N: bids 1NT
    """)
    assert not any(seat.connection is None or seat.connection.was_idle for seat in rig.core.state.seats)
