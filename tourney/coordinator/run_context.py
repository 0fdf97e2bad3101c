"""What all parts of a run share: what they go by, each fact once, and what happens in the run, as values.

The coordinator itself prints nothing. Each event is logged and handed to one sink, such as a display: any function of
one event, which gets events in the order in which they happened, and takes those that it has a word for.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any, Final, NamedTuple, TypeAlias

from tourney.bridge import Seat
from tourney.errors import StoreError
from tourney.event.file import EventFile
from tourney.movement.seating import Room
from tourney.plurals import count
from tourney.runtime.clock import HostClock
from tourney.scoring.match import MatchScore
from tourney.store.changes import DRAW, Digest, load_digest
from tourney.store.db.database import Database
from tourney.store.draw.objects import (
    EventInfo,
    MatchInfo,
    RoundAssignment,
    RoundInfo,
    SegmentInfo,
    TableInfo,
    TeamInfo,
)
from tourney.store.draw.reader import load_event
from tourney.store.rulings import RulingInfo

_LOGGER: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeatConnection:
    """Where the program of one seat connects. `is_ours` if tourney starts the program itself."""

    match: int
    room: Room
    seat: Seat
    team: str
    host: str
    port: int
    boards: int | None
    """The number of boards to be played there; players are not told it on the wire (BC-44). None where it depends on
    their results."""
    boards_at_most: int
    is_ours: bool
    with_phrase: bool = False
    """Whether its program must give a passphrase after the team's name."""
    segment: int = 1
    pair: int = 1
    """The pair of the team that sits there."""
    round: int | None = None
    """The round of the event, in a movement."""
    table: int | None = None
    """The number of the table in the movement, in pairs events."""
    at_table: tuple[str, int] | None = None
    """Where `host` and `port` are those of its team: the address of the table, and its port there."""
    stateful_port: int | None = None
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

    ruling: RulingInfo


class MatchHeld(NamedTuple):
    """The director has stopped a match before it began: it is left for another run."""

    match: MatchInfo


class MatchFinished(NamedTuple):
    """A match has a score."""

    match: MatchInfo
    score: MatchScore


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
    | Notice
)

RunSink: TypeAlias = Callable[[RunEvent], None]


def _log_event(event: RunEvent) -> None:  # noqa: PLR0912 # one case an event
    match event:
        case RunStarted(drawn, left):
            text = f"{drawn.name}: {count(left, 'match', 'matches')} to play"
            _log("run_started", text, event=drawn.name, matches=left)
        case RoundDrawn(round_):
            _log("round_drawn", f"round {round_.number} is drawn", round=round_.number)
        case RoundWaits(round_, _):
            _log("round_waits", f"round {round_.number} waits for its time", round=round_.number)
        case RoundStarted(round_, assignments):
            numbers = [assignment.match.number for assignment in assignments]
            _log("round_started", f"round {round_.number} begins", round=round_.number, matches=numbers)
        case SegmentStarted(played, segment):
            text = f"match {played.number} goes on with segment {segment.number}"
            _log("segment_started", text, match=played.number, segment=segment.number)
        case TablesOpened(places):
            for place in places:
                _log(
                    "seat_opened",
                    f"{place.team} connects to {place.host} port {place.port} as {place.seat.title}",
                    match=place.match,
                    room=place.room.value,
                    seat=place.seat.title,
                    port=place.port,
                )
        case TableProgressed(_, table, boards):
            text = f"{boards} of {count(table.boards, 'board')} finished"
            _log("table_progressed", text, logging.DEBUG, **_place_of(table), boards=boards)
        case TableFailed(_, table):
            _log("table_failed", table.reason, logging.WARNING, **_place_of(table))
        case RulingGiven(ruling):
            fields: dict[str, Any] = {
                "ruling": ruling.id,
                "kind": ruling.kind.value,
                "team": ruling.team,
                "match": ruling.match,
            }
            _log("ruling_given", ruling.reason, **fields)
        case MatchHeld(held):
            _log("match_held", f"match {held.number} is stopped by the director", match=held.number)
        case MatchFinished(played, score):
            scale = played.board_scale
            home, away = scale.format(score.imps_home), scale.format(score.imps_away)
            text = f"match {played.number}: {played.home} {home} - {played.away} {away} {scale.unit}"
            unit = scale.unit.lower()
            figures: dict[str, Any] = {f"{unit}_home": home, f"{unit}_away": away}
            _log("match_finished", text, match=played.number, **figures)
        case Notice(sentence, action):
            _log(action, sentence, logging.WARNING)


def _place_of(table: TableInfo) -> dict[str, object]:
    return {"match": table.match, "room": table.room.value, "table": table.id, "host": table.host}


def _log(action: str, message: str, level: int = logging.INFO, **fields: Any) -> None:
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
    teams: dict[str, TeamInfo] = field(init=False)
    """The sides of matches by name, and whoever enters the event."""
    _mark: Digest | None = None
    """The mark of the draw when it was last read; None before the first read of this run."""

    def __post_init__(self) -> None:
        self.teams = {team.name: team for team in self.event.sides}

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
        mark = load_digest(self.database, DRAW, self.event.id)
        event = load_event(self.database, self.event.name)
        if event is None:
            raise StoreError(f"event {self.event.name!r} is not in database {self.database} any more")
        self._mark, self.event = mark, event
        self.teams = {team.name: team for team in event.sides}

    def refresh(self) -> None:
        """Read the event again if its draw has changed since, by whomever.

        Raises:
            StoreError: it is gone, or the database cannot be used.
        """
        if self._mark != load_digest(self.database, DRAW, self.event.id):
            self.reload()
