"""Ties in victory points, and the criteria that break them, in the order set by the event.

A tie is broken by the first criterion on which its teams are not all equal. Teams that are still equal to each other
start again from the top of the list, since the matches between two of them are not those among three. Teams that no
criterion separates share their rank.

Scores count as recorded: fines are deducted; a forfeited match has its victory points and a winner, and IMPs and
boards only if its score has some; a board scored by a ruling has its IMPs, but neither total points nor a winner;
a team that has left the event is ranked like any other. All figures are exact: a quotient is a fraction, never a
rounded number.
"""

import enum
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias, TypeVar

from tourney.scoring.victory_points import format_hundredths, format_vp


class TieBreak(enum.StrEnum):
    """A tie-break criterion; the higher figure is better."""

    HEAD_TO_HEAD_VP = "head-to-head-vp"
    """Victory points in the matches among the tied teams, provided that all of them have met equally often."""
    HEAD_TO_HEAD_IMPS = "head-to-head-imps"
    """The team's own margin in IMPs over these matches."""
    IMP_DIFFERENCE = "imp-difference"
    """The team's own margin in IMPs over all matches: the sum of its own figures, less its fines."""
    IMP_QUOTIENT = "imp-quotient"
    """IMPs won, less fines, divided by IMPs lost, in all matches."""
    HEAD_TO_HEAD_POINTS = "head-to-head-points"
    """Points of board-a-match in the matches among the tied teams."""
    POINTS = "points"
    """Points of board-a-match over all matches."""
    TOTAL_POINTS_QUOTIENT = "total-points-quotient"
    """Points that the team scored at its tables divided by points that its opponents scored there, by the score table
    of Law 77, board by board and room by room."""
    BOARDS_WON = "boards-won"
    """Boards won on total points over both rooms, by any margin; a tied board is half a board to each team."""
    WINS = "wins"
    """Matches won."""
    LOT = "lot"
    """Lots, drawn once all matches have finished."""

    @property
    def needs_boards(self) -> bool:
        """Whether it needs the scores of boards, not just those of matches."""
        return self in (TieBreak.TOTAL_POINTS_QUOTIENT, TieBreak.BOARDS_WON)


DEFAULT_TIE_BREAKS: Final = (TieBreak.IMP_DIFFERENCE,)

UNIT_OF: Final = {
    **dict.fromkeys((TieBreak.HEAD_TO_HEAD_IMPS, TieBreak.IMP_DIFFERENCE, TieBreak.IMP_QUOTIENT), "IMPs"),
    **dict.fromkeys((TieBreak.HEAD_TO_HEAD_POINTS, TieBreak.POINTS), "points"),
}
"""The units of the criteria that are for one way of scoring only."""


class Figures(NamedTuple):
    """A team's figures over one or more matches. `vp` is in hundredths, `points` are total points.

    `imps_for` and `imps_against` are hundredths of points where boards are scored at board-a-match.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    vp: int = 0
    imps_for: int = 0
    imps_against: int = 0
    points_for: int = 0
    points_against: int = 0
    half_boards: int = 0
    """Halves of boards won: two for a board won, one for a tied one."""

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def imp_difference(self) -> int:
        return self.imps_for - self.imps_against

    @classmethod
    def add_up(cls, matches: Iterable["Figures"]) -> "Figures":
        return cls(*map(sum, zip(*matches, strict=True)))


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that teams are ranked by."""

    totals: Mapping[str, Figures]
    """Each team's total over all its matches, in the order of the draw."""
    meetings: Mapping[tuple[str, str], Sequence[Figures]]
    """A team's figures in each match against another, by team and opponent."""
    lot_seed: str | None
    """The seed from which lots are drawn; None until they may be drawn."""
    by_average: bool = False
    """Whether teams are ranked by victory points per match rather than in total."""

    def level(self, team: str) -> Fraction:
        """Return the victory points by which a team is ranked, in hundredths."""
        total = self.totals[team]
        return Fraction(total.vp, total.played or 1) if self.by_average else Fraction(total.vp)

    def against(self, team: str, opponent: str) -> Sequence[Figures]:
        return self.meetings.get((team, opponent), ())


Criterion = TypeVar("Criterion", bound=enum.StrEnum)
"""A `TieBreak`, or that of pairs."""


@dataclass(frozen=True, slots=True)
class TieBreakResult:
    """The outcome of one criterion for tied teams."""

    criterion: enum.StrEnum
    """A `TieBreak`, or that of pairs."""
    figures: Mapping[str, str]
    """Each team's figure; empty if the criterion could not be applied."""
    reason: str
    """Why it could not be applied; empty if it was."""


@dataclass(frozen=True, slots=True)
class TieStep:
    """One step in breaking a tie, or what was left of it; the last step may leave it unbroken."""

    groups: tuple[tuple[str, ...], ...]
    """Groups of teams that are still equal, best first; a single group if nothing breaks the tie."""
    results: tuple[TieBreakResult, ...]
    """The criteria that were applied, in order. The last one broke the tie, unless there is a single group."""

    @property
    def broken_by(self) -> TieBreakResult | None:
        return self.results[-1] if len(self.groups) > 1 else None


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie of teams equal in victory points."""

    rank: int
    """The best rank among them, from 1."""
    vp: int
    """The victory points of each team, in hundredths; of a pair its percentage or its IMPs per board."""
    teams: tuple[str, ...]
    """The tied teams, in the order of the standings."""
    steps: tuple[TieStep, ...]
    """The steps: the first concerns all the teams, later ones those that an earlier step left equal."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Teams in ranking order."""

    places: tuple[tuple[str, ...], ...]
    """The places, best first; teams that share a place are in the order of the draw."""
    ties: tuple[Tie, ...]
    """Each group of teams equal in victory points, best first."""


_Order: TypeAlias = tuple[int | Fraction, ...]


@dataclass(frozen=True, slots=True)
class TieFigure:
    """What a criterion says of a tied team or pair."""

    order: _Order
    """The sort key, the higher the better; those of one criterion are of one shape."""
    text: str
    """The figure as people read it."""


_Apply: TypeAlias = Callable[[Criterion, tuple[str, ...]], Mapping[str, TieFigure] | str]
"""Returns the figure of each that is tied under a criterion, or why it cannot be applied."""


def rank_field(field: Field, criteria: Sequence[TieBreak]) -> Ranking:
    """Rank teams by victory points, then by the criteria."""
    levels = {team: field.level(team) for team in field.totals}
    return rank_by_level(levels, criteria, lambda criterion, tied: _apply(criterion, tied, field), round)


def rank_by_level(
    levels: Mapping[str, Fraction],
    criteria: Sequence[Criterion],
    apply: _Apply[Criterion],
    to_hundredths: Callable[[Fraction], int],
) -> Ranking:
    """Rank teams or pairs by a figure, the higher the better, then by the criteria.

    Args:
        levels: the figure of each, in the order in which those that stay equal are listed.
        criteria: what breaks ties, in that order.
        apply: applies a criterion to teams or pairs that are tied.
        to_hundredths: rounds a figure to `Tie.vp`.
    """
    places: list[tuple[str, ...]] = []
    ties: list[Tie] = []
    rank = 1
    for tied in _groups({team: (level,) for team, level in levels.items()}):
        steps: list[TieStep] = []
        in_order = _break_tie(tied, criteria, apply, steps) if len(tied) > 1 else [tied]
        if steps:
            teams = tuple(team for place in in_order for team in place)
            ties.append(Tie(rank, to_hundredths(levels[tied[0]]), teams, tuple(steps)))
        places += in_order
        rank += len(tied)
    return Ranking(tuple(places), tuple(ties))


def _break_tie(
    tied: tuple[str, ...], criteria: Sequence[Criterion], apply: _Apply[Criterion], steps: list[TieStep]
) -> list[tuple[str, ...]]:
    """Break a tie of two or more as far as the criteria allow; append each step to `steps`."""
    results: list[TieBreakResult] = []
    for criterion in criteria:
        figures = apply(criterion, tied)
        if isinstance(figures, str):
            results.append(TieBreakResult(criterion, {}, figures))
            continue
        groups = _groups({team: figure.order for team, figure in figures.items()})
        results.append(
            TieBreakResult(criterion, {team: figures[team].text for group in groups for team in group}, reason="")
        )
        if len(groups) > 1:
            steps.append(TieStep(tuple(groups), tuple(results)))
            return [
                place
                for group in groups
                for place in (_break_tie(group, criteria, apply, steps) if len(group) > 1 else [group])
            ]
    steps.append(TieStep((tied,), tuple(results)))
    return [tied]


def _groups(orders: Mapping[str, _Order]) -> list[tuple[str, ...]]:
    """Group equal teams, the best group first; teams within a group keep their order."""
    groups: dict[_Order, list[str]] = {}
    for team, order in orders.items():
        groups.setdefault(order, []).append(team)
    return [tuple(groups[order]) for order in sorted(groups, reverse=True)]


def _apply(criterion: TieBreak, tied: tuple[str, ...], field: Field) -> dict[str, TieFigure] | str:
    """Return each tied team's figure under a criterion, or why it cannot be applied."""
    if criterion is TieBreak.LOT:
        return draw_lots(tied, field.lot_seed, "matches")
    if criterion in _HEAD_TO_HEAD:
        return _head_to_head(tied, field, _HEAD_TO_HEAD[criterion])
    return {team: _OVERALL[criterion](field.totals[team]) for team in tied}


def _head_to_head(
    tied: tuple[str, ...], field: Field, make: Callable[[Figures], TieFigure]
) -> dict[str, TieFigure] | str:
    """Return figures over the matches among the tied teams alone, or why there are none."""
    met = {len(field.against(one, other)) for one, other in combinations(tied, 2)}
    if 0 in met:
        return describe_not_met(tied)
    if len(met) > 1:
        return "they have not all met equally often"
    return {
        team: make(Figures.add_up(match for other in tied for match in field.against(team, other))) for team in tied
    }


def describe_not_met(tied: tuple[str, ...]) -> str:
    """Return why nothing can be said of the matches, or boards, of tied teams or pairs against each other."""
    return "they have not met" if len(tied) == 2 else "they have not all met"


def draw_lots(tied: tuple[str, ...], seed: str | None, played: str) -> dict[str, TieFigure] | str:
    """Order the teams, or pairs, by the SHA-256 of `SEED/TEAM` in UTF-8, the lowest first.

    Lots wait until everything that is `played` (matches, rounds) has finished: boards come from the same seed, and
    anyone who saw the lots could try out seeds.
    """
    if seed is None:
        return f"lots are drawn when all {played} are over"
    drawn = sorted(tied, key=lambda team: hashlib.sha256(f"{seed}/{team}".encode()).digest())
    return {team: TieFigure((-number,), str(number)) for number, team in enumerate(drawn, 1)}


def _imp_difference(total: Figures) -> TieFigure:
    difference = total.imp_difference
    return TieFigure((difference,), f"{difference:+}" if difference else "0")


def _points(total: Figures) -> TieFigure:
    return TieFigure((total.imps_for,), format_hundredths(total.imps_for))


def _quotient(won: int, lost: int) -> TieFigure:
    """Divide IMPs or points won by those lost: infinite if nothing was lost (negative after a fine); 0/0 counts as 1.

    The text has four decimals, truncated, and the two figures that decide: `1.0300 (1234/1198)`.
    """
    division = f"({won}/{lost})"
    if lost <= 0 and won != 0:
        return TieFigure((1 if won > 0 else -1, Fraction(0)), f"{'' if won > 0 else '-'}infinite {division}")
    quotient = Fraction(won, lost) if lost > 0 else Fraction(1)
    whole, decimals = divmod(int(abs(quotient) * 10_000), 10_000)
    return TieFigure((0, quotient), f"{'-' if quotient < 0 else ''}{whole}.{decimals:04} {division}")


_HEAD_TO_HEAD: Final[Mapping[TieBreak, Callable[[Figures], TieFigure]]] = {
    TieBreak.HEAD_TO_HEAD_VP: lambda among: TieFigure((among.vp,), format_vp(among.vp)),
    TieBreak.HEAD_TO_HEAD_IMPS: _imp_difference,
    TieBreak.HEAD_TO_HEAD_POINTS: _points,
}
_OVERALL: Final[Mapping[TieBreak, Callable[[Figures], TieFigure]]] = {
    TieBreak.IMP_DIFFERENCE: _imp_difference,
    TieBreak.POINTS: _points,
    TieBreak.IMP_QUOTIENT: lambda total: _quotient(total.imps_for, total.imps_against),
    TieBreak.TOTAL_POINTS_QUOTIENT: lambda total: _quotient(total.points_for, total.points_against),
    TieBreak.BOARDS_WON: lambda total: TieFigure((total.half_boards,), f"{total.half_boards / 2:g}"),
    TieBreak.WINS: lambda total: TieFigure((total.won,), str(total.won)),
}
