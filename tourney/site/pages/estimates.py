"""Charts of estimates with their intervals: what each duel says, and how strong versions and teams are."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tourney.site.filters import mark_minus
from tourney.site.pages.axes import AxisTick, Chart, ChartInterval, ChartLine, across, points, upward
from tourney.times import format_date

if TYPE_CHECKING:
    from tourney.views.history import HistoryReport
    from tourney.views.strength import StrengthReport

_VERSIONS_MIN: Final = 3
"""How many versions a chart has at least: what two of them say is what their duels say."""


class _Estimate(NamedTuple):
    """An estimate in IMPs a board with half the width of its interval of 95 %, in the order of the chart."""

    place: int
    name: str
    mean: float
    half_width: float


def chart_history(report: "HistoryReport") -> list[Chart]:
    """Return the charts of a history: its duels, and each three versions or more that duels join."""
    duels = [
        _Estimate(
            each.number,
            f"{each.first} v {each.second}, {format_date(each.began)}",
            each.estimate.mean,
            each.estimate.half_width,
        )
        for each in report.duels
    ]
    charts = [_draw("IMPs a board to the new version in each duel", "duels", duels)]
    for joined in report.joined():
        if len(joined) >= _VERSIONS_MIN:
            versions = [
                _Estimate(each.number, f"{each.version}, {format_date(each.since)}", each.rating, each.half_width)
                for each in joined
            ]
            title = f"IMPs a board against {joined[0].version}, version by version"
            charts.append(_draw(title, "versions", versions, is_joined=True))
    return charts


def chart_strength(report: "StrengthReport") -> list[Chart]:
    """Return the charts of ratings, one for each list of teams that matches join, the best team first."""
    return [
        _draw(
            "IMPs a board against the mean of all",
            "rank",
            [_Estimate(row.rank, row.team, row.rating, row.half_width) for row in report.rated(ratings)],
        )
        for ratings in report.lists
    ]


def _draw(title: str, x_name: str, intervals: Sequence[_Estimate], *, is_joined: bool = False) -> Chart:
    """Draw estimates side by side; those of one chain are joined by a line."""
    low = min(0.0, *(each.mean - each.half_width for each in intervals))
    high = max(0.0, *(each.mean + each.half_width for each in intervals))
    x = across(intervals[0].place - 0.5, intervals[-1].place + 0.5)
    y = upward(low, high if high > low else low + 1)
    return Chart(
        title=f"{title}, with the interval of 95 %",
        x_name=x_name,
        x_ticks=x.ticks(whole=True),
        y_ticks=y.ticks(),
        lines=[ChartLine(points(x, y, ((each.place, each.mean) for each in intervals)))] if is_joined else [],
        levels=[AxisTick(y(0.0), "")],
        intervals=[
            ChartInterval(
                x(each.place),
                y(each.mean - each.half_width),
                y(each.mean),
                y(each.mean + each.half_width),
                f"{each.name}: {mark_minus(format(each.mean, '+.2f'))} \N{PLUS-MINUS SIGN} {each.half_width:.2f}",
            )
            for each in intervals
        ],
    )
