"""`tourney.scoring.strength.ratings`, against least squares worked out with numpy."""

import random
from itertools import combinations

import pytest

from tests.support.least_squares import rate_by_least_squares
from tourney.scoring.strength.estimate import QUANTILE_95
from tourney.scoring.strength.ratings import PairedSwing, rate_programs

NAMES = ("Alpha", "Bravo", "Charlie", "Delta", "Echo")
TRUE = dict(zip(NAMES, (0.8, 0.3, 0.0, -0.4, -0.7), strict=True))


def play(source: random.Random, deals: int, luck: float = 2.0) -> list[PairedSwing]:
    """Return the swings of a league: a program's luck on a deal is common to its tables."""
    swings = []
    for deal in range(deals):
        own = {name: source.gauss(TRUE[name], luck) for name in NAMES}
        for first, second in combinations(NAMES, 2):
            if source.random() < 0.8:
                swings.append(PairedSwing(deal, first, second, round(own[first] - own[second] + source.gauss(0, 4))))
    return swings


def test_ratings_and_their_errors_are_those_of_an_independent_least_squares() -> None:
    swings = play(random.Random(5), 60)
    (found,) = rate_programs(swings)
    ratings, covariance = rate_by_least_squares(
        NAMES, [(swing.deal, swing.first, swing.second, float(swing.swing)) for swing in swings]
    )
    assert {rating.name: rating.rating for rating in found.ratings} == pytest.approx(ratings)
    assert found.covariance == pytest.approx(covariance)
    for rating in found.ratings:
        assert rating.error == pytest.approx(covariance[rating.name, rating.name] ** 0.5)
        assert QUANTILE_95 * rating.error == pytest.approx(1.96 * rating.error, rel=1e-4)
    difference, error = found.difference("Alpha", "Echo")
    assert difference == pytest.approx(ratings["Alpha"] - ratings["Echo"])
    variance = covariance["Alpha", "Alpha"] + covariance["Echo", "Echo"] - 2 * covariance["Alpha", "Echo"]
    assert error == pytest.approx(variance**0.5)


def test_intervals_hold_the_true_ratings_about_as_often_as_they_say() -> None:
    source = random.Random(9)
    held = total = 0
    for _ in range(120):
        (found,) = rate_programs(play(source, 40))
        for rating in found.ratings:
            held += abs(rating.rating - TRUE[rating.name]) <= QUANTILE_95 * rating.error
            total += 1
    assert 0.90 <= held / total <= 0.98


def test_programs_that_no_chain_of_matches_joins_have_lists_of_their_own() -> None:
    swings = [PairedSwing(1, "A", "B", 3), PairedSwing(1, "B", "C", 0), PairedSwing(1, "X", "Y", -2)]
    first, second = rate_programs(swings)
    assert [rating.name for rating in first.ratings] == ["A", "B", "C"]
    assert [(rating.name, rating.rating) for rating in second.ratings] == [("Y", 1.0), ("X", -1.0)]


def test_equal_programs_are_equally_likely_to_be_better() -> None:
    (found,) = rate_programs([PairedSwing(deal, "A", "B", 0) for deal in range(5)])
    assert [rating.superiority for rating in found.ratings] == [0.5, None]
