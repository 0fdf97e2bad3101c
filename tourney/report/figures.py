"""Figures of boards and matches in documents and tables: IMPs, or points at board-a-match and at games of one table.

A key that is named after IMPs is null where scores are in points; the points are in a key of their own, which only
documents and tables of such matches have.
"""

from collections.abc import Iterable
from typing import Final, NotRequired

from typing_extensions import TypedDict

from tourney.output.units import Points
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.victory_points import VpHundredths, format_vp
from tourney.store.draw.objects import EventInfo, MatchInfo


class MatchPointsDocument(TypedDict):
    """The points of a match."""

    points_home: NotRequired[Points | None]
    """In matches scored in points: those of the home team as a decimal string, in place of IMPs, like the next."""
    points_away: NotRequired[Points | None]
    """In matches scored in points: those of the away team."""


class BoardPointsDocument(TypedDict):
    """The points of a board."""

    points: NotRequired[Points | None]
    """In matches scored in points: those of the home team as a decimal string, in place of IMPs, like the next."""
    points_away: NotRequired[Points | None]
    """In matches scored in points: those of the away team."""


class SidePointsDocument(TypedDict):
    """The points of the side that sits North-South."""

    points_ns: NotRequired[Points | None]
    """In matches scored in points: those of the team that sits North-South, as a decimal string, in place of IMPs."""


class TotalPointsDocument(TypedDict):
    """The points of a team."""

    points_for: NotRequired[Points | None]
    """In matches scored in points: those that the team won, as a decimal string, in place of IMPs, like the next."""
    points_against: NotRequired[Points | None]
    """In matches scored in points: those that the team did not win."""


class CancelledDocument(TypedDict):
    """Whether a match counts."""

    cancelled: NotRequired[bool]
    """Only there, and true, where the match does not count because a team left before half of its matches were
    played; it then has no victory points."""


def cancelled_document(*, is_cancelled: bool) -> CancelledDocument:
    """Say that a match does not count; nothing of one that does."""
    return {"cancelled": True} if is_cancelled else {}


MATCH_POINTS: Final = ("points_home", "points_away")
TOTAL_POINTS: Final = ("points_for", "points_against")


def imps_of(scale: BoardScale | None, figure: int | None) -> int | None:
    """Return a figure in IMPs; None if it is in points, or a sum of both (`scale` is None)."""
    return None if scale is None or scale.is_in_points else figure


def vp_of(match: MatchInfo, vp: VpHundredths | None) -> str | None:
    """Return victory points of a match; None while there are none, and where extra boards have left its scale."""
    return None if vp is None or match.has_extra_boards else format_vp(vp)


def points_of(scale: BoardScale, figure: int | None) -> str | None:
    """Return a figure in points as text; None if there is none."""
    return scale.format(figure) if figure is not None else None


def match_points(scale: BoardScale | None, home: int | None, away: int | None) -> MatchPointsDocument:
    """Return the points of a match; nothing where it is scored in IMPs, or not at all (`scale` is None)."""
    if scale is None or not scale.is_in_points:
        return {}
    return {"points_home": points_of(scale, home), "points_away": points_of(scale, away)}


def board_points(scale: BoardScale | None, home: int | None, away: int | None) -> BoardPointsDocument:
    """Return the points of a board; nothing where it is scored in IMPs, or not within its match (`scale` is None)."""
    if scale is None or not scale.is_in_points:
        return {}
    return {"points": points_of(scale, home), "points_away": points_of(scale, away)}


def side_points(scale: BoardScale, north_south: int | None) -> SidePointsDocument:
    """Return the points of North-South on a board; nothing where it is scored in IMPs."""
    if not scale.is_in_points:
        return {}
    return {"points_ns": points_of(scale, north_south)}


def total_points(scale: BoardScale | None, won: int | None, against: int | None) -> TotalPointsDocument:
    """Return the points of a team; nothing where matches are scored in IMPs or in several ways."""
    if scale is None or not scale.is_in_points:
        return {}
    return {"points_for": points_of(scale, won), "points_against": points_of(scale, against)}


def has_points(event: EventInfo) -> bool:
    """Return whether an event has a stage that is scored in points."""
    return any(stage.board_scale.is_in_points for stage in event.stages)


def one_scale(scales: Iterable[BoardScale]) -> BoardScale | None:
    """Return the scale that all share; None if there are several."""
    found = list(dict.fromkeys(scales)) or [IMPS]
    return found[0] if len(found) == 1 else None
