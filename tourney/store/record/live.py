"""Tables in play: their current state, and who sat at them when, for displays, the director and the run."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, select, tuple_

from tourney.bridge import Board, Call, OpenBoard, Seat
from tourney.movement.seating import TableInfo, TableState
from tourney.protocol.session.board.state import fold_board
from tourney.protocol.session.records import BoardEnd, CallMade, CardPlayed
from tourney.store.control.tables import BOARDS_FINISHED
from tourney.store.db.database import Database
from tourney.store.db.queries import load_rows, make_object, one_of
from tourney.store.draw.tables import SELECT_TABLES, read_board, table_info
from tourney.store.models import (
    ATTEMPT,
    AlertQuestion,
    AttemptKey,
    BoardAttempt,
    BoardRow,
    ConnectionRow,
    DealRow,
    Match,
    ResultRow,
    TableRow,
    same_attempt,
)
from tourney.store.record.rows import load_calls, load_cards


@dataclass(frozen=True, slots=True)
class QuestionInfo:
    """An unanswered question to the operator: whether a call is alertable (BC-25)."""

    table_id: int
    board: int
    seq: int
    seat: Seat
    asked_at_ms: int
    dealer: Seat
    calls: tuple[Call, ...]
    """The auction up to the call in question, which is the last."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """One table of an event at this moment, according to the record."""

    table: TableInfo
    boards_finished: int
    """Number of boards finally played here."""
    changed_at_ms: int
    """When its state last changed."""
    doing: str | None
    """The status from the host, of any age (`TableActivity`)."""
    board: int | None
    """The number of the board that has begun and not ended; None between boards."""
    seated: dict[Seat, str]
    """The team name under which each program logged on with the newest host."""


class AttemptInfo(NamedTuple):
    """An attempt at a board of one table."""

    table_id: int
    board: int
    attempt: int
    began_at_ms: int
    ended_at_ms: int | None
    """None until it has ended; an attempt left by a host that died ends when another takes the table."""
    is_final: bool
    """Whether the board is not played again."""

    @property
    def key(self) -> AttemptKey:
        return self.table_id, self.board, self.attempt

    @property
    def is_over(self) -> bool:
        return self.ended_at_ms is not None


@dataclass(frozen=True, slots=True)
class LiveBoard:
    """An attempt at a board as recorded so far: in progress, left by a host that died, or ended.

    `tricks` (declarer's side) and `score_ns` are None without a result; `ended` is None until it has ended.
    """

    board: Board
    attempt: int
    began_at_ms: int
    calls: tuple[CallMade, ...]
    cards: tuple[CardPlayed, ...]
    ended: BoardEnd | None
    reason: str
    tricks: int | None
    score_ns: int | None

    @property
    def made(self) -> tuple[CallMade | CardPlayed, ...]:
        """The calls, then the cards."""
        return (*self.calls, *self.cards)

    def in_play(self, until_ms: int | None = None) -> OpenBoard:
        """Return what lies open of the board after these calls and cards, or after those made until some time.

        Raises:
            RuleError: the record holds a call or card that the rules do not allow.
        """
        made = self.made
        if until_ms is not None:
            made = tuple(takewhile(lambda each: each.at_ms <= until_ms, made))
        return fold_board(self.board, made).in_play


_ATTEMPT: Final = BoardAttempt.__table__.c[ATTEMPT]

_BOARD: Final = (
    select(BoardAttempt.board)
    .where(BoardAttempt.table_id == TableRow.id, BoardAttempt.ended.is_(None))
    .correlate(TableRow)
    .scalar_subquery()
    .label("board")
)
"""The board of a table that has begun and not ended."""

_UNDER_WAY: Final = and_(BoardAttempt.ended.is_(None), TableRow.state == TableState.PLAYING)
"""Selects boards being played; an attempt left by a dead host ends when another host takes the table."""


def load_live_tables(database: Database, event_id: int, table_id: int | None = None) -> list[LiveTable]:
    """Load every table of an event, or one of them, in the order of matches, the open room first."""
    wanted = Match.event_id == event_id
    if table_id is not None:
        wanted = and_(wanted, TableRow.id == table_id)
    query = SELECT_TABLES.add_columns(BOARDS_FINISHED, _BOARD, TableRow.changed_at_ms, TableRow.doing).where(wanted)
    with database.read() as connection:
        rows = connection.execute(query.order_by(Match.number, TableRow.id)).all()
        seated: defaultdict[int, dict[Seat, str]] = defaultdict(dict)
        at_table = (
            select(ConnectionRow.table_id, ConnectionRow.seat, ConnectionRow.team)
            .join_from(ConnectionRow, TableRow)
            .join(Match)
            .where(wanted, ConnectionRow.left_at_ms.is_(None), ConnectionRow.table_attempt == TableRow.attempt)
            .order_by(ConnectionRow.connection)
        )
        for row in connection.execute(at_table):
            seated[row.table_id][row.seat] = row.team
    return [make_object(LiveTable, row, table=table_info(row), seated=dict(seated[row.id])) for row in rows]


def load_boards_under_way(
    database: Database, event_id: int, table_ids: Collection[int] | None = None
) -> dict[int, LiveBoard]:
    """Load the boards being played in an event, or at some tables of it, by table id."""
    if table_ids is not None and not table_ids:
        return {}
    wanted = and_(_UNDER_WAY, Match.event_id == event_id)
    if table_ids is not None:
        wanted = and_(wanted, one_of(TableRow.id, table_ids))
    with database.read() as connection:
        return dict(_load_boards(connection, wanted))


def load_board_attempts(database: Database, table_ids: Iterable[int]) -> list[AttemptInfo]:
    """Load every attempt at a board of tables, those of each table in chronological order."""
    query = (
        select(*_ATTEMPT, BoardAttempt.began_at_ms, BoardAttempt.ended_at_ms, BoardAttempt.final)
        .where(one_of(BoardAttempt.table_id, table_ids))
        .order_by(BoardAttempt.table_attempt, BoardAttempt.began_at_ms, BoardAttempt.board, BoardAttempt.attempt)
    )
    return list(map(AttemptInfo._make, load_rows(database, query)))


def load_live_board(database: Database, attempt: AttemptInfo) -> LiveBoard:
    """Load an attempt as recorded so far."""
    with database.read() as connection:
        ((_, board),) = _load_boards(connection, tuple_(*_ATTEMPT) == attempt.key)
    return board


def load_questions(database: Database, event_id: int, table_id: int | None = None) -> list[QuestionInfo]:
    """Load the unanswered questions of an event, or of one table of it, the oldest first.

    Those on attempts that have ended are not included.
    """
    waiting = (
        select(AlertQuestion)
        .join(TableRow, TableRow.id == AlertQuestion.table_id)
        .join(Match)
        .where(Match.event_id == event_id, AlertQuestion.answer.is_(None))
        .order_by(AlertQuestion.asked_at_ms, AlertQuestion.table_id, AlertQuestion.seq)
    )
    if table_id is not None:
        waiting = waiting.where(TableRow.id == table_id)
    with database.read() as connection:
        questions = connection.execute(waiting).all()
        at_tables = one_of(TableRow.id, {row.table_id for row in questions})
        boards = {
            (table_id, board.board.number, board.attempt): board
            for table_id, board in _load_boards(connection, and_(_UNDER_WAY, at_tables))
        }
    found = []
    for row in questions:
        board = boards.get((row.table_id, row.board, row.attempt))
        if board is not None and len(board.calls) > row.seq:
            calls = tuple(made.call for made in board.calls[: row.seq + 1])
            found.append(make_object(QuestionInfo, row, dealer=board.board.dealer, calls=calls))
    return found


def _load_boards(connection: Connection, wanted: ColumnElement[bool]) -> list[tuple[int, LiveBoard]]:
    """Load the attempts that meet a condition on them, their table and their match, with the table id."""
    query = (
        select(BoardAttempt, *BoardRow.__table__.c["number", "dealer", "vulnerability"], DealRow.hands, DealRow.makes)
        .add_columns(ResultRow.tricks, ResultRow.score_ns)
        .join_from(BoardAttempt, TableRow)
        .join(Match)
        .join(BoardRow, (BoardRow.board_set_id == Match.board_set_id) & (BoardRow.number == BoardAttempt.board))
        .join(DealRow)
        .outerjoin(ResultRow, same_attempt(ResultRow, BoardAttempt))
        .where(wanted)
        .order_by(BoardAttempt.table_id, BoardAttempt.began_at_ms, BoardAttempt.attempt)
    )
    # In this order, so that an attempt read as ended has all its calls and cards.
    attempts = connection.execute(query).all()
    keys = [(row.table_id, row.board, row.attempt) for row in attempts]
    calls, cards = load_calls(connection, keys, as_answered=True), load_cards(connection, keys)
    boards = []
    for row, key in zip(attempts, keys, strict=True):
        live = make_object(LiveBoard, row, board=read_board(row), calls=tuple(calls[key]), cards=tuple(cards[key]))
        boards.append((row.table_id, live))
    return boards


# Who sat at tables when


class Seating(NamedTuple):
    """A connection that has had a seat at a table."""

    table_id: int
    table_attempt: int
    connection: int
    """Its number at that attempt."""
    seat: Seat
    team: str
    """The name under which it was seated."""
    peer: str
    """Its address."""
    seated_at_ms: int
    left_at_ms: int | None
    """None of one that sits, or that was killed with its table's host."""


def load_seatings(database: Database, table_ids: Iterable[int]) -> list[Seating]:
    """Load who has had the seats of tables, those of each table in the order of time."""
    query = (
        select(*ConnectionRow.__table__.c[Seating._fields])
        .where(one_of(ConnectionRow.table_id, table_ids))
        .order_by(ConnectionRow.table_attempt, ConnectionRow.connection)
    )
    return list(map(Seating._make, load_rows(database, query)))


class BoardHolders(NamedTuple):
    """The board that is not finished at a table, and who has seen which of its hands."""

    board: int
    holders: list[tuple[Seat, str, str]]
    """Seat, name and peer of each that has had a seat since the board began."""


def load_board_holders(database: Database, table_ids: Iterable[int]) -> dict[int, BoardHolders]:
    """Load who has held seats on boards that were begun and are not finished, by id of the table.

    A board that was abandoned or void counts as well: it will be played with the same cards.
    """
    ids = list(table_ids)
    found: dict[int, BoardHolders] = {}
    began_at_ms: dict[tuple[int, int], int] = {}
    for attempt in load_board_attempts(database, ids):
        # A void board has the same cards as when it was begun first.
        began_at_ms.setdefault((attempt.table_id, attempt.board), attempt.began_at_ms)
        if attempt.is_final:
            found.pop(attempt.table_id, None)
        else:
            found[attempt.table_id] = BoardHolders(attempt.board, [])
    next_at_ms: dict[tuple[int, Seat], int] = {}
    """When the seat was taken again: whoever was killed with its table's host has left no word of leaving."""
    for sat in reversed(load_seatings(database, ids)):  # the newest first
        ended_at_ms = sat.left_at_ms or next_at_ms.get((sat.table_id, sat.seat))
        next_at_ms[sat.table_id, sat.seat] = sat.seated_at_ms
        on_board = found.get(sat.table_id)
        if on_board is None:
            continue
        if ended_at_ms is None or ended_at_ms >= began_at_ms[sat.table_id, on_board.board]:
            on_board.holders.append((sat.seat, sat.team, sat.peer))
    return found
