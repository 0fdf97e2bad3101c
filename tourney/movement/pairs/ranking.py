"""The ranking of pairs, one or two lists, and the criteria that break ties.

Exact values are compared, not the percentages that are printed. Pairs that no criterion separates share their place.
Two pairs that stay tied when a third is separated begin again with the first criterion, as in team events.
"""

import enum
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from statistics import pvariance
from types import MappingProxyType
from typing import Final

from tourney.bridge import Side
from tourney.movement.tie_breaks import Ranking, TieFigure, describe_not_met, draw_lots, rank_by_level
from tourney.scoring.assigned import round_hundredths
from tourney.scoring.pairs.field import PairsScoring, ScoredField, ScoredLine
from tourney.scoring.pairs.matchpoints import matchpoints_of_result
from tourney.scoring.pairs.traveller import Average, count_frequencies

_NOTHING: Final = Fraction()
_NONE: Final[Mapping[str, Fraction]] = MappingProxyType({})


class PairsTieBreak(enum.StrEnum):
    """A criterion that breaks ties of pairs; the higher figure is better."""

    OWN_MEETING = "own-meeting"
    """Points in the boards on which the tied pairs met, if all have met."""
    OPPONENTS = "opponents"
    """The sum of the final scores of the opponents met; it says nothing where everybody has met everybody."""
    BOARDS_WON = "boards-won"
    """Boards above average, an average one counting half."""
    BEST_SESSION = "best-session"
    """The best session, then the second best, and so on."""
    DEVIATION = "deviation"
    """The more even scores: the lower standard deviation over the boards."""
    COMMON_BOARDS = "common-boards"
    """The boards that the tied pairs played in the same direction, compared alone."""
    LOT = "lot"
    """Lots."""


@dataclass(frozen=True, slots=True)
class PairsRanking:
    """How the pairs of a stage are scored and ranked, from the event file."""

    scoring: PairsScoring = PairsScoring.MATCHPOINTS
    ties: tuple[PairsTieBreak, ...] = ()
    """What breaks ties, in that order."""


def rank_pairs(
    field: ScoredField,
    pairs: Sequence[str],
    criteria: Sequence[PairsTieBreak] = (),
    lot_seed: str | None = None,
    carried: Mapping[str, Fraction] = _NONE,
) -> Ranking:
    """Rank pairs that are known to form one list, best first; those without a board that counts are left out.

    `carried` is what pairs bring from an earlier stage, in percent or IMPs per board.
    """
    levels = {pair: level + carried.get(pair, 0) for pair in pairs if (level := field.totals[pair].level) is not None}
    average = field.rules.scoring.average
    return rank_by_level(
        levels, criteria, _Figures(field, lot_seed).apply, lambda level: round_hundredths(level, average)
    )


@dataclass(frozen=True)
class _Figures:
    """The figures that criteria compare."""

    field: ScoredField
    lot_seed: str | None

    def apply(self, criterion: PairsTieBreak, tied: tuple[str, ...]) -> dict[str, TieFigure] | str:
        """Return each tied pair's figure under a criterion, or why it cannot be applied."""
        match criterion:
            case PairsTieBreak.OWN_MEETING:
                return self._own_meeting(tied)
            case PairsTieBreak.COMMON_BOARDS:
                return self._common_boards(tied)
            case PairsTieBreak.LOT:
                return draw_lots(tied, self.lot_seed, "rounds")
            case _:
                return {pair: self._overall(criterion, pair) for pair in tied}

    def _overall(self, criterion: PairsTieBreak, pair: str) -> TieFigure:
        if criterion is PairsTieBreak.OPPONENTS:
            met = {line.line.ew if side is Side.NS else line.line.ns for line, side in self._lines_of(pair)}
            return _decimals(sum((self.field.totals[other].level or _NOTHING for other in met if other), _NOTHING))
        if criterion is PairsTieBreak.BOARDS_WON:
            average = self.field.rules.scoring.average
            won = sum((Fraction(1 + (own > average) - (own < average), 2) for own in self._scores(pair)), _NOTHING)
            return TieFigure((won,), f"{float(won):g}")
        if criterion is PairsTieBreak.DEVIATION:
            variance = pvariance(self._scores(pair))
            return TieFigure((-variance,), f"{math.sqrt(variance):.4f}")
        assert criterion is PairsTieBreak.BEST_SESSION
        sessions = self.field.totals[pair].sessions.values()
        return _decimals(*sorted((session.level or _NOTHING for session in sessions), reverse=True))

    def _lines_of(self, pair: str) -> list[tuple[ScoredLine, Side]]:
        return [
            (line, side)
            for traveller in self.field.travellers
            for line in traveller.lines
            for side, seated in ((Side.NS, line.line.ns), (Side.EW, line.line.ew))
            if seated == pair
        ]

    def _own_meeting(self, tied: tuple[str, ...]) -> dict[str, TieFigure] | str:
        met: set[frozenset[str]] = set()
        won: defaultdict[str, Fraction] = defaultdict(Fraction)
        for traveller in self.field.travellers:
            for line in traveller.lines:
                pairs = (line.line.ns, line.line.ew)
                if set(pairs) <= set(tied) and line.ns is not None and line.ew is not None:
                    met.add(frozenset(pairs))
                    won[line.line.ns] += line.ns
                    won[line.line.ew] += line.ew
        if any(frozenset(two) not in met for two in combinations(tied, 2)):
            return describe_not_met(tied)
        return {pair: _decimals(won[pair]) for pair in tied}

    def _scores(self, pair: str) -> list[Fraction]:
        """Return the pair's boards in percent, or in IMPs."""
        is_matchpoints = self.field.rules.scoring is PairsScoring.MATCHPOINTS
        scores = (line.percentage(s) if is_matchpoints else line.points(s) for line, s in self._lines_of(pair))
        return [score for score in scores if score is not None]

    def _common_boards(self, tied: tuple[str, ...]) -> dict[str, TieFigure] | str:
        won: dict[str, Fraction] = dict.fromkeys(tied, _NOTHING)
        compared = False
        for traveller in self.field.travellers:
            for side in Side:
                own = {
                    pair: result
                    for line in traveller.lines
                    for pair, result in [
                        (line.line.ns, line.line.ns_result)
                        if side is Side.NS
                        else (line.line.ew, line.line.ew_result)
                    ]
                    if pair in won and not isinstance(result, Average)
                }
                if len(own) < len(tied):
                    continue
                compared = True
                frequencies = count_frequencies(own.values())
                for pair, result in own.items():
                    points = matchpoints_of_result(result, frequencies)
                    won[pair] += points if side is Side.NS else -points
        if not compared:
            return "they have played no board in the same direction"
        return {pair: _decimals(points) for pair, points in won.items()}


def _decimals(*parts: Fraction) -> TieFigure:
    """Return a figure with two decimals: `48.00`; of several, the first counts first: `62.50 / 48.00`."""
    return TieFigure(parts, " / ".join(f"{float(part):.2f}" for part in parts))
