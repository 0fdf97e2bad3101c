"""Exports the schedule as iCalendar (RFC 5545), for the calendars of people: an event for each round with a start.

    VCALENDAR: PRODID, VERSION, NAME, REFRESH-INTERVAL
      VEVENT, one a round
        UID            of the names of the event and the number of the round: the same in every export
        SEQUENCE       seconds from 2020 to the last change of the event file, which has the starts: it only grows
        DTSTAMP, LAST-MODIFIED   that change
        SUMMARY        `Cup: Round 3`
        DTSTART        in UTC, so that no description of time zones is needed
        DESCRIPTION    who meets whom, or that the round is still to be drawn

How long rounds take is not known, so there is no DTEND.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from icalendar import Calendar, Event

from tourney import __version__
from tourney.contest.draw import RoundInfo
from tourney.errors import UsageError
from tourney.export.files import replace_bytes
from tourney.export.request import ExportRequest
from tourney.store.draw.objects import EventInfo
from tourney.times import utc
from tourney.views.schedule import describe_byes, describe_round

_SEQUENCE_FROM_MS: Final = 1_577_836_800_000
"""1 January 2020, in ms since 1970: a SEQUENCE has 31 bits."""

_REFRESH: Final = "PT1H"


def export(request: ExportRequest) -> Iterator[Path]:
    """Write `schedule.ics`, or a file named after the only match, with its round."""
    name = "schedule.ics" if request.match is None else f"{request.stem}.ics"
    only = request.match.round if request.match is not None else None
    path = request.folder / name
    with replace_bytes(path) as file:
        file.write(format_calendar(request.event, request.drawn.revised_at_ms, only))
    yield path


def format_calendar(event: EventInfo, revised_at_ms: int, only_round: int | None = None) -> bytes:
    """Return the calendar of an event.

    Args:
        event: the event as drawn.
        revised_at_ms: when its starts were last changed, in ms since 1970.
        only_round: the number of the only round that is wanted; None for all.

    Raises:
        UsageError: no round has a time to start at.
    """
    rounds = [
        each for each in event.all_rounds if each.starts_at_ms is not None and only_round in (None, each.number)
    ]
    if not rounds:
        raise UsageError(f"no round of {event.name!r} has a start time, so there is no calendar")
    calendar = Calendar()
    calendar.add("PRODID", f"-//tourney//tourney {__version__}//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("NAME", event.name)
    calendar.add("X-WR-CALNAME", event.name)  # what calendars read that do not know RFC 7986
    calendar["REFRESH-INTERVAL;VALUE=DURATION"] = _REFRESH
    identity = sha256(event.name.casefold().encode()).hexdigest()[:16]
    revised = utc(revised_at_ms).replace(microsecond=0)
    for round_ in rounds:
        assert round_.starts_at_ms is not None
        entry = Event()
        entry.add("UID", f"{identity}-round-{round_.number}@tourney")
        entry.add("SEQUENCE", max(0, revised_at_ms - _SEQUENCE_FROM_MS) // 1000)
        entry.add("DTSTAMP", revised)
        entry.add("LAST-MODIFIED", revised)
        entry.add("SUMMARY", f"{event.name}: {describe_round(event, round_.number)}")
        entry.add("DTSTART", utc(round_.starts_at_ms).replace(microsecond=0))
        entry.add("DESCRIPTION", _describe(round_))
        calendar.add_component(entry)
    data: bytes = calendar.to_ical()
    return data


def _describe(round_: RoundInfo) -> str:
    """Return who meets whom, a line each."""
    if not round_.is_drawn:
        return "To be drawn when the rounds before it have finished."
    lines = [f"{each.match.number}: {' - '.join(each.teams)}" for each in round_.assignments]
    return "\n".join([*lines, *([describe_byes(round_.byes)] if round_.byes else [])])
