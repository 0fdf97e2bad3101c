"""When signs are an alarm: states that come and go, marks that move, watchers that are started again."""

from hypothesis import given
from hypothesis import strategies as st

from tourney.alarms.episodes import CLEAR_MS, EpisodeTracker
from tourney.config.alarms import EpisodeKind
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


def test_an_episode_ends_when_its_sign_has_been_gone_for_ten_minutes_and_the_next_is_another() -> None:
    record = Record()
    record.look([sign(after_ms=0)], 0)
    record.look([], 1)
    record.look([], CLEAR_MS)
    assert record.open == {TOPIC}
    record.look([], CLEAR_MS + 1)
    assert record.open == set()
    record.look([sign(after_ms=0)], CLEAR_MS + 2)
    assert record.begun == 2


@given(st.lists(st.tuples(st.booleans(), st.integers(1, CLEAR_MS - 1), st.booleans()), max_size=60))
def test_a_state_that_comes_and_goes_is_one_alarm_whoever_watches_and_is_started_again(
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
