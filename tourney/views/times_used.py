"""Time used by every side in each match and in total, its slowest boards, and what the network took.

Times are thinking times in milliseconds, as a table charges them to a side; the table's own share counts for neither
side. A board counts once both rooms have finished it, as on the scorecard, by a result or a forfeit.
"""

from collections.abc import Iterator
from math import ceil
from operator import attrgetter
from statistics import median
from typing import Annotated, Final, TypeAlias

from tourney.bridge import Side
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.rows import ABSENT, INLINE, Cell, Row, Unit
from tourney.output.tables import CsvTable, Parts, csv_table, text_table
from tourney.output.units import (
    BoardCount,
    EventName,
    MatchNumber,
    Milliseconds,
    Moment,
    RoomName,
    SideLetters,
    TeamName,
)
from tourney.plurals import count, seconds
from tourney.results.scorecard import iter_scorecards
from tourney.store.control.orders import load_extensions
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

    team: TeamName
    """The name of the team."""
    boards: BoardCount
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

    team: TeamName
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


def load(drawn: DrawnEvent) -> TimesUsed:
    """Load the times used in an event.

    Raises:
        StoreError: the database cannot be used.
    """
    database, event, matches = drawn.database, drawn.event, drawn.event.matches_by_number
    scope = MatchFilter(event.id)
    played = []
    for card in iter_scorecards(database, event, {}, scope):
        for table in card.match.tables:
            for side in Side:
                place, room = SideOfRoom(card.match, table.room, side), table.room
                boards = [each for each in card.boards[table.span] if room in each.times_ms]
                times = [BoardTime(place, each.number, each.times_ms[room][side]) for each in boards]
                total_ms = sum(each.ms for each in times)
                used = SideTimes(
                    place=place,
                    team=table.team(side),
                    boards=len(times),
                    total_ms=total_ms,
                    average_ms=average_ms(total_ms, len(times)),
                )
                played.append((table, used, max(times, key=attrgetter("ms"), default=None)))
    played.sort(key=lambda found: (found[0].match, found[0].segment, found[0].room is Room.CLOSED))
    by_table, teams, delays = load_delays(database, scope), [], []
    for team in event.teams:
        # Where partners change, the time of a side is also that of both players.
        own = [each for each in played if team.name in (each[1].team, *each[1].place.match.entrants_of(each[1].team))]
        sides = [(side, slowest) for _, side, slowest in own if slowest is not None]
        number, total_ms = sum(side.boards for side, _ in sides), sum(side.total_ms for side, _ in sides)
        in_rooms = (RoomTime(side.place, side.total_ms) for side, _ in sides)
        teams.append(
            TeamTimes(
                team=team.name,
                boards=number,
                total_ms=total_ms,
                average_ms=average_ms(total_ms, number),
                slowest_board=max((slowest for _, slowest in sides), key=attrgetter("ms"), default=None),
                slowest_match=max(in_rooms, key=attrgetter("ms"), default=None),
            )
        )
        measured = [
            delay for table, used, _ in own for delay in by_table.get(table.id, {}).get(Side(used.place.side), ())
        ]
        delays_ms = sorted(delay.delay_ms for delay in measured)
        if delays_ms:
            delays.append(
                TeamDelays(
                    team=team.name,
                    lines=len(delays_ms),
                    median_ms=round(median(delays_ms)),
                    p95_ms=delays_ms[ceil(0.95 * len(delays_ms)) - 1],
                    longest_ms=delays_ms[-1],
                    allowed_ms=sum(delay.allowed_ms for delay in measured),
                )
            )
    return TimesUsed(
        event,
        tuple(teams),
        tuple(side for _, side, _ in played),
        tuple(
            TimeGiven.from_attributes(
                each, at=each.created_at_ms, match=matches[each.match], ms=1000 * each.seconds, reason=each.text
            )
            for each in load_extensions(database, event.id)
        )
        or ABSENT,
        tuple(delays) or ABSENT,
    )


def average_ms(total_ms: int, boards: int) -> int | None:
    """Return milliseconds per board, rounded half up; None without a board."""
    return (2 * total_ms + boards) // (2 * boards) if boards else None
