"""Figures of boards and matches in documents and tables: IMPs, or points at board-a-match and at games of one table.

A key that is named after IMPs is null where scores are in points; the points are in a key of their own, which only
documents and tables of such matches have.

The two margins of a match are each other's opposite unless a ruling has changed a score; then both are shown, and in
a knockout the lead that follows from them (Laws 2017, Law 12C4).
"""

from collections.abc import Callable, Mapping
from typing import Any

from tourney.contest import Contest
from tourney.movement.ranking import FinishedMatch, WonBy
from tourney.output.rows import ABSENT, Row
from tourney.output.units import LeadImps, Margin, Points, Vp
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.match import ImpTotals
from tourney.scoring.victory_points import VpHundredths
from tourney.store.draw.objects import EventInfo


def keyed(scale: BoardScale | None, **figures: int | None) -> dict[str, Any]:
    """Return figures by the keys of documents, given those of IMPs: `imps_home`, and `points_home` if in points.

    Where they are a sum of both (`scale` is None), there are none.
    """
    none = dict.fromkeys(figures)
    return none if scale is None else none | _rekeyed(figures, "imps", scale.key, scale.document)


def keyed_ranking(scale: BoardScale | None, **figures: VpHundredths | None) -> dict[str, Any]:
    """Return what teams rank by likewise, given the keys of victory points: `vp`, `ranking_score` if points rank."""
    if scale is None or scale.ranking_key == "vp":
        return figures
    return dict.fromkeys(figures) | _rekeyed(figures, "vp", scale.ranking_key, scale.format_vp)


def _rekeyed(figures: Mapping[str, Any], old: str, new: str, form: Callable[[Any], Any]) -> dict[str, Any]:
    return {name.replace(old, new): form(figure) if figure is not None else None for name, figure in figures.items()}


class BoardFigures(Row, kw_only=True):
    """What both teams of a match have won on a board."""

    imps: int | None
    """IMPs of the home team, negative when it lost them; null until both rooms have finished the board, where boards
    are scored in points, and in pairs events. So is the next one."""
    imps_away: int | None
    """IMPs of the away team: the opposite, unless the score was adjusted."""
    points: Points | None = ABSENT
    """In matches scored in points: those of the home team as a decimal string, in place of IMPs, like the next."""
    points_away: Points | None = ABSENT
    """In matches scored in points: those of the away team."""


def board_figures(scale: BoardScale | None, home: int | None, away: int | None) -> BoardFigures:
    """Return the figures of a board; `scale` is None where nothing is compared within a match."""
    return BoardFigures(**keyed(scale, imps=home, imps_away=away))


class TeamFigures(Row, kw_only=True):
    """What a team has scored, in a match or in several."""

    imps_for: int | None
    """IMPs that the team won; null in matches scored in points, over stages that are scored differently, in pairs
    events, and where a match has not finished or does not count."""
    imps_against: int | None
    """IMPs that the team lost. `imps_for` less this is the team's own margin: fines are deducted from `imps_for`."""
    points_for: Points | None = ABSENT
    """In matches scored in points: those that the team won, as a decimal string, in place of IMPs, like the next."""
    points_against: Points | None = ABSENT
    """In matches scored in points: those that the team did not win."""
    vp: Vp | None
    """Victory points of the team as a decimal string; null where something else ranks, as in a knockout, or in pairs
    events, which have `percentage` or `imps_per_board`."""
    ranking_score: Points | None = ABSENT
    """What ranks the team where victory points do not, such as net points or net IMPs, as a decimal string."""


def team_figures(scale: BoardScale | None, won: int | None, lost: int | None, vp: VpHundredths | None) -> TeamFigures:
    """Return the figures of a team; `scale` is None where matches are not compared, or not in the same way."""
    return TeamFigures(**keyed(scale, imps_for=won, imps_against=lost), **keyed_ranking(scale, vp=vp))


class MatchFigures(Row, kw_only=True):
    """What both teams of a match have scored."""

    imps_home: int | None
    """IMPs of the home team; null in matches scored in points, like the next one, and in pairs events."""
    imps_away: int | None
    """IMPs of the away team."""
    points_home: Points | None = ABSENT
    """In matches scored in points: those of the home team as a decimal string, in place of IMPs, like the next."""
    points_away: Points | None = ABSENT
    """In matches scored in points: those of the away team."""
    vp_home: Vp | None
    """Victory points of the home team as a decimal string; null until the match has finished and nobody has its
    boards to play any more, where a board cannot be compared, and where there is no scale, as after extra boards."""
    vp_away: Vp | None
    """Victory points of the away team as a decimal string; null likewise."""
    ranking_score_home: Points | None = ABSENT
    """What ranks the home team where victory points do not, such as net points or net IMPs, as a decimal string."""
    ranking_score_away: Points | None = ABSENT
    """The same of the away team."""


def match_figures(
    scale: BoardScale | None,
    home: int | None,
    away: int | None,
    vp: tuple[VpHundredths, VpHundredths] | None,
) -> MatchFigures:
    """Return the figures of a match; `scale` is None where nothing is compared within it."""
    vp_home, vp_away = vp if vp is not None else (None, None)
    return MatchFigures(
        **keyed(scale, imps_home=home, imps_away=away), **keyed_ranking(scale, vp_home=vp_home, vp_away=vp_away)
    )


def columns_left_out(event: EventInfo) -> tuple[str, ...]:
    """Return the columns of points that the tables of an event do not need, since no stage is scored in them."""
    keys = {key for stage in event.stages for key in (stage.board_scale.key, stage.board_scale.ranking_key)}
    more = [key for key in ("points", "ranking_score") if key not in keys]
    return tuple(f"{key}_{side}" for key in more for side in ("home", "away"))


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
    home, away = map(scale.document, totals.margins) if totals is not None else (None, None)
    if finished is None:
        return MarginDocument(home, away, lead=None, winner=None, won_by=None, void=False)
    return MarginDocument.from_attributes(finished, margin_home=home, margin_away=away, void=finished.is_void)


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
