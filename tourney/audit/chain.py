"""Checks the rows of an attempt against their hash chain, and finds which row was changed after it was written."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tourney.audit.findings import AttemptRows, Fault, RowKind, attempt_fault
from tourney.store.record.audit import Cells
from tourney.store.record.hash_chain import (
    CALL,
    CARD,
    END,
    RESULT,
    chain_end,
    chain_start,
    follow_rows,
    hash_row,
)

_CHANGED: Final = "its chain does not fit: the row was changed after it was written"
_FIRST: Final = f"{_CHANGED}, or the deal of the board, or how the attempt began"
_CLOSING: Final = (
    "the chain of its end does not fit: its end or its result was changed after it was written, or rows are gone"
)


def check_chain(attempt: AttemptRows, begun: Cells, board_on_table: str) -> Iterator[Fault]:
    """Yield what does not fit the chain of an attempt, row by row.

    Args:
        attempt: its rows.
        begun: the row of the attempt itself.
        board_on_table: the `board_text` of its board as it is on record now.
    """
    key = attempt.key
    start = chain_start(
        *(key.table_id, key.board, key.attempt), begun["table_attempt"], begun["began_at_ms"], board_on_table
    )
    called = follow_rows(start, "call", attempt.calls, CALL)
    played = follow_rows(called, "card", attempt.cards, CARD) if called is not None else None
    if played is not None:
        yield from _check_closing(attempt, begun, (played,))
    else:
        yield from _check_rows(attempt, begun, start)


def _check_rows(attempt: AttemptRows, begun: Cells, start: str) -> Iterator[Fault]:
    """Check row by row, where not all are as the recorder would have written them."""
    # A row may continue from the hash stored in the row before it, or from the hash that should be there: this tells
    # a changed row from the rows that follow it.
    last: Sequence[str] = (start,)
    for kind, rows, columns in (
        (RowKind.CALL, attempt.call_cells, CALL),
        (RowKind.CARD, attempt.card_cells, CARD),
    ):
        for cells in rows:
            values, chain = [cells[name] for name in columns], cells["chain"]
            fits = [hash_row(before, kind.value, values) for before in last]
            if chain not in fits:
                yield Fault.in_row(kind, cells, _FIRST if last == (start,) else _CHANGED)
            last = (chain,) if chain in fits else (fits[0], *([chain] if isinstance(chain, str) else []))
    yield from _check_closing(attempt, begun, last)


def _check_closing(attempt: AttemptRows, begun: Cells, last: Iterable[str]) -> Iterator[Fault]:
    chain = begun["chain"]
    if begun["ended"] is None:
        return
    end = [begun[name] for name in END]
    result = [attempt.result[name] for name in RESULT] if attempt.result is not None else None
    if chain is None:
        yield attempt_fault("the chain of its end is gone, its rows are chained")
    elif chain not in [chain_end(before, end, result) for before in last]:
        yield attempt_fault(_CLOSING)
