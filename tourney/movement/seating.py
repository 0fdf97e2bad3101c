"""Rooms, and the seats in each of them, segment by segment.

Seats are chosen here only when a match is drawn; they are stored with the match and read from there. The home team's
pair 1 always sits in the open room, its pair 2 in the closed room; what changes between segments is the direction in
which the teams sit, and which pair of the away team plays in which room.
"""

import enum
from dataclasses import dataclass
from typing import Final, Literal

from tourney.bridge import Side


class Room(enum.StrEnum):
    """One of the two tables of a match."""

    OPEN = "open"
    CLOSED = "closed"

    @property
    def other(self) -> "Room":
        return Room.CLOSED if self is Room.OPEN else Room.OPEN


@dataclass(frozen=True, slots=True)
class RoomSeating:
    """The teams on each side in one room, by their numbers in the draw."""

    room: Room
    north_south: int
    east_west: int
    ns_pair: int = 1
    """The North-South team's pair that sits here, 1 or 2."""
    ew_pair: int = 1

    def team(self, side: Side) -> int:
        """Return the team on a side."""
        return self.north_south if side is Side.NS else self.east_west


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


def home_side(room: Room) -> Side:
    """Return where the home team sits by custom: North-South in the open room, East-West in the closed room."""
    return Side.NS if room is Room.OPEN else Side.EW


def seat_match(home: int, away: int, segment: SegmentSeating = CUSTOM) -> dict[Room, RoomSeating]:
    """Return the seats of both rooms in a segment; the home team's first pair is in the open room."""
    seating = {}
    for room, home_pair in ((Room.OPEN, 1), (Room.CLOSED, 2)):
        away_pair = segment.away_pair_open if room is Room.OPEN else 3 - segment.away_pair_open
        side = segment.home_open if room is Room.OPEN else segment.home_open.other
        if side is Side.NS:
            seating[room] = RoomSeating(room, home, away, home_pair, away_pair)
        else:
            seating[room] = RoomSeating(room, away, home, away_pair, home_pair)
    return seating


class SharedDeals(enum.StrEnum):
    """Which matches play the same boards."""

    ROUND = "round"
    MATCH = "match"
