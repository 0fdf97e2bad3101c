"""Time used: by every side on each board, in each match, in all, and what it thought about longest.

Times are thinking times in milliseconds, as a table charges them to a side; the table's own share is nobody's. A
board is among them where it came to a result, and once both rooms are over with it, as on the scorecard.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.bridge import Side
from tourney.movement.seating import Room
from tourney.results.scorecard import Scorecard
from tourney.results.scorecards import iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo, TableInfo
from tourney.store.results.bulk_results import Scope, Thought, load_longest, load_thought


@dataclass(frozen=True, slots=True)
class BoardTime:
    board: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class SideTimes:
    """One side of one room of a match, or of a segment of it: a team's two programs there."""

    match: MatchInfo
    table: TableInfo
    side: Side
    boards: tuple[BoardTime, ...]
    """In the order of play."""
    longest: BoardTime | None
    """The longest it thought about one call or card, and on which board; None when it was not asked for."""

    @property
    def team(self) -> str:
        return self.table.team(self.side)

    @property
    def room(self) -> Room:
        return self.table.room

    @property
    def total_ms(self) -> int:
        return sum(board.time_ms for board in self.boards)

    @property
    def slowest(self) -> BoardTime | None:
        """The board that took it longest, the first of equal ones; None without a board."""
        return max(self.boards, key=_time, default=None)


@dataclass(frozen=True, slots=True)
class TeamTimes:
    """One team over the matches looked at."""

    team: str
    sides: tuple[SideTimes, ...]
    """Both rooms of each of its matches, in the order of the event."""
    longest: tuple[SideTimes, Thought] | None
    """The call or card it thought about longest, and where it sat; None when it was not asked for."""

    @property
    def boards(self) -> int:
        """Boards at one table each: a board of a match counts twice."""
        return sum(len(side.boards) for side in self.sides)

    @property
    def total_ms(self) -> int:
        return sum(side.total_ms for side in self.sides)

    @property
    def slowest_board(self) -> SideTimes | None:
        """Where its slowest board is."""
        return max(
            (side for side in self.sides if side.boards),
            key=lambda side: max(map(_time, side.boards)),
            default=None,
        )

    @property
    def slowest_match(self) -> SideTimes | None:
        """The room of a match in which it used most time."""
        return max((side for side in self.sides if side.boards), key=lambda side: side.total_ms, default=None)


@dataclass(frozen=True, slots=True)
class TimesUsed:
    event: str
    match: MatchInfo | None
    """The match that it is of; None for the whole event."""
    has_thoughts: bool
    """Whether the longest thoughts were asked for."""
    teams: tuple[TeamTimes, ...]
    """In the order of the draw; of a match its home team, then its away team."""

    @property
    def sides(self) -> list[SideTimes]:
        """All sides, in the order of matches, the open room first, North-South first."""
        return sorted(
            (side for team in self.teams for side in team.sides),
            key=lambda side: (
                *(side.match.number, side.table.segment),
                *(side.room is Room.CLOSED, side.side is Side.EW),
            ),
        )


def average_ms(total_ms: int, boards: int) -> int | None:
    """Milliseconds a board, a half upwards; None without a board."""
    return (2 * total_ms + boards) // (2 * boards) if boards else None


def load_times(
    database: Database, event: EventInfo, match: MatchInfo | None = None, *, with_thoughts: bool
) -> TimesUsed:
    """Times used in an event, or in one match.

    Args:
        database: where the record is.
        event: the event.
        match: one of its matches; None for all.
        with_thoughts: whether to look for the longest thoughts, for which the database goes through all calls and
            cards of these matches.

    Raises:
        StoreError: the database cannot be used.
    """
    scope = Scope(event.id, matches=[match.number] if match is not None else None)
    longest = load_longest(database, scope) if with_thoughts else {}
    names = [team.name for team in event.teams] if match is None else [match.home, match.away]
    sides: dict[str, list[SideTimes]] = {name: [] for name in names}
    for card in iter_scorecards(database, event, {}, scope):
        for table in card.match.tables:
            for side in Side:
                boards = _boards_of(card, table, side)
                thought = _longest_of(boards, table.id, side, longest)
                sides[table.team(side)].append(SideTimes(card.match, table, side, boards, thought))
    teams = tuple(TeamTimes(name, tuple(sides[name]), _load_longest_of(database, sides[name])) for name in names)
    return TimesUsed(event.name, match, with_thoughts, teams)


def _boards_of(card: Scorecard, table: TableInfo, side: Side) -> tuple[BoardTime, ...]:
    boards = card.boards[table.first : table.first + table.boards]
    return tuple(
        BoardTime(board.number, board.results[table.room].times_ms[side])
        for board in boards
        if table.room in board.results
    )


def _longest_of(
    boards: Iterable[BoardTime], table_id: int, side: Side, longest: Mapping[tuple[int, int], Mapping[Side, int]]
) -> BoardTime | None:
    """The longest thought of a side over its boards, the first of equal ones."""
    thoughts = [
        BoardTime(board.board, found[side])
        for board in boards
        if side in (found := longest.get((table_id, board.board), {}))
    ]
    return max(thoughts, key=_time, default=None)


def _load_longest_of(database: Database, sides: Iterable[SideTimes]) -> tuple[SideTimes, Thought] | None:
    """The longest thought of a team with all there is to say of it."""
    found = [(side, side.longest) for side in sides if side.longest is not None]
    if not found:
        return None
    side, longest = max(found, key=lambda pair: pair[1].time_ms)
    thought = load_thought(database, side.table.id, longest.board, side.side, longest.time_ms)
    return (side, thought) if thought is not None else None


def _time(board: BoardTime) -> int:
    return board.time_ms
