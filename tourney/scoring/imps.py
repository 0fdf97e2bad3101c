"""International match points (Laws 2017, Law 78B)."""

import bisect
from typing import Final

_LEAST_DIFFERENCES: Final = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""`_LEAST_DIFFERENCES[i]` is the smallest difference in points that is worth `i + 1` IMPs (Law 78B)."""

IMPS_MAX: Final = len(_LEAST_DIFFERENCES)
"""The most one board can be worth: 24 IMPs."""


def imps(difference: int) -> int:
    """Return the IMPs for a difference in total points, -24..24, with the sign of the difference.

    A difference between two printed rows (no pair of duplicate scores has one) is worth the lower row.
    """
    size = bisect.bisect_right(_LEAST_DIFFERENCES, abs(difference))
    return size if difference >= 0 else -size
