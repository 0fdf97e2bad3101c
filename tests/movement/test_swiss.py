"""Draws of a Swiss, worked out by hand."""

from collections.abc import Sequence

import pytest

from tourney.movement.round_robin import Pairing
from tourney.movement.swiss import SwissRound, pair_swiss


def drawn(order: Sequence[int], *pairings: Pairing, byes: tuple[int, ...] = ()) -> SwissRound[int]:
    return SwissRound(tuple(order), pairings, byes)


# The first round


def test_in_the_first_round_the_upper_half_meets_the_lower_half_at_home_by_turns() -> None:
    assert pair_swiss((10, 20, 30, 40, 50, 60), []) == drawn((10, 20, 30, 40, 50, 60), (10, 40), (50, 20), (30, 60))


def test_in_the_first_round_the_last_of_an_odd_number_sits_out() -> None:
    assert pair_swiss((3, 1, 2, 5, 4), []) == drawn((3, 1, 2, 5, 4), (3, 2), (5, 1), byes=(4,))


# Home and away


def test_at_home_is_who_was_at_home_less_often() -> None:
    rounds = [drawn((1, 2, 3, 4), (1, 3), (2, 4)), drawn((1, 2, 3, 4), (1, 4), (3, 2))]
    # 1 was at home twice, 2 and 3 once, 4 never.
    assert pair_swiss((1, 2, 3, 4), rounds).pairings == ((2, 1), (4, 3))


def test_with_as_many_matches_at_home_who_was_away_last_time_is_at_home() -> None:
    rounds = [
        drawn((1, 2, 3, 4, 5, 6), (1, 2), (3, 4), (5, 6)),
        drawn((1, 2, 3, 4, 5, 6), (6, 1), (2, 3), (4, 5)),
    ]
    assert pair_swiss((4, 1, 2, 5, 6, 3), rounds).pairings == ((1, 4), (5, 2), (3, 6))


def test_a_team_that_came_late_is_not_owed_the_homes_it_missed() -> None:
    rounds = [
        drawn((1, 2, 3, 4), (3, 1), (2, 4)),
        drawn((1, 2, 3, 4), (4, 1), (2, 3)),
        drawn((1, 2, 3, 4), (1, 2), (4, 3)),
    ]
    # 1 was at home once, but away twice; 9 has never been at home, nor away.
    assert pair_swiss((1, 9, 3, 7, 4, 8, 2, 6), rounds).pairings[0] == (1, 9)


# Many teams


@pytest.mark.parametrize("size", [50, 51])
def test_many_teams_that_have_met_all_their_neighbours_are_drawn_from_all_pairs(size: int) -> None:
    # Each half has met itself wholly: only pairs across the middle are left, 25 places apart on average.
    half = size // 2
    upper, lower = range(1, half + 1), range(half + 1, 2 * half + 1)
    order = tuple(range(1, size + 1))
    rounds = []
    for shift in range(1, half):
        for teams in (upper, lower):
            pairs = tuple((teams[i], teams[i + shift]) for i in range(half - shift))
            rounds.append(SwissRound(order, pairs, ()))
    found = pair_swiss(order, rounds)
    assert all((home <= half) != (away <= half) for home, away in found.pairings)
    assert found.byes == ((size,) if size % 2 else ())
