"""Points in time as people and programs read them; internally they are milliseconds since 1970-01-01 UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def utc(at_ms: int) -> datetime:
    """Convert to a datetime in UTC, exact to the millisecond."""
    return _EPOCH + timedelta(milliseconds=at_ms)


def format_utc(at_ms: int) -> str:
    """Format as ISO 8601 in UTC: `2026-11-21T14:00:00Z`, with milliseconds unless they are zero."""
    moment = utc(at_ms).replace(tzinfo=None)
    return moment.isoformat(timespec="milliseconds" if at_ms % 1000 else "seconds") + "Z"


def format_local(at_ms: int) -> str:
    """Format for people, in the local time zone: `2026-11-21 15:00 CET`."""
    return f"{utc(at_ms).astimezone():%Y-%m-%d %H:%M %Z}"


def format_duration(ms: int) -> str:
    """Format as minutes, seconds and tenths, `3:07.4`, with hours from one hour on, `1:03:07.4`."""
    tenths = (ms + 50) // 100
    seconds, tenth = divmod(tenths, 10)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}.{tenth}" if hours else f"{minute}:{second:02}.{tenth}"
