"""Records of boards as a table puts them: whole boards, what they should read back as, and what is read back."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.support.store_events import NOW_MS
from tourney.bridge import PASS, Board, Call, Card, Contract, Result, Seat, score_ns
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    BoardEnded,
    CallMade,
    CardPlayed,
    SeatTaken,
    TableRecord,
)
from tourney.store.db.database import Database
from tourney.store.record.live import load_board_attempts, load_live_board
from tourney.store.record.writer import Recorder, TableLedger


def seat_taken(
    seat: Seat, connection: int = 1, team: str = "Team 1", *, at_ms: int = NOW_MS, peer: str = "127.0.0.1"
) -> SeatTaken:
    return SeatTaken(connection=connection, seat=seat, team=team, version=18, system="", peer=peer, at_ms=at_ms)


def made_call(
    seq: int,
    seat: Seat,
    call: Call = PASS,
    *,
    board: int = 1,
    alert: str = "",
    alerted: bool = False,
    thinking_ms: int = 10,
    at_ms: int = NOW_MS,
) -> CallMade:
    return CallMade(
        board=board,
        seq=seq,
        seat=seat,
        call=call,
        alert=alert,
        alerted=alerted,
        thinking_ms=thinking_ms,
        at_ms=at_ms,
    )


def board_ended(board: int, end: BoardEnd, result: Result | None = None, reason: str = "", **more: Any) -> BoardEnded:
    values = {"ns_ms": 0, "ew_ms": 0, "at_ms": NOW_MS} | more
    return BoardEnded(board=board, end=end, reason=reason, result=result, **values)


def write_records(database: Database, ledger: TableLedger, *records: TableRecord) -> None:
    """Put records of a table on record, all in one batch."""
    Recorder(database).write((ledger, record) for record in records)


def result_of(board: Board, contract: Contract | None, tricks: int = 0) -> Result:
    return Result(contract, tricks, score_ns(contract, tricks, board.vulnerability))


def ended(
    board: Board, contract: Contract | None = None, tricks: int = 0, ns_ms: int = 0, ew_ms: int = 0
) -> BoardEnded:
    """The end of a board by the rules of the game."""
    end = BoardEnd.PLAYED if contract is not None else BoardEnd.PASSED_OUT
    result = result_of(board, contract, tricks)
    return board_ended(board.number, end, result, ns_ms=ns_ms, ew_ms=ew_ms, at_ms=NOW_MS + 9)


def abandoned(board: Board, reason: str = "the run was stopped") -> BoardEnded:
    return board_ended(board.number, BoardEnd.ABANDONED, None, reason, ns_ms=5, ew_ms=6, at_ms=NOW_MS + 9)


@dataclass(frozen=True, slots=True)
class Script:
    """A board as it goes on record, and as it should come back."""

    records: tuple[TableRecord, ...]
    calls: tuple[CallMade, ...]
    cards: tuple[CardPlayed, ...]


def script(
    board: Board,
    calls: list[Call],
    cards: list[tuple[Seat, Card]],
    end: BoardEnded,
    alerts: dict[int, str] | None = None,
) -> Script:
    """Every call and card at a time of its own. `alerts` has the information of calls by their place."""
    alerts = alerts or {}
    made = [
        made_call(
            seq,
            board.dealer.plus(seq),
            call,
            board=board.number,
            alert=alerts.get(seq, ""),
            alerted=seq in alerts,
            thinking_ms=100 + seq,
            at_ms=NOW_MS + seq,
        )
        for seq, call in enumerate(calls)
    ]
    played = [
        CardPlayed(
            board=board.number, seq=seq, seat=seat, card=card, thinking_ms=200 + seq, at_ms=NOW_MS + 1000 + seq
        )
        for seq, (seat, card) in enumerate(cards)
    ]
    return Script(
        (BoardBegan(board.number, NOW_MS - 1), *made, *played, end),
        tuple(made),
        tuple(played),
    )


class StoredAttempt(NamedTuple):
    """One try at a board; `ended` is None while it is under way or when its host died."""

    board: int
    attempt: int
    ended: BoardEnd | None
    reason: str


def load_attempts(database: Database, table_id: int) -> list[StoredAttempt]:
    """Every try at a board of a table, board by board, as whoever watches it reads them."""
    live = [(key, load_live_board(database, key)) for key in load_board_attempts(database, [table_id])]
    return sorted(StoredAttempt(key.board, key.attempt, board.ended, board.reason) for key, board in live)
