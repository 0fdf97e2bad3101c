"""What a protocol record is in the database, both ways: its own columns, without its attempt and the hashes.

Values are in the order of the names of their columns, which hashes are over as well (`hash_chain`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Integer,
    and_,
    bindparam,
    column,
    func,
    select,
    type_coerce,
    values,
)
from sqlalchemy.types import NULLTYPE

from tourney.bridge import Result, Seat, parse_call, parse_card
from tourney.protocol.session.records import BoardBegan, BoardEnded, CallMade, CardPlayed, MeasuredDelay
from tourney.store.db.queries import AnySelect, Prepared
from tourney.store.models import (
    ATTEMPT,
    AlertQuestion,
    AttemptKey,
    CallRow,
    CardRow,
    NetworkDelay,
    OfAction,
    of_attempt,
    same_attempt,
)
from tourney.store.record.hash_chain import CARD, END

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


CALL_READ: Final = ("seq", "seat", "call", "alerted", "alert", "thinking_ms", "at_ms", "substituted")
"""The columns that `read_call` takes, in this order."""


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
    """Return a call from the columns `CALL_READ`; what the operator has answered counts as said by the player."""
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
    """Return a card from the columns `CARD` as they are stored."""
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


# Calls and cards of attempts

_KEYS_MAX: Final = 1000
"""Keys of attempts in one statement, three values each; SQLite takes 32,766 values."""


def raw_column(of_table: Column[Any]) -> ColumnElement[Any]:
    """Return a column as the driver gives it, under its name."""
    return type_coerce(of_table, NULLTYPE).label(of_table.key)


def _select_raw(model: type[OfAction], names: tuple[str, ...]) -> AnySelect:
    return select(*map(raw_column, model.__table__.c[names]))


_CALLS: Final = (
    _select_raw(CallRow, CALL_READ)
    .add_columns(AlertQuestion.answer)
    .outerjoin(AlertQuestion, same_attempt(AlertQuestion, CallRow) & (AlertQuestion.seq == CallRow.seq))
)
_CARDS: Final = _select_raw(CardRow, CARD)
_DELAY_READ: Final = ("is_card", "seq", "own_ms", "delay_ms", "allowed_ms")


def load_calls(
    connection: Connection, keys: Sequence[AttemptKey], *, as_answered: bool
) -> defaultdict[AttemptKey, list[CallMade]]:
    """Load the calls of attempts in their order.

    Args:
        connection: the record.
        keys: of the attempts.
        as_answered: whether what the operator has answered counts as said by the player.
    """
    calls: defaultdict[AttemptKey, list[CallMade]] = defaultdict(list)
    for key, (*call, answer) in _iter_rows(connection, _CALLS, CallRow, keys):
        calls[key].append(read_call(key[1], *call, answer=answer if as_answered else None))
    return calls


def load_cards(connection: Connection, keys: Sequence[AttemptKey]) -> defaultdict[AttemptKey, list[CardPlayed]]:
    """Load the cards of attempts in their order."""
    cards: defaultdict[AttemptKey, list[CardPlayed]] = defaultdict(list)
    for key, card in _iter_rows(connection, _CARDS, CardRow, keys):
        cards[key].append(read_card(key[1], *card))
    return cards


def add_delays(
    connection: Connection, key: AttemptKey, made: Iterable[CallMade | CardPlayed]
) -> Iterator[CallMade | CardPlayed]:
    """Yield calls and cards of an attempt with the delays of the network that are on record of them."""
    found = select(*NetworkDelay.__table__.c[_DELAY_READ]).filter_by(**of_attempt(key))
    delays = {(is_card, seq): MeasuredDelay(*times) for is_card, seq, *times in connection.execute(found)}
    for record in made:
        delay = delays.get((isinstance(record, CardPlayed), record.seq))
        yield replace(record, delay=delay) if delay is not None else record


def _iter_rows(
    connection: Connection, query: AnySelect, model: type[OfAction], keys: Sequence[AttemptKey]
) -> Iterator[tuple[AttemptKey, Sequence[Any]]]:  # what any columns hold
    """Yield the key of the attempt and the columns of calls or cards of attempts, each attempt's in order.

    A join would read those of all boards that a table has played.
    """
    for start in range(0, len(keys), _KEYS_MAX):
        some = keys[start : start + _KEYS_MAX]
        wanted = values(*(column(name, Integer) for name in ATTEMPT), name="wanted").data(some).cte("wanted")
        is_wanted = and_(*(model.__table__.c[name] == wanted.c[name] for name in ATTEMPT))
        found = query.join(wanted, is_wanted).add_columns(*wanted.c).order_by(model.seq)
        for *row, table_id, board, attempt in connection.execute(found):
            yield (table_id, board, attempt), row


# All calls or cards of a table

Columns: TypeAlias = Sequence[tuple[Any, ...]]
"""Calls or cards of one attempt, of which there are most by far: the values of each column, in the order of the rows.

Empty where the attempt has none.
"""


class AttemptColumns:
    """Loads columns of the calls or cards of a table, attempt by attempt, as the driver gives them."""

    def __init__(self, model: type[OfAction], names: tuple[str, ...]) -> None:
        table = model.__table__
        is_of_table, attempt = table.c.table_id == bindparam("key"), (table.c.board, table.c.attempt)
        rows = _select_raw(model, names).where(is_of_table).order_by(*table.primary_key)
        self._rows: Final = Prepared(rows, ("key",))
        counts = select(*attempt, func.count()).where(is_of_table).group_by(*attempt).order_by(*attempt)
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
