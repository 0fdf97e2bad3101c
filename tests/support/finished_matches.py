"""Finished matches for tests of rankings, from their figures alone."""

from typing import Any

from tourney.movement.ranking import FinishedMatch
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths

BOARDS = 16


def finish(
    home: str,
    away: str,
    imps_home: int,
    imps_away: int,
    vp_home: VpHundredths,
    vp_away: VpHundredths,
    *,
    lost_home: int = 0,
    lost_away: int = 0,
    **more: Any,  # fields of `FinishedMatch`
) -> FinishedMatch:
    """Return a finished match of 16 boards."""
    score = MatchScore(BOARDS, imps_home, imps_away, vp_home, vp_away, lost_home, lost_away)
    return FinishedMatch(home, away, score, **more)
