"""What makes a plan a round robin, for 2 to 20 teams."""

import itertools
from collections import Counter

import pytest

from tourney.movement.round_robin import plan_round_robin

TEAMS = range(2, 21)


@pytest.mark.parametrize("team_count", TEAMS)
def test_each_pair_of_teams_meets_once(team_count: int) -> None:
    meetings = Counter(frozenset(pair) for planned in plan_round_robin(team_count) for pair in planned.pairings)
    assert meetings == Counter(map(frozenset, itertools.combinations(range(1, team_count + 1), 2)))


@pytest.mark.parametrize("cycles", [1, 2])
@pytest.mark.parametrize("team_count", TEAMS)
def test_in_each_round_every_team_plays_once_or_has_the_bye(team_count: int, cycles: int) -> None:
    for planned in plan_round_robin(team_count, cycles):
        busy = [*planned.byes, *(team for pair in planned.pairings for team in pair)]
        assert sorted(busy) == list(range(1, team_count + 1))
        assert len(planned.byes) == team_count % 2


@pytest.mark.parametrize("cycles", [1, 2])
@pytest.mark.parametrize("team_count", range(3, 21, 2))
def test_with_an_odd_number_every_team_has_the_bye_equally_often(team_count: int, cycles: int) -> None:
    byes = Counter(bye for planned in plan_round_robin(team_count, cycles) for bye in planned.byes)
    assert byes == Counter(dict.fromkeys(range(1, team_count + 1), cycles))


@pytest.mark.parametrize("team_count", TEAMS)
def test_home_matches_are_spread_as_evenly_as_can_be(team_count: int) -> None:
    at_home = Counter(home for planned in plan_round_robin(team_count) for home, _ in planned.pairings)
    counts = [at_home[team] for team in range(1, team_count + 1)]
    assert max(counts) - min(counts) <= 1
