"""Rooms, and which team sits which way in each.

What is decided here is only how a match is drawn: seating is stored with the match and read from there.
"""

import enum
from dataclasses import dataclass
from typing import Final

from tourney.bridge import Side
from tourney.movement.segments import SegmentSeating


class Room(enum.StrEnum):
    """One of the two tables of a match."""

    OPEN = "open"
    CLOSED = "closed"

    @property
    def other(self) -> "Room":
        return Room.CLOSED if self is Room.OPEN else Room.OPEN


@dataclass(frozen=True, slots=True)
class RoomSeating:
    """Which team (its number in the draw) sits which way in one room."""

    room: Room
    north_south: int
    east_west: int
    ns_pair: int = 1
    """Which pair of the team sits here, 1 or 2."""
    ew_pair: int = 1

    def team(self, side: Side) -> int:
        """The team on a side."""
        return self.north_south if side is Side.NS else self.east_west


CUSTOM: Final = SegmentSeating(Side.NS, 1)
"""The home team sits North-South in the open room, first pairs meet."""


def home_side(room: Room) -> Side:
    """Where the home team sits by custom: North-South in the open room, East-West in the closed room."""
    return Side.NS if room is Room.OPEN else Side.EW


def seat_match(home: int, away: int, segment: SegmentSeating = CUSTOM) -> dict[Room, RoomSeating]:
    """Who sits where in a segment, by custom unless it says otherwise; home's first pair plays in the open room."""
    seating = {}
    for room, home_pair in ((Room.OPEN, 1), (Room.CLOSED, 2)):
        away_pair = segment.away_pair_open if room is Room.OPEN else 3 - segment.away_pair_open
        side = segment.home_open if room is Room.OPEN else segment.home_open.other
        if side is Side.NS:
            seating[room] = RoomSeating(room, home, away, home_pair, away_pair)
        else:
            seating[room] = RoomSeating(room, away, home, away_pair, home_pair)
    return seating
