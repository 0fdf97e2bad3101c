"""The player's side of the Blue Chip protocol, version 18: lines in, lines and questions out.

It plays one seat. It asks its owner what to call or play (`AskCall`, `AskCard`), and the owner answers with
`make_call` or `make_card`. It uses no socket and no clock.

Its lines have the exact form of version 18.
"""

import re
from typing import Final

from tourney.bridge import Call, Card, PlayerView, Seat
from tourney.errors import FormatError, ProtocolError, RuleError
from tourney.plurals import shorten
from tourney.protocol.bluechip import server_lines
from tourney.protocol.bluechip.player_lines import format_connecting
from tourney.protocol.bluechip.server_lines import (
    BoardLine,
    HandLine,
    PlainLine,
    SeatedLine,
    ServerMessage,
    TeamsLine,
    parse_server_line,
)
from tourney.protocol.lines import Overlong, decode_line
from tourney.protocol.player import AskCall, AskCard, ClaimJudge, Leave, PlayerEffect, SendLine
from tourney.protocol.session.intents import CallIntent, CardIntent, ClaimIntent

_START_OR_END: Final = re.compile(r"(start|end)\b", re.IGNORECASE)

_QUOTED_CHARS_MAX: Final = 200
"""How much of a line a reason quotes: more than any line without a long alert."""

_ILLEGAL_MAX: Final = 50
"""Illegal calls and cards on a board after which this player leaves: more than our own table has patience for."""

_CARDS_EXAMPLE: Final = "S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3."


class PlayerCore:
    """One program at one seat, from `Connecting` to `End of session`. With `seat` None it asks for any (BC-52).

    `judge_claim` says whether it accepts a claim; without it all are rejected.
    """

    def __init__(
        self,
        seat: Seat | None,
        team: str,
        *,
        version: int = 18,
        system: str = "",
        judge_claim: ClaimJudge | None = None,
    ) -> None:
        self.team = team
        self.version = version
        self.system = system
        self.view: PlayerView | None = None
        """The current board, once its cards are dealt."""
        self._seat = seat
        self._seated = False
        self._board: BoardLine | None = None
        self._question: AskCall | AskCard | None = None
        self._crossed: Card | None = None
        """A card of ours that one of the table's has crossed, while the table may still take it for a lead."""
        self._asked_to_lead = False
        self._asked_for_dummy = False
        self._may_close = False
        self._has_claim = False
        """Whether a claim was made on this board: the claimant's cards and the verdict are not for this player."""
        self._insisted = self._refused = 0
        """How many illegal calls and cards were sent on this board, and how many the table has refused."""
        self._is_refused = False
        """Whether it has refused the last."""
        self._judge_claim = judge_claim
        self._claimant: Seat | None = None
        """Whose claim is to be settled: an opponent's, or our own."""
        self._held: AskCall | AskCard | None = None
        """The question that was taken back until it is."""
        self._owed = ""
        """The line that the table owes this player, with an example; empty between boards and in its own turn."""

    @property
    def seat(self) -> Seat:
        """The seat of this player.

        Raises:
            ProtocolError: it asked for any seat, and the table has not yet assigned one.
        """
        if self._seat is None:
            raise ProtocolError("the table has not said which seat a player has that asked for any")
        return self._seat

    def start(self) -> list[PlayerEffect]:
        """Log on (BC-05)."""
        seat = self._seat.title if self._seat is not None else "North"
        self._owed = f"a seat, as in '{seat} (\"{self.team}\") seated'"
        return [SendLine(format_connecting(self.team, self._seat, self.version, self.system))]

    def receive_line(self, line: bytes | Overlong) -> list[PlayerEffect]:
        """Handle a line from the table."""
        if isinstance(line, Overlong):
            return [Leave(f"the table sent a line of more than {line.limit} bytes")]
        text = line.decode("ascii", "backslashreplace")
        try:
            text = decode_line(line)
            return self._receive(parse_server_line(text), text)
        except (FormatError, RuleError) as error:
            return [Leave(f"the table sent {_quote(text)}, which cannot be: {error}")]

    def receive_close(self) -> list[PlayerEffect]:
        """Handle the close of the connection by the table."""
        # Bridge Moniteur's last line is the score.
        return [Leave(None if self._may_close else "the table closed the connection before the end of the session")]

    def needs_no_answer(self, line: bytes) -> bool:
        """Return whether a line is none of the protocol: it was ignored, and a person may want to know it."""
        return parse_server_line(decode_line(line)) is PlainLine.OTHER

    def make_call(self, call: Call, alert: str = "", *, asked: AskCall | None = None) -> list[PlayerEffect]:
        """Answer `AskCall`. `alert` is the information on an artificial call, empty for a natural one (BC-17).

        `asked` is the question. The answer is dropped if the question is out of date because the table has restarted
        the board or called in our name.

        Raises:
            RuleError: the call is not legal.
        """
        question = self._question
        if not isinstance(question, AskCall) or (asked is not None and asked is not question):
            return []
        question.view.add_call(call)
        self._question = None
        line = server_lines.format_call(self.seat, call)
        if alert:
            line += server_lines.format_alert(alert)
        return [SendLine(line), *self._next_step(question.view)]

    def make_card(self, hand: Seat, card: Card, *, asked: AskCard | None = None) -> list[PlayerEffect]:
        """Answer `AskCard` with a card of `view.legal_from(hand)`; for `asked` see `make_call`.

        Raises:
            RuleError: the card is not legal.
        """
        question = self._question
        if not isinstance(question, AskCard) or (asked is not None and asked is not question):
            return []
        if hand is not question.hand or card not in question.view.legal_from(hand):
            raise RuleError(f"{hand.title} may not play {card}")
        self._question = self._crossed = None
        self._asked_to_lead = False
        question.view.add_card(card)
        return [SendLine(server_lines.format_card(hand, card)), *self._next_step(question.view)]

    def send_illegal(self, answer: Call | Card, *, asked: AskCall | AskCard) -> list[PlayerEffect]:
        """Answer `asked` with a call or card that is not legal, for the table to rule on (BC-20, BC-34).

        If the table refuses it, and then is silent instead of acting in our name, the question comes again.
        """
        if asked is not self._question:
            return []
        self._insisted += 1
        self._is_refused = False
        if isinstance(answer, Card):
            hand = asked.hand if isinstance(asked, AskCard) else self.seat
            return [SendLine(server_lines.format_card(hand, answer))]
        return [SendLine(server_lines.format_call(self.seat, answer))]

    @property
    def is_refused(self) -> bool:
        """Whether the table has refused what we have answered, and may still act in our name (BC-46)."""
        return self._is_refused and self._question is not None

    def _receive(self, message: ServerMessage, text: str) -> list[PlayerEffect]:
        said = self._receive_of_claim(message, text)
        if said is not None:
            return said
        match message:
            case PlainLine.REFUSED:
                return self._receive_refusal(text)
            case PlainLine.END:
                return [Leave(None)]
            case PlainLine.SCORE:
                self._may_close = True
                return []
            case PlainLine.NOTICE:
                return self._ask_again() if not text else []
            case SeatedLine() if not self._seated:
                self._seated = True
                if self._seat is None:
                    self._seat = message.seat
                return self._ready("for teams", 'the teams, as in \'Teams : N/S : "Alpha" E/W : "Beta"\'')
            case TeamsLine() if self._seat is not None:
                return self._ready("to start", "")
            case PlainLine.START if self._seat is not None:
                # Also in the middle of a board, and while the owner thinks: the table begins it again.
                self.view = self._board = self._question = self._crossed = self._claimant = self._held = None
                self._asked_to_lead = self._asked_for_dummy = self._may_close = self._has_claim = False
                self._insisted = self._refused = 0
                return self._ready("for deal", "the deal, as in 'Board number 7. Dealer South. Both vulnerable.'")
            case BoardLine() if self._seat is not None:
                self._board = message
                return self._ready(
                    "for cards", f"thirteen cards, as in '{self.seat.title}'s cards : {_CARDS_EXAMPLE}'"
                )
            case PlainLine.OTHER:
                return self._receive_unreadable(text)
            case _:
                return self._receive_in_board(message, text)

    def _receive_refusal(self, text: str) -> list[PlayerEffect]:
        """Leave if the table refuses anything else than what was illegal in our own eyes, or that too often."""
        if not self._refused < self._insisted <= _ILLEGAL_MAX:
            return [Leave(f"the table said {_quote(text)}")]
        self._refused += 1
        self._is_refused = True
        return []

    def _ask_again(self) -> list[PlayerEffect]:
        """Ask once more after a refusal, as the table has been silent since."""
        asked = [self._question] if self._is_refused and self._question is not None else []
        self._is_refused = False
        return [*asked]

    def _receive_unreadable(self, text: str) -> list[PlayerEffect]:
        """Leave if the line stands in the place of one that the table owes; otherwise it needs no answer.

        Between boards some tables send lines of their own, so that only a start or an end is missed there.
        """
        if self._has_claim:
            return []
        owed = self._owed
        if not owed and self._question is None and _START_OR_END.match(text.lstrip()):
            owed = "'Start of board' or 'End of session'"
        return [Leave(f"the table sent {_quote(text)} where it owed {owed}")] if owed else []

    def _receive_in_board(self, message: ServerMessage, text: str) -> list[PlayerEffect]:
        view = self.view
        if view is None:
            return self._receive_cards(message, text)
        match message:
            case CallIntent() if view.turn is message.seat is not self.seat and not view.auction.is_over:
                view.add_call(message.call, message.text)
            case CardIntent() if self._is_next_card(view, message):
                view.add_card(message.card)
            case CallIntent() if isinstance(self._question, AskCall) and message.seat is self.seat:
                # The table has called in our name because we took too long (BC-46).
                self._question = None
                view.add_call(message.call)
            case CardIntent() if self._is_asked_card(message):
                self._question = None
                self._asked_to_lead = False
                view.add_card(message.card)
            case ClaimIntent():
                self._has_claim = True
                return self._receive_claim(view, message)
            case HandLine(of_dummy=True) if self._may_see_dummy(view):
                view.show_dummy(message.hand)
                if not view.cards:
                    return []  # some tables show dummy before they send the lead
            case PlainLine.LEAD if self._is_to_lead(view) and not self._asked_to_lead:
                self._asked_to_lead = True
            case CallIntent() | CardIntent():
                return self._receive_instead(view, message, text)
            case _:
                return []
        return self._next_step(view)

    def _receive_cards(self, message: ServerMessage, text: str) -> list[PlayerEffect]:
        """Handle a line before this player has its cards."""
        board = self._board
        if board is None:
            return []
        if isinstance(message, HandLine) and not message.of_dummy:
            self.view = PlayerView(self.seat, board.number, board.dealer, board.vulnerability, message.hand)
            return self._next_step(self.view)
        if isinstance(message, CallIntent | CardIntent | HandLine):
            return [Leave(f"the table sent {_quote(text)} where it owed {self._owed}")]
        return []

    def _receive_instead(self, view: PlayerView, message: CallIntent | CardIntent, text: str) -> list[PlayerEffect]:
        """Handle the table's action in our name; if ours has crossed it, the table's counts (BC-46)."""
        put_right = _in_place_of_last(view, message)
        if put_right is None:
            if isinstance(message, CardIntent) and self._has_led_crossed(view, message):
                return self._receive_in_board(message, text)
            return [Leave(f"the table sent {_quote(text)} out of turn")]
        if put_right is view:
            return []
        self._crossed = view.cards[-1][1] if isinstance(message, CardIntent) else None
        self.view = put_right
        return self._next_step(put_right)

    def _has_led_crossed(self, view: PlayerView, message: CardIntent) -> bool:
        """Return whether the table has taken our card that crossed its own for our lead to the trick after.

        That is so when it goes on with the card of the hand that follows; a lead that we are asked for is then made.
        """
        card, turn = self._crossed, view.turn
        if card is None or turn is None or not self._is_to_lead(view) or card not in view.legal_from(turn):
            return False
        self._question = self._crossed = None
        self._asked_to_lead = False
        view.add_card(card)
        return self._is_next_card(view, message)

    @staticmethod
    def _may_see_dummy(view: PlayerView) -> bool:
        """Return whether there is a dummy, other than this player, whose hand it has not seen."""
        return view.contract is not None and not view.is_dummy and view.dummy_hand is None

    def _is_to_lead(self, view: PlayerView) -> bool:
        """Return whether this player leads to the next trick, from its own hand or from dummy."""
        if view.turn is None or view.current is None or view.current.cards:
            return False
        return _plays_from(view, view.turn)

    def _is_next_card(self, view: PlayerView, message: CardIntent) -> bool:
        """Return whether a line is the card due from another player; dummy has three names."""
        contract, turn = view.contract, view.turn
        if contract is None or turn is None or _plays_from(view, turn):
            return False
        return message.seat is turn or (turn is contract.dummy and message.seat in (None, contract.declarer))

    def _is_asked_card(self, message: CardIntent) -> bool:
        """Return whether a line plays, in our name, the card that our owner has been asked for (BC-46)."""
        question = self._question
        if not isinstance(question, AskCard) or message.seat is not question.hand:
            return False
        return message.card in question.view.legal_from(question.hand)

    # Claims (BC-40, BC-41): of all the remaining tricks; until one is settled nobody plays

    def make_claim(self, asked: AskCard) -> list[PlayerEffect]:
        """Answer `asked` with a claim of all remaining tricks; if it is rejected, the question comes again."""
        if asked is not self._question:
            return []
        self._hold(self.seat)
        return [SendLine(f"{self.seat.title} claims")]

    def _receive_claim(self, view: PlayerView, claim: ClaimIntent) -> list[PlayerEffect]:
        """Reject a claim, so that all tricks are played, or wait for the claimant's cards to judge it."""
        if view.contract is None or view.is_dummy or claim.seat.side is self.seat.side:
            return []
        if self._judge_claim is not None:
            self._hold(claim.seat)
            return []
        return [SendLine(f"{self.seat.title} rejects {claim.seat.title}'s claim")]

    def _receive_of_claim(self, message: ServerMessage, text: str) -> list[PlayerEffect] | None:
        """Handle a line about a claim that is not settled; None if it is about anything else."""
        claimant = self._claimant
        if claimant is None or message is PlainLine.START:
            return None
        lower = text.rstrip(" .").lower()
        if lower.endswith("claim is accepted"):
            self._claimant = self._held = None
            self._owed = ""
            return []
        if lower.endswith("claim is rejected") or (claimant is self.seat and message is PlainLine.REFUSED):
            held, self._claimant, self._held = self._held, None, None
            return self._ask(AskCard(held.view, held.hand)) if isinstance(held, AskCard) else []
        head, colon, cards = text.partition(":")
        is_of_cards = colon and head.rstrip().lower() == f"{claimant.title.lower()}'s cards"
        if not is_of_cards or self.view is None or self._judge_claim is None:
            return None
        verb = "accepts" if self._judge_claim(self.view, claimant, server_lines.parse_cards(cards)) else "rejects"
        return [SendLine(f"{self.seat.title} {verb} {claimant.title}'s claim")]

    def _hold(self, claimant: Seat) -> None:
        self._claimant, self._held, self._question = claimant, self._question, None

    def _next_step(self, view: PlayerView) -> list[PlayerEffect]:
        """Return what the player sends or is asked next, once it knows every call and card so far."""
        turn = view.turn
        if turn is None:
            self._owed = ""
            return []  # the board has finished: the next line is the table's
        if not view.auction.is_over:
            if turn is self.seat:
                return self._ask(AskCall(view))
            return self._ready(f"for {turn.title}'s bid", f"a call, as in '{turn.title} bids 1NT'")
        contract = view.contract
        assert contract is not None
        if view.cards and self._may_see_dummy(view):  # it is face up (BC-32)
            if self._asked_for_dummy:
                return []
            self._asked_for_dummy = True
            return self._ready("for dummy", f"dummy, as in 'Dummy's cards : {_CARDS_EXAMPLE}'")
        if self._is_to_lead(view) and not self._asked_to_lead:
            leader = turn.title if turn is self.seat else "Dummy"
            self._owed = f"the line that asks for a lead, as in '{leader} to lead'"
            return []  # BC-29: a lead waits for it
        if _plays_from(view, turn):
            return self._ask(AskCard(view, turn))
        whose = "dummy" if turn is contract.dummy else turn.title
        trick = len(view.tricks) + 1
        return self._ready(f"for {whose}'s card to trick {trick}", f"a card, as in '{turn.title} plays QD'")

    def _ask(self, question: AskCall | AskCard) -> list[PlayerEffect]:
        self._question = question
        self._owed = ""
        return [question]

    def _ready(self, what: str, owed: str) -> list[PlayerEffect]:
        """Ask for the next line, which the table then owes."""
        self._owed = owed
        return [SendLine(f"{self.seat.title} ready {what}")]


def _quote(line: str) -> str:
    return repr(shorten(line, _QUOTED_CHARS_MAX))


def _plays_from(view: PlayerView, hand: Seat) -> bool:
    """Return whether a player plays from a hand: its own unless it is dummy, and dummy's as declarer."""
    assert view.contract is not None
    return view.is_declarer if hand is view.contract.dummy else hand is view.seat


def _in_place_of_last(view: PlayerView, message: CallIntent | CardIntent) -> PlayerView | None:
    """Return the board with the table's call or card in place of this player's last, if nothing has followed it.

    The view itself if they are the same; None if the last action was another player's or of the other kind.
    """
    calls, cards = view.auction.calls, view.cards
    if isinstance(message, CallIntent):
        if cards or not calls or message.seat is not view.seat or view.dealer.plus(len(calls) - 1) is not view.seat:
            return None
        if calls[-1] == message.call:
            return view
        again = view.before_call(len(calls))
        again.add_call(message.call)
    else:
        if not cards or not _plays_from(view, cards[-1][0]) or message.seat is not cards[-1][0]:
            return None
        if cards[-1][1] == message.card:
            return view
        again = view.before_call(len(calls) + 1)
        if view.dummy_hand is not None:
            again.show_dummy(view.dummy_hand)
        for _, card in [*cards[:-1], (message.seat, message.card)]:
            again.add_card(card)
    again.alerts |= view.alerts
    return again
