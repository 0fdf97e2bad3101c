"""Individual movements: who partners and who opposes whom, and how often."""

from collections import Counter
from itertools import combinations

import pytest

from tourney.errors import ConfigError
from tourney.movement.pairs.individual import (
    INDIVIDUAL_SIZES,
    movement_of_partnerships,
    partnerships,
    plan_individual,
)


@pytest.mark.parametrize("players", INDIVIDUAL_SIZES)
def test_each_two_players_are_partners_once_and_opponents_twice(players: int) -> None:
    rows = plan_individual(players)
    partners: Counter[tuple[int, ...]] = Counter()
    opponents: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        partners.update([tuple(sorted((row.north, row.south))), tuple(sorted((row.east, row.west)))])
        opponents.update(
            tuple(sorted((one, other))) for one in (row.north, row.south) for other in (row.east, row.west)
        )
    everybody = list(combinations(range(1, players + 1), 2))
    assert partners == dict.fromkeys(everybody, 1)
    assert opponents == dict.fromkeys(everybody, 2)


@pytest.mark.parametrize("players", INDIVIDUAL_SIZES)
def test_nobody_sits_at_two_tables_and_at_most_one_sits_out(players: int) -> None:
    seated: dict[int, list[int]] = {}
    for row in plan_individual(players):
        seated.setdefault(row.round, []).extend((row.north, row.south, row.east, row.west))
    assert len(seated) == (players - 1 if players % 4 == 0 else players)
    for numbers in seated.values():
        assert len(numbers) == len(set(numbers)) == players - players % 4


def test_each_partnership_plays_once_all_tables_on_the_same_boards() -> None:
    movement = movement_of_partnerships(8)
    assert (movement.pairs, movement.rounds, movement.tables, movement.sets) == (28, 7, 2, 7)
    assert len(partnerships(8)) == 28
    assert all(row.board_set == row.round for row in movement.rows)


def test_other_numbers_of_players_have_no_movement() -> None:
    with pytest.raises(
        ConfigError, match="an individual is for 4, 5, 8, 12, 13, 16, 17, 20, 21 or 24 players, got 10"
    ):
        plan_individual(10)
    with pytest.raises(ConfigError, match="an individual is for 8, 12, 13, 16, 17, 20, 21 or 24 players, got 4"):
        movement_of_partnerships(4)
