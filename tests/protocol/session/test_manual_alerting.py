"""Manual alerting: the table waits for an operator's word on a call, and never for ever."""

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board, in_auction
from tourney.bridge import Seat
from tourney.protocol.session.orders import RelayAnswer, Resume
from tourney.protocol.session.records import NO_ANSWER_AUTHOR, AlertAnswered, AlertAsked
from tourney.protocol.session.rules import AlertMode, TableRules

WAIT_MS = TableRules().alert_wait_ms


def auction(mode: AlertMode) -> TableRig:
    return in_auction([board(1)], rules=TableRules(alerting=mode))


def bid(rig: TableRig, line: str) -> None:
    """North calls and the three others ask for it."""
    rig.send_line(NORTH, f"North {line}")
    rig.ask_all(NORTH, "for North's bid")


def told(rig: TableRig, seat: Seat) -> list[str]:
    """The bids and passes that a seat has been told."""
    return [line for line in rig.sent(seat) if line.split()[1:2] in (["bids"], ["passes"])]


def answer(rig: TableRig, seq: int, text: str) -> str | None:
    outcome = rig.order(RelayAnswer(1, seq, text, "Olga"))
    return None if outcome == (f"alerted: {text}" if text else "not alertable") else outcome


@pytest.mark.clause("BC-25", "BC-26")
def test_a_call_outside_the_no_pause_list_waits_for_the_operator() -> None:
    rig = auction(AlertMode.CALLS)
    bid(rig, "bids 2D")
    assert [told(rig, seat) for seat in (EAST, SOUTH, WEST)] == [[], [], []]
    assert [(asked.seq, asked.seat) for asked in rig.of_kind(AlertAsked)] == [(0, NORTH)]


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize("line", ["passes", "bids 1H", "bids 1NT", "bids 2D Alert. 5 cards in diamonds."])
def test_calls_of_the_list_and_calls_that_explain_themselves_do_not_wait(line: str) -> None:
    rig = auction(AlertMode.CALLS)
    bid(rig, line)
    assert len(told(rig, EAST)) == 1
    assert rig.of_kind(AlertAsked) == []


@pytest.mark.clause("BC-27")
def test_not_alertable_lets_the_call_go_as_it_is() -> None:
    rig = auction(AlertMode.CALLS)
    bid(rig, "bids 2D")
    answer(rig, 0, "")
    assert told(rig, EAST) == ["North bids 2D"]


@pytest.mark.clause("BC-27")
def test_an_absent_operator_stops_nothing() -> None:
    rig = auction(AlertMode.CALLS)
    bid(rig, "bids 2D")
    rig.wait(WAIT_MS - 1)
    assert told(rig, EAST) == []
    rig.wait(1)
    assert told(rig, EAST) == ["North bids 2D"]
    assert [(a.text, a.author) for a in rig.of_kind(AlertAnswered)] == [("", "time limit")]


@pytest.mark.clause("BC-25")
def test_a_leader_whose_own_pass_ended_the_auction_waits_for_the_operator_like_all_others() -> None:
    rig = auction(AlertMode.AUCTION)
    rig.converse("""
        all hear N: bids 2D
        all hear E: passes
        all hear S: bids 3D
        all hear W N E: passes
    """)
    assert "East to lead" not in rig.sent(EAST)
    for asked in rig.of_kind(AlertAsked):
        answer(rig, asked.seq, "")
    rig.converse("""
        E has heard -> ... -> East to lead -> ...
        E: plays TS
        W: ready for East's card to trick 1 -> East passes -> East plays TS
    """)


@pytest.mark.clause("BC-27")
def test_an_answer_nobody_waits_for_is_refused_with_a_reason() -> None:
    rig = auction(AlertMode.CALLS)
    bid(rig, "bids 1H")
    assert answer(rig, 0, "") == "no answer is awaited on call 1 of board 1"
    written = len(rig.log)
    assert rig.order(RelayAnswer(9, 0, "", "Olga")) == "board 9 is not in play"
    assert rig.log[written:] == []


@pytest.mark.clause("BC-25", "BC-45")
def test_the_wait_for_the_operator_is_charged_to_nobody() -> None:
    rig = auction(AlertMode.CALLS)
    bid(rig, "bids 2D")
    rig.wait(30_000)
    answer(rig, 0, "")
    rig.wait(1_000)
    rig.send_line(EAST, "East passes")
    assert {side.value: ms for side, ms in rig.board_state.clock.spent_ms.items()} == {
        "NS": 0,
        "EW": 1_000,
    }


@pytest.mark.clause("BC-27")
def test_the_operator_has_as_long_as_without_a_pause_however_long_that_lasts() -> None:
    rig = in_auction(rules=TableRules(alerting=AlertMode.CALLS, alert_wait_ms=10_000))
    rig.converse("""
        N: bids 2C
        wait 4000
        pause
        wait 60_000
    """)
    assert rig.of_kind(AlertAnswered) == []
    rig.order(Resume())
    rig.wait(5999)
    assert rig.of_kind(AlertAnswered) == []
    rig.wait(1)
    assert [answer.author for answer in rig.of_kind(AlertAnswered)] == [NO_ANSWER_AUTHOR]
