"""Passes the intents of players' lines to the log-on or the current board, or refuses them."""

from tourney.errors import FormatError
from tourney.protocol.lines import decode_line
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.board.session import BoardSession
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.logon import Logon
from tourney.protocol.session.rejoin import RejoinControl
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.state import SessionState
from tourney.protocol.session.wire import (
    BadLine,
    CallIntent,
    CardIntent,
    CardsIntent,
    ClaimAnswerIntent,
    ClaimIntent,
    Intent,
    JoinIntent,
    LogOnIntent,
    Refusal,
    ReturnIntent,
    TeamsIntent,
)


class Dispatch:
    """Acts on the lines of one table's connections. A line can at worst end its own connection."""

    def __init__(self, table: SessionState, logon: Logon, adjudicator: Adjudicator, rejoin: RejoinControl) -> None:
        self._table = table
        self._logon = logon
        self._adjudicator = adjudicator
        self._rejoin = rejoin

    def receive(
        self, connection: PlayerConnection, intent: Intent, line: bytes, now_ms: int, began_ms: int | None = None
    ) -> None:
        """Act on the intent of a line.

        Args:
            connection: where it came in.
            intent: what it says.
            line: the raw text, for incidents.
            now_ms: when it arrived.
            began_ms: when its first byte arrived, if that was earlier.
        """
        match intent:
            case CallIntent() | CardIntent():
                self._receive_action(connection, intent, line, now_ms, began_ms)
            case BadLine(is_log_on=False):
                self.refuse_line(connection, intent.reason)
            case BadLine():
                self.dismiss(connection, intent.reason)
            case LogOnIntent():
                self._log_on(connection, intent, now_ms)
            case ReturnIntent():
                self._take_back(connection, intent, line, now_ms, began_ms)
            case TeamsIntent():
                self._logon.tell_teams(now_ms)
            case JoinIntent():
                self._rejoin.join(self._seat_of(connection), now_ms)
            case CardsIntent():
                board = self._board_of(connection)
                if board is not None and not self._seat_of(connection).swallow_line():
                    board.deal(now_ms)
            case ClaimIntent() | ClaimAnswerIntent():
                self._receive_claim(connection, intent, now_ms)

    def refuse_line(self, connection: PlayerConnection, reason: str) -> None:
        """Refuse a line: send the reason, and count it."""
        connection.wire.send_error(reason)
        self._count_bad_line(connection)

    def dismiss(self, connection: PlayerConnection, reason: str) -> None:
        """Send the reason, and close the connection."""
        connection.wire.send_error(reason)
        connection.close(reason)

    def _seat_of(self, connection: PlayerConnection) -> SeatState:
        assert connection.seat is not None
        return self._table.seats[connection.seat]

    def _board_of(self, connection: PlayerConnection) -> BoardSession | None:
        """Return the board that a player takes part in: one that began after it joined, or is replayed to it."""
        return self._table.board if connection.wire.board is not None else None

    def _log_on(self, connection: PlayerConnection, intent: LogOnIntent, now_ms: int) -> None:
        why = self._logon.log_on(connection, intent, now_ms)
        if why is not None:
            connection.note(f"log-on refused: {why}")
            self.dismiss(connection, why)
            return
        if connection.wire.wants_teams:
            self._logon.tell_teams(now_ms)
        if connection.wire.joins_when_seated:
            self._rejoin.join(self._seat_of(connection), now_ms)

    def _take_back(
        self, connection: PlayerConnection, intent: ReturnIntent, line: bytes, now_ms: int, began_ms: int | None
    ) -> None:
        if self._logon.may_come_back(connection, intent.seat) and self._rejoin.take_back(
            connection, intent.seat, now_ms
        ):
            again = connection.wire.receive_line(line, now_ms)
            if again is not None:
                self.receive(connection, again, line, now_ms, began_ms)
        else:
            self.refuse_line(connection, intent.why_not)

    def _receive_action(
        self,
        connection: PlayerConnection,
        intent: CallIntent | CardIntent,
        line: bytes,
        now_ms: int,
        began_ms: int | None,
    ) -> None:
        # Like `_board_of` and `_seat_of`, without the extra calls: this runs for every call and card.
        board = self._table.board if connection.wire.board is not None else None
        if connection.seat is None:
            self._answer_outside(connection)
            return
        seat = self._table.seats[connection.seat]
        if seat.in_transit_left and seat.swallow_line():
            return
        if board is None:
            self._answer_outside(connection)
            return
        if isinstance(intent, CallIntent):
            refusal = board.receive_call(seat, intent, now_ms, began_ms)
        else:
            refusal = board.receive_card(seat, intent, now_ms, began_ms)
        if refusal is not None:
            self._refuse(connection, seat, refusal, line, now_ms)

    def _refuse(
        self, connection: PlayerConnection, seat: SeatState, refusal: Refusal, line: bytes, now_ms: int
    ) -> None:
        connection.note(f"refused: {refusal.why}")
        connection.wire.send_refusal(refusal)
        if refusal.incident is None:
            self._count_bad_line(connection)
        else:
            self._adjudicator.judge_refusal(seat, refusal, _text(line), now_ms)

    def _receive_claim(
        self, connection: PlayerConnection, intent: ClaimIntent | ClaimAnswerIntent, now_ms: int
    ) -> None:
        board = self._board_of(connection)
        if connection.seat is not None and self._seat_of(connection).swallow_line():
            return
        if board is None:
            self._answer_outside(connection)
            return
        seat = self._seat_of(connection)
        if isinstance(intent, ClaimIntent):
            why = board.receive_claim(seat, now_ms)
        else:
            why = board.receive_claim_answer(seat.seat, intent.claimant, now_ms, accepts=intent.accepts)
        if why is not None:
            connection.wire.send_error(why)

    def _answer_outside(self, connection: PlayerConnection) -> None:
        """Answer a call or card of a player that takes part in no board: it was excluded, or none has begun."""
        if self._table.is_playing:
            connection.note("the board goes on without this player: ignored")
        else:
            connection.wire.send_error("no board has been started")
        self._count_bad_line(connection)

    def _count_bad_line(self, connection: PlayerConnection) -> None:
        connection.bad_lines += 1
        most = self._table.settings.bad_lines_max
        if connection.bad_lines >= most:
            self.dismiss(connection, f"{connection.bad_lines} lines were refused, the limit is {most}")


def _text(line: bytes) -> str:
    """Return a line as an incident quotes it."""
    try:
        return decode_line(line)
    except FormatError:
        return ""
