"""Dealing teams into groups, and seeding from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.movement.groups import deal_into_groups, group_letter, seed_from_groups


def test_teams_over_go_on_in_the_order_of_the_deal() -> None:
    assert deal_into_groups(range(1, 9), 3) == ((1, 6, 7), (2, 5, 8), (3, 4))
    assert deal_into_groups(range(1, 11), 4) == ((1, 8, 9), (2, 7, 10), (3, 6), (4, 5))
    assert deal_into_groups(range(1, 6), 2) == ((1, 4, 5), (2, 3))


@given(st.data())
def test_everybody_is_in_one_group_and_groups_differ_by_one_at_most(data: st.DataObject) -> None:
    groups = data.draw(st.integers(1, 20))
    teams = data.draw(st.permutations(range(1, data.draw(st.integers(2 * groups, 5 * groups)) + 1)))
    dealt = deal_into_groups(teams, groups)
    assert sorted(team for group in dealt for team in group) == sorted(teams)
    sizes = [len(group) for group in dealt]
    assert len(sizes) == groups
    assert max(sizes) - min(sizes) <= 1
    for group in dealt:
        assert sorted(group, key=teams.index) == list(group)


def test_all_firsts_are_seeded_before_all_seconds() -> None:
    rankings = [(4, 1, 5), (2, 3, 6, 7), (9, 8)]
    assert seed_from_groups(rankings, 3) == (4, 2, 9)
    assert seed_from_groups(rankings, 6) == seed_from_groups(rankings, 4) == (4, 2, 9, 1, 3, 8)


def test_a_group_that_teams_have_left_sends_all_that_it_has() -> None:
    assert seed_from_groups([(4, 1, 5), (2, 3, 6, 7), (9, 8)], 9) == (4, 2, 9, 1, 3, 8, 5, 6)


@pytest.mark.parametrize(
    ("index", "letter"),
    [(0, "A"), (1, "B"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")],
)
def test_groups_are_lettered(index: int, letter: str) -> None:
    assert group_letter(index) == letter
