"""What tables put on record: protocol records to rows, many in one transaction.

A batch may hold records of several tables; the order within a table is kept. Everything a batch holds is durable when
`write` returns, or none of it is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, update

from tourney.bridge import Result, Side
from tourney.protocol.bluechip.alert_json import meaning_to_json
from tourney.protocol.bluechip.alerts import parse_alert
from tourney.protocol.records import (
    AlertAnswered,
    AlertAsked,
    BoardBegan,
    BoardEnded,
    CallMade,
    CardPlayed,
    Incident,
    Ruled,
    RulingKind,
    SeatLeft,
    SeatTaken,
    TableRecord,
)
from tourney.store.database import Database
from tourney.store.models import (
    AlertQuestion,
    BoardAttempt,
    CallRow,
    CardRow,
    IncidentRow,
    ResultRow,
    TableState,
)
from tourney.store.models import Connection as ConnectionRow
from tourney.store.rulings import save_ruling
from tourney.store.tables import check_attempts, set_table_state


@dataclass(slots=True)
class TableLedger:
    """Whose records these are: a table, the attempt at it, and how often each board has been begun."""

    table_id: int
    attempt: int
    board_attempts: dict[int, int] = field(default_factory=dict)
    boards_left: int = 0
    """Boards that are not over; the table is finished when none is left."""
    event_id: int = 0
    match_id: int = 0
    team_ids: dict[Side, int] = field(default_factory=dict)
    """Against whom rulings are."""


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
                    "substituted": record.substituted,
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
                    "final": False,
                    "fault": None,
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
        case Incident():
            pending.add(IncidentRow, _incident_row(ledger, record))
        case Ruled():
            pending.flush()
            _save_ruling(pending.connection, ledger, record)
        case AlertAsked():
            row = {"seq": record.seq, "seat": record.seat.letter, "asked_at_ms": record.at_ms}
            pending.add(AlertQuestion, _place(ledger, record.board) | row)
        case AlertAnswered():
            pending.flush()
            _answer_alert(pending.connection, ledger, record)


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
        "substituted": record.substituted,
    }


def _incident_row(ledger: TableLedger, record: Incident) -> dict[str, Any]:
    return {
        "table_id": ledger.table_id,
        "board": record.board,
        "attempt": ledger.board_attempts.get(record.board) if record.board is not None else None,
        "kind": record.kind,
        "seat": record.seat.letter if record.seat is not None else None,
        "text": record.text,
        "at_ms": record.at_ms,
    }


def _save_ruling(connection: Connection, ledger: TableLedger, record: Ruled) -> None:
    save_ruling(
        connection,
        event_id=ledger.event_id,
        match_id=ledger.match_id,
        table_id=ledger.table_id,
        board=record.board,
        attempt=ledger.board_attempts.get(record.board) if record.board is not None else None,
        team_id=ledger.team_ids[record.side],
        kind=record.kind,
        amount=record.amount,
        reason=record.reason,
        law=record.clause,
        now_ms=record.at_ms,
    )
    if record.kind is RulingKind.MATCH_FORFEIT:
        ledger.boards_left = 0
        set_table_state(connection, ledger.table_id, ledger.attempt, TableState.FINISHED, record.at_ms, record.reason)


def _answer_alert(connection: Connection, ledger: TableLedger, record: AlertAnswered) -> None:
    place = _place(ledger, record.board)
    connection.execute(
        update(AlertQuestion)
        .where(
            AlertQuestion.table_id == place["table_id"],
            AlertQuestion.board == place["board"],
            AlertQuestion.attempt == place["attempt"],
            AlertQuestion.seq == record.seq,
        )
        .values(answer=record.text, author=record.author, answered_at_ms=record.at_ms)
    )


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
        .values(
            ended_at_ms=record.at_ms,
            ended=record.end,
            reason=record.reason,
            final=record.end.is_final,
            fault=record.fault.letter if record.fault is not None else None,
        )
    )
    if result is not None:
        _add_result(pending, place, record, result)
    if not record.end.is_final:
        return
    ledger.boards_left -= 1
    if ledger.boards_left == 0:
        pending.flush()
        set_table_state(pending.connection, ledger.table_id, ledger.attempt, TableState.FINISHED, record.at_ms)


def _add_result(pending: _Pending, place: dict[str, Any], record: BoardEnded, result: Result) -> None:
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
            "tm_ms": record.tm_ms,
        },
    )


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
