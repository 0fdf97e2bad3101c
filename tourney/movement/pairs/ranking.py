"""The ranking of pairs, one or two lists, and the criteria that break ties.

Exact values are compared, not the percentages that are printed. Pairs that no criterion separates share their place.
Two pairs that stay tied when a third is separated begin again with the first criterion, as at teams.
"""

import enum
import hashlib
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import Final

from tourney.bridge import Side
from tourney.errors import ConfigError
from tourney.movement.tie_breaks import Tie, TieBreakResult, TieStep
from tourney.scoring.assigned import round_half_away
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


@dataclass(frozen=True, slots=True)
class PairsPlace:
    """Pairs that share a place, in the order in which they occur."""

    rank: int
    pairs: tuple[str, ...]
    decided_by: PairsTieBreak | None = None
    """The criterion that separated them from others with the same score; None where there was no need."""


def rank_pairs(
    field: ScoredField,
    side: Side | None = None,
    criteria: Sequence[PairsTieBreak] = (),
    lot_seed: str | None = None,
) -> list[PairsPlace]:
    """Rank pairs, best first; those without a board that counts are left out.

    Args:
        field: the scored field.
        side: the direction to rank where every pair has kept its own; None for one list of all.
        criteria: what breaks ties, in that order.
        lot_seed: the seed of lots; without one, they are not drawn.

    Raises:
        ConfigError: one list of pairs of two directions that never changed, or the list of one direction where pairs
            have changed theirs.
    """
    if side is None and field.has_two_winners:
        raise ConfigError(
            "North-South and East-West have never been compared with each other, so there is no common list: "
            "rank them apart, or play some rounds with an arrow switch"
        )
    if side is not None and not field.has_two_winners:
        raise ConfigError("pairs have played in both directions, so there is one list of all, not one of each")
    levels = {
        pair: total.level
        for pair, total in field.totals.items()
        if total.level is not None and (side is None or side in total.sides)
    }
    return rank_levels(field, list(levels), criteria, lot_seed)


def rank_levels(
    field: ScoredField,
    pairs: Sequence[str],
    criteria: Sequence[PairsTieBreak] = (),
    lot_seed: str | None = None,
    carried: Mapping[str, Fraction] = _NONE,
) -> list[PairsPlace]:
    """Rank pairs that are known to form one list, best first; each has a board that counts.

    `carried` is what pairs bring from an earlier stage, in percent or IMPs per board.
    """
    return rank_and_explain(field, pairs, criteria, lot_seed, carried)[0]


def rank_and_explain(
    field: ScoredField,
    pairs: Sequence[str],
    criteria: Sequence[PairsTieBreak] = (),
    lot_seed: str | None = None,
    carried: Mapping[str, Fraction] = _NONE,
) -> tuple[list[PairsPlace], list[Tie]]:
    """Rank pairs as `rank_levels` does, and say how each tie was broken, or that it was not."""
    levels = {pair: level + carried.get(pair, 0) for pair in pairs if (level := field.totals[pair].level) is not None}
    figures = _Figures(field, lot_seed)
    places: list[PairsPlace] = []
    ties: list[Tie] = []
    for tied in _in_groups({pair: (level,) for pair, level in levels.items()}):
        rank = 1 + sum(len(place.pairs) for place in places)
        steps: list[TieStep] = []
        broken = _break(tied, rank, criteria, figures, steps)
        if steps:
            in_order = tuple(pair for place in broken for pair in place.pairs)
            ties.append(Tie(rank, round_half_away(100 * levels[tied[0]]), in_order, tuple(steps)))
        places += broken
    return places, ties


@dataclass(frozen=True)
class _Figures:
    """The figures that criteria compare."""

    field: ScoredField
    lot_seed: str | None

    def of(self, criterion: PairsTieBreak, tied: tuple[str, ...]) -> Mapping[str, tuple[Fraction, ...]] | None:
        """Return each tied pair's figure, the higher the better; None where the criterion does not apply."""
        match criterion:
            case PairsTieBreak.OWN_MEETING:
                return self._own_meeting(tied)
            case PairsTieBreak.OPPONENTS:
                return {pair: (self._opponents(pair),) for pair in tied}
            case PairsTieBreak.BOARDS_WON:
                return {pair: (self._boards_won(pair),) for pair in tied}
            case PairsTieBreak.BEST_SESSION:
                totals = self.field.totals
                return {
                    pair: tuple(sorted((s.level or _NOTHING for s in totals[pair].sessions.values()), reverse=True))
                    for pair in tied
                }
            case PairsTieBreak.DEVIATION:
                return {pair: (-self._variance(pair),) for pair in tied}
            case PairsTieBreak.COMMON_BOARDS:
                return self._common_boards(tied)
            case PairsTieBreak.LOT:
                return self._lots(tied)

    def _lines_of(self, pair: str) -> list[tuple[ScoredLine, Side]]:
        return [
            (line, side)
            for traveller in self.field.travellers
            for line in traveller.lines
            for side, seated in ((Side.NS, line.line.ns), (Side.EW, line.line.ew))
            if seated == pair
        ]

    def _own_meeting(self, tied: tuple[str, ...]) -> Mapping[str, tuple[Fraction, ...]] | None:
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
            return None
        return {pair: (won[pair],) for pair in tied}

    def _opponents(self, pair: str) -> Fraction:
        met = {line.line.ew if side is Side.NS else line.line.ns for line, side in self._lines_of(pair)}
        return sum((self.field.totals[other].level or _NOTHING for other in met if other), _NOTHING)

    def _scores(self, pair: str) -> list[Fraction]:
        """Return the pair's boards in percent, or in IMPs."""
        is_matchpoints = self.field.rules.scoring is PairsScoring.MATCHPOINTS
        scores = (line.percentage(s) if is_matchpoints else line.points(s) for line, s in self._lines_of(pair))
        return [score for score in scores if score is not None]

    def _boards_won(self, pair: str) -> Fraction:
        average = 50 if self.field.rules.scoring is PairsScoring.MATCHPOINTS else 0
        return sum((Fraction(1 + (score > average) - (score < average), 2) for score in self._scores(pair)), _NOTHING)

    def _variance(self, pair: str) -> Fraction:
        scores = self._scores(pair)
        mean = sum(scores, _NOTHING) / len(scores)
        return sum(((score - mean) ** 2 for score in scores), _NOTHING) / len(scores)

    def _common_boards(self, tied: tuple[str, ...]) -> Mapping[str, tuple[Fraction, ...]] | None:
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
        return {pair: (points,) for pair, points in won.items()} if compared else None

    def _lots(self, tied: tuple[str, ...]) -> Mapping[str, tuple[Fraction, ...]] | None:
        """Order by the SHA-256 of `SEED/PAIR` in UTF-8, the lowest first, as at teams."""
        if self.lot_seed is None:
            return None
        drawn = sorted(tied, key=lambda pair: hashlib.sha256(f"{self.lot_seed}/{pair}".encode()).digest())
        return {pair: (Fraction(-number),) for number, pair in enumerate(drawn)}


def _break(
    tied: tuple[str, ...],
    rank: int,
    criteria: Sequence[PairsTieBreak],
    figures: _Figures,
    steps: list[TieStep],
) -> list[PairsPlace]:
    """Break a tie as far as the criteria allow; append each step to `steps`, for two or more pairs."""
    if len(tied) == 1:
        return [PairsPlace(rank, tied)]
    results: list[TieBreakResult] = []
    for criterion in criteria:
        own = figures.of(criterion, tied)
        if own is None:
            results.append(TieBreakResult(criterion, {}, _reason(criterion, tied)))
            continue
        groups = _in_groups(own)
        texts = {pair: _format(criterion, own[pair]) for group in groups for pair in group}
        results.append(TieBreakResult(criterion, texts, reason=""))
        if len(groups) > 1:
            steps.append(TieStep(tuple(groups), tuple(results)))
            places: list[PairsPlace] = []
            for group in groups:
                at = rank + sum(len(place.pairs) for place in places)
                broken = _break(group, at, criteria, figures, steps)
                places += [PairsPlace(place.rank, place.pairs, place.decided_by or criterion) for place in broken]
            return places
    steps.append(TieStep((tied,), tuple(results)))
    return [PairsPlace(rank, tied)]


def _reason(criterion: PairsTieBreak, tied: tuple[str, ...]) -> str:
    """Return why a criterion does not apply."""
    if criterion is PairsTieBreak.OWN_MEETING:
        return "they have not met" if len(tied) == 2 else "they have not all met"
    if criterion is PairsTieBreak.LOT:
        return "lots are drawn when all rounds are over"
    return "they have played no board in the same direction"


def _format(criterion: PairsTieBreak, figure: tuple[Fraction, ...]) -> str:
    """Format the figure of a criterion: `7.5` boards won, `62.50 / 48.00` of two sessions, place `2` of a lot."""
    if criterion is PairsTieBreak.LOT:
        return str(1 - figure[0])
    if criterion is PairsTieBreak.BOARDS_WON:
        return f"{float(figure[0]):g}"
    if criterion is PairsTieBreak.DEVIATION:
        return f"{math.sqrt(-figure[0]):.4f}"
    return " / ".join(f"{float(part):.2f}" for part in figure)


def _in_groups(figures: Mapping[str, tuple[Fraction, ...]]) -> list[tuple[str, ...]]:
    """Return groups of equal pairs, the best first; pairs within a group keep their order."""
    groups: defaultdict[tuple[Fraction, ...], list[str]] = defaultdict(list)
    for pair, figure in figures.items():
        groups[figure].append(pair)
    return [tuple(groups[figure]) for figure in sorted(groups, reverse=True)]
