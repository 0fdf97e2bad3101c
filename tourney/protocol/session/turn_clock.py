"""The clock of one board: only one player at a time can act, and it is charged from the last line that it needed.

The time of a player counts from the moment that line was written to the first byte of its answer (BC-45), as far as
it counts at the table (`TableTime`). The time between an answer and the next such line, pauses included, is the
table's own share and is counted separately.
"""

from tourney.bridge import Side
from tourney.protocol.session.table_time import TableTime

_OFF = -1


class TurnClock:
    """The clock of a board. `spent_ms` by side is that of the calls and cards on record; `table_ms` accumulates."""

    __slots__ = ("_carried_ms", "_from_ms", "_number", "_time", "moved_ms", "spent_ms", "table_ms")

    def __init__(self, time: TableTime, now_ms: int) -> None:
        self.spent_ms = dict.fromkeys(Side, 0)
        self.table_ms = 0
        self.moved_ms = now_ms
        """When the last line of a player arrived."""
        self._time = time
        self._number = _OFF  # of the call or card whose player is on the clock
        self._from_ms: int | None = None  # from when that player is charged; None while the clock is held
        self._carried_ms = 0  # what it had used before the clock was held

    def start(self, number: int, now_ms: int) -> int:
        """Charge the player of call or card `number` from now; return the number for `note_written`."""
        if self._number != number:
            self._number, self._carried_ms = number, 0
        self._from_ms = now_ms
        return number

    def note_written(self, number: int, now_ms: int) -> None:
        """Note that the line that lets a player act was written: charge the player from now, and the table before."""
        if number == self._number and self._from_ms is not None:
            self._from_ms = now_ms
            self.table_ms += max(0, now_ms - self.moved_ms)

    def has_started(self, number: int) -> bool:
        """Return whether the player of call or card `number` has been enabled to act; the clock may be held."""
        return self._number == number

    def running_since_ms(self, number: int) -> int | None:
        """Return from when the player of call or card `number` is charged; None if it is not at the moment."""
        return self._from_ms if self._number == number else None

    def elapsed_ms(self, number: int, now_ms: int) -> int:
        """Return what the player of call or card `number` has used; 0 if it has not been enabled to act."""
        if self._number != number:
            return 0
        if self._from_ms is None:
            return self._carried_ms
        return self._carried_ms + self._time.elapsed_ms(self._from_ms, now_ms)

    def stop(self, number: int, now_ms: int, began_ms: int | None = None) -> int:
        """Stop charging the player that acts, and return its thinking time, which its call or card puts on record.

        Args:
            number: that of its call or card.
            now_ms: when its line arrived, or when the table acts in its place.
            began_ms: when the first byte of its line arrived, if that was earlier.
        """
        # A byte that arrived before the player could act does not begin an answer.
        if began_ms is not None and self._from_ms is not None and self._from_ms <= began_ms <= now_ms:
            now_ms = began_ms
        elapsed_ms = self.elapsed_ms(number, now_ms)
        self._number, self._from_ms = _OFF, None
        return elapsed_ms

    def hold(self, number: int, now_ms: int) -> None:
        """Hold the clock while something else is settled; `start` continues from the time used so far."""
        self._carried_ms = self.elapsed_ms(number, now_ms)
        self._from_ms = None
