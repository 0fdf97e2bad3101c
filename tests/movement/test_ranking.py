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


def places(rows: tuple[StandingRow, ...]) -> list[tuple[int, str]]:
    return [(row.rank, row.team) for row in rows]


def test_teams_without_a_match_share_the_first_rank_in_the_order_of_the_draw() -> None:
    rows = standings(TEAMS, [])
    assert places(rows) == [(1, "Ants"), (1, "Bees"), (1, "Cats"), (1, "Dogs")]
    assert rows[0] == StandingRow(1, "Ants", 0, 0, 0, 0, 0, 0, VpHundredths(0))


def test_matches_add_up_for_both_sides() -> None:
    rows = standings(
        TEAMS,
        [
            match("Ants", "Bees", (30, 10), (1426, 574)),
            match("Cats", "Ants", (12, 12), (1000, 1000)),
            match("Ants", "Dogs", (3, 18), (666, 1334)),
        ],
    )
    assert rows == (
        StandingRow(1, "Ants", 3, 1, 1, 1, 45, 40, VpHundredths(3092)),
        StandingRow(2, "Dogs", 1, 1, 0, 0, 18, 3, VpHundredths(1334)),
        StandingRow(3, "Cats", 1, 0, 1, 0, 12, 12, VpHundredths(1000)),
        StandingRow(4, "Bees", 1, 0, 0, 1, 10, 30, VpHundredths(574)),
    )


def test_a_win_by_imps_counts_as_won_even_where_the_victory_points_are_level() -> None:
    won, lost = standings(("Ants", "Bees"), [match("Bees", "Ants", (5, 4), (1000, 1000))])
    assert (won.team, won.won, won.drawn, won.lost) == ("Bees", 1, 0, 0)
    assert (lost.team, lost.won, lost.drawn, lost.lost) == ("Ants", 0, 0, 1)


def test_one_hundredth_of_a_victory_point_outranks_any_imp_difference() -> None:
    rows = standings(TEAMS, [match("Ants", "Bees", (90, 0), (1999, 0)), match("Cats", "Dogs", (5, 4), (2000, 0))])
    assert places(rows)[:2] == [(1, "Cats"), (2, "Ants")]


def test_equal_victory_points_are_parted_by_imp_difference_not_by_imps_won() -> None:
    rows = standings(
        TEAMS, [match("Ants", "Bees", (80, 60), (1500, 500)), match("Cats", "Dogs", (25, 4), (1500, 500))]
    )
    assert places(rows) == [(1, "Cats"), (2, "Ants"), (3, "Bees"), (4, "Dogs")]


def test_teams_still_equal_share_a_rank_and_the_next_rank_is_left_out() -> None:
    teams = ("Dogs", "Cats", "Bees", "Ants")
    rows = standings(
        teams, [match("Ants", "Dogs", (20, 0), (1500, 500)), match("Cats", "Bees", (7, 7), (1000, 1000))]
    )
    assert places(rows) == [(1, "Ants"), (2, "Cats"), (2, "Bees"), (4, "Dogs")]


def test_the_order_in_which_matches_were_finished_does_not_matter() -> None:
    matches = [
        match("Ants", "Bees", (30, 10), (1426, 574)),
        match("Cats", "Dogs", (1, 2), (975, 1025)),
        match("Bees", "Cats", (8, 9), (975, 1025)),
    ]
    assert standings(TEAMS, matches) == standings(TEAMS, matches[::-1])


def test_a_team_that_is_not_in_the_draw_is_refused() -> None:
    with pytest.raises(ConfigError) as refused:
        standings(TEAMS, [match("Ants", "Eels", (1, 0), (1025, 975))])
    assert str(refused.value) == "match Ants - Eels names a team that is not in the draw: 'Eels'"


# Matches whose two sides do not add up


def test_imps_lost_to_nobody_count_against_their_team_and_for_no_one() -> None:
    # Ants won 20 and were fined 4; Bees won 5.
    fined = finish("Ants", "Bees", 16, 5, VpHundredths(1254), VpHundredths(666), lost_home=4, fines=(4, 0))
    ants, bees = standings(("Ants", "Bees"), [fined])
    assert (ants.imps_for, ants.imps_against, ants.won) == (16, 5, 1)
    assert (bees.imps_for, bees.imps_against, bees.lost) == (5, 20, 1)


def test_average_minus_to_both_leaves_a_winner() -> None:
    # 10 to 9, and average minus to both on another board: margins -2 and -4.
    both = finish("Ants", "Bees", 7, 6, VpHundredths(950), VpHundredths(900), lost_home=3, lost_away=3)
    ants, bees = standings(("Ants", "Bees"), [both])
    assert (ants.imps_for, ants.imps_against, ants.won, ants.lost) == (7, 9, 1, 0)
    assert (bees.imps_for, bees.imps_against, bees.won, bees.lost) == (6, 10, 0, 1)


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


def test_a_forfeited_match_is_lost_by_who_forfeited_it_and_won_by_the_other_without_an_imp() -> None:
    nobody = finish("Ants", "Bees", 0, 0, VpHundredths(0), VpHundredths(1200), forfeits=frozenset({"Ants"}))
    bees, ants = standings(("Ants", "Bees"), [nobody])
    assert (bees.team, bees.won, bees.lost, bees.vp) == ("Bees", 1, 0, 1200)
    assert (ants.team, ants.won, ants.lost, ants.vp) == ("Ants", 0, 1, 0)


def test_a_match_that_both_forfeit_is_lost_by_both() -> None:
    match_ = finish("Ants", "Bees", 0, 0, VpHundredths(0), VpHundredths(0), forfeits=frozenset({"Ants", "Bees"}))
    assert [(row.played, row.won, row.lost) for row in standings(("Ants", "Bees"), [match_])] == [(1, 0, 1)] * 2
