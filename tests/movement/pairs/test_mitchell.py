"""Mitchell movements against the published ones, and what holds for any number of tables."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from tests.support.golden_figures import golden_movement
from tourney.movement.pairs.mitchell import Phantom, advise_switched_rounds, plan_mitchell
from tourney.movement.pairs.movement import Movement, MovementRow


def golden(name: str) -> list[MovementRow]:
    (rows,) = golden_movement(name).values()
    return rows


def test_seven_tables_are_a_straight_mitchell() -> None:
    assert list(plan_mitchell(14).rows) == golden("mitchell_07_straight")


def test_eight_tables_share_and_relay() -> None:
    plan = plan_mitchell(16)
    assert list(plan.rows) == golden("mitchell_08_relay")
    assert plan.remarks[-1] == "tables share a set in every round"


def test_nine_tables_with_the_last_round_switched() -> None:
    switched = advise_switched_rounds(9, 9)
    assert list(plan_mitchell(18, switched=switched).rows) == golden("mitchell_09_last_round_switched")


def test_the_printed_switched_mitchell_is_rounds_two_to_nine_with_three_of_them_switched() -> None:
    rows = plan_mitchell(18, switched={5, 6, 8}).rows
    later = [replace(row, round=row.round - 1) for row in rows if row.round > 1]
    published = golden("mitchell_09_switched")
    assert {row.round for row in published if row.ns != row.table} == {4, 5, 7}
    assert later == published


def test_seven_tables_with_a_rover() -> None:
    assert list(plan_mitchell(15, phantom=Phantom.ROVER).rows) == golden("mitchell_07_rover")


@pytest.mark.parametrize("tables", range(6, 16))
def test_a_rover_meets_no_set_twice_and_only_at_9_and_15_tables_a_pair_twice(tables: int) -> None:
    movement = plan_mitchell(2 * tables + 1, phantom=Phantom.ROVER)
    assert movement.rounds == tables
    assert sum(not row.is_played for row in movement.rows) == tables
    often = Counter(frozenset(row.pairs) for row in movement.rows if row.is_played).most_common(2)
    assert [times for _, times in often] == ([2, 1] if tables in (9, 15) else [1, 1])


def crossings(movement: Movement) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(row.pairs)) for row in movement.rows if row.is_played)


@pytest.mark.parametrize("is_barometer", [False, True])
@pytest.mark.parametrize("tables", range(2, 25))
def test_in_a_complete_mitchell_every_north_south_pair_meets_every_east_west_pair(
    tables: int, is_barometer: bool
) -> None:
    movement = plan_mitchell(2 * tables, is_barometer=is_barometer)
    north_south, east_west = range(1, tables + 1), range(tables + 1, 2 * tables + 1)
    assert crossings(movement) == Counter(itertools.product(north_south, east_west))
    assert movement.has_two_winners
    for pair in range(1, 2 * tables + 1):
        assert {row.board_set for row in movement.of_pair(pair)} == set(range(1, tables + 1))


@pytest.mark.parametrize("phantom", [Phantom.NORTH_SOUTH, Phantom.EAST_WEST])
@pytest.mark.parametrize("pairs", [5, 7, 9, 15])
def test_a_phantom_lets_the_pairs_of_the_other_direction_sit_out_one_after_the_other(
    pairs: int, phantom: Phantom
) -> None:
    movement = plan_mitchell(pairs, phantom=phantom)
    tables = (pairs + 1) // 2
    assert (movement.pairs, movement.tables) == (pairs, tables - 1)
    sitting_out = [row for row in movement.rows if not row.is_played]
    assert len({row.pairs for row in sitting_out}) == len(sitting_out) == tables
    missing_north_south = phantom is Phantom.NORTH_SOUTH
    assert {row.ns is None for row in sitting_out} == {missing_north_south}
    assert {row.table for row in sitting_out} == ({tables} if missing_north_south else set(range(1, tables + 1)))


@pytest.mark.parametrize(("tables", "last"), [(5, 1), (11, 1), (12, 2), (13, 2)])
def test_the_last_round_is_switched_and_from_twelve_tables_the_last_two(tables: int, last: int) -> None:
    assert advise_switched_rounds(tables, tables) == frozenset(range(tables - last + 1, tables + 1))
    assert not plan_mitchell(2 * tables, switched=advise_switched_rounds(tables, tables)).has_two_winners
