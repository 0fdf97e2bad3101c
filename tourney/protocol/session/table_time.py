"""The time that counts at a table: it stands still in a pause, and while table or machine could not continue.

Every clock and limit of a table measures with it, so what is charged to nobody is decided here and nowhere else.
"""

import enum
from collections.abc import Sequence


class Stop(enum.StrEnum):
    """Why the time of a table stands still."""

    PAUSE = "pause"
    """A director has paused the table."""
    OUTAGE = "outage"
    """Nothing can go on record, and so nothing is relayed."""


class TableTime:
    """The time of one table. Moments are milliseconds of its host's clock."""

    def __init__(self, standstills: Sequence[tuple[int, int]] = ()) -> None:
        """Begin with the time running.

        Args:
            standstills: when the machine stood still, from and to; the shell appends to it.
        """
        self._standstills = standstills
        self._standstills_seen = 0
        self._stops: set[Stop] = set()
        self._stopped_at_ms = 0
        """Since when it stands still, while it does."""
        self._gaps: list[tuple[int, int]] = []
        """When it stood still, from and to, in order and apart from each other."""

    def is_stopped_by(self, stop: Stop) -> bool:
        return stop in self._stops

    @property
    def is_stopped(self) -> bool:
        return bool(self._stops)

    def stop(self, stop: Stop, now_ms: int) -> None:
        """Stop the time; without effect on when it stopped if something else has stopped it already."""
        if not self._stops:
            self._stopped_at_ms = now_ms
        self._stops.add(stop)

    def resume(self, stop: Stop, now_ms: int) -> None:
        """Let the time run again, unless something else still stops it."""
        if stop in self._stops:
            self._stops.remove(stop)
            if not self._stops:
                self.skip(self._stopped_at_ms, now_ms)

    def skip(self, from_ms: int, to_ms: int) -> None:
        """Count no time between two moments: the table could not continue."""
        before = [gap for gap in self._gaps if gap[1] < from_ms]
        after = [gap for gap in self._gaps if gap[0] > to_ms]
        for gap in self._gaps[len(before) : len(self._gaps) - len(after)]:
            from_ms, to_ms = min(from_ms, gap[0]), max(to_ms, gap[1])
        if from_ms < to_ms:
            self._gaps = [*before, (from_ms, to_ms), *after]

    def elapsed_ms(self, from_ms: int, to_ms: int) -> int:
        """Return how much time has counted between two moments; 0 if the second is the earlier one."""
        if self._standstills_seen < len(self._standstills):
            self._skip_standstills()
        if self._stops and to_ms > self._stopped_at_ms:
            to_ms = self._stopped_at_ms
        elapsed_ms = to_ms - from_ms
        if elapsed_ms <= 0:
            return 0
        for began_ms, ended_ms in reversed(self._gaps):
            if ended_ms <= from_ms:
                break
            elapsed_ms -= max(0, min(ended_ms, to_ms) - max(began_ms, from_ms))
        return elapsed_ms

    def since_ms(self, from_ms: int, now_ms: int) -> int:
        """Return the moment since which somebody waits who has waited from `from_ms`, without what did not count.

        It does not change while the time stands still.
        """
        until_ms = min(now_ms, self._stopped_at_ms) if self._stops else now_ms
        return max(from_ms, until_ms - self.elapsed_ms(from_ms, now_ms))

    def _skip_standstills(self) -> None:
        for from_ms, to_ms in self._standstills[self._standstills_seen :]:
            self.skip(from_ms, to_ms)
            self._standstills_seen += 1
