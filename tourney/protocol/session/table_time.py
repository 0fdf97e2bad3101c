"""The time that counts at a table: it stands still in a pause, and while table or machine could not continue.

Every clock and limit of a table measures with it, so what is charged to nobody is decided here and nowhere else.
"""

from collections.abc import Sequence


class TableTime:
    """The time of one table. Moments are milliseconds of its host's clock."""

    def __init__(self, standstills: Sequence[tuple[int, int]] = ()) -> None:
        """Begin with the time running.

        Args:
            standstills: when the machine stood still, from and to; the shell appends to it.
        """
        self._standstills = standstills
        self._standstills_seen = 0
        self.is_paused = False
        """Whether a director has paused the table."""
        self.is_out = False
        """Whether nothing can go on record, and so nothing is relayed."""
        self._stopped_at_ms = 0
        """Since when it stands still, while it does."""
        self._gaps: list[tuple[int, int]] = []
        """When it stood still, from and to, in order and apart from each other."""

    @property
    def is_stopped(self) -> bool:
        return self.is_paused or self.is_out

    def pause(self, now_ms: int, *, is_paused: bool) -> None:
        """Begin or end a pause; without effect if there is nothing to change."""
        self._set(now_ms, is_paused=is_paused, is_out=self.is_out)

    def suspend(self, now_ms: int, *, is_out: bool) -> None:
        """Begin or end an outage; without effect if there is nothing to change."""
        self._set(now_ms, is_paused=self.is_paused, is_out=is_out)

    def _set(self, now_ms: int, *, is_paused: bool, is_out: bool) -> None:
        """Stop the time, or let it run again, unless something else stops it still."""
        was_stopped = self.is_stopped
        self.is_paused, self.is_out = is_paused, is_out
        if self.is_stopped and not was_stopped:
            self._stopped_at_ms = now_ms
        elif was_stopped and not self.is_stopped:
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
        if (self.is_paused or self.is_out) and to_ms > self._stopped_at_ms:
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
        until_ms = min(now_ms, self._stopped_at_ms) if self.is_stopped else now_ms
        return max(from_ms, until_ms - self.elapsed_ms(from_ms, now_ms))

    def _skip_standstills(self) -> None:
        for from_ms, to_ms in self._standstills[self._standstills_seen :]:
            self.skip(from_ms, to_ms)
            self._standstills_seen += 1
