"""What a duel can tell, against a table worked out independently."""

import pytest

from tourney.scoring.strength.estimate import describe_plan, detectable_difference
from tourney.scoring.strength.sequential import SequentialTest


@pytest.mark.parametrize(
    ("difference", "sd", "boards"), [(0.1, 2.7, 9474), (0.25, 2.7, 1516), (0.5, 6.2, 1999), (1.0, 6.2, 500)]
)
def test_the_difference_that_a_fixed_number_of_boards_shows(difference: float, sd: float, boards: int) -> None:
    assert detectable_difference(boards, sd) == pytest.approx(difference, rel=1e-3)


@pytest.mark.parametrize(
    ("d1", "sentence"),
    [
        (0.25, "3260 boards between unrelated programs, 5333 if it is close"),
        (0.5, "815 boards between unrelated programs, 1334 if it is close"),
        (1, "204 boards between unrelated programs, 334 if it is close"),
    ],
)
def test_the_boards_that_a_test_takes_are_told(d1: float, sentence: str) -> None:
    said = describe_plan(SequentialTest(d1=d1), 4000)
    assert said.startswith(f"a test of 0 against {d1:g} IMPs a board takes about ")
    assert said.endswith(sentence)


def test_without_a_test_it_is_told_which_difference_the_boards_show() -> None:
    assert describe_plan(None, 400) == (
        "400 boards show a difference of 0.49 between versions of one program or 1.12 between unrelated programs, in "
        "IMPs a board, in 95 % of duels"
    )
