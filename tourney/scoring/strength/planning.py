"""Planning a duel: how many boards it takes to detect a difference."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from tourney.errors import ConfigError
from tourney.scoring.strength.estimate import QUANTILE_95, expected_boards
from tourney.scoring.strength.sequential import SWING_MAX, SequentialTest

SD_OF_RELATIVES: Final = 2.7
"""The standard deviation of a swing between versions of one program, in IMPs, measured with the reference bot."""
SD_OF_STRANGERS: Final = 6.2
"""The same between unrelated teams, as measured on 14,000 boards of human team matches."""


_CONFIDENCE: Final = 0.95
"""How often no difference is to be found where there is none."""


@dataclass(frozen=True, slots=True)
class DuelPlan:
    """How many boards a duel takes, by kind of test."""

    fixed_two_sided: int
    """Boards of a test of fixed length whose interval has two sides."""
    fixed_one_sided: int
    """Boards of a test of fixed length that asks for one direction."""
    sequential: int
    """Boards that the sequential test takes on average, if the difference is as planned or 0."""
    sequential_midway: int
    """Boards that it takes on average if the difference is half of that, which takes about the longest."""

    @property
    def half_width(self) -> float:
        """Return the factor of the standard deviation that the interval of the fixed test spans to either side."""
        return QUANTILE_95 / math.sqrt(self.fixed_two_sided)


def plan_duel(*, detect: float, sd: float, power: float = 0.95) -> DuelPlan:
    """Return how many boards it takes to detect a difference.

    Args:
        detect: the difference, in IMPs a board.
        sd: the standard deviation of a swing, in IMPs.
        power: how often the difference is to be detected.

    Raises:
        ConfigError: one sentence on figures that make no plan.
    """
    if not 0 < detect <= SWING_MAX:
        raise ConfigError(f"a difference to detect is above 0 and at most {SWING_MAX} IMPs a board, got {detect:g}")
    if not 0 < sd <= SWING_MAX:
        raise ConfigError(f"the standard deviation of a board is above 0 and at most {SWING_MAX} IMPs, got {sd:g}")
    if not 0.5 <= power < 1:
        raise ConfigError(f"the power is a probability from 0.5 to below 1, got {power:g}")
    normal = NormalDist()
    test = SequentialTest(d0=0, d1=detect, alpha=1 - _CONFIDENCE, beta=1 - power)
    expected = expected_boards(test, sd * sd)

    def fixed(level: float) -> int:
        return math.ceil(((normal.inv_cdf(level) + normal.inv_cdf(power)) * sd / detect) ** 2)

    return DuelPlan(
        fixed_two_sided=fixed((1 + _CONFIDENCE) / 2),
        fixed_one_sided=fixed(_CONFIDENCE),
        sequential=math.ceil(expected.as_measured),
        sequential_midway=math.ceil(expected.midway),
    )
