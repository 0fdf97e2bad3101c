"""The individual contest: each player enters alone, partners change, and everybody is ranked by themselves.

A match is a table in one round of an individual movement (`tourney.movement.pairs.individual`). Its sides are
partnerships, which are named after both players and numbered after them in the draw. Boards are scored as in pairs
events, and what a partnership scores is credited to both partners.
"""

from collections.abc import Sequence

from tourney.contest.pairs import PairsContest
from tourney.contest.plan import StagePlan
from tourney.movement.formats import PlannedEntry


class IndividualContest(PairsContest):
    """An individual movement, scored at matchpoints or in IMPs."""

    entrant = "player"
    pbn_competition = "Individuals"
    usebio_type = None
    why_no_usebio = "tourney writes no USEBIO of individuals"

    def deal(self, plan: StagePlan, entries: Sequence[PlannedEntry]) -> tuple[PlannedEntry, ...]:
        """Return the entries as they are: players have their numbers in the movement by their order."""
        return tuple(entries)
