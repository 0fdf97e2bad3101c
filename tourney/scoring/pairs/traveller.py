"""A traveller: what each table that played a board has on it.

Scores are North-South's points, also where they are the score of East-West: 420 is plus to North-South.
"""

import enum
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tourney.bridge import Side
from tourney.scoring.assigned import WeightedScore


class Average(enum.StrEnum):
    """An artificial adjusted score of one side (Laws 2017, Law 12C2)."""

    PLUS = "average-plus"
    """60 percent of a top or 3 IMPs, or what the pair has won on its other boards where that is better."""
    AVERAGE = "average"
    """50 percent of a top or 0 IMPs."""
    MINUS = "average-minus"
    """40 percent of a top or -3 IMPs, or what the pair has won on its other boards where that is worse."""


SideResult: TypeAlias = tuple[WeightedScore, ...] | Average
"""What one side has on a board: one score, several with weights, or an artificial one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TravellerLine:
    """One table's line. The two sides have the same result unless a ruling split it."""

    ns: str
    """The North-South pair; empty if unknown, so that the result counts for the others on the board alone."""
    ew: str
    ns_result: SideResult
    ew_result: SideResult
    group: int = 0
    """Which lines are compared with each other: a board that was fouled for some has groups that played it alike."""
    section: str = ""

    def result_of(self, side: Side) -> SideResult:
        """Return what a side has."""
        return self.ns_result if side is Side.NS else self.ew_result

    @classmethod
    def of_score(cls, ns: str, ew: str, score_ns: int, section: str = "") -> "TravellerLine":
        """Return the line of a result at the table."""
        result = (WeightedScore(1, score_ns),)
        return cls(ns=ns, ew=ew, ns_result=result, ew_result=result, section=section)


@dataclass(frozen=True, slots=True)
class Traveller:
    """All lines of one board of a session. Tables where nothing was played have no line."""

    board: str
    lines: tuple[TravellerLine, ...]
    session: int = 1


Frequencies: TypeAlias = Mapping[int, Fraction | int]
"""How often each score occurs among results; of a weighted score, each with its share. Whole numbers, which are added
up far faster, are `int`."""


def shares_of(result: tuple[WeightedScore, ...]) -> list[tuple[Fraction, int]]:
    """Return each score of a result with its share; shares add up to 1."""
    total = sum(part.weight for part in result)
    return [(Fraction(part.weight, total), part.score_ns) for part in result]


def count_frequencies(results: Iterable[SideResult]) -> Frequencies:
    """Return how often each score occurs; artificial scores are no results and do not count."""
    frequencies: dict[int, Fraction | int] = {}
    for result, times in Counter(results).items():
        if not isinstance(result, Average):
            for share, score in shares_of(result):
                frequencies[score] = frequencies.get(score, 0) + times * share
    return {score: int(times) if times == int(times) else times for score, times in frequencies.items()}
