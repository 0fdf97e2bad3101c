"""Boards scored in IMPs or in points: figures, totals, margins, and what teams rank by."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.errors import ConfigError
from tourney.scoring.adjusted import score_forfeited_match, score_void_match
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.board_a_match import BoardPoints
from tourney.scoring.board_scale import IMPS, BoardScale, board_a_match_scale, game_scale
from tourney.scoring.match import BoardComparison, Fines, score_match, total_imps
from tourney.scoring.victory_points import UserTable, VpHundredths, VpScale, VpStep

BAM = board_a_match_scale(BoardPoints.ONE, "points")
DOUBLE = board_a_match_scale(BoardPoints.TWO, "points")
WITH_VP = board_a_match_scale(BoardPoints.ONE, "house")
SCORES = st.integers(-760, 760).map(lambda tens: 10 * tens)
WEIGHTED = st.lists(st.builds(WeightedScore, st.integers(1, 100), SCORES), min_size=1, max_size=5)


def one(score: int) -> list[WeightedScore]:
    return [WeightedScore(1, score)]


def points(boards: int, scale: BoardScale = BAM) -> VpScale:
    return scale.vp_scale("points", boards, {})


@pytest.mark.parametrize(
    ("opened", "closed", "home"),
    [(130, 120, "1"), (120, 110, "1"), (110, 120, "0"), (420, 420, "0.5"), (0, 0, "0.5"), (-100, 50, "0")],
)
def test_a_board_is_won_by_any_margin(opened: int, closed: int, home: str) -> None:
    """130 against 120 wins (ACBL handbook: +120 with team-mates -110 is a win)."""
    figure = BAM.compare(one(opened), one(closed), 1)
    assert BAM.format(figure) == home
    assert DOUBLE.format(DOUBLE.compare(one(opened), one(closed), 1)) == {"1": "2", "0.5": "1", "0": "0"}[home]


@given(WEIGHTED, WEIGHTED)
def test_both_teams_share_a_board(opened: list[WeightedScore], closed: list[WeightedScore]) -> None:
    for scale, worth in ((BAM, 100), (DOUBLE, 200)):
        home, away = scale.compare(opened, closed, 1), scale.compare(opened, closed, -1)
        assert home + away == worth
        assert scale.is_balanced(home, away)
        exact = sum(
            Fraction(
                worth
                * mine.weight
                * other.weight
                * (1 + (mine.score_ns > other.score_ns) - (mine.score_ns < other.score_ns)),
                2,
            )
            for mine in opened
            for other in closed
        ) / (sum(part.weight for part in opened) * sum(part.weight for part in closed))
        assert abs(home - exact) <= Fraction(1, 2)


FIGURES = st.sampled_from([(100, 0), (50, 50), (0, 100), (60, 60), (60, 40), (40, 40), (60, 50), (33, 67)])


@given(st.lists(FIGURES, min_size=1, max_size=12), st.integers(0, 150), st.integers(0, 150))
def test_a_teams_own_margin_is_what_it_won_less_what_it_did_not(
    boards: list[tuple[int, int]], fine_home: int, fine_away: int
) -> None:
    compared = [BoardComparison(number, *figures) for number, figures in enumerate(boards, 1)]
    totals = total_imps(compared, Fines(fine_home), Fines(fine_away), BAM)
    home, away = sum(own for own, _ in boards), sum(own for _, own in boards)
    assert (totals.home, totals.away) == (home - fine_home, away - fine_away)
    assert totals.margin_home == home - (100 * len(boards) - home) - fine_home
    assert totals.margin_away == away - (100 * len(boards) - away) - fine_away
    score = score_match(compared, points(len(boards)), Fines(fine_home), Fines(fine_away), BAM)
    assert (score.vp_home, score.vp_away) == (home - fine_home, away - fine_away)


def test_a_cancelled_board_counts_for_nobody() -> None:
    compared = [BoardComparison(1, 100, 0), BoardComparison(2, 0, 0, is_played=False, is_cancelled=True)]
    totals = total_imps(compared, board_scale=BAM)
    assert (totals.home, totals.away, totals.margins) == (100, 0, (100, -100))


def test_points_are_what_teams_rank_by() -> None:
    scale = points(4)
    assert [tuple(step) for step in scale.steps] == [(n, 200 + 50 * n, 200 - 50 * n) for n in range(5)]
    assert [tuple(step) for step in points(2, DOUBLE).steps] == [(0, 200, 200), (2, 300, 100), (4, 400, 0)]


def test_a_scale_of_ones_own_takes_margins_in_whole_points() -> None:
    table = UserTable(
        (VpStep(0, VpHundredths(1000), VpHundredths(1000)), VpStep(2, VpHundredths(1500), VpHundredths(500)))
    )
    scale = WITH_VP.vp_scale("house", 4, {"house": table})
    narrow = [BoardComparison(1, 100, 0), BoardComparison(2, 60, 60), *(BoardComparison(n, 50, 50) for n in (3, 4))]
    assert score_match(narrow, scale, board_scale=WITH_VP).vp_home == 1000  # a margin of 1.2
    wide = [*narrow[:1], *narrow[:1], *narrow[2:]]
    assert score_match(wide, scale, board_scale=WITH_VP).vp_home == 1500


@pytest.mark.parametrize("name", ["wbf-continuous", "wbf-discrete", "seed-24"])
def test_a_scale_for_imps_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="is for margins in IMPs"):
        BAM.vp_scale(name, 24, {})


def test_points_are_no_scale_for_imps() -> None:
    with pytest.raises(ConfigError, match="at board-a-match only"):
        IMPS.vp_scale("points", 24, {})


def test_a_penalty_in_victory_points_is_refused_only_where_teams_rank_by_points() -> None:
    assert "vp" in BAM.refused_penalties
    assert "vp" not in WITH_VP.refused_penalties


def test_a_forfeited_match_is_worth_six_tenths_of_its_boards() -> None:
    score = score_forfeited_match([], points(8), home_forfeits=True, away_forfeits=False, board_scale=BAM)
    assert (score.boards, score.vp_home, score.vp_away) == (0, 0, 480)
    ahead = [BoardComparison(number, 0, 100) for number in range(1, 7)]
    better = score_forfeited_match(ahead, points(8), home_forfeits=True, away_forfeits=False, board_scale=BAM)
    assert (better.boards, better.vp_home, better.vp_away) == (6, 0, 600)


def test_a_void_match_is_average_plus_on_half_of_its_boards_and_average_on_the_rest() -> None:
    boards = [BoardComparison(number, 0, 0, is_played=False, is_cancelled=True) for number in range(1, 6)]
    score = score_void_match(boards, points(5), home_at_fault=False, away_at_fault=True, board_scale=BAM)
    assert (score.imps_home, score.imps_away) == (3 * 60 + 2 * 50, 3 * 40 + 2 * 50)
    assert score.boards == 0
    in_imps = score_void_match(
        boards, IMPS.vp_scale("wbf-continuous", 5, {}), home_at_fault=False, away_at_fault=True
    )
    assert (in_imps.imps_home, in_imps.imps_away) == (9, 0)


# Games of one table


@pytest.mark.parametrize(
    ("scale", "vp", "own", "margin", "is_said"),
    [
        (IMPS, 1200, 26, 16, False),
        (BAM, 450, 450, 300, True),
        (BAM, 400, 450, 300, False),
        (WITH_VP, 450, 450, 300, False),
        (game_scale(in_imps=False), 81_000, 1690, 810, True),
        (game_scale(in_imps=False), 80_950, 1690, 810, False),
    ],
)
def test_what_teams_rank_by_is_shown_unless_the_score_says_it(
    scale: BoardScale, vp: int, own: int, margin: int, is_said: bool
) -> None:
    assert scale.is_said_by_score(vp, own, margin) is is_said
