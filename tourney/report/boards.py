"""Boards compared over all matches of a round: every table that played a board, with contract, lead, score and IMPs.

Tables are compared that played the same set of boards: all of the round where it shares its deals, else the two of
one match. A board of a match is among them once both rooms are over with it, as on the scorecard. Where a ruling has
changed its score there are the results at the tables, and the IMPs that count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.bridge import Board, Card
from tourney.movement.seating import Room
from tourney.results.scorecard import Scorecard, ScorecardBoard
from tourney.results.scorecards import iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo, TableInfo
from tourney.store.results.bulk_results import Scope, StoredSet, load_begun_rounds, load_leads, load_sets
from tourney.store.rulings.verdicts import RulingInfo


@dataclass(frozen=True, slots=True)
class BoardAtTable:
    """What one table made of a board."""

    match: MatchInfo
    table: TableInfo
    result: BoardResult | None
    """None where it came to none."""
    lead: Card | None
    """The opening lead; None when the board was passed out, or no card is on record."""
    imps_ns: int
    """Of the team that sits North-South here, over both rooms of its match."""
    rulings: tuple[RulingInfo, ...]
    """Those that make the score of the board in this match."""

    @property
    def ns_team(self) -> str:
        return self.table.ns_team

    @property
    def ew_team(self) -> str:
        return self.table.ew_team

    @property
    def room(self) -> Room:
        return self.table.room


@dataclass(frozen=True, slots=True)
class ComparedBoard:
    """One deal and the tables that are over with it."""

    set_name: str
    board: Board
    tables: tuple[BoardAtTable, ...]
    """Best for North-South first, those without a result last; equal ones by match, the open room first."""
    frequencies: Mapping[int, int]
    """How many tables have each score of North-South, best first; those on which a ruling is do not count."""


@dataclass(frozen=True, slots=True)
class BoardComparisons:
    event: str
    round: int
    boards: tuple[ComparedBoard, ...]
    """Set by set in the order of play; boards that no match is over with are left out."""


def newest_round(database: Database, event: EventInfo) -> int:
    """The last round of which a board can be shown; the first when there is none.

    Raises:
        StoreError: the database cannot be used.
    """
    for number in reversed(load_begun_rounds(database, event.id)):
        cards = iter_scorecards(database, event, {}, Scope(event.id, number))
        if any(card.boards_finished for card in cards):
            return number
    return event.rounds[0].number


def load_comparisons(
    database: Database, event: EventInfo, round_number: int, board: int | None = None
) -> BoardComparisons:
    """The boards of a round, or those of one number.

    Raises:
        StoreError: the database cannot be used.
    """
    scope = Scope(event.id, round_number)
    cards = list(iter_scorecards(database, event, {}, scope))
    # Read after the results: each of them has its lead.
    leads = load_leads(database, scope)
    boards = compare_boards(cards, load_sets(database, scope), leads)
    wanted = tuple(compared for compared in boards if board in (None, compared.board.number))
    return BoardComparisons(event.name, round_number, wanted)


def compare_boards(
    cards: Iterable[Scorecard], sets: Mapping[int, StoredSet], leads: Mapping[tuple[int, int], Card]
) -> list[ComparedBoard]:
    """The boards of some matches from their scorecards; leads are by id of the table and number of the board."""
    tables: defaultdict[tuple[int, int], list[BoardAtTable]] = defaultdict(list)
    for card in cards:
        for line in card.boards:
            if line.imps is not None and line.imps_away is not None:
                tables[card.match.board_set_id, line.number] += _at_tables(card.match, line, leads)
    return [
        _compared(stored.name, board, tables[set_id, board.number])
        for set_id, stored in sets.items()
        for board in stored.boards
        if (set_id, board.number) in tables
    ]


def _at_tables(
    match: MatchInfo, line: ScorecardBoard, leads: Mapping[tuple[int, int], Card]
) -> Iterable[BoardAtTable]:
    assert line.imps is not None
    assert line.imps_away is not None
    for room in Room:
        table = line.tables[room]
        yield BoardAtTable(
            match=match,
            table=table,
            result=line.results.get(room),
            lead=leads.get((table.id, line.number)),
            imps_ns=line.imps if table.ns_team == match.home else line.imps_away,
            rulings=line.rulings,
        )


def _compared(set_name: str, board: Board, tables: Iterable[BoardAtTable]) -> ComparedBoard:
    def order(at_table: BoardAtTable) -> tuple[bool, int, int, bool]:
        score = at_table.result.result.score if at_table.result is not None else 0
        return at_table.result is None, -score, at_table.match.number, at_table.room is Room.CLOSED

    ordered = tuple(sorted(tables, key=order))
    scores = [table.result.result.score for table in ordered if table.result is not None and not table.rulings]
    return ComparedBoard(set_name, board, ordered, Counter(scores))
