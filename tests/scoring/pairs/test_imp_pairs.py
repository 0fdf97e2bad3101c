"""Cross-IMPs and Butler of pairs against published figures."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.golden_figures import golden_pairs_example
from tourney.scoring.assigned import WeightedScore, round_half_away
from tourney.scoring.butler import Datum, Trim, datum_of
from tourney.scoring.imps import imps
from tourney.scoring.pairs.imp_pairs import cross_imps, cross_imps_per_comparison
from tourney.scoring.pairs.traveller import Frequencies

BBO = golden_pairs_example("butler_bbo")
BBO_FREQUENCIES: Frequencies = {int(score): Fraction(times) for score, times in BBO["frequencies"].items()}


def played(score: int) -> tuple[WeightedScore, ...]:
    return (WeightedScore(1, score),)


def test_published_datum_and_butler_imps() -> None:
    datum = datum_of(BBO_FREQUENCIES, 22, Datum.MEAN, 0)
    assert datum == BBO["datum"]
    assert {str(score): imps(score - datum) for score in BBO_FREQUENCIES} == BBO["butler_imps_ns"]


def test_cross_imps_of_that_board_per_comparison() -> None:
    for score, mean in BBO["cross_imps_mean_ns"].items():
        per_comparison = cross_imps_per_comparison(played(int(score)), BBO_FREQUENCIES)
        assert per_comparison is not None
        assert f"{float(per_comparison):.2f}" == mean


def test_cross_imps_of_six_results() -> None:
    example = golden_pairs_example("cross_imps_small")
    frequencies = {score: Fraction(example["scores"].count(score)) for score in example["scores"]}
    for score in frequencies:
        assert cross_imps(played(score), frequencies) == example["sum"][str(score)]
        per_comparison = cross_imps_per_comparison(played(score), frequencies)
        assert per_comparison is not None
        assert f"{float(per_comparison):.2f}" == example["per_comparison"][str(score)]


def test_a_result_alone_has_no_comparison() -> None:
    assert cross_imps_per_comparison(played(420), {420: Fraction(1)}) is None


@pytest.mark.parametrize(
    ("frequencies", "expected", "trim", "datum"),
    [
        ({620: Fraction(3, 10), 170: Fraction(7, 10), 140: Fraction(1)}, 2, 0, 220),
        ({620: Fraction(1), 170: Fraction(1), 140: Fraction(1), -100: Fraction(1)}, 4, 1, 160),
        ({620: Fraction(1), 170: Fraction(1), 140: Fraction(1), -100: Fraction(1)}, 8, 1, 190),
        ({620: Fraction(1), 170: Fraction(1), 140: Fraction(1), -100: Fraction(1)}, 8, 2, 160),
    ],
)
def test_a_datum_of_weighted_scores_and_of_fewer_results(
    frequencies: Frequencies, expected: int, trim: int, datum: int
) -> None:
    assert datum_of(frequencies, expected, Datum.MEAN, trim) == datum


def by_hand(scores: list[int], kind: Datum, trim: Trim) -> int:
    """The datum of whole results, listed in order: those in the middle, or all but the trimmed ones."""
    out = min(trim if isinstance(trim, int) else int(trim * len(scores)), (len(scores) - 1) // 2)
    if kind is Datum.MEDIAN:
        out = (len(scores) - 1) // 2
    kept = sorted(scores)[out : len(scores) - out]
    return 10 * round_half_away(Fraction(sum(kept), 10 * len(kept)))


@given(st.lists(st.integers(-60, 60).map(lambda tens: 10 * tens), min_size=1, max_size=12), st.integers(0, 4))
def test_with_whole_results_it_is_the_rounded_mean_of_those_that_are_kept(scores: list[int], trim: int) -> None:
    frequencies = {score: Fraction(scores.count(score)) for score in scores}
    for kind in Datum:
        assert datum_of(frequencies, len(scores), kind, trim) == by_hand(scores, kind, trim)
        assert datum_of(frequencies, len(scores), kind, Decimal("0.2")) == by_hand(scores, kind, Decimal("0.2"))
