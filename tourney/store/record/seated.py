"""Who sat at tables when, by the record of connections."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select

from tourney.bridge import Seat
from tourney.store.db.database import Database
from tourney.store.db.queries import AnySelect, load_rows, one_of
from tourney.store.models import BoardAttempt, ConnectionRow


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
    """Load who took the seats of tables, in the order of time, by id of the table.

    Raises:
        StoreError: the database cannot be used.
    """
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

    Raises:
        StoreError: the database cannot be used.
    """
    ids = list(table_ids)
    attempts = (
        select(BoardAttempt.table_id, BoardAttempt.board, BoardAttempt.final)
        .where(one_of(BoardAttempt.table_id, ids))
        .order_by(BoardAttempt.began_at_ms, BoardAttempt.attempt)
    )
    sat = _of_tables(
        ids, ConnectionRow.team, ConnectionRow.peer, ConnectionRow.seated_at_ms, ConnectionRow.left_at_ms
    )
    with database.read() as connection:
        # A void board has the same cards as when it was begun first.
        began_at_ms: dict[tuple[int, int], int] = {
            (row.table_id, row.board): row.first
            for row in connection.execute(
                select(BoardAttempt.table_id, BoardAttempt.board, func.min(BoardAttempt.began_at_ms).label("first"))
                .where(one_of(BoardAttempt.table_id, ids))
                .group_by(BoardAttempt.table_id, BoardAttempt.board)
            )
        }
        newest = {row.table_id: row for row in connection.execute(attempts)}
        found = {table_id: BoardHolders(row.board, []) for table_id, row in newest.items() if not row.final}
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
    """Load who had the seats of tables last, by id of the table and seat.

    Raises:
        StoreError: the database cannot be used.
    """
    query = _of_tables(table_ids, ConnectionRow.table_attempt, ConnectionRow.connection, ConnectionRow.left_at_ms)
    return {
        (table_id, Seat.from_letter(seat)): SeatUse(table_attempt, connection, left_at_ms is not None)
        for table_id, seat, table_attempt, connection, left_at_ms in load_rows(database, query)
    }


def load_boards_begun(database: Database, table_ids: Iterable[int]) -> dict[int, int]:
    """Load how many boards have been begun at tables, each as often as it was; without tables where there is none.

    Raises:
        StoreError: the database cannot be used.
    """
    query = (
        select(BoardAttempt.table_id, func.count())
        .where(one_of(BoardAttempt.table_id, table_ids))
        .group_by(BoardAttempt.table_id)
    )
    return dict(iter(load_rows(database, query)))
