"""The boards of an event, set by set, as they were drawn."""

from collections.abc import Iterator

from sqlalchemy import Connection, exists, select

from tourney.bridge import Board, Seat, parse_deal
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, BoardRow, BoardSet, DealRow, Match, TableRow


def load_boards(connection: Connection, board_set_id: int) -> tuple[Board, ...]:
    """Load the boards of a set, in the order of play."""
    query = (
        select(BoardRow.number, BoardRow.dealer, BoardRow.vulnerability, DealRow.hands)
        .join(DealRow, DealRow.id == BoardRow.deal_id)
        .where(BoardRow.board_set_id == board_set_id)
        .order_by(BoardRow.position)
    )
    return tuple(
        Board(row.number, Seat.from_letter(row.dealer), row.vulnerability, parse_deal(row.hands))
        for row in connection.execute(query)
    )


def iter_event_boards(database: Database, event_id: int) -> Iterator[tuple[str, Board]]:
    """Load every board of an event with the name of its set: sets in the order of the draw, boards in that of play.

    Raises:
        StoreError: the database cannot be used.
    """
    query = (
        select(BoardSet.name, BoardRow.number, BoardRow.dealer, BoardRow.vulnerability, DealRow.hands)
        .join(BoardRow, BoardRow.board_set_id == BoardSet.id)
        .join(DealRow, DealRow.id == BoardRow.deal_id)
        .where(BoardSet.event_id == event_id)
        .order_by(BoardSet.id, BoardRow.position)
    )
    with database.read() as connection:
        for row in connection.execute(query):
            deal = parse_deal(row.hands)
            yield row.name, Board(row.number, Seat.from_letter(row.dealer), row.vulnerability, deal)


def is_begun(database: Database, event_id: int) -> bool:
    """Whether a board of the event has been begun at any table.

    Raises:
        StoreError: the database cannot be used.
    """
    begun = (
        select(BoardAttempt.table_id)
        .join(TableRow, TableRow.id == BoardAttempt.table_id)
        .join(Match, Match.id == TableRow.match_id)
        .where(Match.event_id == event_id)
    )
    with database.read() as connection:
        return bool(connection.scalar(select(exists(begun))))


def is_round_begun(database: Database, round_id: int) -> bool:
    """Whether a board of a round has been begun at any table, or its programs have been let in.

    Raises:
        StoreError: the database cannot be used.
    """
    begun = (
        select(TableRow.id)
        .join(Match, Match.id == TableRow.match_id)
        .where(Match.round_id == round_id, TableRow.attempt > 0)
    )
    with database.read() as connection:
        return bool(connection.scalar(select(exists(begun))))
