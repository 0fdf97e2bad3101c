"""Determines the kind of event that the records of a file come from: a match of two teams, or pairs, or individuals.

Two tables at which one deal was played are the two rooms of a match only in a team event. A file may say what it
is (Competition, Scoring, the columns of its tables, the title of the event); where it does not, what gives it away is
how many tables played a deal, and whether the players of a match fall into two teams at all.
"""

import enum
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

from tourney.bridge import Deal, Side
from tourney.formats.unchecked import TEXT_LENGTH_MAX
from tourney.movement.seating import Room
from tourney.scorefile.matches import FileRecord, FoundMatch, TeamTracker, find_matches

TABLES_MAX: Final = 4
"""The most tables at which records without rooms and teams can have played a deal and still be matches: those of a
semi-final. It needs the names of the players to tell the two matches apart."""


class EventKind(enum.StrEnum):
    """The kind of event that a record comes from; the value is also the word for it."""

    TEAMS = "teams"
    PAIRS = "pairs"
    INDIVIDUAL = "individual"
    RUBBER = "rubber bridge"


@dataclass(frozen=True, slots=True)
class KindSign:
    """What gives the kind of some records away. `text` says it, with its line, for the end of a sentence."""

    kind: EventKind
    text: str


@dataclass(frozen=True, slots=True)
class EventRecords:
    """Records that come from one event, in the order of the files."""

    sign: KindSign
    records: tuple[FileRecord, ...]

    @property
    def kind(self) -> EventKind:
        return self.sign.kind


_Key: TypeAlias = tuple[str, ...]

CROSS_IMPS: Final = re.compile(r"cross|x-?imps?", re.IGNORECASE)
"""IMPs against every other table, as in `IMP;Cross`."""


def _words(**patterns: str) -> tuple[tuple[EventKind, re.Pattern[str]], ...]:
    """Return what the value of a tag begins with, by the kind that it then gives away."""
    return tuple((EventKind[kind], re.compile(pattern, re.IGNORECASE)) for kind, pattern in patterns.items())


_NO_TEAMS: Final = r"(?!.*\b(?:teams?|match|squadre|mannschaft|equipes?)\b).*"
_TITLES: Final = _words(
    INDIVIDUAL=rf"{_NO_TEAMS}\bindividu(?:al|el|ale|ell)\b",
    PAIRS=rf"{_NO_TEAMS}\b(?:pairs|paires|paare|parejas|coppie|pary|parturnering)\b",
)
_COLUMNS: Final = _words(PAIRS=".*pairid", INDIVIDUAL=".*playerid")
_COMPETITION: Final = {
    "Competition": _words(
        TEAMS="teams", PAIRS="pairs|cavendish", INDIVIDUAL="individual", RUBBER="rubber|chicago|minibridge"
    )
}
"""Kinds by the tag Competition (PBN 2.1 section 4.1.1), which counts before rooms and teams do."""
_OTHERS: Final = {
    # No match of two teams is scored so (PBN 2.1 section 3.4.11).
    "Scoring": _words(
        PAIRS=rf"mp|match ?point|cavendish|instant|butler|(?!rubber|chicago|minibridge).*(?:{CROSS_IMPS.pattern})",
        RUBBER="rubber|chicago|minibridge",
    ),
    "ScoreTable": _COLUMNS,
    "TotalScoreTable": _COLUMNS,
    "Event": _TITLES,
    "Stage": _TITLES,
}
"""Kinds by other tags, in the order in which these are asked."""

_TEAMS: Final = KindSign(EventKind.TEAMS, "")


def classify_records(files: Sequence[Sequence[FileRecord]]) -> list[EventRecords]:
    """Returns the records of files by the events they come from.

    Records that say nothing of their kind are of the kind that the others of the same event, stage, round and section
    state; where none states one, how they were played decides. Records with a room or with teams are a match of
    teams, unless their Competition says otherwise.

    Args:
        files: all records of each, in its order.
    """
    groups = defaultdict[_Key, list[FileRecord]](list)
    for record in chain.from_iterable(files):
        groups[record.key()[:-1]].append(record)
    events = [part for group in groups.values() for part in _classify_group(group)]
    of_teams = [record for event in events if event.kind is EventKind.TEAMS for record in event.records]
    if _are_tables_of_pairs(of_teams):
        sign = KindSign(EventKind.PAIRS, "its teams are pairs that meet in one room")
        events = [EventRecords(sign, event.records) if event.kind is EventKind.TEAMS else event for event in events]
    return events


def _are_tables_of_pairs(records: Sequence[FileRecord]) -> bool:
    """Returns whether records name pairs in place of teams, which meet more than one other, all in the open room."""
    met = {record.key()[-1] for record in records}
    names = {name for teams in met for name in teams}
    return (
        2 * len(met) > len(names)
        and all({*record.names[Side.NS], *record.names[Side.EW]} == record.key()[-1] for record in records)
        and {record.game.source.room for record in records} == {Room.OPEN}
        and 0 < len({(record.board, record.game.deal) for record in records}) < len(records)
    )


def _classify_group(records: Sequence[FileRecord]) -> Iterable[EventRecords]:
    stated = [_stated_sign(record) for record in records]
    kinds = {sign.kind for sign in stated if sign is not None}
    silent = [record for record, sign in zip(records, stated, strict=True) if sign is None]
    default = next((sign for sign in stated if sign is not None), None) if len(kinds) == 1 else None
    if default is None:
        default = _sign_of_play(silent) or _TEAMS
    parts: dict[EventKind, tuple[KindSign, list[FileRecord]]] = {}
    for record, sign in zip(records, stated, strict=True):
        own = sign or default
        parts.setdefault(own.kind, (own, []))[1].append(record)
    for sign, found in parts.values():
        yield EventRecords(sign, tuple(found))


def _stated_sign(record: FileRecord) -> KindSign | None:
    """Returns what the record says of its kind; None if it says nothing."""
    sign = _sign_of_tags(record, _COMPETITION)
    if sign is None and (record.room is not None or record.names_teams):
        return _TEAMS
    return sign or _sign_of_tags(record, _OTHERS)


def _sign_of_tags(
    record: FileRecord, signs: Mapping[str, Sequence[tuple[EventKind, re.Pattern[str]]]]
) -> KindSign | None:
    for name, words in signs.items():
        tag = record.game.source.tags.get(name.casefold())
        kind = next((kind for kind, pattern in words if pattern.match(tag.text)), None) if tag is not None else None
        if tag is not None and kind is not None:
            if words is _COLUMNS:
                what = "pairs" if kind is EventKind.PAIRS else "players"
                return KindSign(kind, f"the {name} on line {tag.line} has {what}")
            return KindSign(kind, f"{name} {tag.quoted} on line {tag.line}")
    return None


def _sign_of_play(records: Sequence[FileRecord]) -> KindSign | None:
    """Returns what the tables and players of records that say nothing tell; None if they may be matches of teams."""
    tables: defaultdict[tuple[str, Deal | None], list[FileRecord]] = defaultdict(list)
    for record in records:
        found = tables[record.board, record.game.deal]
        if not any(record.names.values()) or all(record.names != other.names for other in found):
            found.append(record)
    largest = max(tables.values(), key=len, default=[])
    matches = find_matches(records)
    if len(largest) > len(Room):
        in_files = Counter((record.file, record.board, record.game.deal) for record in records)
        are_too_many = len(largest) > TABLES_MAX and set(in_files.values()) != {len(Room)}
        is_field = are_too_many or _is_mostly_odd(tables.values()) or not _are_apart(matches)
        if is_field or not all(record.names[side] for record in largest for side in Side):
            first = largest[0]
            text = (
                f"board {first.board[:TEXT_LENGTH_MAX] or '?'} on line {first.game.source.line} was played at "
                f"{len(largest)} tables, without rooms or teams"
            )
            return KindSign(EventKind.PAIRS, text)
    return next((sign for match in matches if (sign := _sign_of_players(match)) is not None), None)


def _is_mostly_odd(tables: Iterable[Sequence[FileRecord]]) -> bool:
    """Returns whether most deals have an odd number of tables, which rooms of matches never have."""
    numbers = [len(found) for found in tables]
    return 2 * sum(number > 1 and number % 2 == 1 for number in numbers) > len(numbers)


def _are_apart(matches: Iterable[FoundMatch]) -> bool:
    """Returns whether no player is in two of the matches."""
    seen = set[str]()
    for match in matches:
        players = {name for record in match.records for side in Side for name in record.names[side]}
        if seen & players:
            return False
        seen |= players
    return True


def _sign_of_players(match: FoundMatch) -> KindSign | None:
    """Returns a sign if the players of a match do not form two teams on more than a third of its boards.

    A match of two teams may have a board or two with names in the wrong seats.
    """
    teams = TeamTracker(match.records)
    boards = [rooms for rooms in match.boards.values() if len(rooms) == len(Room)]
    for rooms in boards:
        teams.seat_board(rooms)
    odd = teams.odd
    if 3 * len(odd) <= len(boards):
        return None
    partners: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    for record in match.records:
        for pair in record.names.values():
            for name in pair:
                partners[name].add(pair)
    change_partners = 2 * sum(len(pairs) > 1 for pairs in partners.values()) > len(partners)
    kind = EventKind.INDIVIDUAL if change_partners else EventKind.PAIRS
    line = odd[0][Room.CLOSED].game.source.line
    return KindSign(kind, f"the players do not form two teams, as first seen on line {line}")
