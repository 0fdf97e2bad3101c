"""The plan of a round robin: every team meets every other once, or twice with home and away exchanged.

Who meets whom at home in each round is read off the Berger tables. Source: the tables of FIDE Handbook C.05, annex 1,
by their rule: the last number meets the others in the order 1, n/2 + 1, 2, n/2 + 2, ..., alternately away and home,
and the rest are paired symmetrically around its opponent.
"""

from dataclasses import dataclass
from itertools import product

Pairing = tuple[int, int]
"""Home team and away team, by their numbers in the draw, 1 first."""


@dataclass(frozen=True, slots=True)
class RoundRobinRound:
    """One round. Teams are numbers in the draw, from 1."""

    pairings: tuple[Pairing, ...]
    """Home team and away team, by table."""
    byes: tuple[int, ...]
    """The team that sits out, with an odd number of teams."""


def plan_round_robin(team_count: int, cycles: int = 1) -> tuple[RoundRobinRound, ...]:
    """Return the rounds of a single (`cycles` 1) or double (2) round robin by the Berger tables.

    An odd number of teams uses the table of the next even one, without the pairings of the missing number: it has
    `n` rounds, an even number `n - 1`.
    """
    size = team_count + team_count % 2
    rounds = []
    for cycle, number in product(range(cycles), range(1, size)):
        pairings = [pair for pair in _round(size, number) if max(pair) <= team_count]
        byes = tuple(set(range(1, team_count + 1)).difference(*pairings))
        rounds.append(RoundRobinRound(tuple(pair[::-1] if cycle else pair for pair in pairings), byes))
    return tuple(rounds)


def _round(size: int, number: int) -> list[Pairing]:
    """Return round `number` of the table for an even `size`."""
    if number % 2:
        pivot = (number + 1) // 2
        pairings = [(pivot, size)]
    else:
        pivot = size // 2 + number // 2
        pairings = [(size, pivot)]
    circle = size - 1
    for k in range(1, size // 2):
        pairings.append(((pivot + k - 1) % circle + 1, (pivot - k - 1) % circle + 1))
    return pairings
