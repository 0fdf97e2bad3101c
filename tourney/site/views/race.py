"""The race: what every team or pair of a field had after each round, and how it stood to the average of the field."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tourney.movement.ranking import StandingRow
from tourney.report.ranking_changes import RankedFigure, format_ranking, ranking_heading
from tourney.results.standings import Standings
from tourney.site.filters import MINUS
from tourney.site.public import PublicView
from tourney.site.views.axes import AxisTick, round_step

_NAME_LETTERS_MAX: Final = 14

COLOURED_MAX: Final = 8
"""How many lines of a race have a colour and a name: more cannot be told apart."""


@dataclass(frozen=True, slots=True)
class RacePoint:
    """A team after a round."""

    round: int
    level: float
    """What it ranks by: victory points so far, or the percentage or IMPs a board of a pair."""
    lead: float
    """How far that is above the average of the field; below zero if it is below."""
    text: str
    """The level as a table shows it."""


@dataclass(frozen=True, slots=True)
class RaceLine:
    """A team in the race."""

    team: str
    rank: str
    points: tuple[RacePoint, ...]


@dataclass(frozen=True, slots=True)
class Race:
    """The race of one field, the best team first."""

    title: str
    heading: str
    """The unit of its figures: `VP`, `%`."""
    rounds: tuple[int, ...]
    """The rounds that count, in which at least one match is finished."""
    lines: tuple[RaceLine, ...]


def view_races(view: PublicView) -> tuple[Race, ...]:
    """Returns the race of each field that has one, the newest stage first; a knockout has none."""
    standings = view.standings
    rounds = {match.number: match.round for match in view.event.matches}
    races = []
    for field in reversed(standings.fields or (standings,)):
        played = sorted({rounds[match.number] for match in field.counted})
        if field.stage is not None and not field.is_knockout and len(played) > 1:
            races.append(_race(field, played, view))
    return tuple(race for race in races if len(race.rounds) > 1)


def _race(field: Standings, played: Iterable[int], view: PublicView) -> Race:
    """Returns the race of a field: the figures of its standings after each round in which everybody has one."""
    levels: dict[int, dict[str, Fraction]] = {}
    texts: dict[int, dict[str, RankedFigure]] = {}
    for number in played:
        after = view.standings_after(number)
        then = next(each for each in after.fields or (after,) if each.title == field.title)
        course = {row.team: _level(row) for row in then.rows}
        known = {team: level for team, level in course.items() if level is not None}
        if len(known) == len(field.rows):
            levels[number], texts[number] = known, format_ranking(then)
    lines = tuple(
        RaceLine(
            team=row.team,
            rank=field.format_rank(row),
            points=tuple(
                RacePoint(
                    number,
                    float(level[row.team]),
                    float(level[row.team] - sum(level.values()) / len(level)),
                    texts[number][row.team].figure.replace("-", MINUS),
                )
                for number, level in levels.items()
            ),
        )
        for row in field.rows
    )
    return Race(field.title, ranking_heading(field), tuple(levels), lines)


def _level(row: StandingRow) -> Fraction | None:
    """Returns what a row ranks by; None for a pair of which no board counts."""
    if row.pairs is None:
        return Fraction(row.vp, 100)
    return row.pairs.result if row.pairs.carried is not None else row.pairs.level


@dataclass(frozen=True, slots=True)
class PlotLine:
    """A line with its name at the right end."""

    team: str
    name: str
    """The name, cut if it is long."""
    series: int
    """The number of its colour, from 1; 0 for a line among many, which has none and no name."""
    points: str
    """As an SVG `polyline` has them."""
    end_x: float
    end_y: float
    label_y: float
    """Where its name stands: beside the end, but clear of the other names."""
    text: str
    """What it has at the end: `34.42`."""


@dataclass(frozen=True, slots=True)
class RacePlot:
    """A race as lines above and below the average."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    zero: float
    """Where the average is, from the top."""
    across: tuple[AxisTick, ...]
    up: tuple[AxisTick, ...]
    lines: tuple[PlotLine, ...]


def plot_race(race: Race) -> RacePlot:
    """Returns the plot of a race; those that are ahead come last, so that they are drawn over the others."""
    width, height, left, right, top, bottom = 460, 250, 34, 345, 10, 226
    leads = [point.lead for line in race.lines for point in line.points]
    reach = max(1.0, max(map(abs, leads)) * 1.08)
    step = round_step(reach / 4)
    middle = (top + bottom) / 2
    first, last = race.rounds[0], race.rounds[-1]

    def x(number: int) -> float:
        return round(left + (right - left) * (number - first + 1) / (last - first + 1), 1)

    def y(lead: float) -> float:
        return round(middle - lead / reach * (bottom - top) / 2, 1)

    named = race.lines[:COLOURED_MAX]
    labels = _spread([y(line.points[-1].lead) for line in named], 13.5, top + 6, bottom)
    lines = []
    for place, line in enumerate(race.lines):
        points = [(left, middle), *((x(point.round), y(point.lead)) for point in line.points)]
        is_named = place < len(named)
        lines.append(
            PlotLine(
                team=line.team,
                name=_short(line.team),
                series=place + 1 if is_named else 0,
                points=" ".join(f"{px:g},{py:g}" for px, py in points),
                end_x=points[-1][0],
                end_y=points[-1][1],
                label_y=labels[place] if is_named else 0,
                text=line.points[-1].text,
            )
        )
    every = max(1, -(-len(race.rounds) // 10))
    across = [AxisTick(x(number), str(number)) for number in race.rounds if (number - last) % every == 0]
    ticks = [step * factor for factor in range(-int(reach // step), int(reach // step) + 1)]
    up = [
        AxisTick(y(value), f"{'+' if value > 0 else ''}{value:g}".replace("-", "\N{MINUS SIGN}")) for value in ticks
    ]
    return RacePlot(width, height, left, right, top, bottom, y(0), tuple(across), tuple(up), tuple(reversed(lines)))


def _short(name: str) -> str:
    return (
        name if len(name) <= _NAME_LETTERS_MAX else f"{name[: _NAME_LETTERS_MAX - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"
    )


def _spread(wanted: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Returns places near those wanted that are at least so far apart, in the same order from the top."""
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    placed: list[float] = []
    for index in order:
        placed.append(max(wanted[index], placed[-1] + apart if placed else top))
    limit = bottom
    for position in range(len(placed) - 1, -1, -1):
        placed[position] = min(placed[position], limit)
        limit = placed[position] - apart
    found = [0.0] * len(wanted)
    for index, value in zip(order, placed, strict=True):
        found[index] = round(value, 1)
    return found
