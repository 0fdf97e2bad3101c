"""What the store gives and takes: plain objects, free of SQL.

The draw as it is given to the store is in `plans`.
"""

from dataclasses import dataclass

from tourney.bridge import Board, Result, Seat, Side
from tourney.contest.plan import NO_CARRY, StageRules
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.formats import StageFormat
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, CallMade, CardPlayed
from tourney.protocol.wires import DEFAULT as DEFAULT_WIRE
from tourney.protocol.wires import WireProfile
from tourney.scoring.victory_points import VpHundredths
from tourney.store.models import TableState


@dataclass(frozen=True, slots=True)
class TeamInfo:
    id: int
    number: int
    name: str
    command: str | None
    profile: str
    wire: WireProfile = DEFAULT_WIRE
    second_command: str | None = None

    def command_of(self, pair: int) -> str | None:
        """The command that starts the programs of a pair."""
        return self.second_command if pair == 2 and self.second_command is not None else self.command


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One room of a segment of a match, as it stands."""

    id: int
    match: int
    room: Room
    ns_team: str
    ew_team: str
    state: TableState
    reason: str
    host: str | None
    attempt: int
    ports: dict[Seat, int]
    """Empty until the ports are open."""
    boards: int = 0
    """How many are played here."""
    segment: int = 1
    first: int = 0
    """The place of the first of them in the order of play of the match, from 0."""
    ns_pair: int = 1
    """Which pair of the team sits here."""
    ew_pair: int = 1

    @property
    def place(self) -> str:
        """The name by which commands call it: `3-open`, in a later segment `3.2-open`."""
        segment = f".{self.segment}" if self.segment > 1 else ""
        return f"{self.match}{segment}-{self.room.value}"

    def team(self, side: Side) -> str:
        return self.ns_team if side is Side.NS else self.ew_team

    def pair(self, side: Side) -> int:
        return self.ns_pair if side is Side.NS else self.ew_pair

    def side_of(self, team: str) -> Side:
        """The side on which a team of this match sits."""
        return Side.NS if self.ns_team == team else Side.EW


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """Boards of a match that are played in one seating: `boards` of them from position `first` on, from 0."""

    number: int
    first: int
    boards: int
    tables: dict[Room, TableInfo]


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match of the draw; `id` is the database's, `number` what commands name, `round` counts through the event."""

    id: int
    number: int
    round: int
    home: str
    away: str
    board_set_id: int
    segments: tuple[SegmentInfo, ...]
    """In the order of play; extra boards of a level match are segments too."""
    stage: int = 1
    carry_home: ImpHundredths = NO_CARRY
    """What the home team has brought along from the stage before."""
    carry_away: ImpHundredths = NO_CARRY
    is_third_place: bool = False
    format: StageFormat = StageFormat.ROUND_ROBIN
    """That of its stage."""

    @property
    def teams(self) -> tuple[str, str]:
        """Who meets, the home team first."""
        return self.home, self.away

    @property
    def boards(self) -> int:
        """The number of boards of its set that it plays."""
        return sum(segment.boards for segment in self.segments)

    @property
    def tables(self) -> tuple[TableInfo, ...]:
        """The tables of all segments, in the order of play, the open room first."""
        return tuple(table for segment in self.segments for table in segment.tables.values())

    @property
    def tables_by_id(self) -> dict[int, TableInfo]:
        return {table.id: table for table in self.tables}

    def tables_at(self, position: int) -> dict[Room, TableInfo]:
        """The tables that play the board at a place in the order of play, from 0."""
        return next(s.tables for s in self.segments if s.first <= position < s.first + s.boards)


@dataclass(frozen=True, slots=True)
class RoundInfo:
    """A round. `number` counts through the event and is what commands name, `number_in_stage` within its stage."""

    id: int
    number: int
    stage: int
    number_in_stage: int
    starts_at_ms: int | None
    is_drawn: bool
    """Whether it is known who meets whom."""
    byes: tuple[str, ...]
    matches: tuple[MatchInfo, ...]


@dataclass(frozen=True, slots=True)
class EntryInfo:
    """A team in a stage."""

    team: str
    seed: int
    """Its place among the teams of the stage, from 1."""
    group: int
    """From 1."""
    rank: int
    """In its group of the stage before; 0 in the first stage."""
    from_round: int
    """The round of the stage from which it plays."""
    carry_vp: VpHundredths
    """What it has brought along from the stage before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageInfo(StageRules):
    """A stage of a drawn event."""

    id: int
    number: int
    entries: tuple[EntryInfo, ...]
    """In the order of their seeds; none while it is not known who comes."""
    rounds: tuple[RoundInfo, ...]
    """All, drawn or not."""

    @property
    def is_drawn(self) -> bool:
        """Whether it is known who meets whom in all of its rounds."""
        return all(round_.is_drawn for round_ in self.rounds)

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)


@dataclass(frozen=True, slots=True)
class EventInfo:
    """A drawn event, as far as it is drawn."""

    id: int
    name: str
    seed: str
    plan: str
    teams: tuple[TeamInfo, ...]
    stages: tuple[StageInfo, ...]

    @property
    def rounds(self) -> tuple[RoundInfo, ...]:
        """The rounds of which it is known who meets whom; round n is the one at n - 1."""
        return tuple(round_ for stage in self.stages for round_ in stage.rounds if round_.is_drawn)

    @property
    def all_rounds(self) -> tuple[RoundInfo, ...]:
        """All rounds, those included that are drawn when earlier ones are finished."""
        return tuple(round_ for stage in self.stages for round_ in stage.rounds)

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)

    def stage_of(self, match: MatchInfo) -> StageInfo:
        return self.stages[match.stage - 1]


@dataclass(frozen=True, slots=True)
class BoardResult:
    """How a board came out at one table, with the thinking time of both sides and the table's own share."""

    board: int
    result: Result
    times_ms: dict[Side, int]
    tm_ms: int = 0


@dataclass(frozen=True, slots=True)
class StoredMatchScore:
    """The score of a match that is over."""

    match: int
    boards: int
    imps_home: int
    imps_away: int
    vp_home: VpHundredths
    vp_away: VpHundredths
    lost_home: int = 0
    """IMPs that the home team lost and its opponents did not win; they are off `imps_home` already."""
    lost_away: int = 0


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """Everything on record of one board that is not played again at one table: it has a result, or was forfeited."""

    match: int
    table: TableInfo
    attempt: int
    board: Board
    result: BoardResult | None
    """None when it was forfeited: calls and cards are those made up to then."""
    calls: tuple[CallMade, ...]
    cards: tuple[CardPlayed, ...]
    began_at_ms: int
    ended: BoardEnd
    fault: Seat | None
    """Whose fault the end is."""
    reason: str

    @property
    def room(self) -> Room:
        return self.table.room

    @property
    def times_ms(self) -> dict[Side, int]:
        """Thinking time of both sides; of a forfeited board that of its calls and cards."""
        if self.result is not None:
            return self.result.times_ms
        times = dict.fromkeys(Side, 0)
        actions: tuple[CallMade | CardPlayed, ...] = (*self.calls, *self.cards)
        for action in actions:
            times[action.seat.side] += action.thinking_ms
        return times


@dataclass(frozen=True, slots=True)
class AttemptInfo:
    """One try at a board; `ended` is None while it is under way or when its host died."""

    board: int
    attempt: int
    ended: BoardEnd | None
    reason: str
