"""Places at an event as commands name them: MATCH, as 3, or MATCH-ROOM, as 3-open."""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tourney.bridge import Seat
    from tourney.cli.opening import DrawnEvent
    from tourney.store.objects import TableInfo

SEAT_NAMES: Final = ("North", "East", "South", "West")
"""What options that name a seat take; `tourney.bridge` would have to be loaded for its own."""

_PLACE: Final = re.compile(r"([0-9]{1,9})(?:-(open|closed))?", re.IGNORECASE | re.ASCII)


def tables_at(drawn: "DrawnEvent", place: str | None) -> "list[TableInfo]":
    """The tables of a place, the open room first; of the whole event when there is none.

    Raises:
        UsageError: the words name no place, or there is no such match.
    """
    from tourney.errors import UsageError
    from tourney.movement.seating import Room

    if place is None:
        matches, rooms = drawn.event.matches, tuple(Room)
    else:
        found = _PLACE.fullmatch(place)
        if found is None:
            raise UsageError(f"a place is MATCH or MATCH-ROOM, such as 3, 3-open or 3-closed, got {place!r}")
        matches = (drawn.match(int(found[1])),)
        rooms = tuple(Room) if found[2] is None else (Room(found[2].lower()),)
    return [match.tables[room] for match in matches for room in rooms]


def table_at(drawn: "DrawnEvent", place: str) -> "TableInfo":
    """The one table of a place.

    Raises:
        UsageError: the words name no place, no room, or there is no such match.
    """
    from tourney.errors import UsageError

    tables = tables_at(drawn, place)
    if len(tables) != 1:
        raise UsageError(f"name one room, {tables[0].place} or {tables[1].place}, got {place!r}")
    return tables[0]


def seat_named(name: str) -> "Seat":
    """The seat of a name or its first letter, in either case.

    Raises:
        UsageError: it is no seat.
    """
    from tourney.bridge import SEATS
    from tourney.errors import UsageError

    for seat in SEATS:
        if name.lower() in (seat.title.lower(), seat.letter.lower()):
            return seat
    raise UsageError(f"a seat is North, East, South or West, got {name!r}")
