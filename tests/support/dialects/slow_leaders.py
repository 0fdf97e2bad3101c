"""Q-plus and GIB: programs that must be left alone for a while before they are asked for a lead.

How they fail when they are not is on no record, only the pauses that servers make for them; here the line that asks
too early is lost, which is what a program shows that reads what has come, acts on the first line, and throws away
the rest.
"""

from typing import ClassVar

from tests.support.dialects.base import END, START, DialectPlayer, Reading
from tourney.bridge import PlayerView


class _SlowLeader(DialectPlayer):
    needs_ms: ClassVar[int]
    """The least time from the last line it has read or written to the one that asks for a lead."""

    _heard_ms = 0

    def _hear(self, line: str) -> None:
        too_early = self._now_ms < self._heard_ms + self.needs_ms
        self._heard_ms = self._now_ms
        if not (too_early and line.endswith(" to lead")):
            super()._hear(line)


class QPlus(_SlowLeader):
    """Q-plus Bridge: half a second before a lead, a dash for a void."""

    profile = "q-plus"
    needs_ms = 450


class Gib(_SlowLeader):
    """GIB behind its bridge to table managers.

    Ends its lines with LF, says `received dummy`, needs 200 ms before a lead, and takes `Start of board` at any
    moment as a new beginning.
    """

    profile = "gib"
    line_end = b"\n"
    restarts = True
    needs_ms = 200

    def _see_dummy(self, view: PlayerView) -> Reading[None]:
        yield from super()._see_dummy(view)
        self._say(f"{self._name} received dummy")

    def _await_next_board(self) -> Reading[bool]:
        """Lines it does not know, it lets pass."""
        while True:
            line = yield
            if line.lower() == START or line == END:
                return self._is_start(line)
