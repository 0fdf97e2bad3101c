"""The figures of a match worked out again in fractions, from what each team scored on each board."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tourney.movement.ranking import FinishedMatch, rank_teams
from tourney.movement.tie_breaks import DEFAULT_TIE_BREAKS
from tourney.scoring.match import BoardComparison, Fines, score_match
from tourney.scoring.victory_points import vp_scale

SCALE = vp_scale("wbf-continuous", 16)
imps = st.integers(-24, 24)
board_figures = st.lists(
    st.one_of(imps.map(lambda own: (own, -own)), st.tuples(imps, imps), st.sampled_from([(-3, -3), (3, 3), (-8, 4)])),
    max_size=16,
)
fined = st.tuples(st.integers(0, 5), st.integers(0, 5))


def finish(figures: Sequence[tuple[int, int]], fines: tuple[int, int], carried: int = 0) -> FinishedMatch:
    boards = [BoardComparison(number, *both) for number, both in enumerate(figures, 1)]
    score = score_match(boards, SCALE, Fines(fines[0]), Fines(fines[1]))
    return FinishedMatch("Ants", "Bees", score, fines=fines, carried=carried)


@given(board_figures, fined)
def test_a_margin_is_the_sum_of_a_teams_own_figures(figures: list[tuple[int, int]], fines: tuple[int, int]) -> None:
    made = finish(figures, fines)
    own = [sum(both[place] for both in figures) - fines[place] for place in (0, 1)]
    assert list(made.score.totals.margins) == own
    assert [made.score.vp_home, made.score.vp_away] == [SCALE.split(margin)[0] for margin in own]
    assert [each.imp_difference for each in made.figures()] == own


@given(board_figures, fined, st.integers(-1000, 1000))
def test_the_lead_is_the_average_of_both_figures_board_by_board_less_fines(
    figures: list[tuple[int, int]], fines: tuple[int, int], carried: int
) -> None:
    made = finish(figures, fines, carried)
    lead = sum((Fraction(home - away, 2) for home, away in figures), Fraction(fines[1] - fines[0]))
    assert Fraction(made.lead, 100) == lead + Fraction(carried, 100)


@given(st.lists(st.tuples(board_figures, fined), min_size=1, max_size=4))
def test_standings_add_up_own_margins(matches: list[tuple[list[tuple[int, int]], tuple[int, int]]]) -> None:
    ranked = rank_teams(("Ants", "Bees"), [finish(*match) for match in matches], DEFAULT_TIE_BREAKS)
    margins = {row.team: row.imps_for - row.imps_against for row in ranked.rows}
    assert margins == {
        team: sum(sum(both[place] for both in figures) - fines[place] for figures, fines in matches)
        for place, team in enumerate(("Ants", "Bees"))
    }
    for tie in ranked.ties:
        assert {team: int(text) for team, text in tie.steps[0].results[0].figures.items()} == {
            team: margins[team] for team in tie.teams
        }
