"""Figures of pairs in documents and tables: matchpoints, percentages and IMPs.

They are exact inside and rounded to two decimals when they are shown, exact halves away from average: 50 percent, a
half of the top, or no IMPs (English Bridge Union, White Book 2025, section 4.2.6).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from tourney.bridge import Side
from tourney.formats.adjusted import format_side_result
from tourney.movement.ranking import PairsFigures
from tourney.output.rows import ABSENT, INLINE, NOTHING, Cell, Row, Unit
from tourney.output.units import SideLetters
from tourney.scoring.assigned import round_hundredths
from tourney.scoring.pairs.field import PairsScoring, PairTotal, ScoredLine
from tourney.scoring.pairs.matchpoints import MatchpointScale

if TYPE_CHECKING:
    from tourney.results.travellers import PlayedTraveller

RoundedFigure: TypeAlias = Annotated[float, Unit("Rounded to two decimals.")]


class PairTotalDocument(Row, kw_only=True):
    """What a pair has won."""

    boards: int
    """How many boards count."""
    total: RoundedFigure
    """Matchpoints, two for each result that is beaten, or IMPs, over all boards, penalties deducted."""
    available: int | None
    """The most matchpoints that the pair could have won; null in IMPs."""
    percentage: RoundedFigure | None = ABSENT
    """Matchpoints of the pair in percent of those that it could have won; only at matchpoints, null before a board
    counts."""
    imps_per_board: RoundedFigure | None = ABSENT
    """IMPs per board of the pair; only at cross-IMPs and Butler, null before a board counts."""


class PairInRankingDocument(Row, kw_only=True):
    """The figures of a pair in a ranking; a team has none of them."""

    pair: str
    """The name of the pair, as in `team`."""
    direction: SideLetters | None
    """The direction in which the pair is ranked; null if all pairs are ranked together."""
    total: Annotated[PairTotalDocument, INLINE]
    carry_over: RoundedFigure = ABSENT
    """What the pair has carried over from the stage before, in percent or IMPs per board; only in a stage with a
    carry-over."""
    result: RoundedFigure | None = ABSENT
    """The percentage or the IMPs per board with the carry-over, by which pairs then rank; null before a board
    counts."""


def pair_in_ranking(pair: str, side: Side | None, figures: PairsFigures) -> PairInRankingDocument:
    """Return the figures of a pair in the ranking of a direction, or of all."""
    unit = pairs_unit(figures.scoring)
    return PairInRankingDocument(
        pair=pair,
        direction=side,
        total=replace(unit.total_row(figures), available=figures.available or None),
        carry_over=round_figure(figures.carried) if figures.carried is not None else ABSENT,
        result=unit.round_level(figures.result) if figures.carried is not None else ABSENT,
    )


@lru_cache(maxsize=4096)  # a board of thousands of results has few different figures
def round_figure(value: Fraction, average: Fraction | int = 0) -> float:
    """Round to two decimals, an exact half away from `average`."""
    return round_hundredths(value, average) / 100


def format_figure(value: Fraction | None, average: Fraction | int = 0) -> str:
    """Format a figure with two decimals; a dash if there is none."""
    return NOTHING if value is None else f"{round_figure(value, average):.2f}"


def format_percentage(percentage: Fraction | None) -> str:
    """Format a percentage of matchpoints with two decimals; a dash if there is none."""
    return format_figure(percentage, PairsScoring.MATCHPOINTS.average)


def average_of(available: int | None) -> Fraction:
    """Return the average of the matchpoints available; 0 for IMPs."""
    return Fraction(available or 0, 2)


@dataclass(frozen=True, slots=True)
class PairsUnit:
    """What scores of pairs are shown in: IMPs, of which there is neither a top nor a percentage."""

    scale: MatchpointScale = MatchpointScale.TWO
    name = "IMPs"
    """The heading of what is won on boards."""
    symbol = "IMP"
    """What file formats call it."""
    level_symbol = "IMP_Mean"
    level_key = "imps_per_board"
    """The key of what pairs rank by."""
    level_heading = "per board"
    """The heading of what pairs rank by."""
    level_unit = "IMPs per board"
    level_words = "IMPs per board"
    """What it is, in words."""
    running_heading = ">Running"
    """The heading of what pairs rank by, over the boards up to one."""
    average = 0

    def points(self, points: Fraction | None, available: int | None) -> str:
        """Format matchpoints that were won of those available, or IMPs; a dash if there are none."""
        if points is None:
            return NOTHING
        return format_figure(self.scale.shown(points), self.scale.shown(average_of(available)))

    def top(self, available: int | None) -> str:
        """Format the most matchpoints that could be won: `12`, or `10.5` where a result that is beaten is worth 1."""
        return f"{float(self.scale.shown(Fraction(available))):g}" if available else NOTHING

    def fine(self, points: Fraction) -> str:
        """Format what a penalty has taken."""
        return format_figure(self.scale.shown(points))

    def level(self, level: Fraction | None) -> str:
        """Format a percentage, or IMPs per board; a dash if there is none."""
        return format_figure(level, self.average)

    def round_level(self, level: Fraction | None) -> float | None:
        """Round what pairs rank by: a percentage, or IMPs per board; None if there is none."""
        return None if level is None else round_figure(level, self.average)

    def total_row(self, total: PairTotal | PairsFigures) -> PairTotalDocument:
        """Return what a pair has won."""
        return PairTotalDocument(
            boards=total.boards,
            total=round_figure(total.points, average_of(total.available)),
            available=None,
            **{self.level_key: self.round_level(total.level)},
        )

    def describe_total(self, total: PairTotal) -> str:
        """Describe a total: `12.50 IMPs, 0.83 per board`."""
        return f"{self.points(total.points, total.available)} IMPs, {self.level(total.level)} {self.level_heading}"

    def levels(self, figures: PairsFigures, *, carries_over: bool) -> list[str]:
        """Format what pairs rank by, and what was carried over and the result with it where there is any."""
        if not carries_over:
            return [self.level(figures.level)]
        return [self.level(figures.level), format_figure(figures.carried), self.level(figures.result)]

    def on_board(self, line: ScoredLine | None, side: Side) -> str:
        """Format what a side has won on a board; a dash if nothing counts."""
        return self.points(line.points(side), line.top) if line is not None else NOTHING

    def describe_board(self, line: ScoredLine | None, side: Side) -> str:
        """Describe what a side has won on a board: `2.50 IMPs`."""
        return f"{self.on_board(line, side)} {self.name}"

    def board_columns(self, of: Callable[[Any], tuple[ScoredLine | None, Side]], whose: str = "") -> tuple[Cell, ...]:
        """Return the columns of what a side has won on a board.

        Args:
            of: returns what counts in a row, and the side.
            whose: what follows the headings: ` NS`.
        """
        return (Cell(f">{self.name}{whose}", lambda row: self.on_board(*of(row)), worth=3),)

    def columns_of_sides(self, of: Callable[[Any], ScoredLine | None]) -> Iterator[Cell]:
        """Yield the columns of what both sides have won on a board; `of` returns what counts in a row."""

        def of_side(side: Side) -> tuple[Cell, ...]:
            return self.board_columns(lambda row: (of(row), side), f" {side.value}")

        for of_both in zip(*map(of_side, Side), strict=True):
            yield from of_both

    def total_columns(self, of: Callable[[Any], PairTotal | PairsFigures], tone: str = "") -> tuple[Cell, ...]:
        """Return the columns of a total; `tone` is that of what pairs rank by."""
        return (
            Cell(f">{self.name}", lambda row: self.points_or_nothing(of(row)), worth=1),
            Cell(f">{self.level_heading}", lambda row: self.level(of(row).level), worth=2, tone=tone),
        )

    def points_or_nothing(self, total: PairTotal | PairsFigures) -> str:
        """Format the matchpoints or IMPs of a total; a dash before a board counts."""
        return self.points(total.points, total.available) if total.boards else NOTHING


class MatchpointUnit(PairsUnit):
    """Matchpoints, and percentages of those that could be won."""

    __slots__ = ()
    name, symbol, level_symbol = "MP", "MP", "Percentage"
    level_key, level_words = "percentage", "percent of the matchpoints"
    level_heading = level_unit = "%"
    running_heading = ">Running %"
    average = PairsScoring.MATCHPOINTS.average

    def board_columns(self, of: Callable[[Any], tuple[ScoredLine | None, Side]], whose: str = "") -> tuple[Cell, ...]:
        """Return the columns of what a side has won on a board: matchpoints, and which part of the top they are."""
        (points,) = super().board_columns(of, whose)
        share = Cell(f">%{whose}", lambda row: self._share_on_board(*of(row)), worth=3)
        return replace(points, worth=0), share

    def total_columns(self, of: Callable[[Any], PairTotal | PairsFigures], tone: str = "") -> tuple[Cell, ...]:
        """Return the columns of a total, with the most that could be won."""
        points, level = super().total_columns(of, tone)
        return points, Cell(">of", lambda row: self.top(of(row).available)), level

    def total_row(self, total: PairTotal | PairsFigures) -> PairTotalDocument:
        """Return what a pair has won, and what it could have won."""
        return replace(super().total_row(total), available=total.available)

    def describe_board(self, line: ScoredLine | None, side: Side) -> str:
        """Describe what a side has won on a board: `3.00 MP, 75.00 %`."""
        return f"{super().describe_board(line, side)}, {self._share_on_board(line, side)} %"

    def _share_on_board(self, line: ScoredLine | None, side: Side) -> str:
        """Format the percentage of the top that a side has won on a board."""
        return format_percentage(line.percentage(side) if line is not None else None)

    def describe_total(self, total: PairTotal) -> str:
        """Describe a total: `47.00 of 84 matchpoints, 55.95 %`."""
        points, top = self.points(total.points, total.available), self.top(total.available)
        return f"{points} of {top} matchpoints, {self.level(total.level)} %"


def pairs_unit(scoring: PairsScoring, scale: MatchpointScale = MatchpointScale.TWO) -> PairsUnit:
    """Return what scores of pairs are shown in that are compared in this way."""
    return MatchpointUnit(scale) if scoring is PairsScoring.MATCHPOINTS else PairsUnit()


def ranking_columns(
    unit: PairsUnit, figures_of: Callable[[Any], PairsFigures], *, carries_over: bool
) -> Iterator[Cell]:
    """Yield the columns of a ranking with what pairs have won, and what they have carried over if any of them has.

    Args:
        unit: what the figures are shown in.
        figures_of: returns the figures of a row.
        carries_over: whether there are columns of what was carried over and of the result with it.
    """
    yield Cell(">Boards", lambda row: figures_of(row).boards)
    yield from unit.total_columns(figures_of, "" if carries_over else "ranked")
    if carries_over:
        yield Cell(">Carried over", lambda row: format_figure(figures_of(row).carried), worth=1)
        yield Cell(">Result", lambda row: unit.level(figures_of(row).result), worth=2, tone="ranked")


def line_points(line: ScoredLine | None, side: Side) -> float | None:
    """Return the matchpoints or IMPs of a side, rounded; None if nothing counts."""
    points = line.points(side) if line is not None else None
    return round_figure(points, average_of(line.top)) if line is not None and points is not None else None


def line_percentage(line: ScoredLine | None, side: Side) -> float | None:
    """Return the percentage of the top that a side has won, rounded; None in IMPs, and if nothing counts."""
    share = line.percentage(side) if line is not None else None
    return round_figure(share, PairsScoring.MATCHPOINTS.average) if share is not None else None


class ResultFigures(Row, kw_only=True):
    """What counts on a board at a table."""

    score: int | None
    """The score of North-South in points that counts; null if there is none that counts for both sides."""
    ns_points: RoundedFigure | None
    """Matchpoints, two for each result that is beaten, or IMPs of North-South; null if nothing counts, or there is
    nothing to compare it with."""
    ew_points: RoundedFigure | None
    """Matchpoints or IMPs of East-West; null likewise."""
    ns_percentage: RoundedFigure | None
    """Matchpoints of North-South as a percentage of the top; null in IMPs."""
    ew_percentage: RoundedFigure | None
    """Matchpoints of East-West as a percentage of the top; null in IMPs."""
    adjusted_ns: str = ABSENT
    """What counts for North-South where there is no score for both sides: A+, A or A- for an average plus, an average
    or an average minus, or a weighted score such as 60:420/40:-50; left out where nothing counts."""
    adjusted_ew: str = ABSENT
    """The same for East-West, also with North-South's points."""


def result_figures(line: ScoredLine | None) -> ResultFigures:
    """Return what counts on a board at a table."""
    return ResultFigures(
        score=line.score if line is not None else None,
        ns_points=line_points(line, Side.NS),
        ew_points=line_points(line, Side.EW),
        ns_percentage=line_percentage(line, Side.NS),
        ew_percentage=line_percentage(line, Side.EW),
        adjusted_ns=format_adjusted(line, Side.NS) or ABSENT,
        adjusted_ew=format_adjusted(line, Side.EW) or ABSENT,
    )


def format_counted(line: ScoredLine | None, side: Side) -> str:
    """Format what counts for a side, such as `A+`; empty if nothing does."""
    return format_side_result(line.line.result_of(side)) if line is not None else ""


def describe_counted(line: ScoredLine | None, side: Side) -> str:
    """Describe it for people, with the parts of a weighted score as rulings have them: `60: 420, 40: -50`."""
    return format_counted(line, side).replace(":", ": ").replace("/", ", ")


def format_adjusted(line: ScoredLine | None, side: Side) -> str:
    """Format what counts for a side where no score counts for both; empty where one does, or nothing counts."""
    return format_counted(line, side) if line is not None and line.score is None else ""


def describe_score(line: ScoredLine | None) -> str:
    """Describe the score that counts, North-South's: `420`, or `A- A+` for sides that differ; empty for none."""
    return " ".join(dict.fromkeys(filter(None, (describe_counted(line, side) for side in Side))))


def describe_tops(traveller: "PlayedTraveller", unit: PairsUnit) -> str:
    """Describe the most matchpoints: `6`, or `6 in section A, 4 in section B` where sections differ in it."""
    if traveller.top is not None:
        return unit.top(traveller.top)
    return ", ".join(f"{unit.top(top)} in section {section}" for section, top in sorted(traveller.tops.items()))
