"""Boards compared over all matches of a round: every table that played a board, with contract, lead, score and IMPs.

Only tables that played the same boards are compared: all tables of the round if its matches share their deals,
otherwise the two tables of each match. A board of a match is shown once both rooms have finished it, as on the
scorecard. Where a ruling has changed its score, the table shows the results as played and the IMPs that count.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from tourney.bridge import Board, Card
from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room, TableInfo
from tourney.output.content import BoardLink, EntrantLink, Hands, MatchLink, Title
from tourney.output.rows import ABSENT, INLINE, NOT_IN_CSV, Cell, Row, Unit, document_of
from tourney.output.tables import CsvTable, Parts, TextTable, csv_values, make_table
from tourney.output.units import CardUnit, DealUnit, MatchNumber, Points, RoomName, SeatUnit, VulnerabilityName
from tourney.plurals import count
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.record.results import BoardResult
from tourney.store.results.event_results import MatchFilter, load_leads, load_sets
from tourney.store.results.matches import load_board_numbers
from tourney.views.figures import keyed
from tourney.views.outcome import PlayedDocument, played_columns, played_row
from tourney.views.report import Report
from tourney.views.rulings import CountedRulings, describe_rulings


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
    lead: CardUnit | None
    """The opening lead; null where no card was played."""
    imps_ns: int | None
    """IMPs of the team that sits North-South here, over both rooms of its match; null at board-a-match."""
    points_ns: Annotated[Points | None, NOT_IN_CSV] = ABSENT
    """In matches scored in points: those of the team that sits North-South, as a decimal string, in place of IMPs."""
    rulings: CountedRulings
    """The rulings that determine the score of the board in this match."""


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


class ComparedBoardDocument(Row):
    """A deal and the tables that have finished it."""

    dealt: Annotated[DealtBoardDocument, INLINE]
    tables: list[BoardAtTable]
    """The tables that have finished the board, match by match."""


@dataclass(frozen=True, slots=True)
class TableOfBoard:
    """What one table made of a board."""

    match: MatchInfo
    table: TableInfo
    result: BoardResult | None
    """None if the board has no result."""
    lead: Card | None
    figure: int
    """What the team that sits North-South won, over both rooms of its match, as a figure of its scale."""
    rulings: Sequence[Ruling]
    """The rulings that determine the score of the board in this match."""


@dataclass(frozen=True, slots=True)
class ComparedBoard:
    """A deal and the tables that have finished it."""

    set_name: str
    board: Board
    tables: tuple[TableOfBoard, ...]
    """The best for North-South first."""


class BoardComparisons(Report):
    """The boards of a round compared over its tables."""

    event: str
    """The name of the event."""
    round: int
    """The number of the round."""
    boards: Annotated[
        Sequence[ComparedBoard],
        Unit(form=list[ComparedBoardDocument], json=lambda boards: document_of(list(map(_board_row, boards)))),
    ]
    """The boards set by set in the order of play; boards that no match has finished are left out."""

    def csv(self) -> CsvTable:
        """Return a row per table, each with its board."""
        columns = (*DealtBoardDocument.csv_columns(), *BoardAtTable.csv_columns(), "adjusted")
        rows = (
            csv_values(columns, found.dealt, table, adjusted=bool(table.rulings))
            for found in map(_board_row, self.boards)
            for table in found.tables
        )
        return CsvTable(columns, rows)

    def text(self) -> Parts:
        """Yield each board with its hands and a table of results."""
        finished = count(len(self.boards), "board")
        yield Title(f"{self.event}, round {self.round}", f"{finished} finished in both rooms of a match")
        for compared in self.boards:
            board = compared.board
            matches = count(len({table.match.number for table in compared.tables}), "match", "matches")
            yield Hands(
                board,
                f"Board {board.number} of set {compared.set_name}, compared over {matches}: "
                f"dealer {board.dealer.title}, vulnerable {board.vulnerability.value}",
            )
            yield board_table(compared)
            yield from describe_rulings(table.rulings for table in compared.tables)


def board_table(compared: ComparedBoard, own: int | None = None) -> TextTable:
    """Return what all tables made of a board; the rows of one match, given by its number, are set apart."""
    number = compared.board.number
    scale = compared.tables[0].match.board_scale
    columns = [
        Cell("North-South", "table.ns_team", worth=2, to=(EntrantLink, "table.ns_team")),
        Cell(
            "East-West",
            "table.ew_team",
            to=(EntrantLink, "table.ew_team"),
            tone="team",
        ),
        *played_columns(lambda row: row, lambda row: BoardLink(row.match.number, number)),
        Cell(
            ">Score",
            lambda row: row.result.result.score if row.result is not None else "",
            worth=2,
            words="North-South's",
        ),
        Cell(
            f">{scale.heading}",
            lambda row: f"{scale.format(row.figure)}{'*' if row.rulings else ''}",
            worth=2,
            words="North-South's, over both rooms of the match",
        ),
        Cell(">Match", "match.number", to=(MatchLink, "match.number")),
        Cell("Room", "table.room.value"),
    ]
    return make_table(columns, compared.tables, tone_of=lambda row: "own" if row.match.number == own else "")


def load(drawn: DrawnEvent, *, board: int | None = None, round_number: int | None = None) -> BoardComparisons:
    """Load the boards of a round, by default the newest; with `board`, only the boards of that number.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such round, or no such board in it.
    """
    drawn.check_round(round_number)
    compared = _load_round(drawn, round_number) if round_number is not None else load_newest(drawn)
    assert compared is not None
    if board is None:
        return compared
    sets, number = load_board_numbers(*drawn.record), compared.round
    matches = drawn.event.rounds[number - 1].matches
    check_board(board, {n for each in matches for n in sets[each.board_set_id][: each.boards]}, f"round {number}")
    return replace(compared, boards=[each for each in compared.boards if each.board.number == board])


def check_board(board: int, numbers: Collection[int], place: str) -> None:
    """Check that a board is one of those that are played in some place.

    Raises:
        UsageError: it is not.
    """
    if board not in numbers:
        least, most = (min(numbers), max(numbers)) if numbers else (None, None)
        limits = "not drawn yet" if least is None else f"{least}..{most}" if least != most else str(least)
        raise UsageError(f"boards of {place} are {limits}, got {board}")


def load_newest(drawn: DrawnEvent) -> BoardComparisons | None:
    """Load the last round of matches with a board that can be shown, else the first; None before one is drawn.

    Raises:
        StoreError: the database cannot be used.
    """
    event = drawn.event
    stages = [each for each in event.stages if each not in event.pairs_stages and "boards" not in each.format.instead]
    rounds = [each.number for stage in stages for each in stage.rounds if each.is_drawn]
    loaded = (_load_round(drawn, number) for number in reversed(rounds))
    return next((each for each in loaded if each.boards or each.round == rounds[0]), None)


def _load_round(drawn: DrawnEvent, number: int) -> BoardComparisons:
    cards = iter_scorecards(drawn.database, drawn.event, {}, MatchFilter(drawn.event.id, number))
    return compare_round(drawn.database, drawn.event, number, cards)


def compare_round(
    database: Database, event: EventInfo, round_number: int, cards: Iterable[Scorecard]
) -> BoardComparisons:
    """Compare the boards of a round; `cards` are the scorecards of its matches.

    Raises:
        StoreError: the database cannot be used.
    """
    scope = MatchFilter(event.id, round_number)
    finished = [(card.match, line) for card in cards for line in card.boards]
    # Read after the results: each of them has its lead.
    leads = load_leads(database, scope)
    tables: defaultdict[tuple[int, int], list[TableOfBoard]] = defaultdict(list)
    for match, line in finished:
        if line.imps is not None and line.imps_away is not None:
            for room, table in line.tables.items():
                figure = line.imps if table.ns_team == match.home else line.imps_away
                row = TableOfBoard(
                    match, table, line.results.get(room), leads.get((table.id, line.number)), figure, line.rulings
                )
                tables[match.board_set_id, line.number].append(row)
    boards = [
        ComparedBoard(stored.name, board, tuple(sorted(tables[set_id, board.number], key=_order)))
        for set_id, stored in load_sets(database, scope).items()
        for board in stored.boards
        if (set_id, board.number) in tables
    ]
    return BoardComparisons(event.name, round_number, boards)


def _order(row: TableOfBoard) -> tuple[bool, int, int, bool]:
    score = row.result.result.score if row.result is not None else 0
    return row.result is None, -score, row.match.number, row.table.room is Room.CLOSED


# Documents


def _board_row(compared: ComparedBoard) -> ComparedBoardDocument:
    return ComparedBoardDocument(
        dealt_row(compared.set_name, compared.board),
        list(map(_table_row, compared.tables)),
    )


def _table_row(row: TableOfBoard) -> BoardAtTable:
    return BoardAtTable.from_attributes(
        row,
        room=row.table.room,
        ns=row.table.ns_team,
        ew=row.table.ew_team,
        played=played_row(row.result),
        **keyed(row.match.board_scale, imps_ns=row.figure),
    )


def dealt_row(set_name: str, board: Board) -> DealtBoardDocument:
    """Return a deal as a row."""
    return DealtBoardDocument(board.number, set_name, board.dealer, board.vulnerability, board.deal)
