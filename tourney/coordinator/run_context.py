"""What all parts of a run share: what they go by, each fact once, and what happens in the run, as values.

The coordinator itself prints nothing. Each event is logged and handed to one sink, such as a display: any function of
one event, which gets events in the order in which they happened, and takes those that it has a word for.
"""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from tourney.bridge import Seat
from tourney.config import EventConfig
from tourney.contest.draw import MatchInfo, RoundAssignment, RoundInfo, SegmentInfo, StageInfo
from tourney.contest.record import Ruling
from tourney.errors import StoreError
from tourney.event.file import EventFile
from tourney.movement.seating import TableInfo
from tourney.results.travellers import number_tables
from tourney.runtime.clock import HostClock
from tourney.scoring.match import MatchScore
from tourney.store.changes import DRAW, ChangeWatch
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.tables import TeamInfo

_LOGGER: Final = logging.getLogger(__name__)


class OpenTable(NamedTuple):
    """A table that can be joined."""

    info: TableInfo
    match: MatchInfo
    round: int
    host: str
    """Its address."""
    place: int
    """Its number among the tables in play, which determines its ports."""


@dataclass(frozen=True, slots=True)
class SeatConnection:
    """Where the program of one seat connects. `is_ours` if tourney starts the program itself."""

    at: OpenTable
    seat: Seat
    team: str
    host: str
    port: int
    is_ours: bool
    with_phrase: bool
    """Whether its program must give a passphrase after the team's name."""
    number: int | None
    """The number of the table in the movement, in pairs events."""
    at_table: tuple[str, int] | None
    """Where `host` and `port` are those of its team: the address of the table, and its port there."""
    stateful_port: int | None
    """The event's port for the stateful-server protocol, where the team's programs are to connect to that."""


# Events


class RunStarted(NamedTuple):
    """The run has the event to itself, and begins."""

    event: EventInfo
    matches_left: int


class RoundDrawn(NamedTuple):
    """The matches of a round have become known, or others than before."""

    round: RoundInfo


class RoundWaits(NamedTuple):
    """Everything before a round has been played, and its time has not come."""

    round: RoundInfo
    zone: tzinfo | None
    """The time zone of the event; None for that of this machine."""


class RoundStarted(NamedTuple):
    """A round begins, or goes on, with these sittings."""

    round: RoundInfo
    assignments: list[RoundAssignment]
    tables: Mapping[int, int] = MappingProxyType({})
    """In pairs events, the number of the table in the movement by the number of the match."""


class SegmentStarted(NamedTuple):
    """A match continues with its next boards, perhaps in new seats."""

    match: MatchInfo
    segment: SegmentInfo


class TablesOpened(NamedTuple):
    """These seats can be taken."""

    places: list[SeatConnection]


class TableProgressed(NamedTuple):
    """A table has finished so many of its boards."""

    match: MatchInfo
    table: TableInfo
    boards_finished: int


class TableFailed(NamedTuple):
    """A table cannot go on, for the reason that it has on record."""

    match: MatchInfo
    table: TableInfo


class RulingGiven(NamedTuple):
    """A ruling has come on record, by whomever."""

    ruling: Ruling


class MatchHeld(NamedTuple):
    """The director has stopped a match before it began: it is left for another run."""

    match: MatchInfo


class MatchFinished(NamedTuple):
    """A match has a score."""

    match: MatchInfo
    score: MatchScore
    reason: str = ""
    """Why it was broken off; empty if it was not."""


class MatchDiscarded(NamedTuple):
    """A match of an open stage that nobody has played is not on record, or no more."""

    number: int


class Notice(NamedTuple):
    """News of the run itself, as a sentence: hosts found or lost, an unavailable database, backups."""

    sentence: str
    action: str = "notice"
    """What the log calls it."""


RunEvent: TypeAlias = (
    RunStarted
    | RoundDrawn
    | RoundWaits
    | RoundStarted
    | SegmentStarted
    | TablesOpened
    | TableProgressed
    | TableFailed
    | RulingGiven
    | MatchHeld
    | MatchFinished
    | MatchDiscarded
    | Notice
)

RunSink: TypeAlias = Callable[[RunEvent], None]


_NUMBERED: Final = {MatchInfo: "match", RoundInfo: "round", SegmentInfo: "segment"}
"""What the log calls the number of what an event is about."""


def _log_event(event: RunEvent) -> None:  # noqa: PLR0912 # one case for what has words or figures of its own
    """Log an event by its name, with the numbers of what it is about; what people read of it is up to displays."""
    action, level = re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower(), logging.INFO
    message, fields = action.replace("_", " "), dict[str, Any]()
    for value in event:
        match value:
            case MatchInfo() | RoundInfo() | SegmentInfo():
                fields[_NUMBERED[type(value)]] = value.number
            case TableInfo():
                places = {"match": value.match, "room": value.room.value, "table": value.id, "host": value.host}
                fields |= places
            case Ruling():
                fields |= {"ruling": value.id, "kind": value.kind.value, "team": value.team, "match": value.match}
            case _:
                pass
    match event:
        case TablesOpened(seats):
            fields["seats"] = [f"{each.team} {each.seat.letter} {each.host}:{each.port}" for each in seats]
        case TableProgressed(_, _, boards):
            level, fields["boards"] = logging.DEBUG, boards
        case TableFailed(_, table):
            level, message = logging.WARNING, table.reason
        case RulingGiven(ruling):
            message = ruling.reason
        case MatchDiscarded(number):
            fields["match"] = number
        case MatchFinished(played, score, _):
            scale = played.board_scale
            fields |= {"home": scale.format(score.imps_home), "away": scale.format(score.imps_away)}
        case Notice(message, action):
            level = logging.WARNING
        case _:
            pass
    _LOGGER.log(level, message, extra={"action": action, **fields})


# The context


@dataclass(slots=True)
class RunContext:
    """The state that the parts of one run share."""

    file: EventFile
    """The event file; another one after an edit that has been taken up."""
    database: Database
    """The record; in a run, as fenced by its lease."""
    event: EventInfo
    """The event as last read: rounds, extra boards and teams are added while it is played."""
    clock: HostClock
    sink: RunSink
    """Is handed what happens."""
    loads_left: bool = False
    """Whether matches that have a score are not read: of an event that has no end there may be any number."""
    broken_off: dict[int, str] = field(default_factory=dict)
    """Why matches of open stages are to end as they stand, by number."""
    teams: dict[str, TeamInfo] = field(init=False)
    """The sides of matches by name, and whoever enters the event."""
    _changes: ChangeWatch = field(init=False)
    _is_stale: bool = True
    """Whether the draw has to be read, whether it has changed or not."""

    def __post_init__(self) -> None:
        self._changes = ChangeWatch(self.database, DRAW, self.event.id)
        self.teams = {team.name: team for team in self.event.sides}

    @property
    def config(self) -> EventConfig:
        """The settings of the event file."""
        return self.file.config

    def tables_of(self, stage: StageInfo) -> dict[int, int]:
        """Return the table in the movement of each match of a stage, by its number; empty where teams play."""
        is_movement = stage in self.event.pairs_stages
        return number_tables(stage, self.config.movements) if is_movement else {}

    @property
    def record(self) -> tuple[Database, int]:
        """Where the record of the event is: the database, and its id there."""
        return self.database, self.event.id

    def report(self, event: RunEvent) -> None:
        """Log an event of the run, and hand it on."""
        _log_event(event)
        self.sink(event)

    def notify(self, sentence: str, action: str = "notice") -> None:
        """Report news of the run itself, which the log has as this action."""
        self.report(Notice(sentence, action))

    def now_ms(self) -> int:
        """Return the time of a clock that only measures, in ms."""
        return self.clock.now_ms()

    def wall_ms(self) -> int:
        """Return the time in milliseconds since 1970 UTC."""
        return self.clock.wall_ms()

    def reload(self) -> None:
        """Read the event again, with whatever has been drawn since and with teams that have come late.

        Raises:
            StoreError: it is gone, or the database cannot be used.
        """
        self._changes.has_changed()  # from here on
        self._is_stale = True
        event = load_event(self.database, self.event.name, is_left=self.loads_left)
        if event is None:
            raise StoreError(f"event {self.event.name!r} is not in database {self.database} any more")
        self._is_stale, self.event = False, event
        self.teams = {team.name: team for team in event.sides}

    def refresh(self) -> None:
        """Read the event again if its draw has changed since, by whomever.

        Raises:
            StoreError: it is gone, or the database cannot be used.
        """
        if self._is_stale or self._changes.has_changed():
            self.reload()
