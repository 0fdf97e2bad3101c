"""How long a check waits in vain: bounds that follow from the limits, by a clock of the test."""

from random import Random

import pytest

from tourney.compliance.patience import (
    AGAIN_S,
    CONNECT_AGAIN_S,
    CONNECT_S,
    LEAVE_S,
    SLOWER,
    THINK_AGAIN_S,
    WAITS_MAX,
    Patience,
    WaitKind,
)
from tourney.compliance.program import EXIT_WAIT_S
from tourney.launch.program import END_GRACE_S

TIMEOUT_S = 20.0
"""What a line may take by default."""


class Clock:
    """The time of a test."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def silent(patience: Patience, clock: Clock, what: str, wait: WaitKind) -> float:
    """Wait for something that does not come; return for how long."""
    limit_s = patience.limit_s(what, wait)
    clock.now_s += limit_s
    patience.note_silence(what, limit_s)
    return limit_s


def test_the_same_silence_is_waited_for_in_full_once_and_then_shortly() -> None:
    clock = Clock()
    patience = Patience(TIMEOUT_S, now_s=clock)
    waits = [silent(patience, clock, "BC-16", WaitKind.READY) for _ in range(3)]
    assert waits == [TIMEOUT_S, AGAIN_S, AGAIN_S]
    assert silent(Patience(TIMEOUT_S, now_s=clock), clock, "BC-39", WaitKind.LEAVE) == LEAVE_S
    assert silent(Patience(3, now_s=clock), clock, "BC-39", WaitKind.LEAVE) == 3


@pytest.mark.parametrize("seed", range(50))
def test_whatever_a_program_is_silent_at_a_seat_is_given_up_within_two_limits_and_a_short_wait(seed: int) -> None:
    random, clock = Random(seed), Clock()
    patience = Patience(TIMEOUT_S, now_s=clock)
    for wait in (WaitKind.READY, WaitKind.THINK):
        patience.note_answer(wait, random.uniform(0, 0.5))
    while not patience.is_spent:
        silent(
            patience,
            clock,
            f"BC-{random.randrange(100)}",
            random.choice([WaitKind.READY, WaitKind.THINK, WaitKind.LEAVE]),
        )
    assert clock.now_s - Clock.now_s <= WAITS_MAX * TIMEOUT_S + THINK_AGAIN_S


def test_the_waits_that_a_check_may_have_leave_time_to_play_within_a_minute_and_a_minute_and_a_half() -> None:
    # A program that answers: what it fails at, and the processes that do not end when they are asked to.
    assert WAITS_MAX * TIMEOUT_S + THINK_AGAIN_S + END_GRACE_S <= 50
    # One that never connects, its four seats one after another.
    assert CONNECT_S + 3 * CONNECT_AGAIN_S + 4 * EXIT_WAIT_S <= 90


def test_waits_of_seats_side_by_side_count_once() -> None:
    clock = Clock()
    patience = Patience(TIMEOUT_S, now_s=clock)
    clock.now_s += TIMEOUT_S
    for _ in range(4):
        patience.note_silence("BC-16", TIMEOUT_S)
    assert patience.wasted_s == TIMEOUT_S
    assert not patience.is_spent


def test_a_slow_program_is_not_hurried_beyond_its_pace() -> None:
    patience = Patience(TIMEOUT_S, now_s=Clock())
    assert patience.limit_s("BC-12", WaitKind.READY, hurried=True) == TIMEOUT_S  # nothing is known of its pace
    patience.note_answer(WaitKind.READY, 1.5)
    assert patience.limit_s("BC-12", WaitKind.READY, hurried=True) == SLOWER * 1.5
    patience.note_answer(WaitKind.READY, 7)  # WBridge5, from `Start of board` to `ready for deal`
    assert patience.limit_s("BC-12", WaitKind.READY, hurried=True) == TIMEOUT_S
    assert patience.limit_s("BC-15", WaitKind.THINK) == TIMEOUT_S


def test_a_program_that_takes_long_to_start_is_given_as_long_again() -> None:
    patience = Patience(TIMEOUT_S, now_s=Clock())
    assert patience.limit_s("BC-05", WaitKind.CONNECT) == CONNECT_S
    patience.note_answer(WaitKind.CONNECT, 0.5)
    assert patience.limit_s("BC-05", WaitKind.CONNECT) == CONNECT_AGAIN_S
    patience.note_answer(WaitKind.CONNECT, 12)
    assert patience.limit_s("BC-05", WaitKind.CONNECT) == SLOWER * 12
    patience.note_answer(WaitKind.CONNECT, 40)
    assert patience.limit_s("BC-05", WaitKind.CONNECT) == CONNECT_S
