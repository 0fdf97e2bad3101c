"""Writes what tables put on record: protocol records to rows, many in one transaction.

A batch may hold records of several tables; the order within a table is kept. Everything a batch holds is on record
when `write` returns, or none of it is. It is also on the disk, unless an SQLite file is written with
`Durability.PROCESS`: then that is so of what settles something, such as the end of a board, and of all that was
written before it.

**The fence.** A transaction that writes for a table first makes sure, under the database's lock, that the attempt at
it is the newest (`check_attempts`), and counts the batch in the row of its host, which has not been declared dead
(`count_batch`). On SQLite both are left out while they cannot find anything: between two transactions over one
connection, its `data_version` is the same if nobody has written over another, and its `total_changes` if nobody has
over this one (`Database.mark`). Then the file is as our last transaction has left it: an attempt that was the newest
is so still. Nor need calls and cards be counted there: a commit that fails has not happened. What happens to a server
between two transactions nobody can tell; there every batch is counted, so that the host finds out what became of one
whose end it was not told.
"""

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, bindparam, insert, select, update

from tourney.bridge import Side
from tourney.config import Durability
from tourney.movement.seating import TableState
from tourney.protocol.session.records import (
    RULE_AUTHOR,
    AlertAnswered,
    AlertAsked,
    BoardBegan,
    BoardEnd,
    BoardEnded,
    BoardsDecided,
    BoardVoided,
    CallMade,
    CardPlayed,
    Incident,
    OrderActed,
    RecordedAction,
    Ruled,
    RulingKind,
    SeatLeft,
    SeatTaken,
    TableRecord,
    TimeExtended,
)
from tourney.store.control.hosts import HostInfo, count_batch
from tourney.store.control.orders import mark_acted, void_board
from tourney.store.control.table_state import check_attempts, set_table_state
from tourney.store.control.tables import TableJob
from tourney.store.db.database import Database, Mark
from tourney.store.db.queries import Prepared, Runner, runner_of, update_row
from tourney.store.models import (
    ATTEMPT,
    AlertQuestion,
    AttemptKey,
    BoardAttempt,
    BoardRow,
    CallRow,
    CardRow,
    ConnectionRow,
    IncidentRow,
    Match,
    NetworkDelay,
    ResultRow,
    TableRow,
    of_attempt,
)
from tourney.store.record.hash_chain import (
    CALL,
    CARD,
    END,
    RESULT,
    chain_end,
    chain_start,
    close_chain,
    hash_row,
    load_board_texts,
    load_last_chain,
)
from tourney.store.record.rows import (
    BEGAN,
    began_values,
    call_values,
    card_values,
    ended_values,
    result_values,
)
from tourney.store.record.rulings import NewRuling, save_ruling

Records: TypeAlias = list[tuple["TableLedger", TableRecord]]
"""Records with their owners, in the order in which they were made."""

LedgerState: TypeAlias = tuple[Any, ...]
"""What changes in a ledger as records are written, to go back to."""


@dataclass(slots=True, eq=False)
class TableLedger:
    """The owner of records: a table, its attempt number, and how often each board has been begun.

    Two ledgers of one table are two owners, as of attempts of which the host has lost the first.
    """

    table_id: int
    attempt: int
    board_attempts: dict[int, int] = field(default_factory=dict)
    """How often each board has been begun, by number; replaced, not changed, as it is part of a state."""
    boards_left: int = 0
    """Boards that have not finished; at 0 the table has finished."""
    event_id: int = 0
    match_id: int = 0
    team_ids: dict[Side, int] = field(default_factory=dict)
    """The teams that rulings are against."""
    chained: tuple[int, int] | None = None
    """The board and the attempt that `chain` is of; that of any other is loaded when the first row of it comes."""
    chain: str = ""
    """The last hash on record, which the next row goes on from."""
    closed: bool = False
    """Whether that attempt has ended. A board that a side has forfeited is still played to its end."""
    board_texts: dict[int, str] = field(default_factory=dict)
    """The boards as chains start from them, by number; loaded when the first board begins."""
    depends_on_results: bool = False
    """Whether dealer and vulnerability of a board are known only when it begins, and are stored then."""

    @classmethod
    def of_job(cls, job: TableJob, attempt: int) -> "TableLedger":
        """Return the ledger of a table that has been given out, in its newest attempt."""
        return cls(
            job.table.id,
            attempt,
            dict(job.board_attempts),
            boards_left=len(job.boards),
            event_id=job.event_id,
            match_id=job.match_id,
            team_ids={side: team.id for side, team in job.teams.items()},
            depends_on_results=job.game is not None,
        )

    def attempt_at(self, board: int | None) -> int | None:
        """Return the newest attempt at a board; None without a board, or before it has been begun."""
        return self.board_attempts.get(board) if board is not None else None

    def restore(self, state: LedgerState) -> None:
        """Go back, or on, to a state (`_state_of`)."""
        self.board_attempts, self.boards_left, self.chained, self.chain, self.closed, self.board_texts = state


_state_of: Final[Callable[[TableLedger], LedgerState]] = attrgetter(
    "board_attempts", "boards_left", "chained", "chain", "closed", "board_texts"
)
"""Return what `TableLedger.restore` takes."""

UNSYNCED_MAX: Final = 1000
"""Batches in a row that may be written without waiting for the disk."""

_SETTLING: Final = (BoardEnded, BoardVoided, BoardsDecided, OrderActed, Ruled)
"""Records that are on the disk before anybody is told about them, whatever the durability."""


class Recorder:
    """Writes batches of records, those of a host counted: none is on record twice, or half."""

    def __init__(
        self, database: Database, host: HostInfo | None = None, durability: Durability = Durability.FULL
    ) -> None:
        """Prepare to write.

        Args:
            database: the record.
            host: whose batches they are; without one a batch whose end was not heard of looks like a new one.
            durability: whether calls and cards have to be on the disk.
        """
        self.durability = durability
        self.was_synced = False
        """Whether the last batch written waited for the disk."""
        self._database = database
        self._host = host
        self._written = host.written if host is not None else 0
        self._counted = self._written
        """The number of the last batch that was counted in the row of the host."""
        self._mark: Mark | None = None
        """That of the database after the last batch; None where there is none, and after one that has failed."""
        self._fenced: dict[int, int] = {}
        """The attempts at tables, by table, that are the newest as long as the mark is this one."""
        self._moved: dict[TableLedger, LedgerState] = {}
        """The states of ledgers after the batch whose commit failed: it may be on record all the same."""
        self._rows = _BatchRows()
        self._unsynced = 0
        """How many batches have been written since the last one that waited for the disk."""

    def write(self, batch: Iterable[tuple[TableLedger, TableRecord]]) -> None:
        """Put a batch on record. Its ledgers move on when it is, and stay as they are when it is not.

        Raises:
            LeaseLost: nothing was written: tables have been given to another host since.
            StoreUnavailable: nothing was written, unless the connection was lost at the very end. The batch to write
                next is this one, less the tables that are lost: whether it is on record already is found out then.
            StoreError: nothing was written.
        """
        records = list(batch)
        if not records:
            return
        before: dict[TableLedger, LedgerState] = {}
        for ledger, _ in records:
            if ledger not in before:
                before[ledger] = _state_of(ledger)
        is_synced, is_added = self.has_to_be_synced(records), False
        try:
            with self._database.write(synced=is_synced) as connection:
                counted = self._write_in(connection, before.keys(), records)
                is_added = True
        except BaseException:
            self._mark, self._rows = None, _BatchRows()
            if is_added:
                self._moved = {ledger: _state_of(ledger) for ledger in before}
            for ledger, state in before.items():
                ledger.restore(state)
            raise
        self._written += 1
        self._counted = counted
        self._unsynced = 0 if is_synced else self._unsynced + 1
        self.was_synced = is_synced

    def _write_in(self, connection: Connection, ledgers: Set[TableLedger], records: Records) -> int:
        """Write a batch in a transaction, behind the fence if need be; return which was counted last then."""
        mark = self._database.mark(connection)
        runner = runner_of(connection) if mark is None else mark[0]
        if mark is None or mark != self._mark:
            self._fenced.clear()
        for ledger, record in records:
            if not isinstance(record, RecordedAction) or self._fenced.get(ledger.table_id) != ledger.attempt:
                self._write_fenced(connection, runner, ledgers, records)
                counted = self._written + 1
                break
        else:  # calls and cards at tables that are fenced as long as nobody else writes
            self._rows.write(connection, runner, records)
            counted = self._counted
        if mark is not None:
            self._mark = (*mark[:2], mark[0].total_changes)
        return counted

    def _write_fenced(
        self, connection: Connection, runner: Runner, ledgers: Set[TableLedger], records: Records
    ) -> None:
        """Write a batch, unless it is on record already."""
        number = self._written + 1
        if self._host is not None and not count_batch(runner, self._host.id, number, self._counted):
            if ledgers <= self._moved.keys():
                for ledger in ledgers:
                    ledger.restore(self._moved[ledger])
                return
            # It is the one before: nobody has written it again, as its tables were all lost.
            self._written = self._counted = number
            count_batch(runner, self._host.id, number + 1, number)
        attempts: dict[int, int] = {}
        for ledger in ledgers:
            # Of a table that the host has lost and taken up again, what is left of the earlier attempt is refused.
            attempts[ledger.table_id] = min(ledger.attempt, attempts.get(ledger.table_id, ledger.attempt))
        check_attempts(runner, attempts)
        self._fenced |= attempts
        self._rows.write(connection, runner, records)

    def has_to_be_synced(self, records: Records) -> bool:
        """Return whether a batch, if it is the next to be written, waits for the disk."""
        if self.durability is Durability.FULL or self._unsynced >= UNSYNCED_MAX:
            return True
        for _, record in records:  # noqa: SIM110 # no generator for every call and card
            if isinstance(record, _SETTLING):
                return True
        return False


# Those that others refer to come first.
_ATTEMPTS: Final = Prepared(insert(BoardAttempt), (*ATTEMPT, *BEGAN))
_CALLS: Final = Prepared(insert(CallRow), (*ATTEMPT, *CALL, "chain"))
_CARDS: Final = Prepared(insert(CardRow), (*ATTEMPT, *CARD, "chain"))
_DELAYS: Final = Prepared(
    insert(NetworkDelay), (*ATTEMPT, "is_card", "seq", "seat", "own_ms", "delay_ms", "allowed_ms")
)
_ENDS: Final = Prepared(
    update(BoardAttempt)
    .where(
        BoardAttempt.table_id == bindparam("of_table"),
        BoardAttempt.board == bindparam("of_board"),
        BoardAttempt.attempt == bindparam("of_attempt"),
    )
    .values({name: bindparam(f"new_{name}") for name in (*END, "chain")}),
    (*(f"new_{name}" for name in (*END, "chain")), "of_table", "of_board", "of_attempt"),
)
_RESULTS: Final = Prepared(insert(ResultRow), (*ATTEMPT, *RESULT))
_SEATED: Final = Prepared(insert(ConnectionRow), ConnectionRow.__table__.c.keys())
_INCIDENTS: Final = Prepared(
    insert(IncidentRow), ("table_id", "board", "attempt", "kind", "seat", "text", "at_ms", "made", "about")
)
_QUESTIONS: Final = Prepared(insert(AlertQuestion), (*ATTEMPT, "seq", "seat", "asked_at_ms"))
_STATEMENTS: Final = (_ATTEMPTS, _CALLS, _CARDS, _DELAYS, _ENDS, _RESULTS, _SEATED, _INCIDENTS, _QUESTIONS)


class _BatchRows:
    """Rows that wait to be written: those of one kind, of all tables, in one statement. An update ends the wait."""

    connection: Connection
    runner: Runner

    def __init__(self) -> None:
        self.outgrown: set[AttemptKey] = set()
        """Attempts that have got rows after they had ended."""
        self.rows: dict[Prepared, list[tuple[Any, ...]]] = {statement: [] for statement in _STATEMENTS}

    def write(self, connection: Connection, runner: Runner, records: Records) -> None:
        self.connection, self.runner = connection, runner
        for ledger, record in records:
            self.add(ledger, record)
        self.flush()
        while self.outgrown:
            close_chain(connection, self.outgrown.pop())

    def flush(self) -> None:
        for statement, waiting in self.rows.items():
            if waiting:
                statement.run_many(self.runner, waiting)
                waiting.clear()

    def add(self, ledger: TableLedger, record: TableRecord) -> None:  # noqa: PLR0912 # one case a record
        match record:
            case CallMade():
                self._add_action(ledger, record, _CALLS, call_values(record), "call")
            case CardPlayed():
                self._add_action(ledger, record, _CARDS, card_values(record), "card")
            case BoardBegan():
                self._begin_board(ledger, record)
            case BoardEnded():
                self._end_board(ledger, record)
            case BoardVoided():
                self.flush()
                what = (ledger.table_id, record.board, record.reason, record.at_ms)
                void_board(self.connection, *what, author=record.author)
                ledger.boards_left += 1
            case BoardsDecided():
                # The table has as many boards as it has played, and so has its match, which has no other table.
                self.flush()
                update_row(self.connection, Match, ledger.match_id, boards=record.boards)
                update_row(self.connection, TableRow, ledger.table_id, boards=record.boards)
                self._finish_table(ledger, record.at_ms)
            case SeatTaken():
                taken = (ledger.table_id, ledger.attempt, record.connection, record.seat.letter)
                program = (record.team, record.version, record.system, record.peer)
                self.rows[_SEATED].append((*taken, *program, record.at_ms, None, ""))
            case SeatLeft():
                self.flush()
                self.connection.execute(
                    update(ConnectionRow)
                    .where(
                        ConnectionRow.table_id == ledger.table_id,
                        ConnectionRow.table_attempt == ledger.attempt,
                        ConnectionRow.connection == record.connection,
                    )
                    .values(left_at_ms=record.at_ms, reason=record.reason)
                )
            case Incident():
                place = (ledger.table_id, record.board, ledger.attempt_at(record.board), record.kind.value)
                seat = record.seat.letter if record.seat is not None else None
                said = (record.text, record.at_ms, record.made, record.about or None)
                self.rows[_INCIDENTS].append((*place, seat, *said))
            case Ruled():
                self.flush()
                self._save_ruling(ledger, record)
            case AlertAsked():
                row = (*_attempt_of(ledger, record.board), record.seq, record.seat.letter, record.at_ms)
                self.rows[_QUESTIONS].append(row)
            case AlertAnswered():
                self.flush()
                self.connection.execute(
                    update(AlertQuestion)
                    .filter_by(**of_attempt(_attempt_of(ledger, record.board)), seq=record.seq)
                    .values(answer=record.text, author=record.author, answered_at_ms=record.at_ms)
                )
            case TimeExtended():
                pass  # its order is on record
            case OrderActed():
                self.flush()
                mark_acted(self.connection, record.order_id, record.outcome, record.at_ms)

    def _resume_chain(self, ledger: TableLedger, key: AttemptKey) -> None:
        """Go on in the chain of an attempt that has ended, or of one that another host has begun as well."""
        if ledger.chained != key[1:]:
            self.flush()  # its last row may be among those that wait
            ledger.chained, ledger.closed = key[1:], False
            ledger.chain = load_last_chain(self.connection, key)
        if ledger.closed:
            self.outgrown.add(key)

    def _add_action(
        self,
        ledger: TableLedger,
        record: CallMade | CardPlayed,
        statement: Prepared,
        values: tuple[Any, ...],
        what: str,
    ) -> None:
        """Add the row of a call or card, which its chain goes on with, and that of its delay."""
        key = _attempt_of(ledger, record.board)
        if ledger.closed or ledger.chained != key[1:]:
            self._resume_chain(ledger, key)
        ledger.chain = hash_row(ledger.chain, what, values)
        self.rows[statement].append((*key, *values, ledger.chain))
        if record.delay is not None:
            is_card, delay = statement is _CARDS, record.delay
            made = (is_card, record.seq, record.seat.letter)
            self.rows[_DELAYS].append((*key, *made, delay.own_ms, delay.delay_ms, delay.allowed_ms))

    def _begin_board(self, ledger: TableLedger, record: BoardBegan) -> None:
        if ledger.depends_on_results and record.board not in ledger.board_attempts:
            self._set_board(ledger, record)
        if record.board not in ledger.board_texts:
            ledger.board_texts = load_board_texts(self.connection, ledger.table_id)
        if any(end[-3] == ledger.table_id for end in self.rows[_ENDS]):
            self.flush()  # the attempt before has to end first
        # One whose end has been lost ends now: a table has one that is under way.
        for place in list(_OPEN_ATTEMPT.run(self.connection, (ledger.table_id,))):
            lost = (ledger.table_id, *place)
            self.connection.execute(
                update(BoardAttempt)
                .filter_by(**of_attempt(lost))
                .values(ended=BoardEnd.VOID, ended_at_ms=record.at_ms, reason="its end was lost")
            )
            close_chain(self.connection, lost)
        attempt = ledger.board_attempts.get(record.board, 0) + 1
        ledger.board_attempts = ledger.board_attempts | {record.board: attempt}
        key = _attempt_of(ledger, record.board)
        ledger.chained, ledger.closed = key[1:], False
        board_on_table = ledger.board_texts.get(record.board, "")
        ledger.chain = chain_start(*key, ledger.attempt, record.at_ms, board_on_table)
        self.rows[_ATTEMPTS].append((*key, *began_values(record, ledger.attempt)))
        set_table_state(self.runner, ledger.table_id, ledger.attempt, TableState.PLAYING, record.at_ms)

    def _set_board(self, ledger: TableLedger, record: BoardBegan) -> None:
        """Before a board is first begun, store its dealer and who is vulnerable, as the results before determine."""
        assert record.dealer is not None
        assert record.vulnerability is not None
        its_set = select(Match.board_set_id).where(Match.id == ledger.match_id).scalar_subquery()
        self.connection.execute(
            update(BoardRow)
            .where(BoardRow.board_set_id == its_set, BoardRow.number == record.board)
            .values(dealer=record.dealer.letter, vulnerability=record.vulnerability)
        )
        ledger.board_texts = {}

    def _finish_table(self, ledger: TableLedger, at_ms: int, reason: str = "") -> None:
        ledger.boards_left = 0
        set_table_state(self.runner, ledger.table_id, ledger.attempt, TableState.FINISHED, at_ms, reason)

    def _save_ruling(self, ledger: TableLedger, record: Ruled) -> None:
        save_ruling(
            self.connection,
            NewRuling(
                event_id=ledger.event_id,
                match_id=ledger.match_id,
                table_id=ledger.table_id,
                board=record.board,
                attempt=ledger.attempt_at(record.board),
                team_id=ledger.team_ids[record.side],
                kind=record.kind,
                amount=record.amount,
                reason=record.reason,
                law=record.clause,
                author=record.author or RULE_AUTHOR,
                now_ms=record.at_ms,
            ),
        )
        if record.kind is RulingKind.MATCH_FORFEIT:
            self._finish_table(ledger, record.at_ms, record.reason)

    def _end_board(self, ledger: TableLedger, record: BoardEnded) -> None:
        key = _attempt_of(ledger, record.board)
        if ledger.closed or ledger.chained != key[1:]:
            self._resume_chain(ledger, key)
        end = ended_values(record)
        result = result_values(record, record.result) if record.result is not None else None
        ledger.closed = True
        self.rows[_ENDS].append((*end, chain_end(ledger.chain, end, result), *key))
        if result is not None:
            self.rows[_RESULTS].append((*key, *result))
        if record.end.is_final:
            ledger.boards_left -= 1
            if ledger.boards_left == 0:
                self._finish_table(ledger, record.at_ms)


def _attempt_of(ledger: TableLedger, board: int) -> AttemptKey:
    return ledger.table_id, board, ledger.board_attempts[board]


_OPEN_ATTEMPT: Final = Prepared(
    select(BoardAttempt.board, BoardAttempt.attempt).where(
        BoardAttempt.table_id == bindparam("table_id"), BoardAttempt.ended.is_(None)
    ),
    ("table_id",),
)
"""At most one row: the database sees to it."""
