"""What a protocol record is in the database, both ways: its own columns, without its attempt and the hashes.

Values are in the order of the names of their columns, which hashes are over as well (`hash_chain`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from sqlalchemy import Column, ColumnElement, Connection, bindparam, func, select, type_coerce
from sqlalchemy.types import NULLTYPE

from tourney.bridge import Result, Seat, parse_call, parse_card
from tourney.protocol.session.records import BoardBegan, BoardEnded, CallMade, CardPlayed
from tourney.store.db.queries import Prepared
from tourney.store.models import CallRow, CardRow
from tourney.store.record.hash_chain import END

BEGAN: Final = ("table_attempt", "began_at_ms", *END)
"""The columns of an attempt as it begins."""


def began_values(record: BoardBegan, table_attempt: int) -> tuple[Any, ...]:
    """Return the values of the columns `BEGAN` of an attempt at a board as it begins, in an attempt at its table."""
    return table_attempt, record.at_ms, None, None, "", False, None


def call_values(record: CallMade) -> tuple[Any, ...]:
    """Return the values of the columns `CALL`: of a call and of the meaning that was said with it."""
    alert = meaning_json = findings = None
    if record.alert:
        # Only the writer of a record needs these, and every command that reads one loads this module.
        from tourney.protocol.alerts import meaning_to_json, parse_alert  # noqa: PLC0415

        alert, meaning = record.alert, parse_alert(record.alert)
        meaning_json, findings = meaning_to_json(meaning), "\n".join(meaning.findings) or None
    said = (record.seq, record.seat.letter, str(record.call), record.alerted, alert, meaning_json, findings)
    return (*said, record.thinking_ms, record.at_ms, record.substituted)


def card_values(record: CardPlayed) -> tuple[int, str, str, int, int, bool]:
    """Return the values of the columns `CARD`."""
    seat, card = record.seat.letter, str(record.card)
    return record.seq, seat, card, record.thinking_ms, record.at_ms, record.substituted


CALL_READ: Final = (
    *(CallRow.board, CallRow.seq, CallRow.seat, CallRow.call, CallRow.alerted, CallRow.alert),
    *(CallRow.thinking_ms, CallRow.at_ms, CallRow.substituted),
)
"""What `read_call` takes, in this order."""

CARD_READ: Final = (
    *(CardRow.board, CardRow.seq, CardRow.seat, CardRow.card),
    *(CardRow.thinking_ms, CardRow.at_ms, CardRow.substituted),
)
"""What `read_card` takes, in this order."""


def read_call(
    board: int,
    seq: int,
    seat: str,
    call: str,
    alerted: int,
    alert: str | None,
    thinking_ms: int,
    at_ms: int,
    substituted: int,
    *,
    answer: str | None = None,
) -> CallMade:
    """Return a call from its columns; what the operator has answered counts as said by the player."""
    return CallMade(
        board=board,
        seq=seq,
        seat=Seat.from_letter(seat),
        call=parse_call(call),
        alert=answer or alert or "",
        alerted=True if answer else bool(alerted),
        thinking_ms=thinking_ms,
        at_ms=at_ms,
        substituted=bool(substituted),
    )


def read_card(
    board: int, seq: int, seat: str, card: str, thinking_ms: int, at_ms: int, substituted: int
) -> CardPlayed:
    """Return a card from its columns."""
    return CardPlayed(
        board=board,
        seq=seq,
        seat=Seat.from_letter(seat),
        card=parse_card(card),
        thinking_ms=thinking_ms,
        at_ms=at_ms,
        substituted=bool(substituted),
    )


def ended_values(record: BoardEnded) -> tuple[Any, ...]:
    """Return the values of the columns `END` of an attempt that has ended."""
    fault = record.fault.letter if record.fault is not None else None
    return record.at_ms, record.end.value, record.reason, record.end.is_final, fault


def result_values(record: BoardEnded, result: Result) -> tuple[Any, ...]:
    """Return the values of the columns `RESULT` of what an attempt came to."""
    contract = result.contract
    played = (str(contract), contract.declarer.letter, result.tricks) if contract else ("Pass", None, None)
    return (*played, result.score, record.ns_ms, record.ew_ms, record.at_ms, record.tm_ms)


# All calls or cards of a table

AttemptKey: TypeAlias = tuple[int, int, int]
"""Table, board and attempt."""

Columns: TypeAlias = Sequence[tuple[Any, ...]]
"""Calls or cards of one attempt, of which there are most by far: the values of each column, in the order of the rows.

Empty where the attempt has none.
"""


def raw_column(column: Column[Any]) -> ColumnElement[Any]:
    """Return a column as the driver gives it, under its name."""
    return type_coerce(column, NULLTYPE).label(column.key)


class AttemptColumns:
    """Loads columns of the calls or cards of a table, attempt by attempt, as the driver gives them."""

    def __init__(self, model: type[CallRow] | type[CardRow], names: Iterable[str]) -> None:
        table = model.__table__
        is_of_table, of_attempt = table.c.table_id == bindparam("key"), (table.c.board, table.c.attempt)
        columns = [raw_column(table.c[name]) for name in names]
        rows = select(*columns).where(is_of_table).order_by(*table.primary_key)
        self._rows: Final = Prepared(rows, ("key",))
        counts = select(*of_attempt, func.count()).where(is_of_table).group_by(*of_attempt).order_by(*of_attempt)
        self._counts: Final = Prepared(counts, ("key",))

    def load(self, connection: Connection, table_id: int) -> Iterator[tuple[AttemptKey, Columns]]:
        """Yield the columns of each attempt that has any.

        Rows are counted apart, for one is read in three quarters of the time without the key of its attempt.
        """
        columns = list(zip(*self._rows.run(connection, (table_id,)), strict=True))
        first = 0
        for board, attempt, count in self._counts.run(connection, (table_id,)):
            its = slice(first, first + count)
            yield (table_id, board, attempt), [values[its] for values in columns]
            first = its.stop
