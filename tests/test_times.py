"""Points in time as texts."""

import time

import pytest

from tourney.times import format_duration, format_moment, format_utc


@pytest.mark.parametrize(
    ("at_ms", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1_790_000_000_000, "2026-09-21T14:13:20Z"),
        (1_790_000_000_007, "2026-09-21T14:13:20.007Z"),
        (1_790_000_000_999, "2026-09-21T14:13:20.999Z"),
    ],
)
def test_utc_has_milliseconds_only_where_there_are_any(at_ms: int, text: str) -> None:
    assert format_utc(at_ms) == text


def test_local_time_is_that_of_this_machine_and_names_its_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "XYZ-5:30")
    time.tzset()
    try:
        assert format_moment(1_790_000_000_000) == "2026-09-21 19:43 XYZ"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00.0"), (49, "0:00.0"), (50, "0:00.1"), (59_949, "0:59.9"), (59_950, "1:00.0"), (3_600_000, "1:00:00.0")],
)
def test_durations_are_rounded_to_tenths(ms: int, text: str) -> None:
    assert format_duration(ms) == text
