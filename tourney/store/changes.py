"""Whether the record has changed in what hosts and runs go by and pages show, without reading what it holds.

Whoever waits for a change asks a `ChangeWatch` several times a second, which costs a few microseconds while nobody
has written. On a server, what is for a host (a table, an order) is announced besides: most that is written there is
of hosts.

Equal digests mean that two looks would find the same. Heartbeats are in none. Calls, cards and whoever sits down or
leaves make a difference to the director alone, and are in the number of batches that their host has written.
"""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any, Final, TypeAlias, TypeVar, cast

from sqlalchemy import BindParameter, Connection, bindparam, case, func, select

from tourney.errors import StoreError
from tourney.movement.seating import TableState
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
    Team,
)

_LOG_POSITION: Final = (
    "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END "
    "- '0/0'::pg_lsn"
)
"""How many bytes PostgreSQL has written to its log, or a copy of it has read of it."""

_CHANNEL: Final = "tourney"

_Result = TypeVar("_Result")

Digest: TypeAlias = tuple[AnySelect, ...]
"""Queries for counts, sums and reports."""


class ChangeWatch:
    """Tells whether the record has changed since it was asked last."""

    def __init__(self, database: Database, digest: Digest = (), event_id: int | None = None) -> None:
        """Prepare to look.

        Args:
            database: the record.
            digest: finds what matters: `PUBLIC` in the whole database, the others in an event. By default that is
                anything in a file, and on a server what is announced.
            event_id: the event.
        """
        self._database = database
        self._digest = digest
        self._event_id = event_id
        self._mark: object = None
        """What the record was marked with at the last look; None before the first."""
        self._found: list[tuple[Any, ...]] | None = None
        self._loaded: object = None
        self._listening = ExitStack()
        self._listener: Connection | None = None
        """The connection over which a server says that something was announced."""

    def has_changed(self) -> bool:
        """Return whether there may be a change; there is at the first call.

        Raises:
            StoreError: the database cannot be used.
        """
        if not self._digest and not self._database.is_sqlite:
            return self._has_heard()
        with self._database.outside() as connection:
            mark: object = self._database.mark(connection)
            if not self._database.is_sqlite:  # it has one for all its databases
                mark = connection.exec_driver_sql(_LOG_POSITION).scalar_one()
        if mark is not None and mark == self._mark:
            return False
        found = None
        if self._digest:
            with self._database.read() as connection:
                values = {"event": self._event_id}
                found = [tuple(row) for query in self._digest for row in connection.execute(query, values)]
        is_same = found is not None and found == self._found
        self._mark, self._found = mark, found
        return not is_same

    def _has_heard(self) -> bool:
        if self._listener is None:
            self._listener = self._listening.enter_context(self._database.outside())
            self._listener.exec_driver_sql(f"LISTEN {_CHANNEL}")
            return True
        try:
            driver: Any = self._listener.connection.dbapi_connection
            return bool(list(driver.notifies(timeout=0)))
        except Exception:  # noqa: BLE001 # of a driver that need not be there; the next look says it in a sentence
            self.close()
            return True

    def latest(self, load: Callable[[], _Result]) -> _Result:
        """Return what `load` returns, which is called again only when there may be a change.

        Raises:
            StoreError: the database cannot be used.
        """
        if self.has_changed():
            self._loaded = None
        if self._loaded is None:
            self._loaded = load()
        return cast(_Result, self._loaded)

    def close(self) -> None:
        """Listen no more."""
        self._listener = None
        with suppress(StoreError):
            self._listening.close()


def announce(connection: Connection) -> None:
    """Tell the hosts, once a transaction is on record, that there is something for them."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"NOTIFY {_CHANNEL}")


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

CONDUCT: Final[Digest] = (RULINGS[0].add_columns(select(func.max(IncidentRow.id)).scalar_subquery()),)
"""Whether a ruling on an event has changed, or anything has happened at a table, of whatever event."""

DRAW: Final[Digest] = (
    select(func.count(), func.sum(Match.boards)).where(Match.event_id == _EVENT),
    select(func.count(Round.drawn_at_ms), func.max(Round.drawn_at_ms))
    .join_from(Round, StageRow)
    .where(StageRow.event_id == _EVENT),
    select(func.count()).where(Team.event_id == _EVENT),
)
"""The draw of an event: new or redrawn rounds, extra boards, late teams."""

PUBLIC: Final[Digest] = (
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

CONSOLE: Final[Digest] = (
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
