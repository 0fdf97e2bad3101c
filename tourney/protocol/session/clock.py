"""The time that counts at a table, and the clock of the player in turn.

The time of a table stands still in a pause, and while table or machine could not continue. Every clock and limit of
a table measures with it, so what is charged to nobody is decided here and nowhere else.

Only one player at a time can act, and it is charged from the last line that it needed: from the moment that line was
written to the first byte of its answer (BC-45), as far as it counts at the table. The time between an answer and the
next such line, pauses included, is the table's own share and is counted separately.

A program that comes through a tunnel is far away. Its client says how long the program took by a clock beside it
(`own_ms`), from the last byte to the program to the first byte of its answer. What the table measured beyond that is
the delay of the network, of which the event may allow some (`measure_delay`). A client can say anything, so whatever
it says gains no more than that.
"""

from collections.abc import Sequence
from typing import Final

from tourney.bridge import SIDES
from tourney.protocol.session.records import MeasuredDelay

OWN_MS_MAX: Final = 86_400_000
"""The most that counts of what a client says its program took: a day."""


def measure_delay(measured_ms: int, own_ms: int, allowance_ms: int) -> MeasuredDelay:
    """Return what the network took of a call or card.

    Args:
        measured_ms: what the table measured.
        own_ms: what the program took, as its client says: any number.
        allowance_ms: how much of a delay the side is not charged at most.
    """
    own_ms = min(max(0, own_ms), OWN_MS_MAX)
    delay_ms = max(0, measured_ms - own_ms)
    return MeasuredDelay(own_ms, delay_ms, min(delay_ms, allowance_ms))


class TableTime:
    """The time of one table. Moments are milliseconds of its host's clock."""

    def __init__(self, standstills: Sequence[tuple[int, int]] = ()) -> None:
        """Begin with the time running.

        Args:
            standstills: when the machine stood still, from and to; the shell appends to it.
        """
        self.now_ms = 0
        """When the event began that is being handled: the table sets it at each."""
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

    def pause(self, *, is_paused: bool) -> None:
        """Begin or end a pause; without effect if there is nothing to change."""
        self._set(is_paused=is_paused, is_out=self.is_out)

    def suspend(self, *, is_out: bool) -> None:
        """Begin or end an outage; without effect if there is nothing to change."""
        self._set(is_paused=self.is_paused, is_out=is_out)

    def _set(self, *, is_paused: bool, is_out: bool) -> None:
        """Stop the time, or let it run again, unless something else stops it still."""
        was_stopped = self.is_stopped
        self.is_paused, self.is_out = is_paused, is_out
        if self.is_stopped and not was_stopped:
            self._stopped_at_ms = self.now_ms
        elif was_stopped and not self.is_stopped:
            self.skip(self._stopped_at_ms, self.now_ms)

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


class TurnClock:
    """The clock of a board. `spent_ms` by side is that of the calls and cards on record; `table_ms` accumulates."""

    __slots__ = (
        *("_carried_ms", "_time", "allowed_ms", "has_started", "moved_ms", "number", "since_ms", "spent_ms"),
        "table_ms",
    )

    def __init__(self, time: TableTime) -> None:
        self.spent_ms = dict.fromkeys(SIDES, 0)
        self.allowed_ms = dict.fromkeys(SIDES, 0)
        """What the sides were not charged for their network, by the calls and cards on record."""
        self.table_ms = 0
        self.moved_ms = time.now_ms
        """When the last line of a player arrived."""
        self.number = 0
        """The number of the call or card to come, whose player may be charged."""
        self.has_started = False
        """Whether that player has been enabled to act; the clock may be held."""
        self.since_ms: int | None = None
        """From when that player is charged; None while the clock is held, and before it was enabled to act."""
        self._time = time
        self._carried_ms = 0  # what it had used before the clock was held

    def start(self) -> int:
        """Charge the player from now; return the number for `note_written`."""
        self.has_started = True
        self.since_ms = self._time.now_ms
        return self.number

    def note_written(self, number: int, now_ms: int) -> None:
        """Note that the line that lets a player act was written: charge the player from now, and the table before."""
        if number == self.number and self.since_ms is not None:
            self.since_ms = now_ms
            self.table_ms += max(0, now_ms - self.moved_ms)

    def elapsed_ms(self, until_ms: int | None = None) -> int:
        """Return what the player has used until now, or until a moment before; 0 if it was not enabled to act."""
        if self.since_ms is None:
            return self._carried_ms
        until_ms = self._time.now_ms if until_ms is None else until_ms
        return self._carried_ms + self._time.elapsed_ms(self.since_ms, until_ms)

    def stop(self, began_ms: int | None = None) -> int:
        """Stop charging the player that acts, and return its thinking time, which its call or card puts on record.

        `began_ms` is when the first byte of its line arrived; None if the table acts in its place.
        """
        elapsed_ms = self._carried_ms
        if self.since_ms is not None:
            until_ms = self._time.now_ms
            if began_ms is not None and self.since_ms <= began_ms < until_ms:
                until_ms = began_ms  # a byte that arrived before the player could act does not begin an answer
            elapsed_ms += self._time.elapsed_ms(self.since_ms, until_ms)
        self.has_started, self.since_ms, self._carried_ms = False, None, 0
        return elapsed_ms

    def hold(self) -> None:
        """Hold the clock while something else is settled; `start` continues from the time used so far."""
        self._carried_ms = self.elapsed_ms()
        self.since_ms = None
