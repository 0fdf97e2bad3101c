"""The parts of every lease on record: its holder, and how long the holder has been silent."""

from collections.abc import Hashable
from typing import NamedTuple


class ProcessIdentity(NamedTuple):
    """One process on one machine; `pid_start` distinguishes it from a later process with the same id."""

    machine: str
    pid: int
    pid_start: str

    @property
    def boot(self) -> str:
        """The boot of the machine that the process belongs to; empty where that is not known."""
        boot, slash, _ = self.pid_start.partition("/")
        return boot if slash else ""


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
