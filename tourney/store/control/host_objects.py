"""What the store gives to table hosts: what they need of the event file, and what they need to play a table."""

from dataclasses import dataclass, field

from tourney.bridge import Board, Side
from tourney.config import PortPlan, PortRange
from tourney.protocol.access import DoorLimits, Entrance, TableDoors
from tourney.protocol.session.alert_pauses import PairMethods
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.snapshot import BoardOnRecord
from tourney.store.draw.objects import TableInfo, TeamInfo


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
class TableJob:
    """What a host needs to play a table: who sits, and the boards that are still to be played."""

    table: TableInfo
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
