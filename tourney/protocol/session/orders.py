"""What a table is ordered to do, by its host or by the director: values, and how they change the session.

An order takes effect at once, whatever the stage; at a table whose session has ended it does nothing. What the
director orders is on record as an incident or as the end of a board; what the host orders (it stands still, it stops,
a program has ended) changes what is charged, judged or begun next.
"""

from dataclasses import dataclass
from typing import TypeAlias

from tourney.bridge import Board, Seat
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.dispatch import Dispatch
from tourney.protocol.session.logon import Logon
from tourney.protocol.session.records import BoardEnd, Incident, IncidentKind
from tourney.protocol.session.rejoin import RejoinControl
from tourney.protocol.session.state import SessionState, Stage

# The session


@dataclass(frozen=True, slots=True)
class StopTable:
    """End the session now: the current board stays unfinished, and the players are told and disconnected."""

    reason: str


@dataclass(frozen=True, slots=True)
class InterruptTable:
    """Leave the table as a host that dies does, but in order: another goes on with the board in play (BC-49).

    Nobody is told that the session has ended, so that programs come back for the rest.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class FinishBoard:
    """Begin no further board: the session ends after the current one, or at once if there is none.

    Without a reason, an earlier order of this kind is cancelled: all boards are to be played.
    """

    reason: str | None


@dataclass(frozen=True, slots=True)
class PauseTable:
    """Relay nothing and ask nobody until the table is resumed; lines from players are still accepted."""


@dataclass(frozen=True, slots=True)
class ResumeTable:
    """Continue after a pause, which no time limit counts."""


@dataclass(frozen=True, slots=True)
class SuspendTable:
    """Stop the time until the suspension ends: effects cannot be carried out for a while."""


@dataclass(frozen=True, slots=True)
class EndSuspension:
    """Continue after a suspension, which no time limit counts."""


@dataclass(frozen=True, slots=True)
class SkipTime:
    """Charge nobody for the time from `from_ms` to now, and judge nobody by it: the table could not continue."""

    from_ms: int


# Boards


@dataclass(frozen=True, slots=True)
class VoidBoard:
    """Void the current board if it has this number, and play it again once it has finished."""

    board: int
    reason: str


@dataclass(frozen=True, slots=True)
class AddBoard:
    """Add a board, to be played after the remaining ones."""

    board: Board


@dataclass(frozen=True, slots=True)
class RelayAnswer:
    """Pass on the operator's answer on a call (BC-27). The reply is why it is refused; empty if it is not."""

    board: int
    seq: int
    text: str
    author: str


# Seats and connections


@dataclass(frozen=True, slots=True)
class KickPlayer:
    """End the connection of a seat; its side forfeits the board in play, or that is begun again.

    The reply says what has been done.
    """

    seat: Seat
    reason: str
    author: str = ""
    forfeits: bool = True


@dataclass(frozen=True, slots=True)
class NoteExit:
    """The program of a seat has ended by itself: if it was in a board, it has crashed (`Loss`)."""

    seat: Seat
    how: str


@dataclass(frozen=True, slots=True)
class GiveUpSeat:
    """No program will take this seat any more."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class RelieveConnection:
    """Let a player go before the next new board begins, at once between boards.

    A board that was begun before is not new: its cards are known.
    """

    connection: int
    reason: str


@dataclass(frozen=True, slots=True)
class CloseConnection:
    """Close a connection that exceeds one of the host's limits, and tell its program why."""

    connection: int
    reason: str


@dataclass(frozen=True, slots=True)
class EvictOldest:
    """Close the connection that has waited longest without logging on: its place is needed."""

    are_ours: bool = False


TableOrder: TypeAlias = (
    StopTable
    | InterruptTable
    | FinishBoard
    | PauseTable
    | ResumeTable
    | SuspendTable
    | EndSuspension
    | SkipTime
    | VoidBoard
    | AddBoard
    | RelayAnswer
    | KickPlayer
    | NoteExit
    | GiveUpSeat
    | RelieveConnection
    | CloseConnection
    | EvictOldest
)


class OrderExecutor:
    """Carries out orders at one table."""

    def __init__(
        self,
        table: SessionState,
        logon: Logon,
        adjudicator: Adjudicator,
        rejoin: RejoinControl,
        dispatch: Dispatch,
    ) -> None:
        """Prepare, with the parts of the session that orders reach."""
        self._table = table
        self._logon = logon
        self._adjudicator = adjudicator
        self._rejoin = rejoin
        self._dispatch = dispatch

    def carry_out(self, order: TableOrder, now_ms: int) -> str:  # noqa: PLR0912 # a case for each order
        """Carry out an order; return the reply to it, empty for most."""
        table = self._table
        match order:
            case StopTable():
                self._stop(order.reason, now_ms)
            case InterruptTable():
                self._interrupt(order.reason, now_ms)
            case FinishBoard():
                table.closing = order.reason
            case PauseTable():
                self._set_paused(now_ms, paused=True)
            case ResumeTable():
                if table.time.is_paused:
                    self._set_paused(now_ms, paused=False)
                    self._continue(now_ms)
            case SuspendTable():
                table.time.suspend(now_ms, is_out=True)
            case EndSuspension():
                table.time.suspend(now_ms, is_out=False)
                self._continue(now_ms)
            case SkipTime():
                table.time.skip(order.from_ms, now_ms)
                self._rejoin.reset_deadlines(now_ms)
            case VoidBoard():
                self._void_board(order, now_ms)
            case AddBoard():
                table.queue.add(order.board)
            case RelayAnswer():
                return self._answer_alert(order, now_ms)
            case KickPlayer():
                return self._kick(order, now_ms)
            case NoteExit():
                table.seats[order.seat].note_exit(order.how)
            case GiveUpSeat():
                if table.stage is not Stage.OVER:
                    self._rejoin.give_up(order.seat, order.reason, now_ms)
            case RelieveConnection():
                self._relieve(order, now_ms)
            case CloseConnection():
                connection = table.connections.get(order.connection)
                if connection is not None and not connection.closing:
                    self._dispatch.disconnect(connection, order.reason)
            case EvictOldest():
                oldest = self._logon.oldest_unauthenticated(are_ours=order.are_ours)
                if oldest is not None:
                    table.evictions += 1
                    self._dispatch.disconnect(oldest, "many connections have not logged on, and the oldest gives way")
        return ""

    # The session

    def _stop(self, reason: str, now_ms: int) -> None:
        table, board = self._table, self._table.board
        if table.stage is Stage.OVER:
            return
        all_over = self._has_finished_all()
        if board is not None:
            board.end_attempt(BoardEnd.ABANDONED, reason, None, now_ms)
        table.end_session(None if all_over else reason, now_ms)

    def _interrupt(self, reason: str, now_ms: int) -> None:
        if self._table.stage is Stage.OVER:
            return
        if self._has_finished_all():
            self._table.end_session(None, now_ms)
        else:
            self._table.interrupt_session(reason, now_ms)

    def _has_finished_all(self) -> bool:
        board = self._table.board
        return board is not None and board.state.is_final and not self._table.queue

    def _set_paused(self, now_ms: int, *, paused: bool) -> None:
        table = self._table
        if table.time.is_paused is paused or table.stage is Stage.OVER:
            return
        number = table.board.board.number if table.board is not None else None
        kind = IncidentKind.PAUSED if paused else IncidentKind.RESUMED
        table.record(Incident(kind, number, None, f"the table was {kind.value}", now_ms))

    def _continue(self, now_ms: int) -> None:
        """Go on after a time that no limit counts."""
        table = self._table
        self._rejoin.reset_deadlines(now_ms)
        if table.board is not None and table.is_playing and not table.time.is_paused:
            table.board.resume(now_ms)

    # Boards

    def _void_board(self, order: VoidBoard, now_ms: int) -> None:
        table, board = self._table, self._table.board
        if board is not None and board.board.number == order.board and table.is_playing:
            if board.state.ended is None:
                board.end_attempt(BoardEnd.VOID, order.reason, None, now_ms)
                board.stop_waiting(now_ms)
            table.ordered_replays.add(order.board)

    def _answer_alert(self, order: RelayAnswer, now_ms: int) -> str:
        board = self._table.board
        if board is None or board.board.number != order.board or not self._table.is_playing:
            return f"board {order.board} is not in play"
        return board.answer_alert(order.seq, order.text, order.author, now_ms) or ""

    # Seats

    def _kick(self, order: KickPlayer, now_ms: int) -> str:
        table, seat = self._table, self._table.seats[order.seat]
        if seat.connection is None or table.stage is Stage.OVER:
            return f"nobody sits {order.seat.title}"
        if order.forfeits:
            return self._adjudicator.kick(seat, order.reason, order.author, now_ms)
        outcome, is_played_out = self._adjudicator.kick_without_forfeit(seat, order.reason, order.author, now_ms)
        if is_played_out and table.board is not None:
            table.ordered_replays.add(table.board.board.number)
        return outcome

    def _relieve(self, order: RelieveConnection, now_ms: int) -> None:
        table, connection = self._table, self._table.connections.get(order.connection)
        if connection is not None and connection.seat is not None:
            connection.relieved = order.reason
            if table.stage is Stage.SEATING and not table.is_next_known:
                table.release_relieved(now_ms)
