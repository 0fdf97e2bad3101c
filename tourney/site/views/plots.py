"""The geometry of plots, which the templates draw as SVG: the bars of a match, the bars of thinking."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from tourney.bridge import Seat


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid with its label."""

    at: float
    text: str


def round_step(reach: float) -> float:
    """Returns a round distance between lines of a grid, of which two or three are on each side of the middle."""
    size = 0.1
    while True:
        for factor in (1, 2, 5):
            if reach / (size * factor) < 4:
                return size * factor
        size *= 10


@dataclass(frozen=True, slots=True)
class MarginBar:
    """A board of a match: what it brought, and the margin after it."""

    board: int
    x: float
    width: float
    y: float
    height: float
    is_home: bool
    """Whether the home team is ahead after it."""
    words: str
    """`Board 5: 6 IMPs to Alpha; Alpha leads by 12`."""


@dataclass(frozen=True, slots=True)
class MarginPlot:
    """The running margin of a match, a bar for each board: the home team above the line, the away team below."""

    width: int
    height: int
    zero: float
    bars: tuple[MarginBar, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    left: int


def plot_margin(boards: Sequence[tuple[int, float, str]], last: int) -> MarginPlot:
    """Returns the plot of a match of `last` boards; `boards` has place from 1, margin and words of those shown."""
    width, height, left, top, bottom = 460, 150, 34, 8, 132
    most = max(1.0, *(abs(margin) for _, margin, _ in boards))
    step = round_step(most)
    steps = ceil(most / step)  # no bar ends above the last line of the grid
    reach = steps * step
    zero = (top + bottom) / 2
    each = (width - left - 4) / max(last, 1)
    bars = []
    for place, margin, words in boards:
        tall = abs(margin) / reach * (bottom - top) / 2
        bars.append(
            MarginBar(
                board=place,
                x=round(left + each * (place - 1) + each * 0.12, 1),
                width=round(each * 0.76, 1),
                y=round(zero - tall if margin > 0 else zero, 1),
                height=round(max(tall, 0.5), 1),
                is_home=margin >= 0,
                words=words,
            )
        )
    ticks = [step * factor for factor in range(-steps, steps + 1)]
    up = [Tick(round(zero - value / reach * (bottom - top) / 2, 1), f"{abs(value):g}") for value in ticks]
    every = max(1, -(-last // 12))
    across = [Tick(round(left + each * (n - 0.5), 1), str(n)) for n in range(1, last + 1) if (n - 1) % every == 0]
    return MarginPlot(width, height, zero, tuple(bars), tuple(across), tuple(up), left)


@dataclass(frozen=True, slots=True)
class ThinkingBar:
    """The thinking time of a call or card."""

    x: float
    width: float
    y: float
    height: float
    is_ns: bool
    words: str
    """`East, K of spades: 1.2 s`."""


def plot_thinking(actions: Sequence[tuple[Seat, int, str]]) -> tuple[ThinkingBar, ...]:
    """Returns a bar for each call and card, 0 to 100 across and 0 to 24 high; `actions` has seat, ms and words."""
    longest = max((ms for _, ms, _ in actions), default=0)
    if not longest:
        return ()
    each = 100 / len(actions)
    bars = []
    for place, (seat, ms, words) in enumerate(actions):
        tall = round(max(24 * ms / longest, 0.4), 2)
        is_ns = seat in (Seat.NORTH, Seat.SOUTH)
        bars.append(ThinkingBar(round(place * each, 2), round(each * 0.8, 2), 24 - tall, tall, is_ns, words))
    return tuple(bars)
