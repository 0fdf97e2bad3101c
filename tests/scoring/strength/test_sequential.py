"""`tourney.scoring.strength`: the sequential test and its estimates, against figures worked out independently."""

from fractions import Fraction
from itertools import groupby

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.golden_figures import golden_rows
from tourney.errors import ConfigError
from tourney.scoring.strength.estimate import (
    boards_to_come,
    error_by_deal,
    final_estimate,
    running_estimate,
    superiority,
)
from tourney.scoring.strength.sequential import RequiredVerdict, SequentialTest, Tally, Verdict, tally_swings

SEQUENCES = {key: list(rows) for key, rows in groupby(golden_rows("strength_llr"), key=lambda row: row["sequence"])}


def parse_test(key: str) -> SequentialTest:
    _, d0, d1, alpha, beta, cap = key.split("|")
    return SequentialTest(d0=float(d0), d1=float(d1), alpha=float(alpha), beta=float(beta), boards_max=int(cap))


@pytest.mark.parametrize("key", SEQUENCES)
def test_every_board_of_the_golden_sequences_has_the_published_figures_and_decision(key: str) -> None:
    rows, test = SEQUENCES[key], parse_test(key)
    played = list(test.run(int(row["imp"]) for row in rows))
    assert len(played) == len(rows)
    for row, (tally, verdict) in zip(rows, played, strict=True):
        estimate = running_estimate(tally)
        assert (tally.boards, tally.imps, tally.squares, tally.nonzero) == tuple(
            int(row[column]) for column in ("n", "sum", "sum_sq", "nonzero")
        )
        figures = (tally.mean, tally.variance, test.llr(tally), estimate.low, estimate.high, superiority(tally))
        columns = ("mean", "v", "llr", "lo95", "hi95", "los")
        assert figures == pytest.approx([float(row[column]) for column in columns], rel=1e-7, abs=1e-9)
        assert boards_to_come(test, tally).midway == pytest.approx(float(row["more_midway"]), rel=1e-7)
        assert verdict.value == row["decision"]


@pytest.mark.parametrize("key", SEQUENCES)
def test_the_final_estimate_of_the_golden_sequences_is_the_published_one(key: str) -> None:
    rows, test = SEQUENCES[key], parse_test(key)
    tally, verdict = list(test.run(int(row["imp"]) for row in rows))[-1]
    estimate = final_estimate(test, tally, verdict)
    if not rows[-1]["final_est"]:
        assert verdict is Verdict.SAME
        assert estimate is None
        return
    assert estimate is not None
    published = [float(rows[-1][column]) for column in ("final_est", "final_lo", "final_hi")]
    assert (estimate.mean, estimate.low, estimate.high) == pytest.approx(published, abs=3e-4)


@given(st.lists(st.integers(-24, 24), max_size=120))
def test_a_test_of_both_directions_says_the_opposite_if_the_programs_change_places(swings: list[int]) -> None:
    test = SequentialTest(is_two_sided=True, d1=2.0)
    opposite = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    for swing, (tally, verdict) in zip(swings, test.run(swings), strict=False):
        assert test.decide(tally.reversed()) is opposite.get(verdict, verdict), swing


@given(st.lists(st.integers(-24, 24), min_size=1, max_size=60))
def test_the_tally_of_a_duel_that_was_cut_off_goes_on_as_if_it_had_not_been(swings: list[int]) -> None:
    middle = len(swings) // 2
    tally = tally_swings(swings[:middle])
    for swing in swings[middle:]:
        tally = tally.plus(swing)
    assert tally == tally_swings(swings)
    assert tally.boards == len(swings)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
@example([0, 0, 0, 0])
@example([5, 5, 5, 5])
def test_boards_of_any_deals_have_an_interval_and_a_probability(swings: list[int]) -> None:
    error = error_by_deal(swings, [board // 2 for board in range(len(swings))])
    tally = tally_swings(swings)
    assert running_estimate(tally, error).half_width > 0
    assert 0 <= superiority(tally, error) <= 1


def test_weighted_swings_are_counted_exactly() -> None:
    tally = tally_swings([Fraction(1, 3)] * 3)
    assert tally == Tally(boards=3, imps=1, squares=Fraction(1, 3), nonzero=3)


def test_the_second_program_is_found_to_be_better_in_a_test_of_both_directions_only() -> None:
    swings = [-5, -3] * 40
    both = list(SequentialTest(is_two_sided=True).run(swings))
    assert both[-1][1] is Verdict.WORSE
    assert list(SequentialTest().run(swings))[-1][1] is Verdict.NOT_BETTER
    estimate = final_estimate(SequentialTest(is_two_sided=True), *both[-1])
    assert estimate is not None
    assert estimate.low < estimate.mean < estimate.high < 0


@pytest.mark.parametrize(("d1", "can_tell"), [(-0.5, True), (0.0, True), (0.5, False)])
def test_a_rejection_says_worse_only_where_h1_has_no_better(d1: float, can_tell: bool) -> None:
    assert SequentialTest(d0=-1.0, d1=d1).can_tell_worse is can_tell


def test_programs_that_play_alike_are_the_same_after_144_boards_by_default() -> None:
    played = list(SequentialTest().run([0] * 500))
    assert (len(played), played[-1][1]) == (144, Verdict.SAME)


@pytest.mark.parametrize(("d0", "d1", "boards"), [(-0.5, 0.0, 144), (-0.5, -0.1, 144), (-0.25, 0.5, 288)])
def test_boards_without_a_swing_rule_out_that_the_first_program_is_worse(d0: float, d1: float, boards: int) -> None:
    # (1 - 0.5 / 24) ** 144 < 0.05: a mean of -0.5 needs a swing on one board in 48 at least
    played = list(SequentialTest(d0=d0, d1=d1).run([0] * 500))
    assert (len(played), played[-1][1]) == (boards, Verdict.SAME)


@pytest.mark.parametrize(
    ("test", "verdict", "met"),
    [
        (SequentialTest(), Verdict.BETTER, ["better", "not-worse"]),
        (SequentialTest(d0=-0.5, d1=0.0), Verdict.BETTER, ["not-worse"]),
        (SequentialTest(is_two_sided=True), Verdict.BETTER, ["better", "not-worse"]),
        (SequentialTest(), Verdict.NOT_BETTER, []),
        (SequentialTest(d0=-0.5, d1=0.0), Verdict.NOT_BETTER, []),
        (SequentialTest(is_two_sided=True), Verdict.NOT_BETTER, ["not-worse"]),
        (SequentialTest(is_two_sided=True), Verdict.WORSE, []),
        (SequentialTest(), Verdict.SAME, ["not-worse", "same"]),
        (SequentialTest(), Verdict.UNDECIDED, []),
        (SequentialTest(), Verdict.CONTINUE, []),
    ],
)
def test_a_verdict_meets_what_it_says_and_nothing_that_is_only_likely(
    test: SequentialTest, verdict: Verdict, met: list[str]
) -> None:
    assert [required for required in RequiredVerdict if required.is_met(test, verdict)] == met


@pytest.mark.parametrize(
    ("given_figures", "sentence"),
    [
        ({"d0": 0.5, "d1": 0.5}, "d0 must be below d1, got d0 = 0.5 and d1 = 0.5"),
        ({"alpha": 0.5, "beta": 0.5}, "alpha and beta must add up to less than 1, got 0.5 and 0.5"),
        ({"alpha": 0.0}, "alpha is a probability between 0 and 1, got 0"),
        ({"d1": float("nan")}, "d1 is a difference in IMPs a board from -24 to 24, got nan"),
        ({"boards_max": 0}, "a test has 1 to 160000 boards, got 0"),
    ],
)
def test_figures_that_make_no_test_are_refused_in_one_sentence(
    given_figures: dict[str, float], sentence: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        SequentialTest(**given_figures)  # type: ignore[arg-type]
    assert str(refused.value) == sentence
