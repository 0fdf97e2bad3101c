"""When signs are an alarm, and when the episode has ended. All by a clock that nobody sets.

A sign is something that is seen now. It is an alarm once it has been seen, with the same mark, for as long as its
kind needs. An episode has ended when that has not been so for `CLEAR_MS` without a break; until then, whatever is
seen again belongs to it. So a state that comes and goes is one alarm. Which episodes are open is on record, and how
long a sign has been seen is not: a watcher that is started again begins to count anew, and repeats nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.config.alarms import EpisodeKind

CLEAR_MS: Final = 600_000
"""For how long a sign has to be gone before its episode has ended."""

Topic: TypeAlias = tuple[EpisodeKind, str]
"""What an episode is about: its kind and its subject."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that may be wrong, as it is seen now.

    `text` is the sentence of the alarm. A `mark` that changes shows that something moves: what has been seen for
    `after_ms` with one mark is an alarm.
    """

    kind: EpisodeKind
    subject: str
    text: str
    mark: object = ""
    after_ms: int = 0

    @property
    def topic(self) -> Topic:
        return self.kind, self.subject


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Something that has happened and is an episode by itself; `name` tells it from others of its subject."""

    kind: EpisodeKind
    subject: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class EpisodeChanges:
    """The episodes that begin now, by their signs, and the topics of those that have ended."""

    begun: list[Sign]
    ended: list[Topic]


class EpisodeTracker:
    """Notes how long signs have been seen, and how long they have been gone."""

    def __init__(self) -> None:
        self._seen: dict[Topic, tuple[object, int]] = {}
        """The mark of each sign, and since when it has been seen with it."""
        self._clear_since_ms: dict[Topic, int] = {}

    def note(self, signs: Sequence[Sign], open_topics: Collection[Topic], now_ms: int) -> EpisodeChanges:
        """Note what is seen now.

        Args:
            signs: what is seen, at most one of each topic.
            open_topics: the episodes that have not ended on record.
            now_ms: the time of a clock that never goes back and that nobody sets.
        """
        seen: dict[Topic, tuple[object, int]] = {}
        held: dict[Topic, Sign] = {}
        for sign in signs:
            mark, since_ms = self._seen.get(sign.topic, (sign.mark, now_ms))
            if mark != sign.mark:
                since_ms = now_ms
            seen[sign.topic] = sign.mark, since_ms
            if now_ms - since_ms >= sign.after_ms:
                held[sign.topic] = sign
        self._seen = seen
        clear = {topic: self._clear_since_ms.get(topic, now_ms) for topic in open_topics if topic not in held}
        self._clear_since_ms = clear
        # A watcher that was started a moment ago has not counted long enough yet what is there all the same.
        ended = [
            topic for topic, since_ms in clear.items() if now_ms - since_ms >= CLEAR_MS + _needed_ms(topic, signs)
        ]
        return EpisodeChanges([sign for topic, sign in held.items() if topic not in open_topics], ended)


def _needed_ms(topic: Topic, signs: Sequence[Sign]) -> int:
    """Return how long a sign that is there now has to be seen, so that it cannot end before it has been counted."""
    return max((sign.after_ms for sign in signs if sign.topic == topic), default=0)
