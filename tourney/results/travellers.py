"""The travellers of stages of pairs: what each table has on a board, and what that is worth against all others.

Only boards that count have one: those that every table of the stage has finished with its round. `hidden` keeps out
those whose hands somebody still has to play, here or in another event.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tourney.bridge import Card, Result, Side
from tourney.contest import contest_of
from tourney.contest.pairs import PairsContest
from tourney.movement.seating import Room
from tourney.results.load import EventResults
from tourney.scoring.pairs.field import PairsScoring, ScoredField, ScoredLine
from tourney.store.db.database import Database
from tourney.store.draw.objects import MatchInfo, StageInfo
from tourney.store.results.event_results import Scope, iter_results, load_leads
from tourney.store.results.secrecy import HiddenBoards


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """What one table has on a board."""

    match: int
    """The number of the match."""
    round: int
    """The number of the round, counted through the event."""
    table: int
    """The number of the table in its round, from 1."""
    result: Result | None
    """What was played there, whatever a ruling says; None if nothing was."""
    lead: Card | None
    """The opening lead; None when the board was passed out, or no card is on record."""
    scored: ScoredLine
    """What counts for both sides, and what it is worth."""

    @property
    def ns(self) -> str:
        return self.scored.line.ns

    @property
    def ew(self) -> str:
        return self.scored.line.ew

    @property
    def score_ns(self) -> int | None:
        """North-South's points, if one score counts for both sides; None for one weighted, split or artificial."""
        own = self.scored.line.ns_result
        if own != self.scored.line.ew_result or isinstance(own, str) or len(own) != 1:
            return None
        return own[0].score_ns


@dataclass(frozen=True, slots=True)
class BoardTraveller:
    """A board of a stage with all its rows, the best for North-South first."""

    board: int
    """The number of the board."""
    rows: tuple[TravellerRow, ...]


@dataclass(frozen=True)
class PairsField:
    """A stage of pairs with its travellers."""

    stage: StageInfo
    scored: ScoredField
    """The whole stage, hidden boards included: the totals of the pairs depend on them."""
    travellers: tuple[BoardTraveller, ...]
    """Those that may be shown, in the order of their numbers."""
    _rows: Mapping[tuple[int, int], TravellerRow] = field(repr=False)

    @property
    def scoring(self) -> PairsScoring:
        return self.scored.rules.scoring

    @cached_property
    def by_board(self) -> Mapping[int, BoardTraveller]:
        """The travellers by the numbers of their boards."""
        return {traveller.board: traveller for traveller in self.travellers}

    def table_of(self, match: MatchInfo) -> int:
        """Return the number of the table that a match is played at, from 1."""
        round_ = next(round_ for round_ in self.stage.rounds if round_.number == match.round)
        return next(number for number, other in enumerate(round_.matches, 1) if other.number == match.number)

    def row(self, match: int, board: int) -> TravellerRow | None:
        """Return what a match has on a board; None while it does not count."""
        return self._rows.get((match, board))

    def penalty(self, pair: str) -> Fraction:
        """Return the matchpoints or IMPs that penalties have taken from a pair."""
        won = sum(
            (
                points
                for traveller in self.scored.travellers
                for line in traveller.lines
                for side, own in ((Side.NS, line.line.ns), (Side.EW, line.line.ew))
                if own == pair and (points := line.points(side)) is not None
            ),
            Fraction(),
        )
        return won - self.scored.totals[pair].points


def load_pairs_fields(database: Database, results: EventResults, hidden: HiddenBoards) -> dict[int, PairsField]:
    """Load the travellers of each stage of pairs that is drawn, by its number.

    Raises:
        StoreError: the database cannot be used.
    """
    event = results.event
    stages = [stage for stage in event.stages if stage.format.is_of_pairs and stage.entries]
    if not stages:
        return {}
    scope = Scope(event.id)
    played = {match: rooms.get(Room.OPEN, {}) for match, rooms in iter_results(database, scope)}
    made = {match: {number: found.result for number, found in boards.items()} for match, boards in played.items()}
    leads = load_leads(database, scope)
    return {stage.number: _load_stage(results, stage, hidden, made, leads) for stage in stages}


def _load_stage(
    results: EventResults,
    stage: StageInfo,
    hidden: HiddenBoards,
    made: Mapping[int, Mapping[int, Result]],
    leads: Mapping[tuple[int, int], Card],
) -> PairsField:
    contest = contest_of(stage.format)
    assert isinstance(contest, PairsContest)
    scored = contest.score_boards(results.of_stage(stage).field_of(1))
    places = _places(stage, results.boards)
    travellers = []
    for traveller in scored.travellers:
        number = int(traveller.traveller.board)
        rows = []
        for line in traveller.lines:
            match, table = places[number, line.line.ns, line.line.ew]
            if number not in hidden.of_match(match):
                result = made.get(match.number, {}).get(number)
                lead = leads.get((match.segments[0].tables[Room.OPEN].id, number))
                rows.append(TravellerRow(match.number, match.round, table, result, lead, line))
        if rows:
            travellers.append(BoardTraveller(number, tuple(_best_first(rows))))
    travellers.sort(key=lambda traveller: traveller.board)
    by_place = {(row.match, traveller.board): row for traveller in travellers for row in traveller.rows}
    return PairsField(stage, scored, tuple(travellers), by_place)


def _places(
    stage: StageInfo, boards: Mapping[int, Mapping[int, object]]
) -> dict[tuple[int, str, str], tuple[MatchInfo, int]]:
    """Return where each board is played by a North-South and an East-West pair: the match, and its table."""
    return {
        (number, match.home, match.away): (match, table)
        for round_ in stage.rounds
        for table, match in enumerate(round_.matches, 1)
        for number in boards[match.number]
    }


def _best_first(rows: Sequence[TravellerRow]) -> Iterator[TravellerRow]:
    """Yield the rows with one score by North-South's points, then the others, each by round and table."""
    yield from sorted(
        rows, key=lambda row: (row.score_ns is None, -(row.score_ns or 0), row.round, row.table, row.match)
    )
