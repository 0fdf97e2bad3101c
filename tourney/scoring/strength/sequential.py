"""The sequential test: after each board, whether one program is better than another, or more boards are needed.

The test is a generalised sequential probability ratio test of the mean with the variance estimated from the swings
themselves (GSPRT, as chess programs are tested on fishtest), with two safeguards for short and for drawish duels:
the variance starts as if two more boards lay 6 IMPs off the mean, and nothing is decided before 32 boards, 16 of
which had a swing. Everything follows from the tally of the boards, so a duel that was cut off continues from its
record.

Swings count in the order of the deals: boards that are finished quickly must not overtake those that take long.
"""

import enum
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, Final, TypeAlias

from tourney.errors import ConfigError
from tourney.scoring import BOARDS_MAX

Swing: TypeAlias = int | Fraction
"""IMPs won on a board over both rooms, negative if lost; a fraction where a ruling weighted results."""

SWING_MAX: Final = 24
"""The most IMPs that a board is worth."""

BOARDS_LEAST: Final = 32
"""How many boards are played before anything is decided."""
SWINGS_LEAST: Final = 16
"""How many boards with a swing are played before anything is decided."""

TWO_SIDED: Final = "two-sided"
"""The word for a test of both directions."""

_PRIOR_BOARDS: Final = 2
_PRIOR_SQUARES: Final = 72  # two boards, each 6 IMPs off the mean


class Verdict(enum.StrEnum):
    """What a sequential test says after a board; the values are those of documents and CSV."""

    CONTINUE = "continue"
    """More boards are needed."""
    BETTER = "H1"
    """The first program is better; in a test of both directions too."""
    NOT_BETTER = "H0"
    """The first program is not better by what was asked; in a test of both directions neither is."""
    WORSE = "H2"
    """The second program is better; only in a test of both directions."""
    SAME = "same"
    """The programs play alike: no board had a swing."""
    UNDECIDED = "undecided"
    """All boards that were allowed have been played."""


class RequiredVerdict(enum.StrEnum):
    """What somebody requires a test to say, such as a service that checks every change of a program."""

    BETTER = "better"
    """The first program is better."""
    NOT_WORSE = "not-worse"
    """It is better, plays alike, or is not worse by as much as the test asks for."""
    SAME = "same"
    """The programs play alike."""

    def is_met(self, test: "SequentialTest", verdict: Verdict) -> bool:
        """Return whether the verdict of a test says what is required."""
        match verdict:
            case Verdict.BETTER:
                return self is RequiredVerdict.NOT_WORSE or (self is RequiredVerdict.BETTER and test.can_tell_better)
            case Verdict.NOT_BETTER:
                # In both directions H0 says that neither is better; in one direction the first may be worse.
                return self is RequiredVerdict.NOT_WORSE and test.is_two_sided
            case Verdict.SAME:
                return self is not RequiredVerdict.BETTER
            case Verdict.WORSE | Verdict.UNDECIDED | Verdict.CONTINUE:
                return False


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted of the boards played so far."""

    boards: int = 0
    imps: Swing = 0
    """The sum of the swings."""
    squares: Swing = 0
    """The sum of their squares."""
    nonzero: int = 0
    """Boards with a swing."""

    def plus(self, swing: Swing) -> "Tally":
        """Return the tally after one more board."""
        return Tally(self.boards + 1, self.imps + swing, self.squares + swing * swing, self.nonzero + (swing != 0))

    def reversed(self) -> "Tally":
        """Return the tally as the other program sees it."""
        return Tally(self.boards, -self.imps, self.squares, self.nonzero)

    @property
    def mean(self) -> float:
        """IMPs a board; 0 before the first."""
        return float(self.imps / self.boards) if self.boards else 0.0

    @property
    def variance(self) -> float:
        """The variance of a swing in square IMPs, as if two more boards lay 6 IMPs off the mean."""
        if not self.boards:
            return _PRIOR_SQUARES / _PRIOR_BOARDS
        around_mean = self.squares * self.boards - self.imps * self.imps  # times boards: whole numbers stay whole
        return float((around_mean + _PRIOR_SQUARES * self.boards) / (self.boards * (self.boards + _PRIOR_BOARDS)))


NOTHING_PLAYED: Final = Tally()


def tally_swings(swings: Iterable[Swing]) -> Tally:
    """Count the swings of boards."""
    return reduce(Tally.plus, swings, NOTHING_PLAYED)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    """A sequential test of the difference of two programs, in IMPs a board.

    Raises:
        ConfigError: one sentence on figures that make no test.
    """

    d0: float = 0.0
    """The difference of hypothesis H0."""
    d1: float = 0.5
    """The difference of hypothesis H1, above `d0`."""
    alpha: float = 0.05
    """How often H1 may be accepted although H0 is true."""
    beta: float = 0.05
    """How often H0 may be accepted although H1 is true."""
    boards_max: int = 4000
    """The most boards, after which the test ends undecided."""
    is_two_sided: bool = False
    """Whether either program may turn out to be the better one; `alpha` is shared between them."""
    is_fixed: bool = False
    """Whether all boards are played, whatever they say; the test then decides nothing."""

    def __post_init__(self) -> None:
        for name, value in (("d0", self.d0), ("d1", self.d1)):
            if not (math.isfinite(value) and abs(value) <= SWING_MAX):
                raise ConfigError(
                    f"{name} is a difference in IMPs a board from -{SWING_MAX} to {SWING_MAX}, got {value:g}"
                )
        if self.d0 >= self.d1:
            raise ConfigError(f"d0 must be below d1, got d0 = {self.d0:g} and d1 = {self.d1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 1:
                raise ConfigError(f"{name} is a probability between 0 and 1, got {value:g}")
        if self.alpha + self.beta >= 1:
            raise ConfigError(f"alpha and beta must add up to less than 1, got {self.alpha:g} and {self.beta:g}")
        if not 1 <= self.boards_max <= BOARDS_MAX:
            raise ConfigError(f"a test has 1 to {BOARDS_MAX} boards, got {self.boards_max}")

    @classmethod
    def parse(cls, text: str, boards_max: int | None = None) -> "SequentialTest":
        """Read a test as an event file and a command line have it: D0,D1 or D0,D1,ALPHA,BETA, and `two-sided`.

        Raises:
            ConfigError: one sentence on figures that make no test.
        """
        words = [word.strip() for word in text.split(",")]
        is_two_sided = words[-1] == TWO_SIDED
        if is_two_sided:
            words.pop()
        try:
            figures = [float(word) for word in words]
        except ValueError:
            figures = [0.0]
        if len(figures) not in (0, 2, 4):
            raise ConfigError(
                f"expected D0,D1 or D0,D1,ALPHA,BETA, with or without {TWO_SIDED} behind them, got {text!r}"
            )
        given: dict[str, Any] = dict(zip(("d0", "d1", "alpha", "beta"), figures, strict=False))
        if boards_max is not None:
            given["boards_max"] = boards_max
        return cls(**given, is_two_sided=is_two_sided)

    def __str__(self) -> str:
        figures = (str(figure).removesuffix(".0") for figure in (self.d0, self.d1, self.alpha, self.beta))
        return ",".join((*figures, TWO_SIDED) if self.is_two_sided else figures)

    @property
    def middle(self) -> float:
        """The difference half-way between the hypotheses."""
        return (self.d0 + self.d1) / 2

    @property
    def span(self) -> float:
        """The difference between the hypotheses."""
        return self.d1 - self.d0

    @property
    def can_tell_better(self) -> bool:
        """Whether accepting H1 says that the first program is better, not only that it is not worse."""
        return self.is_two_sided or self.d0 >= 0

    @property
    def can_tell_worse(self) -> bool:
        """Whether accepting H0 says that the first program is worse, not only that it is not better."""
        return not self.is_two_sided and self.d1 <= 0

    @property
    def lower(self) -> float:
        """The bound of the log-likelihood ratio at which H0 is accepted, below 0."""
        return math.log(self.beta / (1 - self._one_sided_alpha))

    @property
    def upper(self) -> float:
        """The bound of the log-likelihood ratio at which H1 is accepted, above 0."""
        return math.log((1 - self.beta) / self._one_sided_alpha)

    @property
    def _one_sided_alpha(self) -> float:
        return self.alpha / 2 if self.is_two_sided else self.alpha

    def llr(self, tally: Tally) -> float:
        """Return the log-likelihood ratio of H1 to H0; 0 before the first board."""
        return self.span * (float(tally.imps) - tally.boards * self.middle) / tally.variance

    def decide(self, tally: Tally) -> Verdict:
        """Return what the boards played so far say."""
        if not self.is_fixed:
            if tally.boards >= BOARDS_LEAST and tally.nonzero >= SWINGS_LEAST:
                verdict = self._compare(tally)
                if verdict is not Verdict.CONTINUE:
                    return verdict
            if self._play_alike(tally):
                return Verdict.SAME
        return Verdict.UNDECIDED if tally.boards >= self.boards_max else Verdict.CONTINUE

    def _compare(self, tally: Tally) -> Verdict:
        llr = self.llr(tally)
        if llr >= self.upper:
            return Verdict.BETTER
        if not self.is_two_sided:
            return Verdict.NOT_BETTER if llr <= self.lower else Verdict.CONTINUE
        reversed_llr = self.llr(tally.reversed())
        if reversed_llr >= self.upper:
            return Verdict.WORSE
        return Verdict.NOT_BETTER if max(llr, reversed_llr) <= self.lower else Verdict.CONTINUE

    def _play_alike(self, tally: Tally) -> bool:
        """Return whether boards without a swing rule out that the first program is better by `d1` or worse by `d0`.

        A board is worth 24 IMPs at most, so a mean of `d1` needs a swing on at least one board in 24 / d1.
        """
        if tally.nonzero:
            return False
        boards_to_rule_out = []
        if self.d1 > 0:
            boards_to_rule_out.append(SWING_MAX * math.log(1 / self.beta) / self.d1)
        if self.d0 < 0:
            boards_to_rule_out.append(SWING_MAX * math.log(1 / self._one_sided_alpha) / -self.d0)
        return tally.boards >= max(boards_to_rule_out)

    def run(self, swings: Iterable[Swing], tally: Tally = NOTHING_PLAYED) -> Iterator[tuple[Tally, Verdict]]:
        """Yield the tally and the verdict after each board, up to the one that decides.

        Args:
            swings: the swings of boards.
            tally: of the boards before them.
        """
        for swing in swings:
            tally = tally.plus(swing)
            verdict = self.decide(tally)
            yield tally, verdict
            if verdict is not Verdict.CONTINUE:
                return
