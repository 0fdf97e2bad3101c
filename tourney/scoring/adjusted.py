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

A match of which more than half of the boards were cancelled or not played is void (White Book 2025, section 3.3):
whatever was played does not count, and a team that is not at fault gets average plus, one that is gets average minus,
on half of the boards, rounded up, and both get average on the others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.match import NO_FINES, BoardComparison, Fines, MatchScore, score_match
from tourney.scoring.victory_points import VpHundredths, VpScale

AVERAGE_PLUS: Final = IMPS.plus
"""IMPs of a team that is not at fault (Laws 2017, Law 12C2b)."""

AVERAGE_MINUS: Final = IMPS.minus
"""IMPs of a team that is at fault (Laws 2017, Law 12C2b)."""


def adjust_board(
    board: int, *, home_at_fault: bool, away_at_fault: bool, board_scale: BoardScale = IMPS
) -> BoardComparison:
    """Return the artificial adjusted score of a board forfeited by one team or both."""
    return BoardComparison(
        board,
        board_scale.minus if home_at_fault else board_scale.plus,
        board_scale.minus if away_at_fault else board_scale.plus,
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
    board_scale: BoardScale = IMPS,
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
        board_scale: what the figures of the boards are.
    """
    assert home_forfeits or away_forfeits
    so_far = score_match(comparisons, scale, Fines(home.imps), Fines(away.imps), board_scale)
    walkover = walkover_vp(scale)
    innocent = 0 if home_forfeits and away_forfeits else so_far.vp_away if home_forfeits else so_far.vp_home
    counts = innocent > walkover and 2 * so_far.boards >= scale.boards
    award = innocent if counts else walkover
    return replace(
        so_far if counts else score_match([], scale),
        vp_home=VpHundredths((0 if home_forfeits else award) - home.vp),
        vp_away=VpHundredths((0 if away_forfeits else award) - away.vp),
    )


def is_void(comparisons: Sequence[BoardComparison]) -> bool:
    """Return whether more than half of the boards of a match were cancelled or not played."""
    return 2 * sum(not board.is_played for board in comparisons) > len(comparisons)


def score_void_match(
    comparisons: Sequence[BoardComparison],
    scale: VpScale,
    *,
    home_at_fault: bool,
    away_at_fault: bool,
    home: Fines = NO_FINES,
    away: Fines = NO_FINES,
    board_scale: BoardScale = IMPS,
) -> MatchScore:
    """Return the score of a void match; its boards are the extra ones that were played, which count as well.

    Args:
        comparisons: all boards of the match, in the order of play, the cancelled ones too.
        scale: the victory point scale, for as many boards as the match has without extra ones.
        home_at_fault: whether the home team is to blame; both teams may be, or none.
        away_at_fault: whether the away team is.
        home: what is deducted from the home team's score.
        away: what is deducted from the away team's score.
        board_scale: what the figures of the boards are.
    """
    half = -(-scale.boards // 2)
    award = adjust_board(0, home_at_fault=home_at_fault, away_at_fault=away_at_fault, board_scale=board_scale)
    average = BoardComparison(0, board_scale.average, board_scale.average)
    awarded = [award] * half + [average] * (scale.boards - half)
    extra = [board for board in comparisons[scale.boards :] if not board.is_cancelled]
    return replace(score_match([*awarded, *extra], scale, home, away, board_scale), boards=len(extra))
