"""The score of a field of pairs: all travellers of one or more sessions, and the totals of the pairs.

Scores against each other come first. Artificial scores come last, for an average plus is at least what the pair has
won on its other boards of the session (English Bridge Union, White Book 2025, section 4.1.1).
"""

import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from tourney.bridge import Side
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.butler import Datum, datum_of
from tourney.scoring.pairs.imp_pairs import (
    average_imps,
    butler_imps_of_result,
    cross_imps_per_comparison,
)
from tourney.scoring.pairs.matchpoints import adjust_matchpoints, average_matchpoints, matchpoints_of_result, top_of
from tourney.scoring.pairs.traveller import (
    Average,
    Frequencies,
    SideResult,
    Traveller,
    TravellerLine,
    count_frequencies,
)


class PairsScoring(enum.StrEnum):
    """How results of pairs are compared."""

    MATCHPOINTS = "matchpoints"
    CROSS_IMPS = "cross-imps"
    """IMPs against every other result, per comparison."""
    BUTLER = "butler"
    """IMPs against the mean or median of all results."""

    @property
    def average(self) -> int:
        """What a pair has on average: percent of the matchpoints, or IMPs per board."""
        return 50 if self is PairsScoring.MATCHPOINTS else 0

    @property
    def texts(self) -> str:
        """What the texts are named after that tell of its averages."""
        return "at_matchpoints" if self is PairsScoring.MATCHPOINTS else "in_imps"

    @property
    def level_unit(self) -> str:
        """The unit of what pairs rank by."""
        return "percent" if self is PairsScoring.MATCHPOINTS else "IMPs per board"

    @property
    def level(self) -> str:
        """What pairs rank by."""
        return "percentage" if self is PairsScoring.MATCHPOINTS else "IMPs per board"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsRules:
    """The settings of the scoring."""

    scoring: PairsScoring
    expected: int | None = None
    """The results expected on a board; None for the most that any board has."""
    expected_in: Mapping[str, int] | None = None
    """The same by section, where results are compared within a section only and sections differ."""
    by_section: bool = False
    """Whether results are compared within a section only, not across the field."""


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """A line of a traveller with the points of each side; None where there is nothing to compare with."""

    line: TravellerLine
    ns: Fraction | None
    ew: Fraction | None
    top: int | None
    """The most matchpoints; None in IMPs."""
    by_member: Mapping[str, Fraction | None] = field(default_factory=dict)
    """Where sides are partnerships: the points of each player. An average plus is worth more to one who has won more
    on its other boards; its side then has the mean of both."""

    @property
    def score(self) -> int | None:
        """North-South's score that counts for both sides; None if it is weighted, split or artificial."""
        result = self.line.ns_result
        if result != self.line.ew_result or isinstance(result, Average) or len(result) > 1:
            return None
        return result[0].score_ns

    def points(self, side: Side) -> Fraction | None:
        """Return the points of one side."""
        return self.ns if side is Side.NS else self.ew

    def credited_to(self, entrant: str, side: Side) -> "ScoredLine":
        """Return the line with the points of a side as they count for an entrant that is that side or part of it."""
        if entrant not in self.by_member:
            return self
        own = self.by_member[entrant]
        return replace(self, ns=own) if side is Side.NS else replace(self, ew=own)

    def percentage(self, side: Side) -> Fraction | None:
        """Return the matchpoints of one side as a percentage of the top; None in IMPs."""
        points = self.points(side)
        return 100 * points / self.top if points is not None and self.top else None


@dataclass(frozen=True, slots=True)
class ScoredTraveller:
    """A traveller with its scores, line by line in its order."""

    traveller: Traveller
    lines: tuple[ScoredLine, ...]


@dataclass(frozen=True, slots=True)
class SessionTotal:
    """What a pair has won in one session."""

    boards: int = 0
    points: Fraction = Fraction()
    """Matchpoints or IMPs."""
    available: int = 0
    """The most matchpoints on the pair's boards; 0 in IMPs."""

    def plus(self, points: Fraction, top: int | None) -> "SessionTotal":
        """Return the total with one more board."""
        return SessionTotal(self.boards + 1, self.points + points, self.available + (top or 0))

    @property
    def level(self) -> Fraction | None:
        """The percentage or the IMPs per board; None without a board that counts."""
        if not self.boards:
            return None
        return 100 * self.points / self.available if self.available else self.points / self.boards


@dataclass(frozen=True)
class PairTotal:
    """What a pair has won in all sessions."""

    pair: str
    sides: frozenset[Side]
    """The directions in which it has played."""
    sessions: Mapping[int, SessionTotal]

    @property
    def boards(self) -> int:
        """The boards that count."""
        return sum(session.boards for session in self.sessions.values())

    @property
    def points(self) -> Fraction:
        """Matchpoints or IMPs."""
        return sum((session.points for session in self.sessions.values()), Fraction())

    @property
    def available(self) -> int:
        """The most matchpoints on the pair's boards; 0 in IMPs."""
        return sum(session.available for session in self.sessions.values())

    @cached_property
    def level(self) -> Fraction | None:
        """What pairs are ranked by: the percentage of the matchpoints they could have won, or IMPs per board."""
        return SessionTotal(self.boards, self.points, self.available).level


@dataclass(frozen=True)
class ScoredField:
    """All travellers with their scores, and the totals of the pairs."""

    rules: PairsRules
    travellers: tuple[ScoredTraveller, ...]
    totals: Mapping[str, PairTotal] = field(repr=False)
    """Totals by pair, in the order in which pairs first occur."""
    fines: Mapping[str, Fraction] = field(default_factory=dict)
    """What has been taken from totals: matchpoints or IMPs."""

    @cached_property
    def has_two_winners(self) -> bool:
        """Whether every pair has kept its direction, so that the two directions are not comparable."""
        return bool(self.totals) and all(len(total.sides) == 1 for total in self.totals.values())


def deduct(scored: ScoredField, fines: Mapping[str, Fraction]) -> ScoredField:
    """Return the field with matchpoints or IMPs taken from the totals of pairs, in their first session."""
    totals = dict(scored.totals)
    taken = {pair: fine for pair, fine in fines.items() if fine and pair in totals and totals[pair].sessions}
    for pair, fine in taken.items():
        total = totals[pair]
        first = min(total.sessions)
        session = total.sessions[first]
        changed = replace(session, points=session.points - fine)
        totals[pair] = replace(total, sessions={**total.sessions, first: changed})
    return replace(scored, totals=totals, fines=taken)


def credit_members(scored: ScoredField, members: Mapping[str, Sequence[str]]) -> ScoredField:
    """Return the field of those whom the pairs are made of: both of two partners have what they scored together.

    Args:
        scored: the field of pairs.
        members: whom each pair is made of. Where each is its own, the field is returned as it is.
    """
    if all(len(each) == 1 for each in members.values()):
        return scored
    travellers = []
    for traveller in scored.travellers:
        lines = []
        for scored_line in traveller.lines:
            line = scored_line.line
            for ns, ew in zip(members[line.ns], members[line.ew], strict=True):
                credited = scored_line.credited_to(ns, Side.NS).credited_to(ew, Side.EW)
                lines.append(replace(credited, line=replace(line, ns=ns, ew=ew)))
        travellers.append(replace(traveller, lines=tuple(lines)))
    return replace(scored, travellers=tuple(travellers), totals=_total(travellers))


_Points: TypeAlias = Fraction | Average | None


def score_field(
    travellers: Sequence[Traveller], rules: PairsRules, members: Mapping[str, Sequence[str]] | None = None
) -> ScoredField:
    """Score all travellers, and add up what the pairs have won.

    Args:
        travellers: the boards.
        rules: how they are scored.
        members: whom the pairs are made of, where an artificial score depends on what each of two partners has won
            with others too; by default each pair is its own.
    """
    members = members or {}
    expected = _expected_results(travellers, rules)
    compared = [list(_compare(traveller, rules, expected)) for traveller in travellers]
    levels = {
        (entrant, session): total.level
        for entrant, sessions in add_up(_entrants(travellers, compared, members)).items()
        for session, total in sessions.items()
    }
    scored = []
    for traveller, lines in zip(travellers, compared, strict=True):
        settled = []
        for line, points, top in lines:
            ns, ew = (
                {
                    entrant: _settle(own, levels.get((entrant, traveller.session)), top)
                    for entrant in members.get(pair, (pair,))
                }
                for own, pair in zip(points, (line.ns, line.ew), strict=True)
            )
            settled.append(ScoredLine(line, _mean(ns), _mean(ew), top, ns | ew if members else {}))
        scored.append(ScoredTraveller(traveller, tuple(settled)))
    return ScoredField(rules, tuple(scored), _total(scored))


def _mean(points: Mapping[str, Fraction | None]) -> Fraction | None:
    """Return what a side has, given what each of its members has; None if that is nothing."""
    first, *others = points.values()
    if all(other == first for other in others):
        return first
    return sum((each for each in points.values() if each is not None), Fraction()) / len(points)


SessionResult: TypeAlias = tuple[str, int, _Points, int | None]
"""An entrant, a session, what it has on a board of it, and the top."""

_Compared: TypeAlias = tuple[TravellerLine, tuple[_Points, _Points], int | None]
"""A line, the points of North-South and East-West before artificial scores are settled, and the top."""


def _expected_results(travellers: Iterable[Traveller], rules: PairsRules) -> Mapping[tuple[int, str], int]:
    """Return the results expected on a board by session and section; sections are empty if they do not matter."""
    most: dict[tuple[int, str], int] = {}
    counts: defaultdict[tuple[int, str, str], int] = defaultdict(int)
    for traveller in travellers:
        for line in traveller.lines:
            counts[traveller.session, _section(line, rules), traveller.board] += 1
    for (session, section, _), number in counts.items():
        most[session, section] = max(number, most.get((session, section), 0))
    if rules.expected_in is not None:
        return {(session, section): rules.expected_in[section] for session, section in most}
    if rules.expected is not None:
        return dict.fromkeys(most, rules.expected)
    return {key: max(number for other, number in most.items() if other[1] == key[1]) for key in most}


def _section(line: TravellerLine, rules: PairsRules) -> str:
    return line.section if rules.by_section else ""


def _compare(traveller: Traveller, rules: PairsRules, expected: Mapping[tuple[int, str], int]) -> Iterator[_Compared]:
    """Yield the lines in their order, with the points of results against each other."""
    groups: defaultdict[tuple[int, str], list[TravellerLine]] = defaultdict(list)
    for line in traveller.lines:
        groups[line.group, _section(line, rules)].append(line)
    tables = {
        key: tuple(count_frequencies(_result(line, side) for line in lines) for side in Side)
        for key, lines in groups.items()
    }
    # Worked out once for each result that occurs, a datum once for all: a board may have thousands of results.
    worth: dict[tuple[int, str, Side, SideResult], _Points] = {}
    datums: dict[tuple[int, str, Side], int] = {}
    for line in traveller.lines:
        section = _section(line, rules)
        number = expected[traveller.session, section]
        by_side: list[_Points] = []
        for place, side in enumerate(Side):
            result = _result(line, side)
            key = (line.group, section, side, result)
            if key not in worth:
                frequencies = tables[line.group, section][place]
                if rules.scoring is PairsScoring.BUTLER and frequencies and key[:3] not in datums:
                    datums[key[:3]] = datum_of(frequencies, number, Datum.MEAN, 0)
                worth[key] = _points(result, frequencies, number, rules, datums.get(key[:3], 0))
            by_side.append(worth[key])
        ns, ew = by_side
        yield line, (ns, ew), top_of(number) if rules.scoring is PairsScoring.MATCHPOINTS else None


def _result(line: TravellerLine, side: Side) -> SideResult:
    """Return what a side has, with the score as its own: East-West's is turned round."""
    if side is Side.NS:
        return line.ns_result
    if isinstance(line.ew_result, Average):
        return line.ew_result
    return tuple(WeightedScore(part.weight, -part.score_ns) for part in line.ew_result)


def _points(result: SideResult, frequencies: Frequencies, expected: int, rules: PairsRules, datum: int) -> _Points:
    """Return what a result is worth among those of its side, which have this datum; an average is settled later."""
    if isinstance(result, Average):
        return result
    match rules.scoring:
        case PairsScoring.MATCHPOINTS:
            if expected == 1:
                return None
            results = Fraction(sum(frequencies.values()))
            adjusted = adjust_matchpoints(matchpoints_of_result(result, frequencies), results, expected)
            return Average.PLUS if adjusted is None else adjusted
        case PairsScoring.CROSS_IMPS:
            return cross_imps_per_comparison(result, frequencies)
        case PairsScoring.BUTLER:
            return butler_imps_of_result(result, datum)


def _settle(points: _Points, own: Fraction | None, top: int | None) -> Fraction | None:
    """Return the points of a side once its other boards of the session are known."""
    if not isinstance(points, Average):
        return points
    if top is None:
        return average_imps(points, own)
    return top * average_matchpoints(points, None if own is None else own / 100) if top else None


def _entrants(
    travellers: Sequence[Traveller], compared: Sequence[Sequence[_Compared]], members: Mapping[str, Sequence[str]]
) -> Iterator[SessionResult]:
    """Yield what each entrant has on each board, before artificial scores are settled."""
    for traveller, lines in zip(travellers, compared, strict=True):
        for line, points, top in lines:
            for pair, own in zip((line.ns, line.ew), points, strict=True):
                for entrant in members.get(pair, (pair,)):
                    yield entrant, traveller.session, own, top


def add_up(results: Iterable[SessionResult]) -> Mapping[str, Mapping[int, SessionTotal]]:
    """Return what each entrant has won in each session, without artificial scores that are not settled."""
    totals: defaultdict[str, defaultdict[int, SessionTotal]] = defaultdict(lambda: defaultdict(SessionTotal))
    for entrant, session, points, top in results:
        total = totals[entrant][session]
        if isinstance(points, Fraction):
            totals[entrant][session] = total.plus(points, top)
    return totals


def _total(scored: Iterable[ScoredTraveller]) -> dict[str, PairTotal]:
    sides: defaultdict[str, set[Side]] = defaultdict(set)
    results: list[SessionResult] = []
    for traveller in scored:
        for line in traveller.lines:
            for side, pair in ((Side.NS, line.line.ns), (Side.EW, line.line.ew)):
                if pair:
                    sides[pair].add(side)
                    results.append((pair, traveller.traveller.session, line.points(side), line.top))
    totals = add_up(results)
    return {pair: PairTotal(pair, frozenset(own), dict(totals[pair])) for pair, own in sides.items()}
