"""What the store gives and takes: plain objects, free of SQL."""

from dataclasses import dataclass, field

from tourney.bridge import Board, BoardInPlay, Call, Card, Result, Seat, Side
from tourney.config import PortPlan, PortRange, SharedDeals, StageFormat
from tourney.movement.seating import Room
from tourney.protocol.bluechip.alert_pauses import PairMethods
from tourney.protocol.bluechip.on_record import BoardOnRecord
from tourney.protocol.bluechip.profile import DEFAULT as DEFAULT_WIRE
from tourney.protocol.bluechip.profile import WireProfile
from tourney.protocol.bluechip.rules import TableRules
from tourney.protocol.doors import DoorLimits, Entrance, TableDoors
from tourney.protocol.records import BoardEnd
from tourney.scoring.victory_points import VpHundredths
from tourney.store.models import OrderKind, TableState


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
    rules: TableRules
    """All but the methods of pairs."""
    methods: dict[str, PairMethods]
    """By team name."""
    doors: DoorLimits = field(default_factory=DoorLimits)
    entrances: dict[str, Entrance] = field(default_factory=dict)
    """By name, of the teams that show more than that."""
    logins: dict[str, str] = field(default_factory=dict)
    """By name of a team with a pass phrase, what its programs log on with. Never stored: it has the phrase."""
    lease_s: int = 10
    """A host says that it is alive four times in so many seconds, and is taken for dead after as many of silence."""
    orphan_s: int = 60
    """After so many seconds without a run it finishes the boards in hand and ends."""
    outage_s: int = 60
    """After so many seconds without the database it lets its tables go and ends."""

    def doors_of(self, teams: dict[Side, str]) -> TableDoors:
        """The doors of a table where these teams sit."""
        entrances = {side: self.entrances[name] for side, name in teams.items() if name in self.entrances}
        return TableDoors(self.doors, entrances)


@dataclass(frozen=True, slots=True)
class PlannedTeam:
    """A team to be stored; its number is its place in the list."""

    name: str
    command: str | None
    profile: str
    wire: WireProfile = DEFAULT_WIRE
    """The profile of that name with the team's own settings."""


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
    wire: WireProfile = DEFAULT_WIRE


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

    @property
    def place(self) -> str:
        """What commands call it: `3-open`."""
        return f"{self.match}-{self.room.value}"

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
    match_id: int
    event_id: int
    all_boards: tuple[Board, ...]
    """Those that are over as well: the director may have one played again."""
    under_way: BoardOnRecord | None = None
    """The board that was begun and not ended by a host that died."""


@dataclass(frozen=True, slots=True)
class TableProgress:
    """How far a table is: for displays."""

    table: TableInfo
    boards_finished: int


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
class CallRecord:
    seat: Seat
    call: Call
    alerted: bool
    alert: str
    thinking_ms: int
    at_ms: int
    substituted: bool = False
    """The table made it in the player's place."""


@dataclass(frozen=True, slots=True)
class CardRecord:
    seat: Seat
    card: Card
    thinking_ms: int
    at_ms: int
    substituted: bool = False
    """The table played it in the player's place."""


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """Everything on record of one board that is not played again at one table: it has a result, or was forfeited."""

    match: int
    room: Room
    attempt: int
    board: Board
    result: BoardResult | None
    """None when it was forfeited: calls and cards are those made up to then."""
    calls: tuple[CallRecord, ...]
    cards: tuple[CardRecord, ...]
    began_at_ms: int
    ended: BoardEnd
    fault: Seat | None
    """Whose fault the end is."""
    reason: str

    @property
    def times_ms(self) -> dict[Side, int]:
        """Thinking time of both sides; of a forfeited board that of its calls and cards."""
        if self.result is not None:
            return self.result.times_ms
        times = dict.fromkeys(Side, 0)
        actions: tuple[CallRecord | CardRecord, ...] = (*self.calls, *self.cards)
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


@dataclass(frozen=True, slots=True)
class OrderInfo:
    """What a director asks of one table. `text` is the reason, or the answer to a question (empty: not alertable)."""

    id: int
    table_id: int
    kind: OrderKind
    seat: Seat | None
    board: int | None
    seq: int | None
    text: str
    author: str
    created_at_ms: int


@dataclass(frozen=True, slots=True)
class QuestionInfo:
    """Whether a call is alertable, waiting for the operator's answer (BC-25)."""

    table_id: int
    board: int
    seq: int
    seat: Seat
    asked_at_ms: int
    dealer: Seat
    calls: tuple[Call, ...]
    """The auction up to the call that is asked about, which is the last."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """One table of an event at this moment, as far as the record knows."""

    table: TableInfo
    boards_finished: int
    """Boards that are not played again here."""
    changed_at_ms: int
    """When its state last changed."""
    doing: str | None
    """The host's word on what goes on, of any age (`store/doing.py`)."""
    seated: dict[Seat, str]
    """Under which team name a program sits, as logged on with the newest host."""


@dataclass(frozen=True, slots=True)
class AttemptKey:
    """A try at a board of one table, and whether it is over."""

    board: int
    attempt: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class LiveBoard:
    """A try at a board as far as it is on record: under way, left by a host that died, or over.

    `tricks` (declarer's side) and `score_ns` are None without a result; `ended` is None while it is not over.
    """

    board: Board
    attempt: int
    began_at_ms: int
    calls: tuple[CallRecord, ...]
    cards: tuple[CardRecord, ...]
    ended: BoardEnd | None
    reason: str
    tricks: int | None
    score_ns: int | None

    def in_play(self) -> BoardInPlay:
        """The board as these calls and cards make it.

        Raises:
            RuleError: the record holds a call or card that the rules do not allow.
        """
        in_play = BoardInPlay(self.board)
        for call in self.calls:
            in_play.add_call(call.call)
        for card in self.cards:
            in_play.add_card(card.card)
        return in_play
