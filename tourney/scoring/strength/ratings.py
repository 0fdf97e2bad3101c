"""Ratings of many programs from the swings of all their boards, in IMPs a board.

The ratings are those with which the differences of two programs fit their swings best (least squares). The programs
of one event play the same deals, and one deal may suit a program at all its tables; so errors are estimated from the
sums by deal, not from single boards.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import shake_128
from itertools import compress
from math import sqrt
from typing import Final, TypeAlias

from tourney.scoring.strength.estimate import normal_cdf
from tourney.scoring.strength.sequential import Swing

_DRAWS: Final = 4000
_DRAWS_SEED: Final = 1
_EQUAL: Final = 1e-9
_LOWEST_BITS: Final = bytes(byte & 1 for byte in range(256))

Matrix: TypeAlias = list[list[float]]


@dataclass(frozen=True, slots=True)
class PairedSwing:
    """What one program won against another on a deal, over both rooms."""

    deal: Hashable
    """What tells deals apart; all boards of a deal have the same."""
    first: str
    second: str
    swing: Swing
    """IMPs to the first program, negative if it lost them."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a program beside that of the others in its list."""

    name: str
    rating: float
    """IMPs a board, against the mean of the list."""
    error: float
    """The standard error of the rating."""
    boards: int
    opponents: int
    superiority: float | None
    """The probability of being better than the next in the list; None for the last."""


@dataclass(frozen=True)
class RatingList:
    """Programs that matches join, directly or through others, best first."""

    ratings: tuple[Rating, ...]
    covariance: dict[tuple[str, str], float]
    """The covariance of the errors of two ratings."""

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """Return by how much one program is better than another, in IMPs a board, and the standard error of that."""
        rated = {rating.name: rating.rating for rating in self.ratings}
        return rated[first] - rated[second], sqrt(_variance_between(self.covariance, first, second))


def rate_programs(swings: Iterable[PairedSwing]) -> list[RatingList]:
    """Rate programs by their swings.

    Args:
        swings: a swing for each board that two programs have played.

    Returns:
        A list for each set of programs that no chain of matches joins with the others, longest first.
    """
    import networkx as nx  # noqa: PLC0415 # takes a tenth of a second to load

    played = list(swings)
    met = nx.Graph((swing.first, swing.second) for swing in played)
    joined = nx.connected_components(met)
    lists = [_rate(names, [swing for swing in played if swing.first in names]) for names in joined]
    return sorted(lists, key=lambda found: (-len(found.ratings), found.ratings[0].name))


def chance_of_luck(swings: Iterable[PairedSwing]) -> float:
    """Return how often equal programs would have ratings at least this far apart.

    If programs are equal, each deal could as well have been won by the other side at all its tables; so the signs of
    deals are drawn at random, the same way each time. The answer is accurate to a hundredth.

    Args:
        swings: the boards of programs that matches join.
    """
    played = list(swings)
    names = sorted({name for swing in played for name in (swing.first, swing.second)})
    place = {name: number for number, name in enumerate(names)}
    inverse = _pseudo_inverse(played, place)
    deals = list(_sums_by_deal([(s, float(s.swing)) for s in played], place).values())
    columns = list(zip(*deals, strict=True))
    totals = [sum(column) for column in columns]

    def spread(sums: Sequence[float]) -> float:
        return sum(x * y for x, y in zip(sums, _times(inverse, sums), strict=True))

    actual = spread(totals) * (1 - _EQUAL)
    as_far = 0
    for draw in range(_DRAWS):
        # A byte a deal, of which the lowest bit says whether it keeps its sign.
        kept = shake_128(f"{_DRAWS_SEED}|{draw}".encode()).digest(len(deals)).translate(_LOWEST_BITS)
        drawn = [2 * sum(compress(column, kept)) - total for column, total in zip(columns, totals, strict=True)]
        as_far += spread(drawn) >= actual
    return as_far / _DRAWS


def _rate(names: set[str], swings: Sequence[PairedSwing]) -> RatingList:
    order = sorted(names)
    place = {name: number for number, name in enumerate(order)}
    totals, boards = defaultdict[str, Fraction](Fraction), Counter[str]()
    opponents: defaultdict[str, set[str]] = defaultdict(set)
    for swing in swings:
        for own, other, won in ((swing.first, swing.second, swing.swing), (swing.second, swing.first, -swing.swing)):
            totals[own] += won
            boards[own] += 1
            opponents[own].add(other)
    inverse = _pseudo_inverse(swings, place)
    ratings = _times(inverse, [float(totals[name]) for name in order])
    errors = _error_factors(swings, ratings, inverse, place)
    by_name = {
        (one, two): sum(x * y for x, y in zip(errors[place[one]], errors[place[two]], strict=True))
        for one in order
        for two in order
    }
    rated = dict(zip(order, ratings, strict=True))
    ranked = sorted(order, key=lambda name: (-rated[name], name))
    rows = []
    for name, following in zip(ranked, [*ranked[1:], None], strict=True):
        superiority = None
        if following is not None:
            error = sqrt(_variance_between(by_name, name, following))
            lead = rated[name] - rated[following]
            superiority = normal_cdf(lead / error) if error else 1.0 if lead else 0.5
        rows.append(
            Rating(
                name=name,
                rating=rated[name],
                error=sqrt(max(by_name[name, name], 0.0)),
                boards=boards[name],
                opponents=len(opponents[name]),
                superiority=superiority,
            )
        )
    return RatingList(tuple(rows), by_name)


def _pseudo_inverse(swings: Sequence[PairedSwing], place: dict[str, int]) -> Matrix:
    """Return the pseudo-inverse of the Laplacian of programs that are all joined, whose null space is the mean.

    The Laplacian has how many boards each two programs have played, and on the diagonal the boards of each.
    """
    laplacian: Matrix = [[0.0] * len(place) for _ in place]
    for swing in swings:
        a, b = place[swing.first], place[swing.second]
        laplacian[a][a] += 1
        laplacian[b][b] += 1
        laplacian[a][b] -= 1
        laplacian[b][a] -= 1
    share = 1 / len(place)
    inverse = _inverse([[x + share for x in row] for row in laplacian])
    return [[x - share for x in row] for row in inverse]


def _sums_by_deal(figures: Iterable[tuple[PairedSwing, float]], place: dict[str, int]) -> dict[Hashable, list[float]]:
    """Return what each program has of a figure over its tables, by deal."""
    by_deal: defaultdict[Hashable, list[float]] = defaultdict(lambda: [0.0] * len(place))
    for swing, figure in figures:
        sums = by_deal[swing.deal]
        sums[place[swing.first]] += figure
        sums[place[swing.second]] -= figure
    return by_deal


def _error_factors(
    swings: Sequence[PairedSwing], ratings: Sequence[float], inverse: Matrix, place: dict[str, int]
) -> Matrix:
    """Return a row for each program with what each deal contributed to the error of its rating.

    The products of two rows add up to the covariance of the two ratings.
    """
    residuals = [(s, float(s.swing) - ratings[place[s.first]] + ratings[place[s.second]]) for s in swings]
    by_deal = _sums_by_deal(residuals, place)
    deals = len(by_deal)
    scale = sqrt(deals / (deals - 1)) if deals > 1 else 0.0
    columns = [[scale * x for x in _times(inverse, sums)] for sums in by_deal.values()]
    return [list(row) for row in zip(*columns, strict=True)]


def _variance_between(covariance: dict[tuple[str, str], float], first: str, second: str) -> float:
    variance = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
    return max(variance, 0.0)


# Small matrices


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix]


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a symmetric positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        divisor = rows[i][i]
        rows[i] = own = [x / divisor for x in rows[i]]
        for j in range(size):
            if j != i and (times := rows[j][i]):
                rows[j] = [x - times * y for x, y in zip(rows[j], own, strict=True)]
    return [row[size:] for row in rows]
