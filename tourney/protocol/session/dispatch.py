"""Passes the intents of players' lines to the log-on or the current board, or refuses them."""

from tourney.errors import FormatError
from tourney.protocol.lines import decode_line
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.intents import (
    Answered,
    BadLine,
    CallIntent,
    CardIntent,
    ClaimAnswerIntent,
    ClaimIntent,
    EchoIntent,
    ExplanationIntent,
    Ignored,
    LogOnIntent,
    Ready,
    ReadyFor,
    Refusal,
    ReturnIntent,
    StateIntent,
)
from tourney.protocol.session.logon import Logon
from tourney.protocol.session.rejoin import RejoinControl
from tourney.protocol.session.seat import SeatPhase, SeatState
from tourney.protocol.session.state import SessionState


class Dispatch:
    """Acts on the lines of one table's connections. A line can at worst end its own connection."""

    def __init__(self, table: SessionState, logon: Logon, adjudicator: Adjudicator, rejoin: RejoinControl) -> None:
        self._table = table
        self._logon = logon
        self._adjudicator = adjudicator
        self._rejoin = rejoin

    def receive_line(self, connection: PlayerConnection, line: bytes, began_ms: int) -> None:
        """Act on a line.

        Args:
            connection: where it came in.
            line: the raw text, without its end.
            began_ms: when its first byte arrived.
        """
        table = self._table
        intent = connection.wire.parse(line, connection.seat)
        seat = table.seats[connection.seat] if connection.seat is not None else None
        match intent:
            case Ready() if seat is not None and seat.player is connection and table.board is not None:
                table.board.receive_ready(seat, intent)
            case CallIntent() | CardIntent() | ClaimIntent() | ClaimAnswerIntent():
                self._receive_action(connection, intent, line, began_ms)
            case Ready():
                self._receive_ready_outside(connection, intent)
            case Answered():
                connection.send_all(intent.lines)
            case Ignored():
                connection.log_remark(intent.why)
            case ExplanationIntent() | EchoIntent() | StateIntent():
                self._receive_words(connection, self._seat_of(connection), intent)
            case BadLine(is_log_on=True):
                connection.disconnect(intent.reason)
            case BadLine():
                self.refuse_line(connection, intent.reason)
            case LogOnIntent():
                self._log_on(connection, intent)
            case ReturnIntent():
                self._reconnect(connection, intent, line, began_ms)
            case None:
                pass
        if seat is not None and seat.phase is SeatPhase.CATCHING_UP and table.board is not None:
            table.board.advance()  # the player may have caught up

    def _receive_ready_outside(self, connection: PlayerConnection, request: Ready) -> None:
        """Accept what a player asks for that takes part in no board."""
        if request.what is ReadyFor.TEAMS and not connection.teams_shown:
            connection.wants_teams = True
            self._logon.send_teams()
        elif request.what is ReadyFor.START and connection.teams_shown and not connection.is_ready:
            self._rejoin.join(self._seat_of(connection))
        elif request.what is ReadyFor.DEAL and self._table.was_passed_out:
            connection.is_early = True
        else:
            connection.log_remark(f"ready for {request.what.value} outside a board, swallowed")

    @staticmethod
    def _receive_words(
        connection: PlayerConnection, seat: SeatState, intent: ExplanationIntent | EchoIntent | StateIntent
    ) -> None:
        """Act on what a player says or asks of itself."""
        view = seat.view if seat.player is connection else None
        match intent:
            case StateIntent():
                connection.scores_shown = None
                in_board = view if view is not None and view.cards_shown else None
                scores = connection.take_new_scores()
                connection.send_all(connection.wire.format_state(seat.seat, in_board, scores))
            case ExplanationIntent() if view is not None:
                view.explanation = intent.text
            case EchoIntent() if view is not None and intent.token == view.awaited_echo:
                view.awaited_echo = ""
            case _:
                pass

    def refuse_line(self, connection: PlayerConnection, reason: str) -> None:
        """Refuse a line: send the reason, and count it."""
        connection.send(connection.wire.format_error(reason))
        self._count_bad_line(connection)

    def _seat_of(self, connection: PlayerConnection) -> SeatState:
        assert connection.seat is not None
        return self._table.seats[connection.seat]

    def _log_on(self, connection: PlayerConnection, intent: LogOnIntent) -> None:
        why = self._logon.log_on(connection, intent)
        if why is not None:
            connection.log_remark(f"log-on refused: {why}")
            connection.disconnect(why)
            return
        if connection.wants_teams:
            self._logon.send_teams()
        if not connection.wire.has_requests:
            self._rejoin.join(self._seat_of(connection))

    def _reconnect(self, connection: PlayerConnection, intent: ReturnIntent, line: bytes, began_ms: int) -> None:
        if self._logon.may_reconnect(connection, intent.seat) and self._rejoin.reconnect(connection, intent.seat):
            self.receive_line(connection, line, began_ms)
        else:
            self.refuse_line(connection, intent.why_not)

    def _receive_action(
        self,
        connection: PlayerConnection,
        intent: CallIntent | CardIntent | ClaimIntent | ClaimAnswerIntent,
        line: bytes,
        began_ms: int,
    ) -> None:
        if connection.seat is None:
            self._answer_outside(connection)
            return
        seat = self._table.seats[connection.seat]
        # A player takes part in a board that began after it had joined, or that is replayed to it.
        board, view = (self._table.board, seat.view) if seat.player is connection else (None, None)
        if isinstance(intent, CardIntent) and board is not None:
            if intent.seat not in (None, seat.seat, board.state.dummy):
                # Declarer may name dummy; the board judges a card of dummy's from anybody (BC-33). Otherwise BC-11.
                connection.log_remark(f"a card of another seat from {seat.seat.title}'s connection: ignored")
                return
        elif isinstance(intent, CallIntent) and view is not None and view.explanation is not None:
            intent = CallIntent(intent.seat, intent.call, alerted=True, text=view.explanation)
            view.explanation = None
        if seat.in_transit_left and seat.discard_stale_line():
            return
        if board is None:
            self._answer_outside(connection)
        elif isinstance(intent, CallIntent | CardIntent):
            refusal = board.receive_action(seat, intent, began_ms)
            if refusal is not None:
                self._refuse(connection, seat, refusal, line)
        else:
            if isinstance(intent, ClaimIntent):
                why = board.receive_claim(seat)
            else:
                why = board.receive_claim_answer(seat.seat, intent.claimant, accepts=intent.accepts)
            if why is not None:
                connection.send(connection.wire.format_error(why))

    def _refuse(self, connection: PlayerConnection, seat: SeatState, refusal: Refusal, line: bytes) -> None:
        connection.log_remark(f"refused: {refusal.why}")
        connection.send_all(connection.wire.format_refusal(refusal, seat.view))
        if refusal.incident is None:
            self._count_bad_line(connection)
        else:
            self._adjudicator.judge_refusal(seat, refusal, _text(line))

    def _answer_outside(self, connection: PlayerConnection) -> None:
        """Answer a call or card of a player that takes part in no board: it was excluded, or none has begun."""
        if self._table.is_playing:
            connection.log_remark("the board goes on without this player: ignored")
        else:
            connection.send(connection.wire.format_error("no board has been started"))
        self._count_bad_line(connection)

    def _count_bad_line(self, connection: PlayerConnection) -> None:
        connection.bad_lines += 1
        most = self._table.settings.bad_lines_max
        if connection.bad_lines >= most:
            connection.disconnect(f"{connection.bad_lines} lines were refused, the limit is {most}")


def _text(line: bytes) -> str:
    """Return a line as an incident quotes it."""
    try:
        return decode_line(line)
    except FormatError:
        return ""
