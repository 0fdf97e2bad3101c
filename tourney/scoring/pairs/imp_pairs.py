"""Pairs in IMPs: each result against all others of its board (cross-IMPs), or against their datum (Butler)."""

from fractions import Fraction
from typing import Final

from tourney.scoring.assigned import WeightedScore
from tourney.scoring.imps import imps
from tourney.scoring.pairs.traveller import Average, Frequencies, shares_of

AVERAGE_PLUS: Final = Fraction(3)
"""The IMPs of an average plus (Law 12C2b)."""


def cross_imps(result: tuple[WeightedScore, ...], frequencies: Frequencies) -> Fraction:
    """Return the sum of the IMPs of a result against all others, North-South's; it is one of the results itself."""
    return sum(
        (
            share * sum(times * imps(score - other) for other, times in frequencies.items())
            for share, score in shares_of(result)
        ),
        Fraction(),
    )


def cross_imps_per_comparison(result: tuple[WeightedScore, ...], frequencies: Frequencies) -> Fraction | None:
    """Return the IMPs of a result per comparison; None if there is no other result."""
    others = sum(frequencies.values()) - 1
    return cross_imps(result, frequencies) / others if others > 0 else None


def butler_imps_of_result(result: tuple[WeightedScore, ...], datum_ns: int) -> Fraction:
    """Return the IMPs of a result against the datum, North-South's."""
    return sum((share * imps(score - datum_ns) for share, score in shares_of(result)), Fraction())


def average_imps(kind: Average, own: Fraction | None) -> Fraction:
    """Return the IMPs of an artificial score.

    Args:
        kind: which of the three.
        own: the pair's mean on its other boards of the session; None if there are none.
    """
    match kind:
        case Average.PLUS:
            return max(AVERAGE_PLUS, own or AVERAGE_PLUS)
        case Average.AVERAGE:
            return Fraction()
        case Average.MINUS:
            return min(-AVERAGE_PLUS, own or -AVERAGE_PLUS)
