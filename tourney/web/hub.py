"""Who watches what: for each watcher the addresses of its page, and which of them have changed since it was told.

It keeps a set for each watcher and not a queue: however slow a watcher is, nothing is lost and nothing grows. What is
sent are addresses, never what is there, so that a watcher that comes back has to be replayed nothing. It belongs to
one event loop.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Final

ALIVE_S: Final = 15.0
"""After so many seconds of silence a line says that the stream is alive; servers in front close silent ones at 30."""

APART_S: Final = 1.0
"""A watcher is told at most once in so many seconds."""

SPREAD_S: Final = 0.5
"""Watchers are told over so many seconds, each at its own moment, for all of them then fetch what has changed."""

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
    changed: set[str] = field(default_factory=set)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    is_gone: bool = False

    def leave(self) -> None:
        """End the stream of this watcher."""
        self.is_gone = True
        self.woken.set()


class Hub:
    """The watchers of an event.

    Args:
        watchers_max: how many may watch at once.
    """

    def __init__(self, watchers_max: int) -> None:
        self.watchers_max = watchers_max
        self.version = 0
        """Counts the changes that were told."""
        self.is_ending = False
        self._watchers: set[Watcher] = set()
        self._topics: Counter[str] = Counter()
        """How many watch each address."""
        self._joined = 0

    def __len__(self) -> int:
        return len(self._watchers)

    def watched(self) -> list[str]:
        """Return all addresses that somebody watches; any thread may ask."""
        return list(self._topics)

    def join(self, topics: Iterable[str]) -> Watcher | None:
        """Take in a watcher; None if there are as many as there may be, or the server is about to end."""
        if self.is_ending or len(self._watchers) >= self.watchers_max:
            return None
        self._joined += 1
        watcher = Watcher(frozenset(topics), self._joined * _GOLDEN % 1 * SPREAD_S)
        self._watchers.add(watcher)
        self._topics.update(watcher.topics)
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """Let a watcher go."""
        self._watchers.discard(watcher)
        for topic in watcher.topics:
            self._topics[topic] -= 1
            if not self._topics[topic]:
                del self._topics[topic]

    def publish(self, changed: Iterable[str]) -> None:
        """Tell those who watch these addresses that they have changed."""
        self.version += 1
        topics = frozenset(changed)
        for watcher in self._watchers:
            if concerned := watcher.topics & topics:
                watcher.changed |= concerned
                watcher.woken.set()

    def end(self) -> None:
        """End all streams: the server is about to end."""
        self.is_ending = True
        for watcher in self._watchers:
            watcher.woken.set()

    async def messages(self, watcher: Watcher) -> AsyncIterator[bytes]:
        """Yield what is sent to a watcher, until it leaves or the server ends."""
        try:
            yield b'retry: 2000\nevent: hello\ndata: {"version": %d}\n\n' % self.version
            while True:
                try:
                    async with asyncio.timeout(ALIVE_S):
                        await watcher.woken.wait()
                except TimeoutError:
                    yield b": alive\n\n"
                    continue
                if not self._is_over(watcher):
                    await self._pause(watcher, watcher.wait_s)
                if self._is_over(watcher):
                    break
                changed, watcher.changed = watcher.changed, set()
                yield b"event: topic\ndata: %s\n\n" % " ".join(f"/{topic}" for topic in sorted(changed)).encode()
                await self._pause(watcher, APART_S - watcher.wait_s)
            if not watcher.is_gone:
                yield b"event: bye\ndata: {}\n\n"
        finally:
            self.leave(watcher)

    def _is_over(self, watcher: Watcher) -> bool:
        return self.is_ending or watcher.is_gone

    async def _pause(self, watcher: Watcher, seconds: float) -> None:
        """Wait; what changes meanwhile is told afterwards, and who leaves ends at once."""
        try:
            async with asyncio.timeout(seconds):
                while not self._is_over(watcher):
                    watcher.woken.clear()
                    await watcher.woken.wait()
        except TimeoutError:
            pass
        if watcher.changed or self._is_over(watcher):
            watcher.woken.set()
