"""The time that counts at a table: without pauses, outages and standstills, however they overlap."""

from hypothesis import given
from hypothesis import strategies as st

from tourney.protocol.session.clock import TableTime

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
