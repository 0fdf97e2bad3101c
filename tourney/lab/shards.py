"""Shares of a duel that are played apart, on any machines, each into a file of its own; and one record made of them.

A share is every so many-th match: all boards of a deal, in both rooms, are in one. The merged record has what was
called and played and what it came to, match by match, and not when: all times in it are the same. So its bytes are
the same for any number of shares, however often one of them was interrupted.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from tourney import __version__
from tourney.audit.event import verify_event
from tourney.bridge import Side
from tourney.config import Durability
from tourney.config.stages import MATCHES_MAX, StageConfig
from tourney.contest.draw import MatchInfo
from tourney.coordinator.draw import PlanEdit, draw_event
from tourney.errors import LaunchError, StoreError, UsageError
from tourney.event.file import EventFile
from tourney.lab.duel_in_process import score_matches
from tourney.lab.programs import PROGRAMS_FILE, noted_programs, save_document
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


class Shard(NamedTuple):
    """A share of a duel: its matches from one on, every so many-th."""

    number: int = 1
    of: int = 1
    suffix: str = ""
    """The end of the names of its files; none of all of a duel, whose files have the usual names."""

    @classmethod
    def parse(cls, text: str | None) -> "Shard":
        """Parse `2/4`; without a text it is all of a duel.

        Raises:
            UsageError: there is no such share.
        """
        if text is None:
            return WHOLE
        found = re.fullmatch(r"([1-9]\d?)/([1-9]\d?)", text, re.ASCII)
        shard = cls(int(found[1]), int(found[2]), f"-{found[1]}-of-{found[2]}") if found is not None else cls(0, 0)
        if not 1 <= shard.number <= shard.of <= MATCHES_MAX:
            raise UsageError(f"--shard: a share is 1/N to N/N, such as 2/4, N at most {MATCHES_MAX}, got {text!r}")
        return shard

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def check_share(self, matches: int) -> None:
        """Check that a duel has matches for each share.

        Raises:
            UsageError: it has not.
        """
        if self.of > matches:
            raise UsageError(
                f"--shard: the boards are divided into {count(matches, 'match', 'matches')}, so there are at most as "
                f"many shares, got {self}; --concurrency makes another number of matches"
            )

    def of_event(self, event: EventInfo) -> EventInfo:
        """Return the event with the matches of the share alone, whose deals nobody has to play any more elsewhere."""
        (stage,) = event.stages
        (round_,) = stage.rounds
        matches = round_.matches[self.number - 1 :: self.of]
        whole = event.seen_whole() if self.suffix else event
        return replace(whole, stages=(replace(stage, rounds=(replace(round_, matches=matches),)),))

    def of_stage(self, stage: StageConfig) -> StageConfig:
        """Return the stage with as many matches as the share has."""
        return stage.model_copy(update={"matches": len(range(self.number - 1, stage.matches, self.of))})

    def of_file(self, file: EventFile, stem: str) -> EventFile:
        """Return the event file with the record of the share, in a file beside it whose name begins with a stem."""
        if not self.suffix:
            return file
        place = {
            "results": f"{file.place.names.results_folder}{self.suffix}",
            "database": f"sqlite:///{stem}{self.suffix}.db",
        }
        return replace(
            file, config=file.config.model_copy(update={"event": file.config.event.model_copy(update=place)})
        )

    def note_origin(self, file: EventFile, database: Database, event: EventInfo) -> None:
        """Put on record which share is played, by which version and programs, unless that is on record.

        Raises:
            LaunchError: it was begun by another version.
        """
        origin = {"shard": [self.number, self.of], "version": __version__, "programs": noted_programs(file.results)}
        found = load_origin(database, event.id)
        if found is None:
            save_origin(database, event.id, origin)
        elif found != origin:
            raise LaunchError(
                f"{database.file} was begun by another version or other programs: tourney {found['version']}"
            )


WHOLE: Final = Shard()
"""A duel that is not divided."""


# Merging


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
    boards = {each.name: each.boards for each in load_sets(first.database, MatchFilter(first.event.id)).values()}
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
    score_matches(target, event, file.scales)


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
