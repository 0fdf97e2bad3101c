"""Points in time as people and machines read them; inside they are milliseconds since 1970-01-01 UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def utc(at_ms: int) -> datetime:
    """The moment, exact to the millisecond."""
    return _EPOCH + timedelta(milliseconds=at_ms)


def format_utc(at_ms: int) -> str:
    """ISO 8601 in UTC: `2026-11-21T14:00:00Z`, with milliseconds where there are any."""
    moment = utc(at_ms).replace(tzinfo=None)
    return moment.isoformat(timespec="milliseconds" if at_ms % 1000 else "seconds") + "Z"


def format_local(at_ms: int) -> str:
    """For people, in the time zone of this machine: `2026-11-21 15:00 CET`."""
    return f"{utc(at_ms).astimezone():%Y-%m-%d %H:%M %Z}"


def format_duration(ms: int) -> str:
    """Minutes, seconds and tenths: `3:07.4`; with hours where there are any: `1:03:07.4`."""
    tenths = (ms + 50) // 100
    seconds, tenth = divmod(tenths, 10)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}.{tenth}" if hours else f"{minute}:{second:02}.{tenth}"
