"""Estimates of the difference of two programs: intervals, the probability of being better, boards to come.

While a test runs, the mean of the swings with its interval is shown. Once the test has stopped, the mean is biased,
since a test stops where luck helped it; the final estimate takes account of that. It orders the outcomes of the test
by when and where it stopped, as fishtest does, and approximates the log-likelihood ratio by a Brownian motion between
two bounds.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from tourney.scoring.strength.sequential import SequentialTest, Swing, Tally, Verdict

QUANTILE_95: Final = 1.9599639845400543
"""The half-width of a two-sided interval of 95 % in standard errors."""

_REFLECTIONS: Final = 8
_STEEP: Final = 15.0
"""Above this drift between the bounds the terms of the reflections cancel in floating point."""
_FLAT: Final = 1e-6
_BISECTIONS: Final = 100
_WIDENINGS: Final = 20


@dataclass(frozen=True, slots=True)
class Estimate:
    """A difference in IMPs a board with its interval of 95 %."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def normal_cdf(z: float) -> float:
    """Return the probability that a standard normal variable is below `z`."""
    return math.erfc(-z / math.sqrt(2)) / 2


def naive_error(tally: Tally) -> float:
    """Return the standard error of the mean of boards that are independent; at least one board is counted."""
    return math.sqrt(tally.variance / tally.boards)


def running_estimate(tally: Tally, error: float | None = None) -> Estimate:
    """Return the mean with its interval while boards are being played; at least one board is counted.

    `error` is its standard error where boards are not independent.
    """
    half = QUANTILE_95 * (naive_error(tally) if error is None else error)
    return Estimate(tally.mean, tally.mean - half, tally.mean + half)


def superiority(tally: Tally, error: float | None = None) -> float:
    """Return the likelihood of superiority (LOS): the probability that the mean is above 0; `error` as above."""
    return normal_cdf(tally.mean / (naive_error(tally) if error is None else error))


def standard_error(swings: Sequence[Swing], deals: Sequence[Hashable]) -> float:
    """Return the standard error of the mean of swings, estimated by deal: all boards of a deal are one observation.

    Args:
        swings: the IMPs of boards.
        deals: what tells the deal of each apart; boards that each have a deal of their own give the naive error.
            With fewer than two deals the error is not known: infinite.
    """
    mean = sum(swings) / len(swings) if swings else 0.0
    sums: defaultdict[Hashable, float] = defaultdict(float)
    for swing, deal in zip(swings, deals, strict=True):
        sums[deal] += float(swing - mean)
    if len(sums) < 2:
        return math.inf
    scale = len(sums) / (len(sums) - 1)
    return math.sqrt(scale * sum(each * each for each in sums.values())) / len(swings)


def error_by_deal(swings: Sequence[Swing], deals: Sequence[Hashable]) -> float | None:
    """Return the standard error by deal; None where the naive error, which is never 0, has to stand for it.

    So it has where no two boards are of one deal, where all are, and where all deals say the same.
    """
    return (standard_error(swings, deals) or None) if 1 < len(set(deals)) < len(swings) else None


def boards_that_tell(difference: float, error: float, boards: int) -> int:
    """Return how many boards show a difference, in IMPs a board, given the error of so many boards; see `POWER`."""
    reach = _REACH * error / difference
    return math.ceil(boards * reach * reach)


# Boards to come


@dataclass(frozen=True, slots=True)
class BoardsToCome:
    """How many more boards a test is expected to need."""

    as_measured: float
    """If the true difference is the mean so far."""
    midway: float
    """If the true difference is half-way between the hypotheses, which takes about the longest."""


def boards_to_come(test: SequentialTest, tally: Tally) -> BoardsToCome:
    """Return how many more boards a test is expected to need; at least one board is counted."""
    llr, mean = test.llr(tally), tally.mean
    if test.is_two_sided and tally.imps < 0:
        llr, mean = test.llr(tally.reversed()), -mean  # the direction that leads
    lower, upper = test.lower, test.upper
    llr = min(max(llr, lower), upper)
    variance_per_board = test.span**2 / tally.variance
    drift = test.span * (mean - test.middle) / tally.variance
    midway = (llr - lower) * (upper - llr) / variance_per_board
    steepness = 2 * drift / variance_per_board
    if abs(steepness) * (upper - lower) < _FLAT:
        return BoardsToCome(midway, midway)
    reach_upper = _reach_upper(steepness, llr - lower, upper - lower)
    end = reach_upper * upper + (1 - reach_upper) * lower
    return BoardsToCome(max((end - llr) / drift, 0.0), midway)


def _reach_upper(steepness: float, above_lower: float, width: float) -> float:
    """Return the probability that a Brownian motion leaves its bounds by the upper one."""
    if steepness < 0:  # written so that neither exponential overflows
        return (math.exp(steepness * (width - above_lower)) - math.exp(steepness * width)) / -math.expm1(
            steepness * width
        )
    return math.expm1(-steepness * above_lower) / math.expm1(-steepness * width)


def expected_boards(test: SequentialTest, variance: float) -> BoardsToCome:
    """Return how many boards a whole test takes on average, without its safeguards for short tests.

    Args:
        test: the test.
        variance: the variance of a swing, in square IMPs.

    Returns:
        The boards if the true difference is `d1`, and if it is midway.
    """
    lower, upper = test.lower, test.upper
    width = test.span**2
    at_d1 = 2 * variance * (upper * (1 - test.beta) + lower * test.beta) / width
    return BoardsToCome(at_d1, -lower * upper * variance / width)


SD_OF_PROGRAMS: Final = {"versions of one program": 2.7, "unrelated programs": 6.2}
"""The standard deviation of a swing in IMPs, as measured with the reference bot, and on 14,000 boards of human team
matches."""

POWER: Final = 0.95
"""How often a fixed number of boards is to show a difference."""

_REACH: Final = QUANTILE_95 + NormalDist().inv_cdf(POWER)
"""How many standard errors such a difference has."""


def detectable_difference(boards: int, sd: float) -> float:
    """Return the difference in IMPs a board that so many boards show, with an interval of 95 % and this power."""
    return _REACH * sd / math.sqrt(boards)


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


# The final estimate


def final_estimate(test: SequentialTest, tally: Tally, verdict: Verdict) -> Estimate | None:
    """Return the estimate once a test has stopped; None if all boards were without a swing.

    In a test of both directions the direction that was decided counts, and the running estimate where none was.
    """
    if verdict is Verdict.SAME:
        return None
    if test.is_two_sided and verdict in (Verdict.NOT_BETTER, Verdict.UNDECIDED):
        return running_estimate(tally)
    if verdict is Verdict.WORSE:
        seen = final_estimate(test, tally.reversed(), Verdict.BETTER)
        assert seen is not None
        return Estimate(-seen.mean, -seen.high, -seen.low)
    outcome = _Outcome.of(test, tally)
    reach = 9 * naive_error(tally) + 2 * test.span
    median, low, high = (_solve(outcome.no_better, level, test.middle, reach) for level in (0.5, 0.975, 0.025))
    return Estimate(median, low, high)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Where and when the log-likelihood ratio of a test stopped, as a Brownian motion."""

    test: SequentialTest
    variance: float
    """The variance of a swing."""
    boards: float
    """When it stopped: on the bound that it crossed."""
    llr: float
    """Where it stopped."""

    @classmethod
    def of(cls, test: SequentialTest, tally: Tally) -> "_Outcome":
        llr, boards = test.llr(tally), float(tally.boards)
        bound = test.lower if llr < 0 else test.upper
        if abs(llr) > abs(bound):
            llr, boards = bound, boards * bound / llr
        return cls(test, tally.variance, boards, llr)

    def no_better(self, difference: float) -> float:
        """Return the probability of an outcome no better than this one if the true difference is as given."""
        test = self.test
        a, b = test.lower, test.upper
        width = b - a
        w = test.span**2 / self.variance
        mu = (difference - test.middle) * test.span / self.variance
        if abs(mu / w) * width < _FLAT:
            mu = _FLAT * w / width
        g = mu / w
        spread = math.sqrt(w * self.boards)
        y, drifted = self.llr, mu * self.boards
        if abs(g) * width > _STEEP:
            return (
                normal_cdf((y - drifted) / spread)
                + math.exp(2 * g * a + _log_normal_cdf((2 * a - y + drifted) / spread))
                - math.exp(2 * g * b + _log_normal_cdf((y - drifted - 2 * b) / spread))
            )
        scale = math.exp(-2 * g * a) - math.exp(-2 * g * b)
        not_upper = -math.expm1(-2 * g * b) / scale
        still = self._between(-mu, a, b, spread, w) - math.exp(-2 * g * b) * self._between(mu, a, b, spread, w)
        return not_upper - still / scale + self._between(mu, a, y, spread, w)

    def _between(self, mu: float, low: float, high: float, spread: float, w: float) -> float:
        """Return the probability that the motion with drift `mu` has not stopped and lies between two levels."""
        a, b = self.test.lower, self.test.upper
        width, g, drifted = b - a, mu / w, mu * self.boards
        total = 0.0
        for k in range(-_REFLECTIONS, _REFLECTIONS + 1):
            direct, image = 2 * k * width, 2 * a + 2 * k * width
            total += _weighted(2 * k * width * g, low - direct - drifted, high - direct - drifted, spread)
            total -= _weighted(g * image, low - image - drifted, high - image - drifted, spread)
        return total


def _weighted(exponent: float, low: float, high: float, spread: float) -> float:
    """Return e to the exponent times the probability that a normal variable lies between two values."""
    low, high = low / spread, high / spread
    if low > 0:
        low, high = -high, -low  # the lower tail has the digits
    probability = normal_cdf(high) - normal_cdf(low)
    return math.exp(exponent) * probability if probability > 0 else 0.0


def _log_normal_cdf(z: float) -> float:
    """Return the logarithm of `normal_cdf`, also where that is too small for a float."""
    if z > -30:
        return math.log(normal_cdf(z))
    return -z * z / 2 - math.log(-z) - math.log(2 * math.pi) / 2 + math.log1p(-1 / z**2 + 3 / z**4)


def _solve(falling: Callable[[float], float], level: float, middle: float, reach: float) -> float:
    """Return where a falling function has a level, searched for around a middle."""
    low, high = middle - reach, middle + reach
    for _ in range(_WIDENINGS):
        if falling(low) >= level:
            break
        low -= reach
    for _ in range(_WIDENINGS):
        if falling(high) <= level:
            break
        high += reach
    for _ in range(_BISECTIONS):
        mid = (low + high) / 2
        if falling(mid) > level:
            low = mid
        else:
            high = mid
    return (low + high) / 2
