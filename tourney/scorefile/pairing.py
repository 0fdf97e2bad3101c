"""Finds the matches among the records of files: which two records are one board, played in both rooms of a match.

A record says its room, its teams and its round, or nothing of the kind: then two records of one deal are its two
rooms, in the order of the file, and players who sat in a room before are in it again. A board that comes up once more
when both rooms have it begins another match. Must not know what anything scores.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from tourney.bridge import SEATS, Side, format_deal
from tourney.movement.seating import Room
from tourney.scorefile.checking import CheckedGame

CANDIDATES_MAX: Final = 64
"""Matches of the same teams and round that a record may belong to; a limit, so that any file is read in its time."""

_PAIRS_SCORINGS: Final = ("mp", "matchpoints", "rubber", "chicago", "cavendish", "instant", "butler")
"""Starts of Scoring values that no match of two teams has (PBN 2.1 section 3.4.12)."""

_Key: TypeAlias = tuple[str, str, str, str, frozenset[str]]
Names: TypeAlias = dict[Side, frozenset[str]]


@dataclass(frozen=True)
class Record:
    """One board at one table, and the file it is in."""

    file: str
    game: CheckedGame

    @cached_property
    def board(self) -> str:
        """What records of one board have in common: its number, else its deal; empty where the file has neither."""
        if self.game.stated.board is not None:
            return self.game.stated.board
        return format_deal(self.game.deal) if self.game.deal is not None else ""

    @cached_property
    def room(self) -> Room | None:
        """None where the file does not say."""
        room = self.game.stated.room
        return Room(room) if room is not None else None

    @cached_property
    def names(self) -> Names:
        """Who sat on each side, in one case of letters; nobody where the two sides cannot be told apart."""
        sides: dict[Side, set[str]] = {Side.NS: set(), Side.EW: set()}
        for seat in SEATS:
            sides[seat.side].add(self.game.names[seat].casefold())
        if sides[Side.NS] & sides[Side.EW]:
            return dict.fromkeys(Side, frozenset())
        return {side: frozenset(names - {""}) for side, names in sides.items()}

    @cached_property
    def names_teams(self) -> bool:
        """Whether the file names the two teams."""
        return bool(self.game.stated.text("hometeam") or self.game.stated.text("visitteam"))

    @cached_property
    def is_of_pairs(self) -> bool:
        """Whether it is a board of an event of pairs, of which any two tables have nothing to do with each other."""
        scoring = self.game.stated.text("scoring").casefold()
        return self.room is None and not self.names_teams and scoring.startswith(_PAIRS_SCORINGS)

    def key(self) -> _Key:
        """What all records of a match have in common."""
        event, stage, round_, section, home, visit = (
            " ".join(self.game.stated.text(name).casefold().split())
            for name in ("event", "stage", "round", "section", "hometeam", "visitteam")
        )
        return event, stage, round_, section, frozenset((home, visit))


@dataclass(slots=True)
class FoundMatch:
    """The records of one match by board, in the order of the file, and room."""

    boards: dict[str, dict[Room, Record]] = field(default_factory=dict)
    seated: dict[Room, Names] = field(default_factory=dict)
    """Who sat in each room when last seen there."""

    @property
    def records(self) -> list[Record]:
        return [record for rooms in self.boards.values() for record in rooms.values()]

    @property
    def has_both_rooms(self) -> bool:
        """Whether a board of it is there from both rooms."""
        return any(len(rooms) == len(Room) for rooms in self.boards.values())

    def add(self, record: Record, room: Room) -> None:
        self.boards.setdefault(record.board, {})[room] = record
        if any(record.names.values()):
            self.seated[room] = record.names

    def room_of(self, record: Record) -> Room | None:
        """The room of this match in which the record can have been played; None when there is none."""
        taken = self.boards.get(record.board, {})
        if record.room is not None:
            return record.room if record.room not in taken else None
        free = [room for room in Room if room not in taken]
        if not free or any(record.is_of_pairs or not _is_other_table(record, other) for other in taken.values()):
            return None
        names = record.names
        if not record.names_teams and any(names.values()) and len(self.seated) == len(Room):
            everybody = {name for sides in self.seated.values() for side in Side for name in sides[side]}
            if everybody.isdisjoint(names[Side.NS] | names[Side.EW]):
                return None
        return min(free, key=lambda room: self.seated.get(room) != names)

    def fit(self, record: Record, room: Room) -> tuple[bool, bool, bool]:
        """How well the record fits there: the more, and the earlier, are true, the better."""
        waiting = self.boards.get(record.board, {}).get(room.other)
        same_deal = waiting is not None and waiting.game.deal == record.game.deal
        return same_deal, waiting is not None, self.seated.get(room) == record.names


def find_matches(records: Iterable[Record]) -> list[FoundMatch]:
    """The matches, in the order in which they begin; boards that only one room has are among them."""
    matches: list[FoundMatch] = []
    by_key: defaultdict[_Key, list[FoundMatch]] = defaultdict(list)
    for record in records:
        alike = by_key[record.key()]
        places = [
            (match.fit(record, room), match, room)
            for match in reversed(alike[-CANDIDATES_MAX:])
            if (room := match.room_of(record)) is not None
        ]
        if places:
            _, match, room = max(places, key=lambda place: place[0])
        else:
            match, room = FoundMatch(), record.room or Room.OPEN
            alike.append(match)
            matches.append(match)
        match.add(record, room)
    return matches


def find_matches_of_files(files: Sequence[Sequence[Record]]) -> list[FoundMatch]:
    """The matches of each file; what has one room only in its file is looked for in the others too."""
    found = [find_matches(records) for records in files]
    if len(found) == 1:
        return found[0]
    whole = [match for matches in found for match in matches if match.has_both_rooms]
    rest = [record for matches in found for match in matches if not match.has_both_rooms for record in match.records]
    return whole + find_matches(rest)


def _is_other_table(record: Record, other: Record) -> bool:
    """Whether two records of a board can be those of the two rooms: one deal, and not the same pairs the same way."""
    deals = {record.game.deal, other.game.deal} - {None}
    names = record.names
    return len(deals) <= 1 and (not names[Side.NS] or names != other.names)
