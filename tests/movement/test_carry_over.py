"""Carry-over into matches and into round robins."""

from fractions import Fraction

import pytest

from tourney.errors import ConfigError
from tourney.movement.carry_over import CarryOver, ImpHundredths, carry_match
from tourney.scoring.victory_points import format_hundredths

HALF, THIRD, NONE = Fraction(1, 2), Fraction(1, 3), Fraction(0)
CUSTOM = CarryOver(HALF, THIRD, None)
RANKS = CarryOver(NONE, NONE, None, (600, 450, 300))


@pytest.mark.parametrize(("margin", "printed"), [(5, "2.5"), (22, "11")])
def test_half_the_margin_is_carried_as_bulletins_print_it(margin: int, printed: str) -> None:
    # World championships of 2009, quarter-final, bulletin 9: "Norway started with a carryover of 2.5 IMPs"; World
    # Computer Championship of 2000, final: 11 IMPs. The bulletins do not print the margins: these are the ones with
    # such a half.
    taken, other = carry_match(CUSTOM, margin, 1, 2)
    assert (format_hundredths(taken), other) == (printed, 0)


def test_half_a_hundredth_is_rounded_up_for_both_sides() -> None:
    rules = CarryOver(Fraction(1, 8), Fraction(1, 8), None)
    assert carry_match(rules, 1, 1, 2) == (13, 0)
    assert carry_match(rules, -1, 1, 2) == (0, 13)


@pytest.mark.parametrize(
    ("higher", "lower", "carried"), [(1, 2, (150, 0)), (1, 4, (600, 0)), (3, 9, (300, 0)), (4, 5, (0, 0))]
)
def test_by_rank_the_difference_of_the_two_figures_is_carried_whatever_the_margin(
    higher: int, lower: int, carried: tuple[int, int]
) -> None:
    for margin in (-30, 0, 30):
        assert carry_match(RANKS, margin, higher, lower) == carried


def test_by_rank_a_lower_team_with_the_greater_figure_takes_the_difference() -> None:
    assert carry_match(CarryOver(NONE, NONE, ImpHundredths(200), (100, 350)), 30, 1, 2) == (0, 200)


@pytest.mark.parametrize(
    ("won", "lost", "cap", "sentence"),
    [
        (Fraction(3, 2), THIRD, None, "the part that is carried over is 0..1, got 3/2"),
        (HALF, Fraction(-1, 3), None, "the part that is carried over is 0..1, got -1/3"),
        (HALF, THIRD, ImpHundredths(-150), "the most that is carried over is at least 0, got -1.5"),
    ],
)
def test_rules_that_make_no_sense_are_refused(
    won: Fraction, lost: Fraction, cap: ImpHundredths | None, sentence: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        CarryOver(won, lost, cap)
    assert str(refused.value) == sentence
