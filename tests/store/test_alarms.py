"""Alarms on record: one row an episode whoever raises it, one sender a message, on both databases."""

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

from tests.support.store_events import NOW_MS, save_event
from tourney.config.alarms import EpisodeKind
from tourney.store.alarms import (
    CLAIM_MS,
    AlarmInfo,
    NewAlarm,
    claim_alarms,
    end_alarms,
    load_alarms,
    load_shown_alarms,
    raise_alarms,
    record_delivery,
)
from tourney.store.db.database import Database
from tourney.store.models import AlarmState

SILENT = NewAlarm(EpisodeKind.RUN_SILENT, "run", "the run is silent")
CALL = NewAlarm(EpisodeKind.DIRECTOR_CALLED, "1-open", "the director is called", "17")
KINDS = tuple(EpisodeKind)
HOUR_MS = 3_600_000


def always(_: Collection[int]) -> bool:
    return True


def deliver(
    database: Database, alarms: list[AlarmInfo], error: str | None, sent_at_ms: int | None, retries: int = 0
) -> None:
    """Put on record that a message was sent, or is tried again, so many ms after the first try."""
    record_delivery(
        database,
        alarms,
        error,
        sent_at_ms=sent_at_ms,
        retry_at_ms=lambda tries: NOW_MS + tries if tries <= retries else None,
    )


def claim(database: Database, event_id: int, now_ms: int = NOW_MS) -> list[int]:
    return [each.id for each in claim_all(database, event_id, now_ms)]


def claim_all(database: Database, event_id: int, now_ms: int = NOW_MS) -> list[AlarmInfo]:
    return claim_alarms(database, event_id, KINDS, now_ms, may_send=always)


def test_an_episode_is_one_row_until_it_has_ended_and_an_occurrence_is_one_for_ever(database: Database) -> None:
    event_id = save_event(database).id
    for now_ms in (NOW_MS, NOW_MS + 1):
        raise_alarms(database, event_id, [SILENT, CALL], now_ms)
    assert [each.kind for each in load_alarms(database, event_id)] == ["run-silent", "director-called"]
    assert [each.ended_at_ms for each in load_alarms(database, event_id)] == [None, NOW_MS]
    end_alarms(database, event_id, [(EpisodeKind.RUN_SILENT, "run")], NOW_MS + 2)
    raise_alarms(database, event_id, [SILENT, CALL], NOW_MS + 3)
    kinds = [each.kind for each in load_alarms(database, event_id)]
    assert kinds == ["run-silent", "director-called", "run-silent"]


def test_two_senders_send_once_and_one_that_was_killed_after_a_minute_is_made_up_for(database: Database) -> None:
    event_id = save_event(database).id
    raise_alarms(database, event_id, [SILENT, CALL], NOW_MS)
    first = claim_all(database, event_id)
    assert [each.kind for each in first] == ["run-silent", "director-called"]
    assert claim(database, event_id) == []
    raise_alarms(database, event_id, [NewAlarm(EpisodeKind.HOST_LOST, "host-1", "lost", "1")], NOW_MS)
    assert claim(database, event_id, NOW_MS + CLAIM_MS - 1) == [], "a message is being sent"
    assert len(claim(database, event_id, NOW_MS + CLAIM_MS)) == 3
    deliver(database, first, None, NOW_MS + CLAIM_MS + 1)
    assert [each.state for each in load_alarms(database, event_id)] == [
        AlarmState.SENT,
        AlarmState.SENT,
        AlarmState.DUE,
    ]


def test_of_watchers_at_the_same_moment_one_raises_an_episode_and_one_sends_it(database: Database) -> None:
    event_id = save_event(database).id
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: raise_alarms(database, event_id, [SILENT, CALL], NOW_MS), range(4)))
        claims = list(pool.map(lambda _: claim(database, event_id), range(4)))
    assert len(load_alarms(database, event_id)) == 2
    assert sorted(map(len, claims)) == [0, 0, 0, 2]


def test_a_clock_that_is_set_back_holds_up_nothing(database: Database) -> None:
    event_id = save_event(database).id
    raise_alarms(database, event_id, [SILENT], NOW_MS + 10 * HOUR_MS)
    assert claim(database, event_id, NOW_MS + 10 * HOUR_MS)  # by a sender that is killed
    assert claim(database, event_id, NOW_MS)


def test_the_console_shows_what_goes_on_and_happened_within_the_hour_that_no_table_shows(database: Database) -> None:
    event_id = save_event(database).id
    daily = NewAlarm(EpisodeKind.ALL_IS_WELL, "event", "all is well", "2026-11-26")
    waits = NewAlarm(EpisodeKind.SEAT_WAITS, "1-open N", "nobody sits there")
    raise_alarms(database, event_id, [SILENT, CALL, daily, waits], NOW_MS)

    def shown(now_ms: int) -> list[str]:
        return [each.kind for each in load_shown_alarms(database, event_id, now_ms)]

    assert shown(NOW_MS) == ["run-silent", "director-called"]
    assert shown(NOW_MS + HOUR_MS + 1) == ["run-silent"]
    deliver(database, claim_all(database, event_id), "no server", None)
    assert shown(NOW_MS + HOUR_MS + 1) == ["run-silent", "seat-waits"], "of which no message was sent"
