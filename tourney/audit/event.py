"""Whether a record is whole: chains, calls and cards, results, scores, each worked out anew from what it is made of.

Every value that is stored although it follows from others is held against them, every row of an attempt against its
chain. The two rooms of a match have the same boards because both have those of the match, and every chain starts from
the board as it was dealt. Standings are not stored: they are made of the scores of matches, which are checked here.
Each match is read as it was at one moment, and what it has not come to yet is no fault.

Not covered, because nothing else says what they ought to be: when a match was over, and whatever an attempt that is
under way has lost at its end.

Shapes (`N` a whole number, `|` null where it does not apply):

verification_document
    {"event", "matches": N, "boards": N, "records": N, "unchained": N, "notes": [text],
     "findings": [{"match": N, "room": "open" | "closed" | null, "board": N | null, "attempt": N | null,
                   "record": "board" | "attempt" | "call" | "card" | "result" | "ruling" | "score",
                   "number": N | null, "text"}]}
    `boards` counts boards at tables, `records` their rows: attempts, calls, cards and results. `unchained` counts
    attempts that an older version began, whose rows have no hashes. `number` counts calls and cards from 1. `text` is
    the whole sentence.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from tourney.audit.chain import is_chained
from tourney.audit.faults import Fault, RowKind
from tourney.audit.match import (
    BoardSetRows,
    Place,
    attempts_of,
    check_score,
    check_tables,
    read_board_set,
)
from tourney.launch.parallel import side_by_side
from tourney.movement.seating import Room
from tourney.report.report import Document
from tourney.results.scorecard import Scales
from tourney.scoring.victory_points import VpScale
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.record.audit import MatchRows, load_board_rows, load_match_rows, snapshot


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit. `number` counts calls and cards from 1."""

    match: int
    room: Room | None
    board: int | None
    attempt: int | None
    record: RowKind
    number: int | None
    text: str
    """One sentence that names the row and says what is wrong with it."""


@dataclass(slots=True)
class Verification:
    """What checking an event has brought."""

    event: str
    matches: int = 0
    boards: int = 0
    """Boards that were begun, at each table counted by itself."""
    records: int = 0
    """Rows of attempts, calls, cards and results."""
    unchained: int = 0
    """Attempts whose rows have no hashes: begun by an older version."""
    notes: list[str] = field(default_factory=list)
    """What could not be checked, and why."""
    findings: list[Finding] = field(default_factory=list)

    def add(self, more: "Verification") -> None:
        """Count in what checking more of the event has brought."""
        self.matches += more.matches
        self.boards += more.boards
        self.records += more.records
        self.unchained += more.unchained
        self.findings += more.findings


def verify_event(
    database: Database, event: EventInfo, matches: Iterable[MatchInfo], scales: Scales, now_ms: int, jobs: int = 1
) -> Verification:
    """Check what is on record of matches, one in memory at a time.

    Args:
        database: where the record is.
        event: the event of the matches.
        matches: those to be checked.
        scales: what margins are worth; where it is not known, scores of matches are not checked.
        now_ms: milliseconds since 1970 UTC.
        jobs: how many processes share the work.

    Raises:
        StoreError: the database cannot be used.
        LaunchError: a process that shares the work has died.
    """
    outcome = Verification(event.name)
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
    """What checking each match has brought, and with those of which it is said checking the boards they play."""
    set_id, set_ = None, read_board_set(())
    for match, with_boards in tasks:
        outcome = Verification(event)
        with snapshot(database) as connection:
            if match.board_set_id != set_id:
                set_id, set_ = match.board_set_id, read_board_set(load_board_rows(connection, match.board_set_id))
            rows = load_match_rows(connection, match)
        if with_boards:
            _add(outcome, match, set_.faults)
        _check(outcome, match, rows, set_, scales.get(match.stage), now_ms)
        yield outcome


def _check(
    outcome: Verification,
    match: MatchInfo,
    rows: MatchRows,
    set_: BoardSetRows,
    scale: VpScale | None,
    now_ms: int,
) -> None:
    attempts = attempts_of(rows)
    outcome.matches += 1
    outcome.boards += len({(attempt.key.table_id, attempt.key.board) for attempt in attempts})
    outcome.records += len(rows.attempts) + len(rows.calls) + len(rows.cards) + len(rows.results)
    # One without calls and cards had none when it was begun, by whatever version.
    outcome.unchained += sum(bool(attempt.calls) and not is_chained(attempt) for attempt in attempts)
    _add(outcome, match, check_tables(match, rows, attempts, set_))
    if scale is not None:
        _add(outcome, match, check_score(outcome.event, match, rows, set_, scale, now_ms))


def _add(outcome: Verification, match: MatchInfo, faults: Iterable[tuple[Place, Fault]]) -> None:
    outcome.findings += [
        Finding(
            match.number,
            place.room,
            place.board,
            place.attempt,
            fault.kind,
            fault.number,
            f"{_name(match, place, fault)}: {fault.words}",
        )
        for place, fault in faults
    ]


def _name(match: MatchInfo, place: Place, fault: Fault) -> str:
    """`match 3, open room, board 5, attempt 1, card 17 (West's 7D)`."""
    words = [f"match {match.number}"]
    words += [f"{place.room.value} room"] if place.room is not None else []
    words += [f"board {place.board}"] if place.board is not None else []
    words += [f"attempt {place.attempt}"] if place.attempt is not None else []
    if fault.kind in (RowKind.CALL, RowKind.CARD):
        number = f" {fault.number}" if fault.number is not None else ""
        words.append(f"{fault.kind.value}{number} ({fault.detail})")
    elif fault.kind in (RowKind.RESULT, RowKind.RULING, RowKind.SCORE):
        words.append(fault.kind.value)
    return ", ".join(words)


def verification_document(outcome: Verification) -> Document:
    return {
        "event": outcome.event,
        "matches": outcome.matches,
        "boards": outcome.boards,
        "records": outcome.records,
        "unchained": outcome.unchained,
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
