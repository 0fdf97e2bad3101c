"""Figures of pairs in documents and tables: matchpoints, percentages and IMPs.

They are exact inside and rounded to two decimals when they are shown, exact halves away from average: 50 percent, a
half of the top, or no IMPs (English Bridge Union, White Book 2025, section 4.2.6).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from tourney.bridge import Side
from tourney.formats.adjusted import format_side_result
from tourney.movement.ranking import PairsFigures
from tourney.output.rows import ABSENT, INLINE, NOTHING, Row, Unit
from tourney.output.units import SideLetters
from tourney.plurals import count
from tourney.scoring.assigned import round_half_away
from tourney.scoring.pairs.field import PairTotal
from tourney.scoring.pairs.matchpoints import MatchpointScale, adjust_matchpoints, is_small_group

if TYPE_CHECKING:
    from tourney.results.travellers import PlayedLine, PlayedTraveller

AVERAGE_PERCENTAGE: Final = 50

RoundedFigure: TypeAlias = Annotated[float, Unit("Rounded to two decimals.")]


DIRECTIONS: Final = {Side.NS: "North-South", Side.EW: "East-West"}


class LevelDocument(Row, kw_only=True):
    """What pairs are ranked by."""

    percentage: RoundedFigure | None = ABSENT
    """Matchpoints of the pair in percent of those that it could have won; only at matchpoints, null before a board
    counts."""
    imps: RoundedFigure | None = ABSENT
    """IMPs per board of the pair; only at cross-IMPs and Butler, null before a board counts."""


class PairTotalDocument(Row, kw_only=True):
    """What a pair has won."""

    boards: int
    """How many boards count."""
    total: RoundedFigure
    """Matchpoints, two for each result that is beaten, or IMPs, over all boards, penalties deducted."""
    available: int | None
    """The most matchpoints that the pair could have won; null in IMPs."""
    level: Annotated[LevelDocument, INLINE]


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


def level_row(level: Fraction | None, *, is_matchpoints: bool) -> LevelDocument:
    """Return a percentage or IMPs per board under their key."""
    if is_matchpoints:
        return LevelDocument(percentage=round_percentage(level))
    return LevelDocument(imps=round_points(level, None))


def total_row(total: PairTotal, *, is_matchpoints: bool) -> PairTotalDocument:
    """Return what a pair has won."""
    return PairTotalDocument(
        boards=total.boards,
        total=round_figure(total.points, average_of(total.available)),
        available=total.available if is_matchpoints else None,
        level=level_row(total.level, is_matchpoints=is_matchpoints),
    )


def pair_in_ranking(pair: str, side: Side | None, figures: PairsFigures) -> PairInRankingDocument:
    """Return the figures of a pair in the ranking of a direction, or of all."""
    return PairInRankingDocument(
        pair=pair,
        direction=side,
        total=PairTotalDocument(
            boards=figures.boards,
            total=round_figure(figures.points, average_of(figures.available)),
            available=figures.available or None,
            level=level_row(figures.level, is_matchpoints=figures.is_matchpoints),
        ),
        carry_over=round_figure(figures.carried) if figures.carried is not None else ABSENT,
        result=round_points(figures.result, None) if figures.carried is not None else ABSENT,
    )


@lru_cache(maxsize=4096)  # a board of thousands of results has few different figures
def round_figure(value: Fraction, average: Fraction | int = 0) -> float:
    """Round to two decimals, an exact half away from `average`."""
    return float(average + Fraction(round_half_away(100 * (value - average)), 100)) + 0.0


def round_points(points: Fraction | None, available: int | None) -> float | None:
    """Round the matchpoints that were won of those available, or IMPs, for which the latter is 0 or None."""
    return None if points is None else round_figure(points, average_of(available))


def round_percentage(percentage: Fraction | None) -> float | None:
    """Round a percentage of matchpoints; None if there is none."""
    return None if percentage is None else round_figure(percentage, AVERAGE_PERCENTAGE)


def format_figure(value: Fraction | None, average: Fraction | int = 0) -> str:
    """Format a figure with two decimals; a dash if there is none."""
    return NOTHING if value is None else f"{round_figure(value, average):.2f}"


def format_percentage(percentage: Fraction | None) -> str:
    """Format a percentage of matchpoints with two decimals; a dash if there is none."""
    return format_figure(percentage, AVERAGE_PERCENTAGE)


def average_of(available: int | None) -> Fraction:
    """Return the average of the matchpoints available; 0 for IMPs."""
    return Fraction(available or 0, 2)


def format_top(available: int | None, scale: MatchpointScale) -> str:
    """Format the most matchpoints that could be won: `12`, or `10.5` where a result that is beaten is worth 1."""
    return NOTHING if available is None else f"{float(scale.shown(Fraction(available))):g}"


def format_shared_rank(rank: int, ranks: Iterable[int]) -> str:
    """Format a rank among all: `3`, `2=` if it is shared."""
    return f"{rank}{'=' if Counter(ranks)[rank] > 1 else ''}"


@dataclass(frozen=True, slots=True)
class PairsUnit:
    """What scores of pairs are shown in: matchpoints and percentages, or IMPs."""

    is_matchpoints: bool
    scale: MatchpointScale = MatchpointScale.TWO

    @property
    def name(self) -> str:
        """The heading of what is won on boards."""
        return "MP" if self.is_matchpoints else "IMPs"

    @property
    def level_heading(self) -> str:
        """The heading of what pairs rank by."""
        return "%" if self.is_matchpoints else "per board"

    @property
    def total_headings(self) -> tuple[str, ...]:
        """The headings of a total."""
        return (f">{self.name}", *([">of"] if self.is_matchpoints else []), f">{self.level_heading}")

    def points(self, points: Fraction | None, available: int | None) -> str:
        """Format matchpoints that were won of those available, or IMPs; a dash if there are none."""
        if points is None or not self.is_matchpoints:
            return format_figure(points)
        return format_figure(self.scale.shown(points), self.scale.shown(average_of(available)))

    def fine(self, points: Fraction) -> str:
        """Format what a penalty has taken."""
        return format_figure(self.scale.shown(points) if self.is_matchpoints else points)

    def level(self, level: Fraction | None) -> str:
        """Format a percentage, or IMPs per board; a dash if there is none."""
        return format_percentage(level) if self.is_matchpoints else format_figure(level)

    def total(self, total: PairTotal | PairsFigures) -> list[str]:
        """Format a total under `total_headings`."""
        top = [format_top(total.available, self.scale)] if self.is_matchpoints else []
        return [self.points(total.points, total.available), *top, self.level(total.level)]

    def on_board(self, line: "PlayedLine", side: Side) -> str:
        """Format what a side has won on a board; a dash if nothing counts."""
        return self.points(line.scored.points(side), line.scored.top) if line.scored is not None else NOTHING


def line_points(line: "PlayedLine", side: Side) -> float | None:
    """Return the matchpoints or IMPs of a side, rounded; None if nothing counts."""
    return round_points(line.scored.points(side), line.scored.top) if line.scored is not None else None


def line_percentage(line: "PlayedLine", side: Side) -> float | None:
    """Return the percentage of the top that a side has won, rounded; None if nothing counts, and in IMPs."""
    return round_percentage(line.scored.percentage(side)) if line.scored is not None else None


def format_counted(line: "PlayedLine", side: Side) -> str:
    """Format what counts for a side, such as `A+`; empty if nothing does."""
    counted = line.counts(side)
    return format_side_result(counted) if counted is not None else ""


def format_adjusted(line: "PlayedLine", side: Side) -> str:
    """Format what counts for a side where no score counts for both; empty where one does, or nothing counts."""
    return format_counted(line, side) if line.score is None else ""


def format_line_percentage(line: "PlayedLine", side: Side) -> str:
    """Format the percentage of the top that a side has won."""
    return format_percentage(line.scored.percentage(side)) if line.scored is not None else NOTHING


def describe_tops(traveller: "PlayedTraveller", scale: MatchpointScale) -> str:
    """Describe the most matchpoints: `6`, or `6 in section A, 4 in section B` where sections differ in it."""
    if traveller.top is not None:
        return format_top(traveller.top, scale)
    tops = sorted(traveller.tops.items())
    return ", ".join(f"{format_top(top, scale)} in section {section}" for section, top in tops)


_SIDES: Final[dict[Side | None, str]] = {None: "", Side.NS: "North-South ", Side.EW: "East-West "}


def describe_unequal(traveller: "PlayedTraveller") -> str:
    """Describe how fewer results than expected are scored: `3 of 4 results, by Neuberg's formula`."""
    return "; ".join(
        f"{_SIDES[side]}{results} of {count(expected, 'result')}, {_method(results, expected)}"
        for results, expected, side in dict.fromkeys(traveller.unequal)
    )


def _method(results: int, expected: int) -> str:
    if results == 1 and adjust_matchpoints(Fraction(), results, expected) is None:
        return "with nothing to compare it with"
    return "by the percentages of a small group" if is_small_group(results, expected) else "by Neuberg's formula"
