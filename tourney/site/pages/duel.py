"""The charts of a duel: how the test went, and the mean with its interval."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from tourney.scoring.strength.estimate import running_estimate
from tourney.scoring.strength.sequential import NOTHING_PLAYED, Tally
from tourney.site.pages.axes import (
    AxisTick,
    Chart,
    ChartLine,
    across,
    points,
    thin,
    upward,
)

if TYPE_CHECKING:
    from tourney.views.duel import DuelReport

_BOARDS_BEFORE_INTERVAL: Final = 4
"""The interval of fewer boards would dwarf the others."""


def chart_duel(report: "DuelReport") -> list[Chart]:
    """Return the charts of a duel as far as it has been played; none before the first board."""
    tallies = list(accumulate(report.result.swings, Tally.plus, initial=NOTHING_PLAYED))[1:]
    if not tallies:
        return []
    course = [] if report.result.test.is_fixed else [_llr_chart(report, tallies)]
    return [*course, _mean_chart(report, tallies)]


def _llr_chart(report: "DuelReport", tallies: Sequence[Tally]) -> Chart:
    test = report.result.test
    series = [[test.llr(tallies[place]) for place in thin(len(tallies))]]
    if test.is_two_sided:
        series.append([test.llr(tallies[place].reversed()) for place in thin(len(tallies))])
    low = min(test.lower * 1.15, *map(min, series))
    high = max(test.upper * 1.15, *map(max, series))
    x, y = across(0, len(tallies)), upward(low, high)
    boards = [0, *(place + 1 for place in thin(len(tallies)))]
    names = ("H1: not equal", "H0: no difference") if test.is_two_sided else ("H1", "H0")
    both = f" (and of {report.second}, dashed)" if test.is_two_sided else ""
    return Chart(
        title=f"Log-likelihood ratio of {report.first}{both} after each board, between the bounds of the test",
        x_name="boards",
        x_ticks=x.ticks(whole=True),
        y_ticks=y.ticks(),
        lines=[
            ChartLine(points(x, y, zip(boards, [0.0, *llrs], strict=True)), tone)
            for llrs, tone in zip(series, ("series", "other"), strict=False)
        ],
        levels=[AxisTick(y(test.upper), names[0]), AxisTick(y(0), ""), AxisTick(y(test.lower), names[1])],
    )


def _mean_chart(report: "DuelReport", tallies: Sequence[Tally]) -> Chart:
    places = [place for place in thin(len(tallies)) if place + 1 >= min(_BOARDS_BEFORE_INTERVAL, len(tallies))]
    found = [running_estimate(tallies[place]) for place in places]
    boards = [place + 1 for place in places]
    test = report.result.test
    hypotheses = [] if test.is_fixed else [test.d0, test.d1, *([-test.d1] if test.is_two_sided else [])]
    # The first boards may lie anywhere; what is read is where it settles.
    settled = found[len(found) // 10 :]
    low = min(0.0, *(each.low for each in settled), *hypotheses)
    high = max(0.0, *(each.high for each in settled), *hypotheses)
    x, y = across(0, len(tallies)), upward(low, high)
    upper = [(n, each.high) for n, each in zip(boards, found, strict=True)]
    lower = [(n, each.low) for n, each in zip(boards, found, strict=True)]
    return Chart(
        title=f"IMPs a board to {report.first}, with the interval of 95 %",
        x_name="boards",
        x_ticks=x.ticks(whole=True),
        y_ticks=y.ticks(),
        lines=[ChartLine(points(x, y, ((n, each.mean) for n, each in zip(boards, found, strict=True))))],
        band=points(x, y, [*upper, *reversed(lower)]),
        levels=[AxisTick(y(0), "")] + [AxisTick(y(d), f"{d:+g}") for d in hypotheses if d],
    )
