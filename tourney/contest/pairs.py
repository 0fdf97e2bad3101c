"""The contest of pairs: one table a match, and each result compared with all others on the same board.

A match is a table in one round of a movement: the home pair sits North-South, the away pair East-West. Nothing is
compared within it, so its score only says that it is finished; pairs are scored and ranked from the boards of the
whole field (`rank`). A board counts once the last table that is to play it has finished its round. So provisional
standings tell nothing about boards that are still to be played.

In a movement with two winners, the North-South pairs are group 1 of the stage and the East-West pairs group 2.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from tourney.bridge import Board, Vulnerability
from tourney.contest.kind import Contest, set_name
from tourney.contest.plan import Entrant, PlannedSegment, SeatSettings, StagePlan, seat_at_one_table
from tourney.contest.record import (
    DrawnMatch,
    FieldRecord,
    Qualifier,
    RankedField,
    Ruling,
    SeatedTable,
    StageRecord,
)
from tourney.movement.formats import PairsFormat, PlannedEntry
from tourney.movement.groups import seed_from_groups
from tourney.movement.pairs.movement import Movement
from tourney.movement.pairs.ranking import PairsRanking, rank_levels
from tourney.movement.ranking import PairsFigures, RankingRules, StandingRow
from tourney.movement.seating import Room
from tourney.movement.tie_breaks import TieBreak
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import WeightedScore, round_half_away
from tourney.scoring.match import BoardComparison, ImpTotals, MatchScore, total_imps
from tourney.scoring.pairs.field import PairsRules, PairsScoring, ScoredField, deduct, score_field
from tourney.scoring.pairs.traveller import Average, SideResult, Traveller, TravellerLine
from tourney.scoring.victory_points import VpHundredths, VpScale

AVERAGE_OF_AWARD: Final = {3: Average.PLUS, 0: Average.AVERAGE, -3: Average.MINUS}
"""The artificial scores by the IMPs that a ruling has for them."""

_NO_VP: Final = VpHundredths(0)
PENALTY_PART: Final = Fraction(1, 30)
"""The part of a top that a penalty of one IMP is at matchpoints: average plus is 3 IMPs, or a tenth above average."""


class PairsContest(Contest):
    """A movement of pairs, scored at matchpoints or in IMPs."""

    rooms = (Room.OPEN,)
    ranks_by_boards = True
    format: PairsFormat

    def __init__(self, stage_format: PairsFormat) -> None:
        super().__init__(stage_format)

    # Entrants

    def groups(self, plan: StagePlan) -> int:
        return 2 if self._movement(plan).has_two_winners else 1

    def deal(self, plan: StagePlan, entries: Sequence[PlannedEntry]) -> tuple[PlannedEntry, ...]:
        """Put East-West pairs into a group of their own where they never change their direction."""
        movement = self._movement(plan)
        if not movement.has_two_winners:
            return tuple(entries)
        east_west = {row.ew for row in movement.rows if row.is_played}
        return tuple(replace(entry, group=2 if number in east_west else 1) for number, entry in enumerate(entries, 1))

    # Sittings

    def seat(self, settings: SeatSettings, home: Entrant, away: Entrant) -> tuple[PlannedSegment, ...]:
        return seat_at_one_table(settings, home, away)

    def board_sets(self, plan: StagePlan) -> list[str]:
        return [set_name(plan, number) for number in range(1, self._movement(plan).sets + 1)]

    def first_number(self, plan: StagePlan, index: int) -> int:
        """Return the number of the first board of a set: set s of k boards is boards (s - 1) * k + 1 to s * k."""
        return index * plan.settings.boards_per_match + 1

    def _movement(self, plan: StagePlan) -> Movement:
        return self.format.movement(plan.settings, plan.size)

    # Results

    def compare(
        self,
        match: DrawnMatch,
        tables: Mapping[Room, SeatedTable],
        board: Board,
        scores: Mapping[Room, int],
        rulings: Sequence[Ruling],
    ) -> BoardComparison | None:
        """Return North-South's points and East-West's, once the board is finished at the table."""
        if any(ruling.kind is RulingKind.BOARD_CANCELLED for ruling in rulings):
            return BoardComparison(board.number, 0, 0, is_played=False, is_cancelled=True)
        made = _sides(match, scores.get(Room.OPEN), board.vulnerability, rulings)
        if made is None:
            return None
        points = [
            0
            if isinstance(result, Average)
            else round_half_away(
                Fraction(sum(part.weight * part.score_ns for part in result), sum(part.weight for part in result))
            )
            for result in made
        ]
        is_played = not any(isinstance(result, Average) for result in made)
        return BoardComparison(board.number, points[0], -points[1], is_played=is_played)

    def score(
        self,
        match: DrawnMatch,
        comparisons: Iterable[BoardComparison],
        rulings: Sequence[Ruling],
        scale: VpScale,
        *,
        is_complete: bool,
    ) -> MatchScore | None:
        """Return how many boards count, and the points of both sides; a forfeited match needs no more boards."""
        boards = [board for board in comparisons if not board.is_cancelled]
        if not is_complete and not any(ruling.kind is RulingKind.MATCH_FORFEIT for ruling in rulings):
            return None
        total = self.add_up(match, boards, rulings)
        return MatchScore(len(boards), *total[:2], _NO_VP, _NO_VP, *total[2:])

    def add_up(
        self, match: DrawnMatch, comparisons: Iterable[BoardComparison], rulings: Sequence[Ruling]
    ) -> ImpTotals:
        return total_imps(comparisons)

    def describe_score(self, match: DrawnMatch, score: MatchScore) -> str:
        return f"{score.boards} {'board' if score.boards == 1 else 'boards'}"

    # How pairs rank

    def score_boards(self, field: FieldRecord) -> ScoredField:
        """Score all boards that every table of the stage has played, with the totals of the pairs, fines deducted."""
        rules = _ranking_of(field.rules)
        by_set = _matches_by_set(field)
        expected = max(map(len, by_set.values()), default=1)
        scored = score_field(list(_travellers(field, by_set)), PairsRules(scoring=rules.scoring, expected=expected))
        return deduct(scored, _fines(field, 2 * (expected - 1), rules.scoring))

    def rank(self, field: FieldRecord) -> RankedField:
        """Rank by percentage of the matchpoints that could be won, or by IMPs per board; exact figures decide."""
        scored = self.score_boards(field)
        finished = field.over
        pairs = [team for team in field.teams if team in scored.totals and scored.totals[team].level is not None]
        lot_seed = field.lot_seed if field.is_over else None
        places = rank_levels(scored, pairs, _ranking_of(field.rules).ties, lot_seed)
        rounds = defaultdict[str, int](int)
        for made in finished:
            rounds[made.home] += 1
            rounds[made.away] += 1
        rows = [_row(place.rank, pair, rounds[pair], scored) for place in places for pair in place.pairs]
        unranked = [team for team in field.teams if team not in pairs]
        rows += [_row(len(rows) + 1, team, rounds[team], scored) for team in unranked]
        return RankedField(tuple(rows), (), tuple(finished))

    def tie_breaks(self, rules: RankingRules) -> tuple[TieBreak, ...]:
        return ()

    def qualify(self, record: StageRecord, count: int | None) -> list[Qualifier]:
        """Return the best pairs; of two lists equally many of each, the winners first."""
        rankings = []
        for group in range(1, record.stage.groups + 1):
            rows = self.rank(record.field_of(group)).rows
            rankings.append([row for row in rows if row.team not in record.withdrawn])
        wanted = count or sum(map(len, rankings))
        wanted += -wanted % len(rankings)
        return [Qualifier(row.team, row.rank, row.vp) for row in seed_from_groups(rankings, wanted)]


def _ranking_of(rules: RankingRules) -> PairsRanking:
    return rules.pairs if rules.pairs is not None else PairsRanking()


def _matches_by_set(field: FieldRecord) -> dict[int, list[DrawnMatch]]:
    """Return the matches of the stage by the id of their board set, whatever rounds count."""
    by_set: defaultdict[int, list[DrawnMatch]] = defaultdict(list)
    for match in field.stage.matches:
        by_set[match.board_set_id].append(match)
    return by_set


def _travellers(field: FieldRecord, by_set: Mapping[int, Sequence[DrawnMatch]]) -> Iterator[Traveller]:
    """Yield the boards that every table of the stage has played in the rounds that count."""
    counting = {match.number for round_ in field.rounds for match in round_.matches}
    for matches in by_set.values():
        if all(match.number in counting and match.number in field.finished for match in matches):
            for number, vulnerability in field.boards[matches[0].number].items():
                lines = (_line(field, match, number, vulnerability) for match in matches)
                yield Traveller(str(number), tuple(line for line in lines if line is not None))


def _line(field: FieldRecord, match: DrawnMatch, number: int, vulnerability: Vulnerability) -> TravellerLine | None:
    """Return what a table has on a board; None if nothing there counts."""
    rulings = field.rulings.get(match.number, ())
    on_board = [ruling for ruling in rulings if ruling.board == number and ruling.kind.scores_board]
    if any(ruling.kind is RulingKind.BOARD_CANCELLED for ruling in on_board):
        return None
    score = field.scores.get(match.number, {}).get(Room.OPEN, {}).get(number)
    sides = _sides(match, score, vulnerability, on_board)
    if sides is None:
        # A pair that has left the event is a phantom: its opponents sit out.
        at_fault = {r.team for r in rulings if r.kind is RulingKind.MATCH_FORFEIT} - field.withdrawn
        if not at_fault or field.withdrawn & {match.home, match.away}:
            return None
        sides = _averages(match, at_fault)
    return TravellerLine(ns=match.home, ew=match.away, ns_result=sides[0], ew_result=sides[1])


def _averages(match: DrawnMatch, at_fault: set[str]) -> tuple[SideResult, SideResult]:
    """Return average minus for a pair at fault, average plus for one that is not (Laws 2017, Law 12C2)."""
    home, away = (Average.MINUS if pair in at_fault else Average.PLUS for pair in (match.home, match.away))
    return home, away


def _sides(
    match: DrawnMatch, score: int | None, vulnerability: Vulnerability, rulings: Sequence[Ruling]
) -> tuple[SideResult, SideResult] | None:
    """Return what counts for North-South and East-West; None while one of them has nothing.

    An artificial score takes precedence over a forfeit of the board, that over a result and one assigned instead.
    """
    at_fault = {ruling.team for ruling in rulings if ruling.kind is RulingKind.BOARD_FORFEIT}
    played: SideResult | None = (WeightedScore(1, score),) if score is not None else None
    sides: list[SideResult | None] = list(_averages(match, at_fault)) if at_fault else [played, played]
    for place, pair in enumerate((match.home, match.away)):
        for ruling in rulings:
            if ruling.team == pair and ruling.kind is RulingKind.ASSIGNED_SCORE and not at_fault:
                sides[place] = tuple(
                    WeightedScore(part.weight, part.score_ns(vulnerability)) for part in ruling.assigned
                )
        for ruling in rulings:
            if ruling.team == pair and ruling.kind is RulingKind.ADJUSTED_SCORE:
                sides[place] = AVERAGE_OF_AWARD.get(ruling.amount, Average.AVERAGE)
    home, away = sides
    return None if home is None or away is None else (home, away)


def _fines(field: FieldRecord, top: int, scoring: PairsScoring) -> dict[str, Fraction]:
    """Return what penalties take from each pair: matchpoints or IMPs."""
    fines: defaultdict[str, Fraction] = defaultdict(Fraction)
    unit = top * PENALTY_PART if scoring is PairsScoring.MATCHPOINTS else Fraction(1)
    for match in field.stage.matches:
        for ruling in field.rulings.get(match.number, ()):
            if ruling.kind is RulingKind.PENALTY_IMPS:
                fines[ruling.team] += ruling.amount * unit
            elif ruling.kind is RulingKind.PENALTY_VP:
                fines[ruling.team] += Fraction(ruling.amount * top, 10_000)
    return fines


def _row(rank: int, pair: str, rounds: int, scored: ScoredField) -> StandingRow:
    total = scored.totals.get(pair)
    level = total.level if total is not None else None
    return StandingRow(
        rank=rank,
        team=pair,
        played=rounds,
        won=0,
        drawn=0,
        lost=0,
        imps_for=0,
        imps_against=0,
        vp=VpHundredths(round_half_away(100 * level) if level is not None else 0),
        pairs=PairsFigures(
            boards=total.boards if total is not None else 0,
            points=total.points if total is not None else Fraction(),
            available=total.available if total is not None else 0,
            level=level,
            is_matchpoints=scored.rules.scoring is PairsScoring.MATCHPOINTS,
        ),
    )
