"""Manual alerting: calls that wait until an operator has said what they mean (BC-25, BC-26, BC-27).

An absent operator never stops the table: after a time limit a call counts as not alertable.
"""

from typing import Final

from tourney.bridge import Auction, Board
from tourney.protocol.session.alert_pauses import PairMethods, pauses_after
from tourney.protocol.session.board.relay import Action
from tourney.protocol.session.outbox import Desk
from tourney.protocol.session.records import AlertAnswered, AlertAsked
from tourney.protocol.session.rules import AlertMode, TableRules

ALERT_TIMER: Final = "alert"
DEFAULT_AUTHOR: Final = "time limit"


class AlertDesk:
    """The questions to the operator on one board. `actions` is the relay's list, in which calls are held."""

    def __init__(self, board: Board, desk: Desk, rules: TableRules, actions: list[Action]) -> None:
        self._number = board.number
        self._desk = desk
        self._rules = rules
        self._actions = actions
        self._waiting: set[int] = set()

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def note_call(self, auction: Auction, action: Action, now_ms: int) -> None:
        """A call was made, the last of `auction` and of the actions: ask about it where the mode says so."""
        asks = self._asks(auction, action)
        if not asks:
            return
        # In every mode the last call is the one that waits: nothing before it can be told again.
        action.held = True
        for number in asks:
            self._waiting.add(number)
            self._desk.record(AlertAsked(self._number, number, self._actions[number].actor, now_ms))
        self._desk.start_timer(ALERT_TIMER, now_ms + self._rules.alert_wait_ms)

    def _asks(self, auction: Auction, action: Action) -> list[int]:
        """The numbers of the calls that the operator is asked about, now that the last of them was made."""
        seq = len(auction.calls) - 1
        match self._rules.alerting:
            case AlertMode.OFF:
                return []
            case AlertMode.CALLS:
                return [seq] if self._needs_word(auction, seq) else []
            case AlertMode.KEYWORD:
                return [seq] if action.alerted and not action.text else []
            case AlertMode.AUCTION:
                return [n for n in range(seq + 1) if self._needs_word(auction, n)] if auction.is_over else []

    def answer(self, seq: int, text: str, author: str, now_ms: int) -> str | None:
        """Take the operator's word on call `seq`; empty text for "not alertable". Gives why not, in a sentence.

        A call that was told already, as in the variation that asks at the end of the auction, is explained on record
        only: the protocol has no line for it.
        """
        if seq not in self._waiting:
            return f"no answer is awaited on call {seq + 1} of board {self._number}"
        self._waiting.remove(seq)
        self._desk.record(AlertAnswered(self._number, seq, text, author, now_ms))
        action = self._actions[seq]
        if text:
            action.alerted, action.text = True, text
        if not self._waiting:
            self._actions[-1].held = False
        return None

    def receive_timer(self, name: str, now_ms: int) -> None:
        """The operator has said nothing in time."""
        if name == ALERT_TIMER:
            for seq in sorted(self._waiting):
                self.answer(seq, "", DEFAULT_AUTHOR, now_ms)

    def _needs_word(self, auction: Auction, seq: int) -> bool:
        """Whether a call is neither in the no-pause list nor explained by its player."""
        action = self._actions[seq]
        methods = self._rules.methods.get(action.actor.side, PairMethods())
        return not action.text and pauses_after(auction.calls[: seq + 1], methods)
