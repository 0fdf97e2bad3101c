"""What a duel can tell: how many boards its test takes, or which difference a number of boards shows."""

import math
from statistics import NormalDist
from typing import Final

from tourney.scoring.strength.estimate import QUANTILE_95, expected_boards
from tourney.scoring.strength.sequential import SequentialTest

SD_OF_PROGRAMS: Final = {"versions of one program": 2.7, "unrelated programs": 6.2}
"""The standard deviation of a swing in IMPs, as measured with the reference bot, and on 14,000 boards of human team
matches."""

POWER: Final = 0.95
"""How often a fixed number of boards is to show a difference."""


def detectable_difference(boards: int, sd: float) -> float:
    """Return the difference in IMPs a board that so many boards show, with an interval of 95 % and this power."""
    return (QUANTILE_95 + NormalDist().inv_cdf(POWER)) * sd / math.sqrt(boards)


def describe_plan(test: SequentialTest | None, boards: int) -> str:
    """Return the sentence on what a duel of at most so many boards can tell; without a test it plays them all."""
    if test is None:
        shown = [f"{detectable_difference(boards, sd):.2f} between {who}" for who, sd in SD_OF_PROGRAMS.items()]
        often = f"in {100 * POWER:g} % of duels"
        return f"{boards} boards show a difference of {' or '.join(shown)}, in IMPs a board, {often}"
    taken = []
    for who, sd in SD_OF_PROGRAMS.items():
        expected = expected_boards(test, sd * sd)
        taken.append(
            f"{math.ceil(expected.as_measured)} boards between {who}, {math.ceil(expected.midway)} if it is close"
        )
    return f"a test of {test.d0:g} against {test.d1:g} IMPs a board takes about {'; '.join(taken)}"
