"""Q-plus and GIB: programs that need a pause before they are asked for a lead.

Only the pauses that servers make for them are documented, not how they fail without. Here a line that asks too early
is lost, as it is in a program that reads what has arrived, acts on the first line, and discards the rest.
"""

from typing import ClassVar

from tests.support.dialects.base import END, START, DialectPlayer, Reading
from tourney.bridge import PlayerView


class _SlowLeader(DialectPlayer):
    needs_ms: ClassVar[int]
    """The least time between the last line it has read or written and the one that asks for a lead."""

    _heard_ms = 0

    def _hear(self, line: str) -> None:
        too_early = self._now_ms < self._heard_ms + self.needs_ms
        self._heard_ms = self._now_ms
        if not (too_early and line.endswith(" to lead")):
            super()._hear(line)


class QPlus(_SlowLeader):
    """Q-plus Bridge: needs half a second before a lead, and writes a dash for a void."""

    profile = "q-plus"
    needs_ms = 450


class Gib(_SlowLeader):
    """GIB behind its adapter to table managers.

    It ends its lines with LF, says `received dummy`, needs 200 ms before a lead, and starts a board again on
    `Start of board` at any time.
    """

    profile = "gib"
    line_end = b"\n"
    restarts = True
    needs_ms = 200

    def _see_dummy(self, view: PlayerView) -> Reading[None]:
        yield from super()._see_dummy(view)
        self._say(f"{self._name} received dummy")

    def _await_next_board(self) -> Reading[bool]:
        """Ignore lines it does not know."""
        while True:
            line = yield
            if line.lower() == START or line == END:
                return self._is_start(line)
