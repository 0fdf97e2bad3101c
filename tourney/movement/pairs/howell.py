"""Howell movements: everybody meets everybody once, with one winner.

Up to 16 pairs they are the published ones (EBUScore's movements); above that, and for barometers, they are generated
(`starters`). In both, the last pair stays at its table, and the others follow the pair one lower. An odd number of
pairs plays the next even Howell without that last pair: everybody sits out once.
"""

import functools
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.pairs.movement import (
    Movement,
    MovementRow,
    RoundFigures,
    count_around,
    parse_figures,
    seat_phantom,
)
from tourney.movement.pairs.starters import find_starter

PAIRS_MAX: Final = 128
"""The most pairs of a Howell: 127 rounds, far more than anybody plays; it limits the time of the search."""

_STARTS: Final = parse_figures("""
4: 4-1 (1), 2-3 (1)
8: 3-6 (1), 7-2 (3), 5-4 (4), 8-1 (5)
10: 2-4 (1), 8-7 (2), 10-1 (3), 6-3 (4), 9-5 (5)
12: 7-3 (1), 12-5 (2), 1-11 (3), 9-4 (4), 2-10 (6), 8-6 (7)
14: 8-13 (1), 2-5 (2), 9-11 (3), 14-1 (4), 6-7 (5), 4-10 (6), 3-12 (7)
16: 12-7 (1), 16-1 (2), 10-8 (3), 6-2 (4), 13-5 (5), 4-3 (9), 14-11 (10), 9-15 (12)
""")
"""Round 1 of the published movements that are cyclic, by number of pairs: who meets at each table, with which set."""

_SIX_PAIRS: Final = parse_figures("""
1: 6-1 (1), 5-2 (4), 4-3 (2)
2: 6-2 (2), 1-3 (4), 5-4 (3)
3: 6-3 (3), 2-4 (1), 1-5 (2)
4: 6-4 (4), 3-5 (1), 2-1 (3)
5: 6-5 (5), 4-1 (5), 3-2 (5)
""")
"""The rounds of six pairs, which cannot help sharing a set, here in round 5."""

_SIX_PAIRS_HALF_SETS: Final = parse_figures("""
1: 4-3 (3), 5-2 (5), 6-1 (1)
2: 4-3 (9), 5-2 (7), 6-1 (2)
3: 5-4 (1), 1-3 (7), 6-2 (3)
4: 5-4 (6), 1-3 (10), 6-2 (4)
5: 1-5 (3), 2-4 (10), 6-3 (5)
6: 1-5 (8), 2-4 (2), 6-3 (6)
7: 2-1 (6), 3-5 (2), 6-4 (7)
8: 2-1 (9), 3-5 (4), 6-4 (8)
9: 3-2 (1), 4-1 (4), 6-5 (9)
10: 3-2 (8), 4-1 (5), 6-5 (10)
""")
"""Six pairs in ten rounds of half as many boards: each two meet in two rounds, and no set is shared."""


def plan_howell(
    pairs: int, *, rounds: int | None = None, has_phantom: bool = False, is_barometer: bool = False
) -> Movement:
    """Return a Howell movement.

    Args:
        pairs: how many there are; an odd number needs `has_phantom`.
        rounds: how many are played, one less than there are pairs (with a phantom: as many) if None. With fewer, not
            everybody meets, and pairs play against different fields. Six pairs may play up to ten rounds.
        has_phantom: whether an odd number is played with a phantom, which each pair meets once and then sits out.
        is_barometer: whether all tables play the same set in each round.

    Raises:
        ConfigError: too few pairs or too many, too many rounds, or an odd number without a phantom.
    """
    if not 4 <= pairs <= PAIRS_MAX:
        raise ConfigError(f"a Howell has 4 to {PAIRS_MAX} pairs, got {pairs}")
    if pairs % 2 and not has_phantom:
        raise ConfigError(f"a Howell has an even number of pairs, or `phantom = true`, got {pairs}")
    size = pairs + pairs % 2
    most = 10 if size == 6 and not is_barometer else size - 1
    if rounds is not None and not 1 <= rounds <= most:
        raise ConfigError(f"a Howell for {pairs} pairs has 1 to {most} rounds, got {rounds}")
    played = size - 1 if rounds is None else rounds
    rows = [
        row for row in _plan(size, has_half_sets=played > size - 1, is_barometer=is_barometer) if row.round <= played
    ]
    phantom = " and a phantom" if pairs % 2 else ""
    name = f"Howell for {pairs} pairs{phantom}{', barometer' if is_barometer else ''}"
    return seat_phantom(rows, size, name) if pairs % 2 else Movement(name, tuple(rows))


@functools.lru_cache(maxsize=16)
def _plan(size: int, *, has_half_sets: bool, is_barometer: bool) -> tuple[MovementRow, ...]:
    """Return all rows of the Howell for an even number of pairs."""
    if is_barometer:
        return tuple(
            MovementRow(row.round, row.table, row.ns, row.ew, row.round)
            for row in _turn(size, _generate(size, is_strong=False))
        )
    if size == 6:
        return tuple(
            MovementRow(number, table, *figures)
            for number, tables in (_SIX_PAIRS_HALF_SETS if has_half_sets else _SIX_PAIRS).items()
            for table, figures in enumerate(tables, 1)
        )
    return tuple(_turn(size, _STARTS[size] if size in _STARTS else _generate(size, is_strong=True)))


def _turn(size: int, start: RoundFigures) -> list[MovementRow]:
    """Return all rounds that follow from the first: every number but that of the pair that stays goes up by one."""
    circle = size - 1
    return [
        MovementRow(
            round_,
            table,
            ns if ns == size else count_around(ns + round_ - 1, circle),
            ew if ew == size else count_around(ew + round_ - 1, circle),
            count_around(board_set + round_ - 1, circle),
        )
        for round_ in range(1, size)
        for table, (ns, ew, board_set) in enumerate(start, 1)
    ]


def _generate(size: int, *, is_strong: bool) -> RoundFigures:
    """Return round 1 of a generated Howell. Residue x is pair x + 1, and sets count from residue 0 likewise."""
    circle = size - 1
    direction, starter = find_starter(circle, is_strong=is_strong)
    first = (1, size, 1) if direction == 1 else (size, 1, 1)
    return (first, *((one + 1, other + 1, (one + other) % circle + 1) for one, other in starter))
