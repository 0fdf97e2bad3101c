"""Board-a-match: a board is won, tied or lost, whatever the margin (in Britain point-a-board).

What counts is the sum of what a team's two pairs have scored on the board: 130 against 120 wins.
"""

import enum
from fractions import Fraction

from tourney.scoring.assigned import WeightedScore
from tourney.scoring.pairs.matchpoints import average_matchpoints
from tourney.scoring.pairs.traveller import Average, shares_of


class BoardPoints(enum.StrEnum):
    """The points for a board that is won, tied and lost."""

    ONE = "1"
    """1, a half and 0."""
    TWO = "2"
    """2, 1 and 0."""

    @property
    def won(self) -> int:
        """The points of a board that is won."""
        return int(self.value)


def board_a_match(ns_at_home: int, ns_away: int, points: BoardPoints = BoardPoints.ONE) -> Fraction:
    """Return the points of the team that sits North-South at the first of two tables.

    Args:
        ns_at_home: North-South's score where the team sits North-South.
        ns_away: North-South's score at the other table, where it sits East-West.
        points: what a board is worth.
    """
    total = ns_at_home - ns_away
    return Fraction(points.won * (1 + (total > 0) - (total < 0)), 2)


def weighted_board_a_match(
    at_home: tuple[WeightedScore, ...], away: tuple[WeightedScore, ...], points: BoardPoints = BoardPoints.ONE
) -> Fraction:
    """Return the points with weighted scores: each of one table is compared with each of the other."""
    return sum(
        (
            mine * other * board_a_match(score, against, points)
            for mine, score in shares_of(at_home)
            for other, against in shares_of(away)
        ),
        Fraction(),
    )


def average_board(kind: Average, points: BoardPoints = BoardPoints.ONE) -> Fraction:
    """Return the points of an artificial score: 0.6, a half or 0.4 of a board."""
    return points.won * average_matchpoints(kind, None)
