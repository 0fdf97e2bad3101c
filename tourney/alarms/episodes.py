"""When what is seen is an alarm, and when the episode has ended. All by a clock that nobody sets.

A state is an alarm once it has been seen, with the same mark, for as long as its kind needs. An episode has ended
when that has not been so for `CLEAR_MS` without a break; until then, whatever is seen again belongs to it. So a state
that comes and goes is one alarm. Which episodes are open is on record, and how long a state has been seen is not: a
watcher that is started again begins to count anew, and repeats nothing.
"""

from collections.abc import Collection, Sequence
from typing import Final

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
