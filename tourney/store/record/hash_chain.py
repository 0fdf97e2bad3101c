"""The chain of a board attempt: a hash in every row over the row and the hash before, so that a later change shows.

The chain starts from the attempt as it began and the board as it lay on the table, goes through the calls, then
through the cards, each with its number, and is closed by how the attempt ended and what it came to. A hash is the
SHA-256, in hexadecimal, of a JSON array in ASCII without spaces: the hash before, what the row is, and its columns
in the order of the names below. These texts are kept for as long as events are: to change one is to make every
record look changed.

What may be changed later by rule (the operator's answers to alerts, rulings) is in rows of its own and not covered. A
hash has no key: whoever changes a row and works out every hash after it anew is not found out by the chain alone.
"""

from collections.abc import Iterable
from hashlib import sha256
from json.encoder import c_make_encoder  # type: ignore[attr-defined] # that of Python's own interpreter
from json.encoder import encode_basestring_ascii as quote
from typing import Final

from sqlalchemy import Connection, Enum, Text, select, type_coerce, update

from tourney.store.db.queries import AnySelect
from tourney.store.draw.tables import SELECT_BOARDS
from tourney.store.models import (
    AttemptKey,
    BoardAttempt,
    CallRow,
    CardRow,
    Match,
    Model,
    ResultRow,
    TableRow,
    of_attempt,
)

CALL: Final = (
    *("seq", "seat", "call", "alerted", "alert", "meaning", "findings"),
    *("thinking_ms", "at_ms", "substituted"),
)
"""The columns of a call that its hash covers."""

CARD: Final = ("seq", "seat", "card", "thinking_ms", "at_ms", "substituted")
"""The columns of a card that its hash covers."""

END: Final = ("ended_at_ms", "ended", "reason", "final", "fault")
"""The columns of an attempt that its closing hash covers, besides those of the result."""

RESULT: Final = ("contract", "declarer", "tricks", "score_ns", "ns_ms", "ew_ms", "at_ms", "tm_ms")
"""The columns of a result that the closing hash of its attempt covers."""

_encode: Final = c_make_encoder(None, repr, quote, None, ":", ",", False, False, True)  # noqa: FBT003 # of C
"""Return a value as JSON in parts, as a `JSONEncoder` does that would be made anew for each value.

A value that no row of ours holds, such as bytes in the place of a text, is told by how it is printed.
"""


def board_text(number: int, dealer: str, vulnerability: str, hands: str, makes: str | None) -> str:
    """Return a board as a chain starts from it, in the words of its columns."""
    return f"{number} {dealer} {vulnerability} {hands}{'' if makes is None else f' {makes}'}"


def chain_start(
    table_id: int, board: int, attempt: int, table_attempt: int, began_at_ms: int, board_on_table: str
) -> str:
    """Return the hash that the first row of an attempt goes on from; it is in no row.

    Args:
        table_id: the table.
        board: the board's number.
        attempt: which try at it.
        table_attempt: which attempt at the table began it.
        began_at_ms: when, milliseconds since 1970 UTC.
        board_on_table: its `board_text`.
    """
    return hash_row("tourney 1", "begin", (table_id, board, attempt, table_attempt, began_at_ms, board_on_table))


def chain_end(before: str, end: Iterable[object], result: Iterable[object] | None) -> str:
    """Return the hash that closes an attempt, from the columns `END` and, where there is one, `RESULT`."""
    return hash_row(before, "end", end_values(end, result))


def end_values(end: Iterable[object], result: Iterable[object] | None) -> tuple[object, ...]:
    """Return what the closing hash is over: the values of the columns `END`, and of `RESULT` or null."""
    return (*end, None if result is None else list(result))


def hash_row(before: str, what: str, values: Iterable[object]) -> str:
    """Return the hash of a row.

    Args:
        before: the hash before; where somebody has changed it, any text.
        what: the row is: `call`, `card` or `end`.
        values: of the columns `CALL` or `CARD`, or `end_values`.
    """
    return sha256("".join(_encode((before, what, *values), 0)).encode("ascii")).hexdigest()


def load_board_texts(connection: Connection, table_id: int) -> dict[int, str]:
    """Load the text of each board of a table from which its chains start, by number."""
    query = SELECT_BOARDS.join(Match).join(TableRow)
    return {
        row.number: board_text(row.number, row.dealer.letter, row.vulnerability.value, row.hands, row.makes)
        for row in connection.execute(query.where(TableRow.id == table_id))
    }


def load_last_chain(connection: Connection, key: AttemptKey) -> str:
    """Load the hash from which the next row of an attempt continues, as when a host takes over a board."""
    for model in (CardRow, CallRow):
        last = select(model.chain).filter_by(**of_attempt(key)).order_by(model.seq.desc()).limit(1)
        found = connection.scalar(last)
        if found is not None:
            return found
    began = connection.execute(select(BoardAttempt).filter_by(**of_attempt(key))).one()
    text = load_board_texts(connection, began.table_id)[began.board]
    return chain_start(*key, began.table_attempt, began.began_at_ms, text)


def close_chain(connection: Connection, key: AttemptKey) -> None:
    """Close the chain of an attempt with its row and result as they are now, replacing an earlier closing hash.

    Use it if something other than the recorder changes how an attempt ended, such as the director's order.
    """
    place = of_attempt(key)
    end = connection.execute(_select_stored(BoardAttempt, END).filter_by(**place)).one()
    result = connection.execute(_select_stored(ResultRow, RESULT).filter_by(**place)).one_or_none()
    chain = chain_end(load_last_chain(connection, key), end, result)
    connection.execute(update(BoardAttempt).filter_by(**place).values(chain=chain))


def _select_stored(model: type[Model], names: tuple[str, ...]) -> AnySelect:
    """Select columns of a table, with words and letters as they are stored."""
    columns = model.__table__.c[names]
    return select(*(type_coerce(each, Text()) if isinstance(each.type, Enum) else each for each in columns))
