"""Rooms, the tables of a match in them, and who sits there segment by segment.

Seats are chosen here only when a match is drawn; they are stored with the match and read from there. The home team's
pair 1 always sits in the open room, its pair 2 in the closed room; what changes between segments is the direction in
which the teams sit, and which pair of the away team plays in which room.
"""

import enum
from dataclasses import dataclass, field
from typing import Final, Literal

from tourney.bridge import Seat, Side


class Room(enum.StrEnum):
    """One of the two tables of a match."""

    OPEN = "open"
    CLOSED = "closed"

    @property
    def other(self) -> "Room":
        return Room.CLOSED if self is Room.OPEN else Room.OPEN


class TableState(enum.StrEnum):
    """The state of a table."""

    WAITING = "waiting"
    """No host has it: its round has not begun, or it was stopped and may continue."""
    ASSIGNED = "assigned"
    """Given to a host, which has not opened it yet."""
    OPEN = "open"
    """Its ports are open and it waits for players."""
    PLAYING = "playing"
    FINISHED = "finished"
    FAILED = "failed"
    """It could not be opened or played on; `reason` says why. A new run tries again."""


IN_PROCESS: Final = "in process"
"""What the record has in place of the host of a table that is played without sockets."""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One room of a segment of a match: who sits there, which boards are played, and on record its current state."""

    room: Room
    ns_team: str
    ew_team: str
    ns_pair: int = 1
    """The pair of the team that sits here, 1 or 2."""
    ew_pair: int = 1
    segment: int = 1
    first: int = 0
    """The position of the first of its boards in the order of play of the match, from 0."""
    boards: int = 0
    """Number of boards played here."""
    id: int = 0
    """That of the database; 0 before it is on record."""
    match: int = 0
    """The number of its match, likewise."""
    state: TableState = TableState.WAITING
    reason: str = ""
    host: str | None = None
    """The name of the host that has or had it last; `IN_PROCESS` if the run played it without sockets."""
    attempt: int = 0
    ports: dict[Seat, int] = field(default_factory=dict)
    """Empty until the ports are open."""

    @property
    def place(self) -> str:
        """The name used in commands: `3-open`, in a later segment `3.2-open`."""
        return self._name(f"{self.match}")

    @property
    def file_name(self) -> str:
        """The name of this table's files: `match-001-open`, in a later segment `match-001.2-open`."""
        return self._name(f"match-{self.match:03}")

    @property
    def span(self) -> slice:
        """The positions of its boards in the order of play of the match."""
        return slice(self.first, self.first + self.boards)

    @property
    def is_over(self) -> bool:
        """Whether it has finished all its boards."""
        return self.state is TableState.FINISHED

    def _name(self, match: str) -> str:
        segment = f".{self.segment}" if self.segment > 1 else ""
        return f"{match}{segment}-{self.room.value}"

    def team(self, side: Side) -> str:
        return self.ns_team if side is Side.NS else self.ew_team

    def pair(self, side: Side) -> int:
        return self.ns_pair if side is Side.NS else self.ew_pair

    def side_of(self, team: str) -> Side:
        """Return the side on which a team of this match sits."""
        return Side.NS if self.ns_team == team else Side.EW


class SeatsRule(enum.StrEnum):
    """The rule by which the seats of a segment are chosen."""

    FIXED = "fixed"
    """Seats stay as in the first segment."""
    ALTERNATE = "alternate"
    """Directions and opponents change; in four segments each pair meets both opposing pairs in both directions."""
    RIGHTS = "rights"
    """The teams take turns choosing their direction; opponents change as in `ALTERNATE`."""


@dataclass(frozen=True, slots=True)
class SegmentSeating:
    """The seats of one segment."""

    home_open: Side
    """Where the home team's pair 1 sits in the open room; its pair 2 sits the other way in the closed room."""
    away_pair_open: Literal[1, 2]
    """Which pair of the away team sits in the open room; the other one sits in the closed room."""


_AWAY_PAIRS: Final[tuple[Literal[1, 2], ...]] = (1, 2, 2, 1)
"""The away pair in the open room by segment, counted modulo 4.

Opponents change inside the 1st and 2nd and inside the 3rd and 4th segment, so that two segments bring both. They stay
from the 2nd to the 3rd, so that the directions, which change every time, are not tied to them: the four segments are
N-S against pair 1, E-W against 2, N-S against 2, E-W against 1.
"""


def seat_segments(
    segments: int, rule: SeatsRule, home_sits: Side | None = None, away_sits: Side | None = None
) -> tuple[SegmentSeating, ...]:
    """Return the seats of each segment.

    Args:
        segments: how many there are.
        rule: the last two arguments are for `RIGHTS` alone, by which the home team chooses in segments 1, 3, 5, ...
        home_sits: the direction that the home team chooses in the open room; None for North-South.
        away_sits: the direction that the away team chooses there; None for North-South.
    """
    if rule is SeatsRule.FIXED:
        return (CUSTOM,) * segments
    turns = (Side.NS, Side.EW)
    if rule is SeatsRule.RIGHTS:
        turns = home_sits or Side.NS, (away_sits or Side.NS).other
    return tuple(SegmentSeating(turns[index % 2], _AWAY_PAIRS[index % 4]) for index in range(segments))


CUSTOM: Final = SegmentSeating(Side.NS, 1)
"""The usual seats: the home team sits North-South in the open room, where both first pairs play."""


def seat_match(
    home: str, away: str, seats: SegmentSeating = CUSTOM, *, segment: int = 1, first: int = 0, boards: int
) -> tuple[TableInfo, TableInfo]:
    """Return the tables of a segment of a match in both rooms; the home team's first pair is in the open room."""
    away_pair = seats.away_pair_open
    rooms = (Room.OPEN, seats.home_open, 1, away_pair), (Room.CLOSED, seats.home_open.other, 2, 3 - away_pair)
    open_room, closed_room = (
        TableInfo(room, home, away, home_pair, away_pair, segment, first, boards)
        if side is Side.NS
        else TableInfo(room, away, home, away_pair, home_pair, segment, first, boards)
        for room, side, home_pair, away_pair in rooms
    )
    return open_room, closed_room


class SharedDeals(enum.StrEnum):
    """Which matches play the same boards."""

    ROUND = "round"
    MATCH = "match"
