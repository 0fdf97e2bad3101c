"""The World Bridge Federation's victory point scales of 2013, for any number of boards.

Both rest on one curve. With `N` boards, X = 15 * sqrt(N) and R = sqrt(5) - 2 (the cube of the golden section), a
margin of I IMPs is worth 10 + 10 * (1 - R ** (I / X)) / (1 - R), and from X on 20. X is not rounded.

Source: WBF Scoring Panel, technical report, January 2013; the tables reprinted for 4 and 24 boards agree row for row.
"""

import decimal
import functools
import math
from decimal import Decimal
from typing import Final

from tourney.scoring.scale_names import BOARDS_MAX
from tourney.scoring.vp_steps import VpStep
from tourney.scoring.vp_units import VpHundredths

_DIGITS: Final = 50
"""Significant digits of the curve: far beyond any tie of rounding for the boards there are scales for."""

_WIN: Final = 2000
"""20.00, in hundredths: what both sides share, and the most the winner gets."""

_BANDS: Final = 10
"""Splits of the discrete scale below 20 - 0: 10 - 10, 11 - 9, ... 19 - 1."""


def _shared(least_margin: int, winner: int) -> VpStep:
    return VpStep(least_margin, VpHundredths(winner), VpHundredths(_WIN - winner))


@functools.lru_cache(maxsize=BOARDS_MAX)
def continuous_steps(boards: int) -> tuple[VpStep, ...]:
    """The continuous scale for 1..1000 boards: a step for each margin from 0 to the first that is worth 20.00."""
    # ceil(15 * sqrt(boards)) in whole numbers: the least margin whose square is at least 225 * boards.
    blitz = math.isqrt(225 * boards - 1) + 1
    worth = [*_rounded_worths(blitz, boards), _WIN]
    _raise_to_concave(worth)
    return tuple(_shared(margin, worth[margin]) for margin in range(worth.index(_WIN) + 1))


def _rounded_worths(margins: int, boards: int) -> list[int]:
    """The curve at margins 0, 1, ... below the blitz, rounded half up to hundredths."""
    worths = []
    with decimal.localcontext(prec=_DIGITS):
        ratio = Decimal(5).sqrt() - 2
        blitz = 15 * Decimal(boards).sqrt()
        # R ** (I / X), a factor more from margin to margin: powers of such numbers are a hundred times slower.
        factor, power = ratio ** (1 / blitz), Decimal(1)
        for _ in range(margins):
            worth = 10 + 10 * (1 - power) / (1 - ratio)
            worths.append(min(_WIN, int((100 * worth).to_integral_value(decimal.ROUND_HALF_UP))))
            power *= factor
    return worths


def _raise_to_concave(worth: list[int]) -> None:
    """Add hundredths until no IMP is worth more than the one before it, as the published tables have it.

    Rounding breaks that rule here and there. The first and the last value stay. A value is raised only where every
    table that keeps the rule must be higher, so the order in which margins are visited does not matter.
    """
    margin = 1
    while margin < len(worth) - 1:
        if worth[margin + 1] - worth[margin] > worth[margin] - worth[margin - 1]:
            worth[margin] += 1
            margin = max(margin - 1, 1)  # the step before has grown: look at it again
        else:
            margin += 1


@functools.lru_cache(maxsize=BOARDS_MAX)
def discrete_steps(boards: int) -> tuple[VpStep, ...]:
    """The discrete scale for 1..1000 boards: 11 steps from 10 - 10 to 20 - 0, in whole victory points.

    It is not the continuous scale rounded: a band ends where the curve is half-way to the next whole number, and is
    then narrowed where it would be wider than the band after it.
    """
    ends = [_band_end(band, boards) for band in range(_BANDS)]
    _narrow_bands(ends)
    starts = [0, *(end + 1 for end in ends)]
    return tuple(_shared(start, 1000 + 100 * band) for band, start in enumerate(starts))


def _band_end(band: int, boards: int) -> int:
    """The greatest whole margin at which the curve is at most 10.5 + `band`."""
    with decimal.localcontext(prec=_DIGITS):
        ratio = Decimal(5).sqrt() - 2
        blitz = 15 * Decimal(boards).sqrt()
        share = Decimal(2 * band + 1) / 20
        return int(blitz * (1 - (1 - ratio) * share).ln() / ratio.ln())


def _narrow_bands(ends: list[int]) -> None:
    """Lower ends of bands until none is wider than the next; the drawn band counts margins of both signs."""
    band = 0
    while band < len(ends) - 1:
        width = ends[0] * 2 + 1 if band == 0 else ends[band] - ends[band - 1]
        if ends[band + 1] - ends[band] < width:
            ends[band] -= 1
            band = 0
        else:
            band += 1
