"""The schedule: the draw as it is stored, with the numbers of the boards of each match."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import tzinfo
from typing import Annotated, Any, Final, TypeAlias

from tourney.bridge import Side
from tourney.contest.draw import MatchInfo, RoundAssignment, RoundInfo, StageInfo
from tourney.movement.groups import group_letter
from tourney.output.content import Content, EntrantLink, Heading, Instant, Linked, MatchLink, RoundLink
from tourney.output.rows import ABSENT, INLINE, NOTHING, Cell, Document, Row, Unit
from tourney.output.tables import CsvTable, Parts, TextTable, csv_values, make_table, parse_columns
from tourney.output.units import ByRoom, CarriedImps, GroupLetter, Moment, Vp
from tourney.plurals import count, listed, plural
from tourney.scoring.victory_points import format_hundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.matches import load_board_numbers
from tourney.times import format_day, format_time_of_day
from tourney.views.report import Report

_COLUMNS: Final = parse_columns("""
stage round starts match home away segment boards room ns ns_pair ew ew_pair
""")
"""The columns of the CSV table."""


def format_ranges(numbers: Sequence[int]) -> str:
    """Format numbers in the given order, consecutive ones as ranges: `1-16`, `1-4, 9, 11-12`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


BoardNumbers: TypeAlias = Annotated[Sequence[int], Unit(form=list[int], csv=format_ranges)]
"""Numbers of boards, in the order of play; ranges in CSV."""
PairNumber: TypeAlias = Annotated[int, Unit("Which pair of the team.", enum=[1, 2])]


class EntryDocument(Row):
    """A team in a stage."""

    team: str
    """The name of the team."""
    seed: int
    """The seed of the team in the stage, from 1."""
    group: GroupLetter | None
    """The letter of the group; null where there are no groups."""
    from_round: int
    """The round of the stage in which the team enters, from 1."""
    carry_vp: Vp
    """Victory points carried over from the stage before, as a decimal string."""


class StageDocument(Row):
    """A stage of an event."""

    stage: int
    """The number of the stage, from 1."""
    name: str
    """The name of the stage."""
    format: str
    """The format of the stage, such as round-robin."""
    boards_per_match: int
    """The number of boards per match, without the extra boards of tied matches."""
    segments: int
    """The number of segments in each match."""
    vp_scale: str | None
    """The name of the victory point scale; null where there are no victory points."""
    rounds: list[int]
    """The numbers of its rounds, counted through the event."""
    teams: list[EntryDocument]
    """The teams by seed; empty until all of them have qualified."""


class NumberedTeamDocument(Row):
    """A team with its number."""

    number: int
    """The number of the team in the draw, from 1."""
    team: str
    """The name of the team."""


class DirectionsDocument(Row):
    """The team in each direction at a table."""

    ns: str
    """The team that sits North-South."""
    ew: str
    """The team that sits East-West."""


class SeatingDocument(Row):
    """The team, and the pair of that team, in each direction at a table."""

    ns: str
    """The team that sits North-South."""
    ns_pair: PairNumber
    """Which pair of that team sits there, 1 or 2."""
    ew: str
    """The team that sits East-West."""
    ew_pair: PairNumber
    """Which pair of that team sits there, 1 or 2."""


class SegmentDocument(Row):
    """A part of a match."""

    segment: int
    """The number of the segment, from 1."""
    boards: BoardNumbers
    """The numbers of its boards, in the order of play."""
    rooms: ByRoom[SeatingDocument]
    """Which team and which pair of it sits in which direction, by room."""


class CarryDocument(Row):
    """IMPs that both teams carried over from the stage before."""

    carry_home: CarriedImps
    """IMPs that the home team carried over from the stage before, as a decimal string."""
    carry_away: CarriedImps
    """IMPs that the away team carried over from the stage before, as a decimal string."""


class ScheduledMatchDocument(Row):
    """A match of the schedule."""

    match: int
    """The number of the match."""
    home: str
    """The name of the home team."""
    away: str
    """The name of the away team."""
    boards: BoardNumbers
    """The numbers of its boards, in the order of play."""
    rooms: ByRoom[DirectionsDocument]
    """Which team sits in which direction, in the first segment."""
    segments: list[SegmentDocument]
    """The segments in the order of play, extra boards of a tied match last."""
    carry: Annotated[CarryDocument, INLINE]


class RoundHeadDocument(Row):
    """A round without its matches."""

    round: int
    """The number of the round, counted through the event from 1."""
    starts: Moment | None
    """When the round starts; null for immediately."""
    stage: int
    """The number of its stage."""
    drawn: bool
    """Whether the round has been drawn; false while it depends on results that are not available yet."""
    byes: Sequence[str]
    """The teams that do not play in the round."""


class ScheduledTableDocument(Row):
    """A table of a round in which every table is half of a match."""

    table: int
    """The number of the table, from 1."""
    match: int
    """The number of the match."""
    room: str
    """The room of the match that it is: open or closed."""
    ns: str
    """The team that sits North-South, with its first pair."""
    ew: str
    """The team that sits East-West, with its second pair."""
    boards: BoardNumbers
    """The numbers of the boards, in the order of play."""


class ScheduledRoundDocument(Row):
    """A round of the schedule."""

    head: Annotated[RoundHeadDocument, INLINE]
    matches: list[ScheduledMatchDocument]
    """The matches of the round, by number; where halves of matches are played apart, those that it decides."""
    tables: list[ScheduledTableDocument] = ABSENT
    """What is played in the round, where halves of matches are played apart."""


class DrawDocument(Row):
    """The draw."""

    stages: list[StageDocument]
    """The stages in the order of play."""
    teams: list[NumberedTeamDocument]
    """The teams in the order of the draw."""
    rounds: list[ScheduledRoundDocument]
    """The rounds in the order of play."""


class ScheduleDocument(Row):
    """The draw of an event."""

    event: str
    """The name of the event."""
    draw: Annotated[DrawDocument, INLINE]


NOTES: Final = Cell("Notes", lambda each: describe_notes(each.match), if_any=True)
"""A column of what matches are marked with, if any are."""


class Schedule(Report):
    """The matches of an event: opponents, seating and boards."""

    event: EventInfo
    board_numbers: Mapping[int, list[int]]
    """Numbers of the boards by the id of their set, in the order of play."""
    zone: tzinfo | None
    """The time zone in which people read times; None for that of this machine."""
    tables: Mapping[int, int] = field(default_factory=dict)
    """The numbers of the tables of movements, which are shown in place of those of the matches, by these."""
    results_of: Callable[[RoundInfo], Iterable[Cell]] = lambda _: [NOTES]
    """Returns the last columns of the table of a round, over what is played in it."""

    def boards_of(self, match: MatchInfo) -> list[int]:
        """Return the numbers of a match's boards, in the order of play."""
        return self.board_numbers[match.board_set_id][: match.boards]

    def content(self) -> ScheduleDocument:
        """Return the stages, teams and rounds."""
        return ScheduleDocument(self.event.name, self.draw())

    def draw(self) -> DrawDocument:
        """Return the stages, teams and rounds without the name of the event."""
        event = self.event
        return DrawDocument(
            list(map(stage_row, event.stages)), team_rows(event), list(map(self._round, event.all_rounds))
        )

    def _round(self, round_: RoundInfo) -> ScheduledRoundDocument:
        has_halves = any(assignment.is_half for assignment in round_.assignments)
        return ScheduledRoundDocument(
            head=round_head(round_),
            matches=[self._match(match) for match in round_.matches],
            tables=self._tables(round_) if has_halves else ABSENT,
        )

    def _match(self, match: MatchInfo) -> ScheduledMatchDocument:
        boards = self.boards_of(match)
        return ScheduledMatchDocument.from_attributes(
            match,
            match=match.number,
            boards=boards,
            rooms=directions_of(match),
            segments=segment_rows(match, boards),
            carry=CarryDocument.from_attributes(match),
        )

    def _tables(self, round_: RoundInfo) -> list[ScheduledTableDocument]:
        """Return what is played in a round of halves of matches."""
        seeds = self.event.stage_of(round_).seeds
        return [
            ScheduledTableDocument(
                table=seeds[assignment.teams[0]],
                match=assignment.match.number,
                room=assignment.rooms[0],
                ns=assignment.teams[0],
                ew=assignment.teams[1],
                boards=self.boards_of(assignment.match),
            )
            for assignment in round_.assignments
        ]

    def csv(self) -> CsvTable:
        """Return a row for each room of each segment of the matches that are drawn."""
        return CsvTable(_COLUMNS, self._seats())

    def _seats(self) -> Iterator[Document]:
        for round_ in self.event.rounds:
            for assignment in round_.assignments:
                match = assignment.match
                for segment in segment_rows(match, self.boards_of(match)):
                    for room in assignment.rooms:
                        rows = (segment, segment.rooms[room], round_head(round_))
                        teams = {"match": match.number, "home": match.home, "away": match.away}
                        yield csv_values(_COLUMNS, *rows, **teams, room=room)

    def text(self) -> Parts:
        """Yield stages, days and a table per round."""
        yield self.event.name
        yield from map(_describe_stage, self.event.stages)
        yield from self.rounds_parts()

    def rounds_parts(self) -> Parts:
        """Yield the days if rounds have times to start at, and a table per round."""
        if any(round_.starts_at_ms is not None for round_ in self.event.all_rounds):
            yield ""
            yield self._day_table()
        for round_ in self.event.all_rounds:
            yield round_heading(self.event, round_, self.zone)
            yield from self.round_parts(round_)

    def round_parts(self, round_: RoundInfo) -> Parts:
        """Yield who sits out in a round, and what is played in it."""
        if not round_.is_drawn:
            yield "Drawn when the rounds before it have finished"
        if round_.byes:
            yield describe_byes(round_.byes)
        if round_.assignments:
            yield self.round_table(round_)
        elif round_.is_drawn:
            yield "Nothing is played in it yet"

    def _day_table(self) -> TextTable:
        """Return the days with their rounds; one that starts when the round before has finished is on its day."""
        days: dict[str, list[RoundInfo]] = {}
        day = NOTHING
        for round_ in self.event.all_rounds:
            if round_.starts_at_ms is not None:
                day = format_day(round_.starts_at_ms, self.zone)
            days.setdefault(day, []).append(round_)
        columns = [
            Cell("Day", lambda item: item[0]),
            Cell("Rounds", lambda item: format_ranges([round_.number for round_ in item[1]])),
            Cell("Starts", lambda item: self._format_starts(item[1])),
        ]
        return make_table(columns, days.items(), caption="Days")

    def _format_starts(self, rounds: Iterable[RoundInfo]) -> str:
        starts = [round_.starts_at_ms for round_ in rounds if round_.starts_at_ms is not None]
        return ", ".join(dict.fromkeys(format_time_of_day(at_ms, self.zone) for at_ms in starts)) or NOTHING

    def round_table(self, round_: RoundInfo) -> TextTable:
        """Return what is played in a round: who meets whom, or sits where, on which boards."""
        stage, played = self.event.stage_of(round_), round_.assignments
        number = Cell(
            ">Table" if any(each.match.number in self.tables for each in played) else ">Match",
            lambda each: self.tables.get(each.match.number, each.match.number),
            worth=2,
            to=(MatchLink, "match.number"),
        )
        columns = [number]
        for place, headings in enumerate(stage.format.side_headings):
            columns += _side_columns(place, headings, stage.seeds)
        columns += [
            Cell("Boards", lambda each: format_ranges(self.boards_of(each.match))),
            Cell(
                stage.format.seats_heading,
                lambda each: f"{each.match.home} {describe_seats(each.match)}" if len(each.rooms) > 1 else "",
                if_any=True,
            ),
            Cell("Other half", self._name_other_half, if_any=True),
            *self.results_of(round_),
        ]
        return make_table(columns, played)

    def _name_other_half(self, half: RoundAssignment) -> Content:
        if not half.is_half:
            return ""
        other = self.event.played_in(half.match, half.rooms[0].other)
        return Linked(describe_round(self.event, other), RoundLink(other))


def load_schedule(database: Database, event: EventInfo, zone: tzinfo | None = None) -> Schedule:
    """Load the stored draw; people read its times in a time zone, by default that of this machine.

    Raises:
        StoreError: the database cannot be used.
    """
    return Schedule(event, load_board_numbers(database, event.id), zone)


def describe_round(event: EventInfo, number: int) -> str:
    """Describe a round: `Round 3`, or `Round 9, Finals: semi-finals` in an event of several stages.

    In a lobby it is a kind of game.
    """
    round_ = event.all_rounds[number - 1]
    stage = event.stage_of(round_)
    return stage.format.describe_round(stage.name, round_, is_only_stage=len(event.stages) == 1)


def round_heading(event: EventInfo, round_: RoundInfo, zone: tzinfo | None) -> Heading:
    """Return the heading of a round: its name and when it starts."""
    name, at_ms = describe_round(event, round_.number), round_.starts_at_ms
    words = (f"{name},", Instant(at_ms, zone)) if at_ms is not None else name
    return Heading(words, RoundLink(round_.number) if round_.is_drawn else None)


def describe_byes(byes: Sequence[str]) -> str:
    """Describe the byes of a round: `Alpha and Beta sit out`."""
    return f"{listed(byes)} {plural(len(byes), 'sits', 'sit')} out"


def describe_seats(match: MatchInfo, team: str = "") -> str:
    """Describe where a team, by default the home team, sits in the first room of a match.

    `North-South`, or `North-South in segments 1, 3`.
    """
    own = match.team_of(team) if team else match.home
    seated = [(segment.number, segment.tables[match.rooms[0]].side_of(own)) for segment in match.segments]
    north_south = [number for number, side in seated if side is Side.NS]
    if len(north_south) == len(seated):
        return "North-South"
    if not north_south:
        return "East-West"
    return f"North-South in {plural(len(north_south), 'segment')} {format_ranges(north_south)}"


def describe_notes(match: MatchInfo) -> str:
    """Return what a match is marked with: `for third place; carried over: 2.5 - 0`."""
    carried = " - ".join(map(format_hundredths, (match.carry_home, match.carry_away)))
    has_carry = match.carry_home or match.carry_away
    notes = ("for third place" if match.is_third_place else "", f"carried over: {carried}" if has_carry else "")
    return "; ".join(filter(None, notes))


def stage_row(stage: StageInfo) -> StageDocument:
    """Return a stage as a row."""
    return StageDocument.from_attributes(
        stage,
        stage=stage.number,
        format=stage.format.name,
        vp_scale=stage.format.scale_name(stage.vp_scale) or None,
        rounds=[round_.number for round_ in stage.rounds],
        teams=[
            EntryDocument.from_attributes(
                entry, seed=seed, group=group_letter(entry.group - 1) if stage.groups > 1 else None
            )
            for seed, entry in enumerate(stage.entries, 1)
        ],
    )


def team_rows(event: EventInfo) -> list[NumberedTeamDocument]:
    """Return the teams in the order of the draw."""
    return [NumberedTeamDocument(team.number, team.name) for team in event.teams]


def round_head(round_: RoundInfo) -> RoundHeadDocument:
    """Return a round as a row, without its matches."""
    return RoundHeadDocument(round_.number, round_.starts_at_ms, round_.stage, round_.is_drawn, round_.byes)


def directions_of(match: MatchInfo) -> ByRoom[DirectionsDocument]:
    """Return the team in each direction, by room, in the first segment."""
    tables = match.segments[0].tables
    return {room: DirectionsDocument(table.ns_team, table.ew_team) for room, table in tables.items()}


def segment_rows(match: MatchInfo, boards: Sequence[int]) -> list[SegmentDocument]:
    """Return the segments of a match with the seating of each pair; `boards` are the numbers of its boards."""
    return [
        SegmentDocument(
            segment=segment.number,
            boards=boards[segment.span],
            rooms={
                room: SeatingDocument(table.ns_team, table.ns_pair, table.ew_team, table.ew_pair)
                for room, table in segment.tables.items()
            },
        )
        for segment in match.segments
    ]


def _describe_stage(stage: StageInfo) -> str:
    words = (
        stage.format.name if stage.name.casefold() != stage.format.name else "",
        f"{stage.groups} {stage.format.group_word}s" if stage.groups > 1 else "",
        count(len(stage.rounds), "round"),
        stage.format.describe_length(stage),
    )
    return f"{stage.name}: {', '.join(filter(None, words))}"


def side_cell(heading: str, name: Callable[[Any], str]) -> Cell:
    """Return the column of a side of each match, given what returns its name."""
    return Cell(heading, name, worth=2, to=lambda row: EntrantLink(name(row)))


def _side_columns(place: int, headings: Sequence[str], seeds: Mapping[str, int]) -> Iterator[Cell]:
    """Yield the columns of a side of each table: its name, before it the numbers of whom it is made of, if wanted."""

    def numbers(each: RoundAssignment) -> str:
        return ", ".join(str(seeds[entrant]) for entrant in each.match.entrants_of(each.teams[place]))

    for heading in headings[:-1]:
        yield Cell(heading, numbers)
    yield side_cell(headings[-1], lambda each: each.teams[place])
