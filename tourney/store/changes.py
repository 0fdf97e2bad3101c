"""Whether the record has changed in what pages show and a run goes by, without reading what it holds.

Equal digests mean that two looks would find the same. Heartbeats are in none. Calls, cards and whoever sits down or
leaves make a difference to the director alone, and are in the number of batches that their host has written.
"""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from sqlalchemy import BindParameter, bindparam, case, func, select

from tourney.store.db.connections import driver_of
from tourney.store.db.database import Database
from tourney.store.db.queries import AnySelect
from tourney.store.models import (
    AlertQuestion,
    BoardAnalysis,
    BoardAttempt,
    ConsoleLogRow,
    Finalisation,
    Host,
    IncidentRow,
    Match,
    MatchResult,
    Order,
    PlayAnalysis,
    Publication,
    Round,
    RulingRow,
    StageRow,
    TableRow,
    TableState,
    Team,
)

_LOG_POSITION: Final = (
    "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END "
    "- '0/0'::pg_lsn"
)
"""How many bytes PostgreSQL has written to its log, or a copy of it has read of it."""

Digest: TypeAlias = tuple[tuple[Any, ...], ...]
"""Rows of counts, sums and reports."""

DataVersion: TypeAlias = tuple[int, int]


def load_data_version(database: Database) -> DataVersion | None:
    """Return what changes whenever anybody writes, over this connection too; None where nobody can tell.

    PostgreSQL has one for all databases of the server, SQLite for the file.
    """
    query = "PRAGMA data_version" if database.is_sqlite else _LOG_POSITION
    with database.outside() as connection:
        found = connection.exec_driver_sql(query).scalar_one()
        # SQLite's tells of the writes over other connections alone.
        own = driver_of(connection).total_changes if database.is_sqlite else 0
    return (int(found), own) if found is not None else None


def load_digest(database: Database, queries: Iterable[AnySelect], event_id: int | None = None) -> Digest:
    """Load the digest of what these queries find: `PUBLIC` in the whole database, the others in an event."""
    with database.read() as connection:
        return tuple(tuple(row) for query in queries for row in connection.execute(query, {"event": event_id}))


def _is(condition: Any) -> Any:  # an expression of SQL; sums of truth values differ between databases
    return func.sum(case((condition, 1), else_=0))


# Statements are built once: they are run several times a second.

_EVENT: Final[BindParameter[int]] = bindparam("event")

_ROUNDS: Final[AnySelect] = select(
    func.count(), func.count(Round.drawn_at_ms), func.max(Round.drawn_at_ms), func.sum(Round.starts_at_ms)
).select_from(Round)
_RULINGS: Final[AnySelect] = select(
    func.count(),
    func.count(RulingRow.withdrawn_at_ms),
    *map(func.max, (RulingRow.id, RulingRow.at_ms, RulingRow.withdrawn_at_ms)),
)

RULINGS: Final = (_RULINGS.where(RulingRow.event_id == _EVENT),)
"""Whether a ruling on an event was given, withdrawn or dropped."""

DRAW: Final[tuple[AnySelect, ...]] = (
    select(func.count(), func.sum(Match.boards)).where(Match.event_id == _EVENT),
    select(func.count(Round.drawn_at_ms), func.max(Round.drawn_at_ms))
    .join_from(Round, StageRow)
    .where(StageRow.event_id == _EVENT),
    select(func.count()).where(Team.event_id == _EVENT),
)
"""The draw of an event: new or redrawn rounds, extra boards, late teams."""

PUBLIC: Final[tuple[AnySelect, ...]] = (
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
        func.sum(MatchResult.vp_home + 3 * MatchResult.vp_away),
        func.sum(MatchResult.lost_home + 3 * MatchResult.lost_away),
    ).select_from(MatchResult),
    *(_ROUNDS, _RULINGS, select(func.count(AlertQuestion.answer))),
    *(
        select(func.count()).select_from(model)
        for model in (Finalisation, Publication, Match, IncidentRow, BoardAnalysis, PlayAnalysis)
    ),
)
"""What spectators are shown of all events: other events decide too which boards are hidden."""

CONSOLE: Final[tuple[AnySelect, ...]] = (
    select(
        func.count(), func.sum(TableRow.attempt), func.sum(TableRow.changed_at_ms), func.max(TableRow.changed_at_ms)
    )
    .select_from(TableRow)
    .join(Match)
    .where(Match.event_id == _EVENT),
    select(TableRow.id, TableRow.doing).join(Host, Host.name == TableRow.host).where(Host.event_id == _EVENT),
    select(Host.id, Host.written, Host.ended_at_ms, Host.is_draining).where(Host.event_id == _EVENT),
    _ROUNDS.join(StageRow).where(StageRow.event_id == _EVENT),
    select(func.max(ConsoleLogRow.id), func.count(ConsoleLogRow.done_at_ms)).where(ConsoleLogRow.event_id == _EVENT),
    *RULINGS,
    select(func.max(Order.id), func.count(Order.acted_at_ms)),
    select(func.count(), func.count(AlertQuestion.answer)).select_from(AlertQuestion),
)
"""What the console shows of an event."""
