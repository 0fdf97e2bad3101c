"""Opens a stored event and finds the matches and tables that users name in it; read-only."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tourney.bridge import SEATS, Seat
from tourney.contest.draw import MatchInfo, SegmentInfo
from tourney.errors import ConfigError, StoreError, UsageError
from tourney.event.place import EventLocation, check_record, load_event_location
from tourney.movement.seating import Room, TableInfo
from tourney.scoring.victory_points import VpScale
from tourney.store.db.database import Database
from tourney.store.db.schema import check
from tourney.store.draw.objects import EventInfo, Visibility
from tourney.store.draw.reader import count_matches, load_event
from tourney.store.results.matches import load_match_boards
from tourney.suggestions import suggest

if TYPE_CHECKING:
    from tourney.config.event import EventConfig
    from tourney.event.file import EventFile
    from tourney.movement.pairs.movement import Movement
    from tourney.movement.ranking import RankingRules

MATCH_NUMBER_MAX: Final = 999_999_999
"""Above any number of matches: a number that users type has to fit into a 64-bit integer of the database."""

TEAMS_NAMED_MAX: Final = 16
"""How many teams an error message names one by one: more would fill the screen."""

_PLACE: Final = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,3}))?(?:-(open|closed))?", re.IGNORECASE | re.ASCII)
"""MATCH, as `3`, or MATCH-ROOM, as `3-open`; with a segment, `3.2-open`."""


@dataclass(frozen=True)
class DrawnEvent:
    """A stored event with the event file that names it; the file may have changed since the draw."""

    path: Path
    """The path of the event file, as the user gave it."""
    place: EventLocation
    database: Database
    event: EventInfo
    """Contains only one round if the event was opened for one match."""

    @cached_property
    def file(self) -> "EventFile":
        """The whole event file, read and checked when first needed.

        Raises:
            ConfigError: it cannot be read, or something is wrong with it.
        """
        return _load_file(self.place.path)

    @property
    def config(self) -> "EventConfig":
        """What the event file says, as `file` is read."""
        return self.file.config

    @property
    def record(self) -> tuple[Database, int]:
        """Where its record is: the database, and its id there."""
        return self.database, self.event.id

    def read_again(self) -> "DrawnEvent":
        """Return the same stored event with the event file as it is now.

        Raises:
            ConfigError: the file cannot be read, or something is wrong with it.
        """
        file = _load_file(self.place.path)
        names = replace(self.place.names, timezone=file.config.event.timezone)
        drawn = DrawnEvent(self.path, replace(self.place, names=names), self.database, self.event)
        drawn.__dict__["file"] = file
        return drawn

    def reload(self) -> "DrawnEvent":
        """Return the event as it is drawn now.

        Raises:
            StoreError: it is not in its database any more.
        """
        event = load_event(self.database, self.place.names.event)
        if event is None:
            raise StoreError(f"event {self.place.names.event!r} is not in database {self.database} any more")
        return self.at(event)

    def at(self, event: EventInfo) -> "DrawnEvent":
        """Return the same stored event in another state of it, with the event file as far as it has been read.

        Who looks at it may see as much of it as before.
        """
        return self._with(replace(event, visibility=self.event.visibility))

    def within(self, database: Database) -> "DrawnEvent":
        """Return the same stored event, read and changed through another connection: that of a transaction."""
        return self._with(self.event, database)

    def seen_with(self, visibility: Visibility) -> "DrawnEvent":
        """Return the same stored event for who may see so much of it."""
        return self._with(replace(self.event, visibility=visibility))

    def _with(self, event: EventInfo, database: Database | None = None) -> "DrawnEvent":
        drawn = DrawnEvent(self.path, self.place, database or self.database, event)
        if "file" in self.__dict__:
            drawn.__dict__["file"] = self.file
        return drawn

    @property
    def zone(self) -> tzinfo | None:
        """The event's time zone; None if the event file names none."""
        return self.place.names.zone

    @property
    def revised_at_ms(self) -> int:
        """When the event file, which has the starts of rounds, was last changed; 0 if that is not known."""
        try:
            return self.path.stat().st_mtime_ns // 1_000_000
        except OSError:
            return 0

    @cached_property
    def scales(self) -> dict[int, VpScale | None]:
        """Victory point scales by stage; None for an organiser's own scale that the file no longer has."""
        own = self.config.own_scales if self.place.names.has_own_scales else {}
        scales: dict[int, VpScale | None] = {}
        for stage in self.event.stages:
            try:
                scales[stage.number] = stage.board_scale.vp_scale(stage.vp_scale, stage.boards_per_match, own)
            except ConfigError:
                scales[stage.number] = None
        return scales

    @property
    def ranking_rules(self) -> "dict[int, RankingRules]":
        """How teams are ranked in each stage, from the event file: ranking rules are not part of the draw."""
        return self.config.ranking_rules(self.scales)

    @cached_property
    def movements(self) -> "dict[int, Movement]":
        """The movements of the pairs stages, by number of the stage, from the event file."""
        return self.config.movements

    def match(self, number: int) -> MatchInfo:
        """Return the match of that number.

        Raises:
            UsageError: there is no such match.
        """
        found = self.event.matches_by_number.get(number)
        if found is None:
            last = count_matches(self.database, self.event.id)
            raise UsageError(f"matches of {self.event.name!r} are 1..{last}, got {number}")
        return found

    def team_named(self, name: str) -> str:
        """Return the name of a team as it is spelled in the draw; `name` may be in upper or lower case.

        Raises:
            UsageError: there is no such team.
        """
        return find_entrant(name, self.event.team_names, f"teams of {self.event.name!r}")

    def team_id(self, name: str) -> int:
        """Return the id that a team has in the record, by its name as in `team_named`."""
        spelled = self.team_named(name)
        return next(team.id for team in self.event.teams if team.name == spelled)

    def pair_named(self, name: str) -> str:
        """Return the name of a pair, given in upper or lower case or as its number in the draw.

        Raises:
            UsageError: there is no such pair.
        """
        names = {team.name.casefold() for team in self.event.teams}
        if name.isascii() and name.isdigit() and name not in names:
            numbers = {str(team.number): team.name for team in self.event.teams}
            found = numbers.get(name.lstrip("0"))
            if found is None:
                raise UsageError(f"pairs of {self.event.name!r} are numbered 1..{len(numbers)}, got {name}")
            return found
        return find_entrant(name, self.event.team_names, f"pairs of {self.event.name!r}")

    def check_round(self, number: int | None) -> None:
        """Check that the event has a round of that number; None means all rounds.

        Raises:
            UsageError: it has no such round.
        """
        last = len(self.event.rounds)
        if number is not None and not 1 <= number <= last:
            raise UsageError(f"--round: rounds of {self.event.name!r} are 1..{last}, got {number}")

    def tables_at(self, place: str | None, board: int | None = None) -> list[TableInfo]:
        """Find the tables of a place, the open room first; all tables of the event when `place` is None.

        In a match of several segments they are those of the named segment, else of the one with the board, else of
        the first unfinished one, else of the last.

        Raises:
            UsageError: the text is not a place, or there is no such match or segment.
        """
        if place is None:
            return self.event.tables
        found = _PLACE.fullmatch(place)
        if found is None:
            raise UsageError(f"a place is MATCH or MATCH-ROOM, such as 3, 3-open or 3-closed, got {place!r}")
        match = self.match(int(found[1]))
        if found[2] is None:
            segment = self._segment_of(match, board)
        elif 1 <= int(found[2]) <= len(match.segments):
            segment = match.segments[int(found[2]) - 1]
        else:
            raise UsageError(f"match {match.number} has segments 1..{len(match.segments)}, got {place!r}")
        if found[3] is None:
            return list(segment.tables.values())
        room = Room(found[3].lower())
        if room not in segment.tables:
            raise UsageError(f"match {match.number} has no {room.value} room, got {place!r}")
        return [segment.tables[room]]

    def table_at(self, place: str, board: int | None = None) -> TableInfo:
        """Find the one table of a place, like `tables_at`.

        Raises:
            UsageError: the text is not a place or has no room, or there is no such match.
        """
        tables = self.tables_at(place, board)
        if len(tables) != 1:
            raise UsageError(f"name one room, {tables[0].place} or {tables[1].place}, got {place!r}")
        return tables[0]

    def _segment_of(self, match: MatchInfo, board: int | None) -> SegmentInfo:
        if board is not None and len(match.segments) > 1:
            numbers = [each.number for each in load_match_boards(self.database, match)]
            for segment in match.segments:
                if board in numbers[segment.span]:
                    return segment
        for segment in match.segments:
            if any(not table.is_over for table in segment.tables.values()):
                return segment
        return match.segments[-1]


@contextmanager
def open_event(
    path: Path, of_match: int | None = None, *, is_read_only: bool = False, is_director: bool = False
) -> Iterator[DrawnEvent]:
    """Open the stored event of an event file.

    Args:
        path: the event file; only the location of the record is read and checked at first.
        of_match: the number of a match, if no other is needed: then only the round of that match is loaded.
        is_read_only: whether the database refuses every write.
        is_director: whether boards that somebody still has to play may be seen.

    Raises:
        ConfigError: the file cannot be read, or what it says about the record is wrong.
        StoreError: the event was never drawn, or the database cannot be used.
    """
    place = load_event_location(path) or _load_file(path).place
    name = place.names.event
    with closing(Database(place.database_url, is_read_only=is_read_only)) as database:
        if database.is_missing:
            raise StoreError(
                f"{name!r} has not begun: `tourney run {path}` draws and plays it (there is no database {database})"
            )
        check(database)
        event = load_event(database, name, None if of_match is None else max(0, min(of_match, MATCH_NUMBER_MAX)))
        if event is None:
            check_record(place.results, database, name)
            raise StoreError(
                f"event {name!r} is not in database {database}: `tourney schedule {path}` draws it, "
                f"`tourney run {path}` draws and plays it"
            )
        visibility = (
            Visibility.EVERYTHING if is_director else visibility_of(whole_totals=place.names.has_whole_totals)
        )
        yield DrawnEvent(path, place, database, replace(event, visibility=visibility))


def find_entrant(name: str, names: Sequence[str], entrants: str) -> str:
    """Return a name as it is spelled among the names of `entrants`; it may be in upper or lower case.

    Raises:
        UsageError: it is none of them.
    """
    known = {each.casefold(): each for each in names}
    found = known.get(" ".join(name.split()).casefold())
    if found is None:
        more = ", ..." if len(names) > TEAMS_NAMED_MAX else ""
        shown = ", ".join(names[:TEAMS_NAMED_MAX])
        raise UsageError(f"{entrants} are {shown}{more}, got {name!r}{suggest(name, names)}")
    return found


def visibility_of(*, whole_totals: bool) -> Visibility:
    """Return what everybody may see of an event whose totals go by all boards, or by those that may be shown."""
    return Visibility.WHOLE_TOTALS if whole_totals else Visibility.SHOWN_BOARDS


def _load_file(path: Path) -> "EventFile":
    from tourney.event.file import load_event_file  # noqa: PLC0415 # it loads the models of the file, which takes 0.1 s

    return load_event_file(path)


def seat_named(name: str) -> Seat:
    """Return the seat of a name or its first letter, in either case.

    Raises:
        UsageError: the text is not a seat.
    """
    for seat in SEATS:
        if name.lower() in (seat.title.lower(), seat.letter.lower()):
            return seat
    raise UsageError(f"a seat is North, East, South or West, got {name!r}")
