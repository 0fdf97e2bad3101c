"""Matchpoints: two for each result that is worse, one for each that is equal (in America one and a half).

A board with fewer results than others is brought to the same top by Neuberg's formula (English Bridge Union, White
Book 2025, section 4.2.3): a result with M matchpoints among A results is worth (M + 1) * E / A - 1 where E results
are expected. Groups of two or three that are at most a third of what is expected get fixed percentages instead.
"""

import enum
from fractions import Fraction
from typing import Final

from tourney.scoring.assigned import WeightedScore
from tourney.scoring.pairs.traveller import Average, Frequencies, shares_of

_SMALL_GROUP_MAX: Final = 3


class MatchpointScale(enum.StrEnum):
    """How matchpoints are shown: what a result that is worse, an equal one and a better one are worth."""

    TWO = "2/1/0"
    ONE = "1/0.5/0"

    def shown(self, matchpoints: Fraction) -> Fraction:
        """Return matchpoints, or a top, as they are shown; they are counted two for each result that is worse."""
        return matchpoints if self is MatchpointScale.TWO else matchpoints / 2


def top_of(expected: int) -> int:
    """Return the most matchpoints on a board with so many results expected."""
    return 2 * (expected - 1)


def matchpoints_of_score(score: int, frequencies: Frequencies) -> Fraction:
    """Return the matchpoints of a score among results of which it is one.

    It also serves for a weighted score, part by part.
    """
    lower = sum(times for other, times in frequencies.items() if other < score)
    return Fraction(2 * lower + frequencies.get(score, 0) - 1)


def matchpoints_of_result(result: tuple[WeightedScore, ...], frequencies: Frequencies) -> Fraction:
    """Return the matchpoints of a result among results of which it is one; each part is converted first."""
    return sum((share * matchpoints_of_score(score, frequencies) for share, score in shares_of(result)), Fraction())


def adjust_matchpoints(matchpoints: Fraction, results: Fraction | int, expected: int) -> Fraction | None:
    """Bring matchpoints among `results` to a board where `expected` results make the top.

    None for a result that is alone, however many were expected: it has nothing to be compared with.
    """
    if is_small_group(results, expected):
        percentage = 60 + 5 * (matchpoints - (results - 1))
        return percentage * top_of(expected) / 100
    if results <= 1:
        return None
    return (matchpoints + 1) * expected / results - 1


def is_small_group(results: Fraction | int, expected: int) -> bool:
    """Return whether so few results, two or three, get percentages in place of Neuberg's formula."""
    return 1 < results <= _SMALL_GROUP_MAX and 3 * results <= expected


def average_matchpoints(kind: Average, own: Fraction | None) -> Fraction:
    """Return the part of a top that an artificial score is worth.

    Args:
        kind: which of the three.
        own: the part that the pair has won of its other boards of the session; None if there are none.
    """
    match kind:
        case Average.PLUS:
            return max(Fraction(3, 5), own or Fraction())
        case Average.AVERAGE:
            return Fraction(1, 2)
        case Average.MINUS:
            return min(Fraction(2, 5), Fraction(1) if own is None else own)
