"""Merges the shares of a duel into one record, as if it had been played at one moment.

It has what was called and played and what it came to, match by match, and not when: all times in it are the same. So
its bytes are the same for any number of shares, however often one of them was interrupted.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from tourney.audit.event import verify_event
from tourney.bridge import Side
from tourney.config import Durability
from tourney.contest.draw import MatchInfo
from tourney.coordinator.draw import PlanEdit, draw_event
from tourney.errors import LaunchError, StoreError
from tourney.event.file import EventFile
from tourney.lab.duel_in_process import score_matches
from tourney.lab.programs import PROGRAMS_FILE, save_document
from tourney.lab.shards import Shard
from tourney.movement.seating import IN_PROCESS, TableInfo
from tourney.plurals import count
from tourney.protocol.session.memory_table import START_MS
from tourney.protocol.session.records import BoardBegan, BoardEnded, Ruled, TableRecord
from tourney.runtime import clock
from tourney.store.control.host_settings import load_origin, save_origin
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import load_job
from tourney.store.db.backup import backup_to_file
from tourney.store.db.database import Database, file_url
from tourney.store.db.maintenance import check_file
from tourney.store.db.schema import check, prepare
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import save_draw
from tourney.store.record.rows import load_calls, load_cards
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.event_results import MatchFilter, load_sets, load_unscored
from tourney.store.rulings import load_match_rulings


class _Played(NamedTuple):
    """A share of a duel, as it is in its file."""

    shard: Shard
    path: Path
    database: Database
    event: EventInfo
    """The whole duel as drawn."""
    origin: dict[str, Any]
    """What all shares have in common: version and programs."""


def merge_shards(files: Sequence[EventFile], paths: Sequence[Path]) -> None:
    """Merge the shares of duels into the databases that their event files name.

    Args:
        files: the duels; each of the other files has a share of each.
        paths: the files of the shares.

    Raises:
        LaunchError: the shares do not fit together, or the record would be on a server.
        StoreError: a file is no share, is damaged or was changed, or a file cannot be written.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tourney-"))
        merged: list[tuple[EventFile, Database, Path, dict[str, Any]]] = []
        for file in files:
            path = Database(file.database_url).file
            if path is None:
                raise LaunchError(f"{file.path} has its record on a server: a merged one is an SQLite file")
            databases = [Database(file_url(each.resolve())) for each in paths]
            part = Database(file_url(Path(folder, f"{len(merged)}.db")))
            for database in (*databases, part):
                stack.enter_context(closing(database))
            shards = [_find_shard(file, *each) for each in zip(paths, databases, strict=True)]
            shards.sort(key=lambda played: played.shard)
            _check_shards(file, shards)
            _write(file, part, shards)
            merged.append((file, part, path, shards[0].origin))
        for file, part, path, origin in merged:
            backup_to_file(part, path)
            save_document(file.results / PROGRAMS_FILE, origin["programs"])


def _find_shard(file: EventFile, path: Path, database: Database) -> _Played:
    check(database)
    check_file(database)
    name = file.config.event.name
    event = load_event(database, name)
    origin = load_origin(database, event.id) if event is not None else None
    if event is None or origin is None:
        raise StoreError(f"{path} has no share of {name!r}, as `tourney duel --shard` writes it")
    edit = PlanEdit(file, database, event)
    if edit.is_made:
        raise LaunchError(f"{path}: {edit.misfit}")
    return _Played(Shard(*origin.pop("shard")), path, database, event, origin)


def _check_shards(file: EventFile, shards: Sequence[_Played]) -> None:
    """Check that shares in their order are all of a duel, each played out, and unchanged since."""
    first = shards[0]
    if [each.shard for each in shards] != [Shard(number + 1, first.shard.of) for number in range(first.shard.of)]:
        listed = ", ".join(f"{each.shard} in {each.path}" for each in shards)
        raise LaunchError(f"the shares of a duel are 1/N to N/N, each once, got {listed}")
    for played in shards:
        if played.origin != first.origin:
            raise LaunchError(f"{first.path} and {played.path} were played by other programs or versions of tourney")
        matches = played.shard.of_event(played.event).matches
        left = load_unscored(played.database, played.event.id).keys() & {match.number for match in matches}
        if left:
            what = f"{len(left)} of {count(len(matches), 'match', 'matches')}"
            raise LaunchError(f"{played.path}: {what} are left to play, with which the same command goes on")
        found = verify_event(played.database, played.event, matches, file.scales, clock.wall_ms()).findings
        if found:
            raise StoreError(f"{played.path} was changed after it was written: {found[0].text}")


def _write(file: EventFile, target: Database, shards: Sequence[_Played]) -> None:
    """Write the record of a duel as one that was played at one moment, match by match."""
    first = shards[0]
    sets = load_sets(first.database, MatchFilter(first.event.id))
    boards = {each.name: each.boards for each in sets.values()}
    edit = PlanEdit(file, first.database, first.event)
    drawn = draw_event(file.config, edit.boards, edit.plan)
    prepare(target)
    save_draw(target, replace(drawn, board_sets=boards, seed=str(file.config.deals.seed)), START_MS)
    event = load_event(target, first.event.name)
    assert event is not None
    save_origin(target, event.id, first.origin)
    recorder = Recorder(target, None, Durability.PROCESS)
    for place, match in enumerate(event.matches):
        source = shards[place % len(shards)]
        played = source.event.matches[place]
        for table, at in zip(match.tables, played.tables, strict=True):
            ledger = TableLedger.of_job(
                load_job(target, table.id), assign_table(target, table.id, IN_PROCESS, None, START_MS)
            )
            recorder.write([(ledger, record) for record in _records(source.database, played, at)])
    score_matches(target, event, file.scales, START_MS)


def _records(database: Database, match: MatchInfo, table: TableInfo) -> Iterator[TableRecord]:
    """Yield what a table has put on record, board by board, all at one moment."""
    job = load_job(database, table.id)
    places = {board.number: place for place, board in enumerate(job.all_boards)}
    keys = [(table.id, board, 1 + attempt) for board, last in job.board_attempts.items() for attempt in range(last)]
    with database.read() as connection:
        calls, cards = load_calls(connection, keys, as_answered=False), load_cards(connection, keys)
    begun = Counter[int]()
    for record in sorted(job.history, key=lambda record: places.get(record.board or 0, -1)):
        if isinstance(record, BoardEnded) and record.end.is_final:
            yield replace(record, result=job.finished[record.board], at_ms=START_MS)
            continue
        yield replace(record, at_ms=START_MS)
        if isinstance(record, BoardBegan):
            begun[record.board] += 1
            key = table.id, record.board, begun[record.board]
            yield from (replace(call, thinking_ms=0, at_ms=START_MS) for call in calls[key])
            yield from (replace(card, thinking_ms=0, at_ms=START_MS) for card in cards[key])
    for ruling in load_match_rulings(database, match):
        if ruling.room is table.room:
            yield Ruled(
                kind=ruling.kind,
                side=next(side for side in Side if table.team(side) == ruling.team),
                board=ruling.board,
                amount=ruling.amount,
                reason=ruling.reason,
                clause=ruling.law,
                at_ms=START_MS,
            )
