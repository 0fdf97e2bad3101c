"""The schedule: the draw as it is stored, with the numbers of the boards of each match."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Annotated, Final, TypeAlias

from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.groups import group_letter
from tourney.output.rows import ABSENT, INLINE, NOTHING, Document, Row, Unit
from tourney.output.tables import CsvTable, Part, TextTable, csv_values
from tourney.output.units import ByRoom, CarriedImps, GroupLetter, Moment, Vp
from tourney.plurals import count
from tourney.report.report import Report
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, StageInfo
from tourney.store.results.matches import load_board_numbers
from tourney.times import format_day, format_moment, format_time_of_day

_COLUMNS: Final = (
    *("stage", "round", "starts", "match", "home", "away"),
    *("segment", "boards", "room", "ns", "ns_pair", "ew", "ew_pair"),
)
"""The columns of the CSV table."""

_KNOCKOUT_ROUNDS: Final = {1: "final", 2: "semi-finals", 4: "quarter-finals"}
"""Names of knockout rounds by the number of teams that advance."""


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


class Schedule(Report):
    """The matches of an event: opponents, seating and boards."""

    event: EventInfo
    board_numbers: Mapping[int, list[int]]
    """Numbers of the boards by the id of their set, in the order of play."""
    zone: tzinfo | None = None
    """The time zone in which people read times; None for that of this machine."""

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
            carry=CarryDocument(match.carry_home, match.carry_away),
        )

    def _tables(self, round_: RoundInfo) -> list[ScheduledTableDocument]:
        """Return what is played in a round of halves of matches."""
        seeds = {entry.team: entry.seed for entry in self.event.stages[round_.stage - 1].entries}
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

    def text(self) -> Iterator[Part]:
        """Yield stages, teams, days and a table per round."""
        event = self.event
        yield event.name
        for stage in event.stages:
            scale = f", {stage.vp_scale}" if stage.format.uses_vp_scale else ""
            if stage.format.has_movement:
                kind = f"{stage.format.name}, " if stage.name.casefold() != stage.format.name else ""
                yield (
                    f"{stage.name}: {kind}{count(len(stage.rounds), 'round')} of "
                    f"{count(stage.boards_per_match, 'board')}{scale}"
                )
                continue
            segments = f" in {stage.segments} segments" if stage.segments > 1 else ""
            groups = f", {stage.groups} groups" if stage.groups > 1 else ""
            at_most = "at most " if stage.format.keeps_sheet else ""
            yield (
                f"{stage.name}: {stage.format.name}{groups}, {count(len(stage.rounds), 'round')}, "
                f"{at_most}{count(stage.boards_per_match, 'board')} a match{segments}{scale}"
            )
        yield ""
        yield _team_table(event)
        if any(round_.starts_at_ms is not None for round_ in event.all_rounds):
            yield ""
            yield self._day_table()
        for round_ in event.all_rounds:
            yield ""
            yield _round_heading(event, round_, self.zone)
            if round_.assignments:
                yield self._round_table(round_)

    def _day_table(self) -> TextTable:
        """Return the days with their rounds; one that starts when the round before has finished is on its day."""
        days: dict[str, tuple[list[int], list[str]]] = {}
        day = NOTHING
        for round_ in self.event.all_rounds:
            at_ms = round_.starts_at_ms
            if at_ms is not None:
                day = format_day(at_ms, self.zone)
            numbers, starts = days.setdefault(day, ([], []))
            numbers.append(round_.number)
            if at_ms is not None:
                starts.append(format_time_of_day(at_ms, self.zone))
        table = TextTable("Day", "Rounds", "Starts")
        for name, (numbers, starts) in days.items():
            table.add_row(name, format_ranges(numbers), ", ".join(dict.fromkeys(starts)) or NOTHING)
        return table

    def _round_table(self, round_: RoundInfo) -> TextTable:
        if self.event.stages[round_.stage - 1].format.has_movement:
            return self._seating_table(round_)
        has_rooms = self.event.stages[round_.stage - 1].format.has_rooms
        table = TextTable(">Match", "Home - away", "Boards", *(["Room"] if has_rooms else []), "N-S", "E-W")
        for match in round_.matches:
            numbers = self.boards_of(match)
            name = (str(match.number), f"{match.home} - {match.away}{_notes(match)}")
            for segment in match.segments:
                boards = format_ranges(numbers[segment.first : segment.first + segment.boards])
                for room, seats in segment.tables.items():
                    where = [room.value] if has_rooms else []
                    table.add_row(*name, boards, *where, seats.ns_team, seats.ew_team)
                    name, boards = ("", ""), ""
        return table

    def _seating_table(self, round_: RoundInfo) -> TextTable:
        """Return who sits where in a movement, by name and number."""
        numbers = {entry.team: entry.seed for entry in self.event.stages[round_.stage - 1].entries}
        table = TextTable(">Match", "Boards", ">No", "N-S", ">No", "E-W")
        for assignment in round_.assignments:
            match = assignment.match
            seated: list[str] = []
            for team in assignment.teams:
                seated += [", ".join(str(numbers[each]) for each in match.entrants_of(team)), team]
            table.add_row(str(match.number), format_ranges(self.boards_of(match)), *seated)
        return table


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
    stage = event.stages[round_.stage - 1]
    if event.is_lobby:
        return f"Games of {stage.name}"
    if len(event.stages) == 1 and not stage.format.is_knockout:
        return f"Round {number}"
    name = stage.name
    if stage.format.is_knockout and stage.format.is_drawn_by_round and round_.is_drawn:
        matches = sum(not match.is_third_place for match in round_.matches) + len(round_.byes)
        if matches in _KNOCKOUT_ROUNDS and _KNOCKOUT_ROUNDS[matches].rstrip("s") != name.casefold().rstrip("s"):
            name += f": {_KNOCKOUT_ROUNDS[matches]}"
    return f"Round {number}, {name}"


def describe_byes(byes: Sequence[str]) -> str:
    """Describe the byes of a round: `Alpha and Beta sit out`."""
    *others, last = byes
    names = f"{', '.join(others)} and {last}" if others else last
    return f"{names} {'sit' if others else 'sits'} out"


def stage_row(stage: StageInfo) -> StageDocument:
    """Return a stage as a row."""
    return StageDocument.from_attributes(
        stage,
        stage=stage.number,
        format=stage.format.name,
        vp_scale=stage.vp_scale if stage.format.uses_vp_scale else None,
        rounds=[round_.number for round_ in stage.rounds],
        teams=[
            EntryDocument.from_attributes(entry, group=group_letter(entry.group - 1) if stage.groups > 1 else None)
            for entry in stage.entries
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
            boards=boards[segment.first : segment.first + segment.boards],
            rooms={
                room: SeatingDocument(table.ns_team, table.ns_pair, table.ew_team, table.ew_pair)
                for room, table in segment.tables.items()
            },
        )
        for segment in match.segments
    ]


def _team_table(event: EventInfo) -> TextTable:
    stage = event.stages[0]
    groups_of = {e.team: e.group for e in stage.entries} if stage.groups > 1 else {}
    numbers = {team.name: team.number for team in event.teams}
    if stage.format.ranks_by_boards:
        # Of sections, pairs are numbered on from one to the next, not in the order of the draw.
        numbers |= {entry.team: entry.seed for entry in stage.entries}
    heading = [stage.format.group_heading(stage.sections)] if groups_of else []
    table = TextTable(">No", stage.format.entrant.title(), *heading)
    for name, number in sorted(numbers.items(), key=lambda item: item[1]):
        group = [stage.group_name(groups_of[name])] if groups_of else []
        table.add_row(str(number), name, *group)
    return table


def _round_heading(event: EventInfo, round_: RoundInfo, zone: tzinfo | None) -> str:
    heading = describe_round(event, round_.number)
    if round_.starts_at_ms is not None:
        heading += f", {format_moment(round_.starts_at_ms, zone)}"
    if not round_.is_drawn:
        return f"{heading}: drawn when the rounds before it have finished"
    return f"{heading}; {describe_byes(round_.byes)}" if round_.byes else heading


def _notes(match: MatchInfo) -> str:
    """Return what a match is marked with: `, for third place; carried over: 2.5 - 0`."""
    notes = ", for third place" if match.is_third_place else ""
    if match.carry_home or match.carry_away:
        carried = " - ".join(map(format_imps_hundredths, (match.carry_home, match.carry_away)))
        notes += f"; carried over: {carried}"
    return notes
