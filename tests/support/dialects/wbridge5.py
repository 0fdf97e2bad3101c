"""WBridge5: capitals where version 18 has title case, and a bare `Alert.`."""

from typing import Final

from tests.support.dialects.base import CALL_WORDS, DialectPlayer
from tourney.bridge import Bid, Call, Card, Seat

DEAL_MS: Final = 7000
"""The time from `Start of board` to "ready for deal", in the log of a match."""

STALL_MS: Final = 293_000
"""How long it pauses on a bare `Alert.`, in the log of a match."""


class WBridge5(DialectPlayer):
    """WBridge5 5.12, as seen in its wire log.

    It writes seats in capitals, two spaces before EAST and WEST, `PASSES` but `bids 1C`, cards in lower case, a bare
    `Alert.`, `Dummy's` for dummy, and `ANYPL` if no seat was chosen. It takes 7 s to be ready for a deal. After a
    bare `Alert.` before its own call, it calls 293 s later.
    """

    profile = "wbridge5"

    _stalled = False

    def _say(self, line: str, after_ms: int = 0) -> None:
        super()._say(line, STALL_MS if self._stalled else after_ms)
        self._stalled = False

    def _ask_for_deal(self) -> None:
        self._say(self._ready("for deal"), after_ms=DEAL_MS)

    @property
    def _name(self) -> str:
        return self.seat.name

    def _whose_call(self, seat: Seat) -> str:
        return f" {seat.name}" if seat in (Seat.EAST, Seat.WEST) else seat.name

    def _whose_card(self, hand: Seat) -> str:
        whose = super()._whose_card(hand)
        return "Dummy's" if whose == "dummy's" else f"{self._whose_call(hand)}'s"

    def _call_line(self, call: Call, alert: str) -> str:
        said = f"bids {call}" if isinstance(call, Bid) else CALL_WORDS[call].upper()
        return f"{self._name} {said}{self._alert(alert)}"

    def _alert(self, text: str) -> str:
        return " Alert." if text else ""

    def _card_line(self, hand: Seat, card: Card) -> str:
        return f"{hand.name} plays {str(card).lower()}"

    def _read_call(self, line: str, turn: Seat) -> tuple[Call, str]:
        self._stalled = line.endswith(" Alert.") and turn.next is self.seat
        return super()._read_call(line.removesuffix(" Alert."), turn)
