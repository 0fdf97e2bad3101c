"""Tables as hosts and the coordinator handle them: given out, taken, opened, played, over."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    not_,
    select,
    update,
)

from tourney.bridge import SEATS, Seat, Side
from tourney.errors import LeaseLost, StoreError
from tourney.movement.seating import Room
from tourney.store.control.host_objects import TableJob
from tourney.store.db.database import Database
from tourney.store.db.prepared import Prepared, is_sqlite
from tourney.store.draw.board_sets import load_boards
from tourney.store.draw.event_info import PORT_COLUMNS, TABLE_COLUMNS, table_info, team_info
from tourney.store.draw.objects import TableInfo, TableProgress
from tourney.store.models import (
    BoardAttempt,
    Match,
    ResultRow,
    TableRow,
    TableState,
    Team,
)
from tourney.store.record.in_progress import leave_one_under_way, load_under_way

_GOING_ON: Final = (TableState.ASSIGNED, TableState.OPEN, TableState.PLAYING)
"""States in which a table is its host's."""

_IDS_MAX: Final = 10_000
"""Of one statement: SQLite takes 32,766 values, PostgreSQL 65,535; an event of 256 teams has 65,280 tables."""

# Built once: they are part of every batch that a host writes.
_ATTEMPTS: Final = (
    select(TableRow.id, TableRow.attempt)
    .where(TableRow.id.in_(bindparam("table_ids", expanding=True)))
    .order_by(TableRow.id)
    .with_for_update(key_share=True)
)
_ATTEMPTS_OF_SQLITE: Final = Prepared(
    select(TableRow.id, TableRow.attempt).where(
        TableRow.id.in_(select(func.json_each(bindparam("table_ids")).table_valued("value").c.value))
    ),
    ("table_ids",),
)
"""The ids in one text, for the statement to be the same for any number of them; whoever writes is alone there."""
_ATTEMPT: Final = Prepared(
    select(TableRow.id, TableRow.attempt).where(TableRow.id == bindparam("table_id")), ("table_id",)
)


def assign_table(database: Database, table_id: int, host: str, ports: dict[Seat, int], now_ms: int) -> None:
    """Give a table to a host, which should open it on these ports if it can; nobody else writes for it from now."""
    columns = {column.key: ports[seat] for seat, column in zip(SEATS, PORT_COLUMNS, strict=True)}
    with database.write() as connection:
        connection.execute(
            update(TableRow)
            .where(TableRow.id == table_id, TableRow.state != TableState.FINISHED)
            .values(
                columns
                | {
                    "state": TableState.ASSIGNED,
                    "host": host,
                    "attempt": TableRow.attempt + 1,
                    "taken": False,
                    "reason": "",
                    "changed_at_ms": now_ms,
                }
            )
        )


def release_tables(database: Database, event_id: int, now_ms: int, *, but_of: Iterable[str] = ()) -> None:
    """At the start of a run: let every table wait that is not over, but those that living hosts have in hand.

    Args:
        database: the record.
        event_id: whose tables.
        now_ms: the time.
        but_of: the names of the hosts that live.
    """
    matches = select(Match.id).where(Match.event_id == event_id)
    kept = TableRow.host.in_(list(but_of)) & TableRow.state.in_(_GOING_ON)
    with database.write() as connection:
        connection.execute(
            update(TableRow)
            .where(
                TableRow.match_id.in_(matches),
                TableRow.state != TableState.FINISHED,
                TableRow.host.is_(None) | not_(kept),
            )
            .values(
                state=TableState.WAITING,
                host=None,
                # Whoever had it, and is not known to live, writes no more.
                attempt=TableRow.attempt + case((TableRow.host.is_(None), 0), else_=1),
                taken=False,
                reason="",
                changed_at_ms=now_ms,
            )
        )


def finish_tables(database: Database, table_ids: Iterable[int], reason: str, now_ms: int) -> None:
    """Say of tables that nobody plays at that nothing is left to play there."""
    with database.write() as connection:
        connection.execute(
            update(TableRow)
            .where(TableRow.id.in_(list(table_ids)), TableRow.state.in_((TableState.WAITING, TableState.FAILED)))
            .values(state=TableState.FINISHED, reason=reason, doing=None, changed_at_ms=now_ms)
        )


def take_table(database: Database, table_id: int, host: str, now_ms: int, *, again: bool = False) -> int | None:
    """Take up a table; its attempt number, None when the table is not the caller's to take, or taken already.

    Args:
        database: the record.
        table_id: the table.
        host: who takes it.
        now_ms: the time.
        again: the caller tried just now and did not hear how it ended: it may have the table already.
    """
    is_mine = (TableRow.host == host) & (TableRow.state == TableState.ASSIGNED) if again else _waits_for(host)
    with database.write() as connection:
        taken = connection.execute(
            update(TableRow).where(TableRow.id == table_id, is_mine).values(taken=True, changed_at_ms=now_ms)
        )
        if taken.rowcount == 0:
            return None
        leave_one_under_way(connection, table_id, now_ms)
        return connection.scalar(select(TableRow.attempt).where(TableRow.id == table_id))


def _waits_for(host: str | BindParameter[str]) -> ColumnElement[bool]:
    return and_(TableRow.host == host, TableRow.state == TableState.ASSIGNED, TableRow.taken.is_(False))


# Built once: hosts ask it ten times a second.
_ASSIGNED: Final = select(TableRow.id).where(_waits_for(bindparam("by_host"))).order_by(TableRow.id)


def check_attempts(connection: Connection, attempts: dict[int, int]) -> None:
    """Make sure that these attempts, by table id, are the newest, and stay it until the transaction ends.

    Raises:
        LeaseLost: tables have been given to another host since.
    """
    rows: Iterable[Sequence[int]]
    if is_sqlite(connection):
        (one, *more) = attempts
        rows = _ATTEMPTS_OF_SQLITE.run(connection, (str([*attempts]),)) if more else _ATTEMPT.run(connection, (one,))
    else:
        rows = connection.execute(_ATTEMPTS, {"table_ids": list(attempts)})
    newest = {row[0]: row[1] for row in rows}
    lost = [table_id for table_id, attempt in attempts.items() if newest.get(table_id) != attempt]
    if lost:
        sentences = (f"table {i} has been given to another host, attempt {attempts[i]} at it is over" for i in lost)
        raise LeaseLost("; ".join(sentences), frozenset(lost))


_SET_STATE: Final = Prepared(
    update(TableRow)
    .where(
        TableRow.id == bindparam("of_table"),
        TableRow.attempt == bindparam("by_attempt"),
        TableRow.state != literal_column(f"'{TableState.FINISHED.value}'"),
    )
    .values(state=bindparam("to_state"), reason=bindparam("why"), changed_at_ms=bindparam("now_ms")),
    ("to_state", "why", "now_ms", "of_table", "by_attempt"),
)


def set_table_state(
    connection: Connection, table_id: int, attempt: int, state: TableState, now_ms: int, reason: str = ""
) -> None:
    """Say where a table stands; without effect when it has been given to another host since, or is finished."""
    _SET_STATE.run(connection, (state.value, reason, now_ms, table_id, attempt))


def set_table_ports(database: Database, table_id: int, attempt: int, ports: dict[Seat, int], now_ms: int) -> None:
    """Say on which ports a table listens; it is open from now."""
    columns = {column.key: ports[seat] for seat, column in zip(SEATS, PORT_COLUMNS, strict=True)}
    with database.write() as connection:
        connection.execute(
            update(TableRow).where(TableRow.id == table_id, TableRow.attempt == attempt).values(columns)
        )
        set_table_state(connection, table_id, attempt, TableState.OPEN, now_ms)


# One statement for all tables: hundreds of them would hold up the host that says it.
_SAY: Final = Prepared(
    update(TableRow)
    .where(TableRow.id == bindparam("at"), TableRow.attempt == bindparam("by"))
    .values(doing=bindparam("says")),
    ("says", "at", "by"),
)


def save_doing(database: Database, news: dict[tuple[int, int], str]) -> None:
    """Write what goes on at tables, for those who watch; keys are table and attempt."""
    with database.write() as connection:
        _SAY.run_many(connection, [(text, table_id, attempt) for (table_id, attempt), text in news.items()])


def assigned_tables(database: Database, host: str) -> list[int]:
    """Ids of the tables that wait for this host to open them."""
    with database.read() as connection:
        return list(connection.scalars(_ASSIGNED, {"by_host": host}))


def load_progress(database: Database, table_ids: Iterable[int]) -> dict[int, TableProgress]:
    """Where tables stand and how many boards each has finished, by table id."""
    ids = list(table_ids)
    over = (BoardAttempt.table_id == TableRow.id) & BoardAttempt.final
    finished = select(func.count()).where(over).scalar_subquery()
    query = _select_tables().add_columns(finished.label("finished"))
    progress: dict[int, TableProgress] = {}
    with database.read() as connection:
        for start in range(0, len(ids), _IDS_MAX):
            rows = connection.execute(query.where(TableRow.id.in_(ids[start : start + _IDS_MAX])))
            progress |= {row.id: TableProgress(_table_info(row), row.finished) for row in rows}
    return progress


def load_job(database: Database, table_id: int) -> TableJob:
    """What a host needs to play a table.

    Raises:
        StoreError: there is no such table.
    """
    with database.read() as connection:
        query = _select_tables().add_columns(Match.board_set_id, Match.id.label("match_id"), Match.event_id)
        row = connection.execute(query.where(TableRow.id == table_id)).one_or_none()
        if row is None:
            raise StoreError(f"database {database} has no table {table_id}")
        finished = set(
            connection.scalars(
                select(BoardAttempt.board).where(BoardAttempt.table_id == table_id, BoardAttempt.final)
            )
        )
        attempts = connection.execute(
            select(BoardAttempt.board, func.max(BoardAttempt.attempt).label("attempt"))
            .where(BoardAttempt.table_id == table_id)
            .group_by(BoardAttempt.board)
        )
        set_ = load_boards(connection, row.board_set_id)
        boards = set_[row.first_position : row.first_position + row.boards]
        teams = {
            team.id: team_info(team)
            for team in connection.execute(
                select(*Team.__table__.c).where(Team.id.in_([row.ns_team_id, row.ew_team_id]))
            )
        }
        return TableJob(
            table=_table_info(row),
            teams={Side.NS: teams[row.ns_team_id], Side.EW: teams[row.ew_team_id]},
            boards=tuple(board for board in boards if board.number not in finished),
            board_attempts={attempt.board: attempt.attempt for attempt in attempts},
            spent_ms=_load_spent(
                connection, row.match_id, row.room, {row.ns_team_id: Side.NS, row.ew_team_id: Side.EW}
            ),
            boards_finished=len(finished),
            match_id=row.match_id,
            event_id=row.event_id,
            all_boards=boards,
            under_way=load_under_way(connection, table_id),
        )


def _load_spent(connection: Connection, match_id: int, room: Room, sides: dict[int, Side]) -> dict[Side, int]:
    """Thinking time of both teams over the boards that this room of the match has finished, in all segments."""
    query = (
        select(TableRow.ns_team_id, TableRow.ew_team_id, func.sum(ResultRow.ns_ms), func.sum(ResultRow.ew_ms))
        .join(ResultRow, ResultRow.table_id == TableRow.id)
        .where(TableRow.match_id == match_id, TableRow.room == room)
        .group_by(TableRow.ns_team_id, TableRow.ew_team_id)
    )
    spent_ms = dict.fromkeys(Side, 0)
    for ns_team, ew_team, ns_ms, ew_ms in connection.execute(query):
        spent_ms[sides[ns_team]] += int(ns_ms)
        spent_ms[sides[ew_team]] += int(ew_ms)
    return spent_ms


def _select_tables() -> Select[*tuple[Any, ...]]:  # a select of this width has no shorter type
    north_south, east_west = Team.__table__.alias("ns_team"), Team.__table__.alias("ew_team")
    return (
        select(
            *TABLE_COLUMNS,
            Match.number.label("match_number"),
            TableRow.ns_team_id,
            TableRow.ew_team_id,
            north_south.c.name.label("ns_name"),
            east_west.c.name.label("ew_name"),
        )
        .join(Match, Match.id == TableRow.match_id)
        .join(north_south, north_south.c.id == TableRow.ns_team_id)
        .join(east_west, east_west.c.id == TableRow.ew_team_id)
    )


def _table_info(row: Row[*tuple[Any, ...]]) -> TableInfo:  # a row of _select_tables
    return table_info(row, row.match_number, row.ns_name, row.ew_name)
