"""The player's side of the Blue Chip protocol, version 18: lines in, lines and questions out.

Knows one seat. What to call or play it asks of its owner (`AskCall`, `AskCard`), which answers with `make_call` or
`make_card`. Knows no socket and no clock.
"""

from dataclasses import dataclass
from typing import TypeAlias

from tourney.bridge import Call, Card, PlayerView, Seat
from tourney.errors import FormatError, RuleError
from tourney.protocol.bluechip import texts
from tourney.protocol.bluechip.messages import CallLine, CardLine
from tourney.protocol.bluechip.server_lines import (
    BoardLine,
    EndLine,
    HandLine,
    LeadLine,
    RefusedLine,
    SeatedLine,
    ServerMessage,
    StartLine,
    TeamsLine,
    parse_server_line,
)
from tourney.protocol.lines import Overlong, decode_line


@dataclass(frozen=True, slots=True)
class Say:
    """Send this line."""

    line: str


@dataclass(frozen=True, slots=True)
class AskCall:
    """It is this player's turn to call: answer with `make_call`."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class AskCard:
    """It is this player's turn to play from `hand`, its own or dummy's: answer with `make_card`."""

    view: PlayerView
    hand: Seat


@dataclass(frozen=True, slots=True)
class Leave:
    """The session is over for this player. `reason` is None after `End of session`, else what went wrong."""

    reason: str | None


PlayerEffect: TypeAlias = Say | AskCall | AskCard | Leave


class PlayerCore:
    """One program at one seat, from `Connecting` to `End of session`."""

    def __init__(self, seat: Seat, team: str, *, version: int = 18, system: str = "") -> None:
        self.seat = seat
        self.team = team
        self.version = version
        self.system = system
        self.view: PlayerView | None = None
        """The board in hand, once its cards are dealt."""
        self._seated = False
        self._board: BoardLine | None = None
        self._asked_to_lead = False
        self._asked_for_dummy = False

    def start(self) -> list[PlayerEffect]:
        """Log on (BC-05)."""
        return [Say(texts.format_connecting(self.team, self.seat, self.version, self.system))]

    def receive_line(self, line: bytes | Overlong) -> list[PlayerEffect]:
        """A line has arrived from the table."""
        if isinstance(line, Overlong):
            return [Leave(f"the table sent a line of more than {line.limit} bytes")]
        try:
            text = decode_line(line)
            return self._receive(parse_server_line(text), text)
        except (FormatError, RuleError) as error:
            return [Leave(f"the table sent what cannot be: {error}")]

    def make_call(self, call: Call, alert: str = "") -> list[PlayerEffect]:
        """Answer `AskCall`. `alert` is the information on an artificial call, empty for a natural one (BC-17).

        Raises:
            RuleError: the call is not legal.
        """
        assert self.view is not None
        self.view.add_call(call)
        line = texts.format_call(self.seat, call)
        if alert:
            line += texts.format_alert(alert)
        return [Say(line), *self._next_step()]

    def make_card(self, hand: Seat, card: Card) -> list[PlayerEffect]:
        """Answer `AskCard` with a card of `view.legal_cards(hand)`.

        Raises:
            RuleError: the card is not legal.
        """
        assert self.view is not None
        if card not in self.view.legal_cards(hand):
            raise RuleError(f"{hand.title} may not play {card}")
        self._asked_to_lead = False
        self.view.add_card(card)
        return [Say(texts.format_card(hand, card)), *self._next_step()]

    def _receive(self, message: ServerMessage, text: str) -> list[PlayerEffect]:
        match message:
            case RefusedLine():
                return [Leave(f"the table said {text!r}")]
            case EndLine():
                return [Leave(None)]
            case SeatedLine() if not self._seated:
                self._seated = True
                return self._ready("for teams")
            case TeamsLine():
                return self._ready("to start")
            case StartLine():
                # Also in the middle of a board: the table begins it again.
                self.view = self._board = None
                self._asked_to_lead = self._asked_for_dummy = False
                return self._ready("for deal")
            case BoardLine():
                self._board = message
                return self._ready("for cards")
            case _:
                return self._receive_in_board(message, text)

    def _receive_in_board(self, message: ServerMessage, text: str) -> list[PlayerEffect]:
        view, board = self.view, self._board
        if view is None:
            if isinstance(message, HandLine) and not message.of_dummy and board is not None:
                self.view = PlayerView(self.seat, board.number, board.dealer, board.vulnerability, message.hand)
                return self._next_step()
            return []
        match message:
            case CallLine() if view.turn is message.seat is not self.seat and not view.auction.is_over:
                view.add_call(message.call, message.text)
            case CardLine() if self._is_next_card(view, message):
                view.add_card(message.card)
            case HandLine(of_dummy=True) if self._may_see_dummy(view):
                view.show_dummy(message.hand)
                if view.current is not None and not view.current.cards:
                    return []  # some tables show dummy before they tell the lead
            case LeadLine() if self._is_to_lead(view) and not self._asked_to_lead:
                self._asked_to_lead = True
            case CallLine() | CardLine():
                return [Leave(f"the table sent {text!r} out of turn")]
            case _:
                return []  # times, and what other servers say between boards
        return self._next_step()

    @staticmethod
    def _may_see_dummy(view: PlayerView) -> bool:
        """Whether there is a dummy, of another seat, that this player has not seen."""
        return view.contract is not None and not view.is_dummy and view.dummy_hand is None

    def _needs_dummy(self, view: PlayerView) -> bool:
        """Whether dummy lies open and this player has not seen it (BC-32)."""
        opened = bool(view.tricks) or (view.current is not None and bool(view.current.cards))
        return opened and self._may_see_dummy(view)

    @staticmethod
    def _plays_from(view: PlayerView, hand: Seat) -> bool:
        """Whether this player plays the cards of a hand: its own but as dummy, and dummy's as declarer."""
        assert view.contract is not None
        return view.is_declarer if hand is view.contract.dummy else hand is view.seat

    def _is_to_lead(self, view: PlayerView) -> bool:
        """Whether this player leads to the next trick, from its own hand or from dummy."""
        if view.turn is None or view.current is None or view.current.cards:
            return False
        return self._plays_from(view, view.turn)

    def _is_next_card(self, view: PlayerView, message: CardLine) -> bool:
        """Whether a line tells the card that is due from another player; dummy goes by three names."""
        contract, turn = view.contract, view.turn
        if contract is None or turn is None or self._plays_from(view, turn):
            return False
        return message.seat is turn or (turn is contract.dummy and message.seat in (None, contract.declarer))

    def _next_step(self) -> list[PlayerEffect]:
        """What a player says or is asked once it knows all that has been made so far."""
        view = self.view
        assert view is not None
        turn = view.turn
        if turn is None:
            return []  # the board is over: the next line is the table's
        if not view.auction.is_over:
            return [AskCall(view)] if turn is self.seat else self._ready(f"for {turn.title}'s bid")
        contract = view.contract
        assert contract is not None
        if self._needs_dummy(view):
            if self._asked_for_dummy:
                return []
            self._asked_for_dummy = True
            return self._ready("for dummy")
        if self._is_to_lead(view) and not self._asked_to_lead:
            return []  # BC-29: a lead waits for its line
        if self._plays_from(view, turn):
            return [AskCard(view, turn)]
        whose = "dummy" if turn is contract.dummy else turn.title
        return self._ready(f"for {whose}'s card to trick {len(view.tricks) + 1}")

    def _ready(self, what: str) -> list[PlayerEffect]:
        return [Say(f"{self.seat.title} ready {what}")]
