"""What the store gives and takes: plain objects, free of SQL."""

from dataclasses import dataclass

from tourney.bridge import Board, Call, Card, Result, Seat, Side
from tourney.config import PortPlan, PortRange, SharedDeals, StageFormat
from tourney.movement.seating import Room
from tourney.protocol.records import BoardEnd
from tourney.scoring.victory_points import VpHundredths
from tourney.store.models import TableState


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What a table host needs of the event file; changed by each run, unlike the draw."""

    folder: str
    """The folder of the event file, absolute: where programs of teams are started."""
    results_folder: str
    """Absolute path."""
    host: str
    ports: PortRange
    port_plan: PortPlan
    trick_pause_ms: int
    wire_log: bool
    connect_s: int


@dataclass(frozen=True, slots=True)
class PlannedTeam:
    """A team to be stored; its number is its place in the list."""

    name: str
    command: str | None
    profile: str


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to be stored: teams by number in the draw, the seating of both rooms, and its set of boards."""

    home: int
    away: int
    seating: dict[Room, tuple[int, int]]
    """North-South team and East-West team by room."""
    board_set: str


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round to be stored."""

    starts_at_ms: int | None
    matches: tuple[PlannedMatch, ...]
    bye: int | None


@dataclass(frozen=True, slots=True)
class EventDraw:
    """A whole draw of one stage, to be stored. `plan` is a text of all that it hangs on, to notice a change by."""

    name: str
    seed: str
    plan: str
    teams: tuple[PlannedTeam, ...]
    stage_name: str
    stage_format: StageFormat
    boards_per_match: int
    vp_scale: str
    shared_deals: SharedDeals
    board_sets: dict[str, tuple[Board, ...]]
    rounds: tuple[PlannedRound, ...]


@dataclass(frozen=True, slots=True)
class TeamInfo:
    id: int
    number: int
    name: str
    command: str | None
    profile: str


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One room of a match, as it stands."""

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

    def team(self, side: Side) -> str:
        return self.ns_team if side is Side.NS else self.ew_team

    def side_of(self, team: str) -> Side:
        """Where a team of this match sits."""
        return Side.NS if self.ns_team == team else Side.EW


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match of the draw; `id` is the database's, `number` what commands name."""

    id: int
    number: int
    round: int
    home: str
    away: str
    board_set_id: int
    tables: dict[Room, TableInfo]


@dataclass(frozen=True, slots=True)
class RoundInfo:
    number: int
    starts_at_ms: int | None
    bye: str | None
    matches: tuple[MatchInfo, ...]


@dataclass(frozen=True, slots=True)
class EventInfo:
    """A drawn event."""

    id: int
    name: str
    seed: str
    plan: str
    stage_name: str
    stage_format: StageFormat
    boards_per_match: int
    vp_scale: str
    teams: tuple[TeamInfo, ...]
    rounds: tuple[RoundInfo, ...]

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)


@dataclass(frozen=True, slots=True)
class TableJob:
    """What a host needs to play a table: who sits, and the boards that are still to be played."""

    table: TableInfo
    round: int
    teams: dict[Side, TeamInfo]
    boards: tuple[Board, ...]
    board_attempts: dict[int, int]
    """How often each board has been begun, by board number; boards never begun are left out."""
    spent_ms: dict[Side, int]
    """Thinking time of the finished boards."""
    boards_finished: int


@dataclass(frozen=True, slots=True)
class TableProgress:
    """How far a table is: for displays."""

    table: TableInfo
    boards_finished: int


@dataclass(frozen=True, slots=True)
class BoardResult:
    """How a board came out at one table, with the thinking time of both sides."""

    board: int
    result: Result
    times_ms: dict[Side, int]


@dataclass(frozen=True, slots=True)
class StoredMatchScore:
    """The score of a match that is over."""

    match: int
    boards: int
    imps_home: int
    imps_away: int
    vp_home: VpHundredths
    vp_away: VpHundredths


@dataclass(frozen=True, slots=True)
class CallRecord:
    seat: Seat
    call: Call
    alerted: bool
    alert: str
    thinking_ms: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class CardRecord:
    seat: Seat
    card: Card
    thinking_ms: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """Everything on record of one finished board at one table."""

    match: int
    room: Room
    attempt: int
    board: Board
    result: BoardResult
    calls: tuple[CallRecord, ...]
    cards: tuple[CardRecord, ...]
    began_at_ms: int


@dataclass(frozen=True, slots=True)
class AttemptInfo:
    """One try at a board; `ended` is None while it is under way or when its host died."""

    board: int
    attempt: int
    ended: BoardEnd | None
    reason: str
