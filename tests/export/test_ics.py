"""The schedule for calendars, as a library that is not ours reads it."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from icalendar import Calendar

from tests.support.commands import printed, refusal, run
from tests.support.played_event import draw_event, event_text

NAMES = ("Ants", "Bees", "Ça\N{LATIN SMALL LETTER I WITH CIRCUMFLEX} " + "x" * 50, "Dogs, Inc")
LINE_OCTETS_MAX = 75
"""RFC 5545, section 3.1."""


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


def write(folder: Path, starts: str, *more: str) -> Path:
    stage = f"starts = [{starts}]" if starts else ""
    text = event_text(*NAMES, stage=stage).replace("[[team]]", 'timezone = "Europe/Berlin"\n[[team]]', 1)
    return draw_event(folder, text).path


def export(path: Path, *more: str) -> bytes:
    done = printed(run("export", "--format", "ics", "--out", path.parent / "out", *more, path))
    return Path(done.strip()).read_bytes()


def events(data: bytes) -> list[Any]:
    """The events of a calendar, whose properties the library types as any of thirty kinds."""
    return list(Calendar.from_ical(data).walk("VEVENT"))


def test_each_round_with_a_start_is_an_event_that_keeps_its_identity_when_it_is_moved(tmp_path: Path) -> None:
    path = write(tmp_path, "2026-11-21T14:00:00Z, 2026-11-21T16:30:00Z, 2026-11-22T09:00:00+01:00")
    os.utime(path, (1_790_000_000, 1_790_000_000))
    data = export(path)
    assert data.replace(b"\r\n", b"").count(b"\n") == 0
    assert max(map(len, data.split(b"\r\n"))) <= LINE_OCTETS_MAX
    first, second, third = events(data)
    assert [str(each["SUMMARY"]) for each in (first, second, third)] == [f"Test Cup: Round {n}" for n in (1, 2, 3)]
    assert [each.start for each in (first, second, third)] == [at(21, 14), at(21, 16, 30), at(22, 8)]
    assert "DTEND" not in first  # nobody knows how long a round takes
    assert f"1: Ants - {NAMES[3]}" in str(first["DESCRIPTION"]).split("\n")
    assert first["LAST-MODIFIED"].dt == first["DTSTAMP"].dt == datetime.fromtimestamp(1_790_000_000, UTC)

    path.write_text(path.read_text(encoding="utf-8").replace("16:30:00Z", "17:00:00Z"), encoding="utf-8")
    os.utime(path, (1_790_000_060, 1_790_000_060))
    assert run("schedule", path).exit_code == 0
    moved = events(export(path))
    assert [each["UID"] for each in moved] == [each["UID"] for each in (first, second, third)]
    assert moved[1].start == at(21, 17)
    assert moved[1]["SEQUENCE"] == second["SEQUENCE"] + 60


def test_the_calendar_of_a_match_has_its_round_alone(tmp_path: Path) -> None:
    path = write(tmp_path, "2026-11-21T14:00:00Z, 2026-11-22T14:00:00Z, 2026-11-23T14:00:00Z")
    (only,) = events(export(path, "--match", "3"))
    assert str(only["SUMMARY"]) == "Test Cup: Round 2"


def test_a_written_site_has_the_calendar_of_the_event(tmp_path: Path) -> None:
    path = write(tmp_path, "2026-11-21T14:00:00Z, 2026-11-21T23:30:00Z, 2026-11-22T14:00:00Z")
    assert run("export", "--format", "html", "--out", tmp_path / "site", path).exit_code == 0
    assert (tmp_path / "site" / "schedule.ics").read_bytes() == export(path)
    page = (tmp_path / "site" / "schedule.html").read_text(encoding="utf-8")
    assert '<a href="schedule.ics">Calendar file</a>' in page
    assert ">22 Nov 00:30 CET (21 Nov 23:30 UTC)</time>" in page


def test_an_event_without_starts_has_no_calendar(tmp_path: Path) -> None:
    path = write(tmp_path, "")
    assert (
        refusal(run("export", "--format", "ics", "--out", tmp_path / "out", path), 2)
        == "no round of 'Test Cup' has a start time, so there is no calendar"
    )
    assert list((tmp_path / "out").iterdir()) == []
