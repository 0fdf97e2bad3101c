"""Rooms, and which team sits which way in each.

What is decided here is only how a match is drawn: seating is stored with the match and read from there.
"""

import enum
from dataclasses import dataclass

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
    """Which team (its number in the draw) sits which way in one room."""

    room: Room
    north_south: int
    east_west: int

    def team(self, side: Side) -> int:
        """The team on a side."""
        return self.north_south if side is Side.NS else self.east_west


def home_side(room: Room) -> Side:
    """Where the home team sits by custom: North-South in the open room, East-West in the closed room."""
    return Side.NS if room is Room.OPEN else Side.EW


def seat_match(home: int, away: int) -> tuple[RoomSeating, RoomSeating]:
    """The seating by custom: open room, then closed room."""
    return RoomSeating(Room.OPEN, home, away), RoomSeating(Room.CLOSED, away, home)
