"""When a host looks for objects that only hold each other: when tables are over, not in the middle of play.

A board leaves none behind; a table does, with its connections. A search through all that a host of 500 tables holds
takes a tenth of a second, and every player at them would wait for it.
"""

import gc
from typing import Final

YOUNG_OBJECTS: Final = 2000
"""After so many new objects the interpreter looks through these: a fraction of a millisecond."""

_NEVER: Final = 1_000_000_000
"""Of the interpreter's own searches through everything."""

CLOSED_MIN: Final = 8
"""Tables that are over before it is worth a search, however few play on."""


class Sweeper:
    """Searches when as many tables are over as play on: each search is paid for by the tables that it frees."""

    def __init__(self) -> None:
        self._closed = 0

    def note_closed(self, tables_left: int) -> None:
        """A table is over; so many others are not."""
        self._closed += 1
        if self._closed >= max(CLOSED_MIN, tables_left) and gc.get_threshold()[2] == _NEVER:
            self._closed = 0
            gc.collect()


def search_seldom() -> None:
    """Leave it to `Sweeper` when to look through everything, and what is there by now out of it for good."""
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, gc.get_threshold()[1], _NEVER)
