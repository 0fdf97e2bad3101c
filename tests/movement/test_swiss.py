"""Draws of a Swiss, worked out by hand."""

from collections import Counter
from collections.abc import Sequence

import pytest

from tourney.movement.round_robin import Pairing
from tourney.movement.swiss import SwissRound, _match, pair_swiss


def drawn(order: Sequence[int], *pairings: Pairing, bye: int | None = None) -> SwissRound:
    return SwissRound(tuple(order), pairings, bye)


def opponents(round_: SwissRound) -> set[frozenset[int]]:
    """Who meets whom, wherever."""
    return {frozenset(pair) for pair in round_.pairings}


def of(*pairs: Pairing) -> set[frozenset[int]]:
    return set(map(frozenset, pairs))


# The first round


def test_in_the_first_round_the_upper_half_meets_the_lower_half_at_home_by_turns() -> None:
    assert pair_swiss((10, 20, 30, 40, 50, 60), []) == drawn((10, 20, 30, 40, 50, 60), (10, 40), (50, 20), (30, 60))


def test_in_the_first_round_the_last_of_an_odd_number_sits_out() -> None:
    assert pair_swiss((3, 1, 2, 5, 4), []) == drawn((3, 1, 2, 5, 4), (3, 2), (5, 1), bye=4)


# Who meets whom


def test_later_rounds_pair_neighbours_who_have_not_met() -> None:
    first = drawn((1, 2, 3, 4, 5, 6), (1, 4), (5, 2), (3, 6))
    assert opponents(pair_swiss((1, 4, 2, 3, 5, 6), [first])) == of((1, 2), (4, 3), (5, 6))
    assert opponents(pair_swiss((1, 2, 3, 4, 5, 6), [first])) == of((1, 2), (3, 4), (5, 6))


def test_gaps_count_by_their_squares() -> None:
    # 1 has met 2, and 3 has met 4: two gaps of two places (4 + 4) and not a gap of one and one of three (1 + 9).
    first = drawn((1, 2, 3, 4), (1, 2), (3, 4))
    assert opponents(pair_swiss((1, 2, 3, 4), [first])) == of((1, 3), (2, 4))


def test_of_two_draws_with_the_same_gaps_the_higher_teams_have_the_nearer_opponents() -> None:
    # 5 has met 2: two gaps of two places and one of one, either 1 and 5, 3 and 2, 4 and 6, or this.
    first = drawn((1, 2, 3, 4, 5, 6), (1, 4), (5, 2), (3, 6))
    assert opponents(pair_swiss((1, 3, 5, 2, 4, 6), [first])) == of((1, 3), (5, 4), (2, 6))


def test_where_all_have_met_the_pairs_of_longest_ago_meet_again() -> None:
    rounds = [
        drawn((1, 2, 3, 4), (1, 2), (3, 4)),
        drawn((1, 2, 3, 4), (1, 3), (2, 4)),
        drawn((1, 2, 3, 4), (1, 4), (2, 3)),
    ]
    assert opponents(pair_swiss((1, 3, 2, 4), rounds)) == of((1, 2), (3, 4))


def test_pairs_that_have_met_once_repeat_before_pairs_that_have_met_twice_but_longer_ago() -> None:
    rounds = [
        drawn((1, 2, 3, 4), (1, 2), (3, 4)),
        drawn((1, 2, 3, 4), (2, 1), (4, 3)),
        drawn((1, 2, 3, 4), (1, 3), (2, 4)),
        drawn((1, 2, 3, 4), (1, 4), (2, 3)),
    ]
    assert opponents(pair_swiss((1, 2, 3, 4), rounds)) == of((1, 3), (2, 4))


def test_a_single_repeat_is_better_than_two_whatever_the_ranks() -> None:
    # 1 and 2, 3 and 4 are neighbours that have met; with 1 and 6 nobody meets again.
    first = drawn((1, 2, 3, 4, 5, 6), (1, 2), (3, 4), (5, 6))
    second = drawn((1, 2, 3, 4, 5, 6), (1, 3), (2, 5), (4, 6))
    third = drawn((1, 2, 3, 4, 5, 6), (1, 4), (2, 6), (3, 5))
    fourth = drawn((1, 2, 3, 4, 5, 6), (1, 5), (2, 4), (3, 6))
    assert opponents(pair_swiss((1, 2, 3, 4, 5, 6), [first, second, third, fourth])) == of((1, 6), (2, 3), (4, 5))


def test_a_team_drawn_far_up_is_not_drawn_up_again_next_time() -> None:
    first = drawn((1, 2, 3, 4, 5, 6), (1, 4), (5, 2), (3, 6))
    order = (1, 2, 3, 6, 5, 4)
    meetings = ((1, 3), (4, 5), (6, 2))
    # Neighbours met in the second round: the gaps of 3 and 5, 6 and 4 are the least.
    level = drawn((1, 3, 4, 5, 6, 2), *meetings)
    assert opponents(pair_swiss(order, [first, level])) == of((1, 2), (3, 5), (6, 4))
    # 5 met a team three places above it. It is spared another one above it, and 4, which met it, is drawn up.
    far_up = drawn((1, 4, 3, 6, 5, 2), *meetings)
    assert opponents(pair_swiss(order, [first, far_up])) == of((1, 2), (3, 4), (6, 5))


def test_halves_meeting_in_the_first_round_draws_nobody_up_or_down() -> None:
    # 5, of the lower half, met 2 then: it may meet 6 two places below it, and 2 meets 1.
    first = pair_swiss(range(1, 7), [])
    assert opponents(first) == of((1, 4), (2, 5), (3, 6))
    assert opponents(pair_swiss((3, 4, 5, 2, 6, 1), [first])) == of((3, 4), (5, 6), (2, 1))


# Who sits out


def test_the_lowest_team_that_has_not_sat_out_does() -> None:
    rounds = [pair_swiss((1, 2, 3, 4, 5), [])]
    assert rounds[0].bye == 5
    rounds.append(pair_swiss((1, 2, 3, 4, 5), rounds))
    assert rounds[1].bye == 4
    rounds.append(pair_swiss((1, 2, 3, 4, 5), rounds))
    assert rounds[2].bye == 3


def test_nobody_sits_out_twice_before_everybody_has_even_if_teams_meet_again() -> None:
    rounds = [drawn((1, 2, 3), (2, 3), bye=1), drawn((1, 2, 3), (1, 3), bye=2)]
    assert pair_swiss((3, 2, 1), rounds).bye == 3
    met = [*rounds, drawn((1, 2, 3), (1, 2), bye=3), drawn((1, 2, 3), (2, 1), bye=3)]
    assert pair_swiss((2, 1, 3), met).bye == 1


def test_a_higher_team_sits_out_when_teams_would_meet_again_otherwise() -> None:
    # 1 to 4 have all met. With 5 sitting out two matches would be repeats, with anybody else only one.
    rounds = [
        drawn((1, 2, 3, 4), (1, 4), (2, 3)),
        drawn((1, 2, 3, 4), (2, 4), (1, 3)),
        drawn((1, 2, 3, 4), (3, 4), (1, 2)),
    ]
    found = pair_swiss((1, 2, 3, 4, 5), rounds)
    assert found.bye == 4
    assert opponents(found) == of((2, 3), (1, 5))


def test_teams_may_come_late_and_leave() -> None:
    rounds = [pair_swiss((1, 2, 3, 4, 5), [])]
    found = pair_swiss((1, 3, 9, 4, 5), rounds)
    assert found.order == (1, 3, 9, 4, 5)
    assert found.bye == 4
    assert sorted(team for pair in found.pairings for team in pair) == [1, 3, 5, 9]


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


@pytest.mark.parametrize("size", [8, 56])
def test_two_teams_at_home_twice_already_do_not_meet(size: int) -> None:
    teams, half, quarter = range(1, size + 1), size // 2, size // 4
    first = drawn(teams, *((team, team + half) for team in teams[:half]))
    tops = (*teams[:quarter], *teams[half : half + quarter])
    second = drawn(teams, *((team, team + quarter) for team in tops))
    found = pair_swiss(teams, [first, second])
    # 1 and 2 are neighbours, but one of them would be at home three times and never away; so with the last two.
    assert frozenset((1, 2)) not in opponents(found)
    homes = Counter(home for round_ in (first, second, found) for home, _ in round_.pairings)
    assert all(1 <= homes[team] <= 2 for team in teams)


def test_the_greatest_sum_of_a_lesser_cost_never_outweighs_the_greater_cost() -> None:
    costs = {(0, 1): (0, 5), (2, 3): (0, 5), (0, 2): (1, 0), (1, 3): (0, 0)}
    assert _match(4, costs) == [(0, 1), (2, 3)]


# Many teams


def test_255_teams_meet_nobody_twice_and_nobody_sits_out_twice() -> None:
    teams = range(1, 256)
    points: Counter[int] = Counter()
    rounds: list[SwissRound] = []
    met: Counter[frozenset[int]] = Counter()
    for _ in range(4):
        order = sorted(teams, key=lambda team: (-points[team], team))
        found = pair_swiss(order, rounds)
        rounds.append(found)
        assert sorted([*(team for pair in found.pairings for team in pair), found.bye or 0]) == list(teams)
        met.update(opponents(found))
        for home, away in found.pairings:
            points[min(home, away)] += 10 + (home * away) % 11
            points[max(home, away)] += 10 - (home * away) % 11
    assert max(met.values()) == 1
    assert len({round_.bye for round_ in rounds}) == 4
    homes = Counter(home for round_ in rounds for home, _ in round_.pairings)
    aways = Counter(away for round_ in rounds for _, away in round_.pairings)
    assert max(abs(homes[team] - aways[team]) for team in teams) <= 2
    last = rounds[-1].order
    assert sum(abs(last.index(home) - last.index(away)) for home, away in rounds[-1].pairings) < 2 * 127


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
            rounds.append(SwissRound(order, pairs, None))
    found = pair_swiss(order, rounds)
    assert all((home <= half) != (away <= half) for home, away in found.pairings)
    assert found.bye == (size if size % 2 else None)
