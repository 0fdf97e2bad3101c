"""How fast passphrases may be tried: one after the other, and after some wrong ones more slowly.

Nobody is locked out: a right phrase waits as long as a wrong one would, and is heard. Tries that wait for each other
share a lane; whoever cannot be told from a guesser, from the same address under the same name, shares the guesser's.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from tourney.errors import TourneyError
from tourney.protocol.admission import FailurePace

FREE_TRIES: Final = 5
"""So many wrong phrases cost no time: people mistype."""

SLOWEST_MS: Final = 10_000
"""The longest time from a wrong phrase to the next try; each wrong one doubles it, from a second."""

WAITING_MAX: Final = 3
"""Tries that may wait in a lane; so none waits for longer than browsers and servers in front do."""

LANES_MAX: Final = 10_000
"""Lanes that are remembered; of more, the one that was used least lately is forgotten."""


class TooManyTries(TourneyError):  # noqa: N818 # a refusal
    """So many tries wait already that this one would not be heard soon."""


@dataclass
class _Lane:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class PhrasePace:
    """The lanes of one door.

    Args:
        now_s: a clock that only goes forward.
        sleep: waits for seconds.
    """

    def __init__(
        self, now_s: Callable[[], float] = time.monotonic, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._now_s = now_s
        self._sleep = sleep
        self._failures = FailurePace(FREE_TRIES, SLOWEST_MS)
        self._lanes: dict[Hashable, _Lane] = {}

    @asynccontextmanager
    async def turn(self, lane: Hashable) -> AsyncIterator[None]:
        """Wait until a phrase of a lane may be tried; the next one waits until this one is over.

        Raises:
            TooManyTries: others wait in the lane, as many as may.
        """
        found = self._lane(lane)
        if found.waiting > WAITING_MAX:
            raise TooManyTries("too many passphrases are being tried: try again in a minute")
        found.waiting += 1
        try:
            async with found.lock:
                if wait_ms := self._failures.wait_ms(lane, self._now_ms()):
                    await self._sleep(wait_ms / 1000)
                yield
        finally:
            found.waiting -= 1

    def note_wrong(self, lane: Hashable) -> None:
        """Note that a wrong phrase was tried."""
        self._failures.note(lane, self._now_ms())

    def note_right(self, lane: Hashable) -> None:
        """Forget the wrong ones: whoever tried them has found the right one."""
        self._failures.forget(lane)

    def _now_ms(self) -> int:
        return int(self._now_s() * 1000)

    def _lane(self, lane: Hashable) -> _Lane:
        found = self._lanes.pop(lane, None) or _Lane()
        self._lanes[lane] = found  # the one used last is the last
        if len(self._lanes) > LANES_MAX:
            oldest = next((key for key, each in self._lanes.items() if not each.waiting), lane)
            del self._lanes[oldest]
        return found
