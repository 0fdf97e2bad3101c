"""Points in time as texts."""

import time

import pytest

from tourney.times import (
    find_zone,
    format_day,
    format_duration,
    format_moment,
    format_on_page,
    format_time_of_day,
    format_utc,
)


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
        assert format_moment(1_790_000_000_000, None) == "2026-09-21 19:43 XYZ"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_moment_is_shown_in_the_zone_of_an_event_and_on_pages_in_utc_too() -> None:
    at_ms = 1_790_000_000_000
    berlin, sao_paulo = find_zone("Europe/Berlin"), find_zone("America/Sao_Paulo")
    assert format_moment(at_ms, berlin) == "2026-09-21 16:13 CEST"
    assert format_time_of_day(at_ms, sao_paulo) == "11:13 UTC-03"
    assert format_day(at_ms, find_zone("Asia/Tokyo")) == "Monday 21 September 2026"
    assert format_on_page(at_ms) == "21 Sep 14:13 UTC"
    assert format_on_page(at_ms, berlin) == "21 Sep 16:13 CEST (14:13 UTC)"
    assert format_on_page(at_ms, find_zone("Pacific/Auckland")) == "22 Sep 02:13 NZST (21 Sep 14:13 UTC)"


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("Berlin", "; did you mean 'Europe/Berlin'?"),
        ("new york", "; did you mean 'America/New_York'?"),
        ("europe/berlin", "; did you mean 'Europe/Berlin'?"),
        ("Europe", ""),
        ("../UTC", ""),
    ],
)
def test_a_time_zone_that_there_is_not_is_refused_with_what_may_have_been_meant(name: str, end: str) -> None:
    with pytest.raises(ValueError, match="expected a time zone") as caught:
        find_zone(name)
    if end:
        assert str(caught.value).endswith(f"got {name!r}{end}")


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00.0"), (49, "0:00.0"), (50, "0:00.1"), (59_949, "0:59.9"), (59_950, "1:00.0"), (3_600_000, "1:00:00.0")],
)
def test_durations_are_rounded_to_tenths(ms: int, text: str) -> None:
    assert format_duration(ms) == text
