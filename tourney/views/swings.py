"""The biggest swings: boards that one team won by the most IMPs, with what was played in both rooms.

A board is compared once both rooms have finished it, as on the scorecard. A board whose score a ruling has changed
was not won at the table and is left out.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from tourney.contest.draw import MatchInfo
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.content import BoardLink, EntrantLink, MatchLink, Title
from tourney.output.rows import Cell, Row, Unit, document_of
from tourney.output.tables import CsvTable, Part, csv_table, make_table
from tourney.output.units import MatchNumber
from tourney.plurals import count
from tourney.results.scorecard import Scorecard, ScorecardBoard, iter_scorecards
from tourney.store.results.event_results import MatchFilter
from tourney.views.butler import describe_left_out
from tourney.views.figures import board_figures
from tourney.views.outcome import ResultDocument, result_row
from tourney.views.report import Report


class SwingDocument(Row, kw_only=True):
    """A board that one team won by IMPs."""

    match: MatchNumber
    """The number of the match."""
    round: int
    """The number of the round, counted through the event."""
    board: int
    """The number of the board."""
    home: str
    """The name of the home team."""
    away: str
    """The name of the away team."""
    winner: str
    """The name of the team that won the IMPs."""
    imps: int
    """IMPs of the home team, negative when it lost them."""
    open: ResultDocument
    """The result in the open room."""
    closed: ResultDocument
    """The result in the closed room."""


@dataclass(frozen=True)
class Swing:
    """A board that one team won by IMPs, with its match."""

    match: MatchInfo
    board: ScorecardBoard
    imps: int
    """IMPs of the home team, negative when it lost them."""

    @property
    def winner(self) -> str:
        """The name of the team that won the IMPs."""
        return self.match.home if self.imps > 0 else self.match.away

    @property
    def size(self) -> int:
        """The size in IMPs, 1 to 24."""
        return abs(self.imps)

    @property
    def loser(self) -> str:
        """The name of the team that lost them."""
        return self.match.away if self.imps > 0 else self.match.home

    def row(self) -> SwingDocument:
        """Return the swing with what was played in both rooms."""
        results = {room.value: result_row(result) for room, result in self.board.results.items()}
        return SwingDocument.from_attributes(self, self.match, board=self.board.number, **results)


def _of_room(room: Room) -> tuple[Cell, Cell]:
    """Return the columns of what was played in a room."""
    return (
        Cell(room.value.title(), lambda swing: swing.board.results[room].result, worth=1),
        Cell(">Score", lambda swing: swing.board.results[room].result.score, worth=-1),
    )


COLUMNS: Final = (
    Cell(">IMPs", "size", worth=2),
    Cell("To", "winner", worth=2, to=(EntrantLink, "winner")),
    Cell("Against", "loser", to=(EntrantLink, "loser")),
    Cell(">Match", "match.number", worth=2, to=(MatchLink, "match.number")),
    Cell(
        ">Board",
        "board.number",
        worth=2,
        to=(BoardLink, "match.number", "board.number"),
    ),
    *_of_room(Room.OPEN),
    *_of_room(Room.CLOSED),
)


class Swings(Report, kw_only=True):
    """The biggest swings."""

    event: str
    """The name of the event."""
    boards: int
    """How many boards were compared."""
    swings: int
    """How many swings there are, of which `rows` has the biggest."""
    adjusted: int
    """How many boards were left out because a ruling has changed their score."""
    rows: Annotated[
        tuple[Swing, ...],
        Unit(form=list[SwingDocument], json=lambda swings: document_of([swing.row() for swing in swings])),
    ]
    """The swings, biggest first; equal ones in the order of the event."""
    least: int
    """The minimum size in IMPs."""
    in_points: int
    """Boards left out because their match is scored at board-a-match, where no board is worth more than another."""
    loser: str | None
    """The team that lost them all; null for any."""

    def csv(self) -> CsvTable:
        """Return a row per swing."""
        times = [f"{room}_{whose}_ms" for room in Room for whose in ("ns", "ew", "tm")]
        return csv_table(SwingDocument, (swing.row() for swing in self.rows), without=times)

    def text(self) -> Iterator[Part]:
        """Yield a table of swings."""
        at_least = f" of {self.least} IMPs or more" if self.least > 1 else ""
        at_least += f" lost by {self.loser}" if self.loser is not None else ""
        listed = f"; the {len(self.rows)} biggest" if len(self.rows) < self.swings else ""
        swings = f"{count(self.swings, 'swing')}{at_least} on {count(self.boards, 'board')}{listed}"
        yield Title(self.event, swings)
        if self.rows:
            yield make_table(COLUMNS, self.rows)
        yield from describe_left_out(self.adjusted)
        if self.in_points:
            yield f"{count(self.in_points, 'board')} left out: at board-a-match a board is won by points, not by IMPs"


def load(
    drawn: DrawnEvent,
    *,
    least: int,
    top: int,
    team: str | None = None,
    round_number: int | None = None,
    match_number: int | None = None,
) -> Swings:
    """Load the biggest swings of an event, a round or a match: at most `top`, each of at least `least` IMPs.

    With `team`, in upper or lower case, they are those that the team lost.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such team, round or match.
    """
    drawn.check_round(round_number)
    matches = [drawn.match(match_number).number] if match_number is not None else None
    scope = MatchFilter(drawn.event.id, round_number, matches)
    loser = drawn.team_named(team) if team is not None else None
    cards = iter_scorecards(drawn.database, drawn.event, {}, scope)
    return find_swings(drawn.event.name, cards, least, top, loser)


def find_swings(event: str, cards: Iterable[Scorecard], least: int, top: int, loser: str | None = None) -> Swings:
    """Find the biggest swings of scorecards: at most `top`, each of at least `least` (1 or more) IMPs."""
    assert least >= 1
    counts = Counter[str]()
    # A stream, so that only the biggest swings stay in memory.
    rows = heapq.nsmallest(top, _iter_swings(cards, least, counts, loser), key=lambda swing: -swing.size)
    figures = {name: counts[name] for name in ("boards", "swings", "adjusted", "in_points")}
    return Swings(event=event, rows=tuple(rows), least=least, loser=loser, **figures)


def _iter_swings(cards: Iterable[Scorecard], least: int, counts: Counter[str], loser: str | None) -> Iterator[Swing]:
    """Yield the swings, and count boards in `counts` along the way."""
    for card in cards:
        for board in card.boards if "swings" not in card.match.format.instead else ():
            imps = board_figures(card.match.board_scale, board.imps, board.imps_away).imps
            if imps is None:
                counts["in_points"] += board.imps is not None
            elif board.rulings:
                counts["adjusted"] += 1
            else:
                counts["boards"] += 1
                swing = Swing(card.match, board, imps)
                if swing.size >= least and loser in (None, swing.loser):
                    counts["swings"] += 1
                    yield swing
