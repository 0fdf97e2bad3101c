"""Butler scoring: each score of a board against the datum of all tables that played it, in IMPs.

The datum is the mean, or the median, of North-South's scores, rounded to the nearest 10, an exact 5 away from zero
(English Bridge Union, White Book, section 4.2.6). How many results are left out at either end differs from organiser
to organiser, so it is a setting.
"""

import enum
from decimal import Decimal
from fractions import Fraction
from typing import Final, TypeAlias

from tourney.scoring.assigned import round_half_away
from tourney.scoring.pairs.traveller import Frequencies
from tourney.scoring.victory_points import format_vp

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
            f"expected a whole number of results from 0 to {TRIM_MAX}, or a fraction of them below 0.5, got {trim}"
        )
    return trim


def datum_of(frequencies: Frequencies, expected: int, kind: Datum, trim: Trim) -> int:
    """Return the datum of a board with weighted scores or fewer results than expected; there is at least one.

    What is left out at either end is scaled like the frequencies: one of 12 results is a half of 6.
    """
    results = int(sum(frequencies.values()))  # the shares of a weighted score add up to one
    most = Fraction((results - 1) // 2)
    if kind is Datum.MEDIAN:
        out = most
    elif isinstance(trim, int):
        out = min(trim * min(Fraction(results, expected), Fraction(1)), most)
    else:
        out = min(Fraction(int(trim * results)), most)
    total = below = Fraction()
    for score in sorted(frequencies):
        above = below + frequencies[score]
        total += score * max(Fraction(), min(above, results - out) - max(below, out))
        below = above
    mean = total / (results - 2 * out)
    return 10 * round_half_away(mean / 10)


def format_average(total: int, number: int) -> str:
    """Format IMPs per board with two decimals, halves rounded away from zero: `-0.33`; `number` is at least 1."""
    return format_vp(round_half_away(Fraction(100 * total, number)))
