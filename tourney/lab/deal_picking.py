"""Picking boards: those on which a team lost, and those that answer to what hands or bidding are wanted."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.bridge import SEATS, Board, Seat, Side, Strain, format_deal
from tourney.bridge.minibridge import HCP_IN_DECK, count_hcp
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.lab.solving import Solver, solve_board
from tourney.report.swings import find_swings
from tourney.results.scorecard import iter_scorecards
from tourney.scoring import BOARDS_MAX
from tourney.scoring.double_dummy import STRAINS, DoubleDummyTable
from tourney.store.results.event_results import MatchFilter
from tourney.store.results.matches import load_match_boards

SLAM_POINTS: Final = 33
"""The points of both hands together with which a small slam is usually bid without a long suit."""
COMPETITIVE_POINTS: Final = (17, 23)
"""The points of either side when both usually bid."""

_BOOK: Final = 6
"""Tricks that declarer makes beside those of the level."""
_CONTRACT: Final = re.compile(r"([1-7])(NT|N|[SHDC])?")
_ANY: Final = "ANY"
_SEATS: Final = {
    **{side.name: side.seats for side in Side},
    **{seat.letter: (seat,) for seat in SEATS},
    _ANY: SEATS,
}
"""Hands as users name them."""


@dataclass(frozen=True, slots=True)
class PointRange:
    """How many high-card points a hand, or both hands of a side, shall have."""

    seats: tuple[Seat, ...]
    low: int
    high: int

    def fits(self, board: Board) -> bool:
        """Return whether a board has them."""
        return self.low <= sum(count_hcp(board.deal[seat]) for seat in self.seats) <= self.high


@dataclass(frozen=True, slots=True)
class Makeable:
    """A contract that one of some hands shall make double dummy."""

    seats: tuple[Seat, ...]
    level: int
    strain: Strain | None
    """None for any."""

    def fits(self, table: DoubleDummyTable) -> bool:
        """Return whether one of the hands makes it."""
        strains = STRAINS if self.strain is None else (self.strain,)
        return any(table.tricks[seat, strain] >= self.level + _BOOK for seat in self.seats for strain in strains)


def parse_makeable(text: str) -> Makeable:
    """Parse who shall make what double dummy: `NS:4S`, `E:3NT`, `any:6` for a small slam in whatever strain.

    Raises:
        UsageError: it is no such text.
    """
    who, _, contract = (part.strip().upper() for part in text.partition(":"))
    found = _CONTRACT.fullmatch(contract)
    if found is None or who not in _SEATS:
        raise UsageError(f"what is made is given as NS:4S, E:3NT or any:6, got {text!r}")
    strain = next((strain for strain in STRAINS if found[2] and strain.letters[0] == found[2][0]), None)
    return Makeable(_SEATS[who], int(found[1]), strain)


def solve_boards(
    boards: Sequence[Board], jobs: int, on_progress: Callable[[int, int], None]
) -> Iterator[tuple[Board, DoubleDummyTable]]:
    """Yield boards with the tricks that each declarer makes double dummy, in the order given.

    Args:
        boards: the boards.
        jobs: how many processes solve them.
        on_progress: called with the numbers of boards solved so far and in total.

    Raises:
        LaunchError: there is no solver, or its processes have died.
    """
    arguments = [(format_deal(board.deal), board.dealer.letter, board.vulnerability.value) for board in boards]
    wanted = list(dict.fromkeys(arguments))
    tables = {}
    if wanted:
        with Solver.start(jobs) as solver:
            for solved, worth in solver.solve(solve_board, wanted):
                tables[solved] = worth.table
                on_progress(len(tables), len(wanted))
    for board, argument in zip(boards, arguments, strict=True):
        yield board, tables[argument]


def parse_point_range(text: str) -> PointRange:
    """Parse who shall have how many points: `NS:20-26`, `N:15-17`, `EW:33`.

    Raises:
        UsageError: it is no such text.
    """
    who, colon, points = text.strip().partition(":")
    low, _, high = points.partition("-")
    limits = [part.strip() for part in (low, high or low)]
    are_numbers = all(part.isascii() and part.isdigit() for part in limits)
    if not colon or who.upper() not in _SEATS or who.upper() == _ANY or not are_numbers:
        raise UsageError(f"points are given as NS:20-26 or N:15-17, got {text!r}")
    least, most = map(int, limits)
    if not least <= most <= HCP_IN_DECK:
        raise UsageError(f"points go from 0 to {HCP_IN_DECK}, the lower number first, got {text!r}")
    return PointRange(_SEATS[who.upper()], least, most)


def is_slam(board: Board) -> bool:
    """Return whether a side has the points for a slam."""
    return max(_points_by_side(board)) >= SLAM_POINTS


def is_competitive(board: Board) -> bool:
    """Return whether the points are divided so that both sides usually bid."""
    low, high = COMPETITIVE_POINTS
    return all(low <= points <= high for points in _points_by_side(board))


def _points_by_side(board: Board) -> list[int]:
    return [sum(count_hcp(board.deal[seat]) for seat in side.seats) for side in Side]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What boards are wanted: those that answer to all of it."""

    conditions: Sequence[Callable[[Board], bool]] = ()
    makeable: Sequence[Makeable] = ()
    """What shall be made double dummy."""
    exclude: bool = False
    """Whether it is the other boards that are wanted."""

    def pick(self, boards: Sequence[Board], jobs: int, on_progress: Callable[[int, int], None]) -> list[Board]:
        """Return the boards that are wanted; only those are solved for which it matters.

        Raises:
            LaunchError: boards have to be solved and there is no solver, or its processes have died.
        """
        fitting = [board for board in boards if all(fits(board) for fits in self.conditions)]
        if self.makeable:
            solved = solve_boards(fitting, jobs, on_progress)
            fitting = [board for board, table in solved if all(each.fits(table) for each in self.makeable)]
        if not self.exclude:
            return fitting
        left_out = set(map(id, fitting))
        return [board for board in boards if id(board) not in left_out]


def iter_lost_boards(drawn: DrawnEvent, team: str, least: int) -> Iterator[Board]:
    """Iterate over the boards on which a team of an event lost at least so many IMPs, the biggest losses first.

    Raises:
        StoreError: the database cannot be used.
    """
    event, database = drawn.event, drawn.database
    cards = (
        card
        for card in iter_scorecards(database, event, {}, MatchFilter(event.id))
        if team in (card.match.home, card.match.away)
    )
    for swing in find_swings(event.name, cards, least, BOARDS_MAX).rows:
        if (swing.imps < 0) is (swing.match.home == team):
            yield next(board for board in load_match_boards(database, swing.match) if board.number == swing.board)
