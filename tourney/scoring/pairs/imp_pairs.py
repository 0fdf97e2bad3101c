"""Pairs in IMPs: each result against all others of its board (cross-IMPs), or against their datum (Butler)."""

from fractions import Fraction
from math import lcm

from tourney.scoring.assigned import WeightedScore
from tourney.scoring.butler import Datum, Trim, butler_imps, datum
from tourney.scoring.imps import imps
from tourney.scoring.pairs.traveller import Average, Frequencies, shares_of


def cross_imps(result: tuple[WeightedScore, ...], frequencies: Frequencies) -> Fraction:
    """Return the sum of the IMPs of a result against all others, North-South's; it is one of the results itself."""
    return sum(
        (
            share * times * imps(score - other)
            for share, score in shares_of(result)
            for other, times in frequencies.items()
        ),
        Fraction(),
    )


def cross_imps_per_comparison(result: tuple[WeightedScore, ...], frequencies: Frequencies) -> Fraction | None:
    """Return the IMPs of a result per comparison; None if there is no other result."""
    others = sum(frequencies.values(), Fraction()) - 1
    return cross_imps(result, frequencies) / others if others > 0 else None


def datum_of(frequencies: Frequencies, expected: int, kind: Datum, trim: Trim) -> int:
    """Return the datum of a board with weighted scores or fewer results than expected; there is at least one.

    What is left out at either end is scaled like the frequencies: one of 12 results is a half of 6.
    """
    copies = lcm(*(times.denominator for times in frequencies.values()))
    scores = [score for score, times in frequencies.items() for _ in range(int(times * copies))]
    if isinstance(trim, int):
        results = sum(frequencies.values(), Fraction())
        trim = int(trim * copies * min(results / expected, Fraction(1)))
    return datum(scores, kind, trim)


def butler_imps_of_result(result: tuple[WeightedScore, ...], datum_ns: int) -> Fraction:
    """Return the IMPs of a result against the datum, North-South's."""
    return sum((share * butler_imps(score, datum_ns) for share, score in shares_of(result)), Fraction())


def average_imps(kind: Average, own: Fraction | None, worth: Fraction) -> Fraction:
    """Return the IMPs of an artificial score.

    Args:
        kind: which of the three.
        own: the pair's mean on its other boards of the session; None if there are none.
        worth: the IMPs of an average plus; 3 by Law 12C2b.
    """
    match kind:
        case Average.PLUS:
            return worth if own is None else max(worth, own)
        case Average.AVERAGE:
            return Fraction()
        case Average.MINUS:
            return -worth if own is None else min(-worth, own)
