"""Determines the kind of event that the records of a file come from: a match of two teams, or pairs, or individuals.

Two tables at which one deal was played are the two rooms of a match only in a team event. A file may say what it
is (Competition, Scoring, the columns of its tables, the title of the event); where it does not, what gives it away is
how many tables played a deal, and whether the players of a match fall into two teams at all.
"""

import enum
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.bridge import Deal, Side
from tourney.formats.unchecked import TEXT_LENGTH_MAX
from tourney.movement.seating import Room
from tourney.scorefile.checking import FileRecord, Key
from tourney.scorefile.matches import FoundMatch, TeamTracker, find_matches
from tourney.scorefile.records import ReadFiles

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
class EventRecords:
    """Records that come from one event, in the order of the files. `sign` says what gives their kind away."""

    kind: EventKind
    sign: str
    records: tuple[FileRecord, ...]


CROSS_IMPS: Final = re.compile(r"cross|x-?imps?", re.IGNORECASE)
"""IMPs against every other table, as in `IMP;Cross`."""

_COMPETITION: Final = "Competition"
_NO_TEAMS: Final = r"(?!.*\b(?:teams?|match|squadre|mannschaft|equipes?)\b).*"
_OF_INDIVIDUALS: Final = rf"{_NO_TEAMS}\bindividu(?:al|el|ale|ell)\b"
_OF_PAIRS: Final = rf"{_NO_TEAMS}\b(?:pairs|paires|paare|parejas|coppie|pary|parturnering)\b"
_SIGNS: Final = tuple(
    (tag, kind, re.compile(pattern, re.IGNORECASE))
    for tag, kind, pattern in (
        (_COMPETITION, EventKind.TEAMS, "teams"),
        (_COMPETITION, EventKind.PAIRS, "pairs|cavendish"),
        (_COMPETITION, EventKind.INDIVIDUAL, "individual"),
        (_COMPETITION, EventKind.RUBBER, "rubber|chicago|minibridge"),
        # No match of two teams is scored so (PBN 2.1 section 3.4.11).
        ("Scoring", EventKind.RUBBER, "rubber|chicago|minibridge"),
        ("Scoring", EventKind.PAIRS, rf"mp|match ?point|cavendish|instant|butler|.*(?:{CROSS_IMPS.pattern})"),
        ("ScoreTable", EventKind.PAIRS, ".*pairid"),
        ("ScoreTable", EventKind.INDIVIDUAL, ".*playerid"),
        ("TotalScoreTable", EventKind.PAIRS, ".*pairid"),
        ("TotalScoreTable", EventKind.INDIVIDUAL, ".*playerid"),
        ("Event", EventKind.INDIVIDUAL, _OF_INDIVIDUALS),
        ("Event", EventKind.PAIRS, _OF_PAIRS),
        ("Stage", EventKind.INDIVIDUAL, _OF_INDIVIDUALS),
        ("Stage", EventKind.PAIRS, _OF_PAIRS),
    )
)
"""How the value of a tag begins that gives a kind away, in the order in which they are asked. The tag Competition
(PBN 2.1 section 4.1.1) counts before rooms and teams do, the others after them."""


def is_field(read: ReadFiles) -> bool:
    """Returns whether all that is in files is of pairs."""
    events = classify_records(read.records)
    return bool(read.lists or events) and all(event.kind is EventKind.PAIRS for event in events)


def classify_records(records: Iterable[FileRecord]) -> list[EventRecords]:
    """Returns the records of files by the events they come from.

    Records that say nothing of their kind are of the kind that the others of the same event, stage, round and section
    state; where none states one, how they were played decides. Records with a room or with teams are a match of
    teams, unless their Competition says otherwise.
    """
    groups = defaultdict[Key, list[FileRecord]](list)
    for record in records:
        groups[(*record.key[:4], "", "")].append(record)
    events = [event for group in groups.values() for event in _classify(group)]
    of_teams = [record for event in events if event.kind is EventKind.TEAMS for record in event.records]
    if _are_tables_of_pairs(of_teams):
        sign = "its teams are pairs that meet in one room"
        events = [replace(event, kind=EventKind.PAIRS, sign=sign) if not event.sign else event for event in events]
    return events


def _are_tables_of_pairs(records: Sequence[FileRecord]) -> bool:
    """Returns whether records name pairs in place of teams, which meet more than one other, all in the open room."""
    met = {record.key[-2:] for record in records}
    return (
        2 * len(met) > len({name for teams in met for name in teams})
        and all(record.players == set(record.key[-2:]) for record in records)
        and all(record.source.room == Room.OPEN for record in records)
        and len({(record.board, record.deal) for record in records}) < len(records)
    )


def _classify(records: Sequence[FileRecord]) -> Iterator[EventRecords]:
    """Yields the events of records that have their event, stage, round and section in common."""
    stated = [_stated_sign(record) for record in records]
    signs = {sign[0]: sign for sign in reversed(stated) if sign is not None}
    if len(signs) == 1:
        (default,) = signs.values()
    else:
        silent = [record for record, sign in zip(records, stated, strict=True) if sign is None]
        default = _sign_of_play(silent) or (EventKind.TEAMS, "")
    parts: dict[EventKind, list[FileRecord]] = {}
    for record, sign in zip(records, stated, strict=True):
        parts.setdefault((sign or default)[0], []).append(record)
    for kind, found in parts.items():
        yield EventRecords(kind, (signs.get(kind) or default)[1], tuple(found))


def _stated_sign(record: FileRecord) -> tuple[EventKind, str] | None:
    """Returns the kind that the record states, and what states it; None if it says nothing."""
    for name, kind, pattern in _SIGNS:
        tag = record.source.tags.get(name.casefold())
        if name != _COMPETITION and (record.room is not None or record.names_teams):
            return EventKind.TEAMS, ""
        if tag is not None and pattern.match(tag.text):
            return kind, f"{name} {tag.quoted} on line {tag.line}"
    return None


def _sign_of_play(records: Sequence[FileRecord]) -> tuple[EventKind, str] | None:
    """Returns what the tables and players of records that say nothing tell; None if they may be matches of teams."""
    tables: defaultdict[tuple[str, Deal | None], list[FileRecord]] = defaultdict(list)
    for record in records:
        found = tables[record.board, record.deal]
        if not record.players or all(record.sides != other.sides for other in found):
            found.append(record)
    largest = max(tables.values(), key=len, default=[])
    matches = find_matches(records)
    if len(largest) > len(Room):
        in_files = Counter((record.file, record.board, record.deal) for record in records)
        are_too_many = len(largest) > TABLES_MAX and set(in_files.values()) != {len(Room)}
        seen = Counter(name for match in matches for name in match.players)
        is_field = are_too_many or len(largest) % 2 == 1 or max(seen.values(), default=0) > 1
        if is_field or not all(record.sides[side] for record in largest for side in Side):
            first = largest[0]
            return EventKind.PAIRS, (
                f"board {first.board[:TEXT_LENGTH_MAX] or '?'} on line {first.source.line} was played at "
                f"{len(largest)} tables, without rooms or teams"
            )
    return next((sign for match in matches if (sign := _sign_of_players(match)) is not None), None)


def _sign_of_players(match: FoundMatch) -> tuple[EventKind, str] | None:
    """Returns a sign if the players of a match do not form two teams on more than a third of its boards.

    A match of two teams may have a board or two with names in the wrong seats.
    """
    teams = TeamTracker(match.records)
    boards = [rooms for rooms in match.boards.values() if len(rooms) == len(Room)]
    for rooms in boards:
        teams.seat_board(rooms)
    if 3 * len(teams.odd) <= len(boards):
        return None
    pairs = {pair for record in match.records for pair in record.sides.values()}
    partners = Counter(name for pair in pairs for name in pair)
    change_partners = 2 * sum(number > 1 for number in partners.values()) > len(partners)
    line = teams.odd[0][Room.CLOSED].source.line
    kind = EventKind.INDIVIDUAL if change_partners else EventKind.PAIRS
    return kind, f"the players do not form two teams, as first seen on line {line}"
