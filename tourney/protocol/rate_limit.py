"""How fast a connection may be read: so many lines a second, as many at once; a lasting flood is cut off."""

from typing import Final

LINE_BYTES: Final = 256
"""A longer line counts as several: alerts aside, lines have fewer than 100 bytes."""

BACKLOG_MAX: Final = 500
"""Lines, at most a second's worth, that may wait to be read before a connection is behind. A talkative program has a
hundred or two on their way, what floods us fills every buffer that there is."""

_SLICES_PER_S: Final = 10
"""In parts of how many to a second a connection that is over the limit goes on being read."""


class LineRateLimit:
    """One connection's allowance. Times are milliseconds that never go back."""

    __slots__ = ("_at_ms", "_backlog_max", "_behind_since_ms", "_flood_ms", "_milli", "_per_s")

    def __init__(self, lines_per_s: int, flood_ms: int) -> None:
        self._per_s = lines_per_s
        self._backlog_max = min(lines_per_s, BACKLOG_MAX)
        self._flood_ms = flood_ms
        self._milli = lines_per_s * 1000  # thousandths of a line: exact for any rate and any step of time
        self._at_ms = 0
        self._behind_since_ms: int | None = None

    def room(self, now_ms: int) -> int:
        """How many lines may be read now; none while the last ones are not made up for."""
        self._milli = min(self._per_s * 1000, self._milli + (now_ms - self._at_ms) * self._per_s)
        self._at_ms = now_ms
        return max(0, self._milli // 1000)

    def take_one(self, now_ms: int) -> bool:
        """Whether one line of usual length may be read now: it counts from now, and nothing waits behind it."""
        milli = self._milli + (now_ms - self._at_ms) * self._per_s
        if milli < 1000:
            return False
        full = self._per_s * 1000
        self._milli = min(full, milli) - 1000
        self._at_ms = now_ms
        self._behind_since_ms = None
        return True

    def take(self, data: bytes, now_ms: int, most: int) -> int:
        """Where the lines of received data end that are read now, at most `most` of them: they count from now."""
        room = min(self.room(now_ms), most)
        end, lines = len(data), _lines_in(data)
        if lines > room or end > room * LINE_BYTES:  # else there is room for all
            end = cut_lines(data, room)
            lines = _lines_in(data[:end])
        self._milli -= 1000 * lines
        return end

    def note_backlog(self, data: bytes, now_ms: int) -> None:
        """This much has come in one read of the socket, more than there was room for; the rest may wait outside."""
        # As many bytes as lines may wait are no more lines than that: mostly nothing is to be counted.
        if len(data) <= self._backlog_max or _lines_in(data) <= self._backlog_max:
            self._behind_since_ms = None
        elif self._behind_since_ms is None:
            self._behind_since_ms = now_ms

    def is_flood(self, now_ms: int) -> bool:
        """Whether it has been behind, at each read, for too long."""
        return self._behind_since_ms is not None and now_ms - self._behind_since_ms > self._flood_ms

    def pause_ms(self) -> int:
        """How long to wait, at least 1, until a tenth of a second's lines may be read."""
        wanted = max(1, self._per_s // _SLICES_PER_S) * 1000
        return max(1, -(-(wanted - self._milli) // self._per_s))


def _lines_in(data: bytes) -> int:
    return data.count(b"\n") + len(data) // LINE_BYTES


def cut_lines(data: bytes, room: int) -> int:
    """Where the first `room` lines of received data end, at most `room` times `LINE_BYTES` bytes."""
    end = room * LINE_BYTES
    if data.count(b"\n", 0, end) <= room:
        return min(end, len(data))
    at = 0
    for _ in range(room):
        at = data.index(b"\n", at) + 1
    return at
