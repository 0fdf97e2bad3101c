"""The time in milliseconds since 1970-01-01 UTC, and the clock of a host, which never goes back."""

import time


def wall_ms() -> int:
    """Return the time of the machine's clock, which its owner may set."""
    return time.time_ns() // 1_000_000


class HostClock:
    """Wall time at the start, advanced by the monotonic clock: setting the machine's clock has no effect on it."""

    def __init__(self) -> None:
        self._offset_ms = wall_ms() - time.monotonic_ns() // 1_000_000

    def now_ms(self) -> int:
        return self._offset_ms + time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """Return the time of the machine's clock, for the record; not suited to measuring durations."""
        return wall_ms()
