"""The travellers of a pairs stage: every board that counts, with what each table has on it, and the pairs' totals.

A board is shown here once it counts, that is, once the last table that is to play it has finished its round, and only
if nobody in another event still has its hands to play (`store.results.secrecy`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from tourney.bridge import Board, Card, Side
from tourney.contest.draw import MatchInfo, RoundInfo, StageInfo
from tourney.contest.record import Ruling
from tourney.errors import ConfigError
from tourney.event.drawn import DrawnEvent
from tourney.movement.pairs.movement import Movement
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.load import load_results
from tourney.results.standings import Standings, rank_event
from tourney.scoring.pairs.field import PairsScoring, PairTotal, ScoredLine, add_up
from tourney.scoring.pairs.traveller import Average, SideResult
from tourney.store.record.results import BoardResult
from tourney.store.results.event_results import MatchFilter, iter_results, load_leads, load_sets
from tourney.store.results.secrecy import load_hidden_boards


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """What one table has on a board."""

    match: MatchInfo
    """The table's match in the round; its home pair sits North-South."""
    table: int
    """The number of the table in the movement."""
    result: BoardResult | None
    """The result at the table; None if it has none."""
    lead: Card | None
    """The opening lead; None when the board was passed out, or no card is on record."""
    scored: ScoredLine | None
    """What counts; None if nothing does: the board was cancelled here, or a pair that has left did not play it."""
    rulings: tuple[Ruling, ...]
    """The rulings that determine what counts, the oldest first."""
    session: int
    """The session in which the board counts."""

    @property
    def ns(self) -> str:
        """The North-South pair."""
        return self.match.home

    @property
    def ew(self) -> str:
        """The East-West pair."""
        return self.match.away

    @property
    def is_cancelled(self) -> bool:
        """Whether the board was cancelled at this table."""
        return any(ruling.kind is RulingKind.BOARD_CANCELLED for ruling in self.rulings)

    @property
    def section(self) -> str:
        """The letter of the section within which it is compared; empty where the whole field is."""
        return self.scored.line.section if self.scored is not None else ""

    def pair(self, side: Side) -> str:
        """Return the pair of a direction."""
        return self.ns if side is Side.NS else self.ew

    def side_of(self, pair: str) -> Side:
        """Return the direction of a pair, or of a player, of this table."""
        return Side.NS if self.match.team_of(pair) == self.ns else Side.EW

    def counts(self, side: Side) -> SideResult | None:
        """Return what counts for a side; None if nothing does."""
        if self.scored is None:
            return None
        return self.scored.line.result_of(side)

    def credited_to(self, entrant: str) -> "PlayedLine":
        """Return the line with what counts for an entrant of this table: an average plus of partners may differ."""
        if self.scored is None or not self.scored.by_member:
            return self
        return replace(self, scored=self.scored.credited_to(entrant, self.side_of(entrant)))

    @property
    def score(self) -> int | None:
        """North-South's score that counts for both sides; None if nothing does, or it is artificial or weighted."""
        return self.scored.score if self.scored is not None else None


@dataclass(frozen=True, slots=True)
class PlayedTraveller:
    """A board with what every table has on it."""

    stage: StageInfo
    set_name: str
    board: Board
    lines: tuple[PlayedLine, ...]
    """In the order of the rounds and tables."""

    @property
    def by_section(self) -> Mapping[str, Sequence[ScoredLine]]:
        """What counts by section, `""` where all results are compared."""
        found: defaultdict[str, list[ScoredLine]] = defaultdict(list)
        for line in self.lines:
            if line.scored is not None:
                found[line.section].append(line.scored)
        return found

    @property
    def tops(self) -> Mapping[str, int]:
        """The most matchpoints by section; empty in IMPs."""
        tops = ((section, lines[0].top) for section, lines in self.by_section.items())
        return {section: top for section, top in tops if top is not None}

    @property
    def top(self) -> int | None:
        """The most matchpoints; None in IMPs, where nothing counts, and where sections differ in it."""
        tops = set(self.tops.values())
        return tops.pop() if len(tops) == 1 else None

    @property
    def results(self) -> int:
        """The number of results that are compared, in all sections."""
        return sum(_count_results(lines, Side.NS) for lines in self.by_section.values())

    @property
    def is_unequal(self) -> bool:
        """Whether a side has fewer results than expected, so that matchpoints were brought to the top (Neuberg)."""
        return any(
            0 < _count_results(self.by_section[section], side) < top // 2 + 1
            for section, top in self.tops.items()
            for side in Side
        )


def _count_results(lines: Iterable[ScoredLine], side: Side) -> int:
    """Return how many results a side has; artificial scores are not among them."""
    return sum(not isinstance(line.line.result_of(side), Average) for line in lines)


@dataclass(frozen=True, slots=True)
class PairRound:
    """A round of a pair."""

    pair: str
    round: RoundInfo
    match: MatchInfo | None
    """None if the pair sits out."""
    table: int | None
    lines: tuple[tuple[PlayedTraveller, PlayedLine], ...]
    """The boards of the round that may be shown."""
    total: PairTotal
    """What the pair has won on them."""

    @property
    def is_missed(self) -> bool:
        """Whether nothing was played because a pair has left the event."""
        lines = [line for _, line in self.lines]
        return bool(lines) and all(line.scored is None and line.result is None for line in lines)

    @property
    def opponents(self) -> str | None:
        """The opponents of the pair; None if it sits out."""
        return self.match.opponents_of(self.pair) if self.match is not None else None

    @property
    def partner(self) -> str | None:
        """The partner of a player who has another one in each round; None of a pair."""
        partners = self.match.entrants_of(self.match.team_of(self.pair)) if self.match is not None else ()
        return next((each for each in partners if each != self.pair), None)

    @property
    def direction(self) -> Side | None:
        """The direction of the pair; None if it sits out."""
        if self.match is None:
            return None
        return Side.NS if self.match.team_of(self.pair) == self.match.home else Side.EW


@dataclass(frozen=True)
class StageTravellers:
    """A pairs stage with its scores, as far as they may be shown."""

    stage: StageInfo
    scoring: PairsScoring
    travellers: tuple[PlayedTraveller, ...]
    """The boards, by set in the order of play."""
    totals: Mapping[str, PairTotal]
    """The totals of pairs on the boards that count, penalties deducted."""
    fines: Mapping[str, Fraction]
    """What penalties have taken from pairs: matchpoints or IMPs."""
    rankings: tuple[Standings, ...]
    """The rankings, one for each list of the stage."""
    numbers: Mapping[int, frozenset[int]]
    """The rounds in which each board of the stage is played, by its number."""
    tables: Mapping[int, int]
    """The number of the table that each match is played at, by the number of the match."""
    expected: int | None
    """The number of results that every board is scored to; None where it is the most that any board has."""

    @property
    def hidden(self) -> int:
        """How many boards are played or will be, and not shown yet."""
        return len(self.numbers) - len(self.travellers)

    @cached_property
    def by_board(self) -> Mapping[int, PlayedTraveller]:
        """The boards by number."""
        return {traveller.board.number: traveller for traveller in self.travellers}

    @cached_property
    def lines_of(self) -> Mapping[str, Sequence[tuple[PlayedTraveller, PlayedLine]]]:
        """The boards of each pair in the order in which it played them."""
        found: defaultdict[str, list[tuple[PlayedTraveller, PlayedLine]]] = defaultdict(list)
        for traveller in self.travellers:
            for line in traveller.lines:
                for entrant in line.match.entrants:
                    found[entrant].append((traveller, line.credited_to(entrant)))
        return {pair: sorted(lines, key=lambda each: each[1].match.round) for pair, lines in found.items()}

    @property
    def pairs(self) -> list[str]:
        """The pairs in the order of their numbers in the movement."""
        return self.stage.teams

    def rounds_of(self, pair: str) -> list[PairRound]:
        """Return the rounds of a pair as far as they are drawn."""
        lines: defaultdict[int, list[tuple[PlayedTraveller, PlayedLine]]] = defaultdict(list)
        for traveller, line in self.lines_of.get(pair, ()):
            lines[line.match.round].append((traveller, line))
        rounds = []
        for round_ in self.stage.rounds:
            match = next((match for match in round_.matches if pair in match.entrants), None)
            if match is not None or pair in round_.byes:
                shown = tuple(lines[round_.number])
                table = self.tables[match.number] if match is not None else None
                total = self.add_up(pair, [line for _, line in shown])
                rounds.append(PairRound(pair, round_, match, table, shown, total))
        return rounds

    @property
    def table_names(self) -> Mapping[int, str]:
        """What the tables are called, by the numbers of their matches: `round 1, table 2`."""
        return _name_tables(self.stage, self.tables)

    def add_up(self, pair: str, lines: Sequence[PlayedLine]) -> PairTotal:
        """Return what a pair has won on these boards, without penalties."""
        sides = [line.side_of(pair) for line in lines]
        results = (
            (pair, line.session, line.scored.points(side), line.scored.top)
            for line, side in zip(lines, sides, strict=True)
            if line.scored is not None
        )
        return PairTotal(pair, frozenset(sides), add_up(results).get(pair, {}))


def load_travellers(drawn: DrawnEvent) -> tuple[StageTravellers, ...]:
    """Load the pairs stages that have begun; none in an event of teams, whose file need not be read.

    Raises:
        ConfigError: something is wrong with the event file, which says how pairs are ranked.
        StoreError: the database cannot be used.
    """
    database, event = drawn.database, drawn.event
    if not any(stage.entries for stage in event.pairs_stages):
        return ()
    # Loaded in this order: boards that finish in the meantime stay hidden.
    hidden = load_hidden_boards(database, event)
    results = load_results(database, event, drawn.ranking_rules, hidden)
    scope = MatchFilter(event.id)
    played, leads, sets = dict(iter_results(database, scope)), load_leads(database, scope), load_sets(database, scope)
    rankings = rank_event(results)
    stages = []
    for stage in event.pairs_stages:
        lists = [each for each in rankings.lists if each.stage is stage]
        scored = [each.scored for each in lists if each.scored is not None]
        if not scored:
            continue
        tables = number_tables(stage, drawn.movements)
        lines = {
            (found.traveller.board, line.line.ns, line.line.ew): line
            for field in scored
            for found in field.travellers
            for line in found.lines
        }
        sessions = {found.traveller.board: found.traveller.session for field in scored for found in field.travellers}
        by_set: defaultdict[int, list[MatchInfo]] = defaultdict(list)
        for match in stage.matches:
            by_set[match.board_set_id].append(match)
        travellers = []
        numbers: dict[int, frozenset[int]] = {}
        for set_id in sorted(by_set):
            kept = hidden.of_match(by_set[set_id][0])
            for board in sets[set_id].boards:
                numbers[board.number] = frozenset(match.round for match in by_set[set_id])
                session = sessions.get(str(board.number))
                if session is None or board.number in kept:
                    continue
                of_board = []
                for match in by_set[set_id]:
                    result = played.get(match.number, {}).get(Room.OPEN, {}).get(board.number)
                    lead = leads.get((match.tables[0].id, board.number))
                    line = lines.get((str(board.number), match.home, match.away))
                    rulings = _counting(results.rulings_by_match.get(match.number, ()), board, result)
                    of_board.append(PlayedLine(match, tables[match.number], result, lead, line, rulings, session))
                travellers.append(PlayedTraveller(stage, sets[set_id].name, board, tuple(of_board)))
        stages.append(
            StageTravellers(
                stage=stage,
                scoring=scored[0].rules.scoring,
                travellers=tuple(sorted(travellers, key=lambda found: found.board.number)),
                totals={pair: total for field in scored for pair, total in field.totals.items()},
                fines={pair: fine for field in scored for pair, fine in field.fines.items()},
                rankings=tuple(lists),
                numbers=numbers,
                tables=tables,
                expected=scored[0].rules.expected,
            )
        )
    return tuple(stages)


def name_tables(drawn: DrawnEvent) -> dict[int, str]:
    """Return what the tables of pairs events are called, by the numbers of their matches: `round 1, table 2`.

    There are no names as long as the event file, which has the movements, cannot be read.
    """
    try:
        names = [_name_tables(each, number_tables(each, drawn.movements)) for each in drawn.event.pairs_stages]
    except ConfigError:
        return {}
    return {match: name for each in names for match, name in each.items()}


def _name_tables(stage: StageInfo, tables: Mapping[int, int]) -> dict[int, str]:
    return {match.number: f"round {match.round}, table {tables[match.number]}" for match in stage.matches}


def number_tables(stage: StageInfo, movements: Mapping[int, Movement]) -> dict[int, int]:
    """Return the table in the movement of its stage at which each match is played, by its number."""
    movement = movements.get(stage.number)
    rows = movement.rows if movement is not None else ()
    numbers, tables = stage.seeds, {(row.round, row.ns, row.ew): row.table for row in rows if row.is_played}
    return {
        match.number: tables.get((round_.number_in_stage, numbers.get(match.home), numbers.get(match.away)), place)
        for round_ in stage.rounds
        for place, match in enumerate(round_.matches, 1)
    }


def _counting(rulings: Iterable[Ruling], board: Board, result: BoardResult | None) -> tuple[Ruling, ...]:
    """Return the rulings on a match that determine what counts on a board; a forfeited match spares its results."""
    return tuple(
        ruling
        for ruling in rulings
        if (ruling.board == board.number and ruling.kind.scores_board)
        or (ruling.kind is RulingKind.MATCH_FORFEIT and result is None)
    )
