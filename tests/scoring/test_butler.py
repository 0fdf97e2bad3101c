"""Butler scoring: the datum, and IMPs against it."""

from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.scoring.butler import TRIM_MAX, Datum, Trim, check_trim, datum_of, format_average
from tourney.scoring.imps import imps

FORUM = [980] * 3 + [480] * 11 + [450] * 7 + [-50]
"""22 tables of one board. Source: the example of topic 48693 in the forum of Bridge Base Online."""

scores = st.lists(st.integers(-760, 760).map(lambda tens: 10 * tens), min_size=1, max_size=60)
trims = st.integers(0, TRIM_MAX) | st.decimals(0, Decimal("0.49"), places=2)


def datum(scores_ns: list[int], kind: Datum = Datum.MEAN, trim: Trim = 0) -> int:
    return datum_of(Counter(scores_ns), len(scores_ns), kind, trim)


def test_the_published_example_of_22_tables_has_its_datum_and_imps() -> None:
    assert round(sum(FORUM) / len(FORUM), 2) == 514.55
    assert datum(FORUM) == 510
    assert [imps(score - 510) for score in (980, 480, 450, -50)] == [10, -1, -2, -11]


@pytest.mark.parametrize(
    ("trim", "expected"),
    [
        (0, 510),  # 11320 / 22 = 514.5
        (1, 520),  # without a 980 and the -50: 10390 / 20 = 519.5
        (2, 500),  # and without another 980 and a 450: 8960 / 18 = 497.8
        (Decimal("0.05"), 520),  # 1.1 of 22 results, rounded down
        (Decimal("0.04"), 510),  # 0.88 of 22
    ],
)
def test_the_best_and_the_worst_are_left_out_of_the_datum(trim: Trim, expected: int) -> None:
    assert datum(FORUM, trim=trim) == expected


@pytest.mark.parametrize(
    ("given_scores", "expected"),
    [([10, 20], 20), ([-10, -20], -20), ([140, 150, 150], 150), ([420, -50, -50, -50], 70), ([0], 0)],
)
def test_the_datum_is_the_mean_to_the_nearest_ten_with_an_exact_five_away_from_zero(
    given_scores: list[int], expected: int
) -> None:
    assert datum(given_scores) == expected


@pytest.mark.parametrize(
    ("given_scores", "expected"), [([-50, 420, 450], 420), ([-50, 420, 430, 990], 430), ([-50, -60], -60), ([70], 70)]
)
def test_the_median_is_the_middle_score_or_the_mean_of_the_middle_two(given_scores: list[int], expected: int) -> None:
    assert datum(given_scores, Datum.MEDIAN) == expected


@pytest.mark.parametrize(("number", "expected"), [(1, 10), (2, 20), (3, 20), (4, 30)])
def test_one_or_two_results_stay_however_many_are_to_be_left_out(number: int, expected: int) -> None:
    assert datum([10 * place for place in range(1, number + 1)], trim=TRIM_MAX) == expected


@given(scores, st.sampled_from(Datum), trims)
def test_seen_from_the_other_side_the_datum_is_the_opposite(given_scores: list[int], kind: Datum, trim: Trim) -> None:
    assert datum([-score for score in given_scores], kind, trim) == -datum(given_scores, kind, trim)


@pytest.mark.parametrize("trim", [0, 1, 2, TRIM_MAX, Decimal("0.0"), Decimal("0.1"), Decimal("0.49999")])
def test_a_number_of_results_or_a_part_below_a_half_is_a_trim(trim: Trim) -> None:
    assert check_trim(trim) == trim


@pytest.mark.parametrize("trim", [-1, TRIM_MAX + 1, Decimal("-0.1"), Decimal("0.5"), Decimal(1), Decimal("NaN")])
def test_any_other_trim_is_refused_with_what_is_allowed(trim: Trim) -> None:
    with pytest.raises(ValueError, match=rf"from 0 to 100, or a fraction .* below 0\.5, got {trim}$"):
        check_trim(trim)


@pytest.mark.parametrize(
    ("total", "number", "text"),
    [
        (0, 3, "0.00"),
        (1, 3, "0.33"),
        (-1, 3, "-0.33"),
        (1, 8, "0.13"),
        (-1, 8, "-0.13"),
        (-1, 1000, "0.00"),
        (25, 2, "12.50"),
    ],
)
def test_an_average_has_two_decimals_and_its_halves_go_away_from_zero(total: int, number: int, text: str) -> None:
    assert format_average(total, number) == text
