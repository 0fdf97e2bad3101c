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

_LOG_POSITION: Final = (
    "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END "
    "- '0/0'::pg_lsn"
)
"""How many bytes PostgreSQL has written to its log, or a copy of it has read of it."""

ChangeDigest: TypeAlias = tuple[Any, ...]
"""Counts and sums; two looks at the record with equal ones would show the same."""


DataVersion: TypeAlias = tuple[int, int]


def load_data_version(database: Database) -> DataVersion | None:
    """Return what changes whenever anybody writes, over this connection too; None where nobody can tell.

    PostgreSQL has one for all databases of the server, SQLite for the file.

    Raises:
        StoreError: the database cannot be used.
    """
    query = "PRAGMA data_version" if database.is_sqlite else _LOG_POSITION
    with database.outside() as connection:
        found = connection.exec_driver_sql(query).scalar_one()
        # SQLite's tells of the writes over other connections alone.
        own = driver_of(connection).total_changes if database.is_sqlite else 0
    return (int(found), own) if found is not None else None


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
