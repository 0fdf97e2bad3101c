"""What each intent of a player's line leads to: at the log-on, on the current board, or that it is refused."""

from dataclasses import dataclass
from typing import Final

from tourney.errors import FormatError
from tourney.protocol.lines import decode_line
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.intents import (
    Answered,
    AnswerIntent,
    BadLine,
    CallIntent,
    CardIntent,
    ChatIntent,
    ClaimAnswerIntent,
    ClaimIntent,
    DirectorIntent,
    EchoIntent,
    ExplanationIntent,
    Ignored,
    Intent,
    LogOnIntent,
    NextBoardIntent,
    OfferAnswerIntent,
    QuestionIntent,
    Ready,
    ReadyFor,
    ReturnIntent,
    StateIntent,
    UndoIntent,
)
from tourney.protocol.session.logon import Logon
from tourney.protocol.session.notices import ActionRefused, ChatSaid, ErrorText, NoteText, WholeState
from tourney.protocol.session.records import DIRECTOR_GAP_MS, BoardEnd, IncidentKind
from tourney.protocol.session.rejoin import RejoinControl
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.state import SessionState

STATE_GAP_MS: Final = 1000
"""The least time between two answers to a player that asks for the state: it has been sent what is new since."""

CHAT_GAP_MS: Final = 1000
"""The least time between two lines that a player says to the others."""


@dataclass(eq=False)
class Dispatch:
    """Acts on what the lines of one table's connections say. A line can at worst end its own connection."""

    _table: SessionState
    _logon: Logon
    _adjudicator: Adjudicator
    _rejoin: RejoinControl

    def receive_other(  # noqa: PLR0912 # one case an intent
        self, connection: PlayerConnection, intent: Intent | None
    ) -> None:
        """Act on what is neither of the board in play nor of a player that is back."""
        match intent:
            case Ready():
                self._receive_ready_outside(connection, intent)
            case Answered():
                for answer in intent.lines:
                    connection.send(answer)
            case Ignored():
                connection.log_remark(intent.why)
            case ExplanationIntent() | EchoIntent() | StateIntent():
                self._receive_words(connection, intent)
            case NextBoardIntent():
                self._end_break(connection)
            case ChatIntent():
                self._chat(connection, intent.text)
            case DirectorIntent():
                self._call_director(connection, intent.text)
            case BadLine(is_log_on=True):
                connection.disconnect(intent.reason)
            case BadLine():
                self.refuse_line(connection, intent.reason)
            case LogOnIntent():
                self._log_on(connection, intent)
            case None:
                pass
            case _:
                self._receive_offer(connection, intent)

    def _receive_ready_outside(self, connection: PlayerConnection, request: Ready) -> None:
        """Accept what a player asks for that takes part in no board."""
        table, board = self._table, self._table.board
        is_passed_out = board is not None and board.state.ended is BoardEnd.PASSED_OUT and not table.is_playing
        if request.what is ReadyFor.TEAMS and not connection.teams_shown:
            connection.wants_teams = True
            self._logon.send_teams()
        elif request.what is ReadyFor.START and connection.teams_shown and not connection.is_ready:
            self._rejoin.join(self._seat_of(connection))
        elif request.what is ReadyFor.DEAL and is_passed_out:
            connection.is_early = True  # for the next board, which has not begun (BC-19)
        else:
            connection.log_remark(f"ready for {request.what.value} outside a board, swallowed")

    def _receive_words(
        self, connection: PlayerConnection, intent: ExplanationIntent | EchoIntent | StateIntent
    ) -> None:
        """Act on what a player says or asks of itself."""
        seat = self._seat_of(connection)
        view = seat.view if seat.player is connection else None
        match intent:
            case StateIntent() if self._table.now_ms - connection.stated_at_ms < STATE_GAP_MS:
                connection.notify(ErrorText("the state is sent once a second at most"))
            case StateIntent():
                connection.stated_at_ms = self._table.now_ms
                connection.scores_shown = None
                if view is not None:
                    view.options = None
                in_board = view if view is not None and view.cards_shown else None
                scores = connection.take_new_scores()
                connection.notify(WholeState(seat.seat, scores), in_board)
                if in_board is not None and self._table.board is not None:
                    in_board.questions_shown.clear()
                    self._table.board.show_questions()
            case ExplanationIntent() if view is not None:
                view.explanation = intent.text
            case EchoIntent() if view is not None and intent.token == view.awaited_echo:
                view.awaited_echo = ""
            case _:
                pass

    def _end_break(self, connection: PlayerConnection) -> None:
        """Note that a player is ready for the next board."""
        if connection.is_on_break and self._table.is_on_break:
            connection.is_on_break = False
        else:
            self.refuse_line(connection, "no board waits for you: say that you are ready after one has ended")

    def _chat(self, connection: PlayerConnection, text: str) -> None:
        """Pass on what a player says to all who sit at the table; it is not on record."""
        now_ms = self._table.now_ms
        if not self._table.settings.rules.chat:
            self.refuse_line(connection, "nothing is said at this table")
        elif connection.seat is None:
            self.refuse_line(connection, "who has a seat may say something")
        elif now_ms - connection.chatted_at_ms < CHAT_GAP_MS:
            self.refuse_line(connection, "one line a second may be said")
        else:
            connection.chatted_at_ms = now_ms
            for seat in self._table.seats:
                if seat.connection is not None:
                    seat.connection.notify(ChatSaid(connection.seat, text))

    def _call_director(self, connection: PlayerConnection, text: str) -> None:
        """Put on record that a player calls the director (Law 9B); play goes on meanwhile."""
        if connection.seat is None:
            self.refuse_line(connection, "who has a seat may call the director")
            return
        seat, now_ms = self._table.seats[connection.seat], self._table.now_ms
        last_ms = self._table.counts.director_called_at_ms.get(seat.seat)
        if last_ms is not None and now_ms - last_ms < DIRECTOR_GAP_MS:
            wait_s = -(-(last_ms + DIRECTOR_GAP_MS - now_ms) // 1000)
            self.refuse_line(connection, f"you have called the director: call again in {wait_s} s")
            return
        said = text or f"{seat.seat.title} calls the director"
        self._table.record_incident(IncidentKind.DIRECTOR_CALLED, seat.seat, said)
        connection.notify(NoteText("the director is called"))

    def refuse_line(self, connection: PlayerConnection, reason: str) -> None:
        """Refuse a line: send the reason, and count it."""
        connection.notify(ErrorText(reason))
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

    def reconnect(self, connection: PlayerConnection, intent: ReturnIntent) -> bool:
        """Give a connection that has not logged on the seat whose lines it sends; return whether it has it now."""
        if self._logon.may_reconnect(connection, intent.seat) and self._rejoin.reconnect(connection, intent.seat):
            return True
        self.refuse_line(connection, intent.why_not)
        return False

    def receive_action(
        self,
        connection: PlayerConnection,
        intent: CallIntent | CardIntent,
        line: bytes,
        began_ms: int,
        own_ms: int | None = None,
    ) -> None:
        """Act on a call or a card.

        Args:
            connection: whose it is.
            intent: what it says.
            line: what was sent; empty if nothing was, as the player is in this process.
            began_ms: when its first byte arrived.
            own_ms: as of `TableCore.receive_line`.
        """
        if connection.seat is None:
            self._answer_outside(connection)
            return
        seat = self._table.seats[connection.seat]
        # A player takes part in a board that began after it had joined, or that is replayed to it.
        board, view = (self._table.board, seat.view) if seat.player is connection else (None, None)
        if isinstance(intent, CardIntent) and board is not None:
            if intent.seat not in (None, seat.seat, board.state.in_play.dummy):
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
            return
        refusal = board.receive_action(seat, intent, began_ms, own_ms)
        if refusal is None:
            return
        connection.log_remark(f"refused: {refusal.why}")
        connection.notify(ActionRefused(refusal), view)
        if refusal.incident is None:
            self._count_bad_line(connection)
        else:
            said = _text(line) if line else str(intent.call if isinstance(intent, CallIntent) else intent.card)
            self._adjudicator.judge_refusal(seat, refusal, said)

    def _receive_offer(self, connection: PlayerConnection, intent: Intent) -> None:
        """Act on what a player offers or asks the others, or on an answer to that."""
        seat = self._table.seats[connection.seat] if connection.seat is not None else None
        board = self._table.board
        if seat is not None and seat.discard_stale_line():
            return
        if seat is None or board is None or seat.player is not connection:
            self._answer_outside(connection)
            return
        why: str | None = None
        match intent:
            case ClaimIntent():
                why = board.receive_claim(seat)
            case ClaimAnswerIntent():
                why = board.receive_claim_answer(seat.seat, intent.claimant, accepts=intent.accepts)
            case UndoIntent():
                why = board.receive_undo(seat)
            case QuestionIntent():
                why = board.receive_question(seat, intent.number)
            case AnswerIntent():
                why = board.receive_answer(seat.seat, intent.number, intent.text)
            case OfferAnswerIntent():
                why = board.receive_offer_answer(seat.seat, intent.number, accepts=intent.accepts)
            case _:
                pass
        if why is not None:
            connection.notify(ErrorText(why))

    def _answer_outside(self, connection: PlayerConnection) -> None:
        """Answer a call or card of a player that takes part in no board: it was excluded, or none has begun."""
        if self._table.is_playing:
            connection.log_remark("the board goes on without this player: ignored")
        else:
            connection.notify(ErrorText("no board has been started"))
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
