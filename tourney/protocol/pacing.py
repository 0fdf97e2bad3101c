"""When a line may be written: two lines to a player that has not spoken in between never travel together (BC-50).

Some programs take one line per TCP read and lose the second. The gap counts from the last line written; a line
received from the player shows that it has read, and ends the wait.
"""

from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Pacer(Generic[Item]):
    """Lines that wait for their turn on one connection, oldest first."""

    __slots__ = ("_free_at_ms", "_gap_ms", "_waiting")

    def __init__(self, gap_ms: int) -> None:
        self._gap_ms = gap_ms
        self._free_at_ms = 0  # a moment that has passed: the first line waits for nothing
        self._waiting: deque[Item] = deque()

    def set_gap(self, gap_ms: int) -> None:
        """Change the gap, for lines not yet written."""
        self._gap_ms = gap_ms

    def put(self, item: Item) -> None:
        self._waiting.append(item)

    def note_received(self) -> bool:
        """The player has spoken: what it was sent before has arrived. Whether lines wait that may be written now."""
        self._free_at_ms = 0
        return bool(self._waiting)

    def let_pass(self, now_ms: int) -> bool:
        """Whether a line that is not here yet may be written now; it then counts as written."""
        if self._waiting or now_ms < self._free_at_ms:
            return False
        self._free_at_ms = now_ms + self._gap_ms
        return True

    def take(self, now_ms: int) -> Item | None:
        """The next line to be written now, or None when there is none or it must wait."""
        if not self._waiting or now_ms < self._free_at_ms:
            return None
        self._free_at_ms = now_ms + self._gap_ms
        return self._waiting.popleft()

    @property
    def due_at_ms(self) -> int | None:
        """When the next waiting line may be written, past or 0 for at once; None when nothing waits."""
        return self._free_at_ms if self._waiting else None

    @property
    def is_empty(self) -> bool:
        return not self._waiting
