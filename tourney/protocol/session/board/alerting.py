"""Manual alerting: calls that wait until an operator has said what they mean (BC-25, BC-26, BC-27).

An absent operator never stops the table: after a time limit a call counts as not alertable.
"""

from typing import Final

from tourney.protocol.session.alert_pauses import PairMethods, pauses_after
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.outbox import Outbox
from tourney.protocol.session.records import NO_ANSWER_AUTHOR, AlertAnswered, AlertAsked
from tourney.protocol.session.rules import AlertMode, TableRules

ALERT_TIMER: Final = "alert"


class ManualAlerts:
    """The questions to the operator on one board."""

    def __init__(self, board: BoardState, rules: TableRules, outbox: Outbox) -> None:
        self._board = board
        self._rules = rules
        self._outbox = outbox
        self._waiting: set[int] = set()
        self._asked_ms = 0
        """When the operator was asked last."""

    @property
    def waits(self) -> bool:
        """Whether the board waits for the operator."""
        return bool(self._waiting)

    def note_call(self, now_ms: int) -> None:
        """Ask about the last call of the history if the mode requires it."""
        if self._rules.alerting is AlertMode.OFF:
            return
        asks = self._asks()
        if not asks:
            return
        history = self._board.history
        # In every mode the last call is the one that waits, as earlier calls have been relayed already.
        history[-1].held = True
        for seq in asks:
            self._waiting.add(seq)
            self._outbox.record(AlertAsked(self._board.board.number, seq, history[seq].actor, now_ms))
        self._asked_ms = now_ms
        self._outbox.start_timer(ALERT_TIMER, now_ms + self._rules.alert_wait_ms)

    def resume(self, now_ms: int) -> None:
        """Continue to wait for the operator after time that does not count."""
        if self._waiting:
            self._outbox.start_timer(ALERT_TIMER, now_ms + self._left_ms(now_ms))

    def _left_ms(self, now_ms: int) -> int:
        return max(0, self._rules.alert_wait_ms - self._board.time.elapsed_ms(self._asked_ms, now_ms))

    def _asks(self) -> list[int]:
        """Return the numbers of the calls to ask the operator about after the last call."""
        auction, last = self._board.in_play.auction, self._board.history[-1]
        seq = len(auction.calls) - 1
        match self._rules.alerting:
            case AlertMode.OFF:
                return []
            case AlertMode.CALLS:
                return [seq] if self._needs_explanation(seq) else []
            case AlertMode.KEYWORD:
                return [seq] if last.alerted and not last.text else []
            case AlertMode.AUCTION:
                return [n for n in range(seq + 1) if self._needs_explanation(n)] if auction.is_over else []

    def answer(self, seq: int, text: str, author: str, now_ms: int) -> str | None:
        """Accept the operator's answer on call `seq`, empty for "not alertable"; return why not, as a sentence.

        A call that has been relayed already, as in the mode that asks at the end of the auction, is explained only on
        record: the protocol has no line for it.
        """
        number = self._board.board.number
        if seq not in self._waiting:
            return f"no answer is awaited on call {seq + 1} of board {number}"
        self._waiting.remove(seq)
        self._outbox.record(AlertAnswered(number, seq, text, author, now_ms))
        history = self._board.history
        if text:
            history[seq].alerted, history[seq].text = True, text
        if not self._waiting:
            history[-1].held = False
        return None

    def receive_timer(self, name: str, now_ms: int) -> None:
        """Handle the time limit, if so much time has counted: the operator has not answered."""
        if name != ALERT_TIMER or self._board.time.is_stopped:
            return
        if self._left_ms(now_ms):
            self.resume(now_ms)
        else:
            for seq in sorted(self._waiting):
                self.answer(seq, "", NO_ANSWER_AUTHOR, now_ms)

    def _needs_explanation(self, seq: int) -> bool:
        """Return whether a call is neither in the no-pause list nor explained by its player."""
        entry = self._board.history[seq]
        methods = self._rules.methods.get(entry.actor.side, PairMethods())
        return not entry.text and pauses_after(self._board.in_play.auction.calls[: seq + 1], methods)
