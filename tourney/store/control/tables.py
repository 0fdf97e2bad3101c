"""Tables as hosts, the coordinator and displays read them: progress, what to play, open seats, activity."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Connection, Text, and_, bindparam, func, select, type_coerce, update

from tourney.bridge import SEATS, Board, Result, Seat, Side
from tourney.errors import StoreError
from tourney.formats.plain_json import format_plain, parse_plain
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import (
    AlertAnswered,
    AlertAsked,
    AttemptRecord,
    BoardBegan,
    BoardEnded,
    BoardSnapshot,
    Incident,
    TimeExtended,
)
from tourney.store.control.orders import load_extensions
from tourney.store.control.table_state import waits_for
from tourney.store.db.database import Database
from tourney.store.db.queries import (
    AnyRow,
    Prepared,
    has_rows,
    is_listed,
    load_column,
    load_rows,
    one_of,
    runner_of,
)
from tourney.store.draw.tables import (
    EW_TEAM,
    NS_TEAM,
    PORT_COLUMNS,
    SEATED_TABLES,
    SELECT_TABLES,
    TeamInfo,
    game_of,
    load_boards,
    load_sides,
    stage_plan,
    table_info,
)
from tourney.store.models import (
    AlertQuestion,
    BoardAttempt,
    Event,
    Host,
    IncidentRow,
    Match,
    ResultRow,
    Round,
    StageRow,
    TableRow,
    of_attempt,
)
from tourney.store.record.results import SELECT_ATTEMPTS, attempt_result, load_forfeited_times
from tourney.store.record.rows import add_delays, load_calls, load_cards

if TYPE_CHECKING:
    from tourney.scoring.games import GameSettings

# Progress


@dataclass(frozen=True, slots=True)
class TableProgress:
    """The progress of a table, for displays."""

    table: TableInfo
    boards_finished: int


BOARDS_FINISHED: Final = (
    select(func.count())
    .where(BoardAttempt.table_id == TableRow.id, BoardAttempt.final)
    .correlate(TableRow)
    .scalar_subquery()
    .label("boards_finished")
)
"""How many boards a table has finished."""


def load_progress(database: Database, table_ids: Iterable[int]) -> dict[int, TableProgress]:
    """Load the states of tables and how many boards each has finished, by table id."""
    query = SELECT_TABLES.add_columns(BOARDS_FINISHED).where(one_of(TableRow.id, table_ids))
    return {row.id: TableProgress(table_info(row), row.boards_finished) for row in load_rows(database, query)}


# Every change of the state, the ports or the reason of a table has a time, and the host another attempt.
_MARKS: Final = Prepared(
    select(
        TableRow.id, TableRow.attempt, type_coerce(TableRow.state, Text), TableRow.changed_at_ms, BOARDS_FINISHED
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

        When it raises, nothing counts as seen.
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


def load_tables(database: Database, event_id: int) -> dict[str, TableInfo]:
    """Load the tables of an event, by the names of their files."""
    tables = map(table_info, load_rows(database, SELECT_TABLES.where(Match.event_id == event_id)))
    return {table.file_name: table for table in tables}


def has_table(database: Database, table_id: int) -> bool:
    """Return whether a table is on record: those of a round that is drawn again are replaced."""
    return has_rows(database, select(TableRow.id).where(TableRow.id == table_id))


# What a host needs to play a table


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
    match_id: int
    event_id: int
    all_boards: tuple[Board, ...]
    """Finished boards as well, as the director may have one played again."""
    finished: Mapping[int, Result | None]
    """The results of the finished boards by number; None for one that was forfeited."""
    game: "GameSettings | None"
    """The game that is played, if boards depend on the results of those before; None for a list of boards."""
    under_way: BoardSnapshot | None
    """The board that a host that died had begun and not ended."""
    history: tuple[BoardBegan | BoardEnded | Incident, ...]
    """What is on record of the table, apart from calls and cards, in order."""
    extensions: tuple[TimeExtended, ...]
    """The thinking time that directors have given beyond the limits, in this room in all segments."""
    stage: int
    """The number of its stage."""


# Built once, as hosts run it whenever something was written.
_ASSIGNED: Final = select(TableRow.id).where(waits_for(bindparam("by_host"))).order_by(TableRow.id)


def assigned_tables(database: Database, host: str) -> list[int]:
    """Load the ids of the tables that wait for this host to open them."""
    return list(load_column(database, _ASSIGNED, {"by_host": host}))


_JOB: Final = (
    SELECT_TABLES.add_columns(
        *(TableRow.ns_team_id, TableRow.ew_team_id, TableRow.match_id),
        *(Match.event_id, Match.board_set_id, StageRow.number.label("stage"), Event.plan),
    )
    .join(Round)
    .join(StageRow)
    .join(Event, Event.id == Match.event_id)
    .where(TableRow.id == bindparam("table_id"))
)


def load_job(database: Database, table_id: int) -> TableJob:
    """Load what a host needs to play a table.

    Raises:
        StoreError: there is no such table.
    """
    with database.read() as connection:
        row = connection.execute(_JOB, {"table_id": table_id}).one_or_none()
        if row is None:
            raise StoreError(f"database {database} has no table {table_id}")
        table = table_info(row)
        of_table = SELECT_ATTEMPTS.where(BoardAttempt.table_id == table_id).order_by(BoardAttempt.attempt)
        attempts = connection.execute(of_table).all()
        finished = {attempt.board: attempt_result(attempt) for attempt in attempts if attempt.final}
        open_attempt = next((attempt for attempt in attempts if attempt.ended is None), None)
        incidents = _load_incidents(connection, row.match_id, table, row.ns_team_id)
        boards = load_boards(connection, row.board_set_id)[table.span]
        sides = {row.ns_team_id: Side.NS, row.ew_team_id: Side.EW}
        teams = {sides[team.id]: team for team in load_sides(connection, row.event_id, row.plan, sides)}
        sides_of: dict[str | None, Side | None] = {None: None, **{team.name: side for side, team in teams.items()}}
        return TableJob(
            table=table,
            teams=teams,
            boards=tuple(board for board in boards if board.number not in finished),
            board_attempts={attempt.board: attempt.attempt for attempt in attempts},
            spent_ms=_load_spent(connection, row.match_id, table.room, sides),
            match_id=row.match_id,
            event_id=row.event_id,
            all_boards=boards,
            finished={number: known.result if known is not None else None for number, known in finished.items()},
            game=game_of(stage_plan(row.plan, row.stage)),
            under_way=_load_snapshot(connection, open_attempt, incidents) if open_attempt is not None else None,
            history=tuple(_history(attempts, incidents)),
            extensions=tuple(
                TimeExtended(each.id, each.board, sides_of[each.team], 1000 * each.seconds)
                for each in load_extensions(connection, row.event_id, row.match_id)
                if each.room is table.room
            ),
            stage=row.stage,
        )


_Incidents: TypeAlias = dict[tuple[int | None, int | None], list[Incident]]
"""Incidents by the board and the attempt at it, in their order; before the first board there is neither."""


def _load_incidents(connection: Connection, match_id: int, table: TableInfo, ns_team_id: int) -> _Incidents:
    """Load the incidents of a table, and which limits of the match were exceeded in earlier segments in its room."""
    is_of_match = (
        IncidentRow.about.startswith("match ") & (TableRow.match_id == match_id) & (TableRow.room == table.room)
    )
    query = select(IncidentRow, TableRow.ns_team_id).join(TableRow)
    rows = connection.execute(query.where((TableRow.id == table.id) | is_of_match).order_by(IncidentRow.id))
    incidents: _Incidents = {}
    for row in rows:
        key = (row.board, row.attempt) if row.table_id == table.id else (None, None)
        seat = row.seat.next if row.seat is not None and row.ns_team_id != ns_team_id else row.seat
        found = Incident(row.kind, row.board, seat, row.text, row.at_ms, row.made, row.about or "")
        incidents.setdefault(key, []).append(found)
    return incidents


def _history(attempts: Iterable[AnyRow], incidents: _Incidents) -> Iterator[BoardBegan | BoardEnded | Incident]:
    """Yield the records from which the law of a table counts."""
    yield from incidents.get((None, None), ())
    for each in sorted(attempts, key=lambda each: (each.began_at_ms, each.attempt)):
        yield BoardBegan(each.board, each.began_at_ms)
        yield from incidents.get((each.board, each.attempt), ())
        if each.ended is not None:
            yield BoardEnded(
                board=each.board,
                end=each.ended,
                reason=each.reason,
                at_ms=each.ended_at_ms,
                fault=each.fault,
            )


def _load_snapshot(connection: Connection, attempt: AnyRow, incidents: _Incidents) -> BoardSnapshot:
    """Load what is on record of an attempt that has not ended: delays of the network included."""
    board, key = attempt.board, (attempt.table_id, attempt.board, attempt.attempt)
    made = load_calls(connection, [key], as_answered=False)[key], load_cards(connection, [key])[key]
    placed: list[tuple[float, AttemptRecord]] = [(each.made - 0.5, each) for each in incidents.get(key[1:], ())]
    placed += enumerate(add_delays(connection, key, chain(*made)))
    asked = select(AlertQuestion).filter_by(**of_attempt(key))
    questions = connection.execute(asked.order_by(AlertQuestion.answer.is_(None), AlertQuestion.seq))
    said = (
        AlertAsked(board, each.seq, each.seat, each.asked_at_ms)
        if each.answer is None
        else AlertAnswered(board, each.seq, each.answer, each.author or "", each.answered_at_ms)
        for each in questions
    )
    return BoardSnapshot(board, (*(each for _, each in sorted(placed, key=itemgetter(0))), *said))


def _load_spent(connection: Connection, match_id: int, room: Room, sides: dict[int, Side]) -> dict[Side, int]:
    """Load both teams' thinking time on the boards finished in this room of the match, in all segments."""
    query = (
        select(TableRow.id, TableRow.ns_team_id, func.sum(ResultRow.ns_ms), func.sum(ResultRow.ew_ms))
        .outerjoin(ResultRow, ResultRow.table_id == TableRow.id)
        .where(TableRow.match_id == match_id, TableRow.room == room)
        .group_by(TableRow.id, TableRow.ns_team_id)
    )
    sits_ns, spent_ms = dict[int, Side](), dict.fromkeys(Side, 0)
    for table_id, team_id, ns_ms, ew_ms in connection.execute(query).all():
        side = sits_ns[table_id] = sides[team_id]
        spent_ms[side] += int(ns_ms or 0)
        spent_ms[side.other] += int(ew_ms or 0)
    for (table_id, _), times_ms in load_forfeited_times(connection, sits_ns).items():
        spent_ms[sits_ns[table_id]] += times_ms[Side.NS]
        spent_ms[sits_ns[table_id].other] += times_ms[Side.EW]
    return spent_ms


# Where the seats of open tables are, for programs that are led to them


class OpenSeat(NamedTuple):
    """A seat at a table whose ports are open."""

    team: int
    """The number of its team in the draw."""
    table_id: int
    attempt: int
    """Another one whenever the table is given to a host, or taken from one."""
    seat: Seat
    host: str | None
    """The address of the table; None for that of the event."""
    port: int


def load_open_seats(database: Database, event_id: int) -> list[OpenSeat]:
    """Load the seats of the tables of an event that are open, in the order of the tables."""
    is_its_host = and_(Host.event_id == Match.event_id, Host.name == TableRow.host)
    query = (
        select(NS_TEAM.c.number, EW_TEAM.c.number, TableRow.id, TableRow.attempt, Host.address, *PORT_COLUMNS)
        .select_from(SEATED_TABLES.outerjoin(Host, is_its_host))
        .where(Match.event_id == event_id, TableRow.state.in_([TableState.OPEN, TableState.PLAYING]))
        .order_by(TableRow.id)
    )
    return [
        OpenSeat(ns_team if seat.side is Side.NS else ew_team, table_id, attempt, seat, address, port)
        for ns_team, ew_team, table_id, attempt, address, *ports in load_rows(database, query)
        for seat, port in zip(SEATS, ports, strict=True)
        if port is not None
    ]


# What hosts say of their tables, for displays; no decision depends on it


@dataclass(frozen=True, slots=True)
class Wait:
    """The line that a player owes the table: "call", "card", "to log on", ..."""

    seat: Seat
    what: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The thinking time that a side has left, by the calls and cards so far; below 0 it has used more."""

    side: Side
    board: int | None
    """The board in play; None for the match."""
    ms: int


@dataclass(frozen=True, slots=True)
class TableActivity:
    """The status of a table at one moment, as JSON in `tables.doing`.

    A host writes it at most once a second and only when it has changed, so its age has no meaning. `last` is the
    latest event.
    """

    at_ms: int
    paused: bool
    waits: tuple[Wait, ...]
    last: str
    problem: str | None
    """A problem not visible from the seats or the record; not empty seats or calls that wait for the operator."""
    left: tuple[TimeLeft, ...] = ()
    """What is left of it under each limit in force."""


def parse_activity(text: str | None) -> TableActivity | None:
    """Parse what `save_activities` wrote; None for anything else, so that displays rely on the record."""
    try:
        return parse_plain(TableActivity, text or "")
    except ValueError:
        return None


# One statement for all tables, as hundreds of statements would delay the host.
_UPDATE_TEXT: Final = Prepared(
    update(TableRow)
    .where(TableRow.id == bindparam("at"), TableRow.attempt == bindparam("by"))
    .values(doing=bindparam("says")),
    ("says", "at", "by"),
)


def save_activities(database: Database, news: dict[tuple[int, int], TableActivity]) -> None:
    """Store the status of tables, for displays; keys are table id and attempt."""
    rows = [(format_plain(doing), table_id, attempt) for (table_id, attempt), doing in news.items()]
    with database.write(synced=False) as connection:  # it is out of date within a second
        _UPDATE_TEXT.run_many(runner_of(connection), rows)
