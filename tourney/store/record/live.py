"""Tables in play: their current state, and who sat at them when, for displays, the director and the run."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, and_, column, exists, func, select, values

from tourney.bridge import Board, BoardInPlay, Call, Seat, parse_deal
from tourney.protocol.session.board.state import fold_board
from tourney.protocol.session.records import BoardEnd, CallMade, CardPlayed
from tourney.store.control.tables import BOARDS_FINISHED
from tourney.store.db.database import Database
from tourney.store.db.queries import AnyRow, AnySelect, load_rows, make_object, one_of
from tourney.store.draw.objects import TableInfo
from tourney.store.draw.reader import SELECT_TABLES, table_info
from tourney.store.models import (
    ATTEMPT,
    AlertQuestion,
    BoardAttempt,
    BoardRow,
    CallRow,
    CardRow,
    ConnectionRow,
    DealRow,
    Match,
    ResultRow,
    TableRow,
    TableState,
    same_attempt,
)
from tourney.store.record.rows import CALL_READ, CARD_READ, read_call, read_card


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
    seated: dict[Seat, str]
    """The team name under which each program logged on with the newest host."""


@dataclass(frozen=True, slots=True)
class LiveAttempt:
    """An attempt at a board of one table, and whether it has ended."""

    board: int
    attempt: int
    is_over: bool


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

    def in_play(self, until_ms: int | None = None) -> BoardInPlay:
        """Return the board after these calls and cards, or after those made until some time.

        Raises:
            RuleError: the record holds a call or card that the rules do not allow.
        """
        made = self.made
        if until_ms is not None:
            made = tuple(takewhile(lambda each: each.at_ms <= until_ms, made))
        return fold_board(self.board, made).in_play


_UNDER_WAY: Final = and_(BoardAttempt.ended.is_(None), TableRow.state == TableState.PLAYING)
"""Selects boards being played; an attempt left by a dead host ends when another host takes the table."""


_KEYS_MAX: Final = 1000
"""Keys of attempts in one statement, three values each; SQLite takes 32,766 values."""


def load_live_tables(database: Database, event_id: int, table_id: int | None = None) -> list[LiveTable]:
    """Load every table of an event, or one of them, in the order of matches, the open room first."""
    wanted = Match.event_id == event_id
    if table_id is not None:
        wanted = and_(wanted, TableRow.id == table_id)
    query = SELECT_TABLES.add_columns(BOARDS_FINISHED, TableRow.changed_at_ms, TableRow.doing).where(wanted)
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
            seated[row.table_id][Seat.from_letter(row.seat)] = row.team
    return [
        LiveTable(table_info(row), row.finished, row.changed_at_ms, row.doing, dict(seated[row.id])) for row in rows
    ]


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


def load_boards_begun(database: Database, event_id: int) -> dict[int, int]:
    """Load the numbers of the boards being played in an event, by table id, without a call or card of them."""
    query = (
        select(BoardAttempt.table_id, BoardAttempt.board)
        .join_from(BoardAttempt, TableRow)
        .join(Match)
        .where(_UNDER_WAY, Match.event_id == event_id)
        .order_by(BoardAttempt.began_at_ms)
    )
    return dict(iter(load_rows(database, query)))


def load_attempt_keys(database: Database, table_id: int) -> list[LiveAttempt]:
    """Load every attempt at a board of a table, in chronological order."""
    query = (
        select(BoardAttempt.board, BoardAttempt.attempt, BoardAttempt.ended)
        .where(BoardAttempt.table_id == table_id)
        .order_by(BoardAttempt.table_attempt, BoardAttempt.began_at_ms, BoardAttempt.board, BoardAttempt.attempt)
    )
    return [LiveAttempt(row.board, row.attempt, row.ended is not None) for row in load_rows(database, query)]


def load_live_board(database: Database, table_id: int, key: LiveAttempt) -> LiveBoard:
    """Load one of `load_attempt_keys` as recorded so far."""
    wanted = and_(
        BoardAttempt.table_id == table_id, BoardAttempt.board == key.board, BoardAttempt.attempt == key.attempt
    )
    with database.read() as connection:
        ((_, board),) = _load_boards(connection, wanted)
    return board


def load_repeated_boards(database: Database, event_id: int) -> dict[tuple[int, int], list[LiveBoard]]:
    """Load the boards of an event that a table began more than once: each attempt, by id of the table and number."""
    again = BoardAttempt.__table__.alias()
    is_repeated = exists().where(
        again.c.table_id == BoardAttempt.table_id, again.c.board == BoardAttempt.board, again.c.attempt > 1
    )
    found: defaultdict[tuple[int, int], list[LiveBoard]] = defaultdict(list)
    with database.read() as connection:
        for table_id, board in _load_boards(connection, and_(Match.event_id == event_id, is_repeated)):
            found[table_id, board.board.number].append(board)
    return dict(found)


def load_questions(database: Database, event_id: int, table_id: int | None = None) -> list[QuestionInfo]:
    """Load the unanswered questions of an event, or of one table of it, the oldest first.

    Questions of dead hosts are not included.
    """
    under_way = and_(_UNDER_WAY, Match.event_id == event_id)
    if table_id is not None:
        under_way = and_(under_way, TableRow.id == table_id)
    waiting = _of_attempts(AlertQuestion).where(under_way, AlertQuestion.answer.is_(None))
    in_order = waiting.order_by(AlertQuestion.asked_at_ms, AlertQuestion.table_id, AlertQuestion.seq)
    with database.read() as connection:
        questions = connection.execute(in_order).all()
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
            seat = Seat.from_letter(row.seat)
            found.append(make_object(QuestionInfo, row, seat=seat, dealer=board.board.dealer, calls=calls))
    return found


def _load_boards(connection: Connection, wanted: ColumnElement[bool]) -> list[tuple[int, LiveBoard]]:
    """Load the attempts that meet a condition on them, their table and their match, with the table id."""
    query = (
        _of_attempts(BoardAttempt, BoardRow.dealer, BoardRow.vulnerability, DealRow.hands)
        .add_columns(ResultRow.tricks, ResultRow.score_ns)
        .join(DealRow)
        .outerjoin(ResultRow, same_attempt(ResultRow, BoardAttempt))
        .where(wanted)
        .order_by(BoardAttempt.table_id, BoardAttempt.began_at_ms, BoardAttempt.attempt)
    )
    # In this order, so that an attempt read as ended has all its calls and cards.
    attempts = connection.execute(query).all()
    calls: defaultdict[tuple[int, ...], list[CallMade]] = defaultdict(list)
    cards: defaultdict[tuple[int, ...], list[CardPlayed]] = defaultdict(list)
    keys = [_key(row) for row in attempts]
    is_about = same_attempt(AlertQuestion, CallRow) & (AlertQuestion.seq == CallRow.seq)
    said = select(*CALL_READ, AlertQuestion.answer).outerjoin(AlertQuestion, is_about)
    for key, (*call, answer) in _rows_of(connection, said, CallRow, keys):
        calls[key].append(read_call(*call, answer=answer))
    for key, row in _rows_of(connection, select(*CARD_READ), CardRow, keys):
        cards[key].append(read_card(*row))
    return [(row.table_id, _live_board(row, calls[_key(row)], cards[_key(row)])) for row in attempts]


def _rows_of(
    connection: Connection,
    query: AnySelect,
    model: type[CallRow] | type[CardRow],
    keys: Sequence[tuple[int, ...]],
) -> Iterator[tuple[tuple[int, ...], Sequence[Any]]]:  # what any columns hold
    """Yield the key of the attempt and the columns of calls or cards of attempts, each attempt's in order.

    A join would read those of all boards that a table has played.
    """
    for start in range(0, len(keys), _KEYS_MAX):
        some = keys[start : start + _KEYS_MAX]
        wanted = values(*(column(name, Integer) for name in ATTEMPT), name="wanted").data(some).cte("wanted")
        is_wanted = and_(*(model.__table__.c[name] == wanted.c[name] for name in ATTEMPT))
        found = query.join(wanted, is_wanted).add_columns(*wanted.c).order_by(model.seq)
        for *values_, table_id, board, attempt in connection.execute(found):
            yield (table_id, board, attempt), values_


def _of_attempts(model: type[BoardAttempt] | type[AlertQuestion], *more: Any) -> AnySelect:
    """Select rows that belong to attempts, joined with the attempt, its table, its match and its board."""
    query = select(*model.__table__.c, *more).select_from(model)
    if model is not BoardAttempt:
        query = query.join(BoardAttempt)
    return (
        query.join(TableRow)
        .join(Match)
        .join(BoardRow, (BoardRow.board_set_id == Match.board_set_id) & (BoardRow.number == BoardAttempt.board))
    )


def _key(row: AnyRow) -> tuple[int, ...]:
    """Return the key of an attempt."""
    return row.table_id, row.board, row.attempt


def _live_board(row: AnyRow, calls: list[CallMade], cards: list[CardPlayed]) -> LiveBoard:
    board = Board(row.board, Seat.from_letter(row.dealer), row.vulnerability, parse_deal(row.hands))
    return make_object(LiveBoard, row, board=board, calls=tuple(calls), cards=tuple(cards))


# How fast boards are played


@dataclass(frozen=True, slots=True)
class BoardTimes:
    """The newest attempt at a board of a table."""

    began_at_ms: int
    ended_at_ms: int | None
    is_final: bool
    """Whether the board is not played again."""


def load_board_times(database: Database, table_ids: Collection[int]) -> dict[int, dict[int, BoardTimes]]:
    """Load the boards that tables have begun, by the id of the table and the number of the board."""
    query = select(BoardAttempt).where(one_of(BoardAttempt.table_id, table_ids)).order_by(BoardAttempt.attempt)
    found: defaultdict[int, dict[int, BoardTimes]] = defaultdict(dict)
    for row in load_rows(database, query):
        found[row.table_id][row.board] = BoardTimes(row.began_at_ms, row.ended_at_ms, row.final)
    return found


# Who sat at tables when


def _of_tables(table_ids: Iterable[int], *columns: ColumnElement[Any]) -> AnySelect:
    """Select the connections that have had a seat at tables, in the order of time: table, seat and other columns."""
    return (
        select(ConnectionRow.table_id, ConnectionRow.seat, *columns)
        .where(one_of(ConnectionRow.table_id, table_ids))
        .order_by(ConnectionRow.table_attempt, ConnectionRow.connection)
    )


class SeatRecord(NamedTuple):
    """A seat that was taken, under a name."""

    seat: Seat
    name: str
    at_ms: int


def load_seated(database: Database, table_ids: Iterable[int]) -> dict[int, list[SeatRecord]]:
    """Load who took the seats of tables, in the order of time, by id of the table."""
    query = _of_tables(table_ids, ConnectionRow.team, ConnectionRow.seated_at_ms)
    seated: defaultdict[int, list[SeatRecord]] = defaultdict(list)
    for table_id, seat, team, seated_at_ms in load_rows(database, query):
        seated[table_id].append(SeatRecord(Seat.from_letter(seat), team, seated_at_ms))
    return dict(seated)


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
    attempts = (
        select(BoardAttempt.table_id, BoardAttempt.board, BoardAttempt.began_at_ms, BoardAttempt.final)
        .where(one_of(BoardAttempt.table_id, ids))
        .order_by(BoardAttempt.began_at_ms, BoardAttempt.attempt)
    )
    sat = _of_tables(
        ids, ConnectionRow.team, ConnectionRow.peer, ConnectionRow.seated_at_ms, ConnectionRow.left_at_ms
    )
    with database.read() as connection:
        found: dict[int, BoardHolders] = {}
        began_at_ms: dict[tuple[int, int], int] = {}
        for table_id, board, at_ms, is_final in connection.execute(attempts):
            # A void board has the same cards as when it was begun first.
            began_at_ms.setdefault((table_id, board), at_ms)
            if is_final:
                found.pop(table_id, None)
            else:
                found[table_id] = BoardHolders(board, [])
        next_at_ms: dict[tuple[int, str], int] = {}
        """When the seat was taken again: whoever was killed with its table's host has left no word of leaving."""
        for row in reversed(connection.execute(sat).all()):  # the newest first
            ended_at_ms = row.left_at_ms or next_at_ms.get((row.table_id, row.seat))
            next_at_ms[row.table_id, row.seat] = row.seated_at_ms
            on_board = found.get(row.table_id)
            if on_board is None:
                continue
            if ended_at_ms is None or ended_at_ms >= began_at_ms[row.table_id, on_board.board]:
                on_board.holders.append((Seat.from_letter(row.seat), row.team, row.peer))
    return found


class SeatUse(NamedTuple):
    """The newest connection that had a seat."""

    table_attempt: int
    connection: int
    """Its number at that attempt."""
    has_left: bool


def load_seat_uses(database: Database, table_ids: Iterable[int]) -> dict[tuple[int, Seat], SeatUse]:
    """Load who had the seats of tables last, by id of the table and seat."""
    query = _of_tables(table_ids, ConnectionRow.table_attempt, ConnectionRow.connection, ConnectionRow.left_at_ms)
    return {
        (table_id, Seat.from_letter(seat)): SeatUse(table_attempt, connection, left_at_ms is not None)
        for table_id, seat, table_attempt, connection, left_at_ms in load_rows(database, query)
    }


def count_boards_begun(database: Database, table_ids: Iterable[int]) -> dict[int, int]:
    """Count the boards begun at tables, each as often as it was begun; tables without any are left out."""
    query = (
        select(BoardAttempt.table_id, func.count())
        .where(one_of(BoardAttempt.table_id, table_ids))
        .group_by(BoardAttempt.table_id)
    )
    return dict(iter(load_rows(database, query)))
