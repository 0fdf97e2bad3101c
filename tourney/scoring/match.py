"""The score of a match of two teams: boards compared between the two rooms, IMPs added up, victory points.

A team need not win what its opponents lose: a score can be adjusted, and a team can be fined. So each team has its
own margin, the sum of its own figures, and its victory points are those of that margin. Who has won the match is
decided by both margins together (`tourney.movement.ranking.FinishedMatch.lead`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.victory_points import VpHundredths, VpScale


@dataclass(frozen=True, slots=True)
class BoardComparison:
    """One board over both rooms: the IMPs of each team, negative if it lost; or figures of another scale."""

    board: int
    imps_home: int
    imps_away: int
    is_played: bool = True
    """Whether it was played in both rooms, or forfeited in one; not if it was cancelled, or only has adjusted scores
    in place of results."""
    is_cancelled: bool = False
    """Whether it counts for nobody; its figures are then 0."""
    ends_match: bool = False
    """Whether the match was broken off before it, so that none comes after."""


@dataclass(frozen=True, slots=True)
class Fines:
    """Deductions from one team's score of a match; its opponents' score is unaffected. Figures are 0 or more."""

    imps: int = 0
    """IMPs, deducted before the conversion to victory points."""
    vp: int = 0
    """Hundredths of a victory point, deducted after it."""


NO_FINES: Final = Fines()


class ImpTotals(NamedTuple):
    """IMPs added up over boards of a match: those that each team won, less its fines."""

    home: int
    away: int
    lost_home: int = 0
    """How many more IMPs the away team lost than the home team has: its fines, and what only one of them won or lost
    on boards whose score was adjusted; below zero where the home team won what nobody lost."""
    lost_away: int = 0

    @property
    def margin_home(self) -> int:
        """The home team's own margin: the sum of its own figures, less its fines in IMPs."""
        return self.home - self.away - self.lost_away

    @property
    def margin_away(self) -> int:
        """The away team's own margin."""
        return self.away - self.home - self.lost_home

    @property
    def margins(self) -> tuple[int, int]:
        """Both teams' own margins, the home team's first."""
        return self.margin_home, self.margin_away

    @property
    def is_balanced(self) -> bool:
        """Whether one team's margin is the opposite of the other's, as it is unless a ruling has changed a score."""
        return self.margin_home == -self.margin_away


NO_TOTALS: Final = ImpTotals(0, 0)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a match: IMPs as in `ImpTotals`, and victory points.

    `boards` is the number of boards compared. Victory points are negative if a fine exceeds what the match gave.
    """

    boards: int
    imps_home: int
    imps_away: int
    vp_home: VpHundredths
    vp_away: VpHundredths
    lost_home: int = 0
    """See `ImpTotals`."""
    lost_away: int = 0

    @property
    def totals(self) -> ImpTotals:
        """The IMPs of both teams, with their margins."""
        return ImpTotals(self.imps_home, self.imps_away, self.lost_home, self.lost_away)


def score_match(
    comparisons: Iterable[BoardComparison],
    scale: VpScale,
    home: Fines = NO_FINES,
    away: Fines = NO_FINES,
    board_scale: BoardScale = IMPS,
) -> MatchScore:
    """Score a match, or the part played so far: victory points are those of each team's margin so far.

    Each team has won and lost by its own figures, which are not each other's opposite where a ruling has adjusted the
    score of one team alone.

    Args:
        comparisons: the boards that count.
        scale: the victory point scale.
        home: what is deducted from the home team's score.
        away: what is deducted from the away team's score.
        board_scale: what the figures of the boards are.
    """
    boards = list(comparisons)
    totals = total_imps(boards, home, away, board_scale)
    return MatchScore(
        boards=len(boards),
        imps_home=totals.home,
        imps_away=totals.away,
        vp_home=VpHundredths(board_scale.vp(totals.home, totals.margin_home, scale) - home.vp),
        vp_away=VpHundredths(board_scale.vp(totals.away, totals.margin_away, scale) - away.vp),
        lost_home=totals.lost_home,
        lost_away=totals.lost_away,
    )


def total_imps(
    comparisons: Iterable[BoardComparison],
    home: Fines = NO_FINES,
    away: Fines = NO_FINES,
    board_scale: BoardScale = IMPS,
) -> ImpTotals:
    """Return the IMPs of both teams, or their figures on another scale, as `score_match` adds them up."""
    won, lost = [-home.imps, -away.imps], [0, 0]
    for board in comparisons:
        if board.is_cancelled:
            continue
        figures = board.imps_home, board.imps_away
        for place in (0, 1):
            gained, conceded = board_scale.split(figures[place], figures[1 - place])
            won[place] += gained
            lost[place] += conceded
    return ImpTotals(won[0], won[1], lost[1] - won[0], lost[0] - won[1])
