"""The margins of a match: what each team won by its own figures, who has won it and why, and whether it is void.

The two margins are each other's opposite unless a ruling has changed a score; then both are shown, and in a knockout
the lead that follows from them (Laws 2017, Law 12C4).
"""

from tourney.contest import Contest
from tourney.movement.ranking import FinishedMatch, WonBy
from tourney.output.rows import Row
from tourney.output.units import LeadImps, Margin
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.match import ImpTotals


class MarginDocument(Row):
    """The margins of a match, in points where it is scored in them."""

    margin_home: Margin | None
    """The home team's own margin: the sum of its own figures, less its fines. Its victory points are those of this
    margin."""
    margin_away: Margin | None
    """The away team's own margin; the opposite, unless a ruling has changed a score."""
    lead: LeadImps | None
    """IMPs or points by which the home team has won, below zero if it has lost, carry-over included, as a decimal
    string: where the figures of the boards do not balance, by half the difference of the two margins (Law 12C4). Null
    until the match has finished."""
    winner: str | None
    """The team that has won; in a knockout the one that goes on. Null until the match has finished, if it is drawn,
    and if both teams have forfeited it."""
    won_by: WonBy | None
    """Why it has won: by its `score`, by a `forfeit`, as the `better-seed` of a level match in a knockout, or by the
    `draw` of the next round, which stays as it is if a ruling turns the match afterwards."""
    void: bool
    """Whether more than half of its boards were cancelled or not played, so that its IMPs are averages."""


def margin_row(
    scale: BoardScale, totals: ImpTotals | None = None, finished: FinishedMatch | None = None
) -> MarginDocument:
    """Return the margins so far, None before there are any, and the lead of a finished match."""
    return MarginDocument(
        margin_home=scale.document(totals.margin_home) if totals is not None else None,
        margin_away=scale.document(totals.margin_away) if totals is not None else None,
        lead=finished.lead if finished is not None else None,
        winner=finished.winner if finished is not None else None,
        won_by=finished.won_by if finished is not None else None,
        void=finished is not None and finished.is_void,
    )


def describe_margins(contest: Contest, match: FinishedMatch) -> str:
    """Describe the margins of a match that does not balance, or is void, and its winner where that is not the leader.

    Return nothing for any other.
    """
    said = contest.describe_winner(match)
    if match.forfeits:
        return said
    unbalanced = contest.describe_unbalanced(match)
    if match.is_void:
        figures = unbalanced or f"{match.describe(match.score.totals.margins)} {match.board_scale.unit}"
        unbalanced = f"void, for more than half of its boards were cancelled or not played: {figures}"
    return "; ".join(filter(None, (unbalanced, said)))
