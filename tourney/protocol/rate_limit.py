"""Limits how fast a connection is read: lines per second with a burst of the same size; a lasting flood ends it."""

from typing import Final

LINE_BYTES: Final = 256
"""Bytes that count as one line; a longer one counts as several. Only alerts exceed 100 bytes."""

BACKLOG_MAX: Final = 500
"""Maximum lines, but no more than a second's worth, that may wait before a connection counts as behind. A talkative
program has one or two hundred in transit; a flood fills every buffer there is."""

_SLICES_PER_S: Final = 10
"""Reads per second of a connection that exceeds the limit."""


class LineRateLimit:
    """One connection's allowance. Times are in milliseconds and never go back."""

    __slots__ = ("_at_ms", "_backlog_max", "_behind_since_ms", "_flood_ms", "_milli", "_per_s")

    def __init__(self, lines_per_s: int, flood_ms: int) -> None:
        self._per_s = lines_per_s
        self._backlog_max = min(lines_per_s, BACKLOG_MAX)
        self._flood_ms = flood_ms
        self._milli = lines_per_s * 1000  # thousandths of a line: exact for any rate and any step of time
        self._at_ms = 0
        self._behind_since_ms: int | None = None

    def room(self, now_ms: int) -> int:
        """Return how many lines may be read now; 0 until the allowance has recovered."""
        self._milli = min(self._per_s * 1000, self._milli + (now_ms - self._at_ms) * self._per_s)
        self._at_ms = now_ms
        return max(0, self._milli // 1000)

    def take_one(self, now_ms: int) -> bool:
        """Charge one line of usual length, with no backlog behind it, if allowed; return whether it was."""
        milli = self._milli + (now_ms - self._at_ms) * self._per_s
        if milli < 1000:
            return False
        full = self._per_s * 1000
        self._milli = min(full, milli) - 1000
        self._at_ms = now_ms
        self._behind_since_ms = None
        return True

    def take(self, data: bytes, now_ms: int, most: int) -> int:
        """Return where the lines of `data` that may be read now end, at most `most` of them, and charge them."""
        room = min(self.room(now_ms), most)
        end, lines = len(data), _lines_in(data)
        if lines > room or end > room * LINE_BYTES:  # else all of them fit
            end = cut_lines(data, room)
            lines = _lines_in(data[:end])
        self._milli -= 1000 * lines
        return end

    def note_backlog(self, data: bytes, now_ms: int) -> None:
        """Note how much data waits after a read of the socket; more may wait in the socket."""
        # n bytes hold at most n lines, so usually nothing has to be counted.
        if len(data) <= self._backlog_max or _lines_in(data) <= self._backlog_max:
            self._behind_since_ms = None
        elif self._behind_since_ms is None:
            self._behind_since_ms = now_ms

    def is_flood(self, now_ms: int) -> bool:
        """Return whether the connection has been behind at every read for too long."""
        return self._behind_since_ms is not None and now_ms - self._behind_since_ms > self._flood_ms

    def pause_ms(self) -> int:
        """Return how long to wait, at least 1 ms, until a tenth of a second's lines may be read."""
        wanted = max(1, self._per_s // _SLICES_PER_S) * 1000
        return max(1, -(-(wanted - self._milli) // self._per_s))


def _lines_in(data: bytes) -> int:
    return data.count(b"\n") + len(data) // LINE_BYTES


def cut_lines(data: bytes, room: int) -> int:
    """Return where the first `room` lines of `data` end, at most `room * LINE_BYTES` bytes."""
    end = room * LINE_BYTES
    if data.count(b"\n", 0, end) <= room:
        return min(end, len(data))
    at = 0
    for _ in range(room):
        at = data.index(b"\n", at) + 1
    return at
