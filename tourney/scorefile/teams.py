"""The two teams of a match in a file: what they are called, and which way each sat.

A file may name the teams, the players, both or neither, and a team's name may stand for each of its players. Where
it says nothing the custom of the field holds: the home team sits North-South in the open room.
"""

from collections.abc import Mapping, Sequence

from tourney.bridge import Seat, Side
from tourney.movement.seating import Room, home_side
from tourney.scorefile.pairing import Record


class Teams:
    """Follows two teams through a match, board by board. A player once seen in a team stays in it."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._home_tag = _first_text(records, "hometeam")
        self._away_tag = _first_text(records, "visitteam")
        self._home_players = {self._home_tag.casefold()} - {""}
        self._away_players = {self._away_tag.casefold()} - {""}
        self._pairs: tuple[list[str], list[str]] = ([], [])

    @property
    def home(self) -> str:
        """The name of the home team: its own, else those of its players, else where it sat."""
        return self._home_tag or ", ".join(self._pairs[0]) or "North-South in the open room"

    @property
    def away(self) -> str:
        """The name of the away team."""
        return self._away_tag or ", ".join(self._pairs[1]) or "East-West in the open room"

    def seat_board(self, rooms: Mapping[Room, Record]) -> Side | None:
        """Where the home team sat in the open room; None where a team sat the same way in both rooms.

        To be asked in the order of the boards: players who sit down for the first time are taken into their teams.
        """
        names = {room: rooms[room].names for room in Room}
        if any(names[Room.OPEN][side] & names[Room.CLOSED][side] for side in Side):
            return None
        sides = {room: self._side_by_names(names[room]) for room in Room}
        open_side, closed_side = sides[Room.OPEN], sides[Room.CLOSED]
        if open_side is not None and open_side is closed_side:
            return None
        if open_side is None:
            open_side = closed_side.other if closed_side is not None else home_side(Room.OPEN)
        for room, side in ((Room.OPEN, open_side), (Room.CLOSED, open_side.other)):
            self._home_players |= names[room][side] - self._away_players
            self._away_players |= names[room][side.other] - self._home_players
            self._add_pair(0, rooms[room], side)
            self._add_pair(1, rooms[room], side.other)
        return open_side

    def _side_by_names(self, names: Mapping[Side, frozenset[str]]) -> Side | None:
        """Where the home team sat by the players known of both teams; None when none of them sat there."""
        for_ns = len(names[Side.NS] & self._home_players) + len(names[Side.EW] & self._away_players)
        for_ew = len(names[Side.EW] & self._home_players) + len(names[Side.NS] & self._away_players)
        if for_ns == for_ew:
            return None
        return Side.NS if for_ns > for_ew else Side.EW

    def _add_pair(self, team: int, record: Record, side: Side) -> None:
        seats = (Seat.NORTH, Seat.SOUTH) if side is Side.NS else (Seat.EAST, Seat.WEST)
        pair = "-".join(dict.fromkeys(name for seat in seats if (name := record.game.names[seat])))
        if record.names[side] and pair not in self._pairs[team]:
            self._pairs[team].append(pair)


def _first_text(records: Sequence[Record], tag: str) -> str:
    return next((text for record in records if (text := record.game.stated.text(tag))), "")
