"""Figures of boards and matches in documents and tables: IMPs, or points at board-a-match and at games of one table.

A key that is named after IMPs is null where scores are in points; the points are in a key of their own, which only
documents and tables of such matches have.
"""

from collections.abc import Iterable
from typing import Any

from tourney.output.rows import ABSENT
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.victory_points import VpHundredths
from tourney.store.draw.objects import EventInfo, MatchInfo


def imps_of(scale: BoardScale | None, figure: int | None) -> int | None:
    """Return a figure in IMPs; None if it is in points, or a sum of both (`scale` is None)."""
    return None if scale is None or scale.is_in_points else figure


def points_of(scale: BoardScale | None, figure: int | None) -> Any:  # a text, None or `ABSENT`
    """Return a figure in points as text, None if there is none; `ABSENT` if it is in IMPs or in both."""
    if scale is None or not scale.is_in_points:
        return ABSENT
    return scale.format(figure) if figure is not None else None


def vp_of(match: MatchInfo, vp: VpHundredths | None) -> VpHundredths | None:
    """Return victory points of a match; None while there are none, and where extra boards have left its scale."""
    return None if match.has_extra_boards else vp


def has_points(event: EventInfo) -> bool:
    """Return whether an event has a stage that is scored in points."""
    return any(stage.board_scale.is_in_points for stage in event.stages)


def one_scale(scales: Iterable[BoardScale]) -> BoardScale | None:
    """Return the scale that all share; None if there are several."""
    found = list(dict.fromkeys(scales)) or [IMPS]
    return found[0] if len(found) == 1 else None
