"""Checks the rows of an attempt against their hash chain, and finds which row was changed after it was written."""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

from tourney.audit.findings import AttemptRows, Fault, RowKind, attempt_fault
from tourney.store.record.audit import Cells
from tourney.store.record.hash_chain import CALL, CARD, END, RESULT, chain_end, chain_start, hash_row

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
    place = (attempt.table_id, attempt.board, attempt.number)
    start = chain_start(*place, begun["table_attempt"], begun["began_at_ms"], board_on_table)
    # A row may continue from the hash stored in the row before it, or from the hash that should be there: this tells
    # a changed row from the rows that follow it.
    last: Sequence[str] = (start,)
    for kind, rows, columns in (
        (RowKind.CALL, attempt.calls, CALL),
        (RowKind.CARD, attempt.cards, CARD),
    ):
        for cells in rows:
            values, chain = itemgetter(*columns)(cells), cells["chain"]
            fits = [hash_row(before, kind.value, values) for before in last]
            if chain not in fits:
                yield Fault.in_row(kind, cells, _FIRST if last == (start,) else _CHANGED)
            last = (chain,) if chain in fits else (fits[0], *([chain] if isinstance(chain, str) else []))
    chain = begun["chain"]
    if begun["ended"] is None:
        return
    end = [begun[name] for name in END]
    result = [attempt.result[name] for name in RESULT] if attempt.result is not None else None
    if chain is None:
        yield attempt_fault("the chain of its end is gone, its rows are chained")
    elif chain not in [chain_end(before, end, result) for before in last]:
        yield attempt_fault(_CLOSING)
