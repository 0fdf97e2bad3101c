"""The chart of a race: how far each team or pair was above or below the average of its list, round by round."""

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from tourney.site.filters import mark_minus
from tourney.site.pages.axes import NAMED_RIGHT, Chart, ChartLevel, ChartLine, across, points, spread, upward
from tourney.views.ranking import ranked_figure

if TYPE_CHECKING:
    from tourney.views.race import Race, RaceReport

_NAME_LETTERS_MAX: Final = 14

COLOURED_MAX: Final = 8
"""How many lines of a race have a colour and a name: more cannot be told apart."""


def chart_race(report: "RaceReport") -> list[Chart]:
    """Return the chart of each list, the newest stage first."""
    return [_draw(race, f"{race.ranking.title}: " if len(report.races) > 1 else "") for race in report.races]


def _draw(race: "Race", title: str) -> Chart:
    """Draw a race; those that are ahead come last, so that they are drawn over the others."""
    leads: defaultdict[str, list[float]] = defaultdict(list)
    for course in race.rounds.values():
        average = sum(row.vp for row in course.values()) / len(course)
        for team, row in course.items():
            leads[team].append((row.vp - average) / 100)
    reach = max(1.0, *(1.08 * abs(lead) for own in leads.values() for lead in own))
    *_, last = race.rounds
    first = min(race.rounds) - 1
    teams = [row.team for row in race.ranking.rows]
    x, y = across(first, last, NAMED_RIGHT), upward(-reach, reach)
    names = spread([y(leads[team][-1]) for team in teams[:COLOURED_MAX]])
    lines = [
        ChartLine(
            points(x, y, [(first, 0.0), *zip(race.rounds, leads[team], strict=True)]),
            f"line series-{place if place <= COLOURED_MAX else 0}",
            f"{team}: {mark_minus(ranked_figure(race.ranking, race.rounds[last][team]))} {race.heading}",
            (x(last), y(leads[team][-1])),
            _short(team) if place <= COLOURED_MAX else "",
            names[place - 1] if place <= COLOURED_MAX else 0,
        )
        for place, team in enumerate(teams, 1)
    ]
    return Chart(
        title=f"{title}{race.heading} above or below the average, by round",
        x_name="rounds",
        x_ticks=x.ticks(whole=True),
        y_ticks=y.ticks(signed=True),
        lines=lines[::-1],
        levels=[ChartLevel(y(0), "")],
        right=NAMED_RIGHT,
    )


def _short(name: str) -> str:
    return (
        name if len(name) <= _NAME_LETTERS_MAX else f"{name[: _NAME_LETTERS_MAX - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"
    )
