"""`tourney.scoring.strength.planning`, against a table worked out independently."""

import pytest

from tourney.errors import ConfigError
from tourney.scoring.strength.planning import plan_duel

# Difference, standard deviation, power: boards of a fixed test of two sides, of one side.
FIXED = [
    (0.1, 2.7, 0.80, 5722, 4508),
    (0.1, 2.7, 0.95, 9474, 7890),
    (0.1, 6.2, 0.80, 30172, 23766),
    (0.25, 2.7, 0.95, 1516, 1263),
    (0.5, 6.2, 0.80, 1207, 951),
    (0.5, 6.2, 0.95, 1999, 1665),
    (1.0, 6.2, 0.95, 500, 417),
]

# Difference, standard deviation: boards of the sequential test at either hypothesis, midway.
SEQUENTIAL = [(0.1, 2.7, 3864, 6320), (0.25, 6.2, 3260, 5332), (0.5, 6.2, 815, 1333), (1.0, 6.2, 204, 333)]


@pytest.mark.parametrize(("detect", "sd", "power", "two_sided", "one_sided"), FIXED)
def test_boards_of_a_test_of_fixed_length(
    detect: float, sd: float, power: float, two_sided: int, one_sided: int
) -> None:
    plan = plan_duel(detect=detect, sd=sd, power=power)
    assert (plan.fixed_two_sided, plan.fixed_one_sided) == (two_sided, one_sided)


@pytest.mark.parametrize(("detect", "sd", "at_either", "midway"), SEQUENTIAL)
def test_boards_that_the_sequential_test_takes_on_average(
    detect: float, sd: float, at_either: int, midway: int
) -> None:
    plan = plan_duel(detect=detect, sd=sd)
    assert [plan.sequential, plan.sequential_midway] == pytest.approx([at_either, midway], abs=1)


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        ({"detect": 0.0, "sd": 6}, "a difference to detect is above 0 and at most 24 IMPs a board, got 0"),
        ({"detect": 1, "sd": -1}, "the standard deviation of a board is above 0 and at most 24 IMPs, got -1"),
        ({"detect": 1, "sd": 6, "power": 1}, "the power is a probability from 0.5 to below 1, got 1"),
    ],
)
def test_figures_that_make_no_plan_are_refused_in_one_sentence(figures: dict[str, float], sentence: str) -> None:
    with pytest.raises(ConfigError) as refused:
        plan_duel(**figures)
    assert str(refused.value) == sentence
