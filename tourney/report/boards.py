"""Boards compared over all matches of a round: every table that played a board, with contract, lead, score and IMPs.

Only tables that played the same boards are compared: all tables of the round if its matches share their deals,
otherwise the two tables of each match. A board of a match is shown once both rooms have finished it, as on the
scorecard. Where a ruling has changed its score, the table shows the results as played and the IMPs that count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final

from tourney.bridge import Board, Card, format_deal
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.rows import (
    ABSENT,
    CSV_ONLY,
    INLINE,
    NOT_IN_CSV,
    TEXT_ONLY,
    Document,
    InCsv,
    Row,
    Unit,
    document_of,
)
from tourney.output.tables import CsvTable, Part, TextTable, csv_table
from tourney.output.units import CardUnit, DealUnit, MatchNumber, Points, RoomName, SeatUnit, VulnerabilityName
from tourney.plurals import count
from tourney.report.figures import imps_of, points_of
from tourney.report.outcome import PlayedDocument, contract_cells, played_row
from tourney.report.report import Report
from tourney.report.rulings import CountedRulings, describe_rulings
from tourney.results.scorecard import Scorecard, ScorecardBoard, iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo
from tourney.store.results.event_results import MatchFilter, StoredSet, load_begun_matches, load_leads, load_sets
from tourney.store.results.matches import load_board_numbers


class FrequencyDocument(Row):
    """How many tables have a score."""

    score: int
    """The score of North-South in points."""
    tables: int
    """How many tables have this score; those whose score a ruling has changed do not count."""


def _frequencies(tables: Mapping[int, int]) -> list[Document]:
    return [document_of(FrequencyDocument(*each)) for each in tables.items()]


class BoardAtTable(Row, kw_only=True):
    """What one table made of a board; contract, declarer, tricks and score are null if the board has no result."""

    match: MatchNumber
    """The number of the match."""
    room: RoomName
    """The room in which the board was played."""
    ns: str
    """The team that sits North-South."""
    ew: str
    """The team that sits East-West."""
    played: Annotated[PlayedDocument | None, INLINE]
    lead: Annotated[CardUnit | None, InCsv(after="declarer")]
    """The opening lead; null where no card was played."""
    imps_ns: int | None
    """IMPs of the team that sits North-South here, over both rooms of its match; null at board-a-match."""
    points_ns: Annotated[Points | None, NOT_IN_CSV] = ABSENT
    """In matches scored in points: those of the team that sits North-South, as a decimal string, in place of IMPs."""
    rulings: CountedRulings
    """The rulings that determine the score of the board in this match."""
    adjusted: Annotated[bool, CSV_ONLY]
    """Whether there are any."""
    result: Annotated[BoardResult | None, TEXT_ONLY]
    """None if the board has no result."""


class DealtBoardDocument(Row):
    """A deal."""

    board: int
    """The number of the board."""
    set: str
    """The name of the set of boards that it belongs to."""
    dealer: SeatUnit
    """The dealer."""
    vulnerable: VulnerabilityName
    """Which sides are vulnerable."""
    deal: DealUnit
    """The four hands in PBN, from North, suits from spades to clubs."""


class ComparedBoard(Row):
    """A deal and the tables that have finished it."""

    dealt: Annotated[DealtBoardDocument, INLINE]
    frequencies: Annotated[Mapping[int, int], Unit(form=list[FrequencyDocument], json=_frequencies)]
    """How often each score came up, best for North-South first."""
    tables: tuple[BoardAtTable, ...]
    """The tables that have finished the board, match by match."""


class DealtBoardAtTable(Row):
    """A deal and what one table made of it, in CSV."""

    dealt: Annotated[DealtBoardDocument, INLINE]
    table: Annotated[BoardAtTable, INLINE]


class BoardComparisons(Report):
    """The boards of a round compared over its tables."""

    event: str
    """The name of the event."""
    round: int
    """The number of the round."""
    boards: tuple[ComparedBoard, ...]
    """The boards set by set in the order of play; boards that no match has finished are left out."""

    def csv(self) -> CsvTable:
        """Return a row per table, each with its board."""
        rows = (DealtBoardAtTable(board.dealt, table) for board in self.boards for table in board.tables)
        return csv_table(DealtBoardAtTable, rows)

    def text(self) -> Iterator[Part]:
        """Yield each board with its hands and a table of results."""
        finished = count(len(self.boards), "board")
        yield f"{self.event}, round {self.round}: {finished} finished in both rooms of a match"
        for compared in self.boards:
            yield ""
            dealt = compared.dealt
            matches = count(len({table.match.number for table in compared.tables}), "match", "matches")
            yield (
                f"Board {dealt.board} of set {dealt.set}, compared over {matches}: "
                f"dealer {dealt.dealer.title}, vulnerable {dealt.vulnerable}"
            )
            yield format_deal(dealt.deal)
            yield _table(compared)
            yield from describe_rulings(table.rulings for table in compared.tables)


def load(drawn: DrawnEvent, *, board: int | None = None, round_number: int | None = None) -> BoardComparisons:
    """Load the boards of a round, by default the newest; with `board`, only the boards of that number.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such round, or no such board in it.
    """
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
    scope = MatchFilter(event.id, number)
    cards = [card for card in iter_scorecards(database, event, {}, scope) if card.match.format.has_rooms]
    # Read after the results: each of them has its lead.
    leads = load_leads(database, scope)
    boards = compare_boards(cards, load_sets(database, scope), leads)
    return BoardComparisons(event.name, number, tuple(each for each in boards if board in (None, each.dealt.board)))


def newest_round(database: Database, event: EventInfo) -> int:
    """Return the last round of matches with a board that can be shown; the first such round if there is none.

    Raises:
        StoreError: the database cannot be used.
    """
    rounds = [round_.number for round_ in event.rounds if event.stages[round_.stage - 1].format.has_rooms]
    matches = load_begun_matches(database, event.id)
    begun = {match.round for match in event.matches if match.number in matches}
    for number in reversed([number for number in rounds if number in begun]):
        cards = iter_scorecards(database, event, {}, MatchFilter(event.id, number))
        if any(card.boards_finished for card in cards):
            return number
    return rounds[0]


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
    for room in Room:
        table = line.tables[room]
        result = line.results.get(room)
        figure = line.imps if table.ns_team == match.home else line.imps_away
        yield BoardAtTable(
            match=match,
            room=room,
            ns=table.ns_team,
            ew=table.ew_team,
            played=played_row(result),
            lead=leads.get((table.id, line.number)),
            imps_ns=imps_of(match.board_scale, figure),
            points_ns=points_of(match.board_scale, figure),
            rulings=line.rulings,
            adjusted=bool(line.rulings),
            result=result,
        )


def _compared(set_name: str, board: Board, tables: Iterable[BoardAtTable]) -> ComparedBoard:
    def order(table: BoardAtTable) -> tuple[bool, int, int, bool]:
        score = table.played.score if table.played is not None else 0
        return table.played is None, -score, table.match.number, table.room == Room.CLOSED

    ordered = tuple(sorted(tables, key=order))
    scores = [table.played.score for table in ordered if table.played is not None and not table.rulings]
    return ComparedBoard(dealt_row(set_name, board), Counter(scores), ordered)


def dealt_row(set_name: str, board: Board) -> DealtBoardDocument:
    """Return a deal as a row."""
    return DealtBoardDocument(board.number, set_name, board.dealer, board.vulnerability, board.deal)


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
    yield from (at_table.ns, at_table.ew)
    result = at_table.result
    if result is None:
        yield from ["no result", "", "", "", ""]
    else:
        score = result.result.score
        yield from contract_cells(result, at_table.lead)
        yield str(score)
        is_first = not at_table.rulings and score not in counted
        yield str(compared.frequencies[score]) if is_first else ""
        if is_first:
            counted.add(score)
    figure = at_table.imps_ns if at_table.points_ns is ABSENT else at_table.points_ns
    yield f"{figure}{'*' if at_table.rulings else ''}"
    yield from (str(at_table.match.number), at_table.room)
