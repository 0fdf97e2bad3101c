"""Results of boards as they are on record."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlalchemy import Connection, exists, func, select

from tourney.bridge import Contract, Result, Seat, Side, Strain
from tourney.store.db.database import Database
from tourney.store.db.queries import AnyRow, AnySelect, one_of
from tourney.store.db.transactions import reading
from tourney.store.models import BoardAttempt, CallRow, CardRow, ResultRow, same_attempt

_CONTRACT: Final = re.compile(r"([1-7])(C|D|H|S|NT)(X{0,2})")


_STRAINS: Final = {strain.letters: strain for strain in Strain}


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of a board at one table, with the thinking time of both sides and the table's own share."""

    board: int
    result: Result
    times_ms: dict[Side, int]
    tm_ms: int = 0


def load_forfeited_times(
    store: Database | Connection, table_ids: Iterable[int]
) -> dict[tuple[int, int], dict[Side, int]]:
    """Load the thinking time on the forfeited boards of tables: that of all their calls and cards.

    Args:
        store: the database, or a transaction.
        table_ids: the tables.

    Returns:
        The milliseconds of both sides, by id of the table and number of the board.
    """
    times_ms = defaultdict[tuple[int, int], dict[Side, int]](lambda: dict.fromkeys(Side, 0))
    has_result = exists().where(same_attempt(ResultRow, BoardAttempt)).correlate(BoardAttempt)
    forfeited = (one_of(BoardAttempt.table_id, table_ids), BoardAttempt.final, ~has_result)
    with reading(store) as connection:
        for model in (CallRow, CardRow):
            columns = select(BoardAttempt.table_id, BoardAttempt.board, model.seat, func.sum(model.thinking_ms))
            found = columns.join(model, same_attempt(model, BoardAttempt)).where(*forfeited)
            grouped = found.group_by(BoardAttempt.table_id, BoardAttempt.board, model.seat)
            for table_id, board, seat, sum_ms in connection.execute(grouped):
                times_ms[table_id, board][seat.side] += int(sum_ms)
    return dict(times_ms)


def attempt_result(row: AnyRow) -> BoardResult | None:
    """Return the result of an attempt at a board (`SELECT_ATTEMPTS`); None if it has none."""
    return board_result(row) if row.contract is not None else None


def board_result(row: AnyRow) -> BoardResult:
    """Return the result of a row of results."""
    contract = parse_stored_contract(row.contract, row.declarer)
    result = Result(contract, row.tricks or 0, row.score_ns)
    return BoardResult(row.board, result, {Side.NS: row.ns_ms, Side.EW: row.ew_ms}, row.tm_ms)


@lru_cache(maxsize=1024)  # of 420 there are
def parse_stored_contract(text: str, declarer: Seat | None) -> Contract | None:
    """Parse the contract and the declarer of a result; None if it was passed out, or they are none."""
    found = _CONTRACT.fullmatch(text)
    if found is None or declarer is None:
        return None
    level, strain, doubles = found.groups()
    return Contract(int(level), _STRAINS[strain], len(doubles), declarer)


SELECT_ATTEMPTS: Final[AnySelect] = select(
    BoardAttempt, *(column for column in ResultRow.__table__.c if column.key not in BoardAttempt.__table__.c)
).outerjoin_from(BoardAttempt, ResultRow, same_attempt(ResultRow, BoardAttempt))
"""Attempts at boards, with the results of those that have one."""
