"""Victory points for the margin of a match: the scales by name, and those of the organiser's own.

Figures are whole hundredths of a victory point; nothing here is a binary float.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tourney.errors import ConfigError
from tourney.scoring.scale_names import BOARDS_MAX, SCALE_NAMES, SEED_24, WBF_CONTINUOUS, WBF_DISCRETE
from tourney.scoring.vp_steps import UserTable, VpRow, VpScale, VpStep
from tourney.scoring.vp_units import VpHundredths, format_vp, parse_vp
from tourney.scoring.wbf_scales import continuous_steps, discrete_steps

__all__ = [
    "BOARDS_MAX",
    "SCALE_NAMES",
    "UserTable",
    "VpHundredths",
    "VpRow",
    "VpScale",
    "VpStep",
    "format_vp",
    "parse_vp",
    "vp_scale",
]

_SEED_24_BOARDS: Final = 24
_SEED_24_STARTS: Final = (0, 3, 7, 12, 17, 22, 28, 34, 40, 47, 55)
"""Least margins of 10 - 10, 11 - 9, ... 20 - 0 (pagat.com, Contract Bridge, example table for a 24 board match)."""

_SEED_24_STEPS: Final = tuple(
    VpStep(start, VpHundredths(1000 + 100 * band), VpHundredths(1000 - 100 * band))
    for band, start in enumerate(_SEED_24_STARTS)
)

_NO_TABLES: Final[Mapping[str, UserTable]] = MappingProxyType({})


def vp_scale(name: str, boards: int, own_tables: Mapping[str, UserTable] = _NO_TABLES) -> VpScale:
    """The scale of that name for matches of `boards` boards.

    Args:
        name: one of `SCALE_NAMES`, or a key of `own_tables`.
        boards: 1..1000; a table of the organiser's own is used for any of these.
        own_tables: the organiser's tables by name; a built-in name cannot be taken.

    Raises:
        ConfigError: no scale has this name, it has no table for so many boards, or a table takes a built-in name.
    """
    taken = next((own for own in own_tables if own in SCALE_NAMES), None)
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
        raise ConfigError(f"there is no VP scale {name!r}: the scales are {allowed}")
    return own_tables[name].steps
