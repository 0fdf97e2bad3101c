"""When a message may be sent, when it is tried again, and what it says."""

from collections.abc import Collection, Mapping
from typing import Final

from tourney.config.alarms import AlarmsConfig, EpisodeKind, minute_of_day
from tourney.plurals import count

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 3_600_000

MESSAGES_PER_HOUR: Final = 20

URGENT: Final = frozenset({EpisodeKind.RUN_SILENT, EpisodeKind.DATABASE_AWAY, EpisodeKind.DISK_FULL})
"""The kinds that do not wait for the end of the quiet hours."""

LINES_MAX: Final = 10
"""How many alarms a message names; of the others it has the number."""

RETRIES_MS: Final = (MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS)
"""How long after a failure the next try is; after the last of them the alarm is on the console only."""


def may_send(sent_at_ms: Collection[int], now_ms: int) -> bool:
    """Return whether a message may be sent, by the times of those that have been: one a minute, 20 an hour.

    Times to come, which a clock that was set back leaves behind, do not count.
    """
    within_hour = {at_ms for at_ms in sent_at_ms if 0 <= now_ms - at_ms < HOUR_MS}
    within_minute = any(now_ms - at_ms < MINUTE_MS for at_ms in within_hour)
    return not within_minute and len(within_hour) < MESSAGES_PER_HOUR


def retry_at_ms(tries: int, now_ms: int) -> int | None:
    """Return when a message is tried again that has failed so many times; None if it is given up."""
    return now_ms + RETRIES_MS[tries - 1] if tries <= len(RETRIES_MS) else None


def is_quiet(config: AlarmsConfig, minute: int) -> bool:
    """Return whether a minute of the day, in the event's time zone, is in the quiet hours."""
    if config.quiet_hours is None:
        return False
    begin, end = (minute_of_day(each) for each in config.quiet_hours.split("-"))
    return begin <= minute < end if begin < end else minute >= begin or minute < end


def sendable_kinds(config: AlarmsConfig, minute: int) -> frozenset[EpisodeKind]:
    """Return the kinds that messages may be sent about at a minute of the day."""
    return frozenset(config.kinds) & (URGENT if is_quiet(config, minute) else frozenset(config.kinds))


def format_message(event: str, texts: Mapping[int, str], link: str | None, *, is_daily: bool) -> tuple[str, str]:
    """Return the title and the text of a message about alarms, by their numbers, the oldest first."""
    lines = [f"[A{number}] {text}" for number, text in list(texts.items())[:LINES_MAX]]
    if len(texts) > LINES_MAX:
        lines.append(f"and {len(texts) - LINES_MAX} more")
    if link is not None:
        lines.append(link)
    return f"{event}: {'daily message' if is_daily else count(len(texts), 'alarm')}", "\n".join(lines)
