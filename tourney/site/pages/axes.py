"""The geometry of charts: figures to coordinates. Pure; the templates draw what is here as SVG.

A chart is 560 units wide, so that its letters can be read on a narrow screen too. A long series is drawn with as many
points as can be told apart.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 560.0
HEIGHT: Final = 270.0
LEFT: Final = 46.0
RIGHT: Final = 10.0
TOP: Final = 14.0
BOTTOM: Final = 30.0

NAMED_RIGHT: Final = 395.0
"""Where lines with names end: so many letters have room beside them."""

_LETTERS_HIGH: Final = 18.0

POINTS_MAX: Final = 400
"""The most points of a line: more than one for each unit could not be told apart."""
_TICKS: Final = 6


@dataclass(frozen=True, slots=True)
class AxisTick:
    """A mark at an axis, or a line across the chart with a name, such as the bound of a test."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line through points, and what marks its end."""

    points: str
    """As the attribute of SVG has them."""
    tone: str = "series"
    """A class of the style sheet."""
    title: str = ""
    """What it stands for, in words."""
    end: tuple[float, float] | None = None
    """Where the mark at its end is; None without one."""
    name: str = ""
    """What is written beside the end; empty for a line among many, which has no colour of its own."""
    name_y: float = 0
    """Where that stands: at the height of the end, but clear of the other names."""


@dataclass(frozen=True, slots=True)
class ChartInterval:
    """An estimate with its interval, as a point on an upright line."""

    x: float
    low: float
    """Where the line begins, at the lower end of the interval."""
    at: float
    """Where the estimate itself lies."""
    high: float
    """Where it ends."""
    title: str
    """What it stands for, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart with its axes, as coordinates in a box of `WIDTH` by `HEIGHT`."""

    title: str
    x_name: str
    x_ticks: Sequence[AxisTick]
    y_ticks: Sequence[AxisTick]
    lines: Sequence[ChartLine]
    right: float = WIDTH - RIGHT
    """Where its axes end, from the left; names of lines stand to the right."""
    band: str = ""
    """The points around a band behind the lines."""
    levels: Sequence[AxisTick] = ()
    intervals: Sequence[ChartInterval] = ()


@dataclass(frozen=True, slots=True)
class AxisScale:
    """Turns figures from `low` to `high` into coordinates from `start` to `end`; others are put at the edge."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, *, whole: bool = False, signed: bool = False) -> list[AxisTick]:
        """Return marks at round figures; only at whole numbers, and with a plus sign, if asked for."""
        step = round_step((self.high - self.low) / _TICKS)
        if whole:
            step = max(1.0, step)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [
            AxisTick(self(n * step), ("+" if signed and n > 0 else "") + _format(n * step, digits))
            for n in range(first, last + 1)
        ]


def across(low: float, high: float, right: float = WIDTH - RIGHT) -> AxisScale:
    """Return the scale of the axis from left to right."""
    return AxisScale(low, high, LEFT, right)


def upward(low: float, high: float) -> AxisScale:
    """Return the scale of the axis from bottom to top."""
    return AxisScale(low, high, HEIGHT - BOTTOM, TOP)


def thin(count: int) -> list[int]:
    """Return the places of the points that are drawn of so many, the first and the last among them."""
    if count <= POINTS_MAX:
        return list(range(count))
    return sorted({round(place * (count - 1) / (POINTS_MAX - 1)) for place in range(POINTS_MAX)})


def points(x: AxisScale, y: AxisScale, series: Iterable[tuple[float, float]]) -> str:
    """Return the points of a line or of an outline."""
    return " ".join(f"{x(across_):g},{y(up):g}" for across_, up in series)


def round_step(least: float) -> float:
    """Return a round distance between the lines of a grid that is at least so big."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))


def _format(value: float, digits: int) -> str:
    return f"{value if abs(value) > 1e-9 else 0:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def spread(wanted: Sequence[float]) -> list[float]:
    """Return where names stand: near the places wanted, below each other, in the same order from the top."""
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    placed: list[float] = []
    for index in order:
        placed.append(max(wanted[index], placed[-1] + _LETTERS_HIGH if placed else TOP))
    limit = HEIGHT - BOTTOM
    for position in range(len(placed) - 1, -1, -1):
        placed[position] = min(placed[position], limit)
        limit = placed[position] - _LETTERS_HIGH
    found = [0.0] * len(wanted)
    for index, value in zip(order, placed, strict=True):
        found[index] = round(value, 1)
    return found
