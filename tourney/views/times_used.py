"""Time used by every side in each match and in total, its slowest boards, and what the network took.

Times are thinking times in milliseconds, as a table charges them to a side; the table's own share counts for neither
side. A board counts once both rooms have finished it, as on the scorecard, by a result or a forfeit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from operator import attrgetter
from statistics import median
from typing import Annotated, Final, TypeAlias

from tourney.bridge import Side
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room, TableInfo
from tourney.output.rows import ABSENT, INLINE, Cell, Row, Unit
from tourney.output.tables import CsvTable, Parts, csv_table, text_table
from tourney.output.units import EventName, MatchNumber, Milliseconds, Moment, RoomName, SideLetters
from tourney.plurals import count, seconds
from tourney.protocol.session.records import MeasuredDelay
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.store.control.orders import load_extensions
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import MatchFilter, load_delays
from tourney.times import format_duration
from tourney.views.report import Report

PLACES_MAX: Final = 4
"""More tables than these are counted in a line, and not named."""


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


class BoardTime(Row):
    """The time spent on one board in one room of a match."""

    place: Annotated[SideOfRoom, INLINE]
    board: int
    """The number of the board."""
    ms: Milliseconds
    """The time in milliseconds."""

    def __str__(self) -> str:
        """Describe where: `match 3, open room, board 7`."""
        return f"{self.place}, board {self.board}"


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
        BoardTime | None,
        Unit(text=lambda found: f"{format_duration(found.ms)}, {found}"),
        Cell("Slowest board"),
    ]
    """The board that took the team longest at one table; null without boards."""
    slowest_match: Annotated[
        RoomTime | None, Unit(text=lambda found: f"{format_duration(found.ms)}, {found.place}"), Cell("Slowest match")
    ]
    """The match that took the team longest in one room; null without boards."""


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
    """Times used in an event."""

    event: EventName
    """The name of the event."""
    teams: tuple[TeamTimes, ...]
    """The teams in the order of the draw."""
    sides: tuple[SideTimes, ...]
    """The sides in the order of matches, rooms and directions."""
    given: tuple[TimeGiven, ...] = ABSENT
    """The time that directors have given beyond the limits, the oldest first; only if there was any."""
    delays: tuple[TeamDelays, ...] = ABSENT
    """The delays of the network, of the teams whose programs come through a tunnel; only if there are any."""

    def csv(self) -> CsvTable:
        """Return a row per side of a room."""
        return csv_table(SideTimes, self.sides)

    def text(self) -> Parts:
        """Yield a table of teams, the time that was given, and the delays of the network."""
        headings = {"team": self.event.entrant.title()}
        yield self.event.name
        yield text_table(TeamTimes, self.teams, headings=headings)
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


SideAtTable: TypeAlias = tuple[TableInfo, SideTimes, BoardTime | None]
"""The times of a side at a table, and its slowest board there."""


def load(drawn: DrawnEvent) -> TimesUsed:
    """Load the times used in an event.

    Raises:
        StoreError: the database cannot be used.
    """
    database, event = drawn.database, drawn.event
    scope = MatchFilter(event.id)
    played = [
        (table, *_side(card, table, side))
        for card in iter_scorecards(database, event, {}, scope)
        for table in card.match.tables
        for side in Side
    ]
    played.sort(key=lambda found: (found[0].match, found[0].segment, found[0].room is Room.CLOSED))
    of_teams = {team.name: [found for found in played if team.name in _names_of(found[1])] for team in event.teams}
    by_table = load_delays(database, scope)
    delays = (_team_delays(name, found, by_table) for name, found in of_teams.items())
    return TimesUsed(
        event,
        tuple(_team(name, found) for name, found in of_teams.items()),
        tuple(side for _, side, _ in played),
        _load_given(database, event) or ABSENT,
        tuple(filter(None, delays)) or ABSENT,
    )


def average_ms(total_ms: int, boards: int) -> int | None:
    """Return milliseconds per board, rounded half up; None without a board."""
    return (2 * total_ms + boards) // (2 * boards) if boards else None


def _load_given(database: Database, event: EventInfo) -> tuple[TimeGiven, ...]:
    """Load the time that directors have given in an event."""
    matches = event.matches_by_number
    return tuple(
        TimeGiven.from_attributes(
            each, at=each.created_at_ms, match=matches[each.match], ms=1000 * each.seconds, reason=each.text
        )
        for each in load_extensions(database, event.id)
    )


def _team_delays(
    name: str,
    sides: Iterable[SideAtTable],
    by_table: Mapping[int, Mapping[Side, Sequence[MeasuredDelay]]],
) -> TeamDelays | None:
    """Return the delays of a team, by those of its sides at each table; None if it has none."""
    found = [delay for table, side, _ in sides for delay in by_table.get(table.id, {}).get(Side(side.place.side), ())]
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


def _side(card: Scorecard, table: TableInfo, side: Side) -> tuple[SideTimes, BoardTime | None]:
    """Return the times of a side at a table, and its slowest board there."""
    place, room = SideOfRoom(card.match, table.room, side), table.room
    boards = card.boards[table.span]
    times = [BoardTime(place, each.number, each.times_ms[room][side]) for each in boards if room in each.times_ms]
    total_ms = sum(each.ms for each in times)
    used = SideTimes(
        place=place,
        team=table.team(side),
        boards=len(times),
        total_ms=total_ms,
        average_ms=average_ms(total_ms, len(times)),
    )
    return used, max(times, key=attrgetter("ms"), default=None)


def _team(name: str, found: Iterable[SideAtTable]) -> TeamTimes:
    """Add up the times of a team."""
    played = [(side, slowest) for _, side, slowest in found if slowest is not None]
    boards, total_ms = sum(side.boards for side, _ in played), sum(side.total_ms for side, _ in played)
    in_rooms = (RoomTime(side.place, side.total_ms) for side, _ in played)
    return TeamTimes(
        team=name,
        boards=boards,
        total_ms=total_ms,
        average_ms=average_ms(total_ms, boards),
        slowest_board=max((slowest for _, slowest in played), key=attrgetter("ms"), default=None),
        slowest_match=max(in_rooms, key=attrgetter("ms"), default=None),
    )
