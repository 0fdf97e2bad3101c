"""What every lease on record is made of: who holds it, and how long its holder has been silent."""

from collections.abc import Hashable
from typing import NamedTuple


class ProcessIdentity(NamedTuple):
    """One process on one machine, for all time: `pid_start` tells it from a later process with the same id."""

    machine: str
    pid: int
    pid_start: str


class HeartbeatMonitor:
    """Tells how long each holder has been silent, by our own clock alone: the clocks of other machines do not matter.

    It remembers the last heartbeat of each holder and when that was new. `now_ms` must never go back.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, tuple[object, int]] = {}

    def silent_ms(self, holder: Hashable, heartbeat: object, now_ms: int) -> int:
        """Return for how long a holder's heartbeat has been this one; 0 when it was another at the last look."""
        last = self._last.get(holder)
        if last is None or last[0] != heartbeat:
            self._last[holder] = (heartbeat, now_ms)
            return 0
        return now_ms - last[1]

    def reset(self) -> None:
        """Count everybody's silence from now: for a while nobody could be heard."""
        self._last.clear()
