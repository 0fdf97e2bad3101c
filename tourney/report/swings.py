"""The biggest swings: boards that one team won by most IMPs, with what was played in both rooms.

A board is among them once both rooms are over with it, as on the scorecard. One whose score a ruling has changed was
not won at the table, and is left out.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.movement.seating import Room
from tourney.results.scorecard import Scorecard
from tourney.results.scorecards import iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo
from tourney.store.results.bulk_results import Scope


@dataclass(frozen=True, slots=True)
class Swing:
    """One board of one match."""

    match: MatchInfo
    board: int
    imps: int
    """Of the home team, negative when it lost."""
    results: Mapping[Room, BoardResult]
    """Of both rooms."""

    @property
    def winner(self) -> str:
        return self.match.home if self.imps > 0 else self.match.away

    @property
    def size(self) -> int:
        """IMPs, 1..24."""
        return abs(self.imps)


@dataclass(frozen=True, slots=True)
class Swings:
    event: str
    rows: tuple[Swing, ...]
    """Biggest first; equal ones in the order of the event."""
    boards: int
    """Boards compared."""
    swings: int
    """Boards that are worth as many IMPs as asked for, whether they are among `rows` or not."""
    adjusted: int
    """Boards left out because a ruling has changed their score."""


def load_swings(database: Database, event: EventInfo, scope: Scope, least: int, top: int) -> Swings:
    """The biggest swings of the matches of a scope, at most `top`, of at least `least` IMPs, which is 1 or more.

    Raises:
        StoreError: the database cannot be used.
    """
    return find_swings(event.name, iter_scorecards(database, event, {}, scope), least, top)


def find_swings(event: str, cards: Iterable[Scorecard], least: int, top: int) -> Swings:
    """As `load_swings`, from the scorecards."""
    assert least >= 1
    count = _Count()
    # A stream: of all swings only the biggest stay in memory.
    rows = heapq.nsmallest(top, _iter_swings(cards, least, count), key=lambda swing: -swing.size)
    return Swings(event, tuple(rows), count.boards, count.swings, count.adjusted)


@dataclass(slots=True)
class _Count:
    boards: int = 0
    swings: int = 0
    adjusted: int = 0


def _iter_swings(cards: Iterable[Scorecard], least: int, count: _Count) -> Iterator[Swing]:
    """The swings, counting what goes by."""
    for card in cards:
        for board in card.boards:
            if board.rulings:
                count.adjusted += 1
            elif board.imps is not None:
                count.boards += 1
                if abs(board.imps) >= least:
                    count.swings += 1
                    yield Swing(card.match, board.number, board.imps, board.results)
