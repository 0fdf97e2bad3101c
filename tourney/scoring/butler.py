"""Butler scoring: each score of a board against the datum of all tables that played it, in IMPs.

The datum is the mean, or the median, of North-South's scores, rounded to the nearest 10, an exact 5 away from zero
(English Bridge Union, White Book, section 4.2.6). How many results are left out at either end differs from organiser
to organiser, so it is a setting.
"""

import enum
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from tourney.scoring.imps import imps

Trim: TypeAlias = int | Decimal
"""Results left out at either end: how many, or a fraction of all, from 0 to below a half."""

TRIM_MAX: Final = 100
"""The most results left out at either end: a board of 256 teams has 256 results."""


class Datum(enum.StrEnum):
    """The kind of datum that scores are compared with."""

    MEAN = "mean"
    MEDIAN = "median"


def check_trim(trim: Trim) -> Trim:
    """Return the trim if it is allowed.

    Raises:
        ValueError: one sentence on what is allowed.
    """
    if isinstance(trim, int):
        is_allowed = 0 <= trim <= TRIM_MAX
    else:
        is_allowed = trim.is_finite() and 0 <= trim < Decimal("0.5")
    if not is_allowed:
        raise ValueError(
            f"expected a whole number of results from 0 to {TRIM_MAX}, or a part of them from 0.0 to below 0.5, "
            f"got {trim}"
        )
    return trim


def datum(scores_ns: Sequence[int], kind: Datum = Datum.MEAN, trim: Trim = 0) -> int:
    """Return the datum of a board, with which North-South's scores are compared; a multiple of 10.

    Args:
        scores_ns: North-South's score at each table, at least one.
        kind: mean or median.
        trim: how many of the best, and of the worst, are left out; a fraction is rounded down. At least one result
            of an odd number, or two of an even one, always remain.
    """
    assert scores_ns
    number = len(scores_ns)
    wanted = trim if isinstance(trim, int) else int(trim * number)
    out = min(wanted, (number - 1) // 2)
    kept = sorted(scores_ns)[out : number - out]
    if kind is Datum.MEDIAN:
        middle = (len(kept) - 1) // 2
        kept = kept[middle : len(kept) - middle]
    return round_to_10(sum(kept), len(kept))


def round_to_10(total: int, number: int) -> int:
    """Round `total / number` to the nearest 10, an exact 5 away from zero."""
    size = (2 * abs(total) + 10 * number) // (20 * number) * 10
    return size if total >= 0 else -size


def butler_imps(score_ns: int, datum_ns: int) -> int:
    """Return the IMPs of North-South; East-West's are the opposite."""
    return imps(score_ns - datum_ns)


def format_average(total: int, number: int) -> str:
    """Format IMPs per board with two decimals, halves rounded away from zero: `-0.33`; `number` is at least 1."""
    hundredths = (200 * abs(total) + number) // (2 * number)
    sign = "-" if total < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"
