"""Individual movements: partners change after each round, so that everybody plays with and against everybody.

They are whist tournaments Wh(v): of v players each pair are partners once and opponents twice. All of them here are
cyclic: round 1 is given, and each later round has every player's number one higher, the highest of those that move
followed by 1. Of 4n players the last one stays at its table and the others move, which takes 4n - 1 rounds; of 4n + 1
all move, and each sits out once in 4n + 1 rounds. E. H. Moore gave the construction ("Tactical Memoranda", American
Journal of Mathematics 18, 1896); I. Anderson, "Combinatorial Designs and Tournaments" (Oxford 1997), chapter 11, has
its theory. The first rounds were found by a search for differences that occur as often as they must; a test counts
the meetings of each movement.
"""

import functools
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.pairs.movement import Movement, MovementRow, parse_figures
from tourney.movement.round_robin import Pairing

_FIRST_ROUNDS: Final = parse_figures("""
4: 3 0 1 2
5: 1 4 2 3
8: 7 0 1 3, 2 6 4 5
12: 11 0 1 3, 2 9 6 7, 4 10 5 8
13: 1 4 2 7, 3 12 6 8, 5 11 9 10
16: 15 0 1 2, 3 6 9 11, 4 13 8 12, 5 10 7 14
17: 1 2 3 8, 4 15 10 12, 5 9 6 13, 7 16 11 14
20: 19 0 1 2, 3 5 9 15, 4 14 12 17, 6 18 10 13, 7 11 8 16
21: 1 2 3 6, 4 13 12 19, 5 9 14 16, 7 20 11 17, 8 18 10 15
24: 23 0 1 2, 3 5 7 17, 4 12 18 22, 6 20 10 13, 8 19 11 16, 9 15 14 21
""")
"""The tables of the first round by number of players, who are numbered from 0: North, South, East and West.

Of 4n players the last one stays; of 4n + 1 players, 0 sits out.
"""

INDIVIDUAL_SIZES: Final = tuple(_FIRST_ROUNDS)
"""The numbers of players that have a movement."""

COMPARED_MIN: Final = 8
"""The fewest players at two tables, so that results on a board can be compared."""


@dataclass(frozen=True, slots=True)
class IndividualRow:
    """A table of a round: the players in its seats, by number from 1. All tables of a round play the same boards."""

    round: int
    table: int
    north: int
    south: int
    east: int
    west: int

    @property
    def partnerships(self) -> tuple[Pairing, Pairing]:
        """The partners North-South and those East-West, the lower number first."""
        return _ordered(self.north, self.south), _ordered(self.east, self.west)


def _ordered(one: int, other: int) -> Pairing:
    return min(one, other), max(one, other)


def plan_individual(players: int, least: int = INDIVIDUAL_SIZES[0]) -> tuple[IndividualRow, ...]:
    """Return the movement of so many players, of whom there are to be `least` or more.

    Raises:
        ConfigError: there is none.
    """
    first = _FIRST_ROUNDS.get(players)
    if first is None or players < least:
        *others, last = (size for size in INDIVIDUAL_SIZES if size >= least)
        raise ConfigError(f"an individual is for {', '.join(map(str, others))} or {last} players, got {players}")
    moving = players - 1 if players % 4 == 0 else players

    def number(place: int, later: int) -> int:
        return players if place == moving else (place + later) % moving + 1

    return tuple(
        IndividualRow(later + 1, table, *(number(place, later) for place in seats))
        for later in range(moving)
        for table, seats in enumerate(first, 1)
    )


def name_partnership(one: str, other: str) -> str:
    """Return the name of two partners at the table, the one with the lower number first."""
    return f"{one} and {other}"


def partnerships(players: int) -> tuple[Pairing, ...]:
    """Return all partnerships of so many players by their numbers, the lower first, in a fixed order."""
    return tuple(combinations(range(1, players + 1), 2))


@functools.lru_cache(maxsize=16)
def movement_of_partnerships(players: int) -> Movement:
    """Return the movement as one of its partnerships, each numbered by its place among `partnerships`, from 1.

    Raises:
        ConfigError: there is none for so many players.
    """
    numbers = {partners: number for number, partners in enumerate(partnerships(players), 1)}
    rows = []
    for row in plan_individual(players, COMPARED_MIN):
        ns, ew = (numbers[partners] for partners in row.partnerships)
        rows.append(MovementRow(row.round, row.table, ns, ew, row.round))
    return Movement(f"individual of {players} players", tuple(rows))
