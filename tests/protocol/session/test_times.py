"""Who is charged for which time: from the moment a player could act to the arrival of its line (BC-37).

`wait` before a line is the time that its player, or somebody else, took.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.wire_tables import (
    EAST,
    NORTH,
    in_auction,
    in_play,
)
from tourney.protocol.session.clock import TableTime


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
