"""When what is seen is an alarm, when the episode has ended, and when messages about it may be sent.

A state is an alarm once it has been seen, with the same mark, for as long as its kind needs. An episode has ended
when that has not been so for `CLEAR_MS` without a break; until then, whatever is seen again belongs to it. So a state
that comes and goes is one alarm. Which episodes are open is on record, and how long a state has been seen is not: a
watcher that is started again begins to count anew, and repeats nothing. All that by a clock that nobody sets.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tourney.config.alarms import AlarmsConfig, EpisodeKind, minute_of_day
from tourney.plurals import count
from tourney.store.alarms import NewAlarm, Topic

CLEAR_MS: Final = 600_000
"""For how long a state has to be gone before its episode has ended."""


class EpisodeTracker:
    """Notes how long states have been seen, and how long they have been gone."""

    def __init__(self) -> None:
        self._seen: dict[Topic, tuple[object, int]] = {}
        """The mark of each state, and since when it has been seen with it."""
        self._clear_since_ms: dict[Topic, int] = {}

    def note(
        self, states: Sequence[NewAlarm], open_topics: Collection[Topic], now_ms: int
    ) -> tuple[list[NewAlarm], list[Topic]]:
        """Note what is seen now.

        Args:
            states: what is seen, at most one of each topic.
            open_topics: the episodes that have not ended on record.
            now_ms: the time of a clock that never goes back and that nobody sets.

        Returns:
            the episodes that begin now, and the topics of those that have ended.
        """
        seen: dict[Topic, tuple[object, int]] = {}
        held: dict[Topic, NewAlarm] = {}
        needed_ms: dict[Topic, int] = {}
        for state in states:
            mark, since_ms = self._seen.get(state.topic, (state.mark, now_ms))
            if mark != state.mark:
                since_ms = now_ms
            seen[state.topic] = state.mark, since_ms
            needed_ms[state.topic] = state.after_ms
            if now_ms - since_ms >= state.after_ms:
                held[state.topic] = state
        self._seen = seen
        clear = {topic: self._clear_since_ms.get(topic, now_ms) for topic in open_topics if topic not in held}
        self._clear_since_ms = clear
        # A watcher that was started a moment ago has not counted long enough yet what is there all the same.
        ended = [
            topic for topic, since_ms in clear.items() if now_ms - since_ms >= CLEAR_MS + needed_ms.get(topic, 0)
        ]
        return [state for topic, state in held.items() if topic not in open_topics], ended


# Messages


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
