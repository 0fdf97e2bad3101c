"""Chains of attempts in the database: continuing a chain, and closing one away from the table."""

from sqlalchemy import ColumnElement, Connection, FromClause, select, update

from tourney.store.models import BoardAttempt, BoardRow, CallRow, CardRow, DealRow, Match, ResultRow, TableRow
from tourney.store.record.hash_chain import END, RESULT, board_text, chain_end, chain_start


def load_board_texts(connection: Connection, table_id: int) -> dict[int, str]:
    """Load the text of each board of a table from which its chains start, by number."""
    query = (
        select(BoardRow.number, BoardRow.dealer, BoardRow.vulnerability, DealRow.hands)
        .join_from(BoardRow, DealRow)
        .join(Match, Match.board_set_id == BoardRow.board_set_id)
        .join(TableRow)
        .where(TableRow.id == table_id)
    )
    return {
        row.number: board_text(row.number, row.dealer, row.vulnerability.value, row.hands)
        for row in connection.execute(query)
    }


def load_last_chain(connection: Connection, table_id: int, board: int, attempt: int) -> str | None:
    """Load the hash from which the next row of an attempt continues, as when a host takes over a board.

    None if there is no such attempt, or if it began under a schema without chains: such an attempt never has one.
    """
    of_attempt = {"table_id": table_id, "board": board, "attempt": attempt}
    for table in (CardRow.__table__, CallRow.__table__):
        last = select(table.c.chain).where(*_are(table, of_attempt)).order_by(table.c.seq.desc()).limit(1)
        found = connection.execute(last).one_or_none()
        if found is not None:
            chain: str | None = found.chain
            return chain
    attempts = BoardAttempt.__table__
    began = connection.execute(select(*attempts.c).where(*_are(attempts, of_attempt))).one_or_none()
    text = load_board_texts(connection, table_id).get(board)
    if began is None or text is None:
        return None
    return chain_start(table_id, board, attempt, began.table_attempt, began.began_at_ms, text)


def close_chain(connection: Connection, table_id: int, board: int, attempt: int) -> None:
    """Close the chain of an attempt with its row and result as they are now, replacing an earlier closing hash.

    Use it if something other than the recorder changes how an attempt ended, such as the director's order.
    """
    before = load_last_chain(connection, table_id, board, attempt)
    if before is None:
        return
    of_attempt = {"table_id": table_id, "board": board, "attempt": attempt}
    attempts, results = BoardAttempt.__table__, ResultRow.__table__
    end = connection.execute(select(*[attempts.c[name] for name in END]).where(*_are(attempts, of_attempt))).one()
    result = connection.execute(
        select(*[results.c[name] for name in RESULT]).where(*_are(results, of_attempt))
    ).one_or_none()
    connection.execute(
        update(BoardAttempt).where(*_are(attempts, of_attempt)).values(chain=chain_end(before, end, result))
    )


def _are(table: FromClause, values: dict[str, int]) -> list[ColumnElement[bool]]:
    """Return the conditions that the columns of a table have these values."""
    return [table.c[name] == value for name, value in values.items()]
