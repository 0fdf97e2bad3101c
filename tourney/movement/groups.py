"""Groups that play side by side: how teams are dealt into them, and how the best of each are seeded afterwards."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def deal_into_groups(teams: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """Deal teams into groups in serpentine order: 1 4 5 8 and 2 3 6 7.

    The groups differ by one team at most.
    """
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for start in range(0, len(teams), groups):
        row = teams[start : start + groups]
        there = dealt if start // groups % 2 == 0 else reversed(dealt)
        for group, team in zip(there, row, strict=False):  # the last row may be shorter
            group.append(team)
    return tuple(map(tuple, dealt))


def seed_from_groups(rankings: Sequence[Sequence[T]], count: int) -> tuple[T, ...]:
    """Return the best `count` teams, equally many from each group: the winners by group, then the seconds, and so on.

    Args:
        rankings: the teams of each group, best first.
        count: how many advance, rounded up to a multiple of the number of groups.

    A group with fewer teams, because some have left it, contributes all of them.
    """
    places = -(-count // len(rankings))
    return tuple(ranking[place] for place in range(places) for ranking in rankings if place < len(ranking))


def group_letter(index: int) -> str:
    """Return the letter of group `index`, counted from 0: `A`, `B`, ... `Z`, `AA`, `AB`, ..."""
    letters = ""
    number = index + 1
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[letter] + letters
    return letters


def group_number(letters: str) -> int:
    """Return the number of a group, counted from 1, from its letter: the reverse of `group_letter`."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
