"""The time in milliseconds since 1970-01-01 UTC, a clock of hosts that never goes back and the length of silences."""

import time
from collections.abc import Hashable
from typing import Final

STANDSTILL_MS: Final = 1000
"""A process that looks at its clock all the time, and has not for longer than this, was not able to."""


def wall_ms() -> int:
    """Return the time of the machine's clock, which its owner may set."""
    return time.time_ns() // 1_000_000


class HostClock:
    """Wall time at the start, advanced by the monotonic clock: setting the machine's clock has no effect on it.

    Machines that play one event have the time of its database's server, so that what they put on record agrees,
    however wrong their own clocks are.
    """

    def __init__(self, server_ms: int | None = None) -> None:
        """Start the clock; `server_ms` is the time of the database's server now, None where it is this machine."""
        now_ms = wall_ms()
        self._ahead_ms = now_ms - server_ms if server_ms is not None else 0
        """How far the clock of this machine is ahead of that of the server."""
        self._offset_ms = now_ms - self._ahead_ms - time.monotonic_ns() // 1_000_000
        self.standstills: list[tuple[int, int]] = []
        """When this process stood still while it was watched, from and to."""
        self._is_watched = False
        self._read_at_ms = 0

    def now_ms(self) -> int:
        return self._note_read(self._offset_ms + time.monotonic_ns() // 1_000_000)

    def _note_read(self, now_ms: int) -> int:
        """Return the time, and note it if the process has stood still: before anything else is done after that."""
        if self._is_watched:
            if now_ms - self._read_at_ms > STANDSTILL_MS:
                self.standstills.append((self._read_at_ms, now_ms))
            self._read_at_ms = now_ms
        return now_ms

    def watch_standstills(self) -> None:
        """Note in `standstills` from now on when the time was not asked for: the process stood still, or was held up.

        Whoever calls this asks several times a second, whatever else happens.
        """
        self._read_at_ms = self.now_ms()
        self._is_watched = True

    def wall_ms(self) -> int:
        """Return the time for the record, which follows the machine's clock; not suited to measuring durations."""
        return wall_ms() - self._ahead_ms


class HeartbeatMonitor:
    """Measures how long each holder has been silent by our own clock alone, whatever the clocks of other machines.

    It remembers the last heartbeat of each holder and when that was first seen. `now_ms` must never go back.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, tuple[object, int]] = {}
        self._counted_from: dict[Hashable, int] = {}
        """When the silence of a holder began to count; missing for those it counts for from the next look."""

    def silent_ms(self, holder: Hashable, heartbeat: object, now_ms: int) -> int:
        """Return how long a holder's heartbeat has been unchanged; 0 if it has changed since the last call."""
        last = self._last.get(holder)
        if last is None or last[0] != heartbeat:
            self._last[holder] = (heartbeat, now_ms)
            self._counted_from[holder] = now_ms
        return now_ms - self._counted_from.setdefault(holder, now_ms)

    def unheard_ms(self, holder: Hashable, now_ms: int) -> int:
        """Return how long a holder's heartbeat has been unchanged, times in which none could arrive included."""
        last = self._last.get(holder)
        return now_ms - last[1] if last is not None else 0

    def reset(self) -> None:
        """Count everybody's silence from now, after a time in which no heartbeat could arrive."""
        self._counted_from.clear()
