"""Whether the record has changed in what is shown to spectators, without reading what it holds.

Hosts write several times a second that they are alive, and every call and card; neither makes a difference here.
"""

from typing import Any, Final, TypeAlias

from sqlalchemy import case, func, select

from tourney.store.db.database import Database, driver_of
from tourney.store.models import (
    AlertQuestion,
    BoardAnalysis,
    BoardAttempt,
    Finalisation,
    IncidentRow,
    Match,
    MatchResult,
    PlayAnalysis,
    Publication,
    Round,
    RulingRow,
    TableRow,
    TableState,
)

ChangeDigest: TypeAlias = tuple[Any, ...]
"""Counts and sums; two looks at the record with equal ones would show the same."""

DataVersion: TypeAlias = tuple[int, int]


def load_data_version(database: Database) -> DataVersion | None:
    """Return what changes whenever anybody writes to an SQLite file, over this connection too; None of PostgreSQL.

    Raises:
        StoreError: the database cannot be used.
    """
    if not database.is_sqlite:
        return None
    with database.outside() as connection:
        version = int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())  # tells of others' writes alone
        return version, driver_of(connection).total_changes


def load_change_digest(database: Database) -> ChangeDigest:
    """Load the digest of all events of the database: other events decide too which boards are hidden.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.read() as connection:
        return tuple(value for query in _QUERIES for value in connection.execute(query).one())


# Statements are built once: they are run twice a second.


def _is(condition: Any) -> Any:  # an expression of SQL; sums of truth values differ between databases
    return func.sum(case((condition, 1), else_=0))


_QUERIES: Final = (
    select(func.count(), _is(BoardAttempt.final), func.count(BoardAttempt.ended)).select_from(BoardAttempt),
    select(
        func.count(),
        func.sum(TableRow.attempt),
        _is(TableRow.state == TableState.PLAYING),
        _is(TableRow.state == TableState.FINISHED),
    ).select_from(TableRow),
    select(
        func.count(),
        func.sum(MatchResult.boards),
        func.sum(MatchResult.imps_home + 3 * MatchResult.imps_away),
        func.sum(MatchResult.vp_home_hundredths + 3 * MatchResult.vp_away_hundredths),
        func.sum(MatchResult.lost_home + 3 * MatchResult.lost_away),
    ).select_from(MatchResult),
    select(func.count(), func.count(RulingRow.withdrawn_at_ms)).select_from(RulingRow),
    select(func.count()).select_from(Finalisation),
    select(func.count()).select_from(Publication),
    select(
        func.count(), func.count(Round.drawn_at_ms), func.max(Round.drawn_at_ms), func.sum(Round.starts_at_ms)
    ).select_from(Round),
    select(func.count()).select_from(Match),
    select(func.count()).select_from(IncidentRow),
    select(func.count(AlertQuestion.answer)).select_from(AlertQuestion),
    select(func.count()).select_from(BoardAnalysis),
    select(func.count()).select_from(PlayAnalysis),
)
