"""The margins of a match: what each team won by its own figures, who has won it and why, and whether it is void.

The two margins are each other's opposite unless a ruling has changed a score; then both are shown, and in a knockout
the lead that follows from them (Laws 2017, Law 12C4).
"""

from collections.abc import Iterable, Iterator

from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.ranking import FinishedMatch, WonBy
from tourney.output.rows import Row
from tourney.output.units import LeadImps, Margin
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.match import ImpTotals
from tourney.views.figures import margin_of


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
        margin_home=margin_of(scale, totals.margin_home) if totals is not None else None,
        margin_away=margin_of(scale, totals.margin_away) if totals is not None else None,
        lead=finished.lead if finished is not None else None,
        winner=finished.winner if finished is not None else None,
        won_by=finished.won_by if finished is not None else None,
        void=finished is not None and finished.is_void,
    )


def describe_margins(match: FinishedMatch) -> str | None:
    """Describe the margins of a match that does not balance, or is void, and its winner where that is not the leader.

    Return None for any other.
    """
    said = describe_winner(match)
    if not match.forfeits:
        unbalanced = _describe_unbalanced(match)
        if match.is_void:
            void = "void, for more than half of its boards were cancelled or not played"
            unit = match.board_scale.unit
            unbalanced = f"{void}: {unbalanced or f'{_signed(match, match.score.totals.margins)} {unit}'}"
        said = "; ".join(filter(None, (unbalanced, said)))
    return said or None


def describe_winner(match: FinishedMatch) -> str:
    """Describe who goes on from a match of a knockout where its score does not show it; otherwise return nothing."""
    if not match.is_knockout or match.won_by is WonBy.SCORE:
        return ""
    who = f"{match.winner} wins" if match.winner is not None else "neither team goes on"
    match match.won_by:
        case WonBy.BETTER_SEED:
            return f"{who} as the better seed, for the match is level"
        case WonBy.DRAW:
            return f"{who}, for the next round was drawn before a ruling turned the match"
        case None:
            return "extra boards decide it, for the match is level"
        case _:
            return f"{who} by forfeit" if match.winner is not None else f"{who}, for both have forfeited the match"


def _describe_unbalanced(match: FinishedMatch) -> str | None:
    if not match.is_knockout:
        if match.score.totals.is_balanced:
            return None
        margins, scale = _signed(match, match.score.totals.margins), match.board_scale
        return f"{margins} {scale.unit}: each team's {scale.ranked_in} are those of its own margin"
    scale = match.board_scale
    home, away = match.margins_on_boards
    if home == -away:
        return None
    leader = match.home if match.lead > 0 else match.away
    parts = [
        f"margins {_signed(match, (home, away))}",
        f"half their difference {format_imps_hundredths(scale.hundredths(home - away) // 2)} (Law 12C4)",
    ]
    if any(match.fines):
        parts.append(f"fines {' - '.join(map(scale.format, match.fines))}")
    if match.carried:
        parts.append(f"carried over {format_imps_hundredths(match.carried)}")
    outcome = f"{leader} wins by {format_imps_hundredths(abs(match.lead))} {scale.unit}" if match.lead else "a tie"
    return f"{outcome}: {', '.join(parts)}"


def explain_margins(matches: Iterable[FinishedMatch]) -> Iterator[str]:
    """Yield a line for each match of which there is something to be said, the first after a blank one."""
    said = [f"Match {match.number}: {text}" for match in matches if (text := describe_margins(match)) is not None]
    if said:
        yield ""
        yield from said


def _signed(match: FinishedMatch, margins: tuple[int, int]) -> str:
    """Format `Ants +2, Bees -8`."""
    return ", ".join(
        f"{team} {match.board_scale.format_signed(margin)}"
        for team, margin in zip((match.home, match.away), margins, strict=True)
    )
