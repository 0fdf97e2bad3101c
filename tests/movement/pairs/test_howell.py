"""Howell movements against the published ones, and what holds for any number of pairs."""

import itertools
from collections import Counter

import pytest

from tests.support.golden_figures import golden_movement
from tourney.movement.pairs.balance import measure_balance
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.movement import Movement


@pytest.mark.parametrize("pairs", [4, 6, 8, 10, 12, 14, 16])
def test_every_published_howell_row_for_row(pairs: int) -> None:
    variants = golden_movement(f"howell_{pairs:02}")
    assert list(plan_howell(pairs).rows) == next(iter(variants.values()))


def test_six_pairs_play_ten_rounds_of_half_sets() -> None:
    movement = plan_howell(6, rounds=10)
    assert list(movement.rows) == golden_movement("howell_06")["howell6-10rounds"]
    assert "every round" not in " ".join(movement.remarks)
    assert measure_balance(movement).variance == 0


@pytest.mark.parametrize("rounds", [6, 7, 9])
def test_six_pairs_may_play_any_number_of_rounds_up_to_ten(rounds: int) -> None:
    rows = plan_howell(6, rounds=10).rows
    assert plan_howell(6, rounds=rounds).rows == tuple(row for row in rows if row.round <= rounds)


def meetings(movement: Movement) -> Counter[frozenset[int]]:
    return Counter(frozenset(row.pairs) for row in movement.rows if row.is_played)


GENERATED = [*range(18, 42, 2), 50, 64]


@pytest.mark.parametrize("pairs", [8, 10, 12, 14, 16, *GENERATED])
def test_everybody_meets_everybody_once_and_plays_every_set_once_at_one_table(pairs: int) -> None:
    movement = plan_howell(pairs)
    assert (movement.pairs, movement.rounds, movement.tables, movement.sets) == (
        pairs,
        pairs - 1,
        pairs // 2,
        pairs - 1,
    )
    assert meetings(movement) == Counter(map(frozenset, itertools.combinations(range(1, pairs + 1), 2)))
    for pair in range(1, pairs + 1):
        assert {row.board_set for row in movement.of_pair(pair)} == set(range(1, pairs))
    for rows in movement.by_round.values():
        sets = [row.board_set for row in rows]
        assert len(set(sets)) == len(sets)
    assert movement.remarks == ()
    assert not movement.has_two_winners


@pytest.mark.parametrize("pairs", [*range(4, 32, 2), 40])
def test_a_barometer_has_one_set_a_round_and_everybody_meets_everybody(pairs: int) -> None:
    movement = plan_howell(pairs, is_barometer=True)
    assert all(row.board_set == row.round for row in movement.rows)
    assert meetings(movement) == Counter(map(frozenset, itertools.combinations(range(1, pairs + 1), 2)))


@pytest.mark.parametrize("is_barometer", [False, True])
@pytest.mark.parametrize("pairs", [5, 7, 9, 11, 13, 19, 21])
def test_with_a_phantom_every_pair_sits_out_once(pairs: int, is_barometer: bool) -> None:
    movement = plan_howell(pairs, has_phantom=True, is_barometer=is_barometer)
    assert (movement.pairs, movement.rounds, movement.tables) == (pairs, pairs, pairs // 2)
    assert Counter(row.pairs[0] for row in movement.rows if not row.is_played) == Counter(range(1, pairs + 1))
    assert set(meetings(movement).values()) == {1}


def test_the_same_number_of_pairs_has_the_same_movement_in_every_process() -> None:
    first = [(row.ns, row.ew, row.board_set) for row in plan_howell(20).by_round[1]]
    assert first == [
        *((20, 1, 1), (2, 18, 19), (3, 10, 12), (4, 19, 3), (6, 12, 17)),
        *((8, 7, 14), (13, 15, 8), (14, 5, 18), (16, 11, 7), (17, 9, 6)),
    ]


def test_with_fewer_rounds_than_a_full_howell_not_everybody_meets_and_it_says_so() -> None:
    movement = plan_howell(10, rounds=6)
    assert movement.rows == tuple(row for row in plan_howell(10).rows if row.round <= 6)
    assert "15 of 45 encounters of two pairs do not take place" in movement.remarks
