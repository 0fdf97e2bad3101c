"""Movements of several teams at board-a-match against the published ones."""

from collections import defaultdict

import pytest

from tourney.movement.pairs.movement import MovementRow
from tourney.movement.pairs.several_teams import AMERICAN_WHIST, NEW_ENGLAND_RELAY, plan_several_teams


@pytest.mark.parametrize("teams", range(3, 26))
def test_both_halves_of_every_match_are_the_same_set(teams: int) -> None:
    rows = plan_several_teams(AMERICAN_WHIST if teams % 2 else NEW_ENGLAND_RELAY, teams)
    halves: defaultdict[frozenset[int], list[MovementRow]] = defaultdict(list)
    for row in rows:
        halves[frozenset(row.pairs)].append(row)
    assert len(halves) == teams * (teams - 1) // 2
    for one, other in halves.values():
        assert (one.ns, one.ew) == (other.ew, other.ns)
        assert one.board_set == other.board_set
        assert one.round + other.round == teams


@pytest.mark.parametrize("teams", range(3, 26))
def test_each_team_plays_a_set_once_in_each_direction(teams: int) -> None:
    rows = plan_several_teams(AMERICAN_WHIST if teams % 2 else NEW_ENGLAND_RELAY, teams)
    for team in range(1, teams + 1):
        home = [row.board_set for row in rows if row.ns == team]
        away = [row.board_set for row in rows if row.ew == team]
        assert sorted(map(str, home)) == sorted(map(str, away))
        assert len(set(home)) == len(home) == teams - 1
