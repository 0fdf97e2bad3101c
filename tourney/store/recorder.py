"""What tables put on record: protocol records to rows, many in one transaction.

A batch may hold records of several tables; the order within a table is kept. Everything a batch holds is durable when
`write` returns, or none of it is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, update

from tourney.protocol.bluechip.alert_json import meaning_to_json
from tourney.protocol.bluechip.alerts import parse_alert
from tourney.protocol.records import (
    BoardBegan,
    BoardEnded,
    CallMade,
    CardPlayed,
    SeatLeft,
    SeatTaken,
    TableRecord,
)
from tourney.store.database import Database
from tourney.store.models import (
    BoardAttempt,
    CallRow,
    CardRow,
    ResultRow,
    TableState,
)
from tourney.store.models import Connection as ConnectionRow
from tourney.store.tables import check_attempts, set_table_state


@dataclass(slots=True)
class TableLedger:
    """Whose records these are: a table, the attempt at it, and how often each board has been begun."""

    table_id: int
    attempt: int
    board_attempts: dict[int, int] = field(default_factory=dict)
    boards_left: int = 0
    """Boards without a result; the table is finished when none is left."""


class Recorder:
    """Writes batches of records."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, batch: Iterable[tuple[TableLedger, TableRecord]]) -> None:
        """Put a batch on record.

        Raises:
            StoreError: nothing of the batch was written, or a table has been given to another host since; its
                ledgers have moved on all the same and are of no more use.
        """
        records = list(batch)
        with self._database.write() as connection:
            check_attempts(connection, {ledger.table_id: ledger.attempt for ledger, _ in records})
            pending = _Pending(connection)
            for ledger, record in records:
                _add(pending, ledger, record)
            pending.flush()


class _Pending:
    """Rows of one kind after the other go into one statement; another kind, or an update, ends the run."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._model: type | None = None
        self._rows: list[dict[str, Any]] = []

    def add(self, model: type, row: dict[str, Any]) -> None:
        if model is not self._model:
            self.flush()
            self._model = model
        self._rows.append(row)

    def flush(self) -> None:
        if self._rows and self._model is not None:
            self.connection.execute(insert(self._model), self._rows)
        self._rows = []


def _add(pending: _Pending, ledger: TableLedger, record: TableRecord) -> None:
    match record:
        case CallMade():
            pending.add(CallRow, _call_row(ledger, record))
        case CardPlayed():
            pending.add(
                CardRow,
                _place(ledger, record.board)
                | {
                    "seq": record.seq,
                    "seat": record.seat.letter,
                    "card": str(record.card),
                    "thinking_ms": record.thinking_ms,
                    "at_ms": record.at_ms,
                },
            )
        case BoardBegan():
            ledger.board_attempts[record.board] = ledger.board_attempts.get(record.board, 0) + 1
            pending.add(
                BoardAttempt,
                _place(ledger, record.board)
                | {
                    "table_attempt": ledger.attempt,
                    "began_at_ms": record.at_ms,
                    "ended_at_ms": None,
                    "ended": None,
                    "reason": "",
                },
            )
            pending.flush()
            set_table_state(pending.connection, ledger.table_id, ledger.attempt, TableState.PLAYING, record.at_ms)
        case BoardEnded():
            _end_board(pending, ledger, record)
        case SeatTaken():
            pending.add(ConnectionRow, _connection_row(ledger, record))
        case SeatLeft():
            pending.flush()
            pending.connection.execute(
                update(ConnectionRow)
                .where(
                    ConnectionRow.table_id == ledger.table_id,
                    ConnectionRow.table_attempt == ledger.attempt,
                    ConnectionRow.connection == record.connection,
                )
                .values(left_at_ms=record.at_ms, reason=record.reason)
            )


def _place(ledger: TableLedger, board: int) -> dict[str, Any]:
    return {"table_id": ledger.table_id, "board": board, "attempt": ledger.board_attempts[board]}


def _call_row(ledger: TableLedger, record: CallMade) -> dict[str, Any]:
    meaning = parse_alert(record.alert) if record.alert else None
    return _place(ledger, record.board) | {
        "seq": record.seq,
        "seat": record.seat.letter,
        "call": str(record.call),
        "alerted": record.alerted,
        "alert": record.alert or None,
        "meaning": meaning_to_json(meaning) if meaning else None,
        "findings": "\n".join(meaning.findings) or None if meaning else None,
        "thinking_ms": record.thinking_ms,
        "at_ms": record.at_ms,
    }


def _end_board(pending: _Pending, ledger: TableLedger, record: BoardEnded) -> None:
    result, place = record.result, _place(ledger, record.board)
    pending.flush()
    pending.connection.execute(
        update(BoardAttempt)
        .where(
            BoardAttempt.table_id == ledger.table_id,
            BoardAttempt.board == record.board,
            BoardAttempt.attempt == place["attempt"],
        )
        .values(ended_at_ms=record.at_ms, ended=record.end, reason=record.reason)
    )
    if result is None:
        return
    contract = result.contract
    pending.add(
        ResultRow,
        place
        | {
            "contract": str(contract) if contract else "Pass",
            "declarer": contract.declarer.letter if contract else None,
            "tricks": result.tricks if contract else None,
            "score_ns": result.score,
            "ns_ms": record.ns_ms,
            "ew_ms": record.ew_ms,
            "at_ms": record.at_ms,
        },
    )
    ledger.boards_left -= 1
    if ledger.boards_left == 0:
        pending.flush()
        set_table_state(pending.connection, ledger.table_id, ledger.attempt, TableState.FINISHED, record.at_ms)


def _connection_row(ledger: TableLedger, record: SeatTaken) -> dict[str, Any]:
    return {
        "table_id": ledger.table_id,
        "table_attempt": ledger.attempt,
        "connection": record.connection,
        "seat": record.seat.letter,
        "team": record.team[:200],
        "version": record.version,
        "system": record.system,
        "peer": record.peer[:200],
        "seated_at_ms": record.at_ms,
        "left_at_ms": None,
        "reason": "",
    }
