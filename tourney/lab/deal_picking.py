"""Picking boards: those on which a team lost, and those that answer to what hands or bidding are wanted."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tourney.bridge import SEATS, Board, Seat, Side
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.report.swings import find_swings
from tourney.results.scorecard import iter_scorecards
from tourney.scoring import BOARDS_MAX
from tourney.store.results.event_results import Scope
from tourney.store.results.matches import load_match_boards

POINTS_OF_DECK: Final = 40
SLAM_POINTS: Final = 33
"""The points of both hands together with which a small slam is usually bid without a long suit."""
COMPETITIVE_POINTS: Final = (17, 23)
"""The points of either side when both usually bid."""

_POINTS_FROM: Final = 10


@dataclass(frozen=True, slots=True)
class PointRange:
    """How many high-card points a hand, or both hands of a side, shall have."""

    seats: tuple[Seat, ...]
    low: int
    high: int

    def fits(self, board: Board) -> bool:
        """Return whether a board has them."""
        return self.low <= sum(high_card_points(board, seat) for seat in self.seats) <= self.high


def high_card_points(board: Board, seat: Seat) -> int:
    """Return the high-card points of a hand: 4 for an ace down to 1 for a jack."""
    return sum(max(0, card.rank - _POINTS_FROM) for card in board.deal[seat].cards)


def parse_point_range(text: str) -> PointRange:
    """Parse who shall have how many points: `NS:20-26`, `N:15-17`, `EW:33`.

    Raises:
        UsageError: it is no such text.
    """
    who, colon, points = text.strip().partition(":")
    seats = {side.name: tuple(seat for seat in SEATS if seat.side is side) for side in Side}
    seats |= {seat.letter: (seat,) for seat in SEATS}
    low, _, high = points.partition("-")
    limits = [part.strip() for part in (low, high or low)]
    if not colon or who.upper() not in seats or not all(part.isascii() and part.isdigit() for part in limits):
        raise UsageError(f"points are given as NS:20-26 or N:15-17, got {text!r}")
    least, most = map(int, limits)
    if not least <= most <= POINTS_OF_DECK:
        raise UsageError(f"points go from 0 to {POINTS_OF_DECK}, the lower number first, got {text!r}")
    return PointRange(seats[who.upper()], least, most)


def is_slam(board: Board) -> bool:
    """Return whether a side has the points for a slam."""
    return max(_points_by_side(board)) >= SLAM_POINTS


def is_competitive(board: Board) -> bool:
    """Return whether the points are divided so that both sides usually bid."""
    low, high = COMPETITIVE_POINTS
    return all(low <= points <= high for points in _points_by_side(board))


def _points_by_side(board: Board) -> list[int]:
    return [sum(high_card_points(board, seat) for seat in SEATS if seat.side is side) for side in Side]


def pick_boards(boards: Iterable[Board], wanted: Iterable[Callable[[Board], bool]], *, exclude: bool) -> list[Board]:
    """Return the boards that answer to all that is wanted; with `exclude` the others."""
    conditions = list(wanted)
    return [board for board in boards if all(fits(board) for fits in conditions) is not exclude]


def iter_lost_boards(drawn: DrawnEvent, team: str, least: int) -> Iterator[Board]:
    """Iterate over the boards on which a team of an event lost at least so many IMPs, the biggest losses first.

    Raises:
        StoreError: the database cannot be used.
    """
    event, database = drawn.event, drawn.database
    cards = (
        card
        for card in iter_scorecards(database, event, {}, Scope(event.id))
        if team in (card.match.home, card.match.away)
    )
    for swing in find_swings(event.name, cards, least, BOARDS_MAX).rows:
        if (swing.imps < 0) is (swing.match.home == team):
            yield next(board for board in load_match_boards(database, swing.match) if board.number == swing.board)
