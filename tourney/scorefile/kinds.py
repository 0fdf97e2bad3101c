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
from tourney.formats.unchecked import TEXT_LENGTH_MAX, SourceText
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

_COMPETITIONS: Final = {
    "teams": EventKind.TEAMS,
    "pairs": EventKind.PAIRS,
    "individual": EventKind.INDIVIDUAL,
    "rubber": EventKind.RUBBER,
    "chicago": EventKind.RUBBER,
    "minibridge": EventKind.RUBBER,
    "cavendish": EventKind.PAIRS,
}
"""Kinds by the Competition tag (PBN 2.1 section 4.1.1)."""

_SCORINGS: Final = {
    **dict.fromkeys(("mp", "matchpoint", "match point", "cavendish", "instant", "butler"), EventKind.PAIRS),
    **dict.fromkeys(("rubber", "chicago", "minibridge"), EventKind.RUBBER),
}
"""Kinds by the beginning of the Scoring tag; no match of two teams is scored so (PBN 2.1 section 3.4.11)."""

CROSS_IMPS: Final = re.compile(r"cross|x-?imps?", re.IGNORECASE)
"""IMPs against every other table, as in `IMP;Cross`."""

_TITLES: Final = (
    (EventKind.INDIVIDUAL, re.compile(r"\bindividu(?:al|el|ale|ell)\b", re.IGNORECASE)),
    (EventKind.PAIRS, re.compile(r"\b(?:pairs|paires|paare|parejas|coppie|pary|parturnering)\b", re.IGNORECASE)),
)
_TEAMS_TITLE: Final = re.compile(r"\b(?:teams?|match|squadre|mannschaft|equipes?)\b", re.IGNORECASE)

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
    tags = record.game.source.tags
    competition = tags.get("competition")
    if competition is not None:
        kind = next((k for word, k in _COMPETITIONS.items() if competition.text.casefold().startswith(word)), None)
        if kind is not None:
            return _tag_sign(kind, "Competition", competition)
    if record.room is not None or record.names_teams:
        return _TEAMS
    return _scoring_sign(tags) or _table_sign(tags) or _title_sign(tags)


def _scoring_sign(tags: Mapping[str, SourceText]) -> KindSign | None:
    scoring = tags.get("scoring")
    if scoring is None:
        return None
    text = scoring.text.casefold()
    kind = next((kind for word, kind in _SCORINGS.items() if text.startswith(word)), None)
    if kind is None and CROSS_IMPS.search(text) is not None:
        kind = EventKind.PAIRS
    return _tag_sign(kind, "Scoring", scoring) if kind is not None else None


def _table_sign(tags: Mapping[str, SourceText]) -> KindSign | None:
    """Returns what the columns of a table of scores tell (PBN 2.1 sections 5.9 and 5.10)."""
    for name in ("ScoreTable", "TotalScoreTable"):
        table = tags.get(name.casefold())
        if table is None:
            continue
        columns = table.text.casefold()
        if "pairid" in columns:
            return KindSign(EventKind.PAIRS, f"the {name} on line {table.line} has pairs")
        if "playerid" in columns:
            return KindSign(EventKind.INDIVIDUAL, f"the {name} on line {table.line} has players")
    return None


def _title_sign(tags: Mapping[str, SourceText]) -> KindSign | None:
    for name in ("Event", "Stage"):
        title = tags.get(name.casefold())
        if title is None or _TEAMS_TITLE.search(title.text) is not None:
            continue
        for kind, words in _TITLES:
            if words.search(title.text) is not None:
                return _tag_sign(kind, name, title)
    return None


def _tag_sign(kind: EventKind, name: str, tag: SourceText) -> KindSign:
    return KindSign(kind, f"{name} {tag.quoted} on line {tag.line}")


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
