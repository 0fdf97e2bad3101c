"""Checks that the record of an event is complete and unchanged: chains, calls and cards, results, scores.

Every stored value that follows from others is computed again and compared, and every row of an attempt is checked
against its hash chain. The two rooms of a match have the same boards because both play those of the match, and every
chain starts from the board as dealt. Standings are not stored: they are computed from the scores of matches, which
are checked here. Each match is read as of one moment, and what has not been played yet is no fault.

Two things cannot be checked, because nothing else says what they should be: the time at which a match finished, and
rows missing at the end of an attempt that is still in progress.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from tourney.audit.attempt import check_delays
from tourney.audit.findings import AuditFinding
from tourney.audit.match import (
    check_conditions,
    check_score,
    check_tables,
    group_attempts,
    is_extra_due,
    read_board_set,
    score_fault,
    score_match,
)
from tourney.contest.draw import MatchInfo
from tourney.errors import RuleError
from tourney.output.rows import Row
from tourney.output.units import DurabilityName
from tourney.results.scorecard import Scales
from tourney.runtime.parallel import side_by_side
from tourney.store.control.host_settings import load_durability, load_network_ms_max
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import is_round_begun
from tourney.store.record.audit import load_board_rows, load_match_rows, snapshot


class Verification(Row):
    """What checking the record of an event found."""

    event: str
    """The name of the event."""
    matches: int
    """How many matches were checked."""
    boards: int
    """How many boards were begun, each table counted separately."""
    records: int
    """How many records those boards have: attempts, calls, cards and results."""
    durability: DurabilityName | None
    """The weakest durability with which boards of the event have been recorded: full, or process, with which a power
    cut may have taken the last moments of boards in play, never a finished board; null before the first run."""
    notes: list[str]
    """Sentences on what could not be checked, and why; and on scores that extra boards are still to decide."""
    findings: list[AuditFinding]
    """What does not fit, match by match; empty when the record is sound."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A match to check."""

    match: MatchInfo
    with_boards: bool
    """Whether its boards are checked too: once for all matches that have the same."""
    may_get_extra: bool
    """Whether extra boards may still decide it."""
    network_ms: int | None
    """The most that the event has allowed for the network a call or card; None where that is not known."""


@dataclass(frozen=True, slots=True)
class _CheckedMatch:
    """What checking a match found."""

    boards: int
    records: int
    findings: list[AuditFinding]
    note: str | None


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
    network_ms = load_network_ms_max(database, event.id)
    matches = list(matches)
    notes: list[str] = []
    for stage in event.stages:
        if scales.get(stage.number) is None and any(match.stage == stage.number for match in matches):
            of = f" of {stage.name!r}" if len(event.stages) > 1 else ""
            notes.append(
                f"scores of matches{of} were not checked: the event file has no scale {stage.vp_scale!r} any more"
            )
    sets: set[int] = set()
    tasks = []
    # Only in the last round that has begun may extra boards still decide a match.
    begun = (
        each.number for each in reversed(event.all_rounds) if each.is_drawn and is_round_begun(database, each.id)
    )
    last_begun = next(begun, 0) if any(stage.extra_boards for stage in event.stages) else 0
    for match in matches:
        tasks.append(_Task(match, match.board_set_id not in sets, match.round >= last_begun, network_ms))
        sets.add(match.board_set_id)
    if jobs == 1:
        checked = list(_check_matches(database, scales, now_ms, tasks))
    else:
        work = partial(_open_and_check, database.address, scales, now_ms)
        checked = list(side_by_side(work, tasks, jobs))
    return Verification(
        event=event.name,
        matches=len(checked),
        boards=sum(each.boards for each in checked),
        records=sum(each.records for each in checked),
        durability=load_durability(database, event.id),
        notes=[*notes, *(each.note for each in checked if each.note is not None)],
        findings=[finding for each in checked for finding in each.findings],
    )


def _open_and_check(address: str, scales: Scales, now_ms: int, tasks: Iterable[_Task]) -> Iterator[_CheckedMatch]:
    with closing(Database(address)) as database:
        yield from _check_matches(database, scales, now_ms, tasks)


def _check_matches(
    database: Database, scales: Scales, now_ms: int, tasks: Iterable[_Task]
) -> Iterator[_CheckedMatch]:
    """Check each match, and its boards too where its task says so."""
    set_id, set_ = None, read_board_set(())
    for task in tasks:
        match = task.match
        with snapshot(database) as connection:
            if match.board_set_id != set_id:
                set_id, set_ = match.board_set_id, read_board_set(load_board_rows(connection, match.board_set_id))
            rows = load_match_rows(connection, match)
        note, attempts, scale = None, group_attempts(match, rows), scales.get(match.stage)
        faults = [*set_.faults] if task.with_boards else []
        faults += check_tables(match, rows, attempts, set_)
        faults += check_conditions(match, rows, attempts, set_)
        faults += check_delays(attempts, task.network_ms)
        if scale is not None:
            try:
                card = score_match(match, rows, set_, scale)
            except RuleError as error:
                faults.append(score_fault(str(error)))
            else:
                if task.may_get_extra and is_extra_due(card, rows):
                    note = f"match {match.number} is level and has no score yet: `tourney run` gives it extra boards"
                else:
                    faults += check_score(card, rows, now_ms)
        yield _CheckedMatch(
            boards=len({(attempt.table_id, attempt.board) for attempt in attempts}),
            records=len(rows.attempts) + len(rows.calls) + len(rows.cards) + len(rows.results),
            findings=[AuditFinding.of(match.number, location, fault) for location, fault in faults],
            note=note,
        )
