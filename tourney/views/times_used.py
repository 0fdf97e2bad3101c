"""Time used by every side on each board, in each match and in total, and its longest thoughts.

Times are thinking times in milliseconds, as a table charges them to a side; the table's own share counts for neither
side. A board counts once both rooms have finished it, as on the scorecard, by a result or a forfeit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from statistics import median
from typing import Annotated, Final, TypeAlias

from tourney.bridge import Side
from tourney.contest.draw import MatchInfo
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room, TableInfo
from tourney.output.rows import ABSENT, INLINE, NOT_IN_CSV, NOTHING, Cell, Row, Unit
from tourney.output.tables import CsvTable, Part, TextTable, csv_table, make_table, text_table
from tourney.output.units import EventName, MatchNumber, Milliseconds, Moment, RoomName, SeatUnit, SideLetters
from tourney.plurals import count, seconds
from tourney.protocol.session.records import CardPlayed, MeasuredDelay
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.store.control.orders import load_extensions
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.record.live import load_board_attempts, load_live_board
from tourney.store.results.event_results import MatchFilter, load_delays, load_longest
from tourney.times import format_duration
from tourney.views.report import Report

PLACES_MAX: Final = 4
"""More tables than these are counted in a line, and not named."""


class BoardTime(Row):
    """The time spent on one board."""

    board: int
    """The number of the board."""
    ms: Milliseconds
    """The time in milliseconds."""


class SideOfRoom(Row):
    """One side of one room of a match."""

    match: MatchNumber
    """The number of the match."""
    room: RoomName
    """The room of the table."""
    side: SideLetters
    """The side of the table."""

    def name_room(self, form: str) -> str:
        """Return the name of the room in this form, `{} room`, if the match has several; else nothing."""
        return self.match.format.name_room(Room(self.room), form)

    def __str__(self) -> str:
        """Describe it: `match 3, open room`."""
        return f"match {self.match.number}{self.name_room(', {} room')}"


class RoomTime(Row):
    """The time spent in one room of a match."""

    place: Annotated[SideOfRoom, INLINE]
    ms: Milliseconds
    """The time in milliseconds."""


class PlacedBoardTime(Row):
    """The time spent on one board, and where."""

    place: Annotated[SideOfRoom, INLINE]
    board: Annotated[BoardTime, INLINE]

    @property
    def ms(self) -> int:
        """The time in milliseconds."""
        return self.board.ms

    def __str__(self) -> str:
        """Describe where: `match 3, open room, board 7`."""
        return f"{self.place}, board {self.board.board}"


class ThoughtDocument(Row):
    """The time spent on one call or card."""

    board: Annotated[PlacedBoardTime, INLINE]
    seat: SeatUnit
    """The hand the call or card came from."""
    kind: Annotated[str, Unit(enum=["call", "card"])]
    """Whether it is a call or a card."""
    number: int
    """The number of the call or card on its board, from 1."""
    action: str
    """The call or card, such as 1NT or QD."""

    def __str__(self) -> str:
        """Describe it: `0:07.4, about card 12 (SA, from East): match 3, open room, board 7`."""
        what = f"{self.kind} {self.number} ({self.action}, from {self.seat.title})"
        return f"{format_duration(self.board.ms)}, about {what}: {self.board}"


class SideTimes(Row, kw_only=True):
    """The time that a side has used in a room, or in a segment there: two programs of a team."""

    place: Annotated[SideOfRoom, INLINE]
    team: str
    """The name of the team."""
    boards: int
    """How many boards the side has played."""
    total_ms: Milliseconds
    """Thinking time in milliseconds."""
    average_ms: Milliseconds | None
    """Thinking time per board in milliseconds; null without boards."""
    longest: BoardTime | None
    """The longest thought, with its board; null unless one match is asked for."""
    board_times: Annotated[tuple[BoardTime, ...], NOT_IN_CSV] = ABSENT
    """Thinking time on each board, in the order of play; only for one match."""


class SideBoardTime(Row):
    """The time that a side has used on a board, in CSV."""

    place: Annotated[SideOfRoom, INLINE]
    team: str
    """The name of the team."""
    board: Annotated[BoardTime, INLINE]


class TeamTimes(Row, kw_only=True):
    """The time that a team has used."""

    team: Annotated[str, Cell("Team")]
    """The name of the team."""
    boards: Annotated[int, Cell(">Boards")]
    """How many boards the team has played, counted per table: a board of a match counts twice."""
    total_ms: Annotated[Milliseconds, Cell(">Total")]
    """Thinking time in milliseconds."""
    average_ms: Annotated[Milliseconds | None, Cell(">Average")]
    """Thinking time per board in milliseconds; null without boards."""
    slowest_board: Annotated[
        PlacedBoardTime | None,
        Unit(text=lambda found: f"{format_duration(found.ms)}, {found}"),
        Cell("Slowest board"),
    ]
    """The board that took the team longest at one table; null without boards."""
    slowest_match: Annotated[
        RoomTime | None, Unit(text=lambda found: f"{format_duration(found.ms)}, {found.place}"), Cell("Slowest match")
    ]
    """The match that took the team longest in one room; null without boards."""
    longest: ThoughtDocument | None
    """The longest thought over one call or card; null unless one match is asked for."""


class TimeGiven(Row, kw_only=True):
    """Thinking time that a director has given beyond a limit, or taken back."""

    at: Moment
    """When it was given."""
    match: MatchNumber
    """The number of the match."""
    room: RoomName
    """The room of the table."""
    board: int | None
    """The board whose limit it is; null for the limit of the match."""
    team: str | None
    """The only team that it is for; null for both."""
    ms: Milliseconds
    """How much, in milliseconds; below 0 if it was taken back."""
    author: str
    """Who gave it."""
    reason: str
    """Why it was given."""

    def __str__(self) -> str:
        """Describe it without its place: `5 minutes more for both sides on board 7, by Ada: a slow network`."""
        much = f"{seconds(abs(self.ms) // 1000)} {'more' if self.ms > 0 else 'less'}"
        board = f" on board {self.board}" if self.board is not None else ""
        return f"{much} for {self.team or 'both sides'}{board}, by {self.author}: {self.reason}"


DelayUnit: TypeAlias = Annotated[int, Unit("Milliseconds.", text="{} ms".format, minimum=0)]


class TeamDelays(Row, kw_only=True):
    """What the network took of the calls and cards of a team whose programs come through a tunnel."""

    team: Annotated[str, Cell("Team")]
    """The name of the team."""
    lines: Annotated[int, Cell(">Calls and cards")]
    """How many calls and cards came through a tunnel."""
    median_ms: Annotated[DelayUnit, Cell(">Network, median")]
    """The median of their delays in milliseconds: what the table measured beyond what the team's client says."""
    p95_ms: Annotated[DelayUnit, Cell(">95 %")]
    """The delay in milliseconds that 95 percent of them did not exceed."""
    longest_ms: Annotated[DelayUnit, Cell(">Longest")]
    """The longest delay in milliseconds."""
    allowed_ms: Annotated[Milliseconds, Cell(">Not charged")]
    """How much of all delays together the team was not charged, in milliseconds."""


class TimesUsed(Report):
    """Times used in an event, or in one of its matches."""

    event: EventName
    """The name of the event."""
    match: MatchNumber | None
    """The number of the match; null for the whole event."""
    teams: tuple[TeamTimes, ...]
    """The teams in the order of the draw; in one match, home team first."""
    sides: tuple[SideTimes, ...]
    """The sides in the order of matches, rooms and directions."""
    given: tuple[TimeGiven, ...] = ABSENT
    """The time that directors have given beyond the limits, the oldest first; only if there was any."""
    delays: tuple[TeamDelays, ...] = ABSENT
    """The delays of the network, of the teams whose programs come through a tunnel; only if there are any."""

    def csv(self) -> CsvTable:
        """Return a row per side of a room; for one match, a row per board and side."""
        if self.match is None:
            return csv_table(SideTimes, self.sides)
        rows = (SideBoardTime(side.place, side.team, board) for side in self.sides for board in side.board_times)
        return csv_table(SideBoardTime, rows)

    def text(self) -> Iterator[Part]:
        """Yield a table of teams; for one match, a table of its boards."""
        match, headings = self.match, {"team": self.event.entrant.title()}
        if match is None:
            yield self.event.name
            yield text_table(TeamTimes, self.teams, headings=headings)
        else:
            yield f"{self.event.name}, round {match.round}, match {match.number}: {match.home} - {match.away}"
            yield self._board_table()
        found = [team for team in self.teams if team.longest is not None]
        if found:
            yield ""
        for team in found:
            yield f"{team.team} thought longest, {team.longest}"
        if self.given is not ABSENT:
            yield ""
            yield from self._given_lines()
        if self.delays is not ABSENT:
            yield ""
            yield text_table(TeamDelays, self.delays, headings=headings)

    def _given_lines(self) -> Iterator[str]:
        """Yield what directors have given, a line for all tables at which they gave the same at once."""
        places: dict[tuple[int, str], list[str]] = {}
        for given in self.given:
            place = f"{given.match.number}{SideOfRoom(given.match, given.room, '').name_room('-{}')}"
            places.setdefault((given.at, str(given)), []).append(place)
        for (_, what), at in places.items():
            where = ", ".join(at) if len(at) <= PLACES_MAX else count(len(at), "table")
            yield f"{where}: {what}"

    def _board_table(self) -> TextTable:
        """Return a row for each board of a match, and the sums of each side below."""
        numbers = dict.fromkeys(board.board for side in self.sides for board in side.board_times)
        columns = [Cell(">Board", lambda row: row[0])] + [
            Cell(f">{side.place.name_room('{} ').title()}{side.place.side}: {side.team}", partial(_time_in, side))
            for side in self.sides
        ]
        sums = [
            ("Total", lambda side: side.total_ms),
            ("Average", lambda side: side.average_ms),
            ("Longest thought", lambda side: side.longest.ms if side.longest is not None else None),
        ]
        boards = [(str(number), partial(_time_on, number)) for number in numbers]
        return make_table(columns, boards, sums, keys=1)


def load(drawn: DrawnEvent, *, match_number: int | None = None) -> TimesUsed:
    """Load the times used in an event, or in one match with its longest thoughts.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such match.
    """
    database, event = drawn.database, drawn.event
    match = drawn.match(match_number) if match_number is not None else None
    scope = MatchFilter(event.id, matches=[match.number] if match is not None else None)
    longest = load_longest(database, scope) if match is not None else {}
    names = [team.name for team in event.teams] if match is None else [match.home, match.away]
    sides: list[tuple[TableInfo, SideTimes]] = []
    for card in iter_scorecards(database, event, {}, scope):
        for table in card.match.tables:
            sides += ((table, _side(card, table, side, longest)) for side in Side)
    sides.sort(key=lambda found: (found[0].match, found[0].segment, found[0].room is Room.CLOSED))
    of_teams = {name: [(table, side) for table, side in sides if name in _names_of(side)] for name in names}
    given = _load_given(database, event, match)
    by_table = load_delays(database, scope)
    delays = tuple(found for name in names if (found := _team_delays(name, of_teams[name], by_table)) is not None)
    teams = tuple(_load_team(database, name, of_teams[name]) for name in names)
    shown = (side if match is not None else replace(side, board_times=ABSENT) for _, side in sides)
    return TimesUsed(event, match, teams, tuple(shown), given or ABSENT, delays or ABSENT)


def average_ms(total_ms: int, boards: int) -> int | None:
    """Return milliseconds per board, rounded half up; None without a board."""
    return (2 * total_ms + boards) // (2 * boards) if boards else None


def _load_given(database: Database, event: EventInfo, match: MatchInfo | None) -> tuple[TimeGiven, ...]:
    """Load the time that directors have given in an event, or in one match."""
    matches = {each.number: each for each in event.matches}
    return tuple(
        TimeGiven.from_attributes(
            each, at=each.created_at_ms, match=matches[each.match], ms=1000 * each.seconds, reason=each.text
        )
        for each in load_extensions(database, event.id, match.id if match is not None else None)
    )


def _team_delays(
    name: str,
    sides: Iterable[tuple[TableInfo, SideTimes]],
    by_table: Mapping[int, Mapping[Side, Sequence[MeasuredDelay]]],
) -> TeamDelays | None:
    """Return the delays of a team, by those of its sides at each table; None if it has none."""
    found = [delay for table, side in sides for delay in by_table.get(table.id, {}).get(Side(side.place.side), ())]
    if not found:
        return None
    times = sorted(delay.delay_ms for delay in found)
    return TeamDelays(
        team=name,
        lines=len(times),
        median_ms=round(median(times)),
        p95_ms=times[ceil(0.95 * len(times)) - 1],
        longest_ms=times[-1],
        allowed_ms=sum(delay.allowed_ms for delay in found),
    )


def _names_of(side: SideTimes) -> tuple[str, ...]:
    """Return whose time a side has taken: the team's or, where partners change, also that of both players."""
    return side.team, *side.place.match.entrants_of(side.team)


def _side(
    card: Scorecard, table: TableInfo, side: Side, longest: Mapping[tuple[int, int], Mapping[Side, int]]
) -> SideTimes:
    """Return the times of a side at a table, given the longest thoughts of sides by table and board."""
    boards = card.boards[table.first : table.first + table.boards]
    times = [
        BoardTime(each.number, each.times_ms[table.room][side]) for each in boards if table.room in each.times_ms
    ]
    thought = [(each.board, longest.get((table.id, each.board), {}).get(side)) for each in times]
    thoughts = [BoardTime(board, ms) for board, ms in thought if ms is not None]
    total_ms = sum(each.ms for each in times)
    return SideTimes(
        place=SideOfRoom(card.match, table.room, side),
        team=table.team(side),
        boards=len(times),
        total_ms=total_ms,
        average_ms=average_ms(total_ms, len(times)),
        longest=max(thoughts, key=lambda each: each.ms, default=None),
        board_times=tuple(times),
    )


def _load_team(database: Database, name: str, sides: Sequence[tuple[TableInfo, SideTimes]]) -> TeamTimes:
    """Add up the times of a team; load its longest thought with all its details."""
    played = [side for _, side in sides if side.boards]
    boards, total_ms = sum(side.boards for side in played), sum(side.total_ms for side in played)
    on_boards = (PlacedBoardTime(side.place, board) for side in played for board in side.board_times)
    in_rooms = (RoomTime(side.place, side.total_ms) for side in played)
    return TeamTimes(
        team=name,
        boards=boards,
        total_ms=total_ms,
        average_ms=average_ms(total_ms, boards),
        slowest_board=max(on_boards, key=lambda found: found.ms, default=None),
        slowest_match=max(in_rooms, key=lambda found: found.ms, default=None),
        longest=_load_longest(database, sides),
    )


def _load_longest(database: Database, sides: Iterable[tuple[TableInfo, SideTimes]]) -> ThoughtDocument | None:
    """Load the longest thought of a team with all its details."""
    found = [(side.longest, table, side.place) for table, side in sides if side.longest is not None]
    if not found:
        return None
    longest, table, place = max(found, key=lambda each: each[0].ms)
    attempts = load_board_attempts(database, [table.id])
    played = [load_live_board(database, each) for each in attempts if each.board == longest.board and each.is_final]
    for action in (action for board in played for action in board.made):
        if action.seat.side is Side(place.side) and action.thinking_ms == longest.ms:
            what, made = ("card", action.card) if isinstance(action, CardPlayed) else ("call", action.call)
            return ThoughtDocument(PlacedBoardTime(place, longest), action.seat, what, action.seq + 1, str(made))
    return None  # the board may be played again by now


def _time_in(side: SideTimes, row: tuple[str, Callable[[SideTimes], int | None]]) -> str:
    """Format what a row of a table has of a side."""
    time_ms = row[1](side)
    return format_duration(time_ms) if time_ms is not None else NOTHING


def _time_on(number: int, side: SideTimes) -> int | None:
    return next((board.ms for board in side.board_times if board.board == number), None)
