"""Orders to a table: what the director and the host want of it, as values, and what each of them does.

A table core takes them all by one method (`TableCore.receive_order`). What comes of an order is a sentence for
whoever gave it; a director's order has an id, under which that sentence goes on record.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import Board, Seat, Side
from tourney.plurals import seconds
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.logon import Logon
from tourney.protocol.session.records import (
    AlertAnswered,
    AlertAsked,
    BoardEnd,
    BoardVoided,
    IncidentKind,
    TimeExtended,
    describe_end,
)
from tourney.protocol.session.rejoin import RejoinControl
from tourney.protocol.session.state import SessionState

# Of the director


class Pause(NamedTuple):
    """Relay nothing and ask nobody until `Resume`; lines from players are still accepted."""


class Resume(NamedTuple):
    """Continue after a pause, which no time limit counts."""


class ExtendTime(NamedTuple):
    """Move a limit of thinking time: from now on, for the board in play too."""

    extension: TimeExtended


class Stop(NamedTuple):
    """End the session now: the current board stays unfinished, and the players are told and disconnected."""

    reason: str
    waits_for_board: bool = False
    """Whether a board in play is finished first, unless the table is paused."""


class KickPlayer(NamedTuple):
    """End the connection of a seat; its side forfeits the board in play, or that is begun again."""

    seat: Seat
    reason: str
    author: str = ""
    forfeits: bool = True
    board: int | None = None
    """The board that it may cost, if that was said: nothing is done while another is in play."""


class VoidBoard(NamedTuple):
    """Void the board in play, to be played again once it is over, or a finished one, to be played last."""

    board: Board
    reason: str
    author: str


class RelayAnswer(NamedTuple):
    """Pass on the operator's answer on a call (BC-27); no text means that the call is not alertable."""

    board: int
    seq: int
    text: str
    author: str


# Of the host


class FinishBoard(NamedTuple):
    """Begin no further board: the session ends after the current one, or at once if there is none."""

    reason: str


class CancelFinish(NamedTuple):
    """Cancel `FinishBoard`: play all boards."""


class Interrupt(NamedTuple):
    """Leave the table as a host that dies does, but in order: another goes on with the board in play (BC-49).

    Nobody is told that the session has ended, so that programs come back for the rest.
    """

    reason: str


class Suspend(NamedTuple):
    """Stop the time until `EndSuspension`: effects cannot be carried out for a while."""


class EndSuspension(NamedTuple):
    """Continue after `Suspend`; time limits do not count the suspension."""


class SkipTime(NamedTuple):
    """Charge nobody for the time from `from_ms` to now, and judge nobody by it: the table could not continue."""

    from_ms: int


class MakeRoom(NamedTuple):
    """Close the connection that has waited longest without logging on: its place is needed."""

    are_ours: bool = False
    """Whether it is to be one of the programs that we have started."""


class Disconnect(NamedTuple):
    """Close a connection that exceeds one of the host's limits, and tell its program why."""

    connection: int
    reason: str


class NoteExit(NamedTuple):
    """Note that the program of a seat has ended by itself: if it was in a board, it has crashed (`Loss`)."""

    seat: Seat
    how: str


class GiveUp(NamedTuple):
    """Wait no more for a seat: no program will take it."""

    seat: Seat
    reason: str


Order: TypeAlias = (
    Pause
    | Resume
    | ExtendTime
    | Stop
    | KickPlayer
    | VoidBoard
    | RelayAnswer
    | FinishBoard
    | CancelFinish
    | Interrupt
    | Suspend
    | EndSuspension
    | SkipTime
    | MakeRoom
    | Disconnect
    | NoteExit
    | GiveUp
)
PASSIVE: Final = (Pause, Stop, CancelFinish, Interrupt, Suspend, MakeRoom, NoteExit)
"""Orders after which no board ends or begins, and which are no sign of life from the table: they come from a process
that may have stood still until now."""


@dataclass(eq=False)
class OrderControl:
    """Carries out the orders to one table."""

    _table: SessionState
    _logon: Logon
    _adjudicator: Adjudicator
    _rejoin: RejoinControl

    def carry_out(self, order: Order) -> str:  # noqa: PLR0912 # one case an order
        """Carry out an order; return what has been done, in a sentence for the director, empty for the host."""
        table = self._table
        match order:
            case Pause():
                if not table.time.is_paused and not table.is_over:
                    table.record_incident(IncidentKind.PAUSED, None, "the table was paused")
                return "paused"
            case Resume():
                if table.time.is_paused and not table.is_over:
                    table.record_incident(IncidentKind.RESUMED, None, "the table was resumed")
                    self._resume_play()
                return "resumed"
            case ExtendTime():
                return self._extend(order.extension)
            case Stop():
                return self._stop(order)
            case KickPlayer():
                return self._kick(order)
            case VoidBoard():
                return self._replay(order)
            case RelayAnswer():
                return self._answer_alert(order)
            case FinishBoard():
                table.closing = order.reason
            case CancelFinish():
                table.closing = None
            case Interrupt():
                if table.is_done and not table.is_over:
                    table.end_session(None)
                elif not table.is_over:
                    table.interrupt_session(order.reason)
            case Suspend():
                table.time.suspend(is_out=True)
            case EndSuspension():
                table.time.suspend(is_out=False)
                self._resume_play()
            case SkipTime():
                table.time.skip(order.from_ms, table.now_ms)
                self._rejoin.reset_deadlines()
            case MakeRoom():
                self._logon.make_room(are_ours=order.are_ours)
            case Disconnect():
                connection = table.connections.get(order.connection)
                if connection is not None and not connection.closing:
                    connection.disconnect(order.reason)
            case NoteExit():
                table.seats[order.seat].note_exit(order.how)
            case GiveUp():
                self._rejoin.give_up(order.seat, order.reason)
        return ""

    def _extend(self, extension: TimeExtended) -> str:
        table = self._table
        table.record(extension)
        self._adjudicator.note_extension()
        number, board = extension.board, table.board
        what = "the match" if number is None else f"board {number}"
        if board is not None and board.board.number == number and board.state.is_final:
            return f"nothing changes: {what} has ended here"
        ns_ms, ew_ms = table.limit_ms(number, Side.NS), table.limit_ms(number, Side.EW)
        if ns_ms is None or ew_ms is None:
            return f"nothing changes: there is no limit on thinking time for {what} here"
        ns, ew = seconds(ns_ms // 1000), seconds(ew_ms // 1000)
        if ns == ew:
            return f"each side has {ns} for {what}"
        return f"{table.team(Side.NS)} has {ns} for {what}, {table.team(Side.EW)} {ew}"

    def _resume_play(self) -> None:
        """Continue after time that nobody is charged for."""
        table = self._table
        self._rejoin.reset_deadlines()
        if table.board is not None and table.is_playing and not table.time.is_paused:
            table.board.resume()

    def _stop(self, order: Stop) -> str:
        table, in_play = self._table, self._table.attempt
        if order.waits_for_board and in_play is not None:
            table.closing = order.reason
            if not table.time.is_paused:
                return f"stops when board {in_play.board.number} is over"
        if not table.is_over:
            is_done = table.is_done
            if in_play is not None:
                in_play.end_attempt(BoardEnd.ABANDONED, order.reason)
            table.end_session(None if is_done else order.reason)
        return "stopped"

    def _kick(self, order: KickPlayer) -> str:
        table, seat = self._table, self._table.seats[order.seat]
        in_play = table.attempt
        if in_play is not None and order.board not in (None, in_play.board.number):
            return f"nothing was done: board {in_play.board.number} is in play by now, and would be forfeited"
        if seat.connection is None or table.is_over:
            return f"nobody sits {order.seat.title}"
        if order.forfeits:
            return self._adjudicator.kick(seat, order.reason, order.author)
        return self._adjudicator.kick_without_forfeit(seat, order.reason, order.author)

    def _replay(self, order: VoidBoard) -> str:
        table, number, in_play = self._table, order.board.number, self._table.attempt
        if in_play is not None and in_play.board.number == number:
            why = f"{order.author}: {order.reason}" if order.reason else f"by order of {order.author}"
            in_play.end_attempt(BoardEnd.VOID, why)
            in_play.stop_waiting()
            table.replays.add(number)
            return f"board {number} is void, and played again when it is over"
        ended = table.counts.ends.get(number)
        if ended is None:
            return f"board {number} has not been finished there: it is played anyway"
        if not table.queue.may_repeat:
            return "only the board in play can be played again, for what comes after a board depends on it"
        table.record(BoardVoided(number, order.reason, order.author, table.now_ms))
        table.total_ms[Side.NS] -= ended.ns_ms
        table.total_ms[Side.EW] -= ended.ew_ms
        table.queue.add(order.board)
        came_to = describe_end(ended.end, ended.reason, ended.result)
        return f"board {number} is void, it had come to {came_to}; it is played again after the others"

    def _answer_alert(self, order: RelayAnswer) -> str:
        table, board, under_way = self._table, self._table.board, self._table.under_way
        said = f"alerted: {order.text}" if order.text else "not alertable"
        if under_way is not None and under_way.number == order.board:  # its players are not back yet
            records = under_way.records
            asked = [each for each in records if isinstance(each, AlertAsked) and each.seq == order.seq]
            if asked:
                answered = AlertAnswered(order.board, order.seq, order.text, order.author, table.now_ms)
                table.record(answered)
                left = (each for each in records if each not in asked)
                table.under_way = under_way._replace(records=(*left, answered))
                return said
        if board is None or board.board.number != order.board or not table.is_playing:
            return f"board {order.board} is not in play"
        return board.answer_alert(order.seq, order.text, order.author) or said
