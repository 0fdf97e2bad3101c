"""Ratings with their intervals as bars: where each lies between the least and the most that any of them may be."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tourney.site.views.axes import AxisScale

if TYPE_CHECKING:
    from tourney.report.strength import StrengthReport, TeamRatingDocument

BAR_WIDTH: Final = 200
_MARGIN: Final = 4.0


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A team with its rating, and the bar of its interval."""

    team: "TeamRatingDocument"
    low: float
    """Where the bar begins, from 0 to `BAR_WIDTH`."""
    at: float
    """Where the rating itself lies."""
    high: float
    """Where it ends."""


@dataclass(frozen=True, slots=True)
class RatedList:
    """Teams that matches join, best first."""

    rows: tuple[RatedRow, ...]
    zero: float
    """Where the bars have 0."""
    luck: float
    """How often equal teams would lie as far apart."""


def view_ratings(report: "StrengthReport") -> list[RatedList]:
    """Return the lists of ratings of a report, each with bars on a scale of its own."""
    lists = []
    for ratings in report.lists:
        low = min(0.0, *(each.rating - each.half_width for each in ratings.ratings))
        high = max(0.0, *(each.rating + each.half_width for each in ratings.ratings))
        x = AxisScale(low, high if high > low else low + 1, _MARGIN, BAR_WIDTH - _MARGIN)
        rows = tuple(
            RatedRow(
                row,
                x(row.rating - row.half_width),
                x(row.rating),
                x(row.rating + row.half_width),
            )
            for row in report.rated(ratings)
        )
        lists.append(RatedList(rows, x(0.0), report.luck(ratings)))
    return lists
