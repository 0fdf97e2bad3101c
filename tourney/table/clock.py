"""What time it is, in milliseconds since 1970-01-01 UTC; one clock for a host that never goes back."""

import time


def wall_ms() -> int:
    """The time of the machine's clock, which its owner may set."""
    return time.time_ns() // 1_000_000


class HostClock:
    """Wall time at the start, carried on by the monotonic clock: setting the machine's clock moves nothing."""

    def __init__(self) -> None:
        self._offset_ms = wall_ms() - time.monotonic_ns() // 1_000_000

    def now_ms(self) -> int:
        return self._offset_ms + time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """The time of the machine's clock, for what goes on record; no measure of how long something took."""
        return wall_ms()
