"""Who watches what: for each watcher the addresses of its page, and which of them have changed since it was told.

It keeps a set for each watcher and not a queue: however slow a watcher is, nothing is lost and nothing grows. What is
sent are addresses, never what is there, so that a watcher that comes back has to be replayed nothing. It belongs to
one event loop.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil
from typing import Final

ALIVE_S: Final = 15.0
"""After so many seconds of silence a line says that the stream is alive; servers in front close silent ones at 30."""

APART_S: Final = 1.0
"""A watcher is told at most once in so many seconds."""

SPREAD_S: Final = 0.4
"""Watchers are told over so many seconds, each at its own moment, for all of them then fetch what has changed."""

STEP_S: Final = 0.025
"""Those moments are multiples of it: to wake up for one watcher costs the loop several times what telling it does."""

TOPICS_MAX: Final = 8
"""Addresses that one watcher may name: a page watches itself, a screen in the hall a few."""

_GOLDEN: Final = 0.618033988749895
"""Multiples of it are spread evenly over 0 to 1, however many there are."""


@dataclass(eq=False)
class Watcher:
    """A browser that watches; `changed` are the addresses that it has not been told about yet."""

    topics: frozenset[str]
    wait_s: float
    """Its own moment, 0 to `SPREAD_S`."""
    source: str
    """Where it comes from; empty where that does not matter."""
    changed: set[str] = field(default_factory=set)
    is_gone: bool = False
    is_due: bool = False
    """Whether a timer is set that will wake it."""
    told_at: float = 0.0
    """When it was last sent something, by the clock of the loop."""
    waiting: "asyncio.Future[None] | None" = None
    """Done once there is something to send, or nothing more ever."""

    def leave(self) -> None:
        """End the stream of this watcher."""
        self.is_gone = True
        self.wake()

    def wake(self) -> None:
        """Let its stream go on."""
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)


class Hub:
    """The watchers of an event.

    Args:
        watchers_max: how many may watch at once.
        spread_s: over how many seconds a change is told.
        apart_s: in how many seconds a watcher is told at most once.
    """

    def __init__(self, watchers_max: int, spread_s: float = SPREAD_S, apart_s: float = APART_S) -> None:
        self.watchers_max = watchers_max
        self.per_source_max = watchers_max
        """How many may come from one address."""
        self._spread_s = spread_s
        self._apart_s = apart_s
        self.is_ending = False
        self._watchers: set[Watcher] = set()
        self._topics: Counter[str] = Counter()
        """How many watch each address."""
        self._sources: Counter[str] = Counter()
        """How many come from each address."""
        self._joined = 0

    def __len__(self) -> int:
        return len(self._watchers)

    def watched(self) -> list[str]:
        """Return all addresses that somebody watches; any thread may ask."""
        return list(self._topics)

    def join(self, topics: Iterable[str], source: str = "") -> Watcher | None:
        """Take in a watcher; None if there are as many as there may be, or the server is about to end.

        Args:
            topics: what it watches.
            source: where it comes from; empty where that does not matter.
        """
        if self.is_ending or len(self._watchers) >= self.watchers_max:
            return None
        if source and self._sources[source] >= self.per_source_max:
            return None
        self._joined += 1
        watcher = Watcher(frozenset(topics), self._joined * _GOLDEN % 1 * self._spread_s, source)
        self._watchers.add(watcher)
        self._topics.update(watcher.topics)
        self._sources[source] += 1
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """Let a watcher go, if it has not gone yet."""
        if watcher not in self._watchers:
            return
        self._watchers.remove(watcher)
        for counter, names in ((self._topics, watcher.topics), (self._sources, (watcher.source,))):
            for name in names:
                counter[name] -= 1
                if not counter[name]:
                    del counter[name]

    def publish(self, changed: Iterable[str]) -> None:
        """Tell those who watch these addresses that they have changed."""
        topics = frozenset(changed)
        for watcher in self._watchers:
            if concerned := watcher.topics & topics:
                watcher.changed |= concerned
                if watcher.waiting is not None and not watcher.is_due:
                    self._set_timer(watcher)

    def end(self) -> None:
        """End all streams: the server is about to end."""
        self.is_ending = True
        for watcher in self._watchers:
            watcher.wake()

    async def messages(self, watcher: Watcher) -> AsyncIterator[bytes]:
        """Yield what is sent to a watcher, until it leaves or the server ends."""
        loop = asyncio.get_running_loop()
        try:
            yield b"retry: 2000\nevent: hello\ndata: {}\n\n"
            watcher.told_at = loop.time() - self._apart_s
            while True:
                watcher.waiting = loop.create_future()
                if self._is_over(watcher):
                    break
                if watcher.changed and not watcher.is_due:
                    self._set_timer(watcher)
                alive = loop.call_later(ALIVE_S, watcher.wake)
                await watcher.waiting
                alive.cancel()
                if self._is_over(watcher):
                    break
                changed, watcher.changed, watcher.told_at = watcher.changed, set(), loop.time()
                yield _message(frozenset(changed)) if changed else b": alive\n\n"
            if not watcher.is_gone:
                yield b"event: bye\ndata: {}\n\n"
        finally:
            self.leave(watcher)

    def _is_over(self, watcher: Watcher) -> bool:
        return self.is_ending or watcher.is_gone

    def _set_timer(self, watcher: Watcher) -> None:
        """Wake a watcher at its own moment, and not too soon after the last time."""
        loop = asyncio.get_running_loop()
        watcher.is_due = True
        moment = max(loop.time() + watcher.wait_s, watcher.told_at + self._apart_s)
        loop.call_at(ceil(moment / STEP_S) * STEP_S, self._tell, watcher)

    def _tell(self, watcher: Watcher) -> None:
        watcher.is_due = False
        watcher.wake()


@lru_cache(maxsize=256)
def _message(changed: frozenset[str]) -> bytes:
    """Return what tells that addresses have changed: the same bytes for all who watch the same."""
    return b"event: topic\ndata: %s\n\n" % " ".join(f"/{topic}" for topic in sorted(changed)).encode()
