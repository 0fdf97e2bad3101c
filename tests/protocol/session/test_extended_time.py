"""Thinking time that a director gives beyond the limits: for a board or for the match, to both sides or to one."""

import pytest

from tests.protocol.session.test_verdicts import incidents, limited
from tests.support.table_rig import TableRig
from tests.support.wire_tables import at_start_of_board, board, in_auction, seated
from tourney.bridge import PASS, Side
from tourney.protocol.session.orders import ExtendTime, Resume
from tourney.protocol.session.records import (
    BoardSnapshot,
    CallMade,
    Incident,
    IncidentKind,
    Ruled,
    TimeExtended,
)
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit

pytestmark = pytest.mark.clause("BC-45")

A_MINUTE = TimeLimit(60_000, RemedyName.PENALTY)
A_MINUTE_OR_THE_BOARD = TimeLimit(60_000, RemedyName.FORFEIT_BOARD)
MATCH_OF_A_MINUTE = limited(match=A_MINUTE)


def extend(
    rig: TableRig, ms: int, *, board_number: int | None = 1, side: Side | None = None, order_id: int | None = None
) -> str:
    """Give an order that the table has not been given before, unless it says so; return what came of it."""
    known = len([record for record in rig.records if isinstance(record, TimeExtended)])
    number = known + 1 if order_id is None else order_id
    return rig.order(ExtendTime(TimeExtended(number, board_number, side, ms)))


def late_ms(rig: TableRig, most_ms: int = 300_000) -> int:
    """Wait until somebody is late for the next time; return how long that took."""
    known, began_ms = len(incidents(rig, IncidentKind.OVER_TIME)), rig.now_ms
    while len(incidents(rig, IncidentKind.OVER_TIME)) == known and rig.now_ms < began_ms + most_ms:
        rig.wait(1000)
    return rig.now_ms - began_ms


def test_the_board_in_play_goes_on_for_the_time_that_was_given() -> None:
    rig = in_auction(rules=limited(board=A_MINUTE_OR_THE_BOARD))
    rig.wait(59_000)
    assert extend(rig, 30_000) == "each side has 1 minute 30 seconds for board 1"
    rig.converse("""
        wait 30_999
        ended -> nothing
        wait 1
        ended -> 1 time N
    """)
    assert incidents(rig, IncidentKind.OVER_TIME)[0].text == "NS took longer than 90 s on board 1"


def test_one_side_gets_what_the_other_does_not() -> None:
    rig = in_auction(rules=limited(board=A_MINUTE))
    assert extend(rig, 30_000, side=Side.EW) == (
        f"{rig.core.state.team(Side.NS)} has 1 minute for board 1, {rig.core.state.team(Side.EW)} 1 minute 30 seconds"
    )
    assert late_ms(rig) == 60_000
    rig.converse("all hear N: passes")
    assert late_ms(rig) == 90_000
    rig.converse("ruled -> penalty-imps NS 1 -> penalty-imps EW 1")


def test_a_board_to_come_has_its_time_when_it_begins_and_others_have_theirs() -> None:
    rig = in_auction([board(1), board(2)], rules=limited(board=A_MINUTE))
    extend(rig, 30_000, board_number=2)
    assert late_ms(rig) == 60_000


def test_the_match_is_extended_over_its_boards() -> None:
    rig = in_auction(rules=MATCH_OF_A_MINUTE)
    assert extend(rig, 15_000, board_number=None) == "each side has 1 minute 15 seconds for the match"
    assert rig.core.state.limit_ms(None, Side.NS) == 75_000
    assert late_ms(rig) == 75_000


def test_time_is_given_in_a_pause_too_and_the_pause_counts_for_nobody() -> None:
    rig = in_auction(rules=limited(board=A_MINUTE))
    rig.converse("""
        wait 50_000
        pause
        wait 100_000
    """)
    extend(rig, 30_000)
    rig.wait(100_000)
    assert incidents(rig, IncidentKind.OVER_TIME) == []
    rig.order(Resume())
    assert late_ms(rig) == 40_000


def test_time_taken_back_counts_at_once() -> None:
    rig = in_auction(rules=limited(board=A_MINUTE))
    extend(rig, 60_000)
    rig.wait(70_000)
    assert extend(rig, -60_000) == "each side has 1 minute for board 1"
    rig.converse("""
        wait 100
        ruled -> penalty-imps NS 1
    """)


def test_a_side_that_was_judged_is_judged_by_the_new_limit_if_the_time_is_enough_and_else_not_again() -> None:
    rig = in_auction(rules=limited(board=A_MINUTE))
    rig.wait(100_000)
    extend(rig, 30_000)  # too little: it has used 100 seconds
    rig.wait(1000)
    assert len(rig.of_kind(Ruled)) == 1
    extend(rig, -30_000)
    rig.wait(1000)
    assert len(rig.of_kind(Ruled)) == 1
    extend(rig, 60_000)
    assert late_ms(rig) == 18_000
    assert len(rig.of_kind(Ruled)) == 2


def test_an_order_that_comes_twice_counts_once() -> None:
    rig = in_auction(rules=MATCH_OF_A_MINUTE)
    for _ in range(2):
        assert extend(rig, 15_000, board_number=None, order_id=7) == "each side has 1 minute 15 seconds for the match"


def test_what_has_no_limit_and_what_has_ended_stays_as_it_is() -> None:
    rig = in_auction([board(1), board(2)], rules=limited(call=A_MINUTE_OR_THE_BOARD))
    assert extend(rig, 1000) == "nothing changes: there is no limit on thinking time for board 1 here"
    rig.wait(60_000)
    assert extend(rig, 1000) == "nothing changes: board 1 has ended here"


@pytest.mark.clause("BC-49")
@pytest.mark.parametrize(("extended_ms", "late_after_ms"), [(0, None), (30_000, 20_000)])
def test_a_side_that_was_judged_at_one_host_is_judged_at_the_next_by_an_extended_limit_alone(
    extended_ms: int, late_after_ms: int | None
) -> None:
    rules = limited(board=A_MINUTE)
    first = in_auction(rules=rules)
    first.converse("""
        wait 70_000
        all hear N: passes
        ruled -> penalty-imps NS 1
    """)
    made = tuple(record for record in first.records if isinstance(record, CallMade))
    extensions = (TimeExtended(1, 1, None, extended_ms),) if extended_ms else ()
    history = tuple(first.of_kind(Incident))
    second = at_start_of_board(rules=rules, extensions=extensions, history=history, under_way=BoardSnapshot(1, made))
    second.converse("""
        all: ready for deal
        all: ready for cards
        # once more, as it had
        all hear N E: passes
    """)
    assert late_ms(second, 50_000) == (late_after_ms or 50_000)


@pytest.mark.clause("BC-49")
def test_a_table_that_another_host_takes_up_has_the_limits_of_the_one_that_was_lost() -> None:
    rules = TableRules(time=limited(board=A_MINUTE, match=TimeLimit(80_000, RemedyName.WARN)).time)
    first = in_auction(rules=rules)
    extend(first, 30_000, side=Side.NS)
    extend(first, 20_000, board_number=None)
    first.converse("""
        wait 40_000
        all hear N: passes
    """)
    extensions = tuple(record for record in first.records if isinstance(record, TimeExtended))
    assert [record.order_id for record in extensions] == [1, 2]
    made = tuple(record for record in first.records if isinstance(record, CallMade))
    assert [(call.call, call.thinking_ms) for call in made] == [(PASS, 40_000)]

    second = seated(rules=rules, extensions=extensions, under_way=BoardSnapshot(1, made))
    assert second.core.state.extra_ms == first.core.state.extra_ms
    limits = [(second.core.state.limit_ms(number, side), side) for number in (1, None) for side in Side]
    assert limits == [(90_000, Side.NS), (60_000, Side.EW), (100_000, Side.NS), (100_000, Side.EW)]
    extend(second, 30_000, side=Side.NS, order_id=1)  # it was not on record yet that the first had acted on it
    assert second.core.state.limit_ms(1, Side.NS) == 90_000
