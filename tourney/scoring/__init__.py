"""Scoring: IMPs, victory points, Butler, adjusted scores and double dummy figures.

The names of victory point scales and of games are defined here, so that commands can list them without loading them.
"""

from typing import Final

WBF_CONTINUOUS: Final = "wbf-continuous"
WBF_DISCRETE: Final = "wbf-discrete"
SEED_24: Final = "seed-24"

BOARD_A_MATCH: Final = "board-a-match"
"""The word for scoring by boards won, in event files."""

POINTS_SCALE: Final = "points"
"""Not a scale: at board-a-match, the points of a match are what teams rank by."""

SCALE_NAMES: Final = (WBF_CONTINUOUS, WBF_DISCRETE, SEED_24)
"""The World Bridge Federation's two scales of 2013, and the 24-board example table of pagat.com's bridge rules."""

GAME_NAMES: Final = (
    "rubber",
    "chicago",
    "chicago-duplicate",
    "russian",
    "estonian",
    "minibridge",
)
"""The games that a file of deals can be scored as."""

GAME: Final = "game"
"""The key, in the plan of a draw, of the game that matches are played as, with its rules; none for teams."""

BOARDS_MAX: Final = 160_000
"""The longest match there is a scale for, in boards: 10,000 deals with every dealer and vulnerability. More is a
typing error."""
