"""The state of a sequential test: what is shown of two programs while they play, and once the test has stopped."""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Annotated

from tourney.output.rows import Cell, Row, Unit
from tourney.output.units import ImpsABoard
from tourney.plurals import count
from tourney.scoring.strength.estimate import (
    Estimate,
    boards_to_come,
    final_estimate,
    running_estimate,
    superiority,
)
from tourney.scoring.strength.sequential import (
    BOARDS_LEAST,
    NOTHING_PLAYED,
    SWINGS_LEAST,
    SequentialTest,
    Swing,
    Tally,
    Verdict,
    tally_swings,
)


class EstimateDocument(Row):
    """A difference in IMPs a board with its interval of 95 %."""

    mean: Annotated[ImpsABoard, Cell(">IMPs/board")]
    """The estimate."""
    low: Annotated[float, Cell(">+-", lambda estimate: f"{estimate.half_width:.2f}")]
    """The lower end of the interval."""
    high: float
    """The upper end of the interval."""

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class SequentialTestDocument(Row):
    """A sequential test of the boards that two programs have played."""

    d0: float
    """The difference of hypothesis H0, in IMPs a board."""
    d1: float
    """The difference of hypothesis H1, in IMPs a board."""
    alpha: float
    """How often H1 may be accepted although H0 is true."""
    beta: float
    """How often H0 may be accepted although H1 is true."""
    two_sided: bool
    """Whether either program may turn out to be the better one."""
    boards_max: int
    """The most boards that are played."""
    boards: int
    """Boards that count."""
    won: int
    """Boards won by the first program."""
    lost: int
    """Boards lost by it."""
    level: int
    """Boards without a swing."""
    imps: float
    """IMPs to the first program."""
    llr: float
    """The log-likelihood ratio of H1 to H0."""
    lower: float
    """The bound at which H0 is accepted."""
    upper: float
    """The bound at which H1 is accepted."""
    verdict: Annotated[str, Unit(enum=[verdict.value for verdict in Verdict])]
    """What the boards say: `H1` the first program is better, or with `d0` below 0 that it is not worse by as much;
    `H0` it is not better by `d1`, or with `d1` not above 0 that it is worse; `H2` the second one is better."""
    estimate: EstimateDocument | None
    """The mean with its interval as while the test runs; null before the first board."""
    los: float | None
    """The probability that the mean is above 0; null before the first board."""
    more: int | None
    """How many more boards are expected to be needed; null once the test has stopped."""
    more_midway: int | None
    """How many if the true difference is half-way between the hypotheses."""
    final: EstimateDocument | None
    """The estimate that allows for the stop; null while the test runs, and if the programs play alike."""


class SequentialReport(Row):
    """The boards that two programs have played, counted up to the one that decided the test."""

    test: SequentialTest
    swings: tuple[Swing, ...]
    """The swings that count."""
    tally: Tally
    verdict: Verdict
    after: int = 0
    """Boards after the one that decided, which do not count."""
    is_fixed: bool = False
    """Whether a number of boards was fixed beforehand; the test then decides nothing."""

    @property
    def won(self) -> int:
        """Boards won by the first program."""
        return sum(swing > 0 for swing in self.swings)

    @property
    def lost(self) -> int:
        """Boards lost by it."""
        return sum(swing < 0 for swing in self.swings)

    @property
    def level(self) -> int:
        """Boards without a swing."""
        return self.tally.boards - self.tally.nonzero

    @property
    def final(self) -> Estimate | None:
        """The estimate that allows for the stop; None while the test runs, and if the programs play alike."""
        if self.verdict is Verdict.CONTINUE:
            return None
        if self.is_fixed:
            return running_estimate(self.tally)
        return final_estimate(self.test, self.tally, self.verdict)

    @property
    def leading_llr(self) -> float:
        """The log-likelihood ratio; in a test of both directions that of the program that leads."""
        tally = self.tally
        return self.test.llr(tally.reversed() if self.test.is_two_sided and tally.imps < 0 else tally)

    def content(self) -> SequentialTestDocument:
        """Return all figures."""
        test, tally = self.test, self.tally
        goes_on = tally.boards > 0 and self.verdict is Verdict.CONTINUE
        to_come = boards_to_come(test, tally) if goes_on else None
        return SequentialTestDocument.from_attributes(
            test,
            self,
            two_sided=test.is_two_sided,
            boards=tally.boards,
            imps=float(tally.imps),
            llr=test.llr(tally),
            verdict=self.verdict.value,
            estimate=estimate_row(running_estimate(tally)) if tally.boards else None,
            los=superiority(tally) if tally.boards else None,
            more=ceil(to_come.as_measured) if to_come else None,
            more_midway=ceil(to_come.midway) if to_come else None,
            final=estimate_row(self.final) if self.final is not None else None,
        )

    def verdict_text(self, first: str, second: str) -> str:
        """Return the verdict as a sentence: `Alpha is better than Beta: H1 accepted after 812 boards`."""
        test, boards, final = self.test, f"after {count(self.tally.boards, 'board')}", self.final
        match self.verdict:
            case Verdict.BETTER if test.can_tell_better:
                said = f"{first} is better than {second}"
            case Verdict.BETTER:
                said = f"{first} is not worse than {second} by {-test.d0:g} IMPs a board"
            case Verdict.WORSE:
                said = f"{second} is better than {first}"
            case Verdict.NOT_BETTER if test.is_two_sided:
                said = f"Neither is better than the other by {test.d1:g} IMPs a board"
            case Verdict.NOT_BETTER if test.can_tell_worse:
                said = f"{first} is worse than {second}"
            case Verdict.NOT_BETTER if final is not None and final.high < 0:
                said = f"{first} is not better than {second} but worse"
            case Verdict.SAME:
                return f"{first} and {second} play alike: no swing {boards}"
            case Verdict.UNDECIDED:
                return f"Undecided {boards}, which is the most that were allowed"
            case Verdict.CONTINUE:
                return f"Not decided yet {boards}"
            case _:
                said = f"{first} is not better than {second} by {test.d1:g} IMPs a board"
        return f"{said}: {self.verdict.value} accepted {boards}"

    def progress(self) -> Iterator[str]:
        """Yield what is shown while the programs play: the boards with the interval, then the test."""
        test, tally = self.test, self.tally
        boards = f"boards {tally.boards}  won {self.won} lost {self.lost} level {self.level}"
        if not tally.boards:
            yield boards
            return
        estimate = running_estimate(tally)
        half = (estimate.high - estimate.low) / 2
        yield f"{boards}  {tally.mean:+.2f} +- {half:.2f} IMPs/board  LOS {superiority(tally):.1%}".replace("%", " %")
        llr = self.leading_llr
        share = llr / (test.upper if llr >= 0 else test.lower)
        line = f"LLR {llr:.2f} ({share:.0%}) ({test.lower:.2f}, {test.upper:.2f}) [{test.d0:g}, {test.d1:g}]"
        if self.verdict is Verdict.CONTINUE and share >= 1:
            line += f"  decided once there are {BOARDS_LEAST} boards, {SWINGS_LEAST} of them with a swing"
        elif self.verdict is Verdict.CONTINUE:
            to_come = boards_to_come(test, tally)
            line += f"  about {count(ceil(to_come.as_measured), 'more board')}, {ceil(to_come.midway)} if it is close"
        yield line.replace("%", " %")


def run_test(test: SequentialTest, swings: Iterable[Swing], *, is_fixed: bool = False) -> SequentialReport:
    """Run a test over the swings of boards, in the order of their deals.

    Args:
        test: the test.
        swings: the IMPs of the boards.
        is_fixed: whether all boards that the test allows are counted, whatever they say.
    """
    given = tuple(swings)
    if is_fixed:
        counted = given[: test.boards_max]
        verdict = Verdict.UNDECIDED if len(counted) == test.boards_max else Verdict.CONTINUE
        return SequentialReport(test, counted, tally_swings(counted), verdict, is_fixed=True)
    played = list(test.run(given))
    tally, verdict = played[-1] if played else (NOTHING_PLAYED, Verdict.CONTINUE)
    return SequentialReport(test, given[: len(played)], tally, verdict, len(given) - len(played))


def estimate_row(estimate: Estimate) -> EstimateDocument:
    """Return an estimate as a row."""
    return EstimateDocument(estimate.mean, estimate.low, estimate.high)
