"""Places at an event as commands name them: MATCH, as 3, or MATCH-ROOM, as 3-open; with a segment, 3.2-open."""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tourney.bridge import Seat
    from tourney.cli.opening import DrawnEvent
    from tourney.store.draw.objects import MatchInfo, SegmentInfo, TableInfo

SEAT_NAMES: Final = ("North", "East", "South", "West")
"""What options that name a seat take; `tourney.bridge` would have to be loaded for its own."""

_PLACE: Final = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,3}))?(?:-(open|closed))?", re.IGNORECASE | re.ASCII)


def tables_at(drawn: "DrawnEvent", place: str | None, board: int | None = None) -> "list[TableInfo]":
    """The tables of a place, the open room first; of the whole event when there is none.

    Of a match of several segments those of the segment that is named, else of the one with the board, else of the
    first one that is not over, or of the last.

    Raises:
        UsageError: the words name no place, or there is no such match or segment.
    """
    from tourney.errors import UsageError
    from tourney.movement.seating import Room

    if place is None:
        return [table for match in drawn.event.matches for table in match.tables]
    found = _PLACE.fullmatch(place)
    if found is None:
        raise UsageError(f"a place is MATCH or MATCH-ROOM, such as 3, 3-open or 3-closed, got {place!r}")
    match = drawn.match(int(found[1]))
    if found[2] is None:
        segment = _segment_of(drawn, match, board)
    elif 1 <= int(found[2]) <= len(match.segments):
        segment = match.segments[int(found[2]) - 1]
    else:
        raise UsageError(f"match {match.number} has segments 1..{len(match.segments)}, got {place!r}")
    rooms = tuple(Room) if found[3] is None else (Room(found[3].lower()),)
    return [segment.tables[room] for room in rooms]


def _segment_of(drawn: "DrawnEvent", match: "MatchInfo", board: int | None) -> "SegmentInfo":
    from tourney.store.models import TableState
    from tourney.store.results.matches import load_match_boards

    if board is not None and len(match.segments) > 1:
        numbers = [each.number for each in load_match_boards(drawn.database, match)]
        for segment in match.segments:
            if board in numbers[segment.first : segment.first + segment.boards]:
                return segment
    for segment in match.segments:
        if any(table.state is not TableState.FINISHED for table in segment.tables.values()):
            return segment
    return match.segments[-1]


def table_at(drawn: "DrawnEvent", place: str, board: int | None = None) -> "TableInfo":
    """The one table of a place, as `tables_at` finds it.

    Raises:
        UsageError: the words name no place, no room, or there is no such match.
    """
    from tourney.errors import UsageError

    tables = tables_at(drawn, place, board)
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
