"""Who is charged for which time: from the moment a player could act to the arrival of its line (BC-37).

`wait` before a line is the time that its player, or somebody else, took.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.wire_tables import (
    EAST,
    NORTH,
    at_start_of_board,
    board,
    in_auction,
    in_play,
)
from tourney.bridge import SEATS, Side
from tourney.protocol.session.clock import TableTime
from tourney.protocol.session.orders import VoidBoard
from tourney.protocol.session.records import BoardVoided
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules

FORFEITS: Any = {"irregularity_remedy": RemedyName.FORFEIT_BOARD}


@pytest.mark.clause("BC-37")
def test_the_dealer_is_charged_from_its_cards_to_its_call() -> None:
    in_auction().converse("""
        wait 1234
        N: passes
        thought -> 1234
    """)


@pytest.mark.clause("BC-37")
def test_the_next_hand_is_charged_from_the_call_it_was_told_and_not_from_the_call_that_was_made() -> None:
    in_auction().converse("""
        N: passes
        # East has not asked yet
        wait 5000
        E: ready for North's bid
        wait 700
        E: passes
        thought -> 0 -> 700
    """)


@pytest.mark.clause("BC-37")
def test_a_player_that_asked_early_is_charged_from_the_call() -> None:
    in_auction().converse("""
        E: ready for North's bid
        wait 300
        N: passes
        wait 40
        E: passes
        thought -> 300 -> 40
    """)


@pytest.mark.clause("BC-51", "BC-37")
def test_slow_ready_lines_are_charged_to_nobody() -> None:
    rig = at_start_of_board([board(1), board(2)])
    for what in ("deal", "cards"):
        for seat in SEATS:
            rig.converse(f"wait 7000\n{seat.letter}: ready for {what}")
    for caller in SEATS:
        rig.converse(f"{caller.letter}: passes")
        for asker in (caller.previous, caller.partner, caller.next):  # who calls next asks last
            rig.converse(f"wait 7000\n{asker.letter}: ready for {caller.title}'s bid")
    rig.converse("thought -> 0 -> 0 -> 0 -> 0")
    assert "this board  00:00" in rig.sent(NORTH)[-2]


@pytest.mark.clause("BC-37")
def test_another_players_error_costs_nobody_time() -> None:
    in_auction().converse("""
        wait 100
        S: passes
        wait 100
        N: doubles
        wait 100
        N: passes
        thought -> 300
    """)


@pytest.mark.clause("BC-37")
def test_the_leader_is_charged_from_the_line_that_asks_it_to_lead() -> None:
    in_auction().converse("""
        all hear N: bids 1NT
        all hear E S: passes
        W: passes
        wait 9000
        E: ready for West's bid -> ... -> East to lead
        wait 450
        E: plays TS
        thought -> 0 -> 0 -> 0 -> 0 -> 450
    """)


@pytest.mark.clause("BC-36", "BC-37")
def test_the_pause_after_a_trick_is_charged_to_nobody() -> None:
    in_play(trick_pause_ms=1000).converse("""
        play 4 cards
        wait 1000
        N has heard -> ... -> North to lead
        wait 25
        all hear N: plays KS
        thought -> ... -> 25
    """)


@pytest.mark.clause("BC-37")
def test_of_the_lines_to_a_leader_only_the_one_that_asks_it_to_lead_starts_its_clock() -> None:
    rig = in_play(trick_pause_ms=1000)
    rig.converse("""
        play 4 cards
        wait 1000
    """)
    leader = rig.seats[NORTH].number
    lines = [(e[1], e[2] is not None) for e in rig.log if isinstance(e, tuple) and e[0] == leader]
    assert lines[-2:] == [("West plays 4S", True), ("North to lead", True)]
    leader = rig.seats[EAST].number
    lines = [(e[1], e[2] is not None) for e in rig.log if isinstance(e, tuple) and e[0] == leader]
    assert [line for line in lines if line[0] in ("West passes", "East to lead", "North plays AS")] == [
        ("West passes", False),
        ("East to lead", True),
        ("North plays AS", False),
    ]


@pytest.mark.clause("BC-37")
def test_dummys_card_is_charged_to_declarer_once_it_has_seen_dummy() -> None:
    rig = in_play()
    rig.converse("""
        E: plays TS
        N: ready for East's card to trick 1
        wait 3000
        N: ready for dummy
        wait 80
        N: South plays 7S
        cards -> ... -> South 7S
        thought -> ... -> 80
    """)
    assert rig.board_state.clock.spent_ms == {Side.NS: 80, Side.EW: 0}


@pytest.mark.clause("BC-37")
@pytest.mark.parametrize("dummy_first", [True, False])
def test_third_hand_of_trick_1_is_charged_from_the_last_thing_it_had_to_know(dummy_first: bool) -> None:
    asks = "wait 1000\nW: ready for dummy" if dummy_first else ""
    in_play().converse(f"""
        E: plays TS
        N: ready for East's card to trick 1
        N: ready for dummy
        N: South plays 7S
        {asks}
        wait 1000
        W: ready for East's card to trick 1
        wait 1000
        W: ready for South's card to trick 1
        {"" if dummy_first else "wait 1000"}
        {"" if dummy_first else "W: ready for dummy"}
        wait 60
        W: plays 4S
        thought -> ... -> 60
    """)


@pytest.mark.clause("BC-37")
def test_a_player_that_never_asks_for_dummy_is_charged_all_the_same() -> None:
    in_play().converse("""
        all hear E: plays TS
        N: ready for dummy
        all hear S: plays 7S
        wait 500
        W: plays 4S
        thought -> ... -> 500
    """)


@pytest.mark.clause("BC-37")
def test_the_line_of_a_player_that_is_not_in_turn_does_not_end_the_thinking_of_the_one_that_is() -> None:
    limit = TimeRules(call=TimeLimit(10_000, RemedyName.SUBSTITUTE))
    in_auction(rules=TableRules(time=limit)).converse("""
        wait 100
        E: ready for North's bid
        wait 9900
        thought -> 10000
        calls -> N Pass by the table
    """)


@pytest.mark.clause("BC-37")
def test_the_absence_of_a_player_is_charged_to_nobody() -> None:
    in_auction(rules=TableRules(time=TimeRules(rejoin_ms=60_000))).converse("""
        wait 700
        N hangs up
        wait 61_000
        ended -> 1 disconnect N
        spent -> 700 0
    """)


@pytest.mark.clause("BC-37")
def test_a_pause_and_a_standstill_are_charged_to_nobody() -> None:
    rig = in_auction()
    rig.converse("""
        wait 200
        pause
        wait 100_000
        resume
        wait 30
    """)
    rig.now_ms += 5000
    rig.standstills.append((rig.now_ms - 5000, rig.now_ms))
    rig.converse("""
        N: passes
        thought -> 230
    """)


@pytest.mark.clause("BC-37")
def test_a_call_that_is_made_in_a_pause_is_charged_up_to_the_pause() -> None:
    in_auction().converse("""
        wait 200
        pause
        wait 5000
        N: passes
        thought -> 200
    """)


@pytest.mark.clause("BC-37")
def test_the_time_counts_from_the_moment_the_line_was_written() -> None:
    # The shell may hold a line back (BC-50) or be busy; that is the table's time, not the player's.
    rig = in_auction(hold_clocks=True)
    rig.write_held()
    rig.converse("""
        N: passes
        E: ready for North's bid
        wait 20
    """)
    rig.write_held()
    rig.converse("""
        wait 300
        E: passes
        thought -> 0 -> 300
    """)


@pytest.mark.clause("BC-37")
def test_a_late_word_that_an_old_line_was_written_does_not_touch_the_clock_of_the_next() -> None:
    rig = in_auction(hold_clocks=True)
    assert rig.held_clocks is not None
    old = list(rig.held_clocks)
    rig.write_held()
    rig.converse("N: passes\nE: ready for North's bid")
    rig.write_held()
    rig.wait(100)
    for clock in old:
        rig.driver.note_written(rig.seats[EAST], "", clock, rig.now_ms)
    rig.converse("""
        wait 50
        E: passes
        thought -> 0 -> 150
    """)


@pytest.mark.clause("BC-37")
def test_the_figures_of_the_timing_line_are_the_sums_of_the_sides_times() -> None:
    rig = in_auction([board(1), board(2)], spent_ms={Side.NS: 3_600_000, Side.EW: 59_000})
    rig.converse("""
        wait 61_000
        all hear N: passes
        wait 1500
        all hear E: passes
        wait 92_999
        all hear S: passes
        wait 500
        all hear W: passes
        spent -> 153999 2000
    """)
    assert rig.sent(EAST)[-2] == (
        "Timing - N/S : this board  02:33,  total  1:02:33.  E/W : this board  00:02,  total  0:01:01"
    )


@pytest.mark.clause("BC-45", "BC-37")
@pytest.mark.parametrize("remedy", [RemedyName.FORFEIT_BOARD, RemedyName.FORFEIT_MATCH])
def test_the_time_that_led_to_a_forfeit_is_on_record_with_what_the_table_calls_in_the_players_place(
    remedy: RemedyName,
) -> None:
    in_auction([board(1), board(2)], rules=TableRules(time=TimeRules(call=TimeLimit(1000, remedy)))).converse("""
        wait 400
        all hear N: passes
        wait 1000
        ended -> 1 time E
        spent -> 400 1000
        thought -> 400 -> 1000 -> ...
        calls -> N Pass -> E Pass by the table -> ...
    """)


@pytest.mark.clause("BC-45", "BC-37")
def test_an_opponents_forfeit_takes_no_time_from_the_record_of_the_player_in_turn() -> None:
    in_auction([board(1), board(2)], rules=TableRules(irregularities_max=1, **FORFEITS)).converse("""
        wait 700
        E: passes
        wait 300
        N: passes
        ended -> 1 illegal E
        spent -> 700 0
        thought -> 1000 -> ...
    """)


@pytest.mark.clause("BC-37")
def test_a_board_that_is_void_counts_in_no_total() -> None:
    rig = in_auction([board(1)])
    rig.wait(3000)
    rig.order(VoidBoard(board(1), "the wrong cards", "Ada"))
    rig.converse("""
        all hear N E S W: passes
    """)
    assert rig.core.state.total_ms == {Side.NS: 0, Side.EW: 0}


@pytest.mark.clause("BC-37")
def test_a_finished_board_that_is_void_is_played_last_and_counts_in_no_total() -> None:
    rig = in_auction([board(1), board(2)])
    rig.wait(3000)
    assert rig.order(VoidBoard(board(2), "the wrong cards", "Ada")).startswith("board 2 has not been finished")
    rig.converse("""
        all hear N E S W: passes
    """)
    assert rig.core.state.total_ms == {Side.NS: 3000, Side.EW: 0}
    assert rig.order(VoidBoard(board(1), "the wrong cards", "Ada")) == (
        "board 1 is void, it had come to a board passed out; it is played again after the others"
    )
    assert rig.of_kind(BoardVoided) == [BoardVoided(1, "the wrong cards", "Ada", rig.now_ms)]
    assert rig.core.state.total_ms == {Side.NS: 0, Side.EW: 0}
    assert [rig.core.state.queue.take().number for _ in range(len(rig.core.state.queue))][-1] == 1


# The time that counts at a table: without pauses, outages and standstills, however they overlap


moments = st.integers(0, 60)
intervals = st.tuples(moments, moments).map(lambda both: (min(both), max(both)))


@given(st.lists(intervals, max_size=6), st.lists(intervals, max_size=3), intervals)
def test_what_counts_between_two_moments_is_every_millisecond_in_which_nothing_stood_still(
    skipped: list[tuple[int, int]], standstills: list[tuple[int, int]], asked: tuple[int, int]
) -> None:
    time = TableTime(standstills)
    for from_ms, to_ms in skipped:
        time.skip(from_ms, to_ms)
    counted = [
        ms for ms in range(*asked) if not any(began <= ms < ended for began, ended in [*skipped, *standstills])
    ]
    assert time.elapsed_ms(*asked) == len(counted)


def test_it_stands_still_until_every_reason_to_stop_it_is_gone() -> None:
    time = TableTime()
    time.now_ms = 100
    time.pause(is_paused=True)
    time.now_ms = 150
    time.suspend(is_out=True)
    assert (time.is_stopped, time.is_out, time.elapsed_ms(0, 170)) == (True, True, 100)
    time.now_ms = 200
    time.pause(is_paused=False)
    time.now_ms = 210
    time.pause(is_paused=False)
    assert (time.is_paused, time.elapsed_ms(0, 220)) == (False, 100)
    time.now_ms = 250
    time.suspend(is_out=False)
    assert (time.is_stopped, time.elapsed_ms(0, 260), time.elapsed_ms(120, 240)) == (False, 110, 0)


def test_a_standstill_that_becomes_known_later_counts_as_if_it_had_been_known() -> None:
    standstills: list[tuple[int, int]] = []
    time = TableTime(standstills)
    assert time.elapsed_ms(0, 500) == 500
    standstills.append((100, 400))
    assert time.elapsed_ms(0, 500) == 200


def test_who_has_waited_since_before_a_pause_has_waited_since_later_and_no_later_while_it_lasts() -> None:
    time = TableTime()
    assert time.since_ms(50, 90) == 50
    time.now_ms = 100
    time.pause(is_paused=True)
    assert [time.since_ms(50, now_ms) for now_ms in (100, 150, 900)] == [50, 50, 50]
    assert time.since_ms(120, 900) == 120
    time.now_ms = 1100
    time.pause(is_paused=False)
    assert time.since_ms(50, 1200) == 1050
