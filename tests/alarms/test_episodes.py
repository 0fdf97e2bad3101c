"""When signs are an alarm, in states that come and go; when messages may be sent, and what they say."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.alarms.episodes import (
    CLEAR_MS,
    HOUR_MS,
    MESSAGES_PER_HOUR,
    MINUTE_MS,
    EpisodeTracker,
    format_message,
    is_quiet,
    may_send,
    retry_at_ms,
    sendable_kinds,
)
from tourney.config.alarms import AlarmsConfig, EpisodeKind
from tourney.store.alarms import NewAlarm, Topic

AFTER_MS = 60_000


def sign(mark: object = "", after_ms: int = AFTER_MS) -> NewAlarm:
    return NewAlarm(EpisodeKind.SEAT_WAITS, "1-open N", "nobody sits there", mark=mark, after_ms=after_ms)


TOPIC = sign().topic


class Record:
    """What is on record, and the watchers that put it there."""

    def __init__(self) -> None:
        self.open: set[Topic] = set()
        self.begun = 0
        self.watchers = [EpisodeTracker()]

    def look(self, signs: list[NewAlarm], now_ms: int) -> None:
        for watcher in self.watchers:
            begun, ended = watcher.note(signs, self.open, now_ms)
            self.begun += len(begun)
            self.open |= {each.topic for each in begun}
            self.open -= set(ended)


def test_a_sign_is_an_alarm_once_it_has_been_seen_for_long_enough_with_one_mark() -> None:
    record = Record()
    record.look([sign("call")], 0)
    record.look([sign("call")], AFTER_MS - 1)
    record.look([sign("card")], AFTER_MS)  # it moves
    record.look([sign("card")], 2 * AFTER_MS - 1)
    assert record.begun == 0
    record.look([sign("card")], 2 * AFTER_MS)
    assert record.begun == 1


@given(st.lists(st.tuples(st.booleans(), st.integers(1, CLEAR_MS - 1), st.booleans()), max_size=60))
def test_a_state_that_comes_and_goes_is_one_alarm_even_when_watchers_restart(
    looks: list[tuple[bool, int, bool]],
) -> None:
    """It is gone for less than ten minutes each time; two watchers look, and each is started again now and then."""
    record = Record()
    record.watchers.append(EpisodeTracker())
    record.look([sign(after_ms=0)], 0)
    now_ms = seen_at_ms = 0
    for is_seen, later_ms, is_restarted in looks:
        now_ms += later_ms
        is_there = is_seen or now_ms - seen_at_ms >= CLEAR_MS
        seen_at_ms = now_ms if is_there else seen_at_ms
        if is_restarted:
            record.watchers[now_ms % 2] = EpisodeTracker()
        record.look([sign(after_ms=0)] if is_there else [], now_ms)
    assert (record.begun, record.open) == (1, {TOPIC})


def test_a_watcher_that_has_just_been_started_does_not_end_an_episode_that_it_has_not_counted_out() -> None:
    record = Record()
    record.open = {TOPIC}
    for now_ms in range(0, 3 * CLEAR_MS, 10_000):
        record.look([sign(after_ms=2 * CLEAR_MS)], now_ms)
    assert (record.begun, record.open) == (0, {TOPIC})


NOW_MS = 1_790_000_000_000


@given(st.lists(st.integers(1, 20 * MINUTE_MS), min_size=30, max_size=80))
def test_messages_are_a_minute_apart_and_at_most_twenty_an_hour(pauses: list[int]) -> None:
    sent: list[int] = []
    now_ms = NOW_MS
    for pause_ms in pauses:
        now_ms += pause_ms // 10
        if may_send(sent, now_ms):
            sent.append(now_ms)
    assert all(later - earlier >= MINUTE_MS for earlier, later in pairwise(sent))
    assert all(sum(at <= other < at + HOUR_MS for other in sent) <= MESSAGES_PER_HOUR for at in sent)


def test_times_to_come_hold_up_no_message_as_a_clock_was_set_back() -> None:
    assert may_send([NOW_MS + HOUR_MS], NOW_MS)


def test_what_could_not_be_sent_is_tried_after_1_5_and_30_minutes() -> None:
    assert [retry_at_ms(tries, 0) for tries in (1, 2, 3, 4)] == [60_000, 300_000, 1_800_000, None]


@pytest.mark.parametrize(
    ("hours", "minutes"),
    [
        ("22:00-07:30", {0: True, 449: True, 450: False, 1319: False, 1320: True}),
        ("13:00-14:00", {780: True, 840: False}),
    ],
)
def test_quiet_hours_may_go_on_past_midnight(hours: str, minutes: dict[int, bool]) -> None:
    config = AlarmsConfig(quiet_hours=hours)
    assert {minute: is_quiet(config, minute) for minute in minutes} == minutes
    assert not is_quiet(AlarmsConfig(), 0)


def test_in_quiet_hours_only_urgent_kinds_are_sent_and_never_one_that_is_not_wanted() -> None:
    section = {
        "quiet_hours": "22:00-07:00",
        "kinds": ["host-lost", "run-silent"],
    }
    config = AlarmsConfig.model_validate(section)
    assert sendable_kinds(config, 0) == {EpisodeKind.RUN_SILENT}
    assert sendable_kinds(config, 720) == {EpisodeKind.HOST_LOST, EpisodeKind.RUN_SILENT}


def test_a_message_has_the_numbers_of_its_alarms_and_how_many_it_leaves_out() -> None:
    texts = {number: f"text {number}" for number in range(1, 48)}
    title, body = format_message("Spring Cup", texts, "https://e.org/director", is_daily=False)
    assert title == "Spring Cup: 47 alarms"
    lines = body.splitlines()
    assert (lines[0], lines[9], lines[10:]) == (
        "[A1] text 1",
        "[A10] text 10",
        ["and 37 more", "https://e.org/director"],
    )
    daily = format_message("Spring Cup", {7: "all is well"}, None, is_daily=True)
    assert daily == ("Spring Cup: daily message", "[A7] all is well")
