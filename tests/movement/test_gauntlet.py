"""One team against all others."""

import pytest

from tourney.errors import ConfigError
from tourney.movement.gauntlet import plan_gauntlet


def test_the_head_meets_one_a_round_in_the_order_of_the_draw_at_home_by_turns() -> None:
    assert plan_gauntlet((4, 2, 1, 3), 2, 3) == (((2, 4),), ((1, 2),), ((2, 3),))


def test_in_a_single_round_all_matches_are_side_by_side() -> None:
    assert plan_gauntlet((4, 2, 1, 3), 2, 1) == (((2, 4), (1, 2), (2, 3)),)


def test_two_teams_have_one_match() -> None:
    assert plan_gauntlet((1, 2), 2, 1) == (((2, 1),),)


@pytest.mark.parametrize(
    ("teams", "head", "rounds", "sentence"),
    [
        ((1, 2, 3, 4), 1, 2, "a gauntlet of 4 teams has 1 round or 3, got 2"),
        ((1, 2, 3, 4), 1, 0, "a gauntlet of 4 teams has 1 round or 3, got 0"),
        ((1, 2, 3, 4), 1, 4, "a gauntlet of 4 teams has 1 round or 3, got 4"),
        ((1, 2, 3), 4, 2, "the head of a gauntlet is one of its teams, got 4"),
        ((1, 2, 2), 1, 2, "each team of a gauntlet is there once, got one twice"),
        ((1,), 1, 0, "a gauntlet has at least 2 teams, got 1"),
    ],
)
def test_what_is_no_gauntlet_is_refused(teams: tuple[int, ...], head: int, rounds: int, sentence: str) -> None:
    with pytest.raises(ConfigError) as refused:
        plan_gauntlet(teams, head, rounds)
    assert str(refused.value) == sentence
