"""Victory points as exact figures, and the scales, built-in or the organiser's own, that convert IMPs to them.

Figures are whole hundredths of a victory point; nothing here is a binary float. A scale is a list of steps: the
smallest margin of each split.

The World Bridge Federation's scales of 2013 are based on one curve. With `N` boards, X = 15 * sqrt(N) and
R = sqrt(5) - 2 (the cube of the golden section), a margin of I IMPs is worth 10 + 10 * (1 - R ** (I / X)) / (1 - R),
and from X on 20. X is not rounded. Source: WBF Scoring Panel, technical report, January 2013; the tables reprinted
for 4 and 24 boards agree row for row.
"""

import bisect
import decimal
import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final, NamedTuple, NewType

from tourney.errors import ConfigError, FormatError
from tourney.scoring import BOARDS_MAX, POINTS_SCALE, SCALE_NAMES, SEED_24, WBF_CONTINUOUS, WBF_DISCRETE
from tourney.scoring.imps import IMPS_MAX
from tourney.suggestions import suggest

VpHundredths = NewType("VpHundredths", int)
"""Hundredths of a victory point: 13.34 VP is 1334. Sums and differences are exact."""

_TEXT: Final = re.compile(r"([+-]?)([0-9]{1,4})(?:\.([0-9]{1,2}))?")


def format_vp(hundredths: int) -> str:
    """Format `1334` as `13.34`: always two decimals, a minus sign below zero."""
    sign = "-" if hundredths < 0 else ""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{sign}{whole}.{rest:02}"


def format_hundredths(hundredths: int) -> str:
    """Format `250` as `2.5`, `567` as `5.67`, `1100` as `11`: no trailing zeros, a minus sign below zero."""
    return format_vp(hundredths).rstrip("0").rstrip(".")


def parse_vp(value: str | int | Decimal) -> VpHundredths:
    """Parse a figure in victory points to hundredths: `"13.34"`, `Decimal("13.34")` and `13` (whole VPs, so 1300).

    Binary floats are refused: none of them is exactly 13.34.

    Raises:
        FormatError: not a number, more than two decimals, or more than four digits before the point.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise FormatError(f"victory points are a number with at most two decimals, got {value!r}")
    text = format(value, "f") if isinstance(value, Decimal) else str(value)
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise FormatError(f"victory points are -9999.99..9999.99 with at most two decimals, got {value!r}")
    sign, whole, rest = found.groups(default="")
    hundredths = int(whole) * 100 + int(rest.ljust(2, "0"))
    return VpHundredths(-hundredths if sign == "-" else hundredths)


# Scales as steps

MARGIN_MAX: Final = IMPS_MAX * BOARDS_MAX
"""The largest possible margin of a match in IMPs."""


class VpStep(NamedTuple):
    """A step of a scale: from `least_margin` IMPs to the next step, the winner gets `winner`, the loser `loser`."""

    least_margin: int
    winner: VpHundredths
    loser: VpHundredths


@dataclass(frozen=True, slots=True)
class UserTable:
    """A scale of the organiser's own, checked when it is made.

    The steps start at margin 0 with a draw; margins rise, the winner's figure never falls, the loser's never rises.
    The two figures need not have a constant sum: in the old 25 - 0 scales they do not.

    Raises:
        ConfigError: one sentence on the first step that is wrong.
    """

    steps: tuple[VpStep, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ConfigError("a VP table has at least one step, got none")
        first = self.steps[0]
        if first.least_margin != 0:
            raise ConfigError(f"a VP table starts at margin 0, got {first.least_margin}")
        if first.winner != first.loser:
            raise ConfigError(
                f"at margin 0 both sides of a VP table get the same, "
                f"got {format_vp(first.winner)} and {format_vp(first.loser)}"
            )
        for number, step in enumerate(self.steps[1:], start=2):
            why = _why_no_step(self.steps[number - 2], step)
            if why is not None:
                raise ConfigError(f"step {number} of a VP table: {why}")


def _why_no_step(before: VpStep, step: VpStep) -> str | None:
    if step.least_margin <= before.least_margin:
        return f"its margin is above {before.least_margin}, got {step.least_margin}"
    if step.least_margin > MARGIN_MAX:
        return f"its margin is at most {MARGIN_MAX} IMPs, got {step.least_margin}"
    if step.winner < before.winner:
        return f"the winner gets at least {format_vp(before.winner)}, got {format_vp(step.winner)}"
    if step.loser > before.loser:
        return f"the loser gets at most {format_vp(before.loser)}, got {format_vp(step.loser)}"
    return None


@dataclass(frozen=True, slots=True)
class VpScale:
    """A scale for matches of one length. `steps` start at margin 0, margins rising."""

    name: str
    boards: int
    steps: tuple[VpStep, ...]

    def split(self, margin: int) -> tuple[VpHundredths, VpHundredths]:
        """Return the victory points of a side that won by `margin` IMPs, and of the other; below 0 it lost."""
        index = bisect.bisect_right(self.steps, abs(margin), key=lambda step: step.least_margin) - 1
        step = self.steps[index]
        return (step.winner, step.loser) if margin >= 0 else (step.loser, step.winner)

    def table(self) -> list[VpStep]:
        """Return a step for each margin, from 0 to the smallest one that is worth the maximum."""
        last = next(step for step in self.steps if step[1:] == self.steps[-1][1:])
        return [VpStep(margin, *self.split(margin)) for margin in range(last.least_margin + 1)]


# The scales of the World Bridge Federation

_DIGITS: Final = 50
"""Significant digits of the curve: far more than any tie in rounding needs, up to `BOARDS_MAX` boards."""

CONCAVE_BOARDS_MAX: Final = 1000
"""In longer matches an IMP is worth less than a hundredth, and steps of 0 and 0.01 alternate. Raising values until no
IMP is worth more than the one before it would end the curve at a part of its length, so that it is only rounded."""

SCALES_KEPT: Final = 1000
"""How many scales are kept once they have been worked out; one for a long match has thousands of steps."""

_WIN: Final = 2000
"""20.00, in hundredths: the total of both sides, and the most the winner gets."""

_BANDS: Final = 10
"""Splits of the discrete scale below 20 - 0: 10 - 10, 11 - 9, ... 19 - 1."""


def _shared(least_margin: int, winner: int) -> VpStep:
    return VpStep(least_margin, VpHundredths(winner), VpHundredths(_WIN - winner))


@functools.lru_cache(maxsize=SCALES_KEPT)
def continuous_steps(boards: int) -> tuple[VpStep, ...]:
    """Return the continuous scale for 1..160,000 boards: a step for each margin from 0 to the first worth 20.00.

    The rule of the published tables, which end at some 100 boards, is kept up to 1000, the bare curve beyond.
    """
    # ceil(15 * sqrt(boards)) in whole numbers: the least margin whose square is at least 225 * boards.
    blitz = math.isqrt(225 * boards - 1) + 1
    worth = [*_rounded_worths(blitz, boards), _WIN]
    if boards <= CONCAVE_BOARDS_MAX:
        _raise_to_concave(worth)
    steps = [margin for margin in range(worth.index(_WIN) + 1) if margin == 0 or worth[margin] > worth[margin - 1]]
    return tuple(_shared(margin, worth[margin]) for margin in steps)


def _rounded_worths(margins: int, boards: int) -> list[int]:
    """Return the curve at margins 0, 1, ... below the blitz, rounded half up to hundredths."""
    worths = []
    with decimal.localcontext(prec=_DIGITS):
        ratio = Decimal(5).sqrt() - 2
        blitz = 15 * Decimal(boards).sqrt()
        # R ** (I / X), multiplied up from margin to margin: computing each power is a hundred times slower.
        factor, power = ratio ** (1 / blitz), Decimal(1)
        for _ in range(margins):
            worth = 10 + 10 * (1 - power) / (1 - ratio)
            worths.append(min(_WIN, int((100 * worth).to_integral_value(decimal.ROUND_HALF_UP))))
            power *= factor
    return worths


def _raise_to_concave(worth: list[int]) -> None:
    """Add hundredths until no IMP is worth more than the one before it, as in the published tables.

    Rounding breaks that rule here and there. The first and the last value stay. A value is raised only where every
    table that keeps the rule must be higher, so the order in which margins are visited does not matter.
    """
    margin = 1
    while margin < len(worth) - 1:
        if worth[margin + 1] - worth[margin] > worth[margin] - worth[margin - 1]:
            worth[margin] += 1
            margin = max(margin - 1, 1)  # the step before has grown: look at it again
        else:
            margin += 1


@functools.lru_cache(maxsize=SCALES_KEPT)
def discrete_steps(boards: int) -> tuple[VpStep, ...]:
    """Return the discrete scale for 1..160,000 boards: 11 steps from 10 - 10 to 20 - 0, in whole victory points.

    It is not the rounded continuous scale: a band ends where the curve is halfway to the next whole number, and is
    then narrowed if it would be wider than the band after it.
    """
    ends = [_band_end(band, boards) for band in range(_BANDS)]
    _narrow_bands(ends)
    starts = [0, *(end + 1 for end in ends)]
    return tuple(_shared(start, 1000 + 100 * band) for band, start in enumerate(starts))


def _band_end(band: int, boards: int) -> int:
    """Return the largest whole margin at which the curve is at most 10.5 + `band`."""
    with decimal.localcontext(prec=_DIGITS):
        ratio = Decimal(5).sqrt() - 2
        blitz = 15 * Decimal(boards).sqrt()
        share = Decimal(2 * band + 1) / 20
        return int(blitz * (1 - (1 - ratio) * share).ln() / ratio.ln())


def _narrow_bands(ends: list[int]) -> None:
    """Lower the ends of bands until none is wider than the next; the drawn band counts margins of both signs."""
    band = 0
    while band < len(ends) - 1:
        width = ends[0] * 2 + 1 if band == 0 else ends[band] - ends[band - 1]
        if ends[band + 1] - ends[band] < width:
            ends[band] -= 1
            band = 0
        else:
            band += 1


# Scales by name

_SEED_24_BOARDS: Final = 24
_SEED_24_STARTS: Final = (0, 3, 7, 12, 17, 22, 28, 34, 40, 47, 55)
"""Least margins of 10 - 10, 11 - 9, ... 20 - 0 (pagat.com, Contract Bridge, example table for a 24 board match)."""

_SEED_24_STEPS: Final = tuple(_shared(start, 1000 + 100 * band) for band, start in enumerate(_SEED_24_STARTS))

_NO_TABLES: Final[Mapping[str, UserTable]] = MappingProxyType({})


def vp_scale(name: str, boards: int, own_tables: Mapping[str, UserTable] = _NO_TABLES) -> VpScale:
    """Return the scale of that name for matches of `boards` boards.

    Args:
        name: one of `SCALE_NAMES`, or a key of `own_tables`.
        boards: 1..160,000; a table of the organiser's own is used for any of these.
        own_tables: the organiser's tables by name; a built-in name cannot be taken.

    Raises:
        ConfigError: no scale has this name, it has no table for that many boards, or a table takes a built-in name.
    """
    taken = next((own for own in own_tables if own in (*SCALE_NAMES, POINTS_SCALE)), None)
    if taken is not None:
        raise ConfigError(f"a VP table of your own cannot be named {taken!r}: that is a built-in scale")
    if not 1 <= boards <= BOARDS_MAX:
        raise ConfigError(f"a match has 1..{BOARDS_MAX} boards, got {boards}")
    return VpScale(name, boards, _steps(name, boards, own_tables))


def _steps(name: str, boards: int, own_tables: Mapping[str, UserTable]) -> tuple[VpStep, ...]:
    if name == WBF_CONTINUOUS:
        return continuous_steps(boards)
    if name == WBF_DISCRETE:
        return discrete_steps(boards)
    if name == SEED_24:
        if boards != _SEED_24_BOARDS:
            raise ConfigError(f"VP scale {SEED_24} is for matches of {_SEED_24_BOARDS} boards, got {boards}")
        return _SEED_24_STEPS
    if name not in own_tables:
        allowed = ", ".join([*SCALE_NAMES, *own_tables])
        meant = suggest(name, (*SCALE_NAMES, *own_tables))
        raise ConfigError(f"there is no VP scale {name!r}: the scales are {allowed}{meant}")
    return own_tables[name].steps
