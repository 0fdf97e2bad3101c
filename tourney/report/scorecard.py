"""The scorecard of a match: both rooms board by board, the IMPs so far, and the score once it is over.

A board is shown, and counts, when both rooms have finished it: until then a program at the other table could read
how it was played here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.bridge import Board, Seat, Side, Vulnerability
from tourney.movement.seating import Room
from tourney.scoring.match import BoardComparison, compare_board, score_match
from tourney.scoring.victory_points import VpScale
from tourney.store.database import Database
from tourney.store.objects import BoardResult, EventInfo, MatchInfo, StoredMatchScore
from tourney.store.results import load_board_results, load_match_boards, load_match_score


@dataclass(frozen=True, slots=True)
class ScorecardBoard:
    """One board of a match."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    results: Mapping[Room, BoardResult]
    """Of both rooms, or empty: not finished in both."""
    imps: int | None
    """Of the home team, negative when it lost; None while the board is not finished in both rooms."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A match as far as it has been played."""

    event: str
    match: MatchInfo
    boards: tuple[ScorecardBoard, ...]
    """All of the match, in the order of play."""
    imps_home: int
    """IMPs of the boards it gained on, so far."""
    imps_away: int
    score: StoredMatchScore | None
    """Once the match is over: as it is stored, else as the boards make it."""

    @property
    def boards_finished(self) -> int:
        """Boards that both rooms have finished."""
        return sum(board.imps is not None for board in self.boards)

    def thinking_ms(self, room: Room, side: Side) -> int:
        """What a side has thought over the boards that are shown."""
        return sum(board.results[room].times_ms[side] for board in self.boards if board.results)


def load_scorecard(database: Database, event: EventInfo, match: MatchInfo, scale: VpScale | None) -> Scorecard:
    """The scorecard of a match, from the record.

    Args:
        database: where the record is.
        event: the event of the match.
        match: one of its matches.
        scale: what margins are worth; None when it is not known: then a match that is over has a score only when
            one was stored.

    Raises:
        StoreError: the database cannot be used.
        RuleError: the home team is seated the same way in both rooms.
    """
    # In this order: a score that is there means that all results are.
    stored = load_match_score(database, match)
    results = load_board_results(database, match)
    return make_scorecard(event.name, match, load_match_boards(database, match), results, scale, stored)


def make_scorecard(
    event: str,
    match: MatchInfo,
    boards: Sequence[Board],
    results: Mapping[Room, Mapping[int, BoardResult]],
    scale: VpScale | None,
    stored: StoredMatchScore | None,
) -> Scorecard:
    """The scorecard from its parts; `results` are those of each room by board number.

    Raises:
        RuleError: the home team is seated the same way in both rooms.
    """
    lines: list[ScorecardBoard] = []
    comparisons: list[BoardComparison] = []
    for board in boards:
        found = {room: results[room][board.number] for room in Room if board.number in results[room]}
        is_finished = len(found) == len(Room)
        if is_finished:
            comparisons.append(_compare(match, board.number, found))
        imps = comparisons[-1].imps if is_finished else None
        lines.append(
            ScorecardBoard(board.number, board.dealer, board.vulnerability, found if is_finished else {}, imps)
        )
    gains = [comparison.imps for comparison in comparisons]
    score = stored
    if stored is None and scale is not None and len(comparisons) == len(boards):
        made = score_match(comparisons, scale)
        score = StoredMatchScore(
            match.number, len(boards), made.imps_home, made.imps_away, made.vp_home, made.vp_away
        )
    return Scorecard(
        event=event,
        match=match,
        boards=tuple(lines),
        imps_home=sum(gain for gain in gains if gain > 0),
        imps_away=-sum(gain for gain in gains if gain < 0),
        score=score,
    )


def _compare(match: MatchInfo, board: int, results: Mapping[Room, BoardResult]) -> BoardComparison:
    return compare_board(
        board,
        results[Room.OPEN].result.score,
        results[Room.CLOSED].result.score,
        home_open=match.tables[Room.OPEN].side_of(match.home),
        home_closed=match.tables[Room.CLOSED].side_of(match.home),
    )
