"""The balance of a movement: how evenly pairs compete with each other.

Two pairs compete on every board that both play: when they sit the same way at different tables, what is good for one
is bad for the other (+1); when they sit opposite ways, it is good for both (-1); when they meet, they win from each
other what all `k` results of the board are worth (k - 1). A movement is perfect when the sum is the same for any two
pairs. Every board of a set counts the same, so a set counts once.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from statistics import mean, pvariance

from tourney.movement.pairs.movement import Movement


@dataclass(frozen=True, slots=True)
class Balance:
    """How much the competition between two pairs differs from one two to another."""

    mean: Fraction
    variance: Fraction
    """The mean of the squared distances from the mean; 0 for a perfect movement."""
    least: int
    most: int


def competition(movement: Movement) -> dict[tuple[int, int], int]:
    """Return the competition between any two pairs, the lower number first; the same for both."""
    values = dict.fromkeys(combinations(range(1, movement.pairs + 1), 2), 0)
    for rows in movement.by_set.values():
        seats = sorted((pair, row.side_of(pair), row.table, row.round) for row in rows for pair in row.pairs)
        for (one, *sits), (other, *faces) in combinations(seats, 2):
            if sits[1:] == faces[1:]:
                values[one, other] += len(rows) - 1
            else:
                values[one, other] += 1 if sits[0] == faces[0] else -1
    return values


def measure_balance(movement: Movement) -> Balance:
    """Return the balance of a movement over all its pairs, two by two."""
    values = competition(movement).values()
    exact = [Fraction(value) for value in values]
    return Balance(mean(exact), pvariance(exact), min(values), max(values))
