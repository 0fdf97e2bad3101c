"""Finds the matches among the records of files: which two records are one board, played in both rooms of a match.

A record may give its room, its teams and its round. If it does not, two records of one deal are taken for its two
rooms, in the order of the file, and players stay in the room where they sat before. A board that occurs again after
both rooms have had it begins another match. Nothing here knows about scores, or whether the event is one of teams.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, TypeAlias

from tourney.bridge import DECK, SEATS, Deal, Side, format_deal
from tourney.movement.seating import Room, home_side
from tourney.scorefile.checking import CheckedGame, turn_back

CANDIDATES_MAX: Final = 64
"""Maximum number of matches of the same teams and round that a record is compared with, to bound the running time."""

_Key: TypeAlias = tuple[str, str, str, str, frozenset[str]]
Names: TypeAlias = dict[Side, frozenset[str]]


@dataclass(frozen=True)
class FileRecord:
    """One board at one table, and how it belongs to the other records of its files."""

    game: CheckedGame
    first: "FileRecord | None" = None
    """The first record with its deal, whose number is that of the board; None for the first itself."""
    says_room: bool = True
    """Whether its room means anything."""

    @property
    def file(self) -> str:
        """What messages call the file that it comes from."""
        return self.game.source.file

    @cached_property
    def board(self) -> str:
        """The key of the board: its number, else its deal; empty if the file has neither."""
        if self.first is not None:
            return self.first.board
        if self.game.source.board is not None:
            return self.game.source.board
        return format_deal(self.game.deal) if self.game.deal is not None else ""

    @cached_property
    def room(self) -> Room | None:
        """The room; None if the file does not give it."""
        room = self.game.source.room if self.says_room else None
        return Room(room) if room is not None else None

    @cached_property
    def names(self) -> Names:
        """The players on each side, case-folded; empty if the two sides cannot be told apart."""
        sides: dict[Side, set[str]] = {Side.NS: set(), Side.EW: set()}
        for seat in SEATS:
            sides[seat.side].add(self.game.names[seat].casefold())
        if sides[Side.NS] & sides[Side.EW]:
            return dict.fromkeys(Side, frozenset())
        return {side: frozenset(names - {""}) for side, names in sides.items()}

    @cached_property
    def names_teams(self) -> bool:
        """Whether the file names the two teams."""
        return bool(self.game.source.text("hometeam") or self.game.source.text("visitteam"))

    def key(self) -> _Key:
        """The values that all records of a match have in common.

        One that has none of them is of the same event as the first with its deal.
        """
        event, stage, round_, section, home, visit = (
            " ".join(self.game.source.text(name).casefold().split())
            for name in ("event", "stage", "round", "section", "hometeam", "visitteam")
        )
        key = event, stage, round_, section, frozenset((home, visit))
        return self.first.key() if self.first is not None and not any((*key[:-1], home, visit)) else key

    def is_nameless(self) -> bool:
        """Return whether it names neither its event nor its teams."""
        return not any(self.key()[:-1]) and not self.names_teams


@dataclass(slots=True)
class FoundMatch:
    """The records of one match by board, in the order of the file, and room."""

    boards: dict[str, dict[Room, FileRecord]] = field(default_factory=dict)
    seated: dict[Room, Names] = field(default_factory=dict)
    """The players last seen in each room."""
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
        if any(record.names.values()):
            self.seated[room] = record.names

    def room_of(self, record: FileRecord) -> Room | None:
        """Return the room of this match in which the record can have been played, or None."""
        taken = self.boards.get(record.board, {})
        if record.room is not None:
            return record.room if record.room not in taken else None
        free = [room for room in Room if room not in taken]
        if not free or any(not _is_other_table(record, other) for other in taken.values()):
            return None
        names = record.names
        if not record.names_teams and any(names.values()) and len(self.seated) == len(Room):
            everybody = {name for sides in self.seated.values() for side in Side for name in sides[side]}
            if everybody.isdisjoint(names[Side.NS] | names[Side.EW]):
                return None
        return min(free, key=lambda room: self.seated.get(room) != names)

    def repeated_by(self, record: FileRecord) -> FileRecord | None:
        """Return the record of the same board, deal and players in the same room, or None."""
        for room, other in self.boards.get(record.board, {}).items():
            is_same_room = record.room in (None, room) and record.names == other.names
            if (
                is_same_room
                and record.game.deal == other.game.deal
                and (any(record.names.values()) or record.names_teams)
            ):
                return other
        return None

    def takes_left_over(self, record: FileRecord) -> bool:
        """Take a record that has found no place, where its players say that it belongs here; return whether it does.

        It repeats another, or has other cards than the other room.
        """
        repeated = self.repeated_by(record)
        if repeated is not None:
            self.repeats.append((record, repeated))
            return True
        taken = self.boards.get(record.board, {})
        room = record.room or next((room for room in Room if self.seated.get(room) == record.names), None)
        if room is None or room in taken or self.seated.get(room) != record.names or not any(record.names.values()):
            return False
        self.add(record, room)
        return True

    def match_quality(self, record: FileRecord, room: Room) -> tuple[bool, bool, bool]:
        """Return how well the record fits there; a greater tuple is a better fit."""
        waiting = self.boards.get(record.board, {}).get(room.other)
        same_deal = waiting is not None and waiting.game.deal == record.game.deal
        return same_deal, waiting is not None, self.seated.get(room) == record.names


def find_matches(records: Iterable[FileRecord]) -> list[FoundMatch]:
    """Return the matches, in the order in which they begin, including boards that only one room has."""
    matches: list[FoundMatch] = []
    by_key: defaultdict[_Key, list[FoundMatch]] = defaultdict(list)
    for record in records:
        alike = by_key[record.key()]
        places = [
            (match.match_quality(record, room), match, room)
            for match in reversed(alike[-CANDIDATES_MAX:])
            if (room := match.room_of(record)) is not None
        ]
        if places:
            _, match, room = max(places, key=lambda place: place[0])
        elif any(
            match.takes_left_over(record)
            for match in reversed(alike[-CANDIDATES_MAX:])
            if len(match.boards.get(record.board, {})) < len(Room)
        ):
            continue
        else:
            match, room = FoundMatch(), record.room or Room.OPEN
            alike.append(match)
            matches.append(match)
        match.add(record, room)
    return matches


def find_matches_of_files(files: Sequence[Sequence[FileRecord]]) -> list[FoundMatch]:
    """Return the matches of each file; a board with only one room in its file is matched with the other files too."""
    found = [find_matches(records) for records in files]
    whole = [match for matches in found for match in matches if match.has_both_rooms]
    rest = [
        record
        for matches in found
        for match in matches
        if not match.has_both_rooms
        for record in (*match.records, *(repeat for repeat, _ in match.repeats))
    ]
    by_key: defaultdict[_Key, list[FoundMatch]] = defaultdict(list)
    together = [*whole, *find_matches(rest)]
    for match in together:
        if match.has_both_rooms:
            by_key[match.records[0].key()].append(match)
    return [match for match in together if not _joins_another(match, by_key)]


def _joins_another(match: FoundMatch, by_key: Mapping[_Key, Sequence[FoundMatch]]) -> bool:
    """Return whether all records of a match that only one room has have joined others."""
    if match.has_both_rooms:
        return False
    others = by_key.get(match.records[0].key(), ())[-CANDIDATES_MAX:]
    repeats = [repeat for repeat, counting in match.repeats if any(other.takes_left_over(repeat) for other in others)]
    match.repeats = [pair for pair in match.repeats if pair[0] not in repeats]
    for board, rooms in list(match.boards.items()):
        if any(other.takes_left_over(record) for record in rooms.values() for other in others):
            del match.boards[board]
    return not match.boards


def relate_records(files: Sequence[Sequence[FileRecord]]) -> list[list[FileRecord]]:
    """Return the records of files as they belong together, whatever numbers, seats and rooms they have.

    Records with one deal are of one board, as programs number what they save in their own way. The deal may have been
    turned by some seats, to be played again at the only table: then the record is turned back. A room says nothing
    where all tables that played a board say the same one.
    """
    everything = [record for records in files for record in records]
    tables = Counter(record.game.deal for record in everything)
    firsts: dict[Deal, FileRecord] = {}
    for record in sorted(everything, key=FileRecord.is_nameless):
        if record.game.deal is not None:
            firsts.setdefault(_upright(record.game.deal)[0], record)
    related = [[_relate(record, firsts, tables) for record in records] for records in files]
    seated: dict[tuple[_Key, str], Names] = {}
    rooms: defaultdict[_Key, set[Room | None]] = defaultdict(set)
    with_others: set[_Key] = set()
    for record in (record for records in related for record in records):
        key = record.key()
        rooms[key].add(record.room)
        if record.names != seated.setdefault((key, record.board), record.names):
            with_others.add(key)
    silent = {key for key in with_others if len(rooms[key]) == 1}
    return [
        [replace(record, says_room=False) if record.key() in silent else record for record in records]
        for records in related
    ]


def _relate(record: FileRecord, firsts: Mapping[Deal, FileRecord], tables: Mapping[Deal | None, int]) -> FileRecord:
    deal = record.game.deal
    if deal is None:
        return record
    upright, turned = _upright(deal)
    first = firsts[upright]
    first_deal = first.game.deal
    if first is record or first_deal is None:
        return record
    seats = (turned - _upright(first_deal)[1]) % len(SEATS)
    is_replay = seats > 0 and tables[deal] + tables[first_deal] <= len(Room)
    if record.board != first.board and not is_replay and "counter" not in record.game.source.tags:
        return record
    return FileRecord(turn_back(record.game, seats, first_deal) if seats else record.game, first)


def _upright(deal: Deal) -> tuple[Deal, int]:
    """Return a deal turned so that North has the first card of the deck, and how many seats away that card was."""
    seats = next(seat for seat in SEATS if DECK[0] in deal[seat].cards)
    hands = deal.hands[seats:] + deal.hands[:seats]
    return Deal((hands[0], hands[1], hands[2], hands[3])), int(seats)


def _is_other_table(record: FileRecord, other: FileRecord) -> bool:
    """Return whether two records can be the two rooms of a board: one deal, and not the same pairs the same way."""
    deals = {record.game.deal, other.game.deal} - {None}
    names = record.names
    return len(deals) <= 1 and (not names[Side.NS] or names != other.names)


class TeamTracker:
    """Follows two teams through a match, board by board. A player once seen in a team stays in it.

    A file may name the teams, the players, both or neither, and may give a team's name for each of its players.
    If it names neither, the usual convention applies: the home team sits North-South in the open room.
    """

    def __init__(self, records: Sequence[FileRecord]) -> None:
        self._tags = _first_text(records, "hometeam"), _first_text(records, "visitteam")
        self._teams = {tag.casefold(): team for team, tag in enumerate(self._tags) if tag}
        """The team of each player that is known: 0 for the home team, 1 for the away team."""
        self._pairs: tuple[dict[str, None], dict[str, None]] = ({}, {})
        self.odd: list[Mapping[Room, FileRecord]] = []
        """The boards on which some player did not sit with the own team."""

    @property
    def home(self) -> str:
        """The name of the home team: its own, else its players' names, else where it sat."""
        return self._tags[0] or ", ".join(self._pairs[0]) or "North-South in the open room"

    @property
    def away(self) -> str:
        """The name of the away team."""
        return self._tags[1] or ", ".join(self._pairs[1]) or "East-West in the open room"

    def seat_board(self, rooms: Mapping[Room, FileRecord]) -> Side | None:
        """Return where the home team sat in the open room; None if a team sat the same way in both rooms.

        Must be called in the order of the boards: players seen for the first time join their teams.
        """
        names = {room: rooms[room].names for room in Room}
        open_side, closed_side = (self._side_by_names(names[room]) for room in Room)
        sat_alike = any(names[Room.OPEN][side] & names[Room.CLOSED][side] for side in Side)
        if sat_alike or (open_side is not None and open_side is closed_side):
            self.odd.append(rooms)
            return None
        if open_side is None:
            open_side = closed_side.other if closed_side is not None else home_side(Room.OPEN)
        is_odd = False
        for room, home in ((Room.OPEN, open_side), (Room.CLOSED, open_side.other)):
            for team, side in enumerate((home, home.other)):
                for name in names[room][side]:
                    is_odd |= self._teams.setdefault(name, team) != team
                if names[room][side]:
                    seated = (rooms[room].game.names[seat] for seat in side.seats)
                    self._pairs[team].setdefault("-".join(dict.fromkeys(filter(None, seated))))
        if is_odd:
            self.odd.append(rooms)
        return open_side

    def _side_by_names(self, names: Mapping[Side, frozenset[str]]) -> Side | None:
        """Return where the home team sat, judged by both teams' known players; None if none of them sat there."""
        known = [(name, side) for side in Side for name in names[side] & self._teams.keys()]
        sat_ns = [(self._teams[name] == 0) is (side is Side.NS) for name, side in known]
        for_ns = 2 * sum(sat_ns) - len(sat_ns)
        return None if for_ns == 0 else Side.NS if for_ns > 0 else Side.EW


def _first_text(records: Sequence[FileRecord], tag: str) -> str:
    return next((text for record in records if (text := record.game.source.text(tag))), "")
