"""Matchpoints and Neuberg's formula against published figures."""

from decimal import Decimal
from fractions import Fraction
from itertools import groupby

import pytest

from tests.support.golden_figures import golden_rows
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.pairs.matchpoints import (
    adjust_matchpoints,
    matchpoints_of_result,
    matchpoints_of_score,
    top_of,
)
from tourney.scoring.pairs.traveller import Average, Frequencies, SideResult, count_frequencies

SEED = golden_rows("matchpoints_seed")
NEUBERG = golden_rows("matchpoints_neuberg")
BY_SCORE = {
    example: list(rows)
    for example, rows in groupby([row for row in NEUBERG if row["ns_score"]], lambda row: row["example"])
}


def frequencies_of(scores: list[int]) -> Frequencies:
    return {score: Fraction(scores.count(score)) for score in scores}


def test_the_traveller_of_the_rules_result_by_result() -> None:
    frequencies = frequencies_of([int(row["ns_score"]) for row in SEED])
    for row in SEED:
        points = matchpoints_of_score(int(row["ns_score"]), frequencies)
        assert points == int(row["mp_ns"])
        assert top_of(7) - points == int(row["mp_ew"])


@pytest.mark.parametrize("example", BY_SCORE)
def test_matchpoints_of_every_published_frequency_table(example: str) -> None:
    rows = BY_SCORE[example]
    frequencies = {int(row["ns_score"]): Fraction(row["count"]) for row in rows}
    for row in rows:
        assert matchpoints_of_score(int(row["ns_score"]), frequencies) == Fraction(row["group_mp"])


@pytest.mark.parametrize(
    "row",
    [row for row in NEUBERG if row["example"] != "doe-3-of-10"],
    ids=lambda row: f"{row['example']}-{row['group_mp']}",
)
def test_every_published_adjustment_to_fewer_results(row: dict[str, str]) -> None:
    adjusted = adjust_matchpoints(Fraction(row["group_mp"]), int(row["group_results"]), int(row["expected_results"]))
    assert adjusted is not None
    assert f"{float(adjusted):.4f}" == row["adjusted_mp"]
    if published := row["published_mp"]:
        places = -int(Decimal(published).as_tuple().exponent)
        assert f"{float(adjusted):.{places}f}" == published


@pytest.mark.parametrize("row", [row for row in NEUBERG if row["example"] == "doe-3-of-10"], ids=str)
def test_three_of_ten_are_a_small_group_today(row: dict[str, str]) -> None:
    """The article of that example still used the formula; the White Book has 70, 60 and 50 percent of 18."""
    adjusted = adjust_matchpoints(Fraction(row["group_mp"]), 3, 10)
    assert adjusted == {"4": Fraction(63, 5), "2": Fraction(54, 5), "0": Fraction(9)}[row["group_mp"]]


@pytest.mark.parametrize(
    ("results", "expected", "percentages"),
    [
        (3, 13, {4: 70, 3: 65, 2: 60, 1: 55, 0: 50}),
        (2, 13, {2: 65, 1: 60, 0: 55}),
        (2, 6, {2: 65, 0: 55}),
        (3, 9, {4: 70, 0: 50}),
    ],
)
def test_small_groups_have_fixed_percentages(results: int, expected: int, percentages: dict[int, int]) -> None:
    for matchpoints, percentage in percentages.items():
        adjusted = adjust_matchpoints(Fraction(matchpoints), results, expected)
        assert adjusted == Fraction(percentage * top_of(expected), 100)


@pytest.mark.parametrize(("results", "expected"), [(3, 8), (2, 5), (4, 13), (4, 100)])
def test_larger_groups_follow_the_formula(results: int, expected: int) -> None:
    top = 2 * (results - 1)
    assert adjust_matchpoints(Fraction(top), results, expected) == Fraction((top + 1) * expected, results) - 1


@pytest.mark.parametrize("expected", [2, 3, 10])
def test_a_result_alone_has_nothing_to_be_compared_with_however_many_were_expected(expected: int) -> None:
    assert adjust_matchpoints(Fraction(0), 1, expected) is None


def test_a_weighted_score_is_converted_part_by_part() -> None:
    """30 percent of 9.7 and 70 percent of 5.7 are 6.90 (EBU White Book)."""
    ruled = (WeightedScore(30, 620), WeightedScore(70, 170))
    frequencies = {620: Fraction(7, 10), 170: Fraction(3), 140: Fraction(7, 2), -100: Fraction(3, 5)}
    upper, lower = (matchpoints_of_score(score, frequencies) for score in (620, 170))
    assert matchpoints_of_result(ruled, frequencies) == (3 * upper + 7 * lower) / 10
    assert (3 * Fraction("9.7") + 7 * Fraction("5.7")) / 10 == Fraction("6.9")


def test_a_weighted_score_counts_in_the_frequencies_with_its_shares() -> None:
    results: list[SideResult] = [
        (WeightedScore(3, 620), WeightedScore(7, 170)),
        (WeightedScore(1, 170),),
        Average.PLUS,
    ]
    assert count_frequencies(results) == {620: Fraction(3, 10), 170: Fraction(17, 10)}
