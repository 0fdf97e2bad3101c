"""The contest of pairs: one table a match, and each result compared with all others on the same board.

A match is a table in one round of a movement: the home pair sits North-South, the away pair East-West. Nothing is
compared within it, so its score only says that it is finished; pairs are scored and ranked from the boards of the
whole field (`rank`). A board counts once the last table that is to play it has finished its round. So provisional
standings tell nothing about boards that are still to be played.

In a movement with two winners, the North-South pairs are group 1 of the stage and the East-West pairs group 2.
"""

import enum
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from tourney.bridge import Side, Vulnerability
from tourney.contest.draw import NO_VP, EntryInfo, MatchInfo, StageInfo
from tourney.contest.kind import MovementContest
from tourney.contest.plan import KeyProblem, RoundDraw, StagePlan, StageSettings
from tourney.contest.record import FieldRecord, Qualifier, RankedField, Ruling, SeatedBoard, forfeited_by, of_kind
from tourney.errors import ConfigError
from tourney.movement.groups import group_letter
from tourney.movement.pairs.mitchell import Phantom
from tourney.movement.pairs.movement import Movement
from tourney.movement.pairs.planning import HOWELL, MITCHELL, OWN, CompareWithin, deal_into_sections, plan_movement
from tourney.movement.pairs.ranking import rank_pairs
from tourney.movement.ranking import PairsFigures, RankingRules, StandingRow
from tourney.movement.seating import Room, SharedDeals
from tourney.plurals import count
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import WeightedScore, round_half_away, round_hundredths
from tourney.scoring.board_scale import PENALTY_PART, BoardScale
from tourney.scoring.match import BoardComparison, ImpTotals, MatchScore, total_imps
from tourney.scoring.pairs.field import (
    PairsRules,
    PairsScoring,
    ScoredField,
    SessionTotal,
    credit_members,
    deduct,
    score_field,
)
from tourney.scoring.pairs.matchpoints import top_of
from tourney.scoring.pairs.traveller import Average, SideResult, Traveller, TravellerLine
from tourney.scoring.victory_points import VpHundredths, VpScale

AVERAGE_OF_AWARD: Final = {3: Average.PLUS, 0: Average.AVERAGE, -3: Average.MINUS}
"""The artificial scores by the IMPs that a ruling has for them."""

_NOTHING: Final = Fraction()


class PairsContest(MovementContest):
    """A movement of pairs, scored at matchpoints or in IMPs."""

    texts = ranking = "pairs"
    keys = frozenset(
        {
            *("boards_per_round", "rounds", "phantom", "barometer", "ties", "carry_over"),
            *("sections", "compare_within", "sessions", "carry_over, by_boards"),
        }
    )
    choices: Mapping[str, tuple[object, ...]] = MappingProxyType(
        {"phantom": (Phantom.NORTH_SOUTH, Phantom.EAST_WEST)}
    )
    group_word = "list"
    match_word = "table"
    crosstable_title = "Recap"
    scorings = ("matchpoints", "cross-imps", "butler")
    ranks_by_boards = True
    entrant = "pair"
    instead = MappingProxyType(
        {
            name: f"is for matches of two teams, stage {{stage!r}} of {{event!r}} is one of {{entrant}}s: {shows}"
            for name, shows in (
                ("match", "`tourney boards` shows every table of a board, `tourney pair` every board of a pair"),
                ("rounds", "`tourney crosstable` shows the pairs round by round"),
                ("swings", "`tourney boards` shows what every board was worth"),
            )
        }
    )
    sits = "a pair sits at one table, and the two pairs there play"
    """How its entrants sit in a round."""
    no_crosstable = "pairs are compared with all others on every board"
    uses_vp_scale = False
    pbn_competition = "Pairs"
    usebio_type = "PAIRS"

    def settings_of_new(self, entrants: int) -> Mapping[str, str | None]:
        return {**super().settings_of_new(entrants), **({"phantom": "true"} if entrants % 2 else {})}

    def describe_length(self, stage: StageInfo) -> str:
        return f"{count(stage.boards_per_match, 'board')} a round"

    def describe_deals(self, settings: StageSettings, shared: SharedDeals) -> str:
        if settings.movement_settings.is_barometer:
            return super().describe_deals(settings, shared)
        return "in sets that go from table to table"

    def pair_side(self, side: Side) -> None:
        """Return None: a pair is an entrant, whichever way it sits."""

    def describe_scoring(self, settings: StageSettings) -> str:
        return settings.scoring_in_use

    # Pairing

    def count_groups(self, settings: StageSettings, teams: int) -> int:
        """Return how many lists there are: of each section that is ranked by itself, one or one of each direction."""
        movement = self._movement_or_none(settings, teams)
        if movement is None:
            return 1
        is_by_section = settings.movement_settings.compare_within is CompareWithin.SECTION
        sections = max(1, len(movement.sections)) if is_by_section else 1
        return sections * (2 if movement.has_two_winners else 1)

    def group_name(self, stage: StageInfo, group: int) -> str:
        """Return the direction of a list, its section, or both."""
        section, direction = divmod(group - 1, stage.groups // stage.sections)
        words = [f"section {group_letter(section)}"] if stage.sections > 1 else []
        words += [("North-South", "East-West")[direction]] if stage.groups > stage.sections else []
        return " ".join(words)

    group_title = group_name

    def movement(self, settings: StageSettings, entrants: int) -> Movement:
        """Return the movement for so many pairs.

        Raises:
            ConfigError: there is none.
        """
        return plan_movement(self.name, settings.movement_settings, entrants)

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        movement = self._movement_or_none(settings, teams)
        return movement.rounds if movement is not None else 0

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        """Return all rounds; entries are numbered in their order, and numbers that are left over are phantoms."""
        numbers = dict(enumerate((entry.team for entry in entries), 1))
        drawn = []
        for rows in self.movement(settings, teams).by_round.values():
            pairings, byes, sets = [], [], []
            for row in rows:
                seated = [numbers[pair] for pair in row.pairs if pair in numbers]
                if row.board_set is not None and len(seated) == 2:
                    pairings.append((seated[0], seated[1]))
                    sets.append(row.board_set)
                else:
                    byes += seated
            drawn.append(RoundDraw(tuple(pairings), tuple(byes), sets=tuple(sets)))
        return drawn

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        try:
            self.movement(settings, teams)
        except ConfigError as error:
            return "format", str(error)
        return None

    def _movement_or_none(self, settings: StageSettings, teams: int) -> Movement | None:
        """Return the movement, or None where `size_problem` says why there is none."""
        try:
            return self.movement(settings, teams)
        except ConfigError:
            return None

    def describe_progress(self, over: int, matches: int) -> str:
        return f"{over} of {count(matches, 'table')} finished"

    # Entrants

    def entrant_in(self, section: str) -> str:
        return self.entrant

    def seeds_by_number(self, settings: StageSettings, entrants: int) -> Sequence[int]:
        """Return the seeds so that the pairs of a section follow each other."""
        return deal_into_sections(self.movement(settings, entrants), entrants)

    def enter(self, plan: StagePlan, qualifiers: Sequence[Qualifier]) -> tuple[EntryInfo, ...]:
        """Return the entries of a stage; a carry-over by boards is weighted by how many are played in both stages."""
        rules = plan.carry_over
        if rules is not None and rules.by_boards:
            movement, boards = self.movement(plan.settings, plan.size), plan.settings.boards_per_match
            most = boards * max(movement.rounds_of_pairs)
            qualifiers = [
                replace(each, vp=VpHundredths(round_half_away(Fraction(each.vp * each.boards, most))))
                for each in qualifiers
            ]
        return super().enter(plan, qualifiers)

    def deal(self, plan: StagePlan, entries: Sequence[EntryInfo]) -> tuple[EntryInfo, ...]:
        """Return the entries in the order of their numbers in the movement, each in the list that it is ranked in.

        East-West pairs have a list of their own where they never change their direction, and so has a section that
        is compared by itself.
        """
        movement = self.movement(plan.settings, plan.size)
        directions = 2 if movement.has_two_winners else 1
        by_section = self.count_groups(plan.settings, plan.size) > directions
        east_west = {row.ew for row in movement.rows if row.is_played} if directions == 2 else set[int | None]()
        dealt = []
        for number, seed in enumerate(deal_into_sections(movement, len(entries)), 1):
            section = movement.section_of(number) if by_section else 1
            group = directions * (section - 1) + (2 if number in east_west else 1)
            dealt.append(replace(entries[seed - 1], group=group))
        return tuple(dealt)

    # Sittings

    def compared_scale(self, scale: BoardScale) -> None:
        """Return None: boards are compared with those of other matches."""

    def sets(self, plan: StagePlan) -> Sequence[int]:
        return range(1, self.movement(plan.settings, plan.size).sets + 1)

    # Results

    def compare(self, match: MatchInfo, seated: SeatedBoard) -> BoardComparison | None:
        """Return North-South's points and East-West's, once the board is finished at the table."""
        board, rulings = seated.board, seated.rulings
        if of_kind(rulings, RulingKind.BOARD_CANCELLED):
            return BoardComparison(board.number, 0, 0, is_played=False, is_cancelled=True)
        result = seated.results.get(Room.OPEN)
        made = _sides(match, result.score if result is not None else None, board.vulnerability, rulings)
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

    def forfeit_problem(self, match: int, unfinished: Sequence[int]) -> str | None:
        if unfinished:
            return None
        return f"every board of match {match} has been played, and counts as it is: forfeit single boards"

    def score(
        self,
        match: MatchInfo,
        comparisons: Iterable[BoardComparison],
        rulings: Sequence[Ruling],
        scale: VpScale,
        *,
        is_complete: bool,
    ) -> MatchScore | None:
        """Return how many boards count, and the points of both sides; a forfeited match needs no more boards."""
        boards = [board for board in comparisons if not board.is_cancelled]
        if not is_complete and not forfeited_by(rulings):
            return None
        total = self.add_up(match, boards, rulings)
        return MatchScore(len(boards), *total[:2], NO_VP, NO_VP, *total[2:])

    def add_up(
        self, match: MatchInfo, comparisons: Iterable[BoardComparison], rulings: Sequence[Ruling]
    ) -> ImpTotals:
        return total_imps(comparisons)

    def describe_score(self, match: MatchInfo, score: MatchScore) -> str:
        return f"{score.boards} {'board' if score.boards == 1 else 'boards'}"

    # How pairs rank

    def score_boards(self, field: FieldRecord) -> ScoredField:
        """Score all boards that every table of the stage has played, with the totals of the pairs, fines deducted."""
        rules = field.rules.pairs
        drawn = _Drawn(field.stage)
        members = field.stage.members
        scored = score_field(
            list(_travellers(field, drawn)),
            PairsRules(
                scoring=rules.scoring,
                expected=max(drawn.expected.values(), default=1),
                expected_in=drawn.expected if field.stage.sections > 1 else None,
                by_section=field.stage.sections > 1,
            ),
            members if self.changes_partners else None,
        )
        scored = replace(scored, totals=credit_members(scored, members).totals)
        return deduct(scored, _fines(field, drawn, rules.scoring, members))

    def rank(self, field: FieldRecord) -> RankedField:
        """Rank by percentage of the matchpoints that could be won, or by IMPs per board; exact figures decide."""
        scored = self.score_boards(field)
        finished = field.over
        pairs = [team for team in field.teams if team in scored.totals and scored.totals[team].level is not None]
        lot_seed = field.lot_seed if field.is_over else None
        carried = {entry.team: Fraction(entry.carry_vp, 100) for entry in field.entries}
        if not any(carried.values()):
            carried = {}
        members = field.stage.members
        by_entrant = replace(credit_members(scored, members), totals=scored.totals)
        ranking = rank_pairs(by_entrant, pairs, field.rules.pairs.ties, lot_seed, carried)
        rounds = defaultdict[str, int](int)
        for made in finished:
            for side in made.teams:
                for entrant in members[side]:
                    rounds[entrant] += 1
        rows: list[StandingRow] = []
        for place in ranking.places:
            rank = len(rows) + 1
            rows += (_row(rank, pair, rounds[pair], scored, carried.get(pair)) for pair in place)
        unranked = [team for team in field.teams if team not in pairs]
        rows += [_row(len(rows) + 1, team, rounds[team], scored, carried.get(team)) for team in unranked]
        return RankedField(tuple(rows), ranking.ties, tuple(finished), scored=scored)

    def tie_breaks(self, rules: RankingRules) -> tuple[enum.StrEnum, ...]:
        return rules.pairs.ties


class Mitchell(PairsContest):
    """Pairs play a Mitchell, in two directions."""

    name = pairing = MITCHELL
    title = noun = "Mitchell"
    keys = PairsContest.keys | {"arrow_switch"}
    choices = MappingProxyType({})


class Howell(PairsContest):
    """Pairs play a Howell: everybody meets everybody once."""

    name = pairing = HOWELL
    title = noun = "Howell"


class OwnMovementContest(PairsContest):
    """Pairs play the organiser's own movement."""

    name = pairing = OWN
    title = "Pairs"
    keys = PairsContest.keys | {"movement"}

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        if settings.movement_settings.own is None:
            return None  # what names the file has been looked at elsewhere
        return super().size_problem(settings, teams)


class _Drawn:
    """The matches of a stage by the boards that are compared with each other, whatever rounds count."""

    def __init__(self, stage: StageInfo) -> None:
        groups = {entry.team: entry.group for entry in stage.entries}
        directions = stage.groups // stage.sections
        self.by_set: defaultdict[int, list[MatchInfo]] = defaultdict(list)
        """The matches that play a set of boards, by its id."""
        self.session: dict[int, int] = {}
        """The session of each match, by its number."""
        self.section: dict[int, str] = {}
        """The section of each match where sections are compared by themselves; otherwise empty."""
        for round_ in stage.rounds:
            for match in round_.matches:
                self.by_set[match.board_set_id].append(match)
                self.session[match.number] = (round_.number_in_stage - 1) * stage.sessions // len(stage.rounds) + 1
                letter = group_letter((groups[match.entrants[0]] - 1) // directions)
                self.section[match.number] = letter if stage.sections > 1 else ""
        tables = Counter(
            (self.section[match.number], set_id) for set_id, matches in self.by_set.items() for match in matches
        )
        self.expected: defaultdict[str, int] = defaultdict(int)
        """The results expected on a board among those that are compared, by section."""
        for (section, _), number in tables.items():
            self.expected[section] = max(number, self.expected[section])


def _travellers(field: FieldRecord, drawn: _Drawn) -> Iterator[Traveller]:
    """Yield the boards that every table of the stage has played in the rounds that count."""
    counting = {match.number for round_ in field.rounds for match in round_.matches}
    for matches in drawn.by_set.values():
        if all(match.number in counting and match.number in field.finished for match in matches):
            session = drawn.session[matches[0].number]
            for number, vulnerability in field.boards[matches[0].number].items():
                lines = (_line(field, match, number, vulnerability, drawn.section[match.number]) for match in matches)
                yield Traveller(str(number), tuple(line for line in lines if line is not None), session)


def _line(
    field: FieldRecord, match: MatchInfo, number: int, vulnerability: Vulnerability, section: str
) -> TravellerLine | None:
    """Return what a table has on a board; None if nothing there counts."""
    rulings = field.rulings.get(match.number, ())
    on_board = [ruling for ruling in rulings if ruling.board == number and ruling.kind.scores_board]
    if of_kind(on_board, RulingKind.BOARD_CANCELLED):
        return None
    score = field.scores.get(match.number, {}).get(Room.OPEN, {}).get(number)
    sides = _sides(match, score, vulnerability, on_board)
    if sides is None:
        # Who has left the event is a phantom: the others at the table sit out.
        at_fault = forfeited_by(rulings)
        if not at_fault or not field.withdrawn.isdisjoint(match.entrants):
            return None
        sides = _averages(match, at_fault)
    return TravellerLine(ns=match.home, ew=match.away, ns_result=sides[0], ew_result=sides[1], section=section)


def _averages(match: MatchInfo, at_fault: set[str]) -> tuple[SideResult, SideResult]:
    """Return average minus for a pair at fault, average plus for one that is not (Laws 2017, Law 12C2)."""
    home, away = (Average.MINUS if pair in at_fault else Average.PLUS for pair in match.teams)
    return home, away


def _sides(
    match: MatchInfo, score: int | None, vulnerability: Vulnerability, rulings: Sequence[Ruling]
) -> tuple[SideResult, SideResult] | None:
    """Return what counts for North-South and East-West; None while one of them has nothing.

    An artificial score takes precedence over a forfeit of the board, that over a result and one assigned instead.
    """
    at_fault = {ruling.team for ruling in of_kind(rulings, RulingKind.BOARD_FORFEIT)}
    played: SideResult | None = (WeightedScore(1, score),) if score is not None else None
    sides: list[SideResult | None] = list(_averages(match, at_fault)) if at_fault else [played, played]
    for place, pair in enumerate(match.teams):
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


def _fines(
    field: FieldRecord, drawn: _Drawn, scoring: PairsScoring, members: Mapping[str, Sequence[str]]
) -> dict[str, Fraction]:
    """Return what penalties take from each entrant, from both of two partners: matchpoints or IMPs."""
    fines: defaultdict[str, Fraction] = defaultdict(Fraction)
    for match in field.stage.matches:
        top = top_of(drawn.expected[drawn.section[match.number]])
        unit = top * PENALTY_PART if scoring is PairsScoring.MATCHPOINTS else Fraction(1)
        for ruling in field.rulings.get(match.number, ()):
            amount = _NOTHING
            if ruling.kind is RulingKind.PENALTY_IMPS:
                amount = ruling.amount * unit
            elif ruling.kind is RulingKind.PENALTY_VP:
                amount = Fraction(ruling.amount * top, 10_000)
            for entrant in members.get(ruling.team, ()) if amount else ():
                fines[entrant] += amount
    return fines


def _row(rank: int, pair: str, rounds: int, scored: ScoredField, carried: Fraction | None) -> StandingRow:
    total = scored.totals.get(pair, SessionTotal())
    figures = PairsFigures(
        boards=total.boards,
        points=total.points,
        available=total.available,
        level=total.level,
        scoring=scored.rules.scoring,
        carried=carried,
    )
    return StandingRow(
        rank=rank,
        team=pair,
        played=rounds,
        won=0,
        drawn=0,
        lost=0,
        imps_for=0,
        imps_against=0,
        vp=VpHundredths(round_hundredths(figures.result or _NOTHING, scored.rules.scoring.average)),
        pairs=figures,
    )
