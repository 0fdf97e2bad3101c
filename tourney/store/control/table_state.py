"""The life of a table on record: waiting, assigned to a host, open, playing, and finished or failed.

Only this module writes `tables.state`, together with the host, the attempt and the reason that belong to it.
`TableStep` lists every step that a table can take. The attempt number increases whenever a table is given to a host
or taken from one; a host's writes have an effect only while its attempt is the newest.
"""

import enum
from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Text,
    bindparam,
    case,
    literal_column,
    not_,
    or_,
    select,
    update,
)

from tourney.bridge import SEATS, Seat
from tourney.errors import LeaseLost
from tourney.movement.seating import TableState
from tourney.store.changes import announce
from tourney.store.db.database import Database
from tourney.store.db.queries import Prepared, Runner, is_listed
from tourney.store.draw.tables import PORT_COLUMNS
from tourney.store.models import Match, TableRow

WITHOUT_HOST: Final = (TableState.WAITING, TableState.FAILED)
"""States of a table that has boards left and no host."""

WITH_HOST: Final = (TableState.ASSIGNED, TableState.OPEN, TableState.PLAYING)
"""States in which a table belongs to a host."""

_UNFINISHED: Final = (*WITHOUT_HOST, *WITH_HOST)


class TableStep(enum.Enum):
    """The steps of a table. The coordinator takes those up to `REOPEN`, the host reports the others.

    A step has an effect only on a table that is in one of the states `sources`. Steps that a host reports need no
    narrower ones: its attempt is the newest only while the table belongs to it.
    """

    def __init__(self, why: str, sources: tuple[TableState, ...], target: TableState) -> None:
        self.why = why
        self.sources = sources
        self.target = target

    ASSIGN = "the run gives it to a host", _UNFINISHED, TableState.ASSIGNED
    RELEASE = "a run begins, and no living host has it", _UNFINISHED, TableState.WAITING
    LOSE_HOST = "its host was declared dead", WITH_HOST, TableState.WAITING
    FORFEIT = "a ruling has decided the match, and nobody plays it", WITHOUT_HOST, TableState.FINISHED
    REOPEN = "one of its boards has to be played again", (TableState.FINISHED,), TableState.WAITING
    TAKE = "its host takes it up", (TableState.ASSIGNED,), TableState.ASSIGNED
    OPEN = "its ports are open", _UNFINISHED, TableState.OPEN
    PLAY = "a board begins", _UNFINISHED, TableState.PLAYING
    FINISH = "no board is left", _UNFINISHED, TableState.FINISHED
    FAIL = "it cannot be opened or played on", _UNFINISHED, TableState.FAILED
    STOP = "its session has ended before its boards have", _UNFINISHED, TableState.WAITING


def _may(step: TableStep) -> ColumnElement[bool]:
    return TableRow.state.in_(step.sources)


def _take_step(
    connection: Connection, step: TableStep, *where: ColumnElement[bool], now_ms: int, **values: object
) -> int:
    """Have the tables that meet the conditions take a step if they may; return how many did."""
    changed = connection.execute(
        update(TableRow).where(*where, _may(step)).values(state=step.target, changed_at_ms=now_ms, **values)
    )
    return changed.rowcount


def new_table_columns(now_ms: int) -> dict[str, object]:
    """Return the columns of a table that has just been drawn."""
    return {
        "state": TableState.WAITING,
        "reason": "",
        "host": None,
        "attempt": 0,
        "taken": False,
        "changed_at_ms": now_ms,
    }


# Steps of the coordinator


def assign_table(database: Database, table_id: int, host: str, ports: Mapping[Seat, int] | None, now_ms: int) -> int:
    """Give a table to a host, so that no other may write for it; return its attempt number.

    Args:
        database: the record.
        table_id: the table.
        host: the name of the host, or of the run that plays it in its own process.
        ports: where the host should open it if possible; None in the process of a run, which has taken it at once.
        now_ms: the time.
    """
    with database.write() as connection:
        _take_step(
            connection,
            TableStep.ASSIGN,
            TableRow.id == table_id,
            now_ms=now_ms,
            host=host,
            attempt=TableRow.attempt + 1,
            taken=ports is None,
            reason="",
            **_port_columns(ports),
        )
        announce(connection)
        return connection.scalars(select(TableRow.attempt).where(TableRow.id == table_id)).one()


def release_tables(database: Database, event_id: int, now_ms: int, *, but_of: Iterable[str] = ()) -> None:
    """When a run begins, let every unfinished table of an event wait, except those of living hosts.

    Args:
        database: the record.
        event_id: the event.
        now_ms: the time.
        but_of: the names of the living hosts.
    """
    kept = TableRow.host.in_(list(but_of)) & TableRow.state.in_(WITH_HOST)
    with database.write() as connection:
        _take_step(
            connection,
            TableStep.RELEASE,
            TableRow.match_id.in_(select(Match.id).where(Match.event_id == event_id)),
            or_(TableRow.host.is_(None), not_(kept)),
            now_ms=now_ms,
            host=None,
            # A host that had the table and is not known to be alive must not write any more.
            attempt=TableRow.attempt + case((TableRow.host.is_(None), 0), else_=1),
            taken=False,
            reason="",
        )


def take_tables_from(connection: Connection, host: str, reason: str, now_ms: int) -> list[int]:
    """Take the tables of a host declared dead; return their ids. Nothing the host writes is accepted any more."""
    # Locked one by one in the order that every transaction uses, so that no deadlock can occur.
    query = select(TableRow.id).where(TableRow.host == host, _may(TableStep.LOSE_HOST)).order_by(TableRow.id)
    table_ids = list(connection.scalars(query.with_for_update(key_share=True)))
    _take_step(
        connection,
        TableStep.LOSE_HOST,
        TableRow.host == host,
        now_ms=now_ms,
        host=None,
        attempt=TableRow.attempt + 1,
        taken=False,
        reason=reason,
        doing=None,
    )
    return table_ids


def finish_tables(database: Database, table_ids: Iterable[int], reason: str, now_ms: int) -> None:
    """Finish tables that no host has: nothing is left to play there."""
    ids = TableRow.id.in_(list(table_ids))
    with database.write() as connection:
        _take_step(connection, TableStep.FORFEIT, ids, now_ms=now_ms, reason=reason, doing=None)


def reopen_table(connection: Connection, table_id: int, now_ms: int) -> None:
    """Let a finished table wait for a host again; without effect on a table that has not finished.

    A host that plays out a board which is decided must not write for it any more.
    """
    _take_step(
        connection,
        TableStep.REOPEN,
        TableRow.id == table_id,
        now_ms=now_ms,
        host=None,
        attempt=TableRow.attempt + 1,
        reason="",
        doing=None,
    )


# Steps of its host


def waits_for(host: str | BindParameter[str]) -> ColumnElement[bool]:
    """Return the condition that a table was given to a host that has not taken it up yet."""
    return (TableRow.host == host) & _may(TableStep.TAKE) & TableRow.taken.is_(False)


def take_table(database: Database, table_id: int, host: str, now_ms: int, *, again: bool = False) -> int | None:
    """Take up a table; return its attempt number, None if it is not assigned to the host or taken up already.

    Args:
        database: the record.
        table_id: the table.
        host: the host that takes it.
        now_ms: the time.
        again: an earlier try had an unknown outcome: the host may have the table already.
    """
    is_mine = TableRow.host == host if again else waits_for(host)
    with database.write() as connection:
        if not _take_step(connection, TableStep.TAKE, TableRow.id == table_id, is_mine, now_ms=now_ms, taken=True):
            return None
        return connection.scalar(select(TableRow.attempt).where(TableRow.id == table_id))


def set_table_ports(database: Database, table_id: int, attempt: int, ports: dict[Seat, int], now_ms: int) -> None:
    """Report the ports on which a table listens; it is open from now on."""
    with database.write() as connection:
        connection.execute(
            update(TableRow).where(TableRow.id == table_id, TableRow.attempt == attempt).values(_port_columns(ports))
        )
        set_table_state(connection, table_id, attempt, TableState.OPEN, now_ms)


def _port_columns(ports: Mapping[Seat, int] | None) -> dict[str, int | None]:
    taken = ports or dict.fromkeys(SEATS)
    return {column.key: taken[seat] for seat, column in zip(SEATS, PORT_COLUMNS, strict=True)}


def _literal(state: TableState) -> ColumnElement[TableState]:
    return literal_column(f"'{state.value}'")


# Built once, as a host reports at every begin and end of a board.
_REPORTS: Final = {
    step.target: Prepared(
        update(TableRow)
        .where(
            TableRow.id == bindparam("of_table"),
            TableRow.attempt == bindparam("by_attempt"),
            TableRow.state.in_([_literal(source) for source in step.sources]),
        )
        .values(state=_literal(step.target), reason=bindparam("why"), changed_at_ms=bindparam("now_ms")),
        ("why", "now_ms", "of_table", "by_attempt"),
    )
    for step in (TableStep.OPEN, TableStep.PLAY, TableStep.FINISH, TableStep.FAIL, TableStep.STOP)
}
"""How a host reports each state."""


def set_table_state(
    runner: Runner, table_id: int, attempt: int, state: TableState, now_ms: int, reason: str = ""
) -> None:
    """Report the state of a table; without effect if it belongs to another host by now, or has finished."""
    _REPORTS[state].run(runner, (reason, now_ms, table_id, attempt))


# What a host may still write


_ATTEMPTS: Final = Prepared(
    select(TableRow.id, TableRow.attempt)
    .where(is_listed(TableRow.id, bindparam("table_ids", type_=Text())))
    .order_by(TableRow.id)
    .with_for_update(key_share=True),
    ("table_ids",),
)
"""Part of every batch that a host writes. PostgreSQL locks the rows; SQLite has only one writer anyway."""


def check_attempts(runner: Runner, attempts: Mapping[int, int]) -> None:
    """Make sure that these attempts, by table id, are the newest and remain so until the transaction ends.

    Raises:
        LeaseLost: tables have been given to another host since.
    """
    newest: dict[int, int] = dict(iter(_ATTEMPTS.run(runner, (str([*attempts]),))))
    if newest != attempts:
        lost = [table_id for table_id, attempt in attempts.items() if newest.get(table_id) != attempt]
        sentences = (f"table {i} has been given to another host, attempt {attempts[i]} at it is over" for i in lost)
        raise LeaseLost("; ".join(sentences), {i: attempts[i] for i in lost})
