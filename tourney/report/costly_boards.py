"""The boards that cost a team most: both auctions, and what was lost in the auction and what in the play.

A board is compared once both rooms have finished it, as on the scorecard. A board whose score a ruling has changed
was not lost at the table and is left out. What was lost in the auction and in the play is known after
`tourney analyse`, and is what `tourney.report.bidding_and_play` says.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from tourney.bridge import Call, Seat
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.rows import NOTHING, TEXT_ONLY, Row, Unit
from tourney.output.tables import CsvTable, TextTable, csv_table
from tourney.output.units import CallText, CardUnit, DealUnit, MatchNumber, SeatUnit, Tricks, VulnerabilityName
from tourney.plurals import count
from tourney.report.bidding_and_play import split_board
from tourney.report.butler import describe_left_out
from tourney.report.outcome import PlayedDocument, format_outcome, played_row
from tourney.report.report import Report
from tourney.results.scorecard import Scorecard, ScorecardBoard, iter_scorecards
from tourney.scoring.double_dummy import BoardWorth
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, MatchInfo
from tourney.store.record.live import LiveBoard, load_final_boards_played
from tourney.store.results.event_results import MatchFilter
from tourney.store.results.matches import load_board_worths

WHOLE: Final = "board"
BIDDING: Final = "bidding"
PLAY: Final = "play"
PARTS: Final = (WHOLE, BIDDING, PLAY)
"""What boards are chosen and put in order by: the IMPs of the whole board, or of one of its parts."""

_COLUMNS: Final = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
_CALL_CHARS: Final = 6


class RoomOfCostlyBoard(PlayedDocument):
    """What was bid and played on a board in a room."""

    ns: str
    """The team that sat North-South."""
    ew: str
    """The team that sat East-West."""
    possible: Tricks | None
    """The tricks that declarer makes double dummy; null if the board was passed out, or has not been solved."""
    lead: CardUnit | None
    """The opening lead; null if no card was played."""
    auction: Annotated[
        tuple[Call, ...],
        Unit(
            form=list[CallText], json=lambda calls: list(map(str, calls)), csv=lambda calls: " ".join(map(str, calls))
        ),
    ]
    """The calls, from the dealer's on."""
    result: Annotated[BoardResult, TEXT_ONLY]
    """The result."""


class CostlyBoard(Row, kw_only=True):
    """A board that a team lost by IMPs, with what was bid and played in both rooms."""

    match: MatchNumber
    """The number of the match."""
    round: int
    """The number of its round, counted through the event."""
    board: int
    """The number of the board."""
    dealer: SeatUnit
    """The dealer."""
    vulnerable: VulnerabilityName
    """Who is vulnerable."""
    deal: DealUnit
    """The hands."""
    team: str
    """The team that lost the IMPs."""
    opponent: str
    """The team that won them."""
    imps: int
    """IMPs to the team over both rooms."""
    bidding: int | None
    """IMPs to it if both contracts were played double dummy; null if the board has not been solved."""
    play: int | None
    """The rest of its IMPs, which was won or lost in the play; null likewise."""
    open: RoomOfCostlyBoard
    """The open room."""
    closed: RoomOfCostlyBoard
    """The closed room."""

    @property
    def rooms(self) -> Mapping[Room, RoomOfCostlyBoard]:
        """Both rooms, the open one first."""
        return {Room.OPEN: self.open, Room.CLOSED: self.closed}

    @property
    def loss(self) -> str:
        """What the team lost, in words: `10 IMPs: 12 in the auction, -2 in the play`."""
        lost = count(-self.imps, "IMP")
        if self.bidding is None or self.play is None:
            return lost
        return f"{lost}: {-self.bidding} in the auction, {-self.play} in the play"

    def auction_rounds(self, room: Room) -> list[list[Call | None]]:
        """Return the calls of a room in rows of four from West to South; None where nobody called."""
        cells: list[Call | None] = [*[None] * _COLUMNS.index(self.dealer), *self.rooms[room].auction]
        cells += [None] * (-len(cells) % len(_COLUMNS))
        return [cells[first : first + len(_COLUMNS)] for first in range(0, len(cells), len(_COLUMNS))]


class CostlyBoards(Report, kw_only=True):
    """The boards that cost a team most."""

    event: str
    """The name of the event."""
    team: str | None
    """The team; null for all teams."""
    by: Annotated[str, Unit(enum=PARTS)]
    """What boards are chosen and put in order by: the IMPs of the whole board, or of one of its parts."""
    boards: int
    """How many boards were compared."""
    solved: int
    """How many of them have been solved double dummy."""
    adjusted: int
    """How many boards were left out because a ruling has changed their score."""
    costly: int
    """How many boards cost the team IMPs, of which `rows` has those that cost most."""
    rows: tuple[CostlyBoard, ...]
    """The boards, the most expensive first; equal ones in the order of the event."""

    def csv(self) -> CsvTable:
        """Return a row for each board."""
        return csv_table(CostlyBoard, self.rows)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of the boards, then both auctions of each."""
        lost = f"{self.team} lost" if self.team is not None else "a team lost"
        part = "" if self.by == WHOLE else f" in the {'auction' if self.by == BIDDING else 'play'}"
        listed = f"; the {len(self.rows)} most expensive" if len(self.rows) < self.costly else ""
        yield f"{self.event}: {count(self.costly, 'board')} of {self.boards} that {lost}{part}{listed}"
        if self.rows:
            yield self._table()
        if self.solved < self.boards:
            solved = f"{self.solved} of {count(self.boards, 'board')} solved"
            yield f"{solved}: `tourney analyse` tells what was lost in the auction and what in the play"
        yield from describe_left_out(self.adjusted)
        for board in self.rows:
            yield ""
            place = f"Match {board.match.number}, board {board.board}, dealer {board.dealer.title}"
            yield f"{place}, vulnerable {board.vulnerable}: {board.team} lost {board.loss}"
            yield _auctions(board)

    def _table(self) -> TextTable:
        table = TextTable(
            *(">IMPs", ">Auction", ">Play", "Team", ">Match", ">Board", "Open", "Closed"),
            worth={"IMPs": 2, "Match": 2, "Board": 2, "Auction": 1, "Play": 1},
        )
        for board in self.rows:
            figures = (board.imps, board.bidding, board.play)
            cells = (_format_signed(figure) for figure in figures)
            results = (format_outcome(room.result) for room in board.rooms.values())
            table.add_row(*cells, board.team, str(board.match.number), str(board.board), *results)
        return table


def _format_signed(figure: int | None) -> str:
    if figure is None:
        return NOTHING
    return f"{figure:+}" if figure else "0"


def _auctions(board: CostlyBoard) -> TextTable:
    """Return what was bid and played, the rooms side by side."""
    table = TextTable(*(f"{room.value.title()}: N-S {found.ns}" for room, found in board.rooms.items()))
    auctions = []
    for room in board.rooms:
        rounds = [[str(call) if call is not None else "" for call in calls] for calls in board.auction_rounds(room)]
        rows = [[seat.title for seat in _COLUMNS], *rounds]
        auctions.append("\n".join("".join(cell.ljust(_CALL_CHARS) for cell in row).rstrip() for row in rows))
    table.add_row(*auctions)
    table.add_row(*map(_describe_play, board.rooms.values()))
    return table


def _describe_play(room: RoomOfCostlyBoard) -> str:
    """Describe how a board ended in a room: `4S N -1, -50, lead HK, 10 tricks double dummy`."""
    words = [format_outcome(room.result), _format_signed(room.score)]
    if room.lead is not None:
        words.append(f"lead {room.lead}")
    if room.possible is not None:
        words.append(f"{count(room.possible, 'trick')} double dummy")
    return ", ".join(words)


def load(
    drawn: DrawnEvent,
    *,
    least: int,
    top: int,
    team: str | None = None,
    by: str | None = None,
    round_number: int | None = None,
    match_number: int | None = None,
) -> CostlyBoards:
    """Load the boards that cost a team most: at most `top`, each of at least `least` IMPs.

    Args:
        drawn: the event.
        least: the IMPs that a board cost at least, 1 or more.
        top: how many boards are wanted.
        team: the name of a team; by default the first of a duel, and all teams of another event.
        by: one of `PARTS`; by default the whole board.
        round_number: the number of a round; None for all.
        match_number: the number of a match; None for all.

    Raises:
        StoreError: the database cannot be used, or the analysis in it is malformed.
        UsageError: there is no such team, round or match.
    """
    drawn.check_two_rooms("costly boards")
    drawn.check_round(round_number)
    database, event = drawn.database, drawn.event
    if team is not None:
        team = drawn.team_named(team)
    elif event.stages[0].format.is_duel:
        team = event.teams[0].name
    search = _Search(database, team, by or WHOLE, least)
    matches = [drawn.match(match_number).number] if match_number is not None else None
    cards = iter_scorecards(database, event, {}, MatchFilter(event.id, round_number, matches))
    # A stream, so that only the boards that cost most stay in memory.
    found = heapq.nsmallest(top, search.find(cards), key=lambda board: -board.cost)
    played = load_final_boards_played(database, [place for board in found for place in board.places])
    return CostlyBoards(
        event=event.name,
        team=team,
        by=search.by,
        boards=search.boards,
        solved=search.solved,
        adjusted=search.adjusted,
        costly=search.costly,
        # A board may have been given to be played again since its result was read.
        rows=tuple(board.row(played) for board in found if played.keys() >= set(board.places)),
    )


@dataclass(frozen=True, slots=True)
class _LostBoard:
    """A board that a team has lost by some IMPs."""

    match: MatchInfo
    line: ScorecardBoard
    worth: BoardWorth | None
    cost: int
    """The IMPs that it, or the part that is asked about, cost."""
    team: str

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where it was played: the id of each table, with the number of the board."""
        return [(table.id, self.line.number) for table in self.line.tables.values()]

    def row(self, played: Mapping[tuple[int, int], LiveBoard]) -> CostlyBoard:
        """Return the board as a row, with what was bid and played by table and board."""
        match, line = self.match, self.line
        sign = 1 if self.team == match.home else -1
        split = split_board(match, line, self.worth) if self.worth is not None else None
        assert line.imps is not None
        records = {room: played[table.id, line.number] for room, table in line.tables.items()}
        return CostlyBoard(
            match=match,
            round=match.round,
            board=line.number,
            dealer=line.dealer,
            vulnerable=line.vulnerability.value,
            deal=records[Room.OPEN].board.deal,
            team=self.team,
            opponent=match.away if self.team == match.home else match.home,
            imps=sign * line.imps,
            bidding=sign * split[0] if split is not None else None,
            play=sign * split[1] if split is not None else None,
            open=self._room(Room.OPEN, records[Room.OPEN]),
            closed=self._room(Room.CLOSED, records[Room.CLOSED]),
        )

    def _room(self, room: Room, record: LiveBoard) -> RoomOfCostlyBoard:
        table, found = self.line.tables[room], self.line.results[room]
        contract, possible = found.result.contract, None
        if contract is not None and self.worth is not None:
            possible = self.worth.table.tricks[contract.declarer, contract.strain]
        row = played_row(found)
        assert row is not None
        return RoomOfCostlyBoard(
            contract=row.contract,
            declarer=row.declarer,
            tricks=row.tricks,
            score=row.score,
            ns=table.ns_team,
            ew=table.ew_team,
            possible=possible,
            lead=record.cards[0].card if record.cards else None,
            auction=tuple(made.call for made in record.calls),
            result=found,
        )


@dataclass(slots=True)
class _Search:
    """Looks for boards that a team, or any team, has lost, and counts boards along the way."""

    database: Database
    team: str | None
    by: str
    least: int
    boards: int = 0
    solved: int = 0
    adjusted: int = 0
    costly: int = 0
    _worths: dict[int, dict[int, BoardWorth]] = field(default_factory=dict)
    """The double dummy values of boards by their number, by the id of their set."""

    def find(self, cards: Iterator[Scorecard]) -> Iterator[_LostBoard]:
        """Yield the boards of scorecards that were lost by enough IMPs."""
        for card in cards:
            match = card.match
            if not match.contest.has_rooms or match.board_scale.is_in_points:
                continue
            if match.board_set_id not in self._worths:
                self._worths[match.board_set_id] = load_board_worths(self.database, match.board_set_id)
            for line in card.boards:
                if line.rulings:
                    self.adjusted += 1
                elif line.imps is not None and set(line.results) == set(Room):
                    self.boards += 1
                    yield from self._judge(match, line, self._worths[match.board_set_id].get(line.number))

    def _judge(self, match: MatchInfo, line: ScorecardBoard, worth: BoardWorth | None) -> Iterator[_LostBoard]:
        """Yield the board if the team that lost it, or lost in the part that is asked about, is wanted."""
        split = split_board(match, line, worth) if worth is not None else None
        self.solved += split is not None
        won = line.imps
        if self.by != WHOLE:
            won = split[0 if self.by == BIDDING else 1] if split is not None else None
        if won is None or abs(won) < self.least:
            return
        loser = match.home if won < 0 else match.away
        if self.team in (None, loser):
            self.costly += 1
            yield _LostBoard(match, line, worth, abs(won), loser)
