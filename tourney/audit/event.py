"""Checks that the record of an event is complete and unchanged: chains, calls and cards, results, scores.

Every stored value that follows from others is computed again and compared, and every row of an attempt is checked
against its hash chain. The two rooms of a match have the same boards because both play those of the match, and every
chain starts from the board as dealt. Standings are not stored: they are computed from the scores of matches, which
are checked here. Each match is read as of one moment, and what has not been played yet is no fault.

Two things cannot be checked, because nothing else says what they should be: the time at which a match finished, and
rows missing at the end of an attempt that is still in progress.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Final, TypeAlias

from typing_extensions import TypedDict

from tourney.audit.chain import is_chained
from tourney.audit.findings import AuditFinding, Fault, Location, RowKind
from tourney.audit.match import (
    BoardSetRows,
    check_conditions,
    check_score,
    check_tables,
    group_attempts,
    read_board_set,
)
from tourney.config import Durability
from tourney.output.rows import Unit
from tourney.output.tables import CsvTable
from tourney.output.units import DurabilityName, RoomName
from tourney.results.scorecard import Scales
from tourney.runtime.parallel import side_by_side
from tourney.scoring.victory_points import VpScale
from tourney.store.control.host_settings import load_durability
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.record.audit import (
    MatchRows,
    count_rows,
    load_board_rows,
    load_match_rows,
    snapshot,
)
from tourney.store.record.rows import AttemptKey, Columns

RecordName: TypeAlias = Annotated[str, Unit(enum=[kind.value for kind in RowKind])]


class FindingDocument(TypedDict):
    """Something on record that does not fit."""

    match: int
    """The number of the match."""
    room: RoomName | None
    """The room; null where the finding is about the whole match or about a board as dealt."""
    board: int | None
    """The number of the board; null where the finding is about the whole match."""
    attempt: int | None
    """The number of the attempt at the board, from 1; null where the finding is about no single attempt."""
    record: RecordName
    """The kind of record that does not fit."""
    number: int | None
    """Which call or card of the attempt it is, from 1; null for other records."""
    text: str
    """One sentence that names the record and says what is wrong with it."""


class VerificationDocument(TypedDict):
    """What checking the record of an event found."""

    event: str
    """The name of the event."""
    matches: int
    """How many matches were checked."""
    boards: int
    """How many boards were begun, each table counted separately."""
    records: int
    """How many records those boards have: attempts, calls, cards and results."""
    unchained: int
    """How many attempts were begun by an older version, whose records have no hashes."""
    durability: DurabilityName | None
    """The weakest durability with which boards of the event have been recorded: full, or process, with which a power
    cut may have taken the last moments of boards in play, never a finished board; null before the first run."""
    notes: list[str]
    """Sentences on what could not be checked, and why."""
    findings: list[FindingDocument]
    """What does not fit, match by match; empty when the record is sound."""


@dataclass(slots=True)
class Verification:
    """What checking matches of an event found."""

    event: str
    matches: int = 0
    boards: int = 0
    """Boards that were begun, each table counted separately."""
    records: int = 0
    """Rows of attempts, calls, cards and results."""
    unchained: int = 0
    """Attempts whose rows have no hashes: begun by an older version."""
    durability: Durability | None = None
    """The weakest durability with which boards of the event have been recorded; None before the first run."""
    notes: list[str] = field(default_factory=list)
    """What could not be checked, and why."""
    findings: list[AuditFinding] = field(default_factory=list)

    def add(self, more: "Verification") -> None:
        """Add what checking more of the event found."""
        self.matches += more.matches
        self.boards += more.boards
        self.records += more.records
        self.unchained += more.unchained
        self.findings += more.findings


def verify_event(
    database: Database, event: EventInfo, matches: Iterable[MatchInfo], scales: Scales, now_ms: int, jobs: int = 1
) -> Verification:
    """Check the record of matches, with one of them in memory at a time.

    Args:
        database: where the record is.
        event: the event of the matches.
        matches: the matches to check.
        scales: victory point scales by stage; where one is None, scores of its matches are not checked.
        now_ms: milliseconds since 1970 UTC.
        jobs: the number of processes that share the work.

    Raises:
        StoreError: the database cannot be used.
        LaunchError: one of those processes has died.
    """
    outcome = Verification(event.name)
    durability = load_durability(database, event.id)
    outcome.durability = durability.weakest if durability is not None else None
    matches = list(matches)
    for stage in event.stages:
        if scales.get(stage.number) is None and any(match.stage == stage.number for match in matches):
            of = f" of {stage.name!r}" if len(event.stages) > 1 else ""
            outcome.notes.append(
                f"scores of matches{of} were not checked: the event file has no scale {stage.vp_scale!r} any more"
            )
    sets: set[int] = set()
    tasks = []
    for match in matches:
        tasks.append((match, match.board_set_id not in sets))
        sets.add(match.board_set_id)
    if jobs == 1:
        checked = _check_matches(database, event.name, scales, now_ms, tasks)
    else:
        work = partial(_open_and_check, database.address, event.name, scales, now_ms)
        checked = side_by_side(work, tasks, jobs)
    for more in checked:
        outcome.add(more)
    return outcome


def _open_and_check(
    address: str, event: str, scales: Scales, now_ms: int, tasks: Iterable[tuple[MatchInfo, bool]]
) -> Iterator[Verification]:
    with closing(Database(address)) as database:
        yield from _check_matches(database, event, scales, now_ms, tasks)


def _check_matches(
    database: Database, event: str, scales: Scales, now_ms: int, tasks: Iterable[tuple[MatchInfo, bool]]
) -> Iterator[Verification]:
    """Check each match, and its boards too where its task says so."""
    set_id, set_ = None, read_board_set(())
    for match, with_boards in tasks:
        outcome = Verification(event)
        with snapshot(database) as connection:
            if match.board_set_id != set_id:
                set_id, set_ = match.board_set_id, read_board_set(load_board_rows(connection, match.board_set_id))
            rows = load_match_rows(connection, match)
        if with_boards:
            _add(outcome, match, set_.faults)
        _check_match(outcome, match, rows, set_, scales.get(match.stage), now_ms)
        yield outcome


def _check_match(
    outcome: Verification,
    match: MatchInfo,
    rows: MatchRows,
    set_: BoardSetRows,
    scale: VpScale | None,
    now_ms: int,
) -> None:
    attempts = group_attempts(rows)
    outcome.matches += 1
    outcome.boards += len({(attempt.key.table_id, attempt.key.board) for attempt in attempts})
    outcome.records += len(rows.attempts) + _count(rows.calls) + _count(rows.cards) + len(rows.results)
    # An attempt without calls has no hash yet, whichever version began it.
    outcome.unchained += sum(bool(attempt.calls) and not is_chained(attempt) for attempt in attempts)
    _add(outcome, match, check_tables(match, rows, attempts, set_))
    _add(outcome, match, check_conditions(match, rows, attempts, set_))
    if scale is not None:
        _add(outcome, match, check_score(outcome.event, match, rows, set_, scale, now_ms))


def _count(attempts: Mapping[AttemptKey, Columns]) -> int:
    return sum(map(count_rows, attempts.values()))


def _add(outcome: Verification, match: MatchInfo, faults: Iterable[tuple[Location, Fault]]) -> None:
    outcome.findings += [AuditFinding.of(match.number, location, fault) for location, fault in faults]


def verification_document(outcome: Verification) -> VerificationDocument:
    """Make the JSON document of `tourney verify`."""
    return {
        "event": outcome.event,
        "matches": outcome.matches,
        "boards": outcome.boards,
        "records": outcome.records,
        "unchained": outcome.unchained,
        "durability": outcome.durability.value if outcome.durability is not None else None,
        "notes": outcome.notes,
        "findings": [
            {
                "match": finding.match,
                "room": finding.room.value if finding.room is not None else None,
                "board": finding.board,
                "attempt": finding.attempt,
                "record": finding.record.value,
                "number": finding.number,
                "text": finding.text,
            }
            for finding in outcome.findings
        ],
    }


FINDING_COLUMNS: Final = ("match", "room", "board", "attempt", "record", "number", "text")


def verification_csv(outcome: Verification) -> CsvTable:
    """Return a row per finding, without the notes; a record that is sound has none."""
    return CsvTable(FINDING_COLUMNS, verification_document(outcome)["findings"])
