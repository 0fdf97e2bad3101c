"""Time used by every side on each board, in each match and in total, and its longest thoughts.

Times are thinking times in milliseconds, as a table charges them to a side; the table's own share counts for neither
side. A board counts once both rooms have finished it, as on the scorecard, and if it has a result.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, NotRequired

from typing_extensions import TypedDict

from tourney.bridge import Side
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.rows import NOTHING, Unit
from tourney.output.tables import CsvTable, TextTable, flatten
from tourney.output.times import format_duration
from tourney.output.units import Milliseconds, RoomName, SeatLetter, SideLetters
from tourney.report.report import Report
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo, TableInfo
from tourney.store.results.event_results import MatchFilter, Thought, load_longest, load_thought

SIDE_COLUMNS: Final = (
    *("match", "room", "side", "team", "boards", "total_ms", "average_ms", "longest_board", "longest_ms"),
)
BOARD_COLUMNS: Final = ("match", "room", "side", "team", "board", "ms")


class BoardTimeDocument(TypedDict):
    """The time spent on one board."""

    board: int
    """The number of the board."""
    ms: Milliseconds
    """The time in milliseconds."""


class SideOfRoomDocument(TypedDict):
    """One side of one room of a match."""

    match: int
    """The number of the match."""
    room: RoomName
    """The room of the table."""
    side: SideLetters
    """The side of the table."""


class RoomTimeDocument(SideOfRoomDocument):
    """The time spent in one room of a match."""

    ms: Milliseconds
    """The time in milliseconds."""


class PlacedBoardTimeDocument(SideOfRoomDocument, BoardTimeDocument):
    """The time spent on one board, and where."""


class ThoughtDocument(PlacedBoardTimeDocument):
    """The time spent on one call or card."""

    seat: SeatLetter
    """The hand the call or card came from."""
    kind: Annotated[str, Unit(enum=["call", "card"])]
    """Whether it is a call or a card."""
    number: int
    """The number of the call or card on its board, from 1."""
    action: str
    """The call or card, such as 1NT or QD."""


class TeamTimesDocument(TypedDict):
    """The time that a team has used."""

    team: str
    """The name of the team."""
    boards: int
    """How many boards the team has played, counted per table: a board of a match counts twice."""
    total_ms: Milliseconds
    """Thinking time in milliseconds."""
    average_ms: Milliseconds | None
    """Thinking time per board in milliseconds; null without boards."""
    slowest_board: PlacedBoardTimeDocument | None
    """The board that took the team longest at one table; null without boards."""
    slowest_match: RoomTimeDocument | None
    """The match that took the team longest in one room; null without boards."""
    longest: ThoughtDocument | None
    """The longest thought over one call or card; null unless it was requested."""


class SideTimesDocument(SideOfRoomDocument):
    """The time that a side has used in a room."""

    team: str
    """The name of the team."""
    boards: int
    """How many boards the side has played."""
    total_ms: Milliseconds
    """Thinking time in milliseconds."""
    average_ms: Milliseconds | None
    """Thinking time per board in milliseconds; null without boards."""
    longest: BoardTimeDocument | None
    """The longest thought, with its board; null unless it was requested."""
    board_times: NotRequired[list[BoardTimeDocument]]
    """Thinking time on each board; only for one match."""


class TimesDocument(TypedDict):
    """Times used in an event or in a match."""

    event: str
    """The name of the event."""
    match: int | None
    """The number of the match; null for the whole event."""
    teams: list[TeamTimesDocument]
    """The teams in the order of the draw; in one match, home team first."""
    sides: list[SideTimesDocument]
    """The sides in the order of matches, rooms and directions."""


@dataclass(frozen=True, slots=True)
class BoardTime:
    board: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class SideTimes:
    """One side of one room of a match, or of a segment of it: two programs of a team."""

    match: MatchInfo
    table: TableInfo
    side: Side
    boards: tuple[BoardTime, ...]
    """The time spent on each board, in the order of play."""
    longest: BoardTime | None
    """The longest thought over one call or card, with its board; None unless it was requested."""

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
        """The board that took the side longest, the first of equal ones; None without a board."""
        return max(self.boards, key=_time, default=None)


@dataclass(frozen=True, slots=True)
class TeamTimes:
    """One team over the selected matches."""

    team: str
    sides: tuple[SideTimes, ...]
    """Both rooms of each of its matches, in the order of the event."""
    longest: tuple[SideTimes, Thought] | None
    """The longest thought over one call or card, with the side that had it; None unless it was requested."""

    @property
    def boards(self) -> int:
        """The number of boards, counted per table: a board of a match counts twice."""
        return sum(len(side.boards) for side in self.sides)

    @property
    def total_ms(self) -> int:
        return sum(side.total_ms for side in self.sides)

    @property
    def slowest_board(self) -> SideTimes | None:
        """The side of a room with the board that took the team longest; None without a board."""
        return max(
            (side for side in self.sides if side.boards),
            key=lambda side: max(map(_time, side.boards)),
            default=None,
        )

    @property
    def slowest_match(self) -> SideTimes | None:
        """The side of a room in which the team used the most time; None without a board."""
        return max((side for side in self.sides if side.boards), key=lambda side: side.total_ms, default=None)


class TimesUsed(Report):
    """Times used in an event, or in one of its matches."""

    event: str
    match: MatchInfo | None
    """The match; None for the whole event."""
    has_thoughts: bool
    """Whether the longest thoughts were requested."""
    teams: tuple[TeamTimes, ...]
    """In the order of the draw; for a single match, the home team first."""
    entrant: str
    """What takes part, `team` or `pair`."""

    @property
    def sides(self) -> list[SideTimes]:
        """All sides in the order of matches, the open room first, North-South first."""
        return sorted(
            (side for team in self.teams for side in team.sides),
            key=lambda side: (
                *(side.match.number, side.table.segment),
                *(side.room is Room.CLOSED, side.side is Side.EW),
            ),
        )

    def document(self) -> TimesDocument:
        """Return the teams, then the sides of rooms."""
        return {
            "event": self.event,
            "match": self.match.number if self.match is not None else None,
            "teams": [_team_document(team) for team in self.teams],
            "sides": [_side_document(side, has_boards=self.match is not None) for side in self.sides],
        }

    def csv(self) -> CsvTable:
        """Return a row per side of a room; for one match, a row per board and side."""
        if self.match is not None:
            return CsvTable(BOARD_COLUMNS, self._board_rows())
        rows = (flatten(_side_document(side, has_boards=False)) for side in self.sides)
        return CsvTable(SIDE_COLUMNS, rows)

    def _board_rows(self) -> Iterator[dict[str, Any]]:  # fields of CSV
        for side in self.sides:
            for board in side.boards:
                yield {**_place_document(side), "team": side.team, **_board_document(board)}

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of teams; for one match, a table of its boards."""
        if self.match is None:
            yield self.event
            yield self._team_table()
        else:
            match = self.match
            yield f"{self.event}, round {match.round}, match {match.number}: {match.home} - {match.away}"
            yield self._board_table()
        found = [(team.team, *team.longest) for team in self.teams if team.longest is not None]
        if found:
            yield ""
        for name, side, thought in found:
            yield _describe_thought(name, side, thought)

    def _team_table(self) -> TextTable:
        table = TextTable(
            self.entrant.title(),
            ">Boards",
            ">Total",
            ">Average",
            ">Slowest board",
            "Where",
            ">Slowest match",
            "Where",
        )
        for team in self.teams:
            board, match = team.slowest_board, team.slowest_match
            slowest = board.slowest if board is not None else None
            table.add_row(
                team.team,
                str(team.boards),
                format_duration(team.total_ms),
                _format_time(average_ms(team.total_ms, team.boards)),
                _format_time(slowest.time_ms if slowest is not None else None),
                f"{_describe_room(board)}, board {slowest.board}"
                if board is not None and slowest is not None
                else "",
                _format_time(match.total_ms if match is not None else None),
                _describe_room(match) if match is not None else "",
            )
        return table

    def _board_table(self) -> TextTable:
        sides = self.sides
        has_rooms = self.match is not None and not self.match.format.is_at_one_table
        rooms = (f"{side.room.value.title()} " if has_rooms else "" for side in sides)
        headings = (f">{room}{side.side.value}: {side.team}" for room, side in zip(rooms, sides, strict=True))
        table = TextTable(">Board", *headings, keys=1)
        by_side = [{board.board: board.time_ms for board in side.boards} for side in sides]
        for number in dict.fromkeys(board.board for side in sides for board in side.boards):
            table.add_row(str(number), *(_format_time(found.get(number)) for found in by_side))
        table.add_section()
        table.add_row("Total", *(format_duration(side.total_ms) for side in sides))
        table.add_row("Average", *(_format_time(average_ms(side.total_ms, len(side.boards))) for side in sides))
        longest = (side.longest.time_ms if side.longest is not None else None for side in sides)
        table.add_row("Longest thought", *map(_format_time, longest))
        return table


def load(drawn: DrawnEvent, *, match_number: int | None = None, longest: bool = False) -> TimesUsed:
    """Load the times used in an event, or in one match with its longest thoughts.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such match.
    """
    match = drawn.match(match_number) if match_number is not None else None
    return load_times(drawn.database, drawn.event, match, with_thoughts=longest or match is not None)


def average_ms(total_ms: int, boards: int) -> int | None:
    """Return milliseconds per board, rounded half up; None without a board."""
    return (2 * total_ms + boards) // (2 * boards) if boards else None


def load_times(
    database: Database, event: EventInfo, match: MatchInfo | None = None, *, with_thoughts: bool
) -> TimesUsed:
    """Load the times used in an event, or in one match.

    Args:
        database: where the record is.
        event: the event.
        match: one of its matches; None for all matches.
        with_thoughts: whether to find the longest thoughts, for which the database reads all calls and cards of
            these matches.

    Raises:
        StoreError: the database cannot be used.
    """
    scope = MatchFilter(event.id, matches=[match.number] if match is not None else None)
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
    return TimesUsed(event.name, match, with_thoughts, teams, event.entrant)


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
    """Return the longest thought of a side over its boards, the first of equal ones."""
    thoughts = [
        BoardTime(board.board, found[side])
        for board in boards
        if side in (found := longest.get((table_id, board.board), {}))
    ]
    return max(thoughts, key=_time, default=None)


def _load_longest_of(database: Database, sides: Iterable[SideTimes]) -> tuple[SideTimes, Thought] | None:
    """Load the longest thought of a team with all its details."""
    found = [(side, side.longest) for side in sides if side.longest is not None]
    if not found:
        return None
    side, longest = max(found, key=lambda pair: pair[1].time_ms)
    thought = load_thought(database, side.table.id, longest.board, side.side, longest.time_ms)
    return (side, thought) if thought is not None else None


def _time(board: BoardTime) -> int:
    return board.time_ms


# Documents


def _place_document(side: SideTimes) -> SideOfRoomDocument:
    return {"match": side.match.number, "room": side.room.value, "side": side.side.value}


def _board_document(board: BoardTime) -> BoardTimeDocument:
    return {"board": board.board, "ms": board.time_ms}


def _team_document(team: TeamTimes) -> TeamTimesDocument:
    board, match, longest = team.slowest_board, team.slowest_match, team.longest
    slowest = board.slowest if board is not None else None
    return {
        "team": team.team,
        "boards": team.boards,
        "total_ms": team.total_ms,
        "average_ms": average_ms(team.total_ms, team.boards),
        "slowest_board": {**_place_document(board), **_board_document(slowest)}
        if board is not None and slowest is not None
        else None,
        "slowest_match": {**_place_document(match), "ms": match.total_ms} if match is not None else None,
        "longest": _thought_document(*longest) if longest is not None else None,
    }


def _side_document(side: SideTimes, *, has_boards: bool) -> SideTimesDocument:
    document: SideTimesDocument = {
        "match": side.match.number,
        "room": side.room.value,
        "side": side.side.value,
        "team": side.team,
        "boards": len(side.boards),
        "total_ms": side.total_ms,
        "average_ms": average_ms(side.total_ms, len(side.boards)),
        "longest": _board_document(side.longest) if side.longest is not None else None,
    }
    if has_boards:
        document["board_times"] = [_board_document(board) for board in side.boards]
    return document


def _thought_document(side: SideTimes, thought: Thought) -> ThoughtDocument:
    return {
        **_place_document(side),
        "board": thought.board,
        "ms": thought.thinking_ms,
        "seat": thought.seat.letter,
        "kind": "card" if thought.is_card else "call",
        "number": thought.number,
        "action": thought.action,
    }


# Text


def _describe_thought(team: str, side: SideTimes, thought: Thought) -> str:
    """Describe it: `Alpha thought longest, 0:07.4, about card 12 (SA, from East): match 3, open room, board 7`."""
    what = f"{'card' if thought.is_card else 'call'} {thought.number} ({thought.action}, from {thought.seat.title})"
    place = f"{_describe_room(side)}, board {thought.board}"
    return f"{team} thought longest, {format_duration(thought.thinking_ms)}, about {what}: {place}"


def _describe_room(side: SideTimes) -> str:
    room = f", {side.room.value} room" if not side.match.format.is_at_one_table else ""
    return f"match {side.match.number}{room}"


def _format_time(time_ms: int | None) -> str:
    return format_duration(time_ms) if time_ms is not None else NOTHING
