"""Boards compared over all matches of a round: every table that played a board, with contract, lead, score and IMPs.

Only tables that played the same boards are compared: all tables of the round if its matches share their deals,
otherwise the two tables of each match. A board of a match is shown once both rooms have finished it, as on the
scorecard. Where a ruling has changed its score, the table shows the results as played and the IMPs that count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from typing_extensions import TypedDict

from tourney.bridge import Board, Card, format_deal
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.rows import NOTHING
from tourney.output.tables import CsvTable, TextTable
from tourney.output.units import (
    CardText,
    ContractText,
    DealText,
    RoomName,
    SeatLetter,
    Tricks,
    VulnerabilityName,
)
from tourney.plurals import count
from tourney.report.figures import SidePointsDocument, imps_of, side_points
from tourney.report.match import format_outcome, played_document
from tourney.report.report import Report
from tourney.report.rulings import CountedRulingDocument, counted_rulings, describe_ruling
from tourney.results.scorecard import Scorecard, ScorecardBoard, iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo, TableInfo
from tourney.store.results.event_results import MatchFilter, StoredSet, load_begun_matches, load_leads, load_sets
from tourney.store.results.matches import load_board_numbers
from tourney.store.rulings import RulingInfo

COLUMNS: Final = (
    *("board", "set", "dealer", "vulnerable", "deal", "match", "room", "ns", "ew"),
    *("contract", "declarer", "lead", "tricks", "score", "imps_ns", "adjusted"),
)


class FrequencyDocument(TypedDict):
    """How many tables have a score."""

    score: int
    """The score of North-South in points."""
    tables: int
    """How many tables have this score; those whose score a ruling has changed do not count."""


class BoardAtTableDocument(SidePointsDocument):
    """What one table made of a board; contract, declarer, tricks and score are null if the board has no result."""

    match: int
    """The number of the match."""
    room: RoomName
    """The room in which the board was played."""
    ns: str
    """The team that sits North-South."""
    ew: str
    """The team that sits East-West."""
    contract: ContractText | None
    """The contract, such as 4SX, or Pass."""
    declarer: SeatLetter | None
    """The declarer; null too when the board was passed out."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null too when the board was passed out."""
    score: int | None
    """The score of North-South in points."""
    lead: CardText | None
    """The opening lead; null where no card was played."""
    imps_ns: int | None
    """IMPs of the team that sits North-South here, over both rooms of its match; null at board-a-match."""
    rulings: list[CountedRulingDocument]
    """The rulings that determine the score of the board in this match."""


class DealtBoardDocument(TypedDict):
    """A deal."""

    board: int
    """The number of the board."""
    set: str
    """The name of the set of boards that it belongs to."""
    dealer: SeatLetter
    """The dealer."""
    vulnerable: VulnerabilityName
    """Which sides are vulnerable."""
    deal: DealText
    """The four hands in PBN, from North, suits from spades to clubs."""


class ComparedBoardDocument(DealtBoardDocument):
    """A deal and the tables that have finished it."""

    frequencies: list[FrequencyDocument]
    """How often each score came up, best for North-South first."""
    tables: list[BoardAtTableDocument]
    """The tables that have finished the board, match by match."""


class BoardsDocument(TypedDict):
    """The boards of a round compared over its tables."""

    event: str
    """The name of the event."""
    round: int
    """The number of the round."""
    boards: list[ComparedBoardDocument]
    """The boards set by set in the order of play; boards that no match has finished are left out."""


@dataclass(frozen=True, slots=True)
class BoardAtTable:
    """What one table made of a board."""

    match: MatchInfo
    table: TableInfo
    result: BoardResult | None
    """None if the board has no result."""
    lead: Card | None
    """The opening lead; None when the board was passed out, or no card is on record."""
    imps_ns: int
    """IMPs of the team that sits North-South here, over both rooms of its match."""
    rulings: tuple[RulingInfo, ...]
    """The rulings that determine the score of the board in this match."""

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
    """One deal and the tables that have finished it."""

    set_name: str
    board: Board
    tables: tuple[BoardAtTable, ...]
    """Best for North-South first, those without a result last; ties in the order of matches, the open room first."""
    frequencies: Mapping[int, int]
    """How many tables have each score of North-South, best first; tables with a ruling on the board do not count."""


class BoardComparisons(Report):
    event: str
    round: int
    boards: tuple[ComparedBoard, ...]
    """The boards, set by set in the order of play; boards that no match has finished are left out."""

    def document(self) -> BoardsDocument:
        """Return the boards with the result at every table."""
        return {
            "event": self.event,
            "round": self.round,
            "boards": [
                {
                    **dealt_document(compared.set_name, compared.board),
                    "frequencies": [
                        {"score": score, "tables": tables} for score, tables in compared.frequencies.items()
                    ],
                    "tables": [_at_table_document(table) for table in compared.tables],
                }
                for compared in self.boards
            ],
        }

    def csv(self) -> CsvTable:
        """Return a row per table, each with its board."""
        return CsvTable(COLUMNS, self._csv_rows())

    def _csv_rows(self) -> Iterator[dict[str, Any]]:  # fields of CSV
        for compared in self.boards:
            dealt = dealt_document(compared.set_name, compared.board)
            for table in compared.tables:
                yield {**dealt, **_at_table_document(table), "adjusted": bool(table.rulings)}

    def text(self) -> Iterator[str | TextTable]:
        """Yield each board with its hands and a table of results."""
        finished = count(len(self.boards), "board")
        yield f"{self.event}, round {self.round}: {finished} finished in both rooms of a match"
        for compared in self.boards:
            yield ""
            board = compared.board
            matches = count(len({table.match.number for table in compared.tables}), "match", "matches")
            yield (
                f"Board {board.number} of set {compared.set_name}, compared over {matches}: "
                f"dealer {board.dealer.title}, vulnerable {board.vulnerability.value}"
            )
            yield format_deal(board.deal)
            yield _table(compared)
            rulings = {ruling.id: ruling for table in compared.tables for ruling in table.rulings}
            for ruling in rulings.values():
                yield f"* {describe_ruling(ruling)}"


def load(drawn: DrawnEvent, *, board: int | None = None, round_number: int | None = None) -> BoardComparisons:
    """Load the boards of a round, by default the newest; with `board`, only the boards of that number.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such round, or no such board in it.
    """
    drawn.check_two_rooms("boards")
    drawn.check_round(round_number)
    database, event = drawn.database, drawn.event
    number = round_number if round_number is not None else newest_round(database, event)
    if board is not None:
        sets = load_board_numbers(database, event.id)
        matches = event.rounds[number - 1].matches
        found = sorted({n for match in matches for n in sets[match.board_set_id][: match.boards]})
        if not found:
            raise UsageError(f"round {number} has no match, got board {board}")
        if board not in found:
            limits = f"{found[0]}..{found[-1]}" if len(found) > 1 else str(found[0])
            raise UsageError(f"boards of round {number} are {limits}, got {board}")
    return load_comparisons(database, event, number, board)


def newest_round(database: Database, event: EventInfo) -> int:
    """Return the last round of matches with a board that can be shown; the first such round if there is none.

    Raises:
        StoreError: the database cannot be used.
    """
    rounds = [round_.number for round_ in event.rounds if not event.stages[round_.stage - 1].format.is_at_one_table]
    matches = load_begun_matches(database, event.id)
    begun = {match.round for match in event.matches if match.number in matches}
    for number in reversed([number for number in rounds if number in begun]):
        cards = iter_scorecards(database, event, {}, MatchFilter(event.id, number))
        if any(card.boards_finished for card in cards):
            return number
    return rounds[0]


def load_comparisons(
    database: Database, event: EventInfo, round_number: int, board: int | None = None
) -> BoardComparisons:
    """Load the boards of a round, or only those of one number.

    Raises:
        StoreError: the database cannot be used.
    """
    scope = MatchFilter(event.id, round_number)
    cards = [card for card in iter_scorecards(database, event, {}, scope) if not card.match.format.is_at_one_table]
    # Read after the results: each of them has its lead.
    leads = load_leads(database, scope)
    boards = compare_boards(cards, load_sets(database, scope), leads)
    wanted = tuple(compared for compared in boards if board in (None, compared.board.number))
    return BoardComparisons(event.name, round_number, wanted)


def compare_boards(
    cards: Iterable[Scorecard], sets: Mapping[int, StoredSet], leads: Mapping[tuple[int, int], Card]
) -> list[ComparedBoard]:
    """Compare the boards of matches; `leads` maps the id of a table and the number of a board to the opening lead."""
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


def dealt_document(set_name: str, board: Board) -> DealtBoardDocument:
    """Return a deal as a document."""
    return {
        "board": board.number,
        "set": set_name,
        "dealer": board.dealer.letter,
        "vulnerable": board.vulnerability.value,
        "deal": format_deal(board.deal),
    }


def _at_table_document(table: BoardAtTable) -> BoardAtTableDocument:
    played = played_document(table.result) if table.result is not None else None
    return {
        "match": table.match.number,
        "room": table.room.value,
        "ns": table.ns_team,
        "ew": table.ew_team,
        "contract": played["contract"] if played is not None else None,
        "declarer": played["declarer"] if played is not None else None,
        "tricks": played["tricks"] if played is not None else None,
        "score": played["score"] if played is not None else None,
        "lead": str(table.lead) if table.lead is not None else None,
        "imps_ns": imps_of(table.match.board_scale, table.imps_ns),
        **side_points(table.match.board_scale, table.imps_ns),
        "rulings": counted_rulings(table.rulings),
    }


_WORTH: Final = {
    "North-South": 2,
    "East-West": 2,
    "Contract": 2,
    "Score": 2,
    "IMPs": 2,
    "Points": 2,
    "Tricks": 1,
    "Tables": -1,
}


def _table(compared: ComparedBoard) -> TextTable:
    is_bam = any(at_table.match.board_scale.is_board_a_match for at_table in compared.tables)
    unit = "Points" if is_bam else "IMPs"
    table = TextTable(
        "North-South",
        "East-West",
        "Contract",
        "Lead",
        ">Tricks",
        ">Score",
        ">Tables",
        f">{unit}",
        ">Match",
        "Room",
        worth=_WORTH,
    )
    counted: set[int] = set()
    for at_table in compared.tables:
        table.add_row(*_cells(at_table, compared, counted))
    return table


def _cells(at_table: BoardAtTable, compared: ComparedBoard, counted: set[int]) -> Iterator[str]:
    """Yield the cells of a row; how many tables made a score is given in its first row only."""
    yield from (at_table.ns_team, at_table.ew_team)
    result = at_table.result
    if result is None:
        yield from ["no result", "", "", "", ""]
    else:
        score = result.result.score
        yield format_outcome(result)
        yield str(at_table.lead) if at_table.lead is not None else NOTHING
        yield str(result.result.tricks) if result.result.contract is not None else NOTHING
        yield str(score)
        is_first = not at_table.rulings and score not in counted
        yield str(compared.frequencies[score]) if is_first else ""
        if is_first:
            counted.add(score)
    yield f"{at_table.match.board_scale.format(at_table.imps_ns)}{'*' if at_table.rulings else ''}"
    yield from (str(at_table.match.number), at_table.room.value)
