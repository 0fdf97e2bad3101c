"""When a line may be written: two lines to a player are kept apart unless it has sent one in between (BC-50).

Some programs take one line per TCP read and lose the second. The gap counts from the last line written; a line
received from the player shows that it has read ours, and ends the wait.
"""

from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Pacer(Generic[Item]):
    """Queue of the lines to be written on one connection, oldest first."""

    __slots__ = ("_gap_ms", "free_at_ms", "waiting")

    def __init__(self, gap_ms: int) -> None:
        self._gap_ms = gap_ms
        self.free_at_ms = 0
        """Until when the next line has to wait; 0, in the past, before the first and once the player has sent one."""
        self.waiting: deque[Item] = deque()

    def set_gap(self, gap_ms: int) -> None:
        """Change the gap, for lines not yet written."""
        self._gap_ms = gap_ms

    def put(self, item: Item) -> None:
        self.waiting.append(item)

    def note_received(self) -> bool:
        """Note that the player has sent a line, which ends the gap; return whether queued lines may go now."""
        self.free_at_ms = 0
        return bool(self.waiting)

    def let_pass(self, now_ms: int) -> bool:
        """Return whether a line may be written without queueing; if so it counts as written."""
        if self.waiting or now_ms < self.free_at_ms:
            return False
        self.free_at_ms = now_ms + self._gap_ms
        return True

    def take(self, now_ms: int) -> Item | None:
        """Return the next line to write now, or None if there is none or it must wait."""
        if not self.waiting or now_ms < self.free_at_ms:
            return None
        self.free_at_ms = now_ms + self._gap_ms
        return self.waiting.popleft()

    @property
    def due_at_ms(self) -> int | None:
        """Time when the next queued line may be written, in the past or 0 for at once; None if the queue is empty."""
        return self.free_at_ms if self.waiting else None

    @property
    def is_empty(self) -> bool:
        return not self.waiting
