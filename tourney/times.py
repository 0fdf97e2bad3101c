"""Points in time as people and programs read them; internally they are milliseconds since 1970-01-01 UTC."""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Final

from tourney.suggestions import suggest

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def utc(at_ms: int) -> datetime:
    """Convert to a datetime in UTC, exact to the millisecond."""
    return _EPOCH + timedelta(milliseconds=at_ms)


def from_datetime(moment: datetime) -> int:
    """Convert from a datetime that has a time zone."""
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def to_zone(at_ms: int, zone: tzinfo | None) -> datetime:
    """Convert to a datetime in a time zone; None is that of this machine."""
    return utc(at_ms).astimezone(zone)


@cache
def find_zone(name: str) -> tzinfo:
    """Return a time zone by its name in the database of time zones, such as `Europe/Berlin`.

    Raises:
        ValueError: there is none; one sentence, with what may have been meant.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones  # noqa: PLC0415 # hosts need none

    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # the latter for names of folders, such as `Europe`
        pass
    known = available_timezones()
    place = name.strip().replace(" ", "_").casefold()
    same = sorted(each for each in known if place in (each.casefold(), each.rpartition("/")[2].casefold()))
    meant = f"; did you mean {same[0]!r}?" if same else suggest(name, known)
    raise ValueError(f'expected a time zone such as "Europe/Berlin" or "UTC", got {name!r}{meant}')


def format_utc(at_ms: int) -> str:
    """Format as ISO 8601 in UTC: `2026-11-21T14:00:00Z`, with milliseconds unless they are zero."""
    moment = utc(at_ms).replace(tzinfo=None)
    return moment.isoformat(timespec="milliseconds" if at_ms % 1000 else "seconds") + "Z"


def format_moment(at_ms: int, zone: tzinfo | None) -> str:
    """Format for people: `2026-11-21 15:00 CET`."""
    moment = to_zone(at_ms, zone)
    return f"{moment:%Y-%m-%d %H:%M} {_zone_word(moment)}"


def format_second(at_ms: int, zone: tzinfo | None) -> str:
    """Format to the second: `2026-11-21 15:00:00 CET`."""
    moment = to_zone(at_ms, zone)
    return f"{moment:%Y-%m-%d %H:%M:%S} {_zone_word(moment)}"


def format_day(at_ms: int, zone: tzinfo | None) -> str:
    """Format the day: `Saturday 21 November 2026`."""
    moment = to_zone(at_ms, zone)
    return f"{moment:%A} {moment.day} {moment:%B %Y}"


def format_date(at_ms: int) -> str:
    """Format the day for a table, in UTC: `2026-11-21`."""
    return f"{utc(at_ms):%Y-%m-%d}"


def format_time_of_day(at_ms: int, zone: tzinfo | None) -> str:
    """Format the time of day: `15:00 CET`."""
    moment = to_zone(at_ms, zone)
    return f"{moment:%H:%M} {_zone_word(moment)}"


def format_on_page(at_ms: int, zone: tzinfo = UTC) -> str:
    """Format for a page: `21 Sep 14:13 UTC`; in another zone `21 Sep 16:13 CEST (14:13 UTC)`."""
    there, here = to_zone(at_ms, zone), utc(at_ms)
    text = f"{there.day} {there:%b %H:%M} {_zone_word(there)}"
    if zone is UTC:
        return text
    day = f"{here.day} {here:%b} " if here.date() != there.date() else ""
    return f"{text} ({day}{here:%H:%M} UTC)"


def _zone_word(moment: datetime) -> str:
    """Format the zone of a moment: `CET`, or `UTC-03` where zones have no letters."""
    word = moment.tzname() or "UTC"
    return f"UTC{word}" if word[0] in "+-" else word


def format_duration(ms: int) -> str:
    """Format as minutes, seconds and tenths, `3:07.4`, with hours from one hour on, `1:03:07.4`."""
    tenths = (ms + 50) // 100
    seconds, tenth = divmod(tenths, 10)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}.{tenth}" if hours else f"{minute}:{second:02}.{tenth}"
