"""The chart of a race: how far each team or pair was above or below the average of its list, round by round."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Final

from tourney.results.standings import Standings
from tourney.scoring.board_scale import BoardScale
from tourney.site.filters import mark_minus
from tourney.site.pages.axes import NAMED_RIGHT, AxisTick, Chart, ChartLine, across, points, spread, upward
from tourney.site.public import PublicView
from tourney.views.ranking import ranked_figure

_NAME_LETTERS_MAX: Final = 12

COLOURED_MAX: Final = 8
"""How many lines of a race have a colour and a name: more cannot be told apart."""


def chart_races(view: PublicView) -> Iterator[Chart]:
    """Yield a chart for each list of the newest stage of which a list was ranked after a round."""
    standings, after = view.standings, cache(view.standings_after)
    played_in = {match.number: match.round for match in view.event.matches}
    newest = None
    for field in reversed(standings.lists):
        scale, rounds = field.ranking_scale, {}
        for number in sorted({played_in[match.number] for match in field.counted}):
            then = next(each for each in after(number).lists if each.title == field.title)
            if all(row.counts for row in then.rows):
                rounds[number] = then
        if scale is not None and rounds and newest in (None, field.stage):
            newest = field.stage
            yield _draw(field, scale, rounds)


def _draw(ranking: Standings, scale: BoardScale, rounds: dict[int, Standings]) -> Chart:
    """Draw a race; those that are ahead come last, so that they are drawn over the others."""
    leads: defaultdict[str, list[float]] = defaultdict(list)
    for then in rounds.values():
        average = sum(row.vp for row in then.rows) / len(then.rows)
        for row in then.rows:
            leads[row.team].append((row.vp - average) / 100)
    reach = max(1.0, *(1.08 * abs(lead) for own in leads.values() for lead in own))
    first, last = min(rounds) - 1, max(rounds)
    x, y = across(first, last, NAMED_RIGHT), upward(-reach, reach)
    names = spread([y(leads[row.team][-1]) for row in ranking.rows[:COLOURED_MAX]])
    lines = [
        ChartLine(
            points(x, y, [(first, 0.0), *zip(rounds, leads[row.team], strict=True)]),
            f"line series-{place if place <= COLOURED_MAX else 0}",
            f"{row.team}: {mark_minus(ranked_figure(ranking, row))} {scale.ranking_heading}",
            (x(last), y(leads[row.team][-1])),
            _short(row.team) if place <= COLOURED_MAX else "",
            names[place - 1] if place <= COLOURED_MAX else 0,
        )
        for place, row in enumerate(ranking.rows, 1)
    ]
    return Chart(
        title=f"{ranking.title}: {scale.ranking_heading} above or below the average, by round",
        x_name="rounds",
        x_ticks=x.ticks(whole=True),
        y_ticks=y.ticks(signed=True),
        lines=lines[::-1],
        levels=[AxisTick(y(0), "")],
        right=NAMED_RIGHT,
    )


def _short(name: str) -> str:
    return (
        name if len(name) <= _NAME_LETTERS_MAX else f"{name[: _NAME_LETTERS_MAX - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"
    )
