"""Turns of reading: how the connections of a port that have no place at a table share the time of its process.

Each connection has a limit of its own (`LineRateLimit`), but many of them together, each just below it, would leave
nothing to those that play. So the lines of all that wait or only talk are counted together, and when there are too
many they are read in turns, a line each, a few in one turn of the loop. Whoever is at a table is read at once.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from tourney.protocol.admission import TokenBucket
from tourney.runtime.clock import HostClock

LINES_PER_S: Final = 1000
LINES_AT_ONCE: Final = 100
"""Lines that are read a second, and at once, of all connections without a place: a tenth of a process's time."""

LINES_A_TURN: Final = 8
"""How many of them are read in one turn of the loop."""

TURN_MS: Final = 2
"""The time from one such turn to the next, in which those who play are read."""


class LineTurns:
    """The connections that wait for their next line to be read, the one that has waited longest first."""

    def __init__(self, clock: HostClock) -> None:
        self._clock = clock
        self._bucket = TokenBucket(LINES_PER_S, LINES_AT_ONCE)
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_due = False
        """Whether the next turn is on its way."""

    def take_one(self, now_ms: int) -> bool:
        """Count a line that may be read at once, as nobody waits; return whether it may."""
        return not self._waiting and self._bucket.take_one(now_ms)

    def wait(self, read_one: Callable[[], None]) -> None:
        """Have a line read when it is its turn."""
        self._waiting.append(read_one)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._read_some)

    def _read_some(self) -> None:
        now_ms = self._clock.now_ms()
        for _ in range(LINES_A_TURN):
            if not self._waiting or not self._bucket.take_one(now_ms):
                break
            self._waiting.popleft()()  # whoever has more to be read waits again
        self._is_due = bool(self._waiting)
        if self._is_due:
            wait_ms = max(TURN_MS, self._bucket.wait_ms(now_ms))
            asyncio.get_running_loop().call_later(wait_ms / 1000, self._read_some)
