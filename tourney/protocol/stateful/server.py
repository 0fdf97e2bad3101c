"""The table's side of the stateful-server protocol: what one player is told, and when.

A player need not ask for anything: it is sent the state after every change, and what it is to answer comes last. The
view has what it has been sent, so that nothing is left out; what the player remembers is never needed.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from tourney.bridge import Seat, Side
from tourney.errors import FormatError
from tourney.protocol.access import split_login
from tourney.protocol.session.board.state import TableBoard, TableOffer
from tourney.protocol.session.intents import (
    Answered,
    AnswerIntent,
    BadLine,
    CallIntent,
    CardIntent,
    ChatIntent,
    ClaimIntent,
    DirectorIntent,
    EchoIntent,
    ExplanationIntent,
    Intent,
    LogOnIntent,
    NextBoardIntent,
    OfferAnswerIntent,
    QuestionIntent,
    Refusal,
    RefusalAnswer,
    StateIntent,
    UndoIntent,
)
from tourney.protocol.session.logon import same_name
from tourney.protocol.session.notices import (
    ActionRefused,
    BoardFinished,
    BoardStarted,
    BreakBegan,
    CallAsked,
    CallExplained,
    ChatSaid,
    ErrorText,
    Newcomer,
    NoteText,
    Notice,
    OfferMade,
    OfferSettled,
    OptionsChanged,
    Scores,
    SeatGiven,
    SessionEnded,
    SessionInterrupted,
    WholeState,
)
from tourney.protocol.session.records import PLAYER_TEXT_CHARS_MAX
from tourney.protocol.session.seat_view import SeatView
from tourney.protocol.session.wire import Lines, Mark, Wire
from tourney.protocol.stateful.messages import (
    AcceptMessage,
    AlertMessage,
    AskedMessage,
    AskMessage,
    AuccloseMessage,
    AucopenMessage,
    BidMessage,
    BoardMessage,
    ChatMessage,
    ClaimedMessage,
    ClaimMessage,
    ClockMessage,
    DeclarerMessage,
    DirectorMessage,
    DummyMessage,
    EndMessage,
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HandMessage,
    HelloMessage,
    JoinedMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    LeaveMessage,
    MayMessage,
    NakMessage,
    NoteMessage,
    PingMessage,
    PlayMessage,
    PointsMessage,
    PongMessage,
    ReadyMessage,
    RejectMessage,
    ResultMessage,
    SaidMessage,
    ScoreMessage,
    StartMessage,
    StatefulMessage,
    StateMessage,
    StoppedMessage,
    TellMessage,
    TimeMessage,
    TournamentsMessage,
    TrickMessage,
    TricksWonMessage,
    TurnMessage,
    UndoMessage,
    UndoneMessage,
    format_message,
    parse_player_message,
)
from tourney.protocol.stateful.values import GameId

PROTOCOL_VERSION: Final = 1
"""What the record has for the version of the protocol, which its source does not number."""

SYSTEM: Final = "stateful"
"""What the record has for the program's system, of which this protocol has no word."""


TRICKS: Final = 13


def why_not_said(text: str) -> str:
    """Return why a text of a player is refused; empty if it is not."""
    if not text.strip():
        return "the text is empty"
    return (
        f"a text has at most {PLAYER_TEXT_CHARS_MAX} characters, this one has {len(text)}"
        if len(text) > PLAYER_TEXT_CHARS_MAX
        else ""
    )


class StatefulWire(Wire):
    """The wire of one player."""

    has_requests = False
    answers_claims = False
    shows_positions = True
    plays_minibridge = True

    def __init__(self, place: GameId) -> None:
        self._place = place
        self._name = ""
        self._team = ""
        """The name under which it has its seat."""
        self._extensions: frozenset[Extension] = frozenset()

    # What the player says

    def parse(self, line: bytes, seat: Seat | None) -> Intent | None:  # noqa: PLR0912 # one case a message
        try:
            message = parse_player_message(line)
        except FormatError as error:
            return BadLine(str(error))
        match message:
            case HelloMessage():
                return self._receive_hello(message, seat)
            case ExtensionsMessage():
                return self._receive_extensions(message)
            case _ if not self._name:
                return BadLine("HELLO and a name come first")
            case BidMessage():
                return CallIntent(None, message.call)
            case PlayMessage():
                return CardIntent(None, message.card)
            case JoinTournamentMessage() | JoinGameMessage():
                return self._receive_join(message, seat)
            case ClaimMessage() | UndoMessage() | AcceptMessage() | RejectMessage() | AskMessage() | TellMessage():
                return self._receive_offer(message, seat)
            case AlertMessage() if message.position is seat:
                return ExplanationIntent(message.text)
            case AlertMessage():
                return BadLine(
                    f"a player explains its own call, X-ALERT {seat.letter if seat is not None else '?'} ..."
                )
            case PingMessage():
                return Answered(self._format(PongMessage(message.token)))
            case LeaveMessage() | StartMessage():
                return BadLine(f"{message.NAME} is for a lobby, which this is not")
            case PongMessage() if seat is not None:
                return EchoIntent(message.token)
            case ReadyMessage():
                return NextBoardIntent()
            case ChatMessage() | DirectorMessage():
                return self._receive_text(message)
            case _:
                return None  # a courtesy

    @staticmethod
    def _receive_text(message: ChatMessage | DirectorMessage) -> Intent:
        text = message.text.strip()
        if isinstance(message, DirectorMessage) and not text:
            return DirectorIntent("")
        why = why_not_said(message.text)
        if why:
            return BadLine(why)
        return DirectorIntent(text) if isinstance(message, DirectorMessage) else ChatIntent(message.text)

    def _receive_hello(self, message: HelloMessage, seat: Seat | None) -> Intent:
        if seat is not None and not same_name(self._team_said(message.name), self._team):
            return BadLine(f"this connection is {self._team}'s already")
        extensions = [ExtensionsMessage(frozenset(Extension))] if not self._name and self._extensions else []
        self._name = message.name
        tournament = self._place.tournament
        is_free = tournament is None and self.table.empty_seats
        return Answered(
            self._format(
                *extensions,
                TournamentsMessage((tournament,) if tournament is not None else ()),
                GamesMessage((self._place.game,) if is_free else ()),
            )
        )

    def _team_said(self, name: str) -> str:
        return split_login(name, [self.table.team(side) for side in Side])[0]

    def _receive_extensions(self, message: ExtensionsMessage) -> Intent:
        self._extensions = asked = message.extensions
        self.restarts_board = Extension.PING in asked
        self.confirms_ready = Extension.READY in asked
        self.answers_claims = Extension.CLAIM in asked
        self.answers_undo = Extension.UNDO in asked
        self.answers_questions = Extension.ASK in asked
        self.shows_options = Extension.MAY in asked
        return Answered(self._format(ExtensionsMessage(frozenset(Extension))) if self._name else ())

    def _receive_join(self, message: JoinTournamentMessage | JoinGameMessage, seat: Seat | None) -> Intent:
        why_not = self._why_not_joined(message)
        if why_not:
            return BadLine(why_not)
        position = message.position if isinstance(message, JoinGameMessage) else None
        if seat is None:
            return LogOnIntent(
                team=self._name,
                seat=position,
                any_seat=position is None,
                seat_word="",
                version=PROTOCOL_VERSION,
                system=SYSTEM,
            )
        return StateIntent() if position in (None, seat) else BadLine(f"this connection has the seat {seat.letter}")

    def _receive_offer(
        self,
        message: ClaimMessage | UndoMessage | AcceptMessage | RejectMessage | AskMessage | TellMessage,
        seat: Seat | None,
    ) -> Intent:
        if seat is None:
            return BadLine(f"{message.NAME} is for a player that has a seat")
        if not message.is_for(self._extensions):
            return BadLine(f"ask for {message.EXTENSION} with X-HELLO first: else you are not told what comes of it")
        match message:
            case ClaimMessage():
                return ClaimIntent(seat)
            case UndoMessage():
                return UndoIntent()
            case AskMessage():
                return QuestionIntent(message.number)
            case TellMessage():
                why = why_not_said(message.text)
                return BadLine(why) if why else AnswerIntent(message.number, message.text)
            case _:
                return OfferAnswerIntent(message.number, isinstance(message, AcceptMessage))

    def _why_not_joined(self, message: JoinTournamentMessage | JoinGameMessage) -> str:
        """Return why a request does not fit this table; empty if it does."""
        place = self._place
        if isinstance(message, JoinGameMessage):
            if message.game is None:
                return f"no games are made here: JOIN-M {place.game} is the one in progress"
            return "" if message.game == place.game else f"there is no game {message.game} here, only {place.game}"
        if place.tournament is None:
            return f"there is no tournament here, only the game {place.game}: JOIN-M {place.game}"
        if message.tournament not in (None, place.tournament):
            return f"there is no tournament {message.tournament} here, only {place.tournament}"
        if message.partner is not None and not same_name(message.partner, self._team_said(self._name)):
            return f"your partner is of your own team, {self._team_said(self._name)}"
        return ""

    # What the player is told beside calls and cards

    def format_notice(self, notice: Notice, view: SeatView | None) -> Sequence[str]:
        return self._format(*self._messages(notice, view))

    def _messages(self, notice: Notice, view: SeatView | None) -> Sequence[StatefulMessage]:
        game = self._place.game
        match notice:
            case WholeState(seat, scores):
                return self._state(seat, view, scores)
            case ActionRefused(refusal):
                return _refusal(refusal, view)
            case SeatGiven():
                self._team = notice.team
                return [JoinedMessage(game, notice.seat)]
            case Newcomer(seat, name):
                return [JoinedMessage(game, seat, name)]
            case ErrorText(text):
                return [NakMessage(text)]
            case NoteText(text):
                return [NoteMessage(text) if Extension.NOTE in self._extensions else NakMessage(text)]
            case SessionEnded():
                return [EndMessage("the session is over")]
            case SessionInterrupted(reason):
                return [StoppedMessage(f"{reason}: come back, and play goes on where it is")]
            case ChatSaid(seat, text):
                return [SaidMessage(seat, text)]
            case BreakBegan(wait_ms):
                return [ReadyMessage(wait_ms)]
            case _:
                return self._board_messages(notice, view) if view is not None else ()

    def _board_messages(self, notice: Notice, view: SeatView) -> Sequence[StatefulMessage]:
        match notice:
            case CallExplained(number, text):
                return [TellMessage(number, text)]
            case OptionsChanged():
                return [MayMessage(*notice)]
            case BoardFinished():
                return self._end_of_board(notice)
            case BoardStarted(is_in_transit=True) if self.restarts_board:
                # What it said about the board before arrives before its answer to this.
                view.awaited_echo = f"B{view.board.number}"
                return [PingMessage(view.awaited_echo)]
            case OfferMade(offer):
                return _pending_claim(view) if offer.kept is None else [UndoMessage(offer.number, offer.seat)]
            case OfferSettled(offer, accepted) if offer.kept is None:
                return _claim_settled(view, offer, accepted=accepted)
            case OfferSettled(offer, accepted):
                return [UndoneMessage(offer.number, accepted)]
            case CallAsked(number):
                return [AskedMessage(number), known_board(StateMessage, view)]
            case _:
                return ()

    def _end_of_board(self, finished: BoardFinished) -> list[StatefulMessage]:
        result = finished.result
        messages: list[StatefulMessage] = []
        if result is not None:
            messages.append(ResultMessage(result.contract, result.tricks, result.score))
        messages += score_messages(finished.scores)
        for side in Side:
            limit_ms, total_ms = self.table.limit_ms(None, side), finished.total_ms[side]
            left_ms = max(0, limit_ms - total_ms) if limit_ms is not None else None
            messages.append(TimeMessage(side, total_ms, left_ms))
        return messages

    def _state(self, seat: Seat, view: SeatView | None, scores: Scores | None) -> list[StatefulMessage]:
        if view is None:
            return [JoinedMessage(self._place.game, seat), *score_messages(scores)]
        waits = _pending_claim(view) or [*self._clock(view), *_turn_again(view)]
        return [*self._whole_board(view, scores), *_pending_undo(view), *waits]

    # The board

    def show_cards(self, view: SeatView, scores: Scores | None) -> Lines:
        view.shown = _relayed(view.board)
        messages = self._whole_board(view, scores)
        return [(line, Mark.NONE) for line in self._format(*messages)]

    def _whole_board(self, view: SeatView, scores: Scores | None) -> list[StatefulMessage]:
        """Return everything but whose turn it is."""
        seat, game = view.seat, self._place.game
        messages: list[StatefulMessage] = [JoinedMessage(game, seat)]
        for other in (seat.next, seat.partner, seat.previous):
            name = self.table.name_at(other)
            if name:
                messages.append(JoinedMessage(game, other, name))
        return messages + score_messages(scores) + board_messages(view)

    def render(self, view: SeatView) -> tuple[Lines, int | None]:
        """Return what follows from each call and card that the player has not been shown, then whose turn it is.

        At a card but a lead, that is shown with the card before; at any call and a lead, by itself.
        """
        if not view.cards_shown:
            return [], None
        board, wake_at_ms = view.board, None
        shown: list[tuple[StatefulMessage, Mark]] = []
        relayed, made = _relayed(board), len(board.history)
        while view.shown < relayed:
            view.shown += 1
            messages = entry_messages(view)
            shown += [(message, Mark.NONE) for message in messages]
            if view.shown == made and messages and isinstance(messages[-1], TrickMessage):
                shown.pop()
                shown += self._prompt(view, messages[-1])
        if view.prompted != made and view.shown == made and not board.is_finished and board.claim is None:
            play = board.play
            if play is None:
                message = AucopenMessage(board.turn, tuple(board.auction.calls))
                shown += self._prompt(view, message)
            elif play.current.cards or board.time.now_ms >= board.leads_from_ms:
                # In the middle of a trick, it has come back.
                shown += self._prompt(view, TrickMessage(play.turn, play.current.cards))
            else:
                wake_at_ms = board.leads_from_ms
        extensions = self._extensions
        return [(format_message(each), mark) for each, mark in shown if each.is_for(extensions)], wake_at_ms

    def _prompt(self, view: SeatView, message: AucopenMessage | TrickMessage) -> list[tuple[StatefulMessage, Mark]]:
        """Name who is to act; its player is charged from the moment when the last line is written."""
        view.prompted, view.has_joined = len(view.board.history), True
        lines: list[tuple[StatefulMessage, Mark]] = [(each, Mark.NONE) for each in self._clock(view)]
        if view.board.actor is not view.seat:
            return [*lines, (message, Mark.NONE)]
        if Extension.TURN not in self._extensions:
            return [*lines, (message, Mark.ASKS)]
        return [*lines, (message, Mark.NONE), (known_board(TurnMessage, view), Mark.ASKS)]

    def _clock(self, view: SeatView) -> list[StatefulMessage]:
        """Return how long the player in turn may still think, where that is limited (SS-54)."""
        actor = view.board.actor
        if Extension.CLOCK not in self._extensions or actor is None:
            return []
        left_ms = self.table.turn_left_ms(actor)
        return [ClockMessage(actor, left_ms)] if left_ms is not None else []

    def explain_too_early(self, view: SeatView) -> str:
        return f"wait for {'AUCOPEN' if view.board.play is None else 'TRICK'} with your position"

    def _format(self, *messages: StatefulMessage) -> tuple[str, ...]:
        """Format the messages that are for this player: extensions only if it has asked for them."""
        return tuple(format_message(each) for each in messages if each.is_for(self._extensions))


def _relayed(board: TableBoard) -> int:
    """Return how many calls and cards may be shown: the last may wait for the operator (BC-25)."""
    made = len(board.history)
    return made - 1 if made and board.history[-1].held else made


def _turn_again(view: SeatView) -> list[StatefulMessage]:
    """Return whose turn it is, as the player was last told, without charging anybody anew."""
    board = view.board
    play, is_prompted = board.play, view.prompted == len(board.history)
    messages: list[StatefulMessage] = []
    if play is None:
        turn = board.turn if is_prompted else None
        messages.append(AucopenMessage(turn, tuple(board.auction.calls[: view.shown])))
    elif is_prompted and not board.is_finished:
        messages.append(TrickMessage(play.turn, play.current.cards))
    else:
        messages.append(TrickMessage(None, play.tricks[-1].cards if play.tricks else ()))
    if is_prompted and board.actor is view.seat:
        messages.append(known_board(TurnMessage, view))
    return messages


def _pending_claim(view: SeatView) -> list[StatefulMessage]:
    """Return a claim that waits for its answers, to those who may see it, and that no card is accepted meanwhile.

    The state follows it, by which a player that remembers nothing can judge it.
    """
    board = view.board
    claim, play = board.claim, board.play
    if claim is None or play is None:
        return []
    no_turn = TrickMessage(None, play.current.cards)
    if view.claim_cards is None:
        return [no_turn]
    shown = ClaimMessage(claim.number, claim.seat, view.claim_cards)
    return [no_turn, shown, known_board(StateMessage, view)]


def _claim_settled(view: SeatView, claim: TableOffer, *, accepted: bool) -> list[StatefulMessage]:
    messages: list[StatefulMessage] = [ClaimedMessage(claim.number, accepted)]
    play = view.board.play
    if accepted and play is not None:
        won = tricks_won_message(view.board, len(play.tricks)).winners
        messages.append(TricksWonMessage(won + (claim.seat,) * (TRICKS - len(won))))
    return messages


def _refusal(refusal: Refusal, view: SeatView | None) -> list[StatefulMessage]:
    messages: list[StatefulMessage] = []
    if refusal.answer is not RefusalAnswer.NONE:
        messages.append(NakMessage(refusal.why))
    if view is not None and view.cards_shown:
        messages += [hand_message(view), *(_pending_claim(view) or _turn_again(view))]
    return messages


def _pending_undo(view: SeatView) -> list[StatefulMessage]:
    """Return a wish to take something back that waits for its answers, to those who were told about it."""
    undo = view.board.undo
    if undo is None or view.seat is undo.seat.partner:
        return []
    return [UndoMessage(undo.number, undo.seat)]


# What one player is told about a board, and about the game that it is part of


def hand_message(view: SeatView) -> HandMessage:
    """Return what a player still holds (SS-21)."""
    return HandMessage(view.held(view.seat))


def dummy_message(view: SeatView) -> DummyMessage:
    """Return what dummy, which is known, still holds (SS-19)."""
    assert view.board.dummy is not None
    return DummyMessage(view.held(view.board.dummy))


def tricks_won_message(board: TableBoard, tricks: int) -> TricksWonMessage:
    """Return the winners of the first tricks of the play (SS-20)."""
    play = board.play
    assert play is not None
    trumps = play.contract.strain.trumps
    return TricksWonMessage(tuple(trick.winner(trumps) for trick in play.tricks[:tricks]))


Known = TypeVar("Known", TurnMessage, StateMessage)


def known_board(message: type[Known], view: SeatView) -> Known:
    """Return all that a player knows of the board: what the one in turn is sent (SS-26), or with the state (SS-48).

    Calls and cards are those that it has been shown.
    """
    board, shown = view.board, view.shown
    calls = board.auction.calls
    cards = board.play.cards if board.play is not None else []
    return message(
        position=view.seat,
        number=board.number,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        hand=view.hand.cards,
        calls=tuple(calls[:shown]),
        dummy=board.dummy_hand.cards if board.dummy_hand is not None else (),
        cards=tuple(card for _, card in cards[: max(0, shown - len(calls))]),
    )


def score_messages(scores: Scores | None) -> list[StatefulMessage]:
    """Return the score of a game that is played over several deals (SS-28); nothing without one."""
    if scores is None:
        return []
    ns, ew = scores[Side.NS], scores[Side.EW]
    return [ScoreMessage(ns.above, ns.below, ns.is_vulnerable, ew.above, ew.below, ew.is_vulnerable)]


def board_messages(view: SeatView) -> list[StatefulMessage]:
    """Return a board, with the calls and cards that the player has been shown."""
    board, shown = view.board, view.shown
    messages: list[StatefulMessage] = [
        BoardMessage(board.number, board.dealer, board.vulnerability),
        hand_message(view),
    ]
    if board.choice is not None:  # what is announced at Minibridge, the dealer's points first (SS-38)
        messages += [PointsMessage(other, points) for other, points in board.choice.announcements]
    if board.dummy_hand is not None and not board.dummy_is_open:
        messages.append(dummy_message(view))
    calls = board.auction.calls
    for number in range(1, min(shown, len(calls)) + 1):
        messages += _explanation(view, number)
    if board.auction.is_over and shown >= len(calls):
        messages += _end_of_auction(board)
    if board.play is not None and board.play.cards:
        messages += [dummy_message(view), tricks_won_message(board, len(board.play.tricks))]
    if shown:
        messages.append(known_board(StateMessage, view))
    return messages


def entry_messages(view: SeatView) -> list[StatefulMessage]:
    """Return what a player is told with the last call or card that it is shown.

    The auction itself is shown with the next turn, or its end.
    """
    board, shown = view.board, view.shown
    auction, play = board.auction, board.play
    entry, number = board.history[shown - 1], shown - len(auction.calls)
    messages: list[StatefulMessage] = []
    if not entry.trick:
        messages += _explanation(view, shown)
        return messages + _end_of_auction(board) if auction.is_over and number == 0 else messages
    assert play is not None
    cards = tuple(card for _, card in play.cards[(number - 1) // 4 * 4 : number])
    if number == 1:
        messages.append(dummy_message(view))
    if number % 4:
        return [*messages, TrickMessage(entry.hand.next, cards)]
    won = tricks_won_message(board, number // 4)
    return [TrickMessage(None, cards), won, hand_message(view), dummy_message(view)]


def _end_of_auction(board: TableBoard) -> list[StatefulMessage]:
    contract = board.contract
    closed: list[StatefulMessage] = [
        AucopenMessage(None, tuple(board.auction.calls)),
        AuccloseMessage.of_contract(contract),
    ]
    return [*closed, DeclarerMessage(contract.declarer)] if contract is not None else closed


def _explanation(view: SeatView, number: int) -> list[StatefulMessage]:
    """Return the explanation of a call, from 1, to an opponent (BC-17)."""
    said = view.meanings.get(number - 1)
    if said is None or not said.alerted:
        return []
    return [AlertMessage(view.board.history[number - 1].actor, said.text, number)]
