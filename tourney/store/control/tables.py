"""Tables as hosts and the coordinator read them: assignment, progress, and what to play."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, Text, bindparam, func, select, type_coerce

from tourney.bridge import Board, Result, Side
from tourney.errors import StoreError
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardSnapshot
from tourney.scoring.games import GameSettings
from tourney.store.control.table_state import waits_for
from tourney.store.db.database import Database
from tourney.store.db.prepared import Prepared, runner_of
from tourney.store.db.queries import AnyRow, AnySelect, is_listed, load_column, load_rows, load_value, one_of
from tourney.store.draw.objects import TableInfo, TeamInfo
from tourney.store.draw.reader import (
    EW_TEAM,
    NS_TEAM,
    SEATED_TABLES,
    TABLE_COLUMNS,
    load_boards,
    load_game,
    table_info,
    team_info,
)
from tourney.store.models import BoardAttempt, Match, ResultRow, TableRow, TableState, Team, same_attempt
from tourney.store.record.in_progress import load_under_way
from tourney.store.results.matches import board_result


@dataclass(frozen=True, slots=True)
class TableProgress:
    """The progress of a table, for displays."""

    table: TableInfo
    boards_finished: int


@dataclass(frozen=True, slots=True)
class TableJob:
    """What a host needs to play a table: who sits, and the boards that are still to be played."""

    table: TableInfo
    teams: dict[Side, TeamInfo]
    boards: tuple[Board, ...]
    board_attempts: dict[int, int]
    """How often each board has been begun, by board number; boards never begun are omitted."""
    spent_ms: dict[Side, int]
    """Thinking time of the finished boards."""
    boards_finished: int
    match_id: int
    event_id: int
    all_boards: tuple[Board, ...]
    """Finished boards as well, as the director may have one played again."""
    game: GameSettings | None = None
    """The game that is played, if boards depend on the results of those before; None for a list of boards."""
    finished: Mapping[int, Result | None] = field(default_factory=dict)
    """At such a game, the results of the finished boards by number; None for one that was forfeited."""
    under_way: BoardSnapshot | None = None
    """The board that a host that died had begun and not ended."""


# Built once, as hosts run it ten times a second.
_ASSIGNED: Final = select(TableRow.id).where(waits_for(bindparam("by_host"))).order_by(TableRow.id)


def assigned_tables(database: Database, host: str) -> list[int]:
    """Load the ids of the tables that wait for this host to open them."""
    return list(load_column(database, _ASSIGNED, {"by_host": host}))


def load_progress(database: Database, table_ids: Iterable[int]) -> dict[int, TableProgress]:
    """Load the states of tables and how many boards each has finished, by table id."""
    query = _select_tables().add_columns(_BOARDS_FINISHED).where(one_of(TableRow.id, table_ids))
    return {row.id: TableProgress(_table_info(row), row.finished) for row in load_rows(database, query)}


_BOARDS_FINISHED: Final = (
    select(func.count())
    .where(BoardAttempt.table_id == TableRow.id, BoardAttempt.final)
    .correlate(TableRow)
    .scalar_subquery()
    .label("finished")
)


def load_finished_tables(database: Database, event_id: int) -> list[TableInfo]:
    """Load the tables of an event that have finished."""
    return [table for table in load_tables(database, event_id).values() if table.state is TableState.FINISHED]


def load_tables(database: Database, event_id: int) -> dict[str, TableInfo]:
    """Load the tables of an event, by the names of their files."""
    tables = map(_table_info, load_rows(database, _select_tables().where(Match.event_id == event_id)))
    return {table.file_name: table for table in tables}


def has_table(database: Database, table_id: int) -> bool:
    """Return whether a table is on record: those of a round that is drawn again are replaced."""
    return load_value(database, select(TableRow.id).where(TableRow.id == table_id)) is not None


def load_job(database: Database, table_id: int) -> TableJob:
    """Load what a host needs to play a table.

    Raises:
        StoreError: there is no such table.
    """
    with database.read() as connection:
        row = connection.execute(_job_query(), {"table_id": table_id}).one_or_none()
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
        game = load_game(connection, row.match_id)
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
            game=game,
            finished=_load_finished(connection, table_id) if game is not None else {},
            under_way=load_under_way(connection, table_id),
        )


def _load_finished(connection: Connection, table_id: int) -> dict[int, Result | None]:
    """Load the results of the boards that are finished at a table, by number."""
    query = (
        select(BoardAttempt.board.label("number"), *ResultRow.__table__.c)
        .outerjoin(ResultRow, same_attempt(ResultRow, BoardAttempt))
        .where(BoardAttempt.table_id == table_id, BoardAttempt.final)
    )
    return {
        row.number: board_result(row).result if row.contract is not None else None
        for row in connection.execute(query)
    }


@cache
def _job_query() -> AnySelect:
    query = _select_tables().add_columns(Match.board_set_id, Match.id.label("match_id"), Match.event_id)
    return query.where(TableRow.id == bindparam("table_id"))


def _load_spent(connection: Connection, match_id: int, room: Room, sides: dict[int, Side]) -> dict[Side, int]:
    """Load both teams' thinking time on the boards finished in this room of the match, in all segments."""
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


def _select_tables() -> AnySelect:
    return select(
        *TABLE_COLUMNS,
        Match.number.label("match_number"),
        TableRow.ns_team_id,
        TableRow.ew_team_id,
        NS_TEAM.c.name.label("ns_name"),
        EW_TEAM.c.name.label("ew_name"),
    ).select_from(SEATED_TABLES)


def _table_info(row: AnyRow) -> TableInfo:  # a row of _select_tables
    return table_info(row, row.match_number, row.ns_name, row.ew_name)


# Every change of the state, the ports or the reason of a table has a time, and the host another attempt.
_MARKS: Final = Prepared(
    select(
        TableRow.id, TableRow.attempt, type_coerce(TableRow.state, Text), TableRow.changed_at_ms, _BOARDS_FINISHED
    ).where(is_listed(TableRow.id, bindparam("table_ids", type_=Text()))),
    ("table_ids",),
)


class ProgressWatch:
    """Looks at tables again and again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._marks: dict[int, tuple[Any, ...]] = {}

    def poll(self, table_ids: Collection[int]) -> dict[int, TableProgress]:
        """Load the progress of the tables that have changed since the last look, or were not part of it.

        Raises:
            StoreError: the database cannot be used; nothing counts as seen.
        """
        if not table_ids:
            self._marks = {}
            return {}
        with self._database.read() as connection:
            rows = [tuple(row) for row in _MARKS.run(runner_of(connection), (str([*table_ids]),))]
        changed = [row[0] for row in rows if self._marks.get(row[0]) != row]
        progress = load_progress(self._database, changed) if changed else {}
        self._marks = {row[0]: row for row in rows}
        return progress

    def forget(self) -> None:
        """Have the next look return all tables: what this one has returned could not be acted on."""
        self._marks = {}
