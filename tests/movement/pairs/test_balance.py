"""The balance of movements against worked figures."""

from fractions import Fraction

import pytest

from tourney.movement.pairs.balance import competition, measure_balance
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.mitchell import advise_switched_rounds, plan_mitchell

SWITCHED = {
    5: ("6.2", "2.6", "11.5"),
    7: ("12.2", "1.1", "10.9", "22.0"),
    8: ("15.9", "1.5", "9.3", "21.5"),
    9: ("20.2", "1.4", "7.9"),
    10: ("24.9", "2.7", "6.6"),
    11: ("30.2", "3.5", "5.0"),
    12: ("35.9", "5.8", "4.3", "19.7"),
    13: ("42.2", "7.6", "3.1", "18.5"),
}
"""Variance of a Mitchell with so many tables, the last 0, 1, 2, ... rounds switched."""


@pytest.mark.parametrize("tables", SWITCHED)
def test_variance_of_mitchells_by_the_number_of_rounds_switched(tables: int) -> None:
    computed = [
        measure_balance(plan_mitchell(2 * tables, switched=range(tables - last + 1, tables + 1))).variance
        for last in range(len(SWITCHED[tables]))
    ]
    assert tuple(f"{float(variance):.1f}" for variance in computed) == SWITCHED[tables]


@pytest.mark.parametrize("tables", range(5, 14))
def test_the_advised_switch_is_the_most_even_one(tables: int) -> None:
    def variance(last: int) -> Fraction:
        return measure_balance(plan_mitchell(2 * tables, switched=range(tables - last + 1, tables + 1))).variance

    advised = len(advise_switched_rounds(tables, tables))
    assert variance(advised) == min(map(variance, range(4)))


@pytest.mark.parametrize(("pairs", "each"), [(8, 3), (12, 5), (16, 7), (20, 9), (24, 11), (32, 15)])
def test_a_howell_of_a_multiple_of_four_pairs_is_perfect(pairs: int, each: int) -> None:
    assert set(competition(plan_howell(pairs)).values()) == {each}


@pytest.mark.parametrize(("pairs", "variance"), [(10, "3.2"), (14, "3.4"), (18, "3.6"), (22, "3.6")])
@pytest.mark.parametrize("is_barometer", [False, True])
def test_other_howells_are_two_from_perfect(pairs: int, variance: str, is_barometer: bool) -> None:
    balance = measure_balance(plan_howell(pairs, is_barometer=is_barometer))
    mean = pairs // 2 - 1
    assert balance.mean == mean
    assert (balance.least, balance.most) == (mean - 2, mean + 2)
    assert f"{float(balance.variance):.1f}" == variance
