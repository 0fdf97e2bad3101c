"""Figures of boards and matches in documents and tables: IMPs, or points at board-a-match and at games of one table.

A key that is named after IMPs is null where scores are in points; the points are in a key of their own, which only
documents and tables of such matches have.
"""

from typing import Any

from tourney.output.rows import ABSENT, Row
from tourney.output.units import Points, Vp
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.victory_points import VpHundredths
from tourney.store.draw.objects import EventInfo


def has_points(scale: BoardScale | None) -> bool:
    """Whether figures are in points, which have keys of their own; not where they are a sum of both (None)."""
    return scale is not None and scale.is_in_points


def _has_ranking_score(scale: BoardScale | None) -> bool:
    """Whether points rank, as in games for money, which have keys in place of victory points."""
    return scale is not None and scale.ranks_by_points


def imps_of(scale: BoardScale | None, figure: int | None) -> int | None:
    """Return a figure in IMPs; None if it is in points, or a sum of both (`scale` is None)."""
    return None if scale is None or has_points(scale) else figure


def points_of(scale: BoardScale | None, figure: int | None) -> Any:  # a text, None or `ABSENT`
    """Return a figure in points as text, None if there is none; `ABSENT` if it is in IMPs or in both."""
    if scale is None or not has_points(scale):
        return ABSENT
    return scale.format(figure) if figure is not None else None


def vp_of(scale: BoardScale | None, vp: VpHundredths | None) -> VpHundredths | None:
    """Return victory points; None where points rank, as in games for money."""
    return None if _has_ranking_score(scale) else vp


def ranking_score_of(scale: BoardScale | None, vp: VpHundredths | None) -> Any:  # a text, None or `ABSENT`
    """Return what ranks in place of victory points as text, None if there is none yet; `ABSENT` where they rank."""
    if scale is None or not _has_ranking_score(scale):
        return ABSENT
    return scale.format_vp(vp) if vp is not None else None


def margin_of(scale: BoardScale, margin: int) -> int | str:
    """Return a margin in IMPs, or in points as text."""
    return scale.format(margin) if has_points(scale) else margin


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
    return BoardFigures(
        imps=imps_of(scale, home),
        imps_away=imps_of(scale, away),
        points=points_of(scale, home),
        points_away=points_of(scale, away),
    )


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


def team_figures(
    scale: BoardScale | None, won: int | None, lost: int | None, vp: VpHundredths | None, *, has_vp: bool = True
) -> TeamFigures:
    """Return the figures of a team; `scale` is None where matches are not compared, or not in the same way."""
    return TeamFigures(
        imps_for=imps_of(scale, won),
        imps_against=imps_of(scale, lost),
        points_for=points_of(scale, won),
        points_against=points_of(scale, lost),
        vp=vp_of(scale, vp) if has_vp else None,
        ranking_score=ranking_score_of(scale, vp),
    )


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
        imps_home=imps_of(scale, home),
        imps_away=imps_of(scale, away),
        points_home=points_of(scale, home),
        points_away=points_of(scale, away),
        vp_home=vp_of(scale, vp_home),
        vp_away=vp_of(scale, vp_away),
        ranking_score_home=ranking_score_of(scale, vp_home),
        ranking_score_away=ranking_score_of(scale, vp_away),
    )


def columns_left_out(event: EventInfo) -> tuple[str, ...]:
    """Return the columns of points that the tables of an event do not need, since no stage is scored in them."""
    scales = [stage.board_scale for stage in event.stages]
    won = () if any(map(has_points, scales)) else ("points_home", "points_away")
    ranking = () if any(map(_has_ranking_score, scales)) else ("ranking_score_home", "ranking_score_away")
    return won + ranking
