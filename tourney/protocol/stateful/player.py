"""The player's side of the stateful-server protocol: it acts on single lines, and remembers none.

Whatever it has to decide it decides from one line of the server, `X-TURN`, which tells all that its player knows. It
keeps its name and nothing that it has been told: after a lost connection, or another program in its place, nothing
is missing. Only a claim, or a question about a call, it keeps until the next line, `X-STATE`, by which it answers: if
its connection is lost in between, the table rejects the claim itself, and the question may be asked again. A claim of
its own it keeps until the table has taken it up or refused it, as a refused one is followed by a card.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from tourney.bridge import Call, Card, Hand, PlayerView, Seat, Side
from tourney.errors import FormatError, ProtocolError, RuleError
from tourney.protocol.lines import Overlong
from tourney.protocol.player import AskCall, AskCard, ClaimJudge, Leave, PlayerEffect, SendLine
from tourney.protocol.stateful.messages import (
    AcceptMessage,
    AlertMessage,
    AskedMessage,
    BidMessage,
    ClaimMessage,
    EndMessage,
    Extension,
    ExtensionsMessage,
    HelloMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    KnownBoard,
    NakMessage,
    PingMessage,
    PlayMessage,
    PongMessage,
    RejectMessage,
    StatefulMessage,
    StateMessage,
    TellMessage,
    TimeMessage,
    TurnMessage,
    UndoMessage,
    format_message,
    parse_server_message,
)
from tourney.protocol.stateful.values import TEXT_CHARS_MAX

OFFERS: Final = frozenset({Extension.STATE, Extension.CLAIM, Extension.UNDO})
"""The extensions by which the player answers what others propose."""

WANTED: Final = OFFERS | {Extension.TURN, Extension.PING, Extension.END}
"""The extensions that the player asks for."""


CallExplainer: TypeAlias = Callable[[PlayerView, int], str]
"""Says what a player's own call means, by its number from 1, from what the player knows."""


def rejects_claim(view: PlayerView, claimant: Seat, held: Sequence[Card]) -> bool:  # noqa: ARG001 # a `ClaimJudge`
    """Reject a claim, whatever it is, so that all tricks are played."""
    return False


class ForgetfulPlayer:
    """One program, from `HELLO` to `X-END`.

    `game` is the game to join, None for whatever the tournament in progress has for it; `position` is the seat there.
    A `NAK` is for it only when it has claimed: else what it says is legal, and who refuses it for good closes the
    connection.
    """

    is_refused = False
    """With its refusal the table tells the state, which asks again."""

    def __init__(
        self,
        team: str,
        game: str | None = None,
        position: Seat | None = None,
        *,
        judge_claim: ClaimJudge = rejects_claim,
        explain_call: CallExplainer | None = None,
        note_time: Callable[[Side, int | None], None] | None = None,
    ) -> None:
        """Prepare a player.

        Args:
            team: whose program it is.
            game: as above.
            position: as above.
            judge_claim: says whether it accepts a claim.
            explain_call: says what a call of its own means; None if it answers no questions.
            note_time: is told after each board what the limit of the match leaves to a side, in milliseconds, None
                without a limit; None for an owner that does not want to know.
        """
        self.team = team
        self.game = game
        self.position = position
        self._judge_claim = judge_claim
        self._explain_call = explain_call
        self._note_time = note_time
        self._asked: ClaimMessage | AskedMessage | None = None
        """A claim, or a question about a call, that the line before has told."""
        self._claimed_at: AskCard | None = None
        """What it has answered with a claim that the table has neither taken up nor refused."""

    def start(self) -> list[PlayerEffect]:
        """Announce the player and ask for a seat: the same whether it has played here before or not (SS-30)."""
        join = JoinTournamentMessage() if self.game is None else JoinGameMessage(self.game, self.position)
        wanted = WANTED if self._note_time is None else WANTED | {Extension.TIME}
        wanted = wanted if self._explain_call is None else wanted | {Extension.ASK}
        self._claimed_at = None
        return _send(ExtensionsMessage(wanted), HelloMessage(self.team), join)

    def receive_line(self, line: bytes | Overlong) -> list[PlayerEffect]:
        """Handle a line from the table."""
        if isinstance(line, Overlong):
            return [Leave(f"the table sent a line of more than {line.limit} bytes")]
        try:
            message = parse_server_message(line)
            asked, self._asked = self._asked, message if isinstance(message, ClaimMessage | AskedMessage) else None
            match message:
                case StateMessage():
                    return self._answer_asked(asked, message)
                case NakMessage() if self._claimed_at is not None:
                    refused, self._claimed_at = self._claimed_at, None
                    return [refused]
                case ClaimMessage():
                    self._claimed_at = None
                    return []
                case TurnMessage():
                    self._claimed_at = None
                    return [_question(message)]
                case UndoMessage(number=int() as number):
                    return _send(AcceptMessage(number))  # a slip of an opponent's
                case PingMessage():
                    return _send(PongMessage(message.token))
                case EndMessage():
                    return [Leave(None)]
                case TimeMessage(side, _, left_ms):
                    if self._note_time is not None:
                        self._note_time(side, left_ms)
                    return []
                case _:
                    return []
        except (FormatError, RuleError) as error:
            text = line.decode("ascii", "backslashreplace")
            return [Leave(f"the table sent {text!r}, which cannot be: {error}")]

    def receive_close(self) -> list[PlayerEffect]:
        """Handle the close of the connection by the table."""
        return [Leave("the table closed the connection without X-END")]

    def make_call(self, call: Call, alert: str = "", *, asked: AskCall | None = None) -> list[PlayerEffect]:
        """Answer `AskCall`, which is `asked`. `alert` is the explanation of an artificial call (SS-24).

        Raises:
            RuleError: the call is not legal.
            ProtocolError: the question is missing.
        """
        view = _view_of(asked)
        why = view.auction.why_illegal(call)
        if why is not None:
            raise RuleError(f"{view.seat.title} may not call {call}: {why}")
        said = _send(AlertMessage(view.seat, alert)) if alert else []
        return [*said, *_send(BidMessage(call))]

    def make_card(self, hand: Seat, card: Card, *, asked: AskCard | None = None) -> list[PlayerEffect]:
        """Answer `AskCard`, which is `asked`, with a card of `view.legal_from(hand)`.

        Raises:
            RuleError: the card is not legal.
            ProtocolError: the question is missing.
        """
        view = _view_of(asked)
        if asked is None or hand is not asked.hand or card not in view.legal_from(hand):
            raise RuleError(f"{hand.title} may not play {card}")
        return _send(PlayMessage(card))

    def make_claim(self, asked: AskCard) -> list[PlayerEffect]:
        """Answer `asked` with a claim of all remaining tricks; unless it is accepted, the question comes again."""
        self._claimed_at = asked
        return _send(ClaimMessage())

    def send_illegal(self, answer: Call | Card, *, asked: AskCall | AskCard) -> list[PlayerEffect]:  # noqa: ARG002 # as PlayerSide
        """Answer with a call or card that is not legal, for the table to rule on."""
        return _send(PlayMessage(answer) if isinstance(answer, Card) else BidMessage(answer))

    def _answer_asked(self, asked: ClaimMessage | AskedMessage | None, known: KnownBoard) -> list[PlayerEffect]:
        """Answer what the line before has told, if it was a claim or a question."""
        if isinstance(asked, ClaimMessage):
            return self._answer_claim(asked, known)
        if isinstance(asked, AskedMessage) and self._explain_call is not None:
            text = self._explain_call(view_of_turn(known), asked.number)
            return _send(TellMessage(asked.number, text[:TEXT_CHARS_MAX]))
        return []

    def _answer_claim(self, claim: ClaimMessage, known: KnownBoard) -> list[PlayerEffect]:
        """Answer a claim, if that is for the player to do (BC-41)."""
        view, claimant = view_of_turn(known), claim.position
        contract = view.contract
        if contract is None or claimant is None or claim.number is None or claimant.side is view.seat.side:
            return []
        if claimant is not contract.declarer and not view.is_declarer:
            return []  # dummy is shown a defender's claim
        accepts = self._judge_claim(view, claimant, claim.cards or ())
        return _send(AcceptMessage(claim.number) if accepts else RejectMessage(claim.number))

    def needs_no_answer(self, line: bytes) -> bool:
        """Return whether a line is a refusal, or none of the language, which clients ignore."""
        message = parse_server_message(line)
        return message is None or isinstance(message, NakMessage)


def _send(*messages: StatefulMessage) -> list[PlayerEffect]:
    return [SendLine(format_message(message)) for message in messages]


def view_of_turn(turn: KnownBoard) -> PlayerView:
    """Return what the player knows, from the line that tells it all.

    Raises:
        RuleError: its calls are no legal auction.
        FormatError: its cards do not fit each other.
    """
    if len(turn.hand) != 13 or len(turn.dummy) not in (0, 13):
        raise FormatError(f"a hand has 13 cards, got {len(turn.hand)}, and {len(turn.dummy)} of dummy")
    view = PlayerView(turn.position, turn.number, turn.dealer, turn.vulnerability, Hand.of(turn.hand))
    for call in turn.calls:
        view.add_call(call)
    if turn.cards and view.contract is None:
        raise FormatError("cards are played before the auction has ended")
    if turn.dummy:
        view.show_dummy(Hand.of(turn.dummy))
    for card in turn.cards:
        view.add_card(card)
    return view


def _question(turn: TurnMessage) -> PlayerEffect:
    view = view_of_turn(turn)
    if not view.auction.is_over:
        return AskCall(view)
    if view.turn is None:
        raise FormatError("the board is over")
    return AskCard(view, view.turn)


def _view_of(asked: AskCall | AskCard | None) -> PlayerView:
    if asked is None:
        raise ProtocolError("a player that remembers nothing answers a question only with the question at hand")
    return asked.view
