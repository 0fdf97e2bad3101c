"""A program beyond a tunnel: what the network took is on record, and not charged as far as the event allows it.

`wait` before a line is the time that the table measures; `line_own_ms` of a peer is what its client says.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.table_rig import TableRig
from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    after_the_lead,
    bid_1nt,
    board,
    in_auction,
    in_play,
    log_on,
)
from tourney.bridge import Seat, Side
from tourney.protocol.session.board.state import fold_board
from tourney.protocol.session.records import (
    BoardEnd,
    BoardEnded,
    BoardSnapshot,
    CallMade,
    CardPlayed,
    Incident,
    IncidentKind,
    MeasuredDelay,
)
from tourney.protocol.session.rules import NETWORK_LINES, RemedyName, TableRules, TimeLimit, TimeRules

pytestmark = pytest.mark.clause("BC-45")

ALLOWED = TableRules(time=TimeRules(network_ms=300))


def said_to_take(rig: TableRig, own_ms: int | None, seat: Seat = NORTH) -> None:
    """The client of a seat says so of all its lines from now on."""
    rig.seats[seat].line_own_ms = own_ms


def made(rig: TableRig) -> list[CallMade | CardPlayed]:
    return [record for record in rig.records if isinstance(record, CallMade | CardPlayed)]


def test_what_the_network_took_is_on_record_and_charged_unless_the_event_says_otherwise() -> None:
    rig = in_auction()
    said_to_take(rig, 1000)
    rig.converse("""
        wait 1250
        all hear N E: passes
    """)
    (north, east) = made(rig)
    assert (north.thinking_ms, north.delay) == (1250, MeasuredDelay(1000, 250, 0))
    assert east.delay is None, "no client says anything of it"


@pytest.mark.parametrize(
    ("own_ms", "charged_ms", "delay"),
    [
        (1000, 1000, MeasuredDelay(1000, 250, 250)),
        (1250, 1250, MeasuredDelay(1250, 0, 0)),
        (9000, 1250, MeasuredDelay(9000, 0, 0)),
        (0, 950, MeasuredDelay(0, 1250, 300)),
        (-(10**30), 950, MeasuredDelay(0, 1250, 300)),
        (10**30, 1250, MeasuredDelay(86_400_000, 0, 0)),
    ],
)
def test_so_much_of_it_as_the_event_allows_is_not_charged(own_ms: int, charged_ms: int, delay: MeasuredDelay) -> None:
    rig = in_auction(rules=ALLOWED)
    said_to_take(rig, own_ms)
    rig.converse("""
        wait 1250
        all hear N: passes
    """)
    (call,) = made(rig)
    assert (call.thinking_ms, call.delay) == (charged_ms, delay)
    assert rig.board_state.clock.spent_ms[Side.NS] == charged_ms


def test_a_card_of_dummy_is_declarers() -> None:
    rig = after_the_lead(rules=ALLOWED)
    said_to_take(rig, 100)
    rig.converse("""
        wait 150
        all hear S: plays 5S
    """)
    assert rig.of_kind(CardPlayed)[-1].delay == MeasuredDelay(100, 50, 50)


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
        said_to_take(rig, own_ms, actor)
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


def test_a_board_has_no_more_than_so_many_full_allowances_for_a_side() -> None:
    rig = in_auction(rules=ALLOWED)
    rig.board_state.clock.allowed_ms[Side.NS] = NETWORK_LINES * 300 - 20
    said_to_take(rig, 0)
    rig.converse("""
        wait 1000
        all hear N E: passes
    """)
    said_to_take(rig, 0, SOUTH)
    rig.converse("""
        wait 1000
        all hear S: passes
    """)
    assert [record.thinking_ms for record in made(rig)] == [980, 0, 1000]


def test_what_a_program_used_before_it_was_told_something_else_is_its_own() -> None:
    rig = in_auction(rules=ALLOWED)
    said_to_take(rig, 7000)
    rig.wait(7000)
    assert rig.send_line(NORTH, "North plays 2C"), "it is told that this is no time for a card"
    said_to_take(rig, 400)
    rig.converse("""
        wait 500
        N: passes
    """)
    assert made(rig)[0].delay == MeasuredDelay(7400, 100, 100)


def test_a_pause_is_no_delay_of_the_network() -> None:
    rig = in_auction(rules=ALLOWED)
    rig.converse("""
        wait 1000
        pause
        wait 60_000
        resume
        wait 100
    """)
    said_to_take(rig, 61_100)
    rig.converse("N: passes")
    assert (made(rig)[0].thinking_ms, made(rig)[0].delay) == (1100, MeasuredDelay(61_100, 0, 0))


# Limits


def over_time(rig: TableRig) -> bool:
    return any(incident.kind is IncidentKind.OVER_TIME for incident in rig.of_kind(Incident))


LIMIT = TimeLimit(2000, RemedyName.WARN)


@pytest.mark.parametrize(
    "time",
    [
        TimeRules(network_ms=300, call=LIMIT),
        TimeRules(network_ms=300, board=LIMIT),
        TimeRules(network_ms=300, match=LIMIT),
    ],
)
def test_a_limit_counts_what_is_charged_and_comes_later_by_no_more_than_is_allowed(time: TimeRules) -> None:
    for own_ms, at_ms in ((None, 2000), (0, 2300)):
        rig = in_auction(rules=TableRules(time=time))
        said_to_take(rig, own_ms)
        rig.converse(f"""
            # the first line that says how long it took, if one does
            N: ready for deal
            wait {at_ms - 1}
        """)
        assert not over_time(rig)
        rig.wait(1)
        assert over_time(rig)


def test_a_side_that_has_used_up_its_allowance_has_no_later_limit() -> None:
    time = TimeRules(network_ms=300, call=TimeLimit(2000, RemedyName.WARN))
    rig = in_auction(rules=TableRules(time=time))
    rig.board_state.clock.allowed_ms[Side.NS] = NETWORK_LINES * 300
    said_to_take(rig, 0)
    rig.converse("""
        N: ready for deal
        wait 2000
    """)
    assert over_time(rig)


# Boards that go on


def test_a_board_that_another_host_takes_up_has_had_its_allowances() -> None:
    rig = in_play(rules=ALLOWED)
    for seat in (EAST, NORTH):
        said_to_take(rig, 0, seat)
    rig.converse("""
        wait 250
        all hear E: plays TS
    """)
    records = tuple(made(rig))
    assert fold_board(board(), records).clock.allowed_ms == {Side.NS: 0, Side.EW: 250}
    again = in_auction(rules=ALLOWED, under_way=BoardSnapshot(1, records))
    assert again.board_state.clock.allowed_ms[Side.EW] == 250
    assert not made(again), "what is repeated to it is on record already"


@pytest.mark.clause("BC-48")
def test_what_a_program_repeats_that_comes_back_is_on_record_once() -> None:
    rig = in_auction(rules=ALLOWED)
    said_to_take(rig, 0)
    rig.converse("""
        wait 100
        all hear N: passes
        N hangs up
        wait 1000
    """)
    peer, _ = log_on(rig, "Alpha", "North")
    rig.seats[NORTH] = peer
    said_to_take(rig, 5)
    rig.converse("""
        N: ready for teams
        N: ready to start
        N: ready for deal
        N: ready for cards
        N: passes
    """)
    assert [record.delay for record in made(rig)] == [MeasuredDelay(0, 100, 100)]


def test_the_table_calls_and_plays_without_a_network() -> None:
    limits = TimeRules(network_ms=300, call=TimeLimit(2000, RemedyName.FORFEIT_BOARD))
    rig = in_auction(rules=TableRules(time=limits))
    said_to_take(rig, 0)
    bid_1nt(rig)
    rig.wait(60_000)
    (ended,) = rig.of_kind(BoardEnded)
    assert ended.end is BoardEnd.TIME
    assert all(record.delay is None for record in made(rig) if record.substituted)
