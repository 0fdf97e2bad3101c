"""The score of a match of two teams: boards compared between the two rooms, IMPs added up, victory points."""

from collections.abc import Iterable
from dataclasses import dataclass

from tourney.bridge import Side
from tourney.errors import RuleError
from tourney.scoring.imps import imps
from tourney.scoring.vp_steps import VpScale
from tourney.scoring.vp_units import VpHundredths


@dataclass(frozen=True, slots=True)
class BoardComparison:
    """One board at both tables. Scores are in points from the side of North-South; `imps` are the home team's."""

    board: int
    open_score_ns: int
    closed_score_ns: int
    imps: int


@dataclass(frozen=True, slots=True)
class MatchScore:
    """IMPs each team won on the boards it gained on, and what the margin is worth."""

    imps_home: int
    imps_away: int
    vp_home: VpHundredths
    vp_away: VpHundredths


def compare_board(
    board: int, open_score_ns: int, closed_score_ns: int, *, home_open: Side, home_closed: Side
) -> BoardComparison:
    """Compare a board that was played in both rooms (Laws 2017, Law 78B).

    Args:
        board: its number.
        open_score_ns: points of North-South in the open room.
        closed_score_ns: points of North-South in the closed room.
        home_open: where the home team sat in the open room.
        home_closed: where it sat in the closed room.

    Raises:
        RuleError: the home team sat the same way in both rooms, so that there is nothing to compare.
    """
    if home_open is home_closed:
        raise RuleError(f"board {board} cannot be compared: one team sat {home_open} in both rooms")
    difference = open_score_ns - closed_score_ns
    return BoardComparison(
        board, open_score_ns, closed_score_ns, imps(difference if home_open is Side.NS else -difference)
    )


def score_match(comparisons: Iterable[BoardComparison], scale: VpScale) -> MatchScore:
    """Add up a match, or as much of it as there is: victory points are those of the margin so far."""
    gains = [comparison.imps for comparison in comparisons]
    home = sum(gain for gain in gains if gain > 0)
    away = -sum(gain for gain in gains if gain < 0)
    vp_home, vp_away = scale.split(home - away)
    return MatchScore(home, away, vp_home, vp_away)
