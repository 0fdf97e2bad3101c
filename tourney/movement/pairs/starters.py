"""Finds the first round from which a balanced Howell is generated, the same for the same number of pairs.

Let `m` be the number of rounds, the pairs but one the residues 0 to m - 1, and let every pair and every set move on
by one each round while the last pair stays. Round 1 then has to be what mathematicians call a strong starter: residue
0 meets the pair that stays; the others meet so that their differences are all residues but 0, which makes everybody
meet once, and their sums are different and not 0. With the sum as the number of the set, everybody plays each set
once and no two tables share one.

Where each pair sits determines the balance and nothing else. On one set, let d(x) be 1 for the residues that play it
North-South and -1 for East-West. Two pairs at a distance of k compete by the sum of d(x) * d(x + k), plus what they
get for meeting, so a movement is perfect when that sum is the same for every k. A strong starter has the directions
of round 1 there too, in another order, except that residue 0 has to sit the other way; a barometer, where all tables
play the same set, has just those of round 1. So directions are chosen first, from the quadratic residues where m is
a prime and by exchanging directions at random elsewhere; then a starter is searched whose pairs have one member in
each direction.

Sources: directions, the theory of difference sets; starters, the hill climbing of J. H. Dinitz and D. R. Stinson.
"""

from collections.abc import Sequence
from typing import Final

_RESTARTS_MAX: Final = 2000
"""Searches for a starter before other directions are tried; 400 were enough for up to 128 pairs."""
_STEPS_PER_RESIDUE: Final = 20
"""Steps of a search: those that lead anywhere need fewer."""
_SWAPS_MAX: Final = 6000
"""Exchanges of two directions that are tried, in each of `_DIRECTIONS_TRIED` attempts."""
_DIRECTIONS_TRIED: Final = 4

Starter = list[tuple[int, int]]
"""The residues that meet in round 1, North-South first."""


class _Dice:
    """Even random numbers from a seed, on every platform the same: SplitMix64 (Steele, Lea and Flood, 2014)."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        """Return a number from 0 to below `limit`."""
        mask = 2**64 - 1
        self._state = (self._state + 0x9E3779B97F4A7C15) & mask
        mixed = ((self._state ^ self._state >> 30) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
        return (mixed ^ mixed >> 31) % limit


def find_starter(modulus: int, *, is_strong: bool) -> tuple[int, Starter]:
    """Return the direction of residue 0 in round 1, 1 for North-South or -1, and who meets there among the others.

    Args:
        modulus: the number of residues, odd and at least 3.
        is_strong: whether sums have to be different, so that they are the sets; otherwise it is for a barometer.
            There are no strong starters for 3, 5 and 9.
    """
    dice = _Dice(modulus)
    while True:
        directions = _choose_directions(modulus, dice)
        own = sum(directions)  # 1 or -1: the residue left over is in the direction that has one more
        firsts = [place for place, direction in enumerate(directions) if direction == own]
        for attempt in range(_RESTARTS_MAX):
            first = firsts[attempt % len(firsts)]
            shifted = [*directions[first:], *directions[:first]]
            starter = _climb(shifted, dice, is_strong=is_strong)
            if starter is not None:
                return -own if is_strong else own, starter


def _choose_directions(modulus: int, dice: _Dice) -> list[int]:
    """Return 1 or -1 for each residue, one more of the one than of the other, as balanced as can be found."""
    if all(modulus % factor for factor in range(3, int(modulus**0.5) + 1, 2)):
        residues = {place * place % modulus for place in range(modulus)}
        return [1 if place in residues else -1 for place in range(modulus)]
    tries = [_swap_directions(modulus, dice) for _ in range(_DIRECTIONS_TRIED)]
    return min(tries)[1]


def _swap_directions(modulus: int, dice: _Dice) -> tuple[int, list[int]]:
    """Exchange directions while that makes the sums more even; return how uneven they are left, and directions."""
    directions = [1] * (modulus - modulus // 2) + [-1] * (modulus // 2)
    for place in range(modulus - 1, 0, -1):
        other = dice.below(place + 1)
        directions[place], directions[other] = directions[other], directions[place]
    half = range(1, modulus // 2 + 1)
    sums = [sum(directions[i] * directions[i - k] for i in range(modulus)) for k in half]
    uneven = _unevenness(sums)
    best = 0 if modulus % 4 == 3 else 4 * len(sums)  # a sum equals the modulus, modulo 4
    for _ in range(_SWAPS_MAX):
        if uneven == best:
            break
        one, other = dice.below(modulus), dice.below(modulus)
        if directions[one] == directions[other]:
            continue
        changed = _sums_after_swap(directions, sums, one, other)
        if _unevenness(changed) <= uneven:
            sums, uneven = changed, _unevenness(changed)
            directions[one], directions[other] = directions[other], directions[one]
    return uneven, directions


def _sums_after_swap(directions: Sequence[int], sums: Sequence[int], one: int, other: int) -> list[int]:
    modulus, own = len(directions), directions[one]
    changed = []
    for k, value in enumerate(sums, 1):
        around = directions[one - k] + directions[(one + k) % modulus]
        against = directions[other - k] + directions[(other + k) % modulus]
        changed.append(value - 2 * own * (around - against))
    apart = (one - other) % modulus
    changed[min(apart, modulus - apart) - 1] -= 4  # the product of the two themselves stays as it was
    return changed


def _unevenness(sums: Sequence[int]) -> int:
    """Return the squared distance from the mean, which is -1 whatever the directions."""
    return sum((value + 1) ** 2 for value in sums)


def _climb(directions: Sequence[int], dice: _Dice, *, is_strong: bool) -> Starter | None:
    """Search a starter whose pairs have one member in each direction; None if the search gets stuck.

    Each step seats a residue at a difference that is still missing. Where that takes away the partner of another, or
    its sum, the other goes back among the missing; so there are never fewer at the tables than before.
    """
    modulus = len(directions)
    standing = [place for place in range(1, modulus) if directions[place] == 1]
    differences = list(range(1, modulus // 2 + 1))
    partners: dict[int, int] = {}
    by_sum: dict[int, int] = {}
    for _ in range(_STEPS_PER_RESIDUE * modulus):
        if not standing:
            return sorted((one, other) for one, other in partners.items() if directions[one] == 1)
        one_at, difference_at = dice.below(len(standing)), dice.below(len(differences))
        one, difference = standing[one_at], differences[difference_at]
        other = (one + (difference if dice.below(2) else -difference)) % modulus
        total = (one + other) % modulus
        if other == 0 or directions[other] == 1 or (is_strong and total == 0):
            continue
        taken = {partners[other]} if other in partners else set()
        if is_strong and total in by_sum:
            taken.add(by_sum[total])
        if len(taken) > 1:
            continue
        del standing[one_at], differences[difference_at]
        for gone in taken:
            left = partners.pop(gone)
            del partners[left]
            by_sum.pop((gone + left) % modulus, None)
            standing.append(gone)
            apart = (gone - left) % modulus
            differences.append(min(apart, modulus - apart))
        partners[one], partners[other] = other, one
        if is_strong:
            by_sum[total] = one
    return None
