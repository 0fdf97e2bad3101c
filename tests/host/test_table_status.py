"""What a host reports about its tables, each thing once, for every display."""

from collections.abc import Callable

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, WEST, at_start_of_board, board, in_auction, in_play, table
from tourney.bridge import Side
from tourney.host.manager import describe_activity
from tourney.protocol.session.orders import ExtendTime, KickPlayer
from tourney.protocol.session.records import TimeExtended
from tourney.protocol.session.rules import AlertMode, RemedyName, TableRules, TimeLimit, TimeRules
from tourney.store.control.tables import TableActivity, TimeLeft, Wait


def doing(rig: TableRig) -> TableActivity:
    return describe_activity(rig.core.state, rig.now_ms)


def test_a_table_that_nobody_has_come_to_has_no_trouble() -> None:
    said = doing(table())
    assert (said.last, said.problem) == ("", None)


def test_a_table_in_the_auction_says_whose_call_it_waits_for_since_when() -> None:
    rig = in_auction()
    rig.converse("""
        all hear N: bids 1NT
        wait 300
    """)
    said = doing(rig)
    assert said.last == "North bids 1NT"
    assert said.waits == (Wait(EAST, "call", rig.now_ms - 300),)


def test_what_each_side_has_left_is_said_of_the_limits_in_force_with_what_a_director_has_added() -> None:
    limit = TimeLimit(60_000, RemedyName.WARN)
    rig = in_auction(rules=TableRules(time=TimeRules(board=limit, match=TimeLimit(90_000, RemedyName.WARN))))
    rig.order(ExtendTime(TimeExtended(1, 1, Side.EW, 5_000)))
    rig.converse("""
        wait 1_200
        all hear N: bids 1NT
    """)
    assert doing(rig).left == (
        TimeLeft(Side.NS, 1, 58_800),
        TimeLeft(Side.EW, 1, 65_000),
        TimeLeft(Side.NS, None, 88_800),
        TimeLeft(Side.EW, None, 90_000),
    )
    assert doing(in_auction()).left == ()


def wait_for_the_operator() -> TableRig:
    rig = in_auction(rules=TableRules(alerting=AlertMode.CALLS))
    rig.converse("N: bids 2D")
    rig.ask_all(NORTH, "for North's bid")
    return rig


def have_a_seat_vacated() -> TableRig:
    rig = at_start_of_board()
    rig.hang_up(WEST)
    return rig


@pytest.mark.parametrize("make", [wait_for_the_operator, have_a_seat_vacated])
def test_what_seats_and_the_record_say_is_not_said_again_as_trouble(make: Callable[[], TableRig]) -> None:
    assert doing(make()).problem is None


def test_a_player_for_whom_the_table_acts_is_trouble() -> None:
    rig = in_play([board(1), board(2)])
    rig.order(KickPlayer(WEST, "it plays for somebody else"))
    said = doing(rig)
    assert said.problem == "the table acts for West on board 1 (disconnect)"
