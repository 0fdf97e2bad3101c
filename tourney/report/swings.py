"""The biggest swings: boards that one team won by the most IMPs, with what was played in both rooms.

A board is compared once both rooms have finished it, as on the scorecard. A board whose score a ruling has changed
was not won at the table and is left out.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from typing_extensions import TypedDict

from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.tables import CsvTable, TextTable, flatten
from tourney.plurals import count
from tourney.report.butler import describe_left_out
from tourney.report.match import ResultDocument, format_outcome, result_document
from tourney.report.report import Report
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo
from tourney.store.results.event_results import MatchFilter

_WORTH: Final = {"IMPs": 2, "To": 2, "Match": 2, "Board": 2, "Open": 1, "Closed": 1, "Score": 1}

COLUMNS: Final = (
    *("match", "round", "board", "home", "away", "winner", "imps"),
    *(f"{room.value}_{name}" for room in Room for name in ("contract", "declarer", "tricks", "score")),
)


class SwingDocument(TypedDict):
    """A board that one team won by IMPs."""

    match: int
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


class SwingsDocument(TypedDict):
    """The biggest swings."""

    event: str
    """The name of the event."""
    boards: int
    """How many boards were compared."""
    swings: int
    """How many swings there are, of which `rows` has the biggest."""
    adjusted: int
    """How many boards were left out because a ruling has changed their score."""
    rows: list[SwingDocument]
    """The swings, biggest first."""


@dataclass(frozen=True, slots=True)
class Swing:
    """One board of one match."""

    match: MatchInfo
    board: int
    imps: int
    """IMPs of the home team, negative when it lost them."""
    results: Mapping[Room, BoardResult]
    """The result in each room."""

    @property
    def winner(self) -> str:
        return self.match.home if self.imps > 0 else self.match.away

    @property
    def size(self) -> int:
        """The size in IMPs, 1 to 24."""
        return abs(self.imps)


class Swings(Report):
    """The biggest swings."""

    event: str
    least: int
    """The minimum size in IMPs."""
    rows: tuple[Swing, ...]
    """The biggest swings, biggest first; equal ones in the order of the event."""
    boards: int
    """Boards compared."""
    swings: int
    """How many boards reach the minimum size, including those not listed in `rows`."""
    adjusted: int
    """Boards left out because a ruling has changed their score."""
    in_points: int
    """Boards left out because their match is scored at board-a-match, where no board is worth more than another."""

    def document(self) -> SwingsDocument:
        """Return the swings with what was played in both rooms."""
        return {
            "event": self.event,
            "boards": self.boards,
            "swings": self.swings,
            "adjusted": self.adjusted,
            "rows": [_swing_document(swing) for swing in self.rows],
        }

    def csv(self) -> CsvTable:
        """Return a row per swing."""
        return CsvTable(COLUMNS, (flatten(_swing_document(swing)) for swing in self.rows))

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of swings."""
        at_least = f" of {self.least} IMPs or more" if self.least > 1 else ""
        listed = f"; the {len(self.rows)} biggest" if len(self.rows) < self.swings else ""
        yield f"{self.event}: {count(self.swings, 'swing')}{at_least} on {count(self.boards, 'board')}{listed}"
        if self.rows:
            yield self._table()
        yield from describe_left_out(self.adjusted)
        if self.in_points:
            yield f"{count(self.in_points, 'board')} left out: at board-a-match a board is won by points, not by IMPs"

    def _table(self) -> TextTable:
        table = TextTable(
            ">IMPs", "To", "Against", ">Match", ">Board", "Open", ">Score", "Closed", ">Score", worth=_WORTH
        )
        for swing in self.rows:
            match = swing.match
            cells = [str(swing.size), swing.winner, match.away if swing.winner == match.home else match.home]
            cells += [str(match.number), str(swing.board)]
            for room in Room:
                cells += [format_outcome(swing.results[room]), str(swing.results[room].result.score)]
            table.add_row(*cells)
        return table


def load(
    drawn: DrawnEvent,
    *,
    least: int,
    top: int,
    round_number: int | None = None,
    match_number: int | None = None,
) -> Swings:
    """Load the biggest swings of an event, a round or a match: at most `top`, each of at least `least` IMPs.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such round or match.
    """
    drawn.check_two_rooms("swings")
    drawn.check_round(round_number)
    matches = [drawn.match(match_number).number] if match_number is not None else None
    scope = MatchFilter(drawn.event.id, round_number, matches)
    return load_swings(drawn.database, drawn.event, scope, least, top)


def load_swings(database: Database, event: EventInfo, scope: MatchFilter, least: int, top: int) -> Swings:
    """Load the biggest swings of the matches of a scope: at most `top`, each of at least `least` (1 or more) IMPs.

    Raises:
        StoreError: the database cannot be used.
    """
    cards = iter_scorecards(database, event, {}, scope)
    return find_swings(event.name, (card for card in cards if not card.match.format.is_at_one_table), least, top)


def find_swings(event: str, cards: Iterable[Scorecard], least: int, top: int) -> Swings:
    """Find the swings as `load_swings` does, but in the given scorecards."""
    assert least >= 1
    counts = _Counts()
    # A stream, so that only the biggest swings stay in memory.
    rows = heapq.nsmallest(top, _iter_swings(cards, least, counts), key=lambda swing: -swing.size)
    return Swings(event, least, tuple(rows), counts.boards, counts.swings, counts.adjusted, counts.in_points)


@dataclass(slots=True)
class _Counts:
    boards: int = 0
    swings: int = 0
    adjusted: int = 0
    in_points: int = 0


def _iter_swings(cards: Iterable[Scorecard], least: int, counts: _Counts) -> Iterator[Swing]:
    """Yield the swings, and count boards in `counts` along the way."""
    for card in cards:
        for board in card.boards:
            if card.match.board_scale.is_in_points:
                counts.in_points += board.imps is not None
            elif board.rulings:
                counts.adjusted += 1
            elif board.imps is not None:
                counts.boards += 1
                if abs(board.imps) >= least:
                    counts.swings += 1
                    yield Swing(card.match, board.number, board.imps, board.results)


def _swing_document(swing: Swing) -> SwingDocument:
    return {
        "match": swing.match.number,
        "round": swing.match.round,
        "board": swing.board,
        "home": swing.match.home,
        "away": swing.match.away,
        "winner": swing.winner,
        "imps": swing.imps,
        "open": result_document(swing.results[Room.OPEN]),
        "closed": result_document(swing.results[Room.CLOSED]),
    }
