"""Scores of boards and matches that a team has forfeited.

A forfeited board has an artificial adjusted score (Laws 2017, Law 12C2): average minus to the team at fault, average
plus to its opponents, -3 and +3 if scores are in IMPs. Each team's award is independent: if both are at fault, both
get average minus.

A forfeited match gives the team at fault no victory points, and its opponents three fifths of the maximum on the
scale (12 of 20) or, where that is better for them and at least half of the boards have been compared, those of their
margin so far; boards not compared then give neither team anything. (English Bridge Union, White Book 2025,
sections 2.4.2 and 3.3: the innocent team gets the better of 60 percent and its own score, and a match counts from
half of its boards on.) Where both teams have forfeited, neither gets anything. Fines in victory points are deducted
in any case.
"""

from collections.abc import Iterable
from typing import Final

from tourney.scoring.match import NO_FINES, BoardComparison, Fines, MatchScore, score_match
from tourney.scoring.victory_points import VpHundredths, VpScale

AVERAGE_PLUS: Final = 3
"""IMPs of a team that is not at fault (Laws 2017, Law 12C2b)."""

AVERAGE_MINUS: Final = -3
"""IMPs of a team that is at fault (Laws 2017, Law 12C2b)."""


def adjust_board(board: int, *, home_at_fault: bool, away_at_fault: bool) -> BoardComparison:
    """Return the artificial adjusted score of a board forfeited by one team or both."""
    assert home_at_fault or away_at_fault
    return BoardComparison(
        board,
        AVERAGE_MINUS if home_at_fault else AVERAGE_PLUS,
        AVERAGE_MINUS if away_at_fault else AVERAGE_PLUS,
    )


def walkover_vp(scale: VpScale) -> VpHundredths:
    """Return the victory points of a team whose opponents forfeited: 60 percent of the maximum, rounded up."""
    most = scale.steps[-1].winner
    return VpHundredths(-(-most * 60 // 100))


def score_forfeited_match(
    comparisons: Iterable[BoardComparison],
    scale: VpScale,
    *,
    home_forfeits: bool,
    away_forfeits: bool,
    home: Fines = NO_FINES,
    away: Fines = NO_FINES,
) -> MatchScore:
    """Return the score of a match forfeited by one team or both, whatever boards are missing.

    The IMPs are 0 to 0, or those so far if the victory points are computed from them.

    Args:
        comparisons: the boards that both rooms have finished.
        scale: the victory point scale for matches of that length.
        home_forfeits: whether the home team has forfeited; at least one of them has.
        away_forfeits: whether the away team has.
        home: what is deducted from the home team's score.
        away: what is deducted from the away team's score.
    """
    assert home_forfeits or away_forfeits
    so_far = score_match(comparisons, scale, Fines(home.imps), Fines(away.imps))
    walkover = walkover_vp(scale)
    innocent = 0 if home_forfeits and away_forfeits else so_far.vp_away if home_forfeits else so_far.vp_home
    counts = innocent > walkover and 2 * so_far.boards >= scale.boards
    award = innocent if counts else walkover
    return MatchScore(
        boards=so_far.boards if counts else 0,
        imps_home=so_far.imps_home if counts else 0,
        imps_away=so_far.imps_away if counts else 0,
        lost_home=so_far.lost_home if counts else 0,
        lost_away=so_far.lost_away if counts else 0,
        vp_home=VpHundredths((0 if home_forfeits else award) - home.vp),
        vp_away=VpHundredths((0 if away_forfeits else award) - away.vp),
    )
