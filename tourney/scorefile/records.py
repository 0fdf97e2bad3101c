"""Reads files: records of boards in PBN and LIN, as they belong together, and lists of results of pairs."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from tourney.bridge import DECK, SEATS, Deal
from tourney.bridge.score import Laws
from tourney.errors import FormatError
from tourney.formats.file_kinds import GAME_KINDS, FileKind, iter_records, read_text, recognise
from tourney.formats.unchecked import SourceFinding, UncheckedGame
from tourney.movement.seating import Room
from tourney.plurals import count
from tourney.scorefile.checking import FileRecord, Key, check_game, was_played

RECORDS_MAX: Final = 20_000
"""Maximum number of board records in a file; it bounds the running time, and is far above what any event has."""


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """What is in files. Findings are on their text as such."""

    name: str
    """What sentences call the file, or all of them."""
    games: tuple[UncheckedGame, ...]
    """Everything in PBN and LIN."""
    records: tuple[FileRecord, ...]
    """Those boards of it that were played."""
    lists: tuple[tuple[str, str], ...]
    """The files of CSV with their texts."""
    findings: tuple[SourceFinding, ...]
    laws: Laws
    """Those that boards are scored by."""


def read_files(files: Sequence[tuple[str, bytes]], laws: Laws = Laws.CURRENT) -> ReadFiles:
    """Reads PBN or LIN files, or CSV of pairs.

    Args:
        files: each file's name, as shown in messages, and its contents.
        laws: those that boards are scored by.

    Raises:
        FormatError: one is another kind of file, or has more records than are read.
    """
    findings: list[SourceFinding] = []
    games: list[UncheckedGame] = []
    records: list[FileRecord] = []
    lists = []
    for name, data in files:
        text = read_text(data, name, *GAME_KINDS, FileKind.PAIRS_CSV)
        if recognise(data) is FileKind.PAIRS_CSV:
            lists.append((name, text))
            continue
        own = list(iter_records(text, name, findings))
        played = list(islice(filter(was_played, own), RECORDS_MAX + 1))
        if len(played) > RECORDS_MAX:
            where = f"{name} line {played[-1].line}"
            raise FormatError(
                f"{where}: a file has more than {RECORDS_MAX} records of boards, the most that are read"
            )
        games += own
        records += (check_game(game, laws) for game in played)
    where = files[0][0] if len(files) == 1 else count(len(files), "file")
    return ReadFiles(where, tuple(games), tuple(_relate_records(records)), tuple(lists), tuple(findings), laws)


def _relate_records(records: Sequence[FileRecord]) -> list[FileRecord]:
    """Return the records of files as they belong together.

    Records with one deal are of one board, as programs number what they save in their own way. The deal may have been
    turned by some seats, to be played again at the only table: then the record is turned back. A room says nothing
    where all tables that played a board say the same one.
    """
    tables = Counter(record.deal for record in records)
    firsts: dict[Deal, FileRecord] = {}
    for record in sorted(records, key=lambda record: not any(record.key)):
        if record.deal is not None:
            firsts.setdefault(_upright(record.deal)[0], record)
    events = defaultdict[Key, list[FileRecord]](list)
    related = [_relate(record, firsts, tables) for record in records]
    for record in related:
        events[record.key].append(record)
    silent = {
        key
        for key, own in events.items()
        if len({record.room for record in own}) == 1
        and len({(record.board, *record.sides.values()) for record in own}) > len({record.board for record in own})
    }
    return [replace(record, says_room=False) if record.key in silent else record for record in related]


def _relate(record: FileRecord, firsts: Mapping[Deal, FileRecord], tables: Mapping[Deal | None, int]) -> FileRecord:
    deal = record.deal
    if deal is None:
        return record
    upright, turned = _upright(deal)
    first = firsts[upright]
    first_deal = first.deal
    if first is record or first_deal is None:
        return record
    seats = (turned - _upright(first_deal)[1]) % len(SEATS)
    is_replay = seats > 0 and tables[deal] + tables[first_deal] <= len(Room)
    if record.board != first.board and not is_replay and "counter" not in record.source.tags:
        return record
    return replace(record.turned_back(seats, first_deal) if seats else record, first=first)


def _upright(deal: Deal) -> tuple[Deal, int]:
    """Return a deal turned so that North has the first card of the deck, and how many seats away that card was."""
    seats = next(seat for seat in SEATS if DECK[0] in deal[seat].cards)
    return Deal(deal.hands[seats:] + deal.hands[:seats]), int(seats)
