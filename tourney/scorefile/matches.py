"""Finds the matches among the records of files: which two records are one board, played in both rooms of a match.

A record may give its room, its teams and its round. If it does not, two records of one deal are taken for its two
rooms, in the order of the files, and players stay in the room where they sat before. A board that occurs again after
both rooms have had it begins another match. Nothing here knows about scores, or whether the event is one of teams.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import Side
from tourney.movement.seating import CUSTOM, Room
from tourney.scorefile.checking import FileRecord, Key, Names

CANDIDATES_MAX: Final = 64
"""Maximum number of matches of the same teams and round that a record is compared with, to bound the running time."""


@dataclass(slots=True)
class FoundMatch:
    """The records of one match by board, in the order of the file, and room."""

    boards: dict[str, dict[Room, FileRecord]] = field(default_factory=dict)
    seated: dict[Room, Names] = field(default_factory=dict)
    """The players last seen in each room."""
    players: set[str] = field(default_factory=set)
    """Everybody seen so far."""
    repeats: list[tuple[FileRecord, FileRecord]] = field(default_factory=list)
    """Records of a board in a room of which there is one already, each with that one, which counts."""

    @property
    def records(self) -> list[FileRecord]:
        return [record for rooms in self.boards.values() for record in rooms.values()]

    @property
    def has_both_rooms(self) -> bool:
        """Whether any board of it has records from both rooms."""
        return any(len(rooms) == len(Room) for rooms in self.boards.values())

    def add(self, record: FileRecord, room: Room) -> None:
        self.boards.setdefault(record.board, {})[room] = record
        self.players |= record.players
        if record.players:
            self.seated[room] = record.sides

    def room_of(self, record: FileRecord) -> Room | None:
        """Return the room of this match in which the record can have been played, or None."""
        taken = self.boards.get(record.board, {})
        free = [room for room in Room if room not in taken and record.room in (None, room)]
        if record.room is not None:
            return free[0] if free else None
        if not free or any(not _is_other_table(record, other) for other in taken.values()):
            return None
        if not record.names_teams and record.players and len(self.seated) == len(Room):
            everybody = {name for sides in self.seated.values() for names in sides.values() for name in names}
            if everybody.isdisjoint(record.players):
                return None
        return min(free, key=lambda room: self.seated.get(room) != record.sides)

    def takes_left_over(self, record: FileRecord) -> bool:
        """Take a record that has found no place, where its players say that it belongs here; return whether it does.

        It repeats another, or has other cards than the other room.
        """
        names = record.sides
        taken = self.boards.get(record.board, {})
        for room, other in taken.items():
            is_alike = (names, record.deal) == (other.sides, other.deal)
            if is_alike and record.room in (None, room) and (record.players or record.names_teams):
                self.repeats.append((record, other))
                return True
        own = record.room or next((room for room in Room if self.seated.get(room) == names), None)
        if not record.players or own is None or own in taken or self.seated.get(own) != names:
            return False
        self.add(record, own)
        return True

    def match_quality(self, record: FileRecord, room: Room) -> tuple[bool, bool, bool]:
        """Return how well the record fits there; a greater tuple is a better fit."""
        waiting = self.boards.get(record.board, {}).get(room.other)
        same_deal = waiting is not None and waiting.deal == record.deal
        return same_deal, waiting is not None, self.seated.get(room) == record.sides


def find_matches(records: Iterable[FileRecord]) -> list[FoundMatch]:
    """Return the matches, in the order in which they begin, including boards that only one room has."""
    matches: list[FoundMatch] = []
    by_key: defaultdict[Key, list[FoundMatch]] = defaultdict(list)
    for record in records:
        alike = by_key[record.key][: -CANDIDATES_MAX - 1 : -1]
        places = [(match, room) for match in alike if (room := match.room_of(record)) is not None]
        if places:
            match, room = max(places, key=lambda place: place[0].match_quality(record, place[1]))
        elif any(match.takes_left_over(record) for match in alike):
            continue
        else:
            match, room = FoundMatch(), record.room or Room.OPEN
            by_key[record.key].append(match)
            matches.append(match)
        match.add(record, room)
    return [
        match for match in matches if match.has_both_rooms or not _joins_others(match, by_key[match.records[0].key])
    ]


def _joins_others(match: FoundMatch, alike: Sequence[FoundMatch]) -> bool:
    """Return whether all records of a match that only one room has have joined others."""
    others = [other for other in alike[-CANDIDATES_MAX:] if other.has_both_rooms]
    for board, rooms in list(match.boards.items()):
        if any(other.takes_left_over(record) for record in rooms.values() for other in others):
            del match.boards[board]
    return not match.boards


def _is_other_table(record: FileRecord, other: FileRecord) -> bool:
    """Return whether two records can be the two rooms of a board: one deal, and not the same pairs the same way."""
    deals = {record.deal, other.deal} - {None}
    names = record.sides
    return len(deals) <= 1 and (not names[Side.NS] or names != other.sides)


class TeamTracker:
    """Follows two teams through a match, board by board. A player once seen in a team stays in it.

    A file may name the teams, the players, both or neither, and may give a team's name for each of its players.
    If it names neither, the usual convention applies: the home team sits North-South in the open room.
    """

    def __init__(self, records: Sequence[FileRecord]) -> None:
        sources = [record.source for record in records]
        self._tags = [
            next((text for source in sources if (text := source.text(tag))), "") for tag in ("hometeam", "visitteam")
        ]
        self._teams = {tag.casefold(): team for team, tag in enumerate(self._tags) if tag}
        """The team of each player that is known: 0 for the home team, 1 for the away team."""
        self._pairs: tuple[dict[str, None], dict[str, None]] = ({}, {})
        self.odd: list[Mapping[Room, FileRecord]] = []
        """The boards on which some player did not sit with the own team."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of both teams: their own, else those of their players, else where they sat."""
        home, away = (
            tag or ", ".join(pairs) or f"{side.full_name} in the open room"
            for tag, pairs, side in zip(self._tags, self._pairs, Side, strict=True)
        )
        return home, away

    def seat_board(self, rooms: Mapping[Room, FileRecord]) -> Side | None:
        """Return where the home team sat in the open room; None if a team sat the same way in both rooms.

        Must be called in the order of the boards: players seen for the first time join their teams.
        """
        names = {room: rooms[room].sides for room in Room}
        open_side, closed_side = (self._side_by_names(names[room]) for room in Room)
        sat_alike = any(names[Room.OPEN][side] & names[Room.CLOSED][side] for side in Side)
        if sat_alike or (open_side is not None and open_side is closed_side):
            self.odd.append(rooms)
            return None
        if open_side is None:
            open_side = closed_side.other if closed_side is not None else CUSTOM.home_open
        is_odd = False
        for room, home in ((Room.OPEN, open_side), (Room.CLOSED, open_side.other)):
            for team, side in enumerate((home, home.other)):
                for name in names[room][side]:
                    is_odd |= self._teams.setdefault(name, team) != team
                if names[room][side]:
                    seated = (rooms[room].names[seat] for seat in side.seats)
                    self._pairs[team].setdefault("-".join(dict.fromkeys(filter(None, seated))))
        if is_odd:
            self.odd.append(rooms)
        return open_side

    def _side_by_names(self, names: Names) -> Side | None:
        """Return where the home team sat, judged by both teams' known players; None if none of them sat there."""
        known = [(name, side) for side in Side for name in names[side] & self._teams.keys()]
        sat_ns = [(self._teams[name] == 0) is (side is Side.NS) for name, side in known]
        for_ns = 2 * sum(sat_ns) - len(sat_ns)
        return None if for_ns == 0 else Side.NS if for_ns > 0 else Side.EW
