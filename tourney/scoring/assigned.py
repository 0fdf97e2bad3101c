"""Assigned adjusted scores (Laws 2017, Law 12C1): a result in place of the one at the table, or several, weighted.

Each result is converted to IMPs first, then weighted (English Bridge Union, White Book 2025, section 4.2.6: only
the sum is rounded, to whole IMPs, exact halves away from zero).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tourney.bridge import Contract, Seat, Vulnerability, score_ns
from tourney.bridge.cards import STRAINS_BY_TEXT
from tourney.errors import RuleError
from tourney.scoring.imps import imps

PARTS_MAX: Final = 5
"""The most results that one assigned score may have; no guide recommends more."""
WEIGHT_MAX: Final = 1000
WEIGHTS_SUM: Final = 100
_NO_WEIGHT: Final = 1
"""What a result has that is given without a weight."""

_SHAPE: Final = re.compile(
    r"(?:(?P<weight>\d{1,4})\s*[:%]\s*)?(?:(?P<passed>pass|passed out)|"
    r"(?P<level>[1-9])\s*(?P<strain>NT|[CDHSN])\s*(?P<doubles>X{0,2})\s*(?P<seat>[NESW])\s+(?P<tricks>\d{1,2}))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AssignedResult:
    """One result of an assigned score; `contract` is None if passed out, `tricks` are declarer's."""

    weight: int
    contract: Contract | None
    tricks: int

    def score_ns(self, vulnerability: Vulnerability) -> int:
        return score_ns(self.contract, self.tricks, vulnerability)

    def __str__(self) -> str:
        """`4SX N 10` or `Pass`, as `parse_assigned` takes it; without the weight."""
        if self.contract is None:
            return "Pass"
        return f"{self.contract} {self.contract.declarer.letter} {self.tricks}"


def parse_assigned(text: str) -> AssignedResult:
    """Parse `4S N 10`, `3NTX W 7` or `Pass`, with a weight in front if it is one of several: `60: 4S N 10`.

    Raises:
        RuleError: it is not a result, or an impossible one.
    """
    found = _SHAPE.fullmatch(text.strip())
    if found is None:
        raise RuleError(f"a result is written as 4S N 10, 3NTX W 7 or Pass, weighted as 60: 4S N 10, got {text!r}")
    weight = int(found["weight"] or 1)
    if not 1 <= weight <= WEIGHT_MAX:
        raise RuleError(f"a weight is 1..{WEIGHT_MAX}, got {weight} in {text!r}")
    if found["passed"]:
        return AssignedResult(weight, None, 0)
    level, tricks = int(found["level"]), int(found["tricks"])
    if level > 7:
        raise RuleError(f"a contract is at a level of 1..7, got {level} in {text!r}")
    if tricks > 13:
        raise RuleError(f"a declarer makes 0..13 tricks, got {tricks} in {text!r}")
    strain = STRAINS_BY_TEXT[found["strain"].upper()]
    contract = Contract(level, strain, len(found["doubles"]), Seat.from_letter(found["seat"].upper()))
    return AssignedResult(weight, contract, tricks)


def parse_all_assigned(texts: Sequence[str]) -> tuple[AssignedResult, ...]:
    """Parse the results of one assigned score.

    Several have the probability of each as its weight, in percent (Law 12C1(c)); a single one needs none.

    Raises:
        RuleError: there are none or too many, one is not a result, or the weights do not add up to 100.
    """
    if not 1 <= len(texts) <= PARTS_MAX:
        raise RuleError(f"an assigned score is made of 1 to {PARTS_MAX} results, got {len(texts)}")
    results = tuple(map(parse_assigned, texts))
    weights = [result.weight for result in results]
    if weights != [_NO_WEIGHT] and sum(weights) != WEIGHTS_SUM:
        added = " + ".join(map(str, weights))
        got = f"{added} = {sum(weights)}" if len(weights) > 1 else added
        raise RuleError(
            f"the weights of an assigned score are percentages that add up to {WEIGHTS_SUM}, such as 60: 4S N 10 and "
            f"40: 4S N 9, got {got}"
        )
    return results


@dataclass(frozen=True, slots=True)
class WeightedScore:
    """North-South's score in one room, with its weight."""

    weight: int
    score_ns: int


def weighted_imps(opened: Sequence[WeightedScore], closed: Sequence[WeightedScore], sign: int) -> int:
    """Return the IMPs of the side that sat North-South in the open room (`sign` 1), or East-West there (-1).

    Each result of one room is compared with each of the other.
    """
    if len(opened) == len(closed) == 1:  # the usual case: reports compare every board of an event
        return sign * imps(opened[0].score_ns - closed[0].score_ns)
    total, weights = 0, 0
    for mine in opened:
        for other in closed:
            weight = mine.weight * other.weight
            total += weight * sign * imps(mine.score_ns - other.score_ns)
            weights += weight
    return round_half_away(Fraction(total, weights))


def round_hundredths(value: Fraction, average: Fraction | int) -> int:
    """Round to hundredths, an exact half of one away from `average`, which is a whole number of them."""
    return int(100 * average) + round_half_away(100 * (value - average))


def round_half_away(value: Fraction) -> int:
    """Round to the nearest whole number, exact halves away from zero."""
    whole = (2 * abs(value) + 1) // 2
    return int(whole if value >= 0 else -whole)
