"""One clock for a host: milliseconds since 1970-01-01 UTC that never go back."""

import time


class HostClock:
    """Wall time at the start, carried on by the monotonic clock: setting the machine's clock moves nothing."""

    def __init__(self) -> None:
        self._offset_ms = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now_ms(self) -> int:
        return self._offset_ms + time.monotonic_ns() // 1_000_000
