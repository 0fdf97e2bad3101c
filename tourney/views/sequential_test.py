"""The state of a sequential test: what is shown of two programs while they play, and once the test has stopped."""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Annotated, Final, TypeAlias

from tourney.output.rows import Cell, Document, Row, Unit
from tourney.output.tables import CsvTable, Parts, parse_columns
from tourney.output.units import ImpsABoard
from tourney.plurals import count, plural
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
)
from tourney.views.report import Report

CSV_COLUMNS: Final = parse_columns("""
sequence n imp sum sum_sq nonzero mean v llr lo95 hi95 los more_midway decision final_est final_lo final_hi
""")


VerdictName: TypeAlias = Annotated[str, Unit(enum=[verdict.value for verdict in Verdict])]


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
    verdict: VerdictName
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


class SequentialReport(Report):
    """The boards that two programs have played, counted up to the one that decided the test."""

    name: str
    """What the sequence of swings is called, such as the name of its file."""
    test: SequentialTest
    swings: tuple[Swing, ...]
    """The swings that count."""
    tally: Tally
    verdict: Verdict
    after: int
    """Boards after the one that decided, which do not count."""
    error: float | None = None
    """The standard error of the mean where several boards are of one deal; None where each has its own."""

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
        if self.test.is_fixed:
            return running_estimate(self.tally, self.error)
        return final_estimate(self.test, self.tally, self.verdict)

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
            estimate=estimate_row(running_estimate(tally, self.error)) if tally.boards else None,
            los=superiority(tally, self.error) if tally.boards else None,
            more=ceil(to_come.as_measured) if to_come else None,
            more_midway=ceil(to_come.midway) if to_come else None,
            final=estimate_row(self.final) if self.final is not None else None,
        )

    def csv(self) -> CsvTable:
        """Return a row for each board, with the state of the test after it."""
        return CsvTable(CSV_COLUMNS, self._rows())

    def _rows(self) -> Iterator[Document]:
        test = self.test
        sequence = "|".join(
            (self.name, *(f"{x:g}" for x in (test.d0, test.d1, test.alpha, test.beta, test.boards_max)))
        )
        for swing, (tally, verdict) in zip(self.swings, test.run(self.swings), strict=True):
            estimate = running_estimate(tally)
            row = {
                "sequence": sequence,
                "n": tally.boards,
                "imp": _plain(swing),
                "sum": _plain(tally.imps),
                "sum_sq": _plain(tally.squares),
                "nonzero": tally.nonzero,
                "mean": f"{tally.mean:.10g}",
                "v": f"{tally.variance:.10g}",
                "llr": f"{test.llr(tally):.10g}",
                "lo95": f"{estimate.low:.10g}",
                "hi95": f"{estimate.high:.10g}",
                "los": f"{superiority(tally):.8g}",
                "more_midway": f"{boards_to_come(test, tally).midway:.8g}",
                "decision": verdict.value,
            }
            final = self.final if tally.boards == self.tally.boards else None
            if final is not None:
                row |= {
                    "final_est": f"{final.mean:.7g}",
                    "final_lo": f"{final.low:.7g}",
                    "final_hi": f"{final.high:.7g}",
                }
            yield row

    def text(self) -> Parts:
        """Yield the two lines of a running test, then the verdict and the estimate."""
        yield from self.progress()
        yield (said := self.verdict_text("the first", "the second"))[0].upper() + said[1:]
        yield from self.describe_final()
        if self.after:
            yield f"{count(self.after, 'board')} after that {plural(self.after, 'does', 'do')} not count"

    def describe_final(self) -> Iterator[str]:
        """Yield the estimate with its interval, once there is one."""
        final, what = self.final, "difference" if self.test.is_fixed else "estimate"
        if final is not None:
            yield f"{what} {final.mean:+.2f} IMPs/board, with 95 % confidence {final.low:+.2f} to {final.high:+.2f}"

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
        half, los = running_estimate(tally, self.error).half_width, superiority(tally, self.error)
        yield f"{boards}  {tally.mean:+.2f} +- {half:.2f} IMPs/board  LOS {los:.1%}".replace("%", " %")
        # In a test of both directions it is that of the program that leads.
        llr = test.llr(tally.reversed() if test.is_two_sided and tally.imps < 0 else tally)
        share = llr / (test.upper if llr >= 0 else test.lower)
        line = f"LLR {llr:.2f} ({share:.0%}) ({test.lower:.2f}, {test.upper:.2f}) [{test.d0:g}, {test.d1:g}]"
        if self.verdict is Verdict.CONTINUE and share >= 1:
            line += f"  decided once there are {BOARDS_LEAST} boards, {SWINGS_LEAST} of them with a swing"
        elif self.verdict is Verdict.CONTINUE:
            to_come = boards_to_come(test, tally)
            line += f"  about {count(ceil(to_come.as_measured), 'more board')}, {ceil(to_come.midway)} if it is close"
        yield line.replace("%", " %")


def run_test(name: str, test: SequentialTest, swings: Iterable[Swing]) -> SequentialReport:
    """Run a test over the swings of boards, in the order of their deals; `name` is what their sequence is called."""
    given = tuple(swings)
    played = list(test.run(given))
    tally, verdict = played[-1] if played else (NOTHING_PLAYED, Verdict.CONTINUE)
    return SequentialReport(name, test, given[: len(played)], tally, verdict, len(given) - len(played))


def estimate_row(estimate: Estimate) -> EstimateDocument:
    """Return an estimate as a row."""
    return EstimateDocument(estimate.mean, estimate.low, estimate.high)


def _plain(figure: Swing) -> int | float:
    return int(figure) if figure == int(figure) else float(figure)
