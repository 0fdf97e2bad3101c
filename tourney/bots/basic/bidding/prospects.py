"""What a contract is worth to a side that knows its points and its fit only roughly.

The tricks a side takes were measured over 2,400 random deals with a double-dummy solver, and fitted by least
squares on points and fit; the spread is what that fit leaves over. Half a trick of the constant for trumps is taken
off: of many contracts that look equal the one chosen is the one looked at too kindly.
"""

import math
from functools import lru_cache
from typing import Final

from tourney.bridge import Contract, Seat, Strain, declarer_score

_SUIT_SPREAD: Final = 1.2
_NOTRUMP_SPREAD: Final = 1.4
"""Standard deviation of the tricks, both measured."""

_STEPS: Final = 8
"""Steps of a trick to which an expectation is rounded, so that scores can be kept."""


def suit_tricks(points: float, trumps: float, shortness: float) -> float:
    """Tricks to expect with a trump suit.

    Args:
        points: high-card points of both hands.
        trumps: cards of the suit in both hands.
        shortness: cards short of three in the other suits, both hands together.
    """
    return 6.76 + 0.39 * (points - 20) + 0.97 * (trumps - 8) + 0.24 * shortness


def notrump_tricks(points: float) -> float:
    """Tricks to expect at notrump from the points of both hands."""
    return 6.03 + 0.508 * (points - 20)


def contract_worth(
    level: int, strain: Strain, tricks: float, *, vulnerable: bool, doubled: bool = False, contested: bool = False
) -> float:
    """The score to expect of an undoubled or doubled contract when so many tricks are expected.

    Failing by much is counted as doubled the more often the further it goes, above all when the opponents bid.
    """
    return _worth(level, strain, round(tricks * _STEPS), vulnerable, doubled, contested)


@lru_cache(maxsize=8192)
def _worth(  # positional, for the cache's sake
    level: int,
    strain: Strain,
    steps: int,
    vulnerable: bool,  # noqa: FBT001
    doubled: bool,  # noqa: FBT001
    contested: bool,  # noqa: FBT001
) -> float:
    spread = _NOTRUMP_SPREAD if strain is Strain.NOTRUMP else _SUIT_SPREAD
    mean = steps / _STEPS
    worth, below = 0.0, 0.0
    for tricks in range(14):
        up_to = 1.0 if tricks == 13 else 0.5 * (1 + math.erf((tricks + 0.5 - mean) / (spread * math.sqrt(2))))
        share, below = up_to - below, up_to
        down = level + 6 - tricks
        risk = 1.0 if doubled else min(0.9, max(0, down) * (0.22 if contested else 0.10))
        plain, hit = _scores(level, strain, tricks, vulnerable)
        if down <= 0 and not doubled:
            worth += share * plain
        else:
            worth += share * (risk * hit + (1 - risk) * plain)
    return worth


@lru_cache(maxsize=2048)
def _scores(level: int, strain: Strain, tricks: int, vulnerable: bool) -> tuple[int, int]:  # noqa: FBT001
    """Undoubled and doubled."""
    plain, hit = (
        declarer_score(Contract(level, strain, doubled, Seat.NORTH), tricks, vulnerable=vulnerable)
        for doubled in (0, 1)
    )
    return plain, hit
