"""A table host on a machine whose clock is two hours fast."""

import time

AHEAD_S = 2 * 3600

_time_ns = time.time_ns
time.time_ns = lambda: _time_ns() + AHEAD_S * 1_000_000_000

if __name__ == "__main__":
    from tourney.host.host_process import main

    main()
