"""The clock of one board: only one player at a time can act, and it is charged from the last line that it needed.

The time of a player counts from the moment that line was written to the first byte of its answer (BC-45). The time
between an answer and the next such line, pauses included, is the table's own share and is counted separately.
"""

from dataclasses import dataclass, field

from tourney.bridge import Seat, Side

_OFF = -1


def _nothing_spent() -> dict[Side, int]:
    return dict.fromkeys(Side, 0)


@dataclass(slots=True)
class TurnClock:
    """The clock of a board; `spent_ms` by side and `table_ms` accumulate during the board."""

    spent_ms: dict[Side, int] = field(default_factory=_nothing_spent)
    table_ms: int = 0
    from_ms: int = 0
    """The time from which the player on the clock is charged."""
    moved_ms: int = 0
    """When the last line of a player arrived."""
    began_ms: int | None = None
    """When the first byte of the current line arrived; None if it arrived with the rest."""
    _number: int = _OFF  # of the call or card whose player is on the clock
    _carried_ms: int = 0  # what that player had used before the clock was held

    def start(self, number: int, now_ms: int) -> int:
        """Charge the player of call or card `number` from now; return the number for `note_written`."""
        if self._number != number:
            self._number, self._carried_ms = number, 0
        self.from_ms = now_ms
        return number

    def note_written(self, number: int, now_ms: int) -> None:
        """Note that the line that lets a player act was written: charge the player from now, and the table before."""
        if number == self._number:
            self.from_ms = now_ms
            self.table_ms += max(0, now_ms - self.moved_ms)

    def is_running(self, number: int) -> bool:
        return self._number == number

    def elapsed_ms(self, number: int, now_ms: int) -> int:
        """Return what the player of call or card `number` has used; 0 if it has not been enabled to act."""
        return self._carried_ms + max(0, now_ms - self.from_ms) if self._number == number else 0

    def stop(self, number: int, seat: Seat, now_ms: int) -> int:
        """Charge the player that acts, and return its thinking time."""
        # A byte that arrived before the player could act does not begin an answer.
        in_time = self.began_ms is not None and self.from_ms <= self.began_ms <= now_ms
        elapsed_ms = self.elapsed_ms(number, self.began_ms if in_time and self.began_ms is not None else now_ms)
        self._number, self.began_ms = _OFF, None
        self.spent_ms[seat.side] += elapsed_ms
        return elapsed_ms

    def hold(self, number: int, now_ms: int) -> None:
        """Hold the clock while something else is settled; `start` continues from the time used so far."""
        self._carried_ms = self.elapsed_ms(number, now_ms)
        self.from_ms = now_ms
