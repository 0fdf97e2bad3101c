"""The score of a match: fines, and what a forfeited match is worth."""

import pytest

from tourney.scoring.adjusted import score_forfeited_match, walkover_vp
from tourney.scoring.match import BoardComparison, Fines, MatchScore, score_match
from tourney.scoring.victory_points import UserTable, VpHundredths, VpStep, vp_scale

SCALE = vp_scale("wbf-continuous", 24)


def compared(*gains: int) -> list[BoardComparison]:
    return [BoardComparison(number, gain, -gain) for number, gain in enumerate(gains, start=1)]


def figures(score: MatchScore) -> tuple[int, int, int, int]:
    return score.imps_home, score.imps_away, score.vp_home, score.vp_away


# Fines


def test_victory_points_fall_below_zero_when_the_fine_is_greater() -> None:
    score = score_match(compared(24, 24, 24, 24), vp_scale("wbf-continuous", 4), away=Fines(vp=150))
    assert (score.vp_home, score.vp_away) == (2000, -150)


# Matches that were forfeited (White Book 2025, 2.4.2: 60 percent; 3.3: half of the boards)


@pytest.mark.parametrize(("most", "worth"), [(2000, 1200), (2500, 1500), (1999, 1200), (1001, 601)])
def test_a_walkover_is_worth_three_fifths_of_the_scale_fractions_up(most: int, worth: int) -> None:
    table = UserTable(
        (VpStep(0, VpHundredths(500), VpHundredths(500)), VpStep(1, VpHundredths(most), VpHundredths(0)))
    )
    assert walkover_vp(vp_scale("own", 24, {"own": table})) == worth


@pytest.mark.parametrize("gain", [0, -5])
def test_a_margin_that_is_worse_than_a_walkover_does_not_count(gain: int) -> None:
    score = score_forfeited_match(compared(*[gain] * 20), SCALE, home_forfeits=False, away_forfeits=True)
    assert score == MatchScore(0, 0, 0, VpHundredths(1200), VpHundredths(0))


def test_fines_are_taken_off_a_walkover_too() -> None:
    score = score_forfeited_match(
        [], SCALE, home_forfeits=False, away_forfeits=True, home=Fines(imps=3, vp=100), away=Fines(vp=50)
    )
    assert figures(score) == (0, 0, 1100, -50)


def test_fines_in_victory_points_are_taken_off_a_margin_so_far_once() -> None:
    score = score_forfeited_match(
        compared(*[5] * 12), SCALE, home_forfeits=False, away_forfeits=True, home=Fines(vp=100)
    )
    assert figures(score) == (60, 0, 1906 - 100, 0)


def test_the_innocent_side_s_own_penalty_in_imps_is_in_its_margin() -> None:
    score = score_forfeited_match(
        compared(*[5] * 12), SCALE, home_forfeits=False, away_forfeits=True, home=Fines(imps=10)
    )
    assert score == MatchScore(12, 50, 0, VpHundredths(1819), VpHundredths(0), lost_home=10)
