"""Standings."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.support.finished_matches import finish
from tourney.errors import ConfigError
from tourney.movement.ranking import FinishedMatch, StandingRow, rank_teams
from tourney.movement.tie_breaks import DEFAULT_TIE_BREAKS
from tourney.scoring.victory_points import VpHundredths

TEAMS = ("Ants", "Bees", "Cats", "Dogs")


def match(home: str, away: str, imps: tuple[int, int], vp: tuple[int, int]) -> FinishedMatch:
    return finish(home, away, *imps, VpHundredths(vp[0]), VpHundredths(vp[1]))


def standings(teams: Sequence[str], matches: Sequence[FinishedMatch]) -> tuple[StandingRow, ...]:
    """Ranks by victory points, then by IMP difference."""
    return rank_teams(teams, matches, DEFAULT_TIE_BREAKS).rows


def test_a_win_by_imps_counts_as_won_even_where_the_victory_points_are_level() -> None:
    won, lost = standings(("Ants", "Bees"), [match("Bees", "Ants", (5, 4), (1000, 1000))])
    assert (won.team, won.won, won.drawn, won.lost) == ("Bees", 1, 0, 0)
    assert (lost.team, lost.won, lost.drawn, lost.lost) == ("Ants", 0, 0, 1)


def test_a_team_that_is_not_in_the_draw_is_refused() -> None:
    with pytest.raises(ConfigError) as refused:
        standings(TEAMS, [match("Ants", "Eels", (1, 0), (1025, 975))])
    assert str(refused.value) == "match Ants - Eels names a team that is not in the draw: 'Eels'"


# Matches whose two sides do not add up


def test_average_plus_to_both_counts_for_each_and_against_nobody() -> None:
    # 10 to 8, and average plus to both on another board: margins +5 and +1.
    both = finish("Ants", "Bees", 13, 11, VpHundredths(1200), VpHundredths(1050), lost_home=-3, lost_away=-3)
    ants, bees = standings(("Ants", "Bees"), [both])
    assert (ants.imps_for, ants.imps_against, ants.won, ants.lost) == (13, 8, 1, 0)
    assert (bees.imps_for, bees.imps_against, bees.won, bees.lost) == (11, 10, 0, 1)
    assert both.score.totals.margins == (5, 1)


def test_the_lead_is_half_the_difference_of_the_margins_and_a_fine_counts_in_full() -> None:
    # 3 to 0 on the other boards; -8 and +4 on one: margins -5 and +1, so Bees lead by 3 (Law 12C4).
    split = finish("Ants", "Bees", -5, 4, VpHundredths(800), VpHundredths(1050), lost_home=8, lost_away=-4)
    assert (split.score.totals.margins, split.lead) == ((-5, 1), -300)
    assert replace(split, carried=350).lead == 50
    fined = finish("Ants", "Bees", 6, 5, VpHundredths(900), VpHundredths(900), lost_home=3, fines=(3, 0))
    assert (fined.score.totals.margins, fined.margins_on_boards, fined.lead) == ((1, -4), (4, -4), 100)


def test_a_fine_that_evens_the_imps_makes_a_drawn_match_of_a_won_one() -> None:
    fined = finish("Ants", "Bees", 5, 5, VpHundredths(1000), VpHundredths(900), lost_home=4, fines=(4, 0))
    ants, bees = standings(("Ants", "Bees"), [fined])
    assert (ants.won, ants.drawn, ants.lost) == (0, 1, 0)
    assert (bees.won, bees.drawn, bees.lost) == (0, 1, 0)
